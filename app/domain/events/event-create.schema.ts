import * as z from "zod";
import { field, formError, isMissing, localizedField } from "../shared/fields.schema";
import { EVENT_NAME_MAX } from "../shared/limits";
import type { Lang } from "../shared/model";
import { EVENT_TEMPLATE_NAMES, type EventTemplateName } from "./templates/template-names";

/**
 * The name of an event (specification §5), with at most EVENT_NAME_MAX characters in each language. One language is required.
 * @param lang language of the form, whose field shows a missing name
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

/** The template of a new event; null for an empty event. */
export const eventTemplateField = field<EventTemplateName | null>((value) => {
  if (isMissing(value)) return { value: null };
  const name = EVENT_TEMPLATE_NAMES.find((eventTemplateName) => eventTemplateName === value);
  return name ? { value: name } : { error: "shared-owners:errors.field.invalid" };
});

/** The form that creates an event in a space: {eventName, template?}. */
export function createEventCreateSchema(lang?: Lang) {
  return z.object({ eventName: eventNameField(lang), template: eventTemplateField }, formError);
}
