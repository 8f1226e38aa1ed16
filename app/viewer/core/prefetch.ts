/** Requests the file of a space while the code that shows it is still loading. */
import type { ViewerSource } from "./contract";

interface PrefetchedFile {
  readonly url: string;
  readonly response: Promise<Response>;
}

const prefetched = new Set<PrefetchedFile>();

/** Requests the file of a source that has a single file, until `signal` aborts. The caller that consumes the response handles its errors. */
export function prefetch(source: ViewerSource, signal: AbortSignal): void {
  if (source.kind !== "model" && source.kind !== "splat") return;
  const file: PrefetchedFile = { url: source.url, response: fetch(source.url, { signal }) };
  file.response.catch(() => {});
  prefetched.add(file);
  signal.addEventListener("abort", () => prefetched.delete(file), { once: true });
}

/** Returns the prefetched response to the first caller, or null when there is none. */
export function consumePrefetched(url: string): Promise<Response> | null {
  for (const file of prefetched)
    if (file.url === url) {
      prefetched.delete(file);
      return file.response;
    }
  return null;
}
