import { useSubmit } from "@remix-run/react";
import { useEffect } from "react";

/** Data type of dragged items, so that drags from other pages are ignored. */
const TYPE = "application/x-hiroba-items";

/**
 * Lets items of a list be dragged onto folders of the list or of the breadcrumbs; submits the same form as the move dialog. Draggable items have
 * `data-item`, drop targets have `data-folder`. It needs scripts; the dialog does not.
 */
export function useDragToMove(list: URLSearchParams): void {
  const submit = useSubmit();
  const address = `?${list}`;
  useEffect(() => {
    let dragged: readonly string[] = [];
    let over: HTMLElement | null = null;
    const mark = (next: HTMLElement | null) => {
      if (over === next) return;
      over?.removeAttribute("data-over");
      next?.setAttribute("data-over", "");
      over = next;
    };
    const within = (event: DragEvent, selector: string) =>
      event.target instanceof Element ? event.target.closest<HTMLElement>(selector) : null;
    const folderOf = (event: DragEvent) => {
      if (dragged.length === 0) return null;
      const target = within(event, "[data-folder]");
      return target && !dragged.includes(`folder~${target.dataset.folder}`) ? target : null;
    };
    const onStart = (event: DragEvent) => {
      const item = within(event, "[data-item]");
      const ref = item?.dataset.item;
      if (!item || !ref || !event.dataTransfer) return;
      const ticks = document.querySelectorAll<HTMLInputElement>("input[name=item]:checked");
      const ticked = [...ticks].map(({ value }) => value);
      // Dragging a selected item moves all selected items.
      dragged = ticked.includes(ref) ? ticked : [ref];
      event.dataTransfer.setData(TYPE, dragged.join(" "));
      event.dataTransfer.effectAllowed = "move";
      event.dataTransfer.setDragImage(item, 16, 16);
    };
    const onOver = (event: DragEvent) => {
      const folder = folderOf(event);
      mark(folder);
      if (folder) event.preventDefault();
    };
    const onDrop = (event: DragEvent) => {
      const folderId = folderOf(event)?.dataset.folder;
      if (!folderId) return;
      event.preventDefault();
      submit(
        { intent: "move", item: dragged.join(" "), folderId },
        { method: "post", action: address, preventScrollReset: true },
      );
    };
    const onEnd = () => {
      mark(null);
      dragged = [];
    };
    const listeners = { dragstart: onStart, dragover: onOver, drop: onDrop, dragend: onEnd } as const;
    for (const [name, listener] of Object.entries(listeners))
      document.addEventListener(name, listener as EventListener);
    return () => {
      for (const [name, listener] of Object.entries(listeners))
        document.removeEventListener(name, listener as EventListener);
    };
  }, [submit, address]);
}
