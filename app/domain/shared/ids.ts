import type { Uuid } from "./model";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Returns whether a value is a record's id: a UUID in lower case. A caller treats anything else as an unknown record (404). */
export function isUuid(value: unknown): value is Uuid {
  return typeof value === "string" && UUID.test(value);
}

/** Returns an id in lower case, because a typed UUID in upper case means the same record. Null for anything else. */
export function toUuid(value: unknown): Uuid | null {
  const id = typeof value === "string" ? value.toLowerCase() : value;
  return isUuid(id) ? id : null;
}
