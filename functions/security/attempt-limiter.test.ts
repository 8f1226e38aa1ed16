import { expect, it } from "vitest";
import { AttemptLimiter, type AttemptLogEntry } from "./attempt-limiter";

const WINDOW = 60_000;

/** A rate limit that isolates share. Every query also counts. */
function sharedLimit(limit = 10) {
  const counts = new Map<string, number>();
  return {
    counts,
    limit: async ({ key }: { key: string }) => {
      counts.set(key, (counts.get(key) ?? 0) + 1);
      return { success: (counts.get(key) ?? 0) <= limit };
    },
  };
}

function createLimiter(binding = sharedLimit(), place = sharedLimit(50), event = sharedLimit(300)) {
  const time = { now: 0 };
  const bindings = {
    subject: binding as RateLimit,
    place: place as RateLimit,
    event: event as RateLimit,
  };
  const logEntries: AttemptLogEntry[] = [];
  const limit = new AttemptLimiter(
    bindings,
    () => time.now,
    (line) => logEntries.push(line),
  );
  return { binding, place, event, time, logEntries, limit };
}

/** Makes one attempt for each key at the same time, and returns the number of admitted ones. */
const countAdmitted = async (limit: AttemptLimiter, keys: readonly string[]) =>
  (await Promise.all(keys.map((key) => limit.reserve(key)))).filter(Boolean).length;
const repeatKey = (count: number, key: string) => Array.from({ length: count }, () => key);

it("admits ten of thirty simultaneous attempts for each key", async () => {
  const { limit } = createLimiter();
  expect(await countAdmitted(limit, repeatKey(30, "a"))).toBe(10);
  expect(await countAdmitted(limit, repeatKey(30, "b"))).toBe(10);
});

it("admits fifty from a network, which many people may share, and counts them separately", async () => {
  const { limit, binding, place } = createLimiter();
  expect(await countAdmitted(limit, repeatKey(80, "place:a"))).toBe(50);
  for (let i = 0; i < 50; i++) expect(await limit.fail("place:a")).toBe(true);
  expect(await limit.fail("place:a")).toBe(false);
  expect([binding.counts.size, place.counts.size]).toEqual([0, 1]);
});

it("admits three hundred to an event, which a full hall may visit, and counts them separately", async () => {
  const { limit, binding, place, event } = createLimiter();
  expect(await countAdmitted(limit, repeatKey(400, "event:a"))).toBe(300);
  for (let i = 0; i < 300; i++) expect(await limit.fail("event:a")).toBe(true);
  expect(await limit.fail("event:a")).toBe(false);
  expect([binding.counts.size, place.counts.size, event.counts.size]).toEqual([0, 0, 1]);
});

it("admits three hundred from an IPv6 /48, which may be a whole company", async () => {
  const { limit, binding, place, event } = createLimiter();
  expect(await countAdmitted(limit, repeatKey(400, "site:login:2001:db8:1::/48"))).toBe(300);
  expect(await limit.fail("site:login:2001:db8:1::/48")).toBe(true);
  expect([binding.counts.size, place.counts.size, event.counts.size]).toEqual([0, 0, 1]);
});

it("blocks a key after ten failures and admits it again after the window", async () => {
  const { limit, time } = createLimiter();
  await countAdmitted(limit, repeatKey(10, "a"));
  for (let i = 0; i < 10; i++) expect(await limit.fail("a")).toBe(true);
  time.now = WINDOW - 1;
  expect(await limit.reserve("a")).toBe(false);
  time.now = WINDOW;
  expect(await countAdmitted(limit, repeatKey(30, "a"))).toBe(10);
});

it("does not count successful attempts", async () => {
  const { limit, binding } = createLimiter();
  for (let i = 0; i < 100; i++) {
    expect(await limit.reserve("a")).toBe(true);
    limit.release("a");
  }
  expect(binding.counts.size).toBe(0);
  expect(await countAdmitted(limit, repeatKey(30, "a"))).toBe(10);
});

it("counts failures that other isolates have seen", async () => {
  const binding = sharedLimit();
  const [firstLimiter, secondLimiter] = [createLimiter(binding), createLimiter(binding)];
  for (let i = 0; i < 10; i++) {
    await secondLimiter.limit.reserve("a");
    await secondLimiter.limit.fail("a");
  }
  expect(await firstLimiter.limit.reserve("a")).toBe(true);
  expect(await firstLimiter.limit.fail("a")).toBe(false);
  expect(await firstLimiter.limit.reserve("a")).toBe(false);
  expect(await firstLimiter.limit.reserve("b")).toBe(true);
  firstLimiter.time.now = WINDOW;
  expect(await firstLimiter.limit.reserve("a")).toBe(true);
});

it("blocks a key because of cancelled requests only until the window ends", async () => {
  const { limit, time } = createLimiter();
  await countAdmitted(limit, repeatKey(10, "a"));
  expect(await limit.reserve("a")).toBe(false);
  time.now = WINDOW;
  expect(await limit.reserve("a")).toBe(true);
});

it("keeps the latest keys if there are more than it can store", async () => {
  const { limit } = createLimiter();
  await countAdmitted(limit, repeatKey(10, "old"));
  for (let i = 0; i < 5000; i++) await limit.reserve(`k${i}`);
  await countAdmitted(limit, repeatKey(10, "new"));
  for (let i = 5000; i < 10_000; i++) await limit.reserve(`k${i}`);
  expect(await limit.reserve("new")).toBe(false);
  expect(await limit.reserve("old")).toBe(true);
});

it("logs the first wrong and the first rejected attempt of a minute, with its account and the numbers of the minute before", () => {
  const { limit, time, logEntries } = createLimiter();
  for (let i = 0; i < 10; i++) limit.note("log-in", "wrong", i === 0 ? "first" : "later");
  for (let i = 0; i < 5000; i++) limit.note("log-in", "rejected", "rejected");
  limit.note("publish password", "wrong", null);
  const noAttempts = { wrong: 0, rejected: 0 };
  expect(logEntries.splice(0)).toEqual([
    { secretKind: "log-in", outcome: "wrong", account: "first", before: noAttempts },
    { secretKind: "log-in", outcome: "rejected", account: "rejected", before: noAttempts },
    { secretKind: "publish password", outcome: "wrong", account: null, before: noAttempts },
  ]);
  time.now = WINDOW;
  limit.note("log-in", "wrong", null);
  expect(logEntries).toEqual([
    { secretKind: "log-in", outcome: "wrong", account: null, before: { wrong: 10, rejected: 5000 } },
  ]);
});
