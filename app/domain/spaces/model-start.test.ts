import { expect, it } from "vitest";
import type { Viewpoint } from "../shared/model";
import { movedStart } from "./model-start";

const pose = { scale: 1, up: "y", turn: 0 } as const;
const start: Viewpoint = { position: [2, 1.6, 0], yaw: 0, pitch: -0.1, mode: "walk" };
const expectClose = (viewpoint: Viewpoint | null, position: readonly number[], yaw: number) => {
  expect(viewpoint?.position.map((value) => Math.round(value * 1e6) / 1e6)).toEqual(position);
  expect(viewpoint?.yaw).toBeCloseTo(yaw, 6);
};

it("keeps a walking visitor's height above the floor when the model is scaled, and scales all coordinates of a view from outside", () => {
  expectClose(movedStart(start, pose, { ...pose, scale: 0.5 }, 1.6), [1, 1.6, 0], 0);
  expectClose(movedStart({ ...start, mode: "orbit" }, pose, { ...pose, scale: 0.5 }, 1.6), [1, 0.8, 0], 0);
  expectClose(
    movedStart({ ...start, position: [0, 4.6, 0] }, pose, { ...pose, scale: 2 }, 1.6),
    [0, 7.6, 0],
    0,
  );
});

it("turns the position and the direction with the model, counter-clockwise as seen from above", () => {
  const turnedStart = movedStart(start, pose, { ...pose, turn: Math.PI / 2 }, 1.6);
  expectClose(turnedStart, [0, 1.6, -2], Math.PI / 2);
  if (!turnedStart) throw new Error("no start");
  expectClose(movedStart(turnedStart, { ...pose, turn: Math.PI / 2 }, pose, 1.6), [2, 1.6, 0], 0);
  expect(Math.abs(movedStart({ ...start, yaw: 3 }, pose, { ...pose, turn: 1 }, 1.6)?.yaw ?? 9)).toBeLessThan(
    Math.PI,
  );
});

it("returns null if the up axis changed, or if the moved position is outside of a space's permitted coordinates", () => {
  expect(movedStart(start, pose, { ...pose, up: "z" }, 1.6)).toBeNull();
  expect(movedStart(start, pose, { ...pose, scale: 1_000_000 }, 1.6)).toBeNull();
});
