import { isEqual } from "~/domain/same";
import type { Values } from "~/editor/content";

/** What of a form is to be saved, and which fields somebody else gave another value meanwhile. */
export interface Merged {
  readonly values: Values;
  readonly clashes: readonly string[];
}

/**
 * Sets what a form says against what is saved now: fields that only one of both changed are as that one made them.
 * @param was what the form was filled from; null where that is not known
 */
export function mergeForm(was: Values | null, mine: Values, saved: Values): Merged {
  const changed = Object.keys(mine).filter((field) => !was || !isEqual(mine[field], was[field]));
  const differing = changed.filter((field) => !isEqual(mine[field], saved[field]));
  return {
    values: Object.fromEntries(differing.map((field) => [field, mine[field]])),
    clashes: differing.filter((field) => !was || !isEqual(saved[field], was[field])),
  };
}
