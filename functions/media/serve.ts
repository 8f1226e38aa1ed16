import type { StoredFile } from "#functions/services/ports";
import { isUuid } from "~/domain/ids";
import { fileVersion, pictureKey } from "~/domain/media-address";
import type { Actor, LinkMode, Uuid } from "~/domain/model";
import { type MediaAddress, presentAddress, readMediaAddress } from "./address";
import { r2FileStore } from "./file-store";
import type { Pictures } from "./pictures";
import type { RecentReads } from "./recent-reads";
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

/** A file or picture that somebody may have, and whether his own browser may keep it. */
interface Opened {
  readonly file: StoredFile;
  /** Opened by a session, at an address of its own: see decision 015. */
  readonly own: boolean;
}

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
  const asked = readMediaAddress(url);
  if (asked === "unknown") return missing();
  if (asked === "bad") return missing(400);
  // A player's next part of what it has just been let in to.
  const ticket = url.searchParams.has("event") ? null : door.ticketOf(request);
  const recent = ticket !== null && request.headers.has("range") ? door.reads.find(ticket, asked.id) : null;
  const again = recent && (await send({ request, url, asked, door }, { file: recent, own: true }));
  if (again?.ok) return again;
  await again?.body?.cancel();
  const opened = await openFor(request, url, asked.id, door);
  return (opened && (await send({ request, url, asked, door }, opened))) ?? missing();
}

interface Asked {
  readonly request: Request;
  readonly url: URL;
  readonly asked: MediaAddress;
  readonly door: MediaDoor;
}

/** Sends what was asked for of a file that somebody may have; null for what there is not. */
async function send({ request, url, asked, door }: Asked, { file, own }: Opened): Promise<Response | null> {
  const key = asked.width === null ? file.fileKey : pictureKey(file);
  if (key === null) return null;
  if (asked.version !== null && asked.version !== fileVersion(key))
    return moved(presentAddress(url, asked.id, key));
  const caching = own && asked.version !== null ? KEPT : {};
  const store = r2FileStore(door.env.FILES);
  const { pictures, defer } = door;
  if (asked.asVtt) return sendWebVtt(store, file, request, caching);
  if (asked.width === null) return sendFile(store, file, request, caching);
  return sendPicture({ store, pictures, defer }, file, asked.width, request, caching);
}

async function openFor(request: Request, url: URL, id: Uuid, door: MediaDoor): Promise<Opened | null> {
  const context = door.pageContext(request, { nonce: "", buffered: false });
  const open = async (viewer: FileViewer) => {
    try {
      return await door.services.library.openFile({ id, viewer });
    } catch (error) {
      if ((error as { kind?: unknown }).kind === "not_found") return null;
      throw error;
    }
  };
  const eventId = url.searchParams.get("event");
  const mode = url.searchParams.get("mode");
  const token = url.searchParams.get("token");
  if (isUuid(eventId) && (mode === "preview" || mode === "published") && token) {
    const file = await open({
      kind: "link",
      eventId,
      mode,
      token,
      passwordFlag: context.passwordFlag(eventId),
    });
    if (file) return { file, own: false };
  }
  const ticket = door.ticketOf(request);
  if (ticket === null) return null;
  const actor = context.session().then((session) => session?.actor ?? null);
  const file = await door.reads.look(ticket, () => open({ kind: "actor", actor }));
  return file && { file, own: eventId === null };
}
