import { useEffect } from "react";
import type { Editor, SaveState } from "~/features/content/editor/editor";

const confirmLeave = (event: BeforeUnloadEvent) => event.preventDefault();

/** Asks for confirmation before the page is closed with unsaved changes that do not fit into a last request. */
export function useContentLeave(save: SaveState) {
  useEffect(() => {
    if (save === "saved") return;
    window.addEventListener("beforeunload", confirmLeave);
    return () => window.removeEventListener("beforeunload", confirmLeave);
  }, [save]);
}

const UNSAVED_STATES: readonly SaveState[] = ["unsaved", "saving", "offline"];

/** Asks for confirmation when the user leaves other pages of the application while changes of the editor are being saved. */
export function confirmLeaveWhileSaving({ state, subscribe }: Editor) {
  const isSaved = () => !UNSAVED_STATES.includes(state().save);
  if (isSaved()) return;
  window.addEventListener("beforeunload", confirmLeave);
  const unsubscribe = subscribe(() => {
    if (!isSaved()) return;
    unsubscribe();
    window.removeEventListener("beforeunload", confirmLeave);
  });
}
