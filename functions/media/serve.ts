import type { StoredFile } from "#functions/services/ports";
import { isUuid } from "~/domain/ids";
import { fileVersion, pictureKey } from "~/domain/media-address";
import type { Actor, LinkMode, Uuid } from "~/domain/model";
import { type MediaAddress, presentAddress, readMediaAddress } from "./address";
import { r2FileStore } from "./file-store";
import type { Pictures } from "./pictures";
import type { RecentRead, RecentReads } from "./recent-reads";
import { sendFile } from "./send";
import { sendPicture } from "./send-picture";
import { sendWebVtt } from "./subtitles";

type FileViewer =
  | { readonly kind: "actor"; readonly actor: Promise<Actor | null> }
  | {
      readonly kind: "link";
      readonly eventId: Uuid;
      readonly mode: LinkMode;
      readonly token: string;
      readonly passwordFlag: string | null;
    };

/** What serving files needs of a request's surroundings. */
export interface MediaDoor {
  readonly env: { readonly FILES: R2Bucket };
  readonly pictures: Pictures;
  readonly reads: RecentReads;
  /** By what a request's session is known; null for visitors. */
  ticketOf(request: Request): string | null;
  /** For what the answer need not wait for. */
  defer(work: Promise<unknown>): void;
  readonly services: {
    readonly library: {
      openFile(input: { readonly id: Uuid; readonly viewer: FileViewer }): Promise<StoredFile>;
    };
  };
  pageContext(
    request: Request,
    page: { nonce: string; buffered: boolean },
  ): {
    session(): Promise<{ readonly actor: Actor } | null>;
    passwordFlag(eventId: Uuid): string | null;
  };
}

/** The same answer for whatever somebody may not have: it does not tell whether it exists. */
const missing = (status: 400 | 404 = 404) =>
  new Response(null, {
    status,
    headers: { "cache-control": "no-store", "x-content-type-options": "nosniff" },
  });

/** A replaced file's address leads to the file that is there now, which is another one tomorrow. */
const moved = (location: string) =>
  new Response(null, {
    status: 302,
    headers: { location, "cache-control": "private, no-cache", "referrer-policy": "no-referrer" },
  });

/** Whoever logs out, or in as somebody else, must ask again: his cookie is another one. */
const KEPT = { "cache-control": "private, max-age=31536000, immutable", vary: "Cookie" };

/**
 * /media/{library item id}[/{version}][?w={width}|?format=vtt]: for people by their session, for visitors by
 * `?event={uuid}&mode=preview|published&token=…`. A link that does not open the file falls back to the session, so that
 * owners can look at their own pages.
 */
export async function serveMedia(request: Request, door: MediaDoor): Promise<Response> {
  if (request.method !== "GET" && request.method !== "HEAD") {
    return new Response(null, { status: 405, headers: { allow: "GET, HEAD" } });
  }
  const url = new URL(request.url);
  const address = readMediaAddress(url);
  if (address === "unknown") return missing();
  if (address === "bad") return missing(400);
  const asked: Asked = { request, url, address, door, ...readersOf(request, url, door) };
  const recent = findRecent(asked);
  if (recent?.isFresh) {
    const again = await send(asked, recent.file);
    if (again?.ok) return again;
    await again?.body?.cancel();
  }
  const answer = recent && !recent.isFresh ? sendWhileLooking(asked, recent.file) : sendAfterLook(asked);
  return (await answer) ?? missing();
}

interface Asked extends Readers {
  readonly request: Request;
  readonly url: URL;
  readonly address: MediaAddress;
  readonly door: MediaDoor;
}

/** Who asks: what his link says, and by what his session is known. */
interface Readers {
  readonly link: Extract<FileViewer, { kind: "link" }> | null;
  readonly ticket: string | null;
}

const contextOf = (request: Request, door: MediaDoor) =>
  door.pageContext(request, { nonce: "", buffered: false });

function readersOf(request: Request, { searchParams }: URL, door: MediaDoor): Readers {
  const ticket = door.ticketOf(request);
  const eventId = searchParams.get("event");
  const mode = searchParams.get("mode");
  const token = searchParams.get("token");
  if (!isUuid(eventId) || (mode !== "preview" && mode !== "published") || !token)
    return { link: null, ticket };
  const passwordFlag = contextOf(request, door).passwordFlag(eventId);
  return { link: { kind: "link", eventId, mode, token, passwordFlag }, ticket };
}

/** A link as a reader whom `RecentReads` knows. */
const keyOf = ({ eventId, mode, token, passwordFlag }: NonNullable<Readers["link"]>) =>
  [eventId, mode, token, passwordFlag].join(" ");

/**
 * A player's next part of what it was let in to before. By a link that is never fresh: what it opens is a matter of the clock, and
 * the event's record is kept for a second anyway.
 */
function findRecent({ request, url, address, door, link, ticket }: Asked): RecentRead | null {
  if (!request.headers.has("range")) return null;
  const byLink = link && door.reads.find(keyOf(link), address.id);
  const read = byLink ?? (ticket === null ? null : door.reads.find(ticket, address.id));
  return read && url.searchParams.has("event") ? { ...read, isFresh: false } : read;
}

async function sendAfterLook(asked: Asked): Promise<Response | null> {
  const file = await openFor(asked);
  return file && send(asked, file);
}

/**
 * Asks the store for what will probably be sent while the reader is looked up. Not a byte goes out, and no answer waits for
 * the store, before he has been let in to that very file.
 */
async function sendWhileLooking(asked: Asked, probable: StoredFile): Promise<Response | null> {
  // Pictures and subtitles are made, which is nothing to begin on the off chance.
  if (asked.address.width !== null || asked.address.asVtt) return sendAfterLook(asked);
  const early = send(asked, probable);
  // Whatever is wrong with it is heard where it is waited for.
  early.catch(() => undefined);
  let isRight = false;
  try {
    const file = await openFor(asked);
    isRight = file !== null && isSameFile(file, probable);
    return isRight ? await early : file && (await send(asked, file));
  } finally {
    if (!isRight) asked.door.defer(early.then((answer) => answer?.body?.cancel()));
  }
}

const isSameFile = (one: StoredFile, other: StoredFile) =>
  (Object.keys(one) as (keyof StoredFile)[]).every((name) => one[name] === other[name]);

/** Sends what was asked for of a file that somebody may have; null for what there is not. */
async function send({ request, url, address, door }: Asked, file: StoredFile): Promise<Response | null> {
  const key = address.width === null ? file.fileKey : pictureKey(file);
  if (key === null) return null;
  if (address.version !== null && address.version !== fileVersion(key))
    return moved(presentAddress(url, address.id, key));
  // His own browser may keep what a session opens at an address of its own: see decision 015.
  const isOwn = !url.searchParams.has("event");
  const caching = isOwn && address.version !== null ? KEPT : {};
  const store = r2FileStore(door.env.FILES);
  const { pictures, defer } = door;
  if (address.asVtt) return sendWebVtt(store, file, request, caching);
  if (address.width === null) return sendFile(store, file, request, caching);
  return sendPicture({ store, pictures, defer }, file, address.width, request, caching);
}

/** The file, when the link or the session opens it. */
async function openFor({ request, address: { id }, door, link, ticket }: Asked): Promise<StoredFile | null> {
  const open = async (viewer: FileViewer) => {
    try {
      return await door.services.library.openFile({ id, viewer });
    } catch (error) {
      if ((error as { kind?: unknown }).kind === "not_found") return null;
      throw error;
    }
  };
  const file = link && (await door.reads.look(keyOf(link), id, () => open(link)));
  if (file || ticket === null) return file;
  const actor = contextOf(request, door)
    .session()
    .then((session) => session?.actor ?? null);
  return door.reads.look(ticket, id, () => open({ kind: "actor", actor }));
}
