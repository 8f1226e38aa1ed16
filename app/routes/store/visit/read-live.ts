import type { Live, LivePart } from "./visit-context";

/** The lines of a text, each as soon as it is there. */
async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
  let rest = "";
  for (;;) {
    const { done, value = "" } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}

/**
 * Reads what `shop/live` says, each part as soon as it is there.
 * @throws when it ends without the products: then nothing is known of them
 */
export async function readLive(
  body: ReadableStream<Uint8Array>,
  tell: (part: LivePart) => void,
): Promise<void> {
  let hasProducts = false;
  for await (const line of linesOf(body)) {
    const part = JSON.parse(line) as LivePart;
    hasProducts ||= "products" in part;
    tell(part);
  }
  if (!hasProducts) throw new Error("The answer ended too soon");
}

/** What is known once the store was asked again: where it did not answer, what it said before stays. */
export const liveAfter = (before: Live | null, next: Live): Live =>
  next.products === null ? { products: before?.products ?? null, read: before?.read, hasFailed: true } : next;
