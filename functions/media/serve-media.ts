import type { StoredFile } from "#functions/services/library/stored-file-ports";
import type { FileUse, SignedFile } from "#functions/services/visitors/signed-files";
import type { Actor } from "~/domain/auth/actor";
import { isUuid } from "~/domain/shared/ids";
import type { LinkMode, Uuid } from "~/domain/shared/model";
import { type FileMetadata, originalFileStore, visitorFileStore } from "./file-metadata";
import { r2FileStore } from "./file-store";
import type { ImageResizer } from "./images/image-resizer";
import { sendImage } from "./images/send-image";
import { addressedFile, isAlias, type MediaAddress, readMediaAddress } from "./media-address";
import type { RecentReads } from "./recent-reads";
import { sendFile } from "./send-file";
import { sendWebVtt } from "./subtitles";

type FileViewer =
  | { readonly kind: "actor"; readonly actor: Promise<Actor | null> }
  | {
      readonly kind: "link";
      readonly eventId: Uuid;
      readonly mode: LinkMode;
      readonly token: string;
      readonly eventAccessCookie: string | null;
    };

/** Dependencies of serving media from the request's scope. */
export interface MediaRequestContext {
  readonly env: { readonly FILES: R2Bucket };
  readonly metadata: Pick<FileMetadata, "overwritesOf">;
  /** The origin that serves files (MEDIA_ORIGIN); null for the product's own. */
  readonly mediaOrigin: string | null;
  readonly images: ImageResizer;
  readonly recentReads: RecentReads;
  /** By what a request's session is known; null for visitors. */
  ticketOf(request: Request): string | null;
  /** For what the answer need not wait for. */
  defer(work: Promise<unknown>): void;
  readonly services: {
    readonly library: {
      openFile(input: { readonly id: Uuid; readonly viewer: FileViewer }): Promise<StoredFile>;
      signFile(input: {
        readonly file: StoredFile;
        readonly viewer: FileViewer;
        readonly isOwn: boolean;
      }): Promise<Readonly<Record<string, string>>>;
      openSignedFile(input: {
        readonly id: Uuid;
        readonly part: string | null;
        readonly query: URLSearchParams;
      }): Promise<SignedFile>;
    };
  };
  pageContext(
    request: Request,
    page: { nonce: string; buffered: boolean },
  ): {
    readonly session: {
      current(): Promise<{ readonly actor: Actor; readonly mustSetUpFactor?: boolean } | null>;
    };
    readonly visitor: { eventAccessCookie(eventId: Uuid): string | null };
  };
}

/** The response for every file that the caller may not read. It does not reveal whether the file exists. */
export const notFoundResponse = (status: 400 | 404 = 404) =>
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

/** The cache depends on the cookie, so a reader who logs out or logs in with another account must request the file again. */
const KEPT = { "cache-control": "private, max-age=31536000, immutable", vary: "Cookie" };

/**
 * /media/{library item id}[/{version}[/{name}]][?w={width}|?format=vtt]: for people by their session, for visitors by
 * `?event={uuid}&mode=preview|published&token=…`. A link that does not open the file falls back to the session, so that
 * owners can look at their own pages.
 */
export async function serveMedia(request: Request, context: MediaRequestContext): Promise<Response> {
  if (request.method !== "GET" && request.method !== "HEAD") {
    return new Response(null, { status: 405, headers: { allow: "GET, HEAD" } });
  }
  const url = new URL(request.url);
  const address = readMediaAddress(url);
  if (address === "unknown") return notFoundResponse();
  if (address === "bad") return notFoundResponse(400);
  const mediaRequest: MediaRequest = { request, url, address, context, ...readersOf(request, url, context) };
  // Subtitles are made here: a player's track may not come from another host.
  if (context.mediaOrigin !== null && !address.asVtt)
    return (await redirectToMediaHost(mediaRequest, context.mediaOrigin)) ?? notFoundResponse();
  const recent = findRecent(mediaRequest);
  if (recent?.isFresh) {
    const again = await send(mediaRequest, recent.value);
    if (again?.ok) return again;
    await again?.body?.cancel();
  }
  const answer =
    recent && !recent.isFresh
      ? sendWhileRevalidating(mediaRequest, recent.value)
      : sendAfterAuthorization(mediaRequest);
  return (await answer) ?? notFoundResponse();
}

/**
 * Redirects to the host of files, at an address that is valid for five minutes. Pages contain addresses of this host, so that a page that is cached
 * or open for hours can load its files.
 */
async function redirectToMediaHost(
  mediaRequest: MediaRequest,
  mediaOrigin: string,
): Promise<Response | null> {
  const { url, address, context } = mediaRequest;
  for (const viewer of viewersOf(mediaRequest)) {
    const file = await openBy(mediaRequest, viewer);
    if (!file) continue;
    const addressed = addressedFile(file, address);
    if (addressed === null) return null;
    const isOwn = !url.searchParams.has("event");
    const query = new URLSearchParams(await context.services.library.signFile({ file, viewer, isOwn }));
    if (address.width !== null) query.set("w", String(address.width));
    return new Response(null, {
      status: 302,
      headers: {
        location: `${mediaOrigin}/media/${file.itemId}/${addressed.path}?${query}`,
        "cache-control": "no-store",
        "referrer-policy": "no-referrer",
      },
    });
  }
  return null;
}

/** A request for a file. */
interface MediaRequest extends Readers {
  readonly request: Request;
  readonly url: URL;
  readonly address: MediaAddress;
  readonly context: MediaRequestContext;
}

/** The reader's credentials: a link and a session. */
interface Readers {
  readonly link: Extract<FileViewer, { kind: "link" }> | null;
  readonly ticket: string | null;
}

const contextOf = (request: Request, context: MediaRequestContext) =>
  context.pageContext(request, { nonce: "", buffered: false });

function readersOf(request: Request, { searchParams }: URL, context: MediaRequestContext): Readers {
  const ticket = context.ticketOf(request);
  const eventId = searchParams.get("event");
  const mode = searchParams.get("mode");
  const token = searchParams.get("token");
  if (!isUuid(eventId) || (mode !== "preview" && mode !== "published") || !token)
    return { link: null, ticket };
  const eventAccessCookie = contextOf(request, context).visitor.eventAccessCookie(eventId);
  return { link: { kind: "link", eventId, mode, token, eventAccessCookie }, ticket };
}

/** Name of a link among the recent reads. */
const keyOf = ({ eventId, mode, token, eventAccessCookie }: NonNullable<Readers["link"]>) =>
  [eventId, mode, token, eventAccessCookie].join(" ");

/**
 * A player's next part of what it was let in to before. By a link that is never fresh: what it opens is a matter of the clock, and
 * the event's record is kept for a second anyway.
 */
function findRecent({ request, url, address, context, link, ticket }: MediaRequest) {
  if (!request.headers.has("range")) return null;
  const byLink = link && context.recentReads.find(`${keyOf(link)} ${address.id}`);
  const read = byLink ?? (ticket === null ? null : context.recentReads.find(`${ticket} ${address.id}`));
  return read && url.searchParams.has("event") ? { ...read, isFresh: false } : read;
}

async function sendAfterAuthorization(mediaRequest: MediaRequest): Promise<Response | null> {
  const file = await openFor(mediaRequest);
  return file && send(mediaRequest, file);
}

/**
 * Asks the store for what will probably be sent while the reader is looked up. Not a byte goes out, and no answer waits for
 * the store, before he has been let in to that very file.
 */
async function sendWhileRevalidating(
  mediaRequest: MediaRequest,
  probable: StoredFile,
): Promise<Response | null> {
  // Pictures and subtitles are made, which is nothing to begin on the off chance.
  if (mediaRequest.address.width !== null || mediaRequest.address.asVtt)
    return sendAfterAuthorization(mediaRequest);
  const early = send(mediaRequest, probable);
  // The rejection is handled where this promise is awaited.
  early.catch(() => undefined);
  let isRight = false;
  try {
    const file = await openFor(mediaRequest);
    isRight = file !== null && isSameFile(file, probable);
    return isRight ? await early : file && (await send(mediaRequest, file));
  } finally {
    if (!isRight) mediaRequest.context.defer(early.then((answer) => answer?.body?.cancel()));
  }
}

const isSameFile = (one: StoredFile, other: StoredFile) =>
  (Object.keys(one) as (keyof StoredFile)[]).every(
    (name) => JSON.stringify(one[name]) === JSON.stringify(other[name]),
  );

/** Sends the requested part of a file to an authorized reader; null if it does not exist. */
async function send(
  { request, url, address, context }: MediaRequest,
  file: StoredFile,
): Promise<Response | null> {
  // The browser of a logged-in reader may cache files at versioned addresses: see decision 015.
  const isOwn = !url.searchParams.has("event");
  const caching = isOwn && address.version !== null && !isAlias(address) ? KEPT : {};
  const use = isOwn && file.isOriginal ? "original" : "visitor";
  return sendOpened({ request, url, address, context, caching }, file, use);
}

/** The request for a file, and how its response may be cached. */
export interface SendRequest {
  readonly request: Request;
  readonly url: URL;
  readonly address: MediaAddress;
  readonly context: Pick<MediaRequestContext, "env" | "metadata" | "images" | "defer">;
  readonly caching: Readonly<Record<string, string>>;
}

/**
 * Sends a file to a reader whose access was checked.
 * @param use the original, the version for visitors, or the original for its check, before which no other reader gets it
 * @returns null for a file that does not exist
 */
export async function sendOpened(
  { request, url, address, context, caching }: SendRequest,
  file: StoredFile,
  use: FileUse,
): Promise<Response | null> {
  const addressed = addressedFile(file, address);
  if (addressed === null) return null;
  if (!addressed.isPresent) return moved(`/media/${address.id}/${addressed.path}${url.search}`);
  const stored = r2FileStore(context.env.FILES);
  const view = use === "original" ? originalFileStore : visitorFileStore;
  const store = use === "check" ? stored : view(stored, context.metadata.overwritesOf);
  const { images, defer } = context;
  if (address.asVtt) return sendWebVtt(store, file, request, caching);
  if (address.width === null) return sendFile(store, addressed.file, request, caching);
  return sendImage({ store, images, defer }, file, address.width, request, caching);
}

const sessionViewer = (request: Request, context: MediaRequestContext): FileViewer => ({
  kind: "actor",
  actor: contextOf(request, context)
    .session.current()
    .then((session) => (session && !session.mustSetUpFactor ? session.actor : null)),
});

/** The viewers of a request in the order in which they are tried: the link, then the session, which is read only after the link has failed. */
function* viewersOf({ request, context, link, ticket }: MediaRequest): Generator<FileViewer> {
  if (link) yield link;
  if (ticket !== null) yield sessionViewer(request, context);
}

async function openBy(
  { address: { id }, context }: MediaRequest,
  viewer: FileViewer,
): Promise<StoredFile | null> {
  try {
    return await context.services.library.openFile({ id, viewer });
  } catch (error) {
    if ((error as { kind?: unknown }).kind === "not_found") return null;
    throw error;
  }
}

/** The file, when the link or the session opens it. */
async function openFor(mediaRequest: MediaRequest): Promise<StoredFile | null> {
  const { request, address, context, link, ticket } = mediaRequest;
  const { id } = address;
  const file =
    link && (await context.recentReads.read(`${keyOf(link)} ${id}`, () => openBy(mediaRequest, link)));
  if (file || ticket === null) return file;
  const viewer = sessionViewer(request, context);
  return context.recentReads.read(`${ticket} ${id}`, () => openBy(mediaRequest, viewer));
}
