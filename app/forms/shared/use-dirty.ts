import { useCallback, useEffect, useState } from "react";
import { inputDiffers } from "~/domain/events/event-changes";
import type { EventFormInput } from "~/domain/events/event-form";

/**
 * Tracks whether the form differs from its initial values (specification §5: only then, Update is enabled). Returns this as `value`, and a function
 * that updates it for typed values.
 * @param isRejected whether the form was rejected and therefore contains typed values instead of the saved ones
 */
export function useDirty(initialValues: EventFormInput, isRejected: boolean) {
  const [value, setValue] = useState(isRejected);
  // After a save, the saved values are the new initial values.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version resets the state
  useEffect(() => setValue(isRejected), [initialValues.version, isRejected]);
  const update = useCallback(
    (formInput: EventFormInput) =>
      // "tested": the user chose to save the token that was tested. The page contains it only encrypted, so no field differs.
      setValue(formInput.spAccessTokenAgain === "tested" || inputDiffers(initialValues, formInput)),
    [initialValues],
  );
  return { value, update };
}
