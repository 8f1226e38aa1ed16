import { useEffect, useState, useSyncExternalStore } from "react";
import type { EventContent } from "~/domain/content/content";
import type { Uuid } from "~/domain/shared/model";
import type { Editor, EditorState } from "~/features/content/editor/editor";
import { askWhileSaving } from "./use-content-leave";

const never = () => () => {};

/**
 * Returns the event's content with all local changes. The engine is loaded after the page is usable; until then, and without scripts, the
 * content is the server's.
 */
export function useContentEditor(
  eventId: Uuid,
  loaded: EventContent,
): { readonly editor: Editor | null; readonly state: EditorState } {
  const [made, setMade] = useState<{ readonly eventId: Uuid; readonly editor: Editor } | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: content that is loaded later is merged below
  useEffect(() => {
    let isUnmounted = false;
    let stop = () => {};
    const begin = async () => {
      const { createBrowserEditor } = await import("./browser-ports.client");
      if (isUnmounted) return;
      const editor = createBrowserEditor(eventId, loaded);
      const end = editor.start();
      const retry = () => editor.flush();
      const seen = () =>
        document.visibilityState === "visible" ? editor.poll() : editor.flush({ leaving: true });
      window.addEventListener("online", retry);
      document.addEventListener("visibilitychange", seen);
      stop = () => {
        window.removeEventListener("online", retry);
        document.removeEventListener("visibilitychange", seen);
        end();
        askWhileSaving(editor);
      };
      setMade({ eventId, editor });
    };
    // Without the engine every form of the page still works.
    begin().catch(() => {});
    return () => {
      isUnmounted = true;
      stop();
    };
  }, [eventId]);
  const editor = made?.eventId === eventId ? made.editor : null;
  useEffect(() => editor?.absorb(loaded), [editor, loaded]);
  const first = useFirst(loaded);
  const state = useSyncExternalStore(editor?.subscribe ?? never, editor?.state ?? (() => first), () => first);
  return { editor, state };
}

/** State of a page without the engine. */
function useFirst(loaded: EventContent): EditorState {
  const [kept, setKept] = useState(() => firstState(loaded));
  const { tags, media, scene } = kept.content;
  if (tags === loaded.tags && media === loaded.media && scene === loaded.scene) return kept;
  const next = firstState(loaded);
  setKept(next);
  return next;
}

const firstState = ({ tags, media, scene }: EventContent): EditorState => ({
  content: { tags, media, scene, deleted: {} },
  save: "saved",
  conflicts: [],
  canUndo: false,
  canRedo: false,
  notice: null,
});
