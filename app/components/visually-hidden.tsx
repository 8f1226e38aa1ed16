import type { ReactNode } from "react";
import { useTranslation } from "~/i18n/translation";

/** Text only for screen readers: `<VisuallyHidden>…</VisuallyHidden>`. */
export function VisuallyHidden({ children }: { readonly children: ReactNode }) {
  return <span className="sr-only">{children}</span>;
}

/**
 * The first links of a page, which are visible when they are focused: `<SkipLinks />` links to the elements with the ids "main", "dialog" (an open dialog
 * without scripts), "panel" (the content of the open tab), "list" and "stage". The style sheet hides links to elements that the page does not have.
 */
export function SkipLinks() {
  const { t } = useTranslation();
  return (["main", "dialog", "panel", "list", "stage"] as const).map((id) => (
    <a
      key={id}
      href={`#${id}`}
      className={`skip-link skip-${id}`}
      onClick={(event) => {
        // Following the link would change the URL. Lists are rendered again for a new URL, and the focus would be lost.
        event.preventDefault();
        document.getElementById(id)?.focus();
      }}
    >
      {t(`shared:skip.${id}`)}
    </a>
  ));
}
