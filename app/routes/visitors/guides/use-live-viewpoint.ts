import { type RefObject, useEffect, useState } from "react";
import { isEqual } from "~/domain/shared/same";
import type { ViewerHandle, Viewpoint } from "~/viewer/Viewer";

/** How often the stage is asked, in milliseconds. */
const EVERY_MS = 100;

/** Where the camera of a stage is, while it moves as well; null before there is a space, and where that keeps it to itself. */
export function useLiveViewpoint(stage: RefObject<ViewerHandle>, on = true): Viewpoint | null {
  const [here, setHere] = useState<Viewpoint | null>(null);
  useEffect(() => {
    if (!on) return;
    const timer = setInterval(() => {
      if (document.visibilityState === "hidden") return;
      const now = stage.current?.viewpoint() ?? null;
      setHere((before) => (isEqual(before, now) ? before : now));
    }, EVERY_MS);
    return () => clearInterval(timer);
  }, [on, stage]);
  return here;
}
