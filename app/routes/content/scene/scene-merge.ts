import { merge } from "~/domain/events/merge";
import { isEqual } from "~/domain/shared/same";
import type { Values } from "~/features/content/editor/content";

/** Values of a form to save, and the fields that another editor changed meanwhile. */
export interface Merged {
  readonly values: Values;
  readonly clashes: readonly string[];
}

/**
 * Merges a form with the saved values: a field that only one side changed takes that side's value.
 * @param was values that the form was filled from; null if they are unknown
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
