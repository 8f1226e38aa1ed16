import { type RefObject, useEffect, useState } from "react";
import { isEqual } from "~/domain/shared/is-equal";
import type { ViewerHandle, Viewpoint } from "~/viewer/Viewer";

/** Interval at which the stage is queried, in milliseconds. */
const QUERY_INTERVAL_MS = 100;

/** Viewpoint of a stage's camera, also while the camera moves; null before the space is loaded, and for sources that do not report it. */
export function useLiveViewpoint(stage: RefObject<ViewerHandle>, isEnabled = true): Viewpoint | null {
  const [viewpoint, setViewpoint] = useState<Viewpoint | null>(null);
  useEffect(() => {
    if (!isEnabled) return;
    const timer = setInterval(() => {
      if (document.visibilityState === "hidden") return;
      const current = stage.current?.viewpoint() ?? null;
      setViewpoint((previous) => (isEqual(previous, current) ? previous : current));
    }, QUERY_INTERVAL_MS);
    return () => clearInterval(timer);
  }, [isEnabled, stage]);
  return viewpoint;
}
