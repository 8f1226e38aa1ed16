import type { Cursor } from "~/domain/shared/cursor";
import type { Uuid } from "~/domain/shared/model";
import type { ApiCall } from "./request";

interface Part<T> {
  readonly items: readonly T[];
  readonly hasNext: boolean;
}

/**
 * Streams a whole list as one JSON array. One part is read ahead while the caller receives the previous one, so memory holds two parts at most. A
 * read error aborts the response, because a shortened array would look complete.
 * @param firstPart the first part; it is read before the response begins, so that its errors determine the status
 */
export function streamList<T extends { readonly id: Uuid }>(
  c: ApiCall,
  firstPart: Part<T>,
  readPart: (cursor: Cursor) => Promise<Part<T>>,
  shape: (item: T) => unknown,
): Response {
  const encoder = new TextEncoder();
  let [part, separator] = [firstPart, "["];
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const text = part.items.map((item) => JSON.stringify(shape(item))).join(",");
      const last = part.items.at(-1);
      const isEnd = !part.hasNext || last === undefined;
      controller.enqueue(encoder.encode(`${separator}${text}${isEnd ? "]" : ""}`));
      if (isEnd) return controller.close();
      part = await readPart({ position: "after", id: last.id });
      separator = part.items.length > 0 ? "," : "";
      if (part.items.length > 0) return;
      // An empty part has two causes: all further rows were deleted, or the row of the cursor was. Without that row, a read before it is empty as well.
      const { items: itemsBefore } = await readPart({ position: "before", id: last.id });
      if (itemsBefore.length === 0) throw new Error("The list ended before its last item.");
    },
  });
  return c.body(body, 200, { "content-type": "application/json" });
}
