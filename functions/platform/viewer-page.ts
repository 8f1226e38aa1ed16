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

/** A visitor's request for a page of an event's shop that may be answered from the isolate. */
export interface ShopRequest extends ViewerRequest {
  /** Which page: its path and what of its query chooses it. */
  readonly page: string;
}

const SHOP =
  /^\/event\/(published|preview)\/([0-9a-f-]{36})\/shop(?:\/products\/\d{1,20}|\/collections(?:\/\d{1,20})?)?$/;
/** What chooses a page of a shop: where a list goes on, what is searched for, a product's options. */
const CHOOSES = /^(?:q|after|before|choice|named|opt\..{1,255})$/;

/**
 * Whether a request is for a page of a shop as everybody sees it who has no cart: a plain read with a token. Null for anything else, which
 * takes the long way.
 * @param hasCart whether the visitor's browser has a cart of an event
 */
export function plainShopRequest(
  request: Request,
  url: URL,
  hasCart: (eventId: Uuid) => boolean,
): ShopRequest | null {
  if (request.method !== "GET") return null;
  const match = SHOP.exec(url.pathname);
  const token = url.searchParams.get("token");
  if (!match || !token || url.searchParams.getAll("token").length > 1) return null;
  const [, mode, eventId] = match as unknown as [string, LinkMode, Uuid];
  const chosen = new URLSearchParams();
  for (const [name, value] of url.searchParams) {
    if (PLAIN.has(name)) continue;
    if (!CHOOSES.test(name)) return null;
    chosen.append(name, value);
  }
  return hasCart(eventId) ? null : { mode, eventId, token, page: `${url.pathname}?${chosen}` };
}
