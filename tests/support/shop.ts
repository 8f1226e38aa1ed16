/** Shops of events as tests visit them. */
import { demoIds } from "../../seed/demo";
import type { Caller, EventJson } from "./api/caller";
import { changeEvent, createEvent, linkPath } from "./api/caller";
import { demoPath } from "./app/demo";
import { DEMO_STORE_TOKEN, type Fault, faultHost } from "./external/demo-store";

/** A path below the page of an event, with its token. */
export function shopPath(
  place: string,
  query: Readonly<Record<string, string>> = {},
  event = mainPath(),
): string {
  const [path = "", search = ""] = event.split("?");
  const params = new URLSearchParams(search);
  for (const [name, value] of Object.entries(query)) params.append(name, value);
  return `${path}/shop${place}?${params}`;
}

export const mainPath = () => demoPath(demoIds.mainEvent);

/** An event of somebody's whose store answers at a host, and whose link is open. */
export async function eventWithStore(
  owner: Caller,
  host: string,
  values: Readonly<Record<string, unknown>> = {},
): Promise<EventJson> {
  const event = await createEvent(owner, demoIds.tearoom, {
    enable_auto_change_status: false,
    sp_store_url: `https://${host}`,
    sp_access_token: DEMO_STORE_TOKEN,
    ...values,
  });
  return changeEvent(owner, event.uuid, { status_id: 3 });
}

/** The path of an event whose store always fails so. */
export const faultyPath = async (owner: Caller, fault: Fault): Promise<string> =>
  linkPath(await eventWithStore(owner, faultHost(fault)), "published");
