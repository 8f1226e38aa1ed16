import type { Uuid } from "~/domain/shared/model";
import { waitUntilServerIsReachable } from "~/i18n/late-part";
import { browserApi } from "./browser-api";
import { browserFiles } from "./browser-files";
import { computeFingerprint } from "./fingerprint";
import { makeThumbnail } from "./thumbnails/make-thumbnail";
import { UploadQueue } from "./upload-queue";
import { isUnderWay } from "./upload-state";

/**
 * Locks a name for this tab, so that two tabs do not send the same file. Resolves to the function that releases the lock, or to null while another
 * tab has it. Without the Web Locks API (on a page without TLS), every tab gets the lock.
 */
function lockUpload(name: string): Promise<(() => void) | null> {
  if (!navigator.locks) return Promise.resolve(() => {});
  return new Promise((resolve) => {
    void navigator.locks.request(`upload-${name}`, { ifAvailable: true }, (lock) => {
      if (!lock) return resolve(null);
      return new Promise<void>((release) => resolve(release));
    });
  });
}

/** Loads a module when the server is reachable, because a module that failed to load cannot be loaded again in the same page. */
async function loadOnline<Module>(load: () => Promise<Module>): Promise<Module> {
  await waitUntilServerIsReachable();
  return load();
}

/**
 * Creates a user's queue with the browser's implementations. The queue is notified when the connection changes and when the user returns to the
 * tab. The browser asks for a confirmation before the page is closed during an upload.
 */
export function startQueue(userId: Uuid): { readonly queue: UploadQueue; readonly end: () => void } {
  const queue = new UploadQueue(
    {
      api: browserApi,
      storage: browserFiles(),
      lock: lockUpload,
      fingerprint: computeFingerprint,
      gatherModels: async (chosen) =>
        (await loadOnline(() => import("./preflight/gather-models"))).gatherModels(chosen),
      checkModel: async (file) =>
        (await loadOnline(() => import("./preflight/check-model"))).checkModel(file),
      checkImage: async (file, mimeType) =>
        (await loadOnline(() => import("./preflight/check-image"))).checkImage(file, mimeType),
      checkVideo: async (file) =>
        (await loadOnline(() => import("./preflight/check-video"))).checkVideo(file),
      makeThumbnail,
      isOnline: () => navigator.onLine,
      now: () => Date.now(),
      schedule: (run, milliseconds) => {
        const timer = setTimeout(run, milliseconds);
        return () => clearTimeout(timer);
      },
      random: Math.random,
      newId: () => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`,
    },
    userId,
  );
  const onOnline = () => queue.setOnline(true);
  const onOffline = () => queue.setOnline(false);
  // The user may have logged in again in another tab.
  const onFocus = () => queue.getSnapshot().halted === "signedOut" && queue.tryAgain();
  const onLeave = (event: BeforeUnloadEvent) => {
    if (queue.getSnapshot().rows.some(isUnderWay)) event.preventDefault();
  };
  window.addEventListener("online", onOnline);
  window.addEventListener("offline", onOffline);
  window.addEventListener("focus", onFocus);
  window.addEventListener("beforeunload", onLeave);
  const end = () => {
    window.removeEventListener("online", onOnline);
    window.removeEventListener("offline", onOffline);
    window.removeEventListener("focus", onFocus);
    window.removeEventListener("beforeunload", onLeave);
    queue.stop();
  };
  return { queue, end };
}
