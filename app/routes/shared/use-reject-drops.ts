import { useEffect } from "react";

/**
 * Rejects files that are dropped where the page does not accept any. The browser would otherwise open the file in place of the page, and typed text
 * would be lost. The pointer shows that the file is not accepted.
 */
export function useRejectDrops(): void {
  useEffect(() => {
    const reject = (event: DragEvent) => {
      const isFile = event.dataTransfer?.types.includes("Files") ?? false;
      const isAccepted = event.target instanceof Element && event.target.closest("input[type=file]") !== null;
      if (!isFile || isAccepted || event.defaultPrevented) return;
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = "none";
    };
    // The page's own listeners are on the document, so they run before this one.
    window.addEventListener("dragover", reject);
    window.addEventListener("drop", reject);
    return () => {
      window.removeEventListener("dragover", reject);
      window.removeEventListener("drop", reject);
    };
  }, []);
}
