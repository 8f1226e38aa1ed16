import { expect, test } from "vitest";
import { mergeLiveProducts, readLive } from "./read-live";
import type { LivePart } from "./visit-context";

const createBody = (...texts: string[]) => new Blob(texts).stream() as unknown as ReadableStream<Uint8Array>;
const product = { title: "Tenugui", price: "¥1,650", state: "In stock", isInStock: true, respondedAt: 0 };

test("reads the late data of an event line by line, and fails if the response ends without the products", async () => {
  const received: LivePart[] = [];
  await readLive(createBody('{"count":3}\n', `{"products":{"a":${JSON.stringify(product)}}}\n`), (part) =>
    received.push(part),
  );
  expect(received).toEqual([{ count: 3 }, { products: { a: product } }]);
  const receivedBeforeEnd: LivePart[] = [];
  await expect(
    readLive(createBody('{"count":3}\n', '{"prod'), (part) => receivedBeforeEnd.push(part)),
  ).rejects.toThrow("too soon");
  expect(receivedBeforeEnd).toEqual([{ count: 3 }]);
});

test("keeps the previous prices if a later request to the store fails, and reports the failure beside them", () => {
  const known = { products: { a: product } };
  const failed = mergeLiveProducts(known, { products: null });
  expect(failed).toEqual({ ...known, hasFailed: true });
  expect(mergeLiveProducts(failed, { products: { a: null } })).toEqual({ products: { a: null } });
  expect(mergeLiveProducts(null, { products: null })).toEqual({ products: null, hasFailed: true });
});
