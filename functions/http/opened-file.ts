import { isUuid } from "~/domain/shared/ids";
import type { EventMedia, Uuid } from "~/domain/shared/model";

/** A file of an event that somebody has opened by a link of its page. */
interface OpenedFile {
  readonly eventId: Uuid;
  readonly token: string;
  readonly itemId: Uuid;
}

const FILE = /^\/media\/([0-9a-f-]{36})(?:\/[^/]*)?$/;

/**
 * Which file of an event somebody opens by a link of its page, as a page of its own: so it is known without scripts too, and by the keyboard (decision 030).
 * Null for what a page shows, and for all else. Browsers say what they fetch for (Sec-Fetch-Dest), as no page can.
 */
export function readOpenedFile(request: Request, { pathname, searchParams }: URL): OpenedFile | null {
  const says = (name: string) => request.headers.get(`sec-fetch-${name}`);
  if (says("dest") !== "document" || says("site") !== "same-origin" || searchParams.has("w")) return null;
  const itemId = FILE.exec(pathname)?.[1];
  const [eventId, token] = [searchParams.get("event"), searchParams.get("token")];
  if (!isUuid(itemId) || !isUuid(eventId) || !token || searchParams.get("mode") !== "published") return null;
  return { eventId, token, itemId };
}

/** The medium that shows a file; null where none does, or several do, of which nobody knows which was meant. */
export function mediaIdOfFile(
  media: readonly Pick<EventMedia, "id" | "libraryItemId">[],
  itemId: Uuid,
): Uuid | null {
  const [found, ...others] = media.filter(({ libraryItemId }) => libraryItemId === itemId);
  return found && others.length === 0 ? found.id : null;
}
