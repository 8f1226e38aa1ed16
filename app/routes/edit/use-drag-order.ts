import { type DragEvent, useRef } from "react";
import type { Uuid } from "~/domain/model";

/** The type of what is dragged: nothing of other pages is taken. */
const TYPE = "application/x-hiroba-order";

export interface DragOrder {
  readonly on: boolean;
  /** All ids, in their order now. */
  readonly order: () => readonly Uuid[];
  /** Some were let go before another one, or at the end. */
  readonly onMove: (ids: readonly Uuid[], before: Uuid | null) => void;
}

/**
 * Lets the things of a list be dragged to another place. Buttons do the same without dragging. Whoever drags one of those that are
 * ticked means all of them.
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
      // What is dragged along cannot be what it goes before.
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
  const row = (id: Uuid) => ({
    "data-row": id,
    draggable: true,
    onDragStart: (event: DragEvent<HTMLLIElement>) => {
      const ticks = event.currentTarget
        .closest("form")
        ?.querySelectorAll<HTMLInputElement>("[name=item]:checked");
      const ticked = [...(ticks ?? [])].map(({ value }) => value);
      dragged.current = ticked.includes(id) ? ticked : [id];
      event.dataTransfer.setData(TYPE, dragged.current.join(" "));
      event.dataTransfer.effectAllowed = "move";
      event.dataTransfer.setDragImage(event.currentTarget, 16, 16);
    },
    className:
      "cursor-grab data-[drop=after]:shadow-[inset_0_-2px_0_var(--accent)] data-[drop=before]:shadow-[inset_0_2px_0_var(--accent)]",
  });
  return on ? { list, row } : { list: {}, row: () => ({}) };
}
