import { useSyncExternalStore } from "react";
import type { ConversionQueue } from "./conversion-queue";
import type { ConversionRequest, ConversionRow } from "./model";

/** The conversions of this tab. They stand outside of React, above all routes, so that they go on while one moves about. */
let queue: ConversionQueue | null = null;
const listeners = new Set<() => void>();
const endings = new Set<(row: ConversionRow) => void>();
const NONE: readonly ConversionRow[] = [];

/** Converts a file in this browser. Its program is loaded when there is something to convert. */
export async function convertItem(request: ConversionRequest): Promise<void> {
  if (!queue) {
    const { startConversions } = await import("./browser");
    if (!queue) {
      queue = startConversions();
      queue.subscribe(() => {
        for (const listener of listeners) listener();
      });
      queue.onEnd((row) => {
        for (const listener of endings) listener(row);
      });
    }
  }
  queue.add(request);
}

/** The conversions of this tab if there are any. */
export const conversions = (): ConversionQueue | null => queue;

/** Hears of every conversion that ended. */
export function onConversionEnd(listener: (row: ConversionRow) => void): () => void {
  endings.add(listener);
  return () => endings.delete(listener);
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** All conversions of this tab as they are now. */
export const useConversions = (): readonly ConversionRow[] =>
  useSyncExternalStore(
    subscribe,
    () => queue?.getRows() ?? NONE,
    () => NONE,
  );
