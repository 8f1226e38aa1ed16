import { type DragEvent, useRef } from "react";
import type { Uuid } from "~/domain/shared/model";

/** Data type of a dragged row, so that drags from other pages are ignored. */
const TYPE = "application/x-hiroba-order";

/** Props of a draggable row. */
export const draggableRow = (id: Uuid) => ({
  "data-row": id,
  draggable: true,
  className:
    "cursor-grab data-[drop=after]:shadow-[inset_0_-2px_0_var(--accent)] data-[drop=before]:shadow-[inset_0_2px_0_var(--accent)]",
});

export interface DragOrder {
  readonly isEnabled: boolean;
  /** All ids in their current order. */
  readonly order: () => readonly Uuid[];
  /** Called when rows were dropped before another row, or at the end. */
  readonly onMove: (ids: readonly Uuid[], before: Uuid | null) => void;
}

/**
 * Lets users reorder the items of a list by dragging. Buttons offer the same without dragging. Dragging a selected row moves all selected rows.
 * @returns props of the list's element; see draggableRow
 */
export function useDragOrder({ isEnabled, order: orderNow, onMove }: DragOrder) {
  const draggedIds = useRef<readonly Uuid[]>([]);
  const markedRow = useRef<HTMLElement | null>(null);
  const markRow = (next: HTMLElement | null, side: "before" | "after" = "before") => {
    if (markedRow.current !== next) delete markedRow.current?.dataset.drop;
    if (next) next.dataset.drop = side;
    markedRow.current = next;
  };
  const rowOf = ({ target }: DragEvent) =>
    target instanceof Element ? target.closest<HTMLElement>("[data-row]") : null;
  const list = {
    onDragStart: (event: DragEvent) => {
      const row = rowOf(event);
      const id = row?.dataset.row;
      if (!row?.draggable || !id) return;
      const checkboxes = row.closest("form")?.querySelectorAll<HTMLInputElement>("[name=item]:checked");
      const selectedIds = [...(checkboxes ?? [])].map(({ value }) => value);
      draggedIds.current = selectedIds.includes(id) ? selectedIds : [id];
      event.dataTransfer.setData(TYPE, draggedIds.current.join(" "));
      event.dataTransfer.effectAllowed = "move";
      event.dataTransfer.setDragImage(row, 16, 16);
    },
    onDragOver: (event: DragEvent) => {
      const row = rowOf(event);
      if (!row || draggedIds.current.length === 0) return;
      event.preventDefault();
      const box = row.getBoundingClientRect();
      markRow(row, event.clientY < box.top + box.height / 2 ? "before" : "after");
    },
    onDrop: (event: DragEvent) => {
      const row = rowOf(event);
      const target = row?.dataset.row;
      const ids = draggedIds.current;
      if (!row || !target || ids.length === 0) return;
      event.preventDefault();
      const side = row.dataset.drop;
      markRow(null);
      draggedIds.current = [];
      const movedIds = new Set(ids);
      const order = orderNow();
      let index = order.indexOf(target) + (side === "after" ? 1 : 0);
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
  return isEnabled ? list : {};
}
