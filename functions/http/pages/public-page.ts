import { LANG_PARAM } from "~/domain/shared/lang";

/** A page that is the same for every caller without a session. */
export interface PublicPage {
  /** The path at which the page is rendered for all callers, without its last segment if that is in `segment`. */
  readonly path: string;
  /** The last segment of the caller's path, which the page contains; null if the page is the same without it. */
  readonly segment: string | null;
}

/** The log-in page, at both of its paths. */
const LOG_IN_PATH = /^\/(login)?$/;
/** The page of links that open nothing. Its id is written into the HTML and its scripts, so only these characters are accepted. */
const CLOSED_LINK_PAGE = /^(\/error\/event\/)([A-Za-z0-9-]{1,64})$/;
/** A path of no route, at which the page of all such paths is rendered. */
const NOT_FOUND = "/not-found";

/**
 * The page of a request that is cached for all callers without a session: a GET or HEAD of a path without a route, or of the log-in page or the page
 * of a closed link without parameters other than the language. Null for any other request.
 * @param url in its normal form (page-request)
 * @param hasRoute whether a path may have a route
 */
export function plainPublicPage(
  { method }: Pick<Request, "method">,
  url: URL,
  hasRoute: (path: string) => boolean,
): PublicPage | null {
  if (method !== "GET" && method !== "HEAD") return null;
  const { pathname } = url;
  if (!hasRoute(pathname)) return { path: NOT_FOUND, segment: null };
  const [, path = pathname, segment = null] = CLOSED_LINK_PAGE.exec(pathname) ?? [];
  if (segment === null && !LOG_IN_PATH.test(pathname)) return null;
  return [...url.searchParams.keys()].every((name) => name === LANG_PARAM) ? { path, segment } : null;
}
