import { useTranslation } from "~/i18n/translation";
import { Anchor } from "./anchor";
import { cx } from "./cx";
import { Icon, type IconName } from "./icon";

export interface CursorPagerProps {
  /** URLs of other pages. Null for a page that does not exist, and for the current page. */
  readonly firstHref: string | null;
  readonly previousHref: string | null;
  readonly nextHref: string | null;
  readonly lastHref: string | null;
  /** Total number of rows; with `hasMore`, there are more than counted. Null if the rows were not counted. */
  readonly total: { readonly count: number; readonly hasMore: boolean } | null;
  /** Range of the visible rows, if it is known. */
  readonly place?: string;
  /** Accessible name that distinguishes two pagers of the same list. */
  readonly label?: string;
}

/**
 * Pager for a list with cursor pagination:
 * `<CursorPager firstHref={null} previousHref={null} nextHref="?cursor=…" lastHref="?cursor=last" total={…} />`.
 */
export function CursorPager({
  firstHref,
  previousHref,
  nextHref,
  lastHref,
  total,
  place,
  label,
}: CursorPagerProps) {
  const { t } = useTranslation();
  const hasOtherPages = Boolean(firstHref || previousHref || nextHref || lastHref);
  if (!hasOtherPages && !place && !total) return null;
  return (
    <nav
      aria-label={label ?? t("shared-owners:pages")}
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 pt-3 text-sm"
    >
      <p className="text-muted tabular-nums">
        {place}
        {total &&
          (total.hasMore
            ? t("shared-owners:totalMore", { count: total.count })
            : t("shared-owners:total", { count: total.count }))}
      </p>
      {hasOtherPages && (
        <div className="flex gap-2">
          <Step href={firstHref} icon="first" label={t("shared-owners:first")} bare />
          <Step href={previousHref} icon="chevron-left" rel="prev" label={t("shared-owners:previous")} />
          <Step href={nextHref} icon="chevron-right" rel="next" label={t("shared-owners:next")} />
          <Step href={lastHref} icon="last" label={t("shared-owners:last")} bare />
        </div>
      )}
    </nav>
  );
}

interface StepProps {
  readonly href: string | null;
  readonly icon: Extract<IconName, "first" | "last" | "chevron-left" | "chevron-right">;
  readonly label: string;
  readonly rel?: "prev" | "next";
  /** Whether only the icon is visible. */
  readonly bare?: boolean;
}

function Step({ href, icon, label, rel, bare = false }: StepProps) {
  const className = cx(
    "inline-flex min-h-10 items-center justify-center gap-1 rounded border leading-title font-semibold whitespace-nowrap no-underline",
    bare ? "w-10" : "px-3",
  );
  const labelText = bare ? <span className="sr-only">{label}</span> : label;
  const content =
    rel === "next" ? (
      <>
        {labelText}
        <Icon name={icon} size={16} />
      </>
    ) : (
      <>
        <Icon name={icon} size={16} />
        {labelText}
      </>
    );
  if (!href)
    return <span className={cx(className, "border-transparent font-normal text-faint")}>{content}</span>;
  return (
    <Anchor
      href={href}
      rel={rel}
      title={bare ? label : undefined}
      className={cx(className, "border-edge/65 text-ink hover:border-edge hover:bg-surface")}
    >
      {content}
    </Anchor>
  );
}
