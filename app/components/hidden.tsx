import type { ReactNode } from "react";
import { useTranslation } from "~/i18n/translation";

/** Text only for screen readers: `<VisuallyHidden>…</VisuallyHidden>`. */
export function VisuallyHidden({ children }: { readonly children: ReactNode }) {
  return <span className="sr-only">{children}</span>;
}

/** The first link of a page, shown when focused: `<SkipLink />` leads to the element with the id "main". */
export function SkipLink({ to = "main" }: { readonly to?: string }) {
  const { t } = useTranslation();
  return (
    <a
      href={`#${to}`}
      className="fixed top-2 left-2 z-50 print:hidden -translate-y-16 rounded bg-accent px-4 py-2 text-sm font-semibold text-accent-ink focus:translate-y-0"
    >
      {t("shared:skip")}
    </a>
  );
}
