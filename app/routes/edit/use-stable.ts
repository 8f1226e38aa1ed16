import { useRef } from "react";
import { isEqual } from "~/domain/same";

/** A value that stays the same object while it says the same: what is given to the stage is not drawn anew for each letter typed. */
export function useStable<T>(value: T): T {
  const kept = useRef(value);
  if (!isEqual(kept.current, value)) kept.current = value;
  return kept.current;
}
