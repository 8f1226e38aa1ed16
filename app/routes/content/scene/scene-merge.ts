import { merge } from "~/domain/events/merge";
import { isEqual } from "~/domain/shared/same";
import type { Values } from "~/editor/content";

/** What of a form is to be saved, and which fields somebody else gave another value meanwhile. */
export interface Merged {
  readonly values: Values;
  readonly clashes: readonly string[];
}

/**
 * Sets what a form says against what is saved now: what only one of both changed is as that one made it.
 * @param was what the form was filled from; null where that is not known
 */
export function mergeForm(was: Values | null, mine: Values, saved: Values): Merged {
  const merged = Object.keys(mine).map((field) => {
    const { value, clash } = was
      ? merge(was[field], mine[field], saved[field])
      : { value: mine[field], clash: true };
    return { field, value, clash: clash && !isEqual(mine[field], saved[field]) };
  });
  return {
    values: Object.fromEntries(
      merged.flatMap(({ field, value }) => (isEqual(value, saved[field]) ? [] : [[field, value]])),
    ),
    clashes: merged.flatMap(({ field, clash }) => (clash ? [field] : [])),
  };
}
