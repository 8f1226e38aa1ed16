import { useState } from "react";
import type { Viewpoint } from "~/viewer/Viewer";

/** Notifies subscribers of the viewpoint whenever the camera stops moving, without rendering the page again. A new subscriber also receives the last one. */
export function useSettledViewpoint() {
  const [settledViewpoint] = useState(() => {
    let lastViewpoint: Viewpoint | null = null;
    const listeners = new Set<(viewpoint: Viewpoint) => void>();
    return {
      notify(viewpoint: Viewpoint) {
        lastViewpoint = viewpoint;
        for (const listener of listeners) listener(viewpoint);
      },
      follow(listener: (viewpoint: Viewpoint) => void) {
        listeners.add(listener);
        if (lastViewpoint) listener(lastViewpoint);
        return () => {
          listeners.delete(listener);
        };
      },
    };
  });
  return settledViewpoint;
}
