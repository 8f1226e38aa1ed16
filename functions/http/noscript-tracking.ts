import { isUuid } from "~/domain/shared/ids";
import type { Uuid } from "~/domain/shared/model";
import { VISIT_PATH } from "./visit-endpoint";

/** The event and token of a request for a tracking style sheet. */
interface TrackingSheetRequest {
  readonly eventId: Uuid;
  readonly token: string;
}

const FILE_SUFFIX = "/opened.css";
/**
 * Selector for a pressed media item. Videos and audio also match when the keyboard starts them, in browsers that support :playing (an unknown
 * pseudo-class in :is() is ignored).
 */
const PRESSED = ":is(a:active,video:active,audio:active,:playing)";

/** Parses `/v/{event}/opened.css?token=…`, which the pages of a public link load only without scripts; null for any other request. */
export function readTrackingSheetRequest({ method }: Request, url: URL): TrackingSheetRequest | null {
  const { pathname } = url;
  if (method !== "GET" || !pathname.startsWith(VISIT_PATH) || !pathname.endsWith(FILE_SUFFIX)) return null;
  const eventId = pathname.slice(VISIT_PATH.length, -FILE_SUFFIX.length);
  const token = url.searchParams.get("token");
  return isUuid(eventId) && token ? { eventId, token } : null;
}

/**
 * Writes a style sheet that reports opened tags (notes at points of the space) and media where scripts do not run (decision 030): an opened element
 * gets a background image, which the browser requests from the visit endpoint. It is a separate file, because it would add a tenth to the page's size and is
 * not needed where scripts run.
 */
export function trackingStyleSheet(
  { eventId, token }: TrackingSheetRequest,
  { tags, media }: Readonly<Record<"tags" | "media", readonly { readonly id: Uuid }[]>>,
): string {
  const reportUrl = `${VISIT_PATH}${eventId}?${new URLSearchParams({ token })}`;
  const rule = (selector: string, trackedItem: string) =>
    `${selector}{background-image:url("${reportUrl}&${trackedItem}")}`;
  return [
    ...tags.map(({ id }) => rule(`#tag-${id} details[open]`, `tag=${id}`)),
    ...media.map(({ id }) => rule(`[data-medium="${id}"] ${PRESSED}`, `media=${id}`)),
  ].join("\n");
}
