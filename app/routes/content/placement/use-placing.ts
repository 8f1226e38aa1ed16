import { useLocation } from "@remix-run/react";
import { useCallback, useEffect, useRef, useState } from "react";
import type { EventMedia, EventTag } from "~/domain/shared/model";
import { findItem } from "~/features/content/editor/content";
import type { Editor } from "~/features/content/editor/editor";
import { NEW_TAG } from "~/forms/content/tag-form-input";
import { useTranslation } from "~/i18n/translation";
import type { PinDrag, SurfaceHit } from "~/viewer/Viewer";
import type { Placing } from "../editor/editor-context";
import { untitledTag } from "../items/untitled-tag";
import { placeEdit } from "./placing";

/** Time for which the confirmation stays visible, in milliseconds. */
const PLACED_MS = 6000;

/** Placing by pointing at a surface, and moving by dragging along it. Escape cancels placing. */
export function usePlacing(editor: Editor | null, onNew: (id: string, picks?: "product") => void) {
  const { language } = useTranslation();
  const [placing, setPlacing] = useState<Placing | null>(null);
  /** Id of the new tag, until its form opens. */
  const placedPinId = useRef<string | null>(null);
  const [hasPlaced, setPlaced] = useState(false);
  const isPlacing = placing !== null;
  useEffect(() => {
    if (isPlacing) setPlaced(false);
  }, [isPlacing]);
  useEffect(() => {
    if (!hasPlaced) return;
    const timer = setTimeout(() => setPlaced(false), PLACED_MS);
    return () => clearTimeout(timer);
  }, [hasPlaced]);
  const location = useLocation();
  useEffect(() => {
    // Another navigation, also one to the same URL, replaced the one to the new tag's form.
    if (placedPinId.current !== null && !location.search.includes(placedPinId.current))
      placedPinId.current = null;
  }, [location]);
  useEffect(() => {
    if (!placing) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !event.defaultPrevented) setPlacing(null);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [placing]);
  // All moves of one drag have the same gesture, and are undone together.
  const move = useCallback(
    (id: string, hit: SurfaceHit, gesture?: string) => {
      const item = editor && (findItem(editor.state().content, id) as EventTag | EventMedia | undefined);
      if (item) editor.run([placeEdit(item, hit)], gesture, { isGesture: gesture !== undefined });
    },
    [editor],
  );
  const onPlace = (hit: SurfaceHit) => {
    setPlacing(null);
    if (!editor || !placing) return;
    if (placing.type !== "new") {
      setPlaced(true);
      return move(placing.id, hit);
    }
    const id = crypto.randomUUID();
    // A new tag stays hidden until it has a title, because visitors would see it immediately.
    const tagValues = { ...NEW_TAG, ...untitledTag(language) };
    const placedEdit = placeEdit({ ...tagValues, id, eventId: "", sortOrder: 0, version: 0 }, hit);
    editor.run([
      {
        op: "create_tag",
        id,
        values: { ...tagValues, ...("values" in placedEdit ? placedEdit.values : {}) } as typeof tagValues,
      },
    ]);
    placedPinId.current = id;
    onNew(id, placing.picks);
  };
  const dragCount = useRef(0);
  const onDrag = ({ id, hit, done }: PinDrag) => {
    move(id, hit, `${id} drag ${dragCount.current}`);
    if (done) dragCount.current += 1;
  };
  return { placing, setPlacing, hasPlaced, placedPinId, onPlace, onDrag };
}
