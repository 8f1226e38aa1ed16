import { describe, expect, it } from "vitest";
import { boxTriangles, space, twoRooms } from "../../../tests/viewer/shapes";
import { shortestTurn } from "./angles";
import { placeMedia, planeCorners } from "./media-plane";
import { computeFieldOfView } from "./projection";
import { measureScreenCoverage } from "./screen-coverage";
import { findViewingPose, isPointVisible, type ViewingPose } from "./viewing-pose";
import { BODY } from "./walker";

const body = { ...BODY, eyeHeight: 1.6 };

describe("the viewing pose of a pin", () => {
  it("is in front of the pin's wall, at eye height, and looks at the pin", () => {
    const pose = findViewingPose(twoRooms(), body, [-6, 1.5, 3], [0.2, 0, 0], [3, 1.6, 3]);
    expect(pose?.position[0]).toBeCloseTo(-4);
    expect(pose?.position[1]).toBeCloseTo(1.6);
    expect(pose?.position[2]).toBeCloseTo(3);
    expect(shortestTurn(pose?.yaw ?? 9, Math.PI / 2)).toBeCloseTo(0, 3);
  });

  it("sees a pin that an obstacle hides from the front", () => {
    const rooms = twoRooms(boxTriangles(-5.2, 0, 2.4, -3.6, 2.9, 3.2));
    const pose = findViewingPose(rooms, body, [-6, 1.5, 3], [0.2, 0, 0], [3, 1.6, 3]);
    expect(pose).not.toBeNull();
    if (pose) expect(isPointVisible(rooms, pose.position, [-5.8, 1.5, 3])).toBe(true);
  });

  it("is on the visitor's side of a pin that is on the floor", () => {
    const pose = findViewingPose(twoRooms(), body, [-3, 0, 3], [0, 0.5, 0], [-3, 1.6, 5.5]);
    expect(pose?.position[2]).toBeGreaterThan(4);
  });

  it("is null where there is no floor", () => {
    expect(
      findViewingPose(space(boxTriangles(50, 0, 0, 51, 1, 1)), body, [0, 1, 0], [0, 0, 0.2], [0, 1.6, 5]),
    ).toBeNull();
  });

  it("is so far from a media item that all of it is visible, also on a portrait phone, if the walls allow it", () => {
    const viewMedia = (
      width: number,
      aspect: number,
      size: { width: number; height: number },
      rooms = twoRooms(),
    ) => {
      const position = [-6, 1.5, 3] as const;
      const frame = placeMedia(
        { position, normal: [1, 0, 0], width, rotation: 0, play: "click", reach: 5 },
        aspect,
      );
      if (!frame) throw new Error("The media item has no plane.");
      const points = planeCorners(frame);
      const fov = computeFieldOfView(size, (62 * Math.PI) / 180, (58 * Math.PI) / 180);
      const coverageOf = (pose: ViewingPose) => measureScreenCoverage(points, { ...pose, fov }, size);
      const pose = findViewingPose(rooms, body, position, [0.12, 0, 0], [3, 1.6, 3], {
        points,
        coverage: coverageOf,
      });
      if (!pose) throw new Error("There is no viewing pose.");
      return { coverage: coverageOf(pose), distance: pose.position[0] + 6 };
    };
    const phone = { width: 390, height: 220 };
    const portraitPhone = { width: 390, height: 700 };
    const computer = { width: 1280, height: 800 };
    // Small media are viewed from the same distance as pins.
    expect(viewMedia(0.6, 0.75, computer).distance).toBeCloseTo(1.92);
    for (const size of [phone, portraitPhone, computer]) {
      const { coverage, distance } = viewMedia(1.8, 1.2, size);
      expect(coverage).toBeGreaterThanOrEqual(1);
      expect(distance).toBeGreaterThan(1.9);
    }
    expect(viewMedia(1.8, 1.2, portraitPhone).distance).toBeLessThan(4);
    expect(viewMedia(1.8, 1.2, computer).distance).toBeGreaterThan(2);
    // A wall three metres in front of the media item limits the distance.
    const limitedView = viewMedia(3.4, 0.8, phone, twoRooms(boxTriangles(-3, 0, 0, -2.9, 2.9, 6)));
    expect(limitedView.distance).toBeGreaterThan(2);
    expect(limitedView.distance).toBeLessThan(3);
  });
});
