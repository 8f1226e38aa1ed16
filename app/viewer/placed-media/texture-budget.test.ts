import { describe, expect, it } from "vitest";
import { fc, testProperty } from "../../../tests/viewer/shapes";
import { choosePlayingMedia, computeVolume } from "./spatial-audio";
import { chooseTextureSides, countImagePixels, type TextureNeed } from "./texture-budget";

const need = (id: string, screenPixels: number, loadedSide = 0, aspect = 0.75): TextureNeed => ({
  id,
  screenPixels,
  loadedSide,
  aspect,
});
const countUsedPixels = (needs: readonly TextureNeed[], chosen: ReadonlyMap<string, number>) =>
  needs.reduce((sum, { id, aspect }) => sum + countImagePixels(chosen.get(id) ?? 0, aspect), 0);

describe("the textures in memory", () => {
  it("have at least the resolution of the screen, and invisible and tiny images are not loaded", () => {
    const chosen = chooseTextureSides(
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

  it("are all loaded in a low resolution before any is loaded in full", () => {
    const needs = Array.from({ length: 100 }, (_, index) => need(`m${index}`, 1200 - index));
    const chosen = chooseTextureSides(needs, 12e6, 4096);
    expect(chosen.size).toBe(100);
    expect(chosen.get("m0")).toBe(1280);
    expect(chosen.get("m99")).toBe(256);
  });

  it("are not reduced when the visitor moves away, and do not exceed the device's limit", () => {
    expect(chooseTextureSides([need("one", 300, 1280)], 24e6, 4096).get("one")).toBe(1280);
    expect(chooseTextureSides([need("one", 3000)], 24e6, 1024).get("one")).toBe(640);
    expect(chooseTextureSides([need("one", 3000)], 24e6, 128).get("one")).toBe(128);
  });

  testProperty(
    "never exceed the budget in total",
    [
      fc.array(
        fc.record({
          screenPixels: fc.double({ min: 0, max: 4000, noNaN: true }),
          aspect: fc.double({ min: 0.05, max: 20, noNaN: true }),
          loadedSide: fc.constantFrom(0, 256, 640, 1280, 2048),
        }),
        { maxLength: 120 },
      ),
      fc.integer({ min: 0, max: 30_000_000 }),
    ],
    (list, budget) => {
      const needs = list.map((surface, index) => ({ id: String(index), ...surface }));
      expect(countUsedPixels(needs, chooseTextureSides(needs, budget, 4096))).toBeLessThanOrEqual(budget);
    },
  );
});

describe("placed sounds and videos", () => {
  it("are loudest at their source, softer with the distance, and silent beyond their reach", () => {
    expect(computeVolume(0, 8)).toBe(1);
    expect(computeVolume(2, 8)).toBeGreaterThan(computeVolume(4, 8));
    expect(computeVolume(8, 8)).toBe(0);
    expect(computeVolume(80, 8)).toBe(0);
    for (const invalidReach of [Number.NaN, -1, 0]) expect(computeVolume(1, invalidReach)).toBe(0);
    expect(computeVolume(Number.NaN, 8)).toBe(0);
  });

  it("play up to a maximum number, the loudest and largest, and only if audible or visible", () => {
    const players = [
      { id: "seen", volume: 0, screenPixels: 300 },
      { id: "loud", volume: 0.8, screenPixels: 0 },
      { id: "soft", volume: 0.1, screenPixels: 10 },
      { id: "nowhere", volume: 0, screenPixels: 3 },
    ];
    expect([...choosePlayingMedia(players, 2)].sort()).toEqual(["loud", "seen"]);
    expect(choosePlayingMedia(players, 9).has("nowhere")).toBe(false);
  });
});
