import { type RefObject, useEffect, useRef, useState } from "react";
import type { Uuid } from "~/domain/shared/model";
import { droppedFiles, pastedFiles } from "./files-from-input";
import type { ChosenFile } from "./upload-state";

/** Point of the window onto which files were dropped, in CSS pixels. */
export interface DropPoint {
  readonly x: number;
  readonly y: number;
}

/** Element and callbacks of a component that accepts files. */
export interface FileDrop {
  /** Element of the component. While a modal dialog that does not contain it is open, files are not accepted. */
  readonly root: RefObject<HTMLElement>;
  /** Returns the name for a pasted image that has none. */
  readonly namePastedImage: () => string;
  /**
   * Receives the files.
   * @param folderId folder on the page onto which the files were dropped, or null
   * @param point position of the drop, or null for pasted files
   */
  readonly onFiles: (files: readonly ChosenFile[], folderId: Uuid | null, point: DropPoint | null) => void;
}

/**
 * Accepts files that are dropped anywhere on the page or on one of its folders (`data-folder`), or pasted.
 * @returns whether files are being dragged over the page and would be accepted
 */
export function useFileDrop(drop: FileDrop): boolean {
  const [isOver, setOver] = useState(false);
  const latest = useRef(drop);
  useEffect(() => {
    latest.current = drop;
  });
  useEffect(() => {
    let markedFolder: HTMLElement | null = null;
    const markFolder = (next: HTMLElement | null) => {
      if (markedFolder === next) return;
      markedFolder?.removeAttribute("data-over");
      next?.setAttribute("data-over", "");
      markedFolder = next;
    };
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
    const acceptsDrops = () => {
      const dialog = document.querySelector("dialog:modal");
      return !dialog || dialog.contains(latest.current.root.current);
    };
    const folderAt = ({ target }: Event) =>
      target instanceof Element ? target.closest<HTMLElement>("[data-folder]") : null;
    const onOver = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      // Prevents the browser from opening a dropped file, even where drops are not accepted.
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = acceptsDrops() ? "copy" : "none";
      if (!acceptsDrops()) return;
      markFolder(folderAt(event));
      setOver(true);
    };
    const endDrag = () => {
      markFolder(null);
      setOver(false);
    };
    const onLeave = (event: DragEvent) => event.relatedTarget === null && endDrag();
    const onDrop = (event: DragEvent) => {
      endDrag();
      if (!hasFiles(event) || !event.dataTransfer) return;
      event.preventDefault();
      if (!acceptsDrops()) return;
      const folderId = folderAt(event)?.dataset.folder ?? null;
      const point = { x: event.clientX, y: event.clientY };
      void droppedFiles(event.dataTransfer).then((files) => latest.current.onFiles(files, folderId, point));
    };
    const onPaste = (event: ClipboardEvent) => {
      const isTyping =
        event.target instanceof Element && event.target.closest("input, textarea, [contenteditable]");
      if (isTyping || !event.clipboardData || event.clipboardData.files.length === 0 || !acceptsDrops())
        return;
      event.preventDefault();
      latest.current.onFiles(pastedFiles(event.clipboardData, latest.current.namePastedImage()), null, null);
    };
    const listeners = { dragover: onOver, dragleave: onLeave, drop: onDrop, paste: onPaste } as const;
    for (const [name, listener] of Object.entries(listeners))
      document.addEventListener(name, listener as EventListener);
    return () => {
      markFolder(null);
      for (const [name, listener] of Object.entries(listeners))
        document.removeEventListener(name, listener as EventListener);
    };
  }, []);
  return isOver;
}
