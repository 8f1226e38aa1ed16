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
  readonly on: boolean;
  /** All ids in their current order. */
  readonly order: () => readonly Uuid[];
  /** Called when rows were dropped before another row, or at the end. */
  readonly onMove: (ids: readonly Uuid[], before: Uuid | null) => void;
}

/**
 * Lets users reorder the items of a list by dragging. Buttons do the same without dragging. Dragging a selected row moves all selected rows.
 * @returns props of the list's element; see draggableRow
 */
export function useDragOrder({ on, order: orderNow, onMove }: DragOrder) {
  const dragged = useRef<readonly Uuid[]>([]);
  const over = useRef<HTMLElement | null>(null);
  const mark = (next: HTMLElement | null, side: "before" | "after" = "before") => {
    if (over.current !== next) delete over.current?.dataset.drop;
    if (next) next.dataset.drop = side;
    over.current = next;
  };
  const rowOf = ({ target }: DragEvent) =>
    target instanceof Element ? target.closest<HTMLElement>("[data-row]") : null;
  const list = {
    onDragStart: (event: DragEvent) => {
      const row = rowOf(event);
      const id = row?.dataset.row;
      if (!row?.draggable || !id) return;
      const ticks = row.closest("form")?.querySelectorAll<HTMLInputElement>("[name=item]:checked");
      const ticked = [...(ticks ?? [])].map(({ value }) => value);
      dragged.current = ticked.includes(id) ? ticked : [id];
      event.dataTransfer.setData(TYPE, dragged.current.join(" "));
      event.dataTransfer.effectAllowed = "move";
      event.dataTransfer.setDragImage(row, 16, 16);
    },
    onDragOver: (event: DragEvent) => {
      const row = rowOf(event);
      if (!row || dragged.current.length === 0) return;
      event.preventDefault();
      const box = row.getBoundingClientRect();
      mark(row, event.clientY < box.top + box.height / 2 ? "before" : "after");
    },
    onDrop: (event: DragEvent) => {
      const row = rowOf(event);
      const target = row?.dataset.row;
      const ids = dragged.current;
      if (!row || !target || ids.length === 0) return;
      event.preventDefault();
      const side = row.dataset.drop;
      mark(null);
      dragged.current = [];
      const moved = new Set(ids);
      const order = orderNow();
      let at = order.indexOf(target) + (side === "after" ? 1 : 0);
      // A dragged row cannot be the row before which it is dropped.
      while (moved.has(order[at] ?? "")) at++;
      onMove(
        order.filter((id) => moved.has(id)),
        order[at] ?? null,
      );
    },
    onDragEnd: () => {
      mark(null);
      dragged.current = [];
    },
  };
  return on ? list : {};
}
