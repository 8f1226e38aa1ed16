import { describe, expect, it } from "vitest";
import { fc, test } from "../../../tests/viewer/shapes";
import { choosePlayers, loudness } from "./hearing";
import { chooseTextures, picturePixels, type TextureNeed } from "./textures";

const need = (id: string, across: number, held = 0, aspect = 0.75): TextureNeed => ({
  id,
  across,
  held,
  aspect,
});
const used = (needs: readonly TextureNeed[], chosen: ReadonlyMap<string, number>) =>
  needs.reduce((sum, { id, aspect }) => sum + picturePixels(chosen.get(id) ?? 0, aspect), 0);

describe("the pictures that are held", () => {
  it("are as sharp as the screen shows them, and none that cannot be seen", () => {
    const chosen = chooseTextures(
      [need("near", 900), need("far", 100), need("speck", 5), need("behind", 0)],
      24e6,
      4096,
    );
    expect(chosen).toEqual(
      new Map([
        ["near", 1280],
        ["far", 256],
      ]),
    );
  });

  it("are all there before any of them is sharp", () => {
    const needs = Array.from({ length: 100 }, (_, index) => need(`m${index}`, 1200 - index));
    const chosen = chooseTextures(needs, 12e6, 4096);
    expect(chosen.size).toBe(100);
    expect(chosen.get("m0")).toBe(1280);
    expect(chosen.get("m99")).toBe(256);
  });

  it("are not made smaller when the visitor takes a step back, nor larger than the device holds", () => {
    expect(chooseTextures([need("one", 300, 1280)], 24e6, 4096).get("one")).toBe(1280);
    expect(chooseTextures([need("one", 3000)], 24e6, 1024).get("one")).toBe(640);
    expect(chooseTextures([need("one", 3000)], 24e6, 128).get("one")).toBe(128);
  });

  test(
    "never come to more than the budget",
    [
      fc.array(
        fc.record({
          across: fc.double({ min: 0, max: 4000, noNaN: true }),
          aspect: fc.double({ min: 0.05, max: 20, noNaN: true }),
          held: fc.constantFrom(0, 256, 640, 1280, 2048),
        }),
        { maxLength: 120 },
      ),
      fc.integer({ min: 0, max: 30_000_000 }),
    ],
    (list, budget) => {
      const needs = list.map((one, index) => ({ id: String(index), ...one }));
      expect(used(needs, chooseTextures(needs, budget, 4096))).toBeLessThanOrEqual(budget);
    },
  );
});

describe("a sound", () => {
  it("is whole at its place, less with every metre, and gone beyond its reach", () => {
    expect(loudness(0, 8)).toBe(1);
    expect(loudness(2, 8)).toBeGreaterThan(loudness(4, 8));
    expect(loudness(8, 8)).toBe(0);
    expect(loudness(80, 8)).toBe(0);
    for (const bad of [Number.NaN, -1, 0]) expect(loudness(1, bad)).toBe(0);
    expect(loudness(Number.NaN, 8)).toBe(0);
  });

  it("is heard only of as many at a time as the device plays, the nearest first", () => {
    const players = [
      { id: "seen", loudness: 0, across: 300 },
      { id: "loud", loudness: 0.8, across: 0 },
      { id: "soft", loudness: 0.1, across: 10 },
      { id: "nowhere", loudness: 0, across: 3 },
    ];
    expect([...choosePlayers(players, 2)].sort()).toEqual(["loud", "seen"]);
    expect(choosePlayers(players, 9).has("nowhere")).toBe(false);
  });
});
