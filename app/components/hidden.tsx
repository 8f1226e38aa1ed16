import type { ReactNode } from "react";
import { useTranslation } from "~/i18n/translation";

/** Text only for screen readers: `<VisuallyHidden>…</VisuallyHidden>`. */
export function VisuallyHidden({ children }: { readonly children: ReactNode }) {
  return <span className="sr-only">{children}</span>;
}

export interface SkipLinksProps {
  /** Parts of the page beside its main part, by id: the list of a page, or the stage with the space. */
  readonly to?: readonly ("list" | "stage")[];
}

/** The first links of a page, shown when focused: `<SkipLinks />` leads to the element with the id "main" and to further parts. */
export function SkipLinks({ to = [] }: SkipLinksProps) {
  const { t } = useTranslation();
  return (["main", ...to] as const).map((id) => (
    <a
      key={id}
      href={`#${id}`}
      className="fixed top-2 left-2 z-50 print:hidden -translate-y-16 rounded bg-accent px-4 py-2 text-sm font-semibold text-accent-ink focus:translate-y-0"
    >
      {t(`shared:skip.${id}`)}
    </a>
  ));
}
