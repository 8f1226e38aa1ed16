import type { LivePart, LiveProducts } from "./visit-context";

/** Yields the lines of a stream as they arrive; text after the last line feed is dropped. */
async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
  let buffered = "";
  for (;;) {
    const { done, value = "" } = await reader.read();
    if (done) return;
    const lines = (buffered + value).split("\n");
    buffered = lines.pop() ?? "";
    yield* lines;
  }
}

/**
 * Reads the response of `shop/live`.
 * @param onPart called with each part as soon as it has arrived
 * @throws if the response ends without the products
 */
export async function readLive(
  body: ReadableStream<Uint8Array>,
  onPart: (part: LivePart) => void,
): Promise<void> {
  let hasProducts = false;
  for await (const line of readLines(body)) {
    const part = JSON.parse(line) as LivePart;
    hasProducts ||= "products" in part;
    onPart(part);
  }
  if (!hasProducts) throw new Error("The response ended too soon.");
}

/** Merges a further response of the store. If it failed, the previous data is kept. */
export const mergeLiveProducts = (previous: LiveProducts | null, next: LiveProducts): LiveProducts =>
  next.products === null
    ? { products: previous?.products ?? null, readAt: previous?.readAt, hasFailed: true }
    : next;
