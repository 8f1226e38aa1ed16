import { expect, test } from "vitest";
import { liveAfter, readLive } from "./read-live";
import type { LivePart } from "./visit-context";

const bodyOf = (...texts: string[]) => new Blob(texts).stream() as unknown as ReadableStream<Uint8Array>;
const product = { title: "Tenugui", price: "¥1,650", state: "In stock", isInStock: true, saidAt: 0 };

test("what an event learns later is read line by line, and has failed when it ends without the products", async () => {
  const told: LivePart[] = [];
  await readLive(bodyOf('{"count":3}\n', `{"products":{"a":${JSON.stringify(product)}}}\n`), (part) =>
    told.push(part),
  );
  expect(told).toEqual([{ count: 3 }, { products: { a: product } }]);
  const cut: LivePart[] = [];
  await expect(readLive(bodyOf('{"count":3}\n', '{"prod'), (part) => cut.push(part))).rejects.toThrow(
    "too soon",
  );
  expect(cut).toEqual([{ count: 3 }]);
});

test("prices that were there stay when the store does not answer again, which is said beside them", () => {
  const known = { products: { a: product } };
  const failed = liveAfter(known, { products: null });
  expect(failed).toEqual({ ...known, hasFailed: true });
  expect(liveAfter(failed, { products: { a: null } })).toEqual({ products: { a: null } });
  expect(liveAfter(null, { products: null })).toEqual({ products: null, hasFailed: true });
});
