import { isUuid } from "~/domain/shared/ids";
import type { EventMedia, Uuid } from "~/domain/shared/model";

/** An event's file that a visitor opened through a link on the event's page. */
interface OpenedFile {
  readonly eventId: Uuid;
  readonly token: string;
  readonly itemId: Uuid;
}

const FILE_PATH = /^\/media\/([0-9a-f-]{36})(?:\/[^/]*)?$/;

/**
 * Returns the file of an event that a visitor opens as a document of its own. Such requests can be counted without scripts, and also when the
 * keyboard is used (decision 030). Null for files that a page embeds, for an image in a reduced width (`w`), and for all other requests. The browser
 * sets Sec-Fetch-Dest; a page cannot forge it.
 */
export function readOpenedFile(request: Request, { pathname, searchParams }: URL): OpenedFile | null {
  const fetchHeader = (name: string) => request.headers.get(`sec-fetch-${name}`);
  if (fetchHeader("dest") !== "document" || fetchHeader("site") !== "same-origin" || searchParams.has("w"))
    return null;
  const itemId = FILE_PATH.exec(pathname)?.[1];
  const [eventId, token] = [searchParams.get("event"), searchParams.get("token")];
  if (!isUuid(itemId) || !isUuid(eventId) || !token || searchParams.get("mode") !== "published") return null;
  return { eventId, token, itemId };
}

/** The media item that uses a file. Null if no item or more than one item uses it, because the opened item is then unknown. */
export function mediaIdOfFile(
  media: readonly Pick<EventMedia, "id" | "libraryItemId">[],
  itemId: Uuid,
): Uuid | null {
  const [onlyItem, ...otherItems] = media.filter(({ libraryItemId }) => libraryItemId === itemId);
  return onlyItem && otherItems.length === 0 ? onlyItem.id : null;
}
