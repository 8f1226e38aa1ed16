/** The query parameters that visitors' pages read, in a normal form. Rendered and cached pages depend on these parameters alone. */

import { contentQueryParams, readContentQuery } from "../content/content-query";
import { LANG_PARAM, resolveLang } from "../shared/lang";
import { EVENT_MEDIA_MAX, EVENT_TAGS_MAX } from "../shared/limits";
import { CAMPAIGN } from "../store/product-choice";
import { VISITOR_LIST_PAGE_SIZE } from "./visitor-list";

/** Kinds of visitors' pages: an event's page, its shop, a product of its shop, the data of its whole list, the page of closed links. */
export type VisitorPageKind = "event" | "shop" | "product" | "content" | "closed";

const LINK_PATH =
  /^\/(?:event\/(?:published|preview)\/[^/]+|space\/(?:published|3d|preview)\/[^/]+\/[^/]+)(\/.*)?$/;

/** The kind of the visitors' page at a path, with or without the router's `.data`; null for any other path. */
export function visitorPageKind(pathname: string): VisitorPageKind | null {
  const path = pathname.replace(/\.data$/, "");
  if (/^\/error\/event\/[^/]+$/.test(path)) return "closed";
  const match = LINK_PATH.exec(path);
  if (!match) return null;
  const [, subpath = ""] = match;
  if (/^\/shop\/products\/[^/]+$/.test(subpath)) return "product";
  if (/^\/shop(\/|$)/.test(subpath)) return "shop";
  if (subpath === "/content") return "content";
  return subpath === "" ? "event" : null;
}

/**
 * Parameters of the pages of an event and its shop: the token, the visitor's cart, and the router's selection of a page's data. Other parameters are
 * those of single pages: `entered` follows a correct publish password, `told` contains a notice about the cart, and `gone` means that the cart has expired.
 */
const COMMON_NAMES = ["token", "cart", "_routes"] as const;
const PARAMETER_NAMES: Readonly<Record<VisitorPageKind, readonly string[]>> = {
  event: [...COMMON_NAMES, "tag", "entered"],
  shop: [...COMMON_NAMES, "q", "after", "before", "told", "gone"],
  product: [...COMMON_NAMES, "choice", "named", "told", "gone"],
  content: ["token"],
  closed: ["link", "_routes"],
};
/** Maximum number of parameters with unknown names: only a store knows the names of its options. A product has at most three options. */
const OPTIONS_MAX = 10;
/** Maximum length of such a name, in characters. */
const OPTION_NAME_MAX = 260;

/** Number of pages of the longest list that an event can have. */
const LIST_PAGES_MAX = Math.ceil((EVENT_TAGS_MAX + EVENT_MEDIA_MAX) / VISITOR_LIST_PAGE_SIZE);

/**
 * Returns the page of a list that a URL names, counted from 1; 1 for an invalid number or one of more than five digits. A smaller number beyond the
 * longest list becomes its last page, so that such numbers cannot make the server render and cache the same page repeatedly.
 */
export function readPageNumber(searchParams: URLSearchParams): number {
  const text = searchParams.get("page") ?? "";
  return /^[1-9]\d{0,4}$/.test(text) ? Math.min(Number(text), LIST_PAGES_MAX) : 1;
}

/**
 * Normalises the query of a visitor's URL: only parameters that its page reads, in a fixed order, each name once with its first value,
 * and without empty values. Keywords may have several values. Options of a product keep all values,
 * including empty ones.
 */
export function normaliseVisitorQuery(kind: VisitorPageKind, searchParams: URLSearchParams): URLSearchParams {
  const query = new URLSearchParams();
  for (const name of PARAMETER_NAMES[kind]) {
    const value = searchParams.get(name);
    if (value !== null && value !== "") query.set(name, value);
  }
  // An empty "entered" means the same as one with a value, and an empty "lang" means English.
  if (kind === "event" && searchParams.has("entered")) query.set("entered", "1");
  const lang = searchParams.get(LANG_PARAM);
  if (lang !== null) query.set(LANG_PARAM, resolveLang(lang, null));
  if (kind === "event") addContentQuery(query, searchParams);
  if (kind === "product") addOptions(query, searchParams);
  return query;
}

function addContentQuery(query: URLSearchParams, searchParams: URLSearchParams): void {
  const content = readContentQuery(searchParams);
  for (const [name, value] of contentQueryParams({ ...content, keywords: [...content.keywords].sort() }))
    query.append(name, value);
  const page = readPageNumber(searchParams);
  if (page > 1) query.set("page", String(page));
  if (searchParams.get("poster") === "1") query.set("poster", "1");
  if (searchParams.get("dialog") === "share") query.set("dialog", "share");
  // Scripts move the camera. The server needs the view only for the share dialog and for the link behind a poster.
  const view = searchParams.get("view");
  if (view && view.length <= 160 && (query.has("poster") || query.has("dialog"))) query.set("view", view);
}

function addOptions(query: URLSearchParams, searchParams: URLSearchParams): void {
  const names = [...new Set(searchParams.keys())].filter(
    (name) =>
      !query.has(name) && name !== LANG_PARAM && name.length <= OPTION_NAME_MAX && !CAMPAIGN.test(name),
  );
  for (const name of names.sort().slice(0, OPTIONS_MAX))
    for (const value of new Set(searchParams.getAll(name))) query.append(name, value);
}
