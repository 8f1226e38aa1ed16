import { expect, it } from "vitest";
import { RenderLimit } from "./render-limit";

/** A shared limit that admits everything or nothing. */
const binding = (success: boolean, keys: string[] = []) =>
  ({
    limit: async ({ key }: { key: string }) => {
      keys.push(key);
      return { success };
    },
  }) as RateLimit;

it("admits 600 pages a minute, and counts every network and minute separately", async () => {
  let now = 0;
  const limit = new RenderLimit(binding(true), () => now);
  for (let i = 0; i < 600; i++) expect(await limit.admits("a")).toBe(true);
  expect(await limit.admits("a")).toBe(false);
  expect(await limit.admits("b")).toBe(true);
  now = 60_000;
  expect(await limit.admits("a")).toBe(true);
});

it("uses the shared limit after the first sixty pages of a minute, because other isolates count there too", async () => {
  const keys: string[] = [];
  const limit = new RenderLimit(binding(false, keys), () => 0);
  for (let i = 0; i < 60; i++) expect(await limit.admits("a")).toBe(true);
  expect(keys).toEqual([]);
  expect(await limit.admits("a")).toBe(false);
  expect(keys).toEqual(["a"]);
});
