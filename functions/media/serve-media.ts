import type { StoredFile } from "#functions/services/library/stored-file-ports";
import type { FileUse, SignedFile } from "#functions/services/visitors/signed-files";
import type { Actor } from "~/domain/auth/actor";
import { isUuid } from "~/domain/shared/ids";
import type { LinkMode, Uuid } from "~/domain/shared/model";
import { type FileMetadata, originalFileStore, visitorFileStore } from "./file-metadata";
import { r2FileStore } from "./file-store";
import type { ImageResizer } from "./images/image-resizer";
import { sendImage } from "./images/send-image";
import { findRequestedFile, isAlias, type MediaUrl, readMediaUrl } from "./media-url";
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
  readonly metadata: Pick<FileMetadata, "readOverwritePlan">;
  /** Origin of the media host (MEDIA_ORIGIN); null if the product's own origin serves files. */
  readonly mediaOrigin: string | null;
  readonly images: ImageResizer;
  readonly recentReads: RecentReads;
  /** Returns the ticket (the session's secret) in a request's cookie; null without one. */
  ticketOf(request: Request): string | null;
  /** Receives work that the response need not wait for. */
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
    page: { nonce: string; isForCache: boolean },
  ): {
    readonly session: {
      current(): Promise<{ readonly actor: Actor; readonly mustSetUpFactor?: boolean } | null>;
    };
    readonly visitor: { eventAccessCookie(eventId: Uuid): string | null };
  };
}

/** The response for every file that the caller may not read, which does not reveal whether the file exists (404), and for an invalid query (400). */
export const notFoundResponse = (status: 400 | 404 = 404) =>
  new Response(null, {
    status,
    headers: { "cache-control": "no-store", "x-content-type-options": "nosniff" },
  });

/** Redirects the URL of a replaced file to the current file, which may be replaced again. */
const redirectTo = (location: string) =>
  new Response(null, {
    status: 302,
    headers: { location, "cache-control": "private, no-cache", "referrer-policy": "no-referrer" },
  });

/** The cache depends on the cookie, so a reader who logs out or logs in with another account must request the file again. */
const LONG_CACHING = { "cache-control": "private, max-age=31536000, immutable", vary: "Cookie" };

/**
 * Serves /media/{library item id}[/{version}[/{name}]][?w={width}|?format=vtt]: to users by their session, to visitors
 * by `?event={uuid}&mode=preview|published&token=…`. A link that does not open the file falls back to the session, so
 * that owners can look at their own pages.
 */
export async function serveMedia(request: Request, context: MediaRequestContext): Promise<Response> {
  if (request.method !== "GET" && request.method !== "HEAD") {
    return new Response(null, { status: 405, headers: { allow: "GET, HEAD" } });
  }
  const url = new URL(request.url);
  const address = readMediaUrl(url);
  if (address === "unknown") return notFoundResponse();
  if (address === "bad") return notFoundResponse(400);
  const mediaRequest: MediaRequest = { request, url, address, context, ...readersOf(request, url, context) };
  // Subtitles are served by this host, because a player's track may not come from another one.
  if (context.mediaOrigin !== null && !address.isWebVtt)
    return (await redirectToMediaHost(mediaRequest, context.mediaOrigin)) ?? notFoundResponse();
  const recentRead = findRecent(mediaRequest);
  if (recentRead?.isFresh) {
    const repeatedResponse = await send(mediaRequest, recentRead.value);
    if (repeatedResponse?.ok) return repeatedResponse;
    await repeatedResponse?.body?.cancel();
  }
  const response =
    recentRead && !recentRead.isFresh
      ? sendWhileRevalidating(mediaRequest, recentRead.value)
      : sendAfterAuthorization(mediaRequest);
  return (await response) ?? notFoundResponse();
}

/**
 * Redirects to the media host, to a URL that is valid for at most five minutes. Pages contain URLs of the product's host, so
 * that a page that is cached or open for hours can load its files.
 */
async function redirectToMediaHost(
  mediaRequest: MediaRequest,
  mediaOrigin: string,
): Promise<Response | null> {
  const { url, address, context } = mediaRequest;
  for (const viewer of viewersOf(mediaRequest)) {
    const file = await openFileAs(mediaRequest, viewer);
    if (!file) continue;
    const requestedFile = findRequestedFile(file, address);
    if (requestedFile === null) return null;
    const isOwn = !url.searchParams.has("event");
    const query = new URLSearchParams(await context.services.library.signFile({ file, viewer, isOwn }));
    if (address.width !== null) query.set("w", String(address.width));
    return new Response(null, {
      status: 302,
      headers: {
        location: `${mediaOrigin}/media/${file.itemId}/${requestedFile.path}?${query}`,
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
  readonly address: MediaUrl;
  readonly context: MediaRequestContext;
}

/** The reader's credentials: a link and a session. */
interface Readers {
  readonly link: Extract<FileViewer, { kind: "link" }> | null;
  readonly ticket: string | null;
}

const contextOf = (request: Request, context: MediaRequestContext) =>
  context.pageContext(request, { nonce: "", isForCache: false });

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

/** Key of a link in the recent reads. */
const linkKey = ({ eventId, mode, token, eventAccessCookie }: NonNullable<Readers["link"]>) =>
  [eventId, mode, token, eventAccessCookie].join(" ");

/**
 * For a range, finds the read that authorized the reader's previous request for the file. A read at a link's URL always counts as stale: the link's
 * access depends on the time, and the event's record is cached for a second anyway.
 */
function findRecent({ request, url, address, context, link, ticket }: MediaRequest) {
  if (!request.headers.has("range")) return null;
  const linkRead = link && context.recentReads.find(`${linkKey(link)} ${address.id}`);
  const recentRead =
    linkRead ?? (ticket === null ? null : context.recentReads.find(`${ticket} ${address.id}`));
  return recentRead && url.searchParams.has("event") ? { ...recentRead, isFresh: false } : recentRead;
}

async function sendAfterAuthorization(mediaRequest: MediaRequest): Promise<Response | null> {
  const file = await openFileForRequest(mediaRequest);
  return file && send(mediaRequest, file);
}

/**
 * Requests the probable file from the store while the reader's access is checked. No byte is sent before the check
 * allows this exact file, and a rejection does not wait for the store.
 */
async function sendWhileRevalidating(
  mediaRequest: MediaRequest,
  expectedFile: StoredFile,
): Promise<Response | null> {
  // Images and subtitles are not prepared before the check, because making them is costly.
  if (mediaRequest.address.width !== null || mediaRequest.address.isWebVtt)
    return sendAfterAuthorization(mediaRequest);
  const earlyResponse = send(mediaRequest, expectedFile);
  // The rejection is handled where this promise is awaited.
  earlyResponse.catch(() => undefined);
  let isExpectedFile = false;
  try {
    const file = await openFileForRequest(mediaRequest);
    isExpectedFile = file !== null && isSameFile(file, expectedFile);
    return isExpectedFile ? await earlyResponse : file && (await send(mediaRequest, file));
  } finally {
    if (!isExpectedFile)
      mediaRequest.context.defer(earlyResponse.then((response) => response?.body?.cancel()));
  }
}

const isSameFile = (file: StoredFile, other: StoredFile) =>
  (Object.keys(file) as (keyof StoredFile)[]).every(
    (name) => JSON.stringify(file[name]) === JSON.stringify(other[name]),
  );

/** Sends a file as its URL requests it to an authorized reader; null if it does not exist. */
async function send(
  { request, url, address, context }: MediaRequest,
  file: StoredFile,
): Promise<Response | null> {
  // The browser of a logged-in reader may cache files at versioned URLs: see decision 015.
  const isOwn = !url.searchParams.has("event");
  const caching = isOwn && address.version !== null && !isAlias(address) ? LONG_CACHING : {};
  const use = isOwn && file.isOriginal ? "original" : "visitor";
  return sendOpened({ request, url, address, context, caching }, file, use);
}

/** The request for a file, and how its response may be cached. */
export interface SendRequest {
  readonly request: Request;
  readonly url: URL;
  readonly address: MediaUrl;
  readonly context: Pick<MediaRequestContext, "env" | "metadata" | "images" | "defer">;
  readonly caching: Readonly<Record<string, string>>;
}

/**
 * Sends a file to a reader whose access was checked.
 * @param use "original", "visitor" (without metadata), or "check": the original for the operator's file check, before other readers may receive it
 * @returns null for a file that does not exist
 */
export async function sendOpened(
  { request, url, address, context, caching }: SendRequest,
  file: StoredFile,
  use: FileUse,
): Promise<Response | null> {
  const requestedFile = findRequestedFile(file, address);
  if (requestedFile === null) return null;
  if (!requestedFile.isCurrent) return redirectTo(`/media/${address.id}/${requestedFile.path}${url.search}`);
  const bucketStore = r2FileStore(context.env.FILES);
  const createStore = use === "original" ? originalFileStore : visitorFileStore;
  const store = use === "check" ? bucketStore : createStore(bucketStore, context.metadata.readOverwritePlan);
  const { images, defer } = context;
  if (address.isWebVtt) return sendWebVtt(store, file, request, caching);
  if (address.width === null) return sendFile(store, requestedFile.file, request, caching);
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

async function openFileAs(
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

/** Returns the file if the link or the session grants access to it. */
async function openFileForRequest(mediaRequest: MediaRequest): Promise<StoredFile | null> {
  const { request, address, context, link, ticket } = mediaRequest;
  const { id } = address;
  const file =
    link && (await context.recentReads.read(`${linkKey(link)} ${id}`, () => openFileAs(mediaRequest, link)));
  if (file || ticket === null) return file;
  const viewer = sessionViewer(request, context);
  return context.recentReads.read(`${ticket} ${id}`, () => openFileAs(mediaRequest, viewer));
}
