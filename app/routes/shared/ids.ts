import { isUuid } from "~/domain/ids";
import type { Uuid } from "~/domain/model";

/** An id of the address; undefined when the route has none. What is no id names nothing that exists: 404. */
export function requireUuid(value: string | undefined): Uuid | undefined {
  if (value === undefined || isUuid(value)) return value;
  throw new Response(null, { status: 404, statusText: "Not Found" });
}

/** The id of a route that always has one. */
export function uuidParam(value: string | undefined): Uuid {
  const id = requireUuid(value);
  if (id === undefined) throw new Response(null, { status: 404, statusText: "Not Found" });
  return id;
}
