import { useEffect } from "react";

/**
 * Refuses files dropped where the page takes none. The browser would open the file in place of the page, and typed text would be lost. The
 * pointer shows that the file is not accepted.
 */
export function useRefuseDrops(): void {
  useEffect(() => {
    const refuse = (event: DragEvent) => {
      const isFile = event.dataTransfer?.types.includes("Files") ?? false;
      const isTaken = event.target instanceof Element && event.target.closest("input[type=file]") !== null;
      if (!isFile || isTaken || event.defaultPrevented) return;
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = "none";
    };
    // The page's own listeners are on the document, so they come first.
    window.addEventListener("dragover", refuse);
    window.addEventListener("drop", refuse);
    return () => {
      window.removeEventListener("dragover", refuse);
      window.removeEventListener("drop", refuse);
    };
  }, []);
}
