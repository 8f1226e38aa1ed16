import { useTranslation } from "~/i18n/translation";
import { Anchor } from "./anchor";
import { cx } from "./cx";
import { Icon } from "./icon";

export interface PagerProps {
  /** URLs of the previous and next pages; null if there is none. */
  readonly previousHref: string | null;
  readonly nextHref: string | null;
  /** Range of the shown rows, counted from 1, and the total. */
  readonly range?: { readonly from: number; readonly to: number; readonly total: number };
}

/** A pager below a list: `<Pager previousHref={null} nextHref="?page=2" range={{ from: 1, to: 20, total: 57 }} />`. */
export function Pager({ previousHref, nextHref, range }: PagerProps) {
  const { t } = useTranslation();
  return (
    <nav
      aria-label={t("shared-owners:pages")}
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 pt-3 text-sm"
    >
      <p className="text-muted tabular-nums">
        {range &&
          (range.to - range.from + 1 === range.total
            ? t("shared-owners:total", { count: range.total })
            : t("shared-owners:range", range))}
      </p>
      {(previousHref || nextHref) && (
        <div className="flex gap-2">
          <PageLink href={previousHref} rel="prev" label={t("shared-owners:previous")} />
          <PageLink href={nextHref} rel="next" label={t("shared-owners:next")} />
        </div>
      )}
    </nav>
  );
}

function PageLink({
  href,
  rel,
  label,
}: {
  readonly href: string | null;
  readonly rel: "prev" | "next";
  readonly label: string;
}) {
  const baseClass =
    "inline-flex min-h-10 items-center gap-1 rounded border px-3 leading-title font-semibold whitespace-nowrap no-underline";
  const content = (
    <>
      {rel === "prev" && <Icon name="chevron-left" size={16} />}
      {label}
      {rel === "next" && <Icon name="chevron-right" size={16} />}
    </>
  );
  if (!href)
    return <span className={cx(baseClass, "border-transparent font-normal text-faint")}>{content}</span>;
  return (
    <Anchor
      href={href}
      rel={rel}
      className={cx(baseClass, "border-edge/65 text-ink hover:border-edge hover:bg-surface")}
    >
      {content}
    </Anchor>
  );
}
