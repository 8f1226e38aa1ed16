/**
 * Whether a request that changes something may do so with the caller's cookies: its Origin is this one, scheme and port too.
 * A request without Origin comes from a program, not from a page; one from a page of another site, or from a sandboxed
 * frame (`null`), is refused.
 */
export function isSameOrigin(request: Request): boolean {
  const origin = request.headers.get("origin");
  if (origin === null) return request.headers.get("sec-fetch-site") !== "cross-site";
  try {
    return new URL(origin).origin === new URL(request.url).origin;
  } catch {
    return false;
  }
}

/** The methods that pages have. */
export const PAGE_METHODS: readonly string[] = ["GET", "HEAD", "POST"];

/**
 * Why a request for a page is not even tried, as an HTTP status, or null: 405 for a method that pages do not have, 403 for
 * a change that another site asks for.
 */
export function pageRejectionStatus(request: Request): 403 | 405 | null {
  if (!PAGE_METHODS.includes(request.method)) return 405;
  return request.method !== "POST" || isSameOrigin(request) ? null : 403;
}
