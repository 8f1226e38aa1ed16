import { useSyncExternalStore } from "react";

const never = () => () => {};

/** false on the server and in the first client render, true from then on: what needs scripts waits for it. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
