import { useEffect, useRef } from "react";
import type { EventTag, Uuid } from "~/domain/shared/model";
import { findItem } from "~/features/content/editor/content";
import { useEditorView } from "../editor/editor-context";
import { findPlaceholderTitle } from "./untitled-tag";

/**
 * Keeps a new tag hidden from visitors until its form is closed or submitted with a title, so that they do not see its text being typed.
 * @returns `show`: must be called when the form is submitted. It is called automatically when the form is unmounted or the page is left. `wait`: must be
 * called when a tag is created with the first letters of its title. `isWaiting`: returns whether the tag is hidden for this reason
 */
export function useShowOnceNamed(id: Uuid, tag: EventTag | undefined) {
  const { editor } = useEditorView();
  const isWaitingRef = useRef(false);
  useEffect(() => {
    if (tag && findPlaceholderTitle(tag) !== null) isWaitingRef.current = true;
    else if (tag && !tag.hidden) isWaitingRef.current = false;
  }, [tag]);
  const show = () => {
    if (!editor || !isWaitingRef.current) return;
    const currentTag = findItem(editor.state().content, id) as EventTag | undefined;
    if (!currentTag?.hidden || findPlaceholderTitle(currentTag) !== null) return;
    isWaitingRef.current = false;
    editor.run([{ op: "update_tag", id, values: { hidden: false } }]);
  };
  const latestShow = useRef(show);
  latestShow.current = show;
  useEffect(() => {
    const onLeave = () => latestShow.current();
    // The editor sends unsaved changes after this event, when the page becomes hidden.
    window.addEventListener("pagehide", onLeave);
    return () => {
      window.removeEventListener("pagehide", onLeave);
      onLeave();
    };
  }, []);
  const wait = () => {
    isWaitingRef.current = true;
  };
  return { show, wait, isWaiting: () => isWaitingRef.current };
}
