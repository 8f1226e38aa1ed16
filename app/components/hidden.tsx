import type { ReactNode } from "react";
import { useTranslation } from "~/i18n/translation";

/** Text only for screen readers: `<VisuallyHidden>…</VisuallyHidden>`. */
export function VisuallyHidden({ children }: { readonly children: ReactNode }) {
  return <span className="sr-only">{children}</span>;
}

/**
 * The first links of a page, shown when focused: `<SkipLinks />` leads to the elements with the ids "main", "list" and "stage". The style
 * sheet removes links to elements that the page does not have.
 */
export function SkipLinks() {
  const { t } = useTranslation();
  return (["main", "list", "stage"] as const).map((id) => (
    <a
      key={id}
      href={`#${id}`}
      className="fixed top-2 left-2 z-50 print:hidden -translate-y-16 rounded bg-accent px-4 py-2 text-sm font-semibold text-accent-ink focus:translate-y-0"
    >
      {t(`shared:skip.${id}`)}
    </a>
  ));
}
