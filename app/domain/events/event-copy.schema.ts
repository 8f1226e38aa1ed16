import * as z from "zod";
import { field, formError } from "../shared/fields.schema";
import { toUuid } from "../shared/ids";
import type { Lang, Uuid } from "../shared/model";
import { eventNameField } from "./event-create.schema";

const idField = field<Uuid>((value) => {
  const id = toUuid(value);
  return id === null ? { error: "shared-owners:errors.field.required" } : { value: id };
});

/** The form that copies an event into a space: {spaceId, eventName}. */
export function createEventCopySchema(lang?: Lang) {
  return z.object({ spaceId: idField, eventName: eventNameField(lang) }, formError);
}
