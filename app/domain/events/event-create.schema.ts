import * as z from "zod";
import { formError, localizedField } from "../shared/fields.schema";
import { EVENT_NAME_MAX } from "../shared/limits";
import type { Lang } from "../shared/model";

/**
 * The name of an event (§5), which has this length at most in each language. One language suffices.
 * @param lang the language of a form, whose field shows that the name is missing
 */
export const eventNameField = (lang?: Lang) =>
  localizedField(
    {
      max: EVENT_NAME_MAX,
      required: "events:errors.eventName.required",
      tooLong: "events:errors.eventName.tooLong",
    },
    lang,
  );

/** The form that creates an event in a space: {eventName}. */
export function createEventCreateSchema(lang?: Lang) {
  return z.object({ eventName: eventNameField(lang) }, formError);
}
