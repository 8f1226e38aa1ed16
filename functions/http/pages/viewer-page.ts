import { LANG_PARAM } from "~/domain/shared/lang";
import type { LinkMode, Uuid } from "~/domain/shared/model";
import { VISITOR_LIST_PAGE_SIZE } from "~/domain/visitors/visitor-list";

/** A visitor's request for a page of an event or its shop that may be served from the isolate's cache. */
export interface ViewerRequest {
  readonly eventId: Uuid;
  readonly mode: LinkMode;
  readonly token: string;
  /** The space's sid (its public id of 11 characters), which must match; only on legacy routes. */
  readonly sid?: string;
  /** The part of the URL that selects the page: its path, and its query without token and language. */
  readonly page: string;
  /** Whether the query selects a search, a tag, a page of the list, a dialog or the poster (a still image in place of the 3D view) of an event's page. */
  readonly hasSelection: boolean;
}

const ID = "[0-9a-f-]{36}";
const EVENT_PAGE = new RegExp(`^/event/(published|preview)/(${ID})(?:/content|\\.data)?$`);
const LEGACY_EVENT_PAGE = new RegExp(`^/space/(published|3d|preview)/(${ID})/([A-Za-z0-9]{1,64})$`);
/** The query of a link to an event or to a tag, as owners share it. Reading it with an expression saves creating and iterating a URLSearchParams. */
const SHARED_QUERY = /^\?token=([\w-]+)(?:&(tag=[\w-]+))?$/;
const PLAIN_PARAMS = new Set(["token", LANG_PARAM]);
/** Parameters of a single visitor (the cart and its notices, and a password that was just entered), and the router's selection of parts of a page. */
const PERSONAL_PARAMS = ["cart", "entered", "told", "gone", "_routes"];

/**
 * The viewer page of a request, if the page is the same for all visitors who may see it: a GET or HEAD with a token and without PERSONAL_PARAMS. Null
 * for any other request, which is rendered for its visitor alone.
 * @param url in its normal form (page-request)
 */
export function plainViewerRequest(request: Request, url: URL): ViewerRequest | null {
  if (request.method !== "GET" && request.method !== "HEAD") return null;
  const [, kind, eventId, sid] = EVENT_PAGE.exec(url.pathname) ?? LEGACY_EVENT_PAGE.exec(url.pathname) ?? [];
  if (!eventId) return null;
  const query = readQuery(url);
  return (
    query && {
      mode: kind === "preview" ? "preview" : "published",
      eventId: eventId as Uuid,
      token: query.token,
      ...(sid !== undefined && { sid }),
      page: `${url.pathname}?${query.selection}`,
      hasSelection: query.selection !== "",
    }
  );
}

/** The token of a query, and the parameters that select a part of the page. Null without a token, or with a parameter of a single visitor. */
function readQuery(url: URL): { readonly token: string; readonly selection: string } | null {
  const [, sharedToken, tag = ""] = SHARED_QUERY.exec(url.search) ?? [];
  if (sharedToken !== undefined) return { token: sharedToken, selection: tag };
  const query = [...url.searchParams];
  const token = url.searchParams.get("token");
  if (!token || query.some(([name]) => PERSONAL_PARAMS.includes(name))) return null;
  return { token, selection: String(new URLSearchParams(query.filter(([name]) => !PLAIN_PARAMS.has(name)))) };
}

/** The item that a link opens in a cached page: a tag (a note at a point of the space) or a media item. */
export interface OpenItem {
  readonly kind: "tag" | "media";
  readonly id: Uuid;
  /** False for a media item that is shown within the entry of a tag. */
  readonly hasEntry: boolean;
}

/** A visitor's URL without its tag, and the item that is opened in the page of that URL. */
export interface TagUrl {
  readonly url: URL;
  /** Null if the page opens no item, or if the page of `url` itself opens it. */
  readonly item: OpenItem | null;
}

/** The items of an event in the order of the list. */
export interface ListedContent {
  readonly tags: readonly { readonly id: Uuid; readonly mediaIds: readonly Uuid[] }[];
  readonly media: readonly { readonly id: Uuid }[];
}

/** Parameters that a link to a tag may have: those of the plain page, and the page of the list, which the item determines. */
const TAG_LINK_PARAMS = new Set([...PLAIN_PARAMS, "tag", "page"]);

interface ListedItem {
  readonly item: OpenItem;
  /** Position in the list; -1 for a media item within the entry of a tag. */
  readonly position: number;
}

/** The listed items of an event's content by their ids, because a popular page looks one up for every visitor. */
const itemsOfContent = new WeakMap<ListedContent, ReadonlyMap<string, ListedItem>>();
/** Results of separateTag for links to listed items by URL, because creating a URL takes a tenth of the time of serving a cached page. */
const tagUrlsOfContent = new WeakMap<ListedContent, Map<string, TagUrl>>();
/** Maximum number of URLs that are stored for one event's content. An event has fewer links, but any host name and language may be in a URL. */
const TAG_URLS_MAX = 2_000;

function listedItems(content: ListedContent): ReadonlyMap<string, ListedItem> {
  const knownItems = itemsOfContent.get(content);
  if (knownItems) return knownItems;
  const { tags, media } = content;
  const idsInTags = new Set(tags.flatMap(({ mediaIds }) => mediaIds));
  const items = new Map<string, ListedItem>();
  let nextPosition = tags.length;
  for (const { id } of media) {
    const hasEntry = !idsInTags.has(id);
    items.set(id, { item: { kind: "media", id, hasEntry }, position: hasEntry ? nextPosition++ : -1 });
  }
  for (const [position, { id }] of tags.entries())
    items.set(id, { item: { kind: "tag", id, hasEntry: true }, position });
  itemsOfContent.set(content, items);
  return items;
}

/**
 * Separates the tag or media item from a visitor's URL, so that all items of a page of the list share its cached page. An item that the event does
 * not have does not change the page. An item beside a search or a dialog stays in the URL.
 * @param url in its normal form (page-request)
 */
export function separateTag(url: URL, content: ListedContent): TagUrl {
  if (!url.search.includes("tag=")) return { url, item: null };
  const tagUrls = tagUrlsOfContent.get(content) ?? new Map<string, TagUrl>();
  const stored = tagUrls.get(url.href);
  if (stored) return stored;
  const tagUrl = findTag(url, content);
  if (tagUrl.item && tagUrls.size < TAG_URLS_MAX)
    tagUrlsOfContent.set(content, tagUrls.set(url.href, tagUrl));
  return tagUrl;
}

function findTag(url: URL, content: ListedContent): TagUrl {
  const id = url.searchParams.get("tag");
  if (id === null) return { url, item: null };
  const listedItem = listedItems(content).get(id);
  if (listedItem && [...url.searchParams.keys()].some((name) => !TAG_LINK_PARAMS.has(name)))
    return { url, item: null };
  const pageUrl = new URL(url);
  pageUrl.searchParams.delete("tag");
  if (!listedItem) return { url: pageUrl, item: null };
  const { item, position } = listedItem;
  // A media item within a tag's entry does not change the page of the list.
  if (position === -1) return { url: pageUrl, item };
  const page = Math.floor(position / VISITOR_LIST_PAGE_SIZE) + 1;
  if (page > 1) pageUrl.searchParams.set("page", String(page));
  else pageUrl.searchParams.delete("page");
  return { url: pageUrl, item };
}

const VISITOR_PAGE = /^(\/event\/(?:published|preview)\/[0-9a-f-]{36})(\/shop(?:\/|\.data$|$).*|\.data)?$/;

/**
 * Returns the plain page of an event for a URL of the event or of its shop. Visitors receive it while their network has reached the limit of rendered
 * pages. Null for other URLs.
 */
export function getPlainPage(url: URL): { readonly url: URL; readonly isShop: boolean } | null {
  const [, path, pathRest = ""] = VISITOR_PAGE.exec(url.pathname) ?? [];
  if (path === undefined) return null;
  const plain = new URL(pathRest === ".data" ? `${path}.data` : path, url);
  for (const name of PLAIN_PARAMS) {
    const value = url.searchParams.get(name);
    if (value !== null) plain.searchParams.set(name, value);
  }
  return { url: plain, isShop: pathRest.startsWith("/shop") };
}

const SHOP_PAGE =
  /^\/event\/(published|preview)\/([0-9a-f-]{36})\/shop(?:\/products\/\d{1,20}|\/collections(?:\/\d{1,20})?)?$/;
/** Parameters that select a page of a shop. A page with a selected variant is not cached, because the store checks the selection each time. */
const SHOP_PARAMS = /^(?:q|after|before)$/;

/**
 * Returns a shop's page if it is the same for all visitors without a cart: a GET with a token. Null for any other request, which is rendered for its
 * visitor alone.
 * @param url in its normal form (page-request)
 * @param hasCart whether the visitor's browser has a cart of an event
 */
export function plainShopRequest(
  request: Request,
  url: URL,
  hasCart: (eventId: Uuid) => boolean,
): ViewerRequest | null {
  if (request.method !== "GET") return null;
  const match = SHOP_PAGE.exec(url.pathname);
  const query = match && readQuery(url);
  if (!match || !query) return null;
  const { token, selection } = query;
  const [, mode, eventId] = match as unknown as [string, LinkMode, Uuid];
  if ([...new URLSearchParams(selection).keys()].some((name) => !SHOP_PARAMS.test(name))) return null;
  return hasCart(eventId)
    ? null
    : { mode, eventId, token, page: `${url.pathname}?${selection}`, hasSelection: false };
}
