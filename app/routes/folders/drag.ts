import { useSubmit } from "@remix-run/react";
import { useEffect } from "react";

/** Data type of dragged items. */
const DATA_TYPE = "application/x-hiroba-items";

/**
 * Lets users drag items of a list onto folders of the list or of the breadcrumbs, and submits the form of the move dialog. Draggable items have
 * `data-item` (kind and id: `space~…`), drop targets have `data-folder` (id). It requires scripts; the dialog does not.
 */
export function useDragToMove(listParams: URLSearchParams): void {
  const submit = useSubmit();
  const listHref = `?${listParams}`;
  useEffect(() => {
    let draggedRefs: readonly string[] = [];
    let dropTarget: HTMLElement | null = null;
    const markDropTarget = (newTarget: HTMLElement | null) => {
      if (dropTarget === newTarget) return;
      dropTarget?.removeAttribute("data-over");
      newTarget?.setAttribute("data-over", "");
      dropTarget = newTarget;
    };
    const closestTarget = (event: DragEvent, selector: string) =>
      event.target instanceof Element ? event.target.closest<HTMLElement>(selector) : null;
    const dropTargetOf = (event: DragEvent) => {
      // A drag that began elsewhere, for example on another page, has no items.
      if (draggedRefs.length === 0) return null;
      const target = closestTarget(event, "[data-folder]");
      return target && !draggedRefs.includes(`folder~${target.dataset.folder}`) ? target : null;
    };
    const onStart = (event: DragEvent) => {
      const item = closestTarget(event, "[data-item]");
      const ref = item?.dataset.item;
      if (!item || !ref || !event.dataTransfer) return;
      const checkboxes = document.querySelectorAll<HTMLInputElement>("input[name=item]:checked");
      const selectedRefs = [...checkboxes].map(({ value }) => value);
      // Dragging a selected item moves all selected items.
      draggedRefs = selectedRefs.includes(ref) ? selectedRefs : [ref];
      event.dataTransfer.setData(DATA_TYPE, draggedRefs.join(" "));
      event.dataTransfer.effectAllowed = "move";
      event.dataTransfer.setDragImage(item, 16, 16);
    };
    const onOver = (event: DragEvent) => {
      const folder = dropTargetOf(event);
      markDropTarget(folder);
      if (folder) event.preventDefault();
    };
    const onDrop = (event: DragEvent) => {
      const folderId = dropTargetOf(event)?.dataset.folder;
      if (!folderId) return;
      event.preventDefault();
      submit(
        { intent: "move", item: draggedRefs.join(" "), folderId },
        { method: "post", action: listHref, preventScrollReset: true },
      );
    };
    const onEnd = () => {
      markDropTarget(null);
      draggedRefs = [];
    };
    const listeners = { dragstart: onStart, dragover: onOver, drop: onDrop, dragend: onEnd } as const;
    for (const [name, listener] of Object.entries(listeners))
      document.addEventListener(name, listener as EventListener);
    return () => {
      for (const [name, listener] of Object.entries(listeners))
        document.removeEventListener(name, listener as EventListener);
    };
  }, [submit, listHref]);
}
