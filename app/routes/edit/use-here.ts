import { useEffect, useState } from "react";
import { isEqual } from "~/domain/same";
import type { Viewpoint } from "~/viewer/Viewer";
import { useEditorView } from "./editor-context";

/** How often the stage is asked, in milliseconds. */
const EVERY_MS = 200;

/** Where the camera of the editor's stage is, while it moves as well; null before there is a space. */
export function useHere(on: boolean): Viewpoint | null {
  const { stage } = useEditorView();
  const [here, setHere] = useState<Viewpoint | null>(null);
  useEffect(() => {
    if (!on) return;
    const timer = setInterval(() => {
      const now = stage.current?.viewpoint() ?? null;
      setHere((before) => (isEqual(before, now) ? before : now));
    }, EVERY_MS);
    return () => clearInterval(timer);
  }, [on, stage]);
  return here;
}
