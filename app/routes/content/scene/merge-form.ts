import { merge } from "~/domain/events/merge";
import { isEqual } from "~/domain/shared/is-equal";
import type { Values } from "~/features/content/editor/content";

/** Values of a form to save, and the fields that the form and another editor have set to different values. */
export interface MergedForm {
  readonly values: Values;
  readonly conflicts: readonly string[];
}

/**
 * Merges a form with the saved values: a field that only one side has changed takes that side's value.
 * @param originalValues values that the form was filled from; null if they are unknown: then every field that differs from the saved values is a conflict
 */
export function mergeForm(originalValues: Values | null, localValues: Values, saved: Values): MergedForm {
  const merged = Object.keys(localValues).map((field) => {
    const { value, clash: isConflict } = originalValues
      ? merge(originalValues[field], localValues[field], saved[field])
      : { value: localValues[field], clash: true };
    return { field, value, isConflict: isConflict && !isEqual(localValues[field], saved[field]) };
  });
  return {
    values: Object.fromEntries(
      merged.flatMap(({ field, value }) => (isEqual(value, saved[field]) ? [] : [[field, value]])),
    ),
    conflicts: merged.flatMap(({ field, isConflict }) => (isConflict ? [field] : [])),
  };
}
