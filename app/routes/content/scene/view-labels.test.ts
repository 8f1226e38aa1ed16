import { describe, expect, it } from "vitest";
import type { Viewpoint } from "~/domain/shared/model";
import { translateIn } from "../../../../tests/support/translate";
import { findLandmarks, viewLabels } from "./view-labels";

const view: Viewpoint = { position: [0, 1.6, 0], yaw: 0, pitch: -0.1, mode: "walk" };
const places = [
  { title: "Door", position: [1, 1, 1] },
  { title: "Window", position: [0, 1, -5] },
  { title: "Behind the window", position: [0.1, 1, -9] },
] as const;

describe("the description of a view", () => {
  it("names the nearest place, and the nearest place ahead", () => {
    expect(findLandmarks(view, places)).toEqual({ near: "Door", towards: "Window" });
    expect(findLandmarks({ ...view, yaw: Math.PI / 2 }, places)).toEqual({ near: "Door", towards: null });
    // The yaw is just over a full turn.
    expect(findLandmarks({ ...view, yaw: 2 * Math.PI + 0.1 }, places).towards).toBe("Window");
    expect(findLandmarks({ ...view, position: [90, 1.6, 0] }, places)).toEqual({ near: null, towards: null });
  });

  it("exists in both languages", () => {
    const names = { places, rooms: [{ id: "n", title: "Hall" }] };
    expect(viewLabels({ ...view, nodeId: "n" }, names, translateIn("en"))).toEqual({
      mode: "Inside",
      position: "in Hall, near Door, x 0, y 1.6, z 0 m",
      direction: "toward Window, direction 0°, 6° down",
    });
    expect(viewLabels({ ...view, nodeId: "n" }, names, translateIn("ja"))).toEqual({
      mode: "空間の中から",
      position: "Hall、「Door」の近く、x 0、y 1.6、z 0 m",
      direction: "「Window」の方、方向 0°、下へ 6°",
    });
  });
});
