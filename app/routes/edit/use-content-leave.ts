import { useEffect } from "react";
import type { SaveState } from "~/editor/editor";

/** Asks before the page goes while something is not saved yet. Within the app nothing is lost: it is saved on the way. */
export function useContentLeave(save: SaveState) {
  useEffect(() => {
    if (save === "saved") return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [save]);
}
