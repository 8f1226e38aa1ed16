import { toUuid } from "~/domain/shared/ids";
import type { Uuid } from "~/domain/shared/model";

/** Id from the URL; undefined if the route has none. An invalid id is a 404. */
export function optionalUuidParam(value: string | undefined): Uuid | undefined {
  return value === undefined ? undefined : uuidParam(value);
}

/** Id of a route that always has one. */
export function uuidParam(value: string | undefined): Uuid {
  const id = toUuid(value);
  if (id === null) throw new Response(null, { status: 404, statusText: "Not Found" });
  return id;
}
