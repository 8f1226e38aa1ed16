import { expect, it } from "vitest";
import { CallRate, chooseShard, isShard, roomName, SHARDS_MAX, shardsFor } from "./room-shards";

it("a room gets four times as many shards when each has too many calls, and never fewer", () => {
  expect(shardsFor(400, 1, 400)).toBe(1);
  expect(shardsFor(401, 1, 400)).toBe(4);
  expect(shardsFor(1600, 4, 400)).toBe(4);
  expect(shardsFor(1601, 4, 400)).toBe(16);
  expect(shardsFor(10, 16, 400)).toBe(16);
  expect(shardsFor(1e9, 16, 400)).toBe(SHARDS_MAX);
  expect(shardsFor(1e9, SHARDS_MAX, 400)).toBe(SHARDS_MAX);
});

it("isolates are distributed evenly among shards, and each keeps its shard", () => {
  const isolates = Array.from({ length: 4000 }, () => crypto.randomUUID());
  const counts = new Map<number, number>();
  for (const isolate of isolates)
    counts.set(chooseShard(isolate, 8), (counts.get(chooseShard(isolate, 8)) ?? 0) + 1);
  expect([...counts.keys()].sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  for (const count of counts.values()) expect(Math.abs(count - 500)).toBeLessThan(150);
  expect(isolates.map((isolate) => chooseShard(isolate, 8))).toEqual(
    isolates.map((isolate) => chooseShard(isolate, 8)),
  );
  expect(isolates.every((isolate) => chooseShard(isolate, 1) === 0)).toBe(true);
});

it("calls are counted by the second", () => {
  const rate = new CallRate();
  for (let ms = 0; ms < 5; ms++) rate.add(10_000 + ms);
  expect(rate.perSecond(10_900)).toBe(5);
  rate.add(11_000);
  expect(rate.perSecond(11_900)).toBe(5);
  expect(rate.perSecond(12_100)).toBe(1);
  expect(rate.perSecond(20_000)).toBe(0);
});

it("each shard has its own name, and other values are not shards", () => {
  expect([roomName("a", 0), roomName("a", 3)]).toEqual(["a", "a/3"]);
  expect([0, SHARDS_MAX, -1, 1.5, SHARDS_MAX + 1, "1", null].map(isShard)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
    false,
  ]);
});
