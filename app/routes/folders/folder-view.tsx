import type { ReactNode } from "react";
import { CursorPager, type CursorPagerProps } from "~/components/cursor-pager";
import { ChosenForm } from "./chosen-form";
import { useDragToMove } from "./drag";

export interface FolderViewProps {
  /** The folder's. */
  readonly name: string;
  /** The list's own address. */
  readonly list: URLSearchParams;
  /** How many things the page has. */
  readonly size: number;
  /** Whether its things can be copied. */
  readonly copies?: boolean;
  /** Stands in for the list when nothing is in it: what to do about that. */
  readonly empty: ReactNode;
  readonly pager: CursorPagerProps;
  /** The list, with a tick for each of its things. */
  readonly children: ReactNode;
}

/** A list whose things can be moved by dragging, and several at once by their ticks. */
export function FolderView({ name, list, size, copies = false, empty, pager, children }: FolderViewProps) {
  useDragToMove(list);
  if (size === 0) return <>{empty}</>;
  return (
    <ChosenForm label={name} list={list} size={size} copies={copies}>
      {children}
      <CursorPager {...pager} />
    </ChosenForm>
  );
}
