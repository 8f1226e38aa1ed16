import { useSyncExternalStore } from "react";

const subscribeToNothing = () => () => {};

/** Returns false on the server and in the first client render, then true. Use it to render elements that need scripts. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );
}
