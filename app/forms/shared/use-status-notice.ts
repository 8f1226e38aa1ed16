import { useCallback, useEffect, useState } from "react";
import { type EventFormInput, type StatusNotice, statusNotice } from "~/domain/events/event-form";
import type { Event } from "~/domain/shared/model";

/**
 * Returns the effect that saving the form would have on the event's status, and a function that updates it for typed values.
 * @param renderedInput the values with which the form was rendered
 * @param now time of the server's response, in epoch milliseconds
 * @param saved dates that the form was filled from
 */
export function useStatusNotice(
  renderedInput: EventFormInput,
  { timeZone, now, saved }: { timeZone: string; now: number; saved: Pick<Event, "startDate" | "endDate"> },
) {
  const [typedNotice, setTypedNotice] = useState<StatusNotice | null | undefined>();
  const renderedNotice = statusNotice(renderedInput, { timeZone, now, saved });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version resets the state
  useEffect(() => setTypedNotice(undefined), [renderedInput.version]);
  const update = useCallback(
    (input: EventFormInput) => setTypedNotice(statusNotice(input, { timeZone, now: Date.now(), saved })),
    [timeZone, saved],
  );
  return { value: typedNotice === undefined ? renderedNotice : typedNotice, update };
}
