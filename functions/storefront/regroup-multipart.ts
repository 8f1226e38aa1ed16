/**
 * Regroups a multipart response for the client. The client has three faults (@shopify/graphql-client 2.0.0): it decodes every network chunk
 * separately, so that a split character is lost; it accepts its boundary anywhere in the text; and it yields a part only when the next
 * chunk arrives. Therefore this module assembles complete parts (RFC 2046 §5.1.1) and ends each one with a random boundary, which no text
 * can foresee.
 */

const BOUNDARY = /boundary=(?:"([^"]+)"|([^;\s]+))/i;

/** A random boundary: 128 bits. */
const newBoundary = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** Returns the same parts with a new boundary. A part is passed on as soon as it is complete. */
export function regroupMultipart(
  body: ReadableStream<Uint8Array>,
  contentType: string,
): { readonly body: ReadableStream<Uint8Array>; readonly boundary: string } {
  const match = BOUNDARY.exec(contentType);
  // graphql-over-HTTP's incremental delivery: the boundary is "-" if the header names none.
  const responseBoundary = `\r\n--${match?.[1] ?? match?.[2] ?? "-"}`;
  const ownBoundary = newBoundary();
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  const reader = body.getReader();
  // The first boundary may be at the very beginning.
  let buffered = "\r\n";
  /** "before": before the first boundary, where text is not a part; "open": within a part; "passed": the part was passed on already. */
  let state: "before" | "open" | "passed" = "before";

  /** Returns all complete parts of the received data. */
  function takeCompleteParts(): string {
    let complete = "";
    for (
      let offset = buffered.indexOf(responseBoundary);
      offset >= 0;
      offset = buffered.indexOf(responseBoundary)
    ) {
      const following = buffered.slice(
        offset + responseBoundary.length,
        offset + responseBoundary.length + 2,
      );
      // The bytes after a boundary show whether it is the last one.
      if (following.length < 2) break;
      if (state === "before") complete += `--${ownBoundary}`;
      else if (state === "open") complete += `${buffered.slice(0, offset)}\r\n--${ownBoundary}`;
      state = "open";
      buffered = buffered.slice(offset + responseBoundary.length);
      if (following === "--") {
        buffered = "";
        return `${complete}--\r\n`;
      }
    }
    if (state === "open" && isComplete(buffered)) {
      const part = buffered.trimEnd();
      complete += `${part}\r\n--${ownBoundary}`;
      state = "passed";
      // A line end may be the beginning of the next boundary.
      buffered = buffered.slice(part.length);
    }
    return complete;
  }

  return {
    boundary: ownBoundary,
    body: new ReadableStream<Uint8Array>({
      async pull(controller) {
        for (;;) {
          const { done, value } = await reader.read();
          buffered += done ? decoder.decode() : decoder.decode(value, { stream: true });
          const complete = takeCompleteParts();
          if (complete !== "") controller.enqueue(encoder.encode(complete));
          if (done) return controller.close();
          if (complete !== "") return;
        }
      },
      cancel: (reason) => reader.cancel(reason),
    }),
  };
}

/** Whether a part contains its complete JSON. It can then be used without waiting for the next boundary. */
function isComplete(part: string): boolean {
  const headEnd = part.indexOf("\r\n\r\n");
  if (headEnd < 0 || !part.trimEnd().endsWith("}")) return false;
  try {
    JSON.parse(part.slice(headEnd));
    return true;
  } catch {
    return false;
  }
}
