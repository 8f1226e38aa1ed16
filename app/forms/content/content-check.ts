/** Checks a content form field by field, so that valid fields can be saved while others are still invalid. */
import type { MediaValues, TagValues } from "~/domain/content/content";
import { createEventMediaSchema } from "~/domain/content/event-media.schema";
import { createTagSchema } from "~/domain/content/tag.schema";
import { MEDIA_ITEM_PARTS, splitCompoundErrors, TAG_PARTS } from "../shared/compound-errors";
import type { ContentErrors } from "./content-field";
import { type MediaItemInput, mediaItemFromInput } from "./media-item-input";
import { type TagFormInput, tagFromInput } from "./tag-form-input";

/** The valid values of a form, and the error messages of the other fields. */
export interface CheckResult<Values> {
  readonly values: Partial<Values>;
  readonly errors: ContentErrors;
}

interface FieldSchema {
  safeParse(
    value: unknown,
  ):
    | { success: true; data: unknown }
    | { success: false; error: { issues: readonly { path: PropertyKey[]; message: string }[] } };
}

function checkFields<Values>(
  shape: Readonly<Record<string, FieldSchema>>,
  raw: Readonly<Record<string, unknown>>,
  saved: object,
): CheckResult<Values> {
  const values: Record<string, unknown> = {};
  const errors: Record<string, string[]> = {};
  for (const [name, schema] of Object.entries(shape)) {
    if (!Object.hasOwn(raw, name)) continue;
    // An unchanged value stays exactly as it is, because parsing its text again could round it.
    if (typeof raw[name] === "object" && raw[name] === (saved as Readonly<Record<string, unknown>>)[name]) {
      values[name] = raw[name];
      continue;
    }
    const result = schema.safeParse(raw[name]);
    if (result.success) values[name] = result.data;
    else
      for (const { path, message } of result.error.issues) {
        const field = [name, ...path].join(".");
        errors[field] = [...(errors[field] ?? []), message];
      }
  }
  return { values: values as Partial<Values>, errors };
}

const getShape = (schema: { readonly shape: object }) => schema.shape as Record<string, FieldSchema>;

/** Validates the form of a tag. @param saved the values from which the form was rendered */
export function checkTag(input: TagFormInput, saved: TagValues): CheckResult<TagValues> {
  const checked = checkFields<TagValues>(getShape(createTagSchema()), tagFromInput(input, saved), saved);
  return { ...checked, errors: splitCompoundErrors(checked.errors, TAG_PARTS, input) };
}

/** Fields beside which a placement's messages are shown, by message. */
const MESSAGE_FIELDS: Readonly<Record<string, string>> = {
  "content:errors.media.width": "width",
  "content:errors.media.reach": "reach",
};

/** Validates the form of a media item. @param saved the values from which the form was rendered */
export function checkMediaItem(input: MediaItemInput, saved: MediaValues): CheckResult<MediaValues> {
  const checked = checkFields<MediaValues>(
    getShape(createEventMediaSchema()),
    mediaItemFromInput(input, saved),
    saved,
  );
  const { placement = [], ...errors } = splitCompoundErrors(checked.errors, MEDIA_ITEM_PARTS, input);
  const fieldErrors = placement.map((message) => [MESSAGE_FIELDS[message] ?? "placement", [message]]);
  return { ...checked, errors: { ...errors, ...Object.fromEntries(fieldErrors) } };
}
