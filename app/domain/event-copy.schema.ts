import * as z from "zod";
import { eventNameField } from "./event-create.schema";
import { field, formError } from "./fields.schema";
import { toUuid } from "./ids";
import type { Uuid } from "./model";

const idField = field<Uuid>((value) => {
  const id = toUuid(value);
  return id === null ? { error: "shared-owners:errors.field.required" } : { value: id };
});

/** The form that copies an event into a space: {spaceId, eventName}. */
export function createEventCopySchema() {
  return z.object({ spaceId: idField, eventName: eventNameField }, formError);
}
