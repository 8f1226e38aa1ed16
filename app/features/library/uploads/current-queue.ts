import { useSyncExternalStore } from "react";
import type { Uuid } from "~/domain/shared/model";
import { waitUntilServerIsReachable } from "~/i18n/late-part";
import { withMessages } from "~/i18n/load";
import type { UploadQueue } from "./upload-queue";
import { NO_UPLOADS, type UploadsSnapshot } from "./upload-state";

/**
 * The queue of this tab. It is not part of React's state, so that uploads continue when the route changes. Its code is loaded with the first upload.
 * There is no queue on the server.
 */
let queue: UploadQueue | null = null;
let endQueue = () => {};
const listeners = new Set<() => void>();
const notifyListeners = () => {
  for (const listener of listeners) listener();
};

/** Name of the storage entry that exists while an upload is unfinished, so that the page restores uploads after a reload. */
const STORAGE_KEY = "hiroba-uploads";

function markOpenUploads(areUploadsOpen: boolean): void {
  try {
    if (areUploadsOpen) localStorage.setItem(STORAGE_KEY, "open");
    else localStorage.removeItem(STORAGE_KEY);
  } catch {
    // Without storage, unfinished uploads are not restored.
  }
}

/** Whether uploads of this page or of an earlier one are unfinished. */
export function hasOpenUploads(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) !== null;
  } catch {
    return false;
  }
}

/** Returns the queue of this tab; null before the first upload. */
export const currentQueue = (): UploadQueue | null => queue;

/** Loads the queue's code and its messages. */
const loadQueueStarter = withMessages(["folders", "library"], () => import("./start-queue.client"));

/** Returns the queue of the logged-in user. The queue of another user is stopped. */
export async function loadUploadQueue(userId: Uuid): Promise<UploadQueue> {
  if (!queue) await waitUntilServerIsReachable();
  const { startQueue } = await loadQueueStarter();
  if (queue?.userId === userId) return queue;
  endQueue();
  const started = startQueue(userId);
  const unsubscribe = started.queue.subscribe(() => {
    const areUploadsOpen = started.queue
      .getSnapshot()
      .rows.some(({ state }) => state !== "done" && state !== "rejected");
    markOpenUploads(areUploadsOpen);
    notifyListeners();
  });
  endQueue = () => {
    unsubscribe();
    started.end();
  };
  queue = started.queue;
  notifyListeners();
  return queue;
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Returns the current state of all uploads of this tab. */
export const useUploads = (): UploadsSnapshot =>
  useSyncExternalStore(
    subscribe,
    () => queue?.getSnapshot() ?? NO_UPLOADS,
    () => NO_UPLOADS,
  );
