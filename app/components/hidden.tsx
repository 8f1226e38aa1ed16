import type { ReactNode } from "react";
import { useTranslation } from "~/i18n/translation";

/** Text only for screen readers: `<VisuallyHidden>…</VisuallyHidden>`. */
export function VisuallyHidden({ children }: { readonly children: ReactNode }) {
  return <span className="sr-only">{children}</span>;
}

/**
 * The first links of a page, which are visible when they are focused: `<SkipLinks />` links to the elements with the ids "main", "list" and "stage".
 * The style sheet hides links to elements that the page does not have.
 */
export function SkipLinks() {
  const { t } = useTranslation();
  return (["main", "list", "stage"] as const).map((id) => (
    <a key={id} href={`#${id}`} className="skip-link">
      {t(`shared:skip.${id}`)}
    </a>
  ));
}
