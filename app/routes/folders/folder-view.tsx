import type { ReactNode } from "react";
import { CursorPager } from "~/components/cursor-pager";
import { useTranslation } from "~/i18n/translation";
import type { cursorPagerProps } from "../shared/cursor-pager-props";
import { useDragToMove } from "./drag";
import { countText } from "./item-parts";
import { SelectionForm } from "./selection-form";

export interface FolderViewProps {
  /** Name of the list for screen readers. */
  readonly name: string;
  /** Query of the list. */
  readonly listParams: URLSearchParams;
  /** Number of items on the page. */
  readonly size: number;
  /** Whether the items can be copied. */
  readonly canCopy?: boolean;
  /** Empty state, which suggests what to do next. */
  readonly empty: ReactNode;
  readonly pager: ReturnType<typeof cursorPagerProps>;
  /** The list, with a checkbox for each item. */
  readonly children: ReactNode;
}

/** List whose items can be moved by dragging, and whose selected items can be changed together. */
export function FolderView({
  name,
  listParams,
  size,
  canCopy = false,
  empty,
  pager,
  children,
}: FolderViewProps) {
  const { t } = useTranslation();
  const { total, unfiltered } = pager;
  useDragToMove(listParams);
  if (size === 0) return <>{empty}</>;
  return (
    <div id="list" tabIndex={-1}>
      <SelectionForm label={name} listParams={listParams} size={size} canCopy={canCopy}>
        {total && (
          <p className="text-sm text-muted tabular-nums">
            {unfiltered && unfiltered.count > total.count
              ? t("folders:itemsOf", { count: total.count, all: countText(t, unfiltered) })
              : countText(t, total)}
          </p>
        )}
        {children}
        <CursorPager {...pager} total={null} />
      </SelectionForm>
    </div>
  );
}
