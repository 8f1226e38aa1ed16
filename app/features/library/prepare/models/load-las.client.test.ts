import type { Points } from "three";
import { expect, it } from "vitest";
import { lasFile } from "../../../../../tests/support/model-files/binary-files";
import { loadLas } from "./load-las.client";

/** Loads a scan of points in a row, and returns red, green and alpha of its first and its last point. */
async function loadColours(...reds: readonly number[]) {
  const points = reds.map((red, index) => ({ position: [index, 0, 0], colour: [red, 0, 0] }) as const);
  const file = new Blob([lasFile(points) as BlobPart]);
  const request = { file, fileName: "scan.las", mimeType: "", companions: new Map() };
  const { scene } = await loadLas(request, () => {});
  const colours = (scene as Points).geometry.getAttribute("color");
  return [0, reds.length - 1].map((index) => [colours.getX(index), colours.getY(index), colours.getW(index)]);
}

it("keeps the colours of a scan whose first 2,000 points are black", async () => {
  expect(await loadColours(...Array(2000).fill(0), 0xffff)).toEqual([
    [0, 0, 1],
    [1, 0, 1],
  ]);
});

it("gives grey values to a scan whose colours are all zero", async () => {
  for (const [red, green] of await loadColours(...Array(2001).fill(0))) {
    expect(red).toBeGreaterThan(0);
    expect(red).toBe(green);
  }
});
