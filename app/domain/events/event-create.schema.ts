import * as z from "zod";
import { formError, localizedField } from "../shared/fields.schema";
import { EVENT_NAME_MAX } from "../shared/limits";

/** The name of an event (§5), which has this length at most in each language. One language suffices. */
export const eventNameField = localizedField({
  max: EVENT_NAME_MAX,
  required: "events:errors.eventName.required",
  tooLong: "events:errors.eventName.tooLong",
});

/** The form that creates an event in a space: {eventName}. */
export function createEventCreateSchema() {
  return z.object({ eventName: eventNameField }, formError);
}
