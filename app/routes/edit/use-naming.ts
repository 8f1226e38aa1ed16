import { useEffect, useRef } from "react";
import type { EventTag, Uuid } from "~/domain/shared/model";
import { findItem } from "~/editor/content";
import { useEditorView } from "./editor-context";
import { placeholderOf } from "./unnamed";

/**
 * Shows a tag that waited for its title as soon as the title is typed to its end: with every pause of typing visitors would
 * see one more of its letters.
 * @returns `show` is to be called when a field of the title is left, or the form is sent (when it goes, it is left as well),
 *   `wait` when a tag is made with the first letters of its title
 */
export function useNaming(id: Uuid, tag: EventTag | undefined) {
  const { editor } = useEditorView();
  const waits = useRef(false);
  useEffect(() => {
    if (tag && placeholderOf(tag) !== null) waits.current = true;
    else if (tag && !tag.hidden) waits.current = false;
  }, [tag]);
  const show = () => {
    if (!editor || !waits.current) return;
    const now = findItem(editor.state().content, id) as EventTag | undefined;
    if (!now?.hidden || placeholderOf(now) !== null) return;
    waits.current = false;
    editor.run([{ op: "update_tag", id, values: { hidden: false } }]);
  };
  const latest = useRef(show);
  latest.current = show;
  useEffect(() => () => latest.current(), []);
  const wait = () => {
    waits.current = true;
  };
  return { show, wait };
}
