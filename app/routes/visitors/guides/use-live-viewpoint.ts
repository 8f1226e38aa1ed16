import { type RefObject, useEffect, useState } from "react";
import { isEqual } from "~/domain/shared/same";
import type { ViewerHandle, Viewpoint } from "~/viewer/Viewer";

/** Interval at which the stage is queried, in milliseconds. */
const EVERY_MS = 100;

/** Viewpoint of a stage's camera, also while it moves; null before the space is loaded, and for sources that do not report it. */
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
