import { type RefObject, useEffect, useState } from "react";
import { isEqual } from "~/domain/shared/is-equal";
import type { ViewerHandle, Viewpoint } from "~/viewer/Viewer";

/** Interval at which the stage is queried, in milliseconds. */
const QUERY_INTERVAL_MS = 100;

/**
 * Viewpoint of the camera in a stage (the component that shows a space in 3D), also while the camera moves. Null before the space is loaded, and for a
 * Matterport space whose camera cannot be read.
 */
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
