import { useEffect } from "react";
import type { Editor, SaveState } from "~/features/content/editor/editor";

const confirmLeave = (event: BeforeUnloadEvent) => event.preventDefault();

/** Asks for confirmation before the page is closed while changes are not saved. */
export function useContentLeave(save: SaveState) {
  useEffect(() => {
    if (save === "saved") return;
    window.addEventListener("beforeunload", confirmLeave);
    return () => window.removeEventListener("beforeunload", confirmLeave);
  }, [save]);
}

const UNSAVED_STATES: readonly SaveState[] = ["unsaved", "saving", "offline"];

/** After the user has left the editor for another page of the application: asks before the document is closed while changes are not yet saved. */
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
