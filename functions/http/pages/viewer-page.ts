import { VISIT_LIST_PAGE } from "~/domain/analytics/visit-list";
import { LANG_PARAM } from "~/domain/shared/lang";
import type { LinkMode, Uuid } from "~/domain/shared/model";

/** A visitor's request for a page of an event or its shop that may be served from the isolate's cache. */
export interface ViewerRequest {
  readonly eventId: Uuid;
  readonly mode: LinkMode;
  readonly token: string;
  /** On legacy routes: must be the space's sid. */
  readonly sid?: string;
  /** The part of the address that selects the page: its path, and its query without token and language. */
  readonly page: string;
  /** True if the query selects a search, a tag, a page of the list, a dialog or a poster of an event's page. */
  readonly hasSelection: boolean;
}

const ID = "[0-9a-f-]{36}";
const VIEWER = new RegExp(`^/event/(published|preview)/(${ID})(?:/content|\\.data)?$`);
const LEGACY = new RegExp(`^/space/(published|3d|preview)/(${ID})/([A-Za-z0-9]{1,64})$`);
const PLAIN = new Set(["token", LANG_PARAM]);
/** Parameters of a single visitor, and the router's selection of parts of a page. */
const PERSONAL = ["cart", "entered", "told", "gone", "_routes"];

/**
 * The viewer page of a request, if the page is the same for all visitors who may see it: a GET or HEAD with a token and without a cart. Null for
 * any other request, which is rendered for its visitor alone.
 * @param url in its normal form (page-request)
 */
export function plainViewerRequest(request: Request, url: URL): ViewerRequest | null {
  if (request.method !== "GET" && request.method !== "HEAD") return null;
  const [, kind, eventId, sid] = VIEWER.exec(url.pathname) ?? LEGACY.exec(url.pathname) ?? [];
  const token = url.searchParams.get("token");
  if (!eventId || !token || PERSONAL.some((name) => url.searchParams.has(name))) return null;
  const selection = [...url.searchParams].filter(([name]) => !PLAIN.has(name));
  return {
    mode: kind === "preview" ? "preview" : "published",
    eventId: eventId as Uuid,
    token,
    ...(sid !== undefined && { sid }),
    page: `${url.pathname}?${new URLSearchParams(selection)}`,
    hasSelection: selection.length > 0,
  };
}

/** A visitor's address without its tag, and the tag whose entry is opened in the page of that address. */
export interface TagAddress {
  readonly url: URL;
  /** Null if the page opens no tag, or if the page of `url` itself opens it. */
  readonly tagId: Uuid | null;
}

/** Parameters that a link to a tag may have: those of the plain page, and the page of the list, which the tag determines. */
const TAG_LINK = new Set([...PLAIN, "tag", "page"]);

/**
 * Separates the tag from a visitor's address, so that all tags of a page of the list share its cached page. A tag that the event does not have does
 * not change the page. A medium, and a tag beside a search or a dialog, stay in the address.
 * @param url in its normal form (page-request)
 * @param content the event's tags in the order of the list, and its media
 */
export function separateTag(
  url: URL,
  { tags, media }: Readonly<Record<"tags" | "media", readonly { readonly id: Uuid }[]>>,
): TagAddress {
  const id = url.searchParams.get("tag");
  if (id === null) return { url, tagId: null };
  const at = tags.findIndex((tag) => tag.id === id);
  const isKnown = at !== -1 || media.some((medium) => medium.id === id);
  if (isKnown && (at === -1 || [...url.searchParams.keys()].some((name) => !TAG_LINK.has(name))))
    return { url, tagId: null };
  const pageUrl = new URL(url);
  pageUrl.searchParams.delete("tag");
  if (!isKnown) return { url: pageUrl, tagId: null };
  const page = Math.floor(at / VISIT_LIST_PAGE) + 1;
  if (page > 1) pageUrl.searchParams.set("page", String(page));
  else pageUrl.searchParams.delete("page");
  return { url: pageUrl, tagId: id as Uuid };
}

const SHOP =
  /^\/event\/(published|preview)\/([0-9a-f-]{36})\/shop(?:\/products\/\d{1,20}|\/collections(?:\/\d{1,20})?)?$/;
/** Parameters that select a page of a shop. A page with a choice of a product is not cached, because the store checks the choice each time. */
const PAGE_SELECTING = /^(?:q|after|before)$/;

/**
 * The page of a shop of a request, if the page is the same for all visitors without a cart: a GET with a token. Null for any other request, which
 * is rendered for its visitor alone.
 * @param url in its normal form (page-request)
 * @param hasCart whether the visitor's browser has a cart of an event
 */
export function plainShopRequest(
  request: Request,
  url: URL,
  hasCart: (eventId: Uuid) => boolean,
): ViewerRequest | null {
  if (request.method !== "GET") return null;
  const match = SHOP.exec(url.pathname);
  const token = url.searchParams.get("token");
  if (!match || !token || PERSONAL.some((name) => url.searchParams.has(name))) return null;
  const [, mode, eventId] = match as unknown as [string, LinkMode, Uuid];
  const selection = new URLSearchParams();
  for (const [name, value] of url.searchParams) {
    if (PLAIN.has(name)) continue;
    if (!PAGE_SELECTING.test(name)) return null;
    selection.append(name, value);
  }
  return hasCart(eventId)
    ? null
    : { mode, eventId, token, page: `${url.pathname}?${selection}`, hasSelection: false };
}
