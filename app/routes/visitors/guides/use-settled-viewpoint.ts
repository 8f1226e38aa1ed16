import { useState } from "react";
import type { Viewpoint } from "~/viewer/Viewer";

/** Tells where the camera rests to whoever asks, without drawing the page anew. */
export function useSettledViewpoint() {
  const [rest] = useState(() => {
    let last: Viewpoint | null = null;
    const listeners = new Set<(viewpoint: Viewpoint) => void>();
    return {
      tell(viewpoint: Viewpoint) {
        last = viewpoint;
        for (const listener of listeners) listener(viewpoint);
      },
      follow(listener: (viewpoint: Viewpoint) => void) {
        listeners.add(listener);
        if (last) listener(last);
        return () => {
          listeners.delete(listener);
        };
      },
    };
  });
  return rest;
}
