import type { Uuid } from "./model";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether a value is a record's id as we make them: a UUID in small letters. Anything else is an unknown record (404). */
export function isUuid(value: unknown): value is Uuid {
  return typeof value === "string" && UUID.test(value);
}

/** An id that somebody wrote, in whatever letters: a UUID in capitals is the same one. Null for what is no id. */
export function toUuid(value: unknown): Uuid | null {
  const id = typeof value === "string" ? value.toLowerCase() : value;
  return isUuid(id) ? id : null;
}
