import { useEffect } from "react";
import type { Editor, SaveState } from "~/editor/editor";

const ask = (event: BeforeUnloadEvent) => event.preventDefault();

/** Asks before the page goes while something is not saved yet: what does not fit into a last call would be gone. */
export function useContentLeave(save: SaveState) {
  useEffect(() => {
    if (save === "saved") return;
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [save]);
}

const ON_ITS_WAY: readonly SaveState[] = ["unsaved", "saving", "offline"];

/** The same after one has gone on to another page of the product: what waits is saved on the way, or as soon as there is a connection. */
export function askWhileSaving({ state, subscribe }: Editor) {
  const isOver = () => !ON_ITS_WAY.includes(state().save);
  if (isOver()) return;
  window.addEventListener("beforeunload", ask);
  const stop = subscribe(() => {
    if (!isOver()) return;
    stop();
    window.removeEventListener("beforeunload", ask);
  });
}
