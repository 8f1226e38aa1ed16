import { expect, it } from "vitest";
import { type Overwrite, OverwriteList, OverwritePlan } from "./overwrites";

/** Applies overwrites (ranges of a file with their new bytes) one after the other to a whole file. */
function appliedInOrder(file: Uint8Array, overwrites: readonly Overwrite[]): Uint8Array {
  const overwrittenFile = file.slice();
  for (const [start, lengthOrBytes, byte = 0] of overwrites)
    if (typeof lengthOrBytes === "number") overwrittenFile.fill(byte, start, start + lengthOrBytes);
    else overwrittenFile.set(Buffer.from(lengthOrBytes, "base64"), start);
  return overwrittenFile;
}

function applyInChunks(file: Uint8Array, overwrites: readonly Overwrite[], chunkBytes: number): Uint8Array {
  const overwrite = new OverwritePlan(overwrites).overwriter(0);
  const chunks: Uint8Array[] = [];
  for (let offset = 0; offset < file.length; offset += chunkBytes)
    chunks.push(overwrite(file.subarray(offset, offset + chunkBytes)));
  return new Uint8Array(Buffer.concat(chunks));
}

it("writes the same bytes as the overwrites applied in order, for random overlaps", () => {
  let seed = 3;
  const random = (max: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed % max;
  };
  const file = Uint8Array.from({ length: 400 }, (_, index) => index % 251);
  for (let round = 0; round < 200; round++) {
    const list = new OverwriteList(file.length);
    for (let part = 0; part < 12; part++) {
      const start = random(420) - 10;
      if (random(2) === 0) list.fill(start, start + random(90), random(256));
      else
        list.put(
          start,
          Uint8Array.from({ length: random(30) }, () => random(256)),
        );
    }
    const overwrites = list.toArray();
    const expected = appliedInOrder(file, overwrites);
    expect(applyInChunks(file, overwrites, 1 + random(120))).toEqual(expected);
    const plan = new OverwritePlan(overwrites);
    for (let offset = 0; offset < file.length; offset += 7)
      if (!plan.touches(offset, offset + 3))
        expect(expected.subarray(offset, offset + 3)).toEqual(file.subarray(offset, offset + 3));
  }
});

it("starts in the middle of a file", () => {
  const plan = new OverwritePlan([[10, 5, 1]]);
  expect([...plan.overwriter(12)(new Uint8Array(5))]).toEqual([1, 1, 1, 0, 0]);
  expect([plan.touches(0, 10), plan.touches(9, 11), plan.touches(15, 20)]).toEqual([false, true, false]);
});

it("applies 40,000 overlapping parts to 32 MB within the test's time limit", () => {
  const file = new Uint8Array(32 * 1024 * 1024);
  const overwrites = Array.from({ length: 40_000 }, (_, part): Overwrite => [part, file.length - part, 7]);
  const result = Buffer.from(applyInChunks(file, overwrites, 64 * 1024));
  expect(result.equals(Buffer.alloc(file.length, 7))).toBe(true);
});

it("records no more than a database row can hold", () => {
  const list = new OverwriteList(2 ** 40);
  for (let part = 0; part < 60_000; part++) {
    list.fill(2 ** 39 + part * 3, 2 ** 39 + part * 3 + 1, 32);
    list.put(2 ** 39 + part * 3, new Uint8Array(5));
  }
  for (let part = 0; part < 100; part++) list.put(part * 100_000, new Uint8Array(50_000));
  expect(JSON.stringify(list.toArray()).length).toBeLessThan(2_000_000);
  expect(list.toArray()).toContainEqual([0, 2 ** 40, 0]);
});
