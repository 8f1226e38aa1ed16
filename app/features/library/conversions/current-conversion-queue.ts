import { useSyncExternalStore } from "react";
import type { ConversionQueue } from "./conversion-queue";
import type { ConversionRequest, ConversionRow } from "./conversion-state";

/** The queue of this tab. It is not part of React's state, so that conversions continue when the route changes. */
let queue: ConversionQueue | null = null;
const listeners = new Set<() => void>();
const endListeners = new Set<(row: ConversionRow) => void>();
const NO_ROWS: readonly ConversionRow[] = [];

/** Converts a file in this browser. The first call loads the queue's code. */
export async function convertItem(request: ConversionRequest): Promise<void> {
  if (!queue) {
    const { startConversions } = await import("./start-conversions.client");
    if (!queue) {
      queue = startConversions();
      queue.subscribe(() => {
        for (const listener of listeners) listener();
      });
      queue.onEnd((row) => {
        for (const listener of endListeners) listener(row);
      });
    }
  }
  queue.add(request);
}

/** Returns the queue of this tab; null before the first conversion. */
export const currentConversionQueue = (): ConversionQueue | null => queue;

/** Calls a listener for each conversion that ends. Returns a function that removes it. */
export function onConversionEnd(listener: (row: ConversionRow) => void): () => void {
  endListeners.add(listener);
  return () => endListeners.delete(listener);
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Returns the current states of all conversions of this tab. */
export const useConversions = (): readonly ConversionRow[] =>
  useSyncExternalStore(
    subscribe,
    () => queue?.getRows() ?? NO_ROWS,
    () => NO_ROWS,
  );
