/** Maximum length of a path with its query, in characters. */
const PATH_MAX = 2048;
/** Origin for parsing paths. No site has it. */
const BASE = "https://hiroba.invalid";

/**
 * Returns the page to open next, for example after a log-in: `value` if it is the path of a page on this site, else `fallback`. Rejects other origins in
 * any spelling (//host, /\host, paths that resolve to //host), control characters and spaces, the root, the pages that log in and out, and the API.
 */
export function safeNext(value: string | null | undefined, fallback: string): string {
  if (!value || value.length > PATH_MAX || !value.startsWith("/")) return fallback;
  if (/[\\\u0000-\u0020\u007f-\u009f]/.test(value) || value.startsWith("//")) return fallback;
  let url: URL;
  try {
    url = new URL(value, BASE);
  } catch {
    return fallback;
  }
  if (url.origin !== BASE || url.pathname.startsWith("//")) return fallback;
  const pagePath = decodePath(url.pathname).toLowerCase().replace(/\/+$/, "");
  if (pagePath === "" || pagePath === "/login" || pagePath === "/logout") return fallback;
  if (pagePath === "/api" || pagePath.startsWith("/api/") || pagePath.startsWith("/default/"))
    return fallback;
  return url.pathname + url.search + url.hash;
}

/** Decodes a path as the route table does. */
function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Returns the path of the log-in page that returns to `path` afterwards. */
export function loginPath(path: string): string {
  const next = safeNext(path, "");
  return next === "" ? "/login" : `/login?next=${encodeURIComponent(next)}`;
}

/** Returns the path of the page that sets up a second factor. @param path the page to open afterwards */
export function secondFactorPath(path: string): string {
  const next = safeNext(path, "");
  const page = "/account/second-factor";
  return next === "" ? page : `${page}?next=${encodeURIComponent(next)}`;
}
