import { useEffect } from "react";
import type { Editor, SaveState } from "~/features/content/editor/editor";

const ask = (event: BeforeUnloadEvent) => event.preventDefault();

/** Asks for confirmation before the page is closed with unsaved changes that do not fit into a last request. */
export function useContentLeave(save: SaveState) {
  useEffect(() => {
    if (save === "saved") return;
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [save]);
}

const ON_ITS_WAY: readonly SaveState[] = ["unsaved", "saving", "offline"];

/** Asks for confirmation on other pages of the application, too, until the pending changes of the editor are saved. */
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
