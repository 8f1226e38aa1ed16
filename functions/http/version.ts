/** Replaced when the worker is bundled (scripts/lib/build/build.ts); absent in tests. */
declare const BUILT_VERSION: string;

/** Path of the version file (specification §1). */
export const VERSION_PATH = "/version.txt";

/** The built version with its commit; empty in unit tests. */
export const builtVersion: string = typeof BUILT_VERSION === "string" ? BUILT_VERSION : "";

/** Serves `GET /version.txt`: the version with its commit, or only the product's name in production, which shows neither. */
export function serveVersion({ method }: Request, production: boolean): Response {
  if (method !== "GET" && method !== "HEAD")
    return new Response(null, { status: 405, headers: { allow: "GET, HEAD" } });
  const text = production || builtVersion === "" ? "Hiroba" : builtVersion;
  return new Response(method === "HEAD" ? null : `${text}\n`, {
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-cache" },
  });
}
