import type { ReactNode } from "react";
import { CursorPager, type CursorPagerProps } from "~/components/cursor-pager";
import { useDragToMove } from "./drag";
import { SelectionForm } from "./selection-form";

export interface FolderViewProps {
  /** Name of the folder. */
  readonly name: string;
  /** Query of the list. */
  readonly listParams: URLSearchParams;
  /** Number of items on the page. */
  readonly size: number;
  /** Whether the items can be copied. */
  readonly canCopy?: boolean;
  /** Empty state, which suggests what to do next. */
  readonly empty: ReactNode;
  readonly pager: CursorPagerProps;
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
  useDragToMove(listParams);
  if (size === 0) return <>{empty}</>;
  return (
    <div id="list" tabIndex={-1}>
      <SelectionForm label={name} listParams={listParams} size={size} canCopy={canCopy}>
        {children}
        <CursorPager {...pager} />
      </SelectionForm>
    </div>
  );
}
