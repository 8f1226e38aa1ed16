/** Helpers for visits to event shops. */
import { demoIds } from "../../seed/demo";
import type { Caller, EventJson } from "./api/caller";
import { changeEvent, linkPath, postEvent } from "./api/caller";
import { demoPath } from "./app/demo";
import { DEMO_STORE_TOKEN, type Fault, faultHost } from "./external/demo-store";

/** Path of a page of an event's shop, with the query of the event's path, which contains the token. */
export function shopPath(
  subpath: string,
  query: Readonly<Record<string, string>> = {},
  event = mainPath(),
): string {
  const [path = "", search = ""] = event.split("?");
  const params = new URLSearchParams(search);
  for (const [name, value] of Object.entries(query)) params.append(name, value);
  return `${path}/shop${subpath}?${params}`;
}

export const mainPath = () => demoPath(demoIds.mainEvent);

/** Creates a published event with a store on this host. */
export async function eventWithStore(
  owner: Caller,
  host: string,
  values: Readonly<Record<string, unknown>> = {},
): Promise<EventJson> {
  const event = await postEvent(owner, demoIds.tearoom, {
    enable_auto_change_status: false,
    sp_store_url: `https://${host}`,
    sp_access_token: DEMO_STORE_TOKEN,
    ...values,
  });
  return changeEvent(owner, event.uuid, { status_id: 3 });
}

/** Path of an event whose store always has this fault. */
export const faultyPath = async (owner: Caller, fault: Fault): Promise<string> =>
  linkPath(await eventWithStore(owner, faultHost(fault)), "published");
