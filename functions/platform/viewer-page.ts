import { LANG_PARAM } from "~/domain/lang";
import type { LinkMode, Uuid } from "~/domain/model";

/** A visitor's request for a viewer page that may be answered from the isolate. */
export interface ViewerRequest {
  readonly eventId: Uuid;
  readonly mode: LinkMode;
  readonly token: string;
}

const VIEWER = /^\/event\/(published|preview)\/([0-9a-f-]{36})$/;
const PLAIN = new Set(["token", LANG_PARAM]);

/**
 * Whether a request is for a viewer page as everybody sees it: a plain read with a token, asking for nothing but a
 * language. Null for anything else, which takes the long way.
 */
export function plainViewerRequest(request: Request, url: URL): ViewerRequest | null {
  if (request.method !== "GET") return null;
  const match = VIEWER.exec(url.pathname);
  if (!match) return null;
  const token = url.searchParams.get("token");
  if (!token) return null;
  for (const name of url.searchParams.keys()) if (!PLAIN.has(name)) return null;
  if (url.searchParams.getAll("token").length > 1) return null;
  return { mode: match[1] as LinkMode, eventId: match[2] as Uuid, token };
}
