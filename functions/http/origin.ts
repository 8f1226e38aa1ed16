/**
 * True if a changing request may use the caller's cookies: its Origin must equal the origin of its URL, including scheme and port. A request without Origin comes
 * from a program, unless Sec-Fetch-Site is cross-site. A request from another site's page or a sandboxed frame (`null`) is rejected.
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

/** The methods that pages accept. */
export const PAGE_METHODS: readonly string[] = ["GET", "HEAD", "POST"];

/**
 * The HTTP status with which a page request is rejected before routing, or null: 405 for a method that pages do not have, 403 for a cross-site
 * change.
 */
export function pageRejectionStatus(request: Request): 403 | 405 | null {
  if (!PAGE_METHODS.includes(request.method)) return 405;
  return request.method !== "POST" || isSameOrigin(request) ? null : 403;
}
