import type { ReactNode } from "react";
import { cx } from "~/components/cx";
import { Icon } from "~/components/icon";
import { useTranslation } from "~/i18n/translation";

interface LocalizedText {
  readonly text: string;
  readonly lang: "ja" | "en";
}

/** One item of a state: its name, the beginning of its text, and its badges. */
export function ItemName({
  name,
  text,
  children,
}: {
  readonly name: LocalizedText;
  readonly text: LocalizedText;
  readonly children: ReactNode;
}) {
  const { t } = useTranslation();
  return (
    <div className="min-w-0 flex-1 text-sm">
      <p lang={name.lang} className="font-semibold wrap-anywhere">
        {name.text || t("events:history.untitled")}
      </p>
      {text.text !== "" && (
        <p lang={text.lang} className="line-clamp-3 whitespace-pre-line text-muted wrap-anywhere">
          {text.text}
        </p>
      )}
      <p className="flex flex-wrap gap-x-4 empty:hidden">{children}</p>
    </div>
  );
}

/** Badge of an item. */
export const ItemBadge = ({
  icon,
  children,
}: {
  readonly icon: "place" | "eye-off" | "warning";
  readonly children: string;
}) => (
  <span className="inline-flex items-center gap-1 text-muted">
    <Icon name={icon} size={16} />
    {children}
  </span>
);

/** All tags, media or tour stops of a state, collapsed if there are many. */
export function CollapsibleList({
  title,
  emptyText,
  children,
}: {
  readonly title: string;
  readonly emptyText: string;
  readonly children: readonly ReactNode[];
}) {
  return (
    <details className={cx("rounded border border-line")} open={children.length <= 12}>
      <summary className="flex min-h-10 cursor-pointer items-center gap-2 px-4 text-sm font-semibold">
        {title}
        <span className="font-normal text-muted tabular-nums">{children.length}</span>
      </summary>
      {children.length === 0 ? (
        <p className="px-4 pb-3 text-sm text-muted">{emptyText}</p>
      ) : (
        <ul className="divide-y divide-line px-4 pb-2">{children}</ul>
      )}
    </details>
  );
}
