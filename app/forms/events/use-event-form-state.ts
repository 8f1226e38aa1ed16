import { useCallback, useEffect, useState } from "react";
import { inputDiffers } from "~/domain/events/event-changes";
import { type EventFormInput, type StatusNotice, statusNotice } from "~/domain/events/event-form";
import type { Instant } from "~/domain/shared/model";

/**
 * Tracks whether the form differs from its initial values (specification §5: only then, Update is enabled).
 * @param isRejected whether the form was rejected and therefore contains typed values instead of the saved ones
 */
export function useDirty(initialValues: EventFormInput, isRejected: boolean) {
  const [value, setValue] = useState(isRejected);
  // After a save, the saved values are the new initial values.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version resets the state
  useEffect(() => setValue(isRejected), [initialValues.version, isRejected]);
  const check = useCallback(
    (formInput: EventFormInput) =>
      // "tested": the user chose to save the tested token, which the page contains only encrypted, so no field differs.
      setValue(formInput.spAccessTokenAgain === "tested" || inputDiffers(initialValues, formInput)),
    [initialValues],
  );
  return { value, check };
}

/**
 * Returns the effect that saving the form would have on the event's status, and a function that updates it for typed values.
 * @param renderedInput the values with which the form was rendered
 * @param now time of the server's response, in epoch milliseconds
 */
export function useStatusNotice(
  renderedInput: EventFormInput,
  { timeZone, now, savedStart }: { timeZone: string; now: number; savedStart: Instant | null },
) {
  const [typedNotice, setTypedNotice] = useState<StatusNotice | null | undefined>();
  const renderedNotice = statusNotice(renderedInput, { timeZone, now, savedStart });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version resets the state
  useEffect(() => setTypedNotice(undefined), [renderedInput.version]);
  const check = useCallback(
    (input: EventFormInput) => setTypedNotice(statusNotice(input, { timeZone, now: Date.now(), savedStart })),
    [timeZone, savedStart],
  );
  return { value: typedNotice === undefined ? renderedNotice : typedNotice, check };
}
