/**
 * A multipart answer in pieces that the client takes as they are. The client decodes every chunk of the network by itself, so that a
 * character cut in two is lost, takes its boundary for one wherever it stands, and hands on a part when the next chunk comes
 * (@shopify/graphql-client 2.0.0). So parts are put together here (RFC 2046 §5.1.1) and passed on whole, each with the boundary that ends it,
 * which no text can contain.
 */

const BOUNDARY = /boundary=(?:"([^"]+)"|([^;\s]+))/i;

/** A random boundary: 128 bits. */
const newBoundary = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** Returns the same parts, one in each chunk, and their new boundary. */
export function wholeParts(
  body: ReadableStream<Uint8Array>,
  contentType: string,
): { readonly body: ReadableStream<Uint8Array>; readonly boundary: string } {
  const match = BOUNDARY.exec(contentType);
  // graphql-over-HTTP's incremental delivery: the boundary is "-" if the header names none.
  const theirs = `\r\n--${match?.[1] ?? match?.[2] ?? "-"}`;
  const ours = newBoundary();
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  const reader = body.getReader();
  // The first boundary may be at the very beginning.
  let rest = "\r\n";
  /** Text before the first boundary is not a part, and a part that was passed on is not passed on again. */
  let state: "before" | "open" | "passed" = "before";

  /** Returns all complete parts of the received data. */
  function take(): string {
    let out = "";
    for (let at = rest.indexOf(theirs); at >= 0; at = rest.indexOf(theirs)) {
      const after = rest.slice(at + theirs.length, at + theirs.length + 2);
      // The bytes after a boundary show whether it is the last one.
      if (after.length < 2) break;
      if (state === "before") out += `--${ours}`;
      else if (state === "open") out += `${rest.slice(0, at)}\r\n--${ours}`;
      state = "open";
      rest = rest.slice(at + theirs.length);
      if (after === "--") {
        rest = "";
        return `${out}--\r\n`;
      }
    }
    if (state === "open" && isWhole(rest)) {
      const part = rest.trimEnd();
      out += `${part}\r\n--${ours}`;
      state = "passed";
      // A line end may be the beginning of the next boundary.
      rest = rest.slice(part.length);
    }
    return out;
  }

  return {
    boundary: ours,
    body: new ReadableStream<Uint8Array>({
      async pull(controller) {
        for (;;) {
          const { done, value } = await reader.read();
          rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
          const out = take();
          if (out !== "") controller.enqueue(encoder.encode(out));
          if (done) return controller.close();
          if (out !== "") return;
        }
      },
      cancel: (reason) => reader.cancel(reason),
    }),
  };
}

/** True if a part contains its complete JSON: it can then be used without waiting for the next boundary. */
function isWhole(part: string): boolean {
  const head = part.indexOf("\r\n\r\n");
  if (head < 0 || !part.trimEnd().endsWith("}")) return false;
  try {
    JSON.parse(part.slice(head));
    return true;
  } catch {
    return false;
  }
}
