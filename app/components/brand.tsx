import { useTranslation } from "~/i18n/translation";
import { Anchor } from "./anchor";
import { cx } from "./cx";
import { VisuallyHidden } from "./visually-hidden";

/** The logo of Hiroba: a square that is open on one side, with a person in it. */
const logo = (
  <svg aria-hidden="true" focusable="false" width="28" height="28" viewBox="0 0 28 28" className="shrink-0">
    <rect width="28" height="28" rx="4" className="fill-accent" />
    <path d="M7 21.5V7h14v14.500" fill="none" strokeWidth="2" className="stroke-accent-ink" />
    <circle cx="14" cy="15.25" r="2.75" className="fill-accent-ink" />
  </svg>
);

export interface BrandProps {
  /** Link target; without it the brand is not a link. */
  readonly href?: string;
  /** Shows only the logo on narrow screens. */
  readonly compact?: boolean;
}

/** The logo with the wordmark "Hiroba 広場": `<Brand href="/space-list" />`. */
export function Brand({ href, compact = false }: BrandProps) {
  const { t } = useTranslation();
  const logoAndName = (
    <>
      {logo}
      <span
        className={cx(
          "items-baseline gap-2 whitespace-nowrap",
          compact ? "sr-only md:not-sr-only md:flex" : "flex",
        )}
      >
        <span className="text-base leading-title font-semibold">{t("shared:brand")}</span>
        <span lang="ja" className="text-xs leading-title text-muted">
          {t("shared:brandJapanese")}
        </span>
      </span>
    </>
  );
  const className = "inline-flex min-h-10 min-w-10 items-center gap-2 rounded text-ink no-underline";
  if (!href) return <span className={className}>{logoAndName}</span>;
  return (
    <Anchor href={href} className={className}>
      {logoAndName}
      <VisuallyHidden>{t("shared:home")}</VisuallyHidden>
    </Anchor>
  );
}
