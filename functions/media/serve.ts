import type { StoredFile } from "#functions/services/ports";
import { isUuid } from "~/domain/ids";
import type { Actor, LinkMode, Uuid } from "~/domain/model";
import { r2FileStore } from "./file-store";
import { sendFile } from "./send";

type FileViewer =
  | { readonly kind: "actor"; readonly actor: Actor }
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
const missing = () =>
  new Response(null, {
    status: 404,
    headers: { "cache-control": "no-store", "x-content-type-options": "nosniff" },
  });

/**
 * /media/{library item id}: for people by their session, for visitors by `?event={uuid}&mode=preview|published&token=…`.
 * A link that does not open the file falls back to the session, so that owners can look at their own pages.
 */
export async function serveMedia(request: Request, door: MediaDoor): Promise<Response> {
  if (request.method !== "GET" && request.method !== "HEAD") {
    return new Response(null, { status: 405, headers: { allow: "GET, HEAD" } });
  }
  const url = new URL(request.url);
  const id = url.pathname.replace(/^\/media\//, "");
  if (!isUuid(id)) return missing();
  const file = await openFor(request, url, id, door);
  return (file && (await sendFile(r2FileStore(door.env.FILES), file, request))) ?? missing();
}

async function openFor(request: Request, url: URL, id: Uuid, door: MediaDoor): Promise<StoredFile | null> {
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
    if (file) return file;
  }
  const session = await context.session();
  return session && open({ kind: "actor", actor: session.actor });
}
