import { describe, expect, it } from "vitest";
import { box, space, twoRooms } from "../../../tests/viewer/shapes";
import { shortestTurn } from "./angles";
import { canSee, standBefore } from "./stand";
import { BODY } from "./walker";

const body = { ...BODY, eyeHeight: 1.6 };

describe("where to stand before a pin", () => {
  it("is in front of its wall, at eye height, looking at it", () => {
    const stand = standBefore(twoRooms(), body, [-6, 1.5, 3], [0.2, 0, 0], [3, 1.6, 3]);
    expect(stand?.position[0]).toBeCloseTo(-4);
    expect(stand?.position[1]).toBeCloseTo(1.6);
    expect(stand?.position[2]).toBeCloseTo(3);
    expect(shortestTurn(stand?.yaw ?? 9, Math.PI / 2)).toBeCloseTo(0, 3);
  });

  it("is beside what hides the pin", () => {
    const rooms = twoRooms(box(-5.2, 0, 2.4, -3.6, 2.9, 3.2));
    const stand = standBefore(rooms, body, [-6, 1.5, 3], [0.2, 0, 0], [3, 1.6, 3]);
    expect(stand).not.toBeNull();
    if (stand) expect(canSee(rooms, stand.position, [-5.8, 1.5, 3])).toBe(true);
  });

  it("is on the visitor's side of a pin that stands on the floor", () => {
    const stand = standBefore(twoRooms(), body, [-3, 0, 3], [0, 0.5, 0], [-3, 1.6, 5.5]);
    expect(stand?.position[2]).toBeGreaterThan(4);
  });

  it("is null where there is no floor", () => {
    expect(standBefore(space(box(50, 0, 0, 51, 1, 1)), body, [0, 1, 0], [0, 0, 0.2], [0, 1.6, 5])).toBeNull();
  });
});
