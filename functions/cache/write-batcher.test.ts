import { expect, it } from "vitest";
import { BATCH_DELAY_MS, BATCH_MAX_ITEMS, QUEUE_MAX_ITEMS, WriteBatcher } from "./write-batcher";

/** A batcher with a clock that the test advances, in steps so small that every waiting caller runs. */
function createTestBatcher(write: (items: readonly number[]) => Promise<void>) {
  const time = { now: 0 };
  const sleepers: { wakesAt: number; wake: () => void }[] = [];
  const errors: (readonly [items: number, isOver: boolean])[] = [];
  const batcher = new WriteBatcher<number>({
    write,
    now: () => time.now,
    sleep: (ms) => new Promise((wake) => sleepers.push({ wakesAt: time.now + ms, wake })),
    onError: (_, items, isOver) => errors.push([items, isOver]),
  });
  const advance = async (ms: number) => {
    for (const end = time.now + ms; time.now < end; time.now += 10) {
      const due = sleepers.filter(({ wakesAt }) => wakesAt <= time.now);
      for (const sleeper of due) {
        sleepers.splice(sleepers.indexOf(sleeper), 1);
        sleeper.wake();
      }
      await new Promise((done) => setImmediate(done));
    }
  };
  return { batcher, advance, errors };
}

it("the items of many callers are written together once, and `add` resolves after the write", async () => {
  const writes: (readonly number[])[] = [];
  const { batcher, advance } = createTestBatcher(async (items) => void writes.push([...items]));
  const done: number[] = [];
  for (const item of [1, 2, 3]) void batcher.add(item).then(() => done.push(item));
  await advance(BATCH_DELAY_MS / 2);
  void batcher.add(4).then(() => done.push(4));
  expect([writes, done]).toEqual([[], []]);
  await advance(1000);
  expect(writes).toEqual([[1, 2, 3, 4]]);
  expect(done.sort()).toEqual([1, 2, 3, 4]);
  void batcher.add(5);
  await advance(1000);
  expect(writes).toEqual([[1, 2, 3, 4], [5]]);
});

it("no write exceeds the maximum size, and the queue is full at its maximum length", async () => {
  const sizes: number[] = [];
  const { batcher, advance } = createTestBatcher(async (items) => void sizes.push(items.length));
  for (let item = 0; item < QUEUE_MAX_ITEMS; item++) {
    expect(batcher.isFull).toBe(false);
    void batcher.add(item);
  }
  expect(batcher.isFull).toBe(true);
  await advance(2000);
  expect(sizes).toEqual(Array.from({ length: QUEUE_MAX_ITEMS / BATCH_MAX_ITEMS }, () => BATCH_MAX_ITEMS));
  expect(batcher.isFull).toBe(false);
});

it("a failed write is retried a limited number of times", async () => {
  let failures = 2;
  const written: number[] = [];
  const { batcher, advance, errors } = createTestBatcher(async (items) => {
    if (failures-- > 0) throw new Error("no");
    written.push(...items);
  });
  void batcher.add(1);
  await advance(5000);
  expect([written, errors]).toEqual([
    [1],
    [
      [1, false],
      [1, false],
    ],
  ]);
  failures = 100;
  void batcher.add(2);
  await advance(20_000);
  expect(errors.at(-1)).toEqual([1, true]);
  expect(written).toEqual([1]);
  expect(batcher.isFull).toBe(false);
});

it("another request writes the items of a request that was cancelled", async () => {
  let writes = 0;
  const { batcher, advance } = createTestBatcher(() =>
    writes++ === 0 ? new Promise(() => {}) : Promise.resolve(),
  );
  const done: number[] = [];
  for (const item of [1, 2]) void batcher.add(item).then(() => done.push(item));
  await advance(5000);
  expect([writes, done]).toEqual([1, []]);
  await advance(10_000);
  expect([writes, done]).toEqual([2, [2]]);
});
