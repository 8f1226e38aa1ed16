import type { ReactNode } from "react";
import { CursorPager, type CursorPagerProps } from "~/components/cursor-pager";
import { ChosenForm } from "./chosen-form";
import { useDragToMove } from "./drag";

export interface FolderViewProps {
  /** Name of the folder. */
  readonly name: string;
  /** Query of the list. */
  readonly list: URLSearchParams;
  /** Number of items on the page. */
  readonly size: number;
  /** Whether the items can be copied. */
  readonly copies?: boolean;
  /** Empty state, which suggests what to do next. */
  readonly empty: ReactNode;
  readonly pager: CursorPagerProps;
  /** The list, with a checkbox for each item. */
  readonly children: ReactNode;
}

/** List whose items can be moved by dragging, and whose selected items can be changed together. */
export function FolderView({ name, list, size, copies = false, empty, pager, children }: FolderViewProps) {
  useDragToMove(list);
  if (size === 0) return <>{empty}</>;
  return (
    <div id="list" tabIndex={-1}>
      <ChosenForm label={name} list={list} size={size} canCopy={copies}>
        {children}
        <CursorPager {...pager} />
      </ChosenForm>
    </div>
  );
}
