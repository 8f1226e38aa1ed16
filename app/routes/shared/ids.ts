import { toUuid } from "~/domain/shared/ids";
import type { Uuid } from "~/domain/shared/model";

/** An id of the address; undefined when the route has none. What is no id names nothing that exists: 404. */
export function requireUuid(value: string | undefined): Uuid | undefined {
  return value === undefined ? undefined : uuidParam(value);
}

/** The id of a route that always has one. */
export function uuidParam(value: string | undefined): Uuid {
  const id = toUuid(value);
  if (id === null) throw new Response(null, { status: 404, statusText: "Not Found" });
  return id;
}
