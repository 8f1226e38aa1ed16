import { isUuid } from "~/domain/shared/ids";
import type { Uuid } from "~/domain/shared/model";
import { VISIT_PATH } from "./visit-endpoint";

/** Whose rules are asked for. */
interface TrackingSheetRequest {
  readonly eventId: Uuid;
  readonly token: string;
}

const NAME = "/opened.css";
/** What opens a medium when it is pressed; films and sounds also by the keyboard, in browsers that know what plays (a list takes no harm of what one does not know). */
const PRESSED = ":is(a:active,video:active,audio:active,:playing)";

/** Reads `/v/{event}/opened.css?token=…`, which the pages of a public link name where no scripts run; null for anything else. */
export function readTrackingSheetRequest(
  { method }: Request,
  { pathname, searchParams }: URL,
): TrackingSheetRequest | null {
  if (method !== "GET" || !pathname.startsWith(VISIT_PATH) || !pathname.endsWith(NAME)) return null;
  const eventId = pathname.slice(VISIT_PATH.length, -NAME.length);
  const token = searchParams.get("token");
  return isUuid(eventId) && token ? { eventId, token } : null;
}

/**
 * How a page tells what is opened where no scripts run (decision 030): what shows it gets a background then, which is fetched from where visits are told.
 * A sheet of its own, which nobody fetches where scripts run: in the page it would be as long as a tenth of it.
 */
export function trackingStyleSheet(
  { eventId, token }: TrackingSheetRequest,
  { tags, media }: Readonly<Record<"tags" | "media", readonly { readonly id: Uuid }[]>>,
): string {
  const tell = `${VISIT_PATH}${eventId}?${new URLSearchParams({ token })}`;
  const rule = (selector: string, about: string) => `${selector}{background-image:url("${tell}&${about}")}`;
  return [
    ...tags.map(({ id }) => rule(`#tag-${id} details[open]`, `tag=${id}`)),
    ...media.map(({ id }) => rule(`[data-medium="${id}"] ${PRESSED}`, `media=${id}`)),
  ].join("\n");
}
