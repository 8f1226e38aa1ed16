import { type DragEvent, useRef } from "react";
import type { Uuid } from "~/domain/shared/model";

/** Data type of a dragged row. Text fields and other pages do not know it, so a row that is dropped there has no effect. */
const DRAG_TYPE = "application/x-hiroba-order";

/** Props of a draggable row. */
export const draggableRow = (id: Uuid) => ({
  "data-row": id,
  draggable: true,
  className:
    "cursor-grab data-[drop=after]:shadow-[inset_0_-2px_0_var(--accent)] data-[drop=before]:shadow-[inset_0_2px_0_var(--accent)]",
});

export interface DragOrder {
  readonly isEnabled: boolean;
  /** Returns all ids in their current order. */
  readonly order: () => readonly Uuid[];
  /** Called when rows were dropped before another row; `before` is null for the end of the list. */
  readonly onMove: (ids: readonly Uuid[], before: Uuid | null) => void;
}

/**
 * Lets users reorder the items of a list by dragging. Buttons offer the same without dragging. Dragging a selected row moves all selected rows.
 * @returns props of the list's element; its rows need the props that draggableRow returns
 */
export function useDragOrder({ isEnabled, order: getOrder, onMove }: DragOrder) {
  const draggedIds = useRef<readonly Uuid[]>([]);
  const markedRow = useRef<HTMLElement | null>(null);
  const markRow = (row: HTMLElement | null, side: "before" | "after" = "before") => {
    if (markedRow.current !== row) delete markedRow.current?.dataset.drop;
    if (row) row.dataset.drop = side;
    markedRow.current = row;
  };
  const findRow = ({ target }: DragEvent) =>
    target instanceof Element ? target.closest<HTMLElement>("[data-row]") : null;
  const listProps = {
    onDragStart: (event: DragEvent) => {
      const row = findRow(event);
      const id = row?.dataset.row;
      if (!row?.draggable || !id) return;
      const checkboxes = row.closest("form")?.querySelectorAll<HTMLInputElement>("[name=item]:checked");
      const selectedIds = [...(checkboxes ?? [])].map(({ value }) => value);
      draggedIds.current = selectedIds.includes(id) ? selectedIds : [id];
      event.dataTransfer.setData(DRAG_TYPE, draggedIds.current.join(" "));
      event.dataTransfer.effectAllowed = "move";
      event.dataTransfer.setDragImage(row, 16, 16);
    },
    onDragOver: (event: DragEvent) => {
      const row = findRow(event);
      if (!row || draggedIds.current.length === 0) return;
      event.preventDefault();
      const box = row.getBoundingClientRect();
      markRow(row, event.clientY < box.top + box.height / 2 ? "before" : "after");
    },
    onDrop: (event: DragEvent) => {
      const row = findRow(event);
      const targetId = row?.dataset.row;
      const ids = draggedIds.current;
      if (!row || !targetId || ids.length === 0) return;
      event.preventDefault();
      const side = row.dataset.drop;
      markRow(null);
      draggedIds.current = [];
      const movedIds = new Set(ids);
      const order = getOrder();
      let index = order.indexOf(targetId) + (side === "after" ? 1 : 0);
      // A dragged row cannot be the row before which it is dropped.
      while (movedIds.has(order[index] ?? "")) index++;
      onMove(
        order.filter((id) => movedIds.has(id)),
        order[index] ?? null,
      );
    },
    onDragEnd: () => {
      markRow(null);
      draggedIds.current = [];
    },
  };
  return isEnabled ? listProps : {};
}
