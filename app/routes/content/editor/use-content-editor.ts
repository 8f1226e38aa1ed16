import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import type { EventContent } from "~/domain/content/content";
import type { Uuid } from "~/domain/shared/model";
import type { Editor, EditorState } from "~/features/content/editor/editor";
import { confirmLeaveWhileSaving } from "./use-content-leave";

const subscribeToNothing = () => () => {};

/** An event's editor, and the actions that wait until it is loaded. */
interface EditorSlot {
  readonly eventId: Uuid;
  editor: Editor | null;
  waiting: ((editor: Editor) => void)[];
}

/**
 * Returns the event's content with all local changes. The editor is loaded after the page is usable; until then, and without scripts, the
 * content is the server's. `withEditor` runs an action with the event's editor, as soon as it is loaded.
 */
export function useContentEditor(
  eventId: Uuid,
  { userId, content: loadedContent }: { readonly userId: Uuid; readonly content: EventContent },
): {
  readonly editor: Editor | null;
  readonly state: EditorState;
  readonly withEditor: (run: (editor: Editor) => void) => void;
} {
  const slot = useMemo<EditorSlot>(() => ({ eventId, editor: null, waiting: [] }), [eventId]);
  const withEditor = useCallback(
    (run: (editor: Editor) => void) => {
      if (slot.editor) run(slot.editor);
      else slot.waiting.push(run);
    },
    [slot],
  );
  const [created, setCreated] = useState<{ readonly eventId: Uuid; readonly editor: Editor } | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: an effect below merges content that is loaded later
  useEffect(() => {
    let isOutdated = false;
    let cleanUp = () => {};
    const loadEditor = async () => {
      const { createBrowserEditor } = await import("./browser-ports.client");
      if (isOutdated) return;
      const editor = createBrowserEditor(eventId, userId, loadedContent);
      cleanUp = startEditor(editor);
      setCreated({ eventId, editor });
      slot.editor = editor;
      for (const run of slot.waiting.splice(0)) run(editor);
    };
    // If the editor cannot be loaded, the page's forms still work.
    loadEditor().catch(() => {});
    return () => {
      isOutdated = true;
      cleanUp();
    };
  }, [eventId]);
  const editor = created?.eventId === eventId ? created.editor : null;
  useEffect(() => editor?.absorb(loadedContent), [editor, loadedContent]);
  const initialState = useInitialState(loadedContent);
  const state = useSyncExternalStore(
    editor?.subscribe ?? subscribeToNothing,
    editor?.state ?? (() => initialState),
    () => initialState,
  );
  return { editor, state, withEditor };
}

/**
 * Starts the editor. It sends its changes when the browser is online again or the page is hidden, and asks for others' changes when the page is visible
 * again.
 * @returns a function that stops it
 */
function startEditor(editor: Editor): () => void {
  const stopEditor = editor.start();
  const retry = () => editor.flush();
  const onVisibilityChange = () =>
    document.visibilityState === "visible" ? editor.poll() : editor.flush({ leaving: true });
  window.addEventListener("online", retry);
  document.addEventListener("visibilitychange", onVisibilityChange);
  return () => {
    window.removeEventListener("online", retry);
    document.removeEventListener("visibilitychange", onVisibilityChange);
    stopEditor();
    confirmLeaveWhileSaving(editor);
  };
}

/** State of a page whose editor is not loaded. */
function useInitialState(loadedContent: EventContent): EditorState {
  const [initialState, setInitialState] = useState(() => createInitialState(loadedContent));
  const { tags, media, scene } = initialState.content;
  if (tags === loadedContent.tags && media === loadedContent.media && scene === loadedContent.scene)
    return initialState;
  const newState = createInitialState(loadedContent);
  setInitialState(newState);
  return newState;
}

const createInitialState = ({ tags, media, scene }: EventContent): EditorState => ({
  content: { tags, media, scene, deleted: {} },
  save: "saved",
  conflicts: [],
  canUndo: false,
  canRedo: false,
  notice: null,
});
