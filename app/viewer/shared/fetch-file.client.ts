import { consumePrefetched } from "../core/prefetch";

/** Options of a download. */
export interface FetchOptions {
  /** Reports the received share, 0…1, if the server states the length. */
  onProgress?(share: number): void;
  /**
   * Inspects the received beginning of the file, each time that its length has doubled, until it returns true. An error that it
   * throws ends the download.
   */
  inspect?(head: Uint8Array): boolean | Promise<boolean>;
  /** "low" for files that are needed later. */
  readonly priority?: RequestPriority;
}

/** Number of bytes after which the beginning is no longer inspected. */
const INSPECTED_BYTES_MAX = 32 * 1024 * 1024;

/**
 * Downloads a file and reports its progress. Rejects with AbortError, with a TypeError without network, with an Error for statuses that are not ok,
 * and with the error of `inspect`. A prefetched response is aborted by the signal of `prefetch`, not by `signal`.
 */
export async function fetchFile(url: string, signal: AbortSignal, options: FetchOptions = {}): Promise<Blob> {
  const { onProgress, priority = "auto" } = options;
  let { inspect: inspectHead } = options;
  const response = await (consumePrefetched(url) ?? fetch(url, { signal, priority }));
  if (!response.ok) throw new Error(`The server returned ${response.status} for the file.`);
  const type = response.headers.get("content-type") ?? "";
  const total = Number(response.headers.get("content-length"));
  if (!response.body || (!inspectHead && !(onProgress && total > 0))) return response.blob();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let received = 0;
  let nextInspectionBytes = 0;
  const reader = response.body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (value) parts.push(value);
      received += value?.byteLength ?? 0;
      if (inspectHead && (done || received >= nextInspectionBytes)) {
        const head = new Uint8Array(await new Blob(parts).arrayBuffer());
        if ((await inspectHead(head)) || received > INSPECTED_BYTES_MAX) inspectHead = undefined;
        nextInspectionBytes = received * 2;
      }
      if (done) break;
      // Compressed responses are longer than their content-length.
      if (total > 0) onProgress?.(Math.min(1, received / total));
    }
  } catch (error) {
    reader.cancel().catch(() => {});
    throw error;
  }
  return new Blob(parts, { type });
}
