import { describe, expect, it } from "vitest";
import type { Pin } from "./contract";
import type { SdkPose, SdkSweep } from "./showcase-sdk";
import { rotationOf, sdkColor, sweepOf, usable, viewOfPin, viewpointOf } from "./showcase-view";

const pose = (fields: Partial<SdkPose>): SdkPose => ({
  position: { x: 1, y: 1.6, z: -2 },
  rotation: { x: 0, y: 0 },
  projection: new Float32Array(16),
  sweep: "hall",
  mode: "mode.inside",
  ...fields,
});
const sweep = (id: string, x: number, z: number, fields: Partial<SdkSweep> = {}): SdkSweep => ({
  id,
  enabled: true,
  alignmentType: "aligned",
  position: { x, y: 1.6, z },
  ...fields,
});

describe("a pose", () => {
  it("is a viewpoint with the sweep as its node", () => {
    expect(viewpointOf(pose({ rotation: { x: -30, y: 90 } }))).toEqual({
      position: [1, 1.6, -2],
      yaw: Math.PI / 2,
      pitch: -Math.PI / 6,
      mode: "walk",
      nodeId: "hall",
    });
    expect(viewpointOf(pose({ mode: "mode.dollhouse", sweep: "" }))).not.toHaveProperty("nodeId");
    expect(viewpointOf(pose({ mode: "mode.transitioning" }))).toBe(null);
  });

  it("turns to rotations and back, at the turn's end as well", () => {
    for (const yaw of [-179.9, -90, 0, 45, 180])
      for (const pitch of [-90, 0, 60]) {
        const view = viewpointOf(pose({ rotation: { x: pitch, y: yaw } }));
        const back = view && rotationOf(view);
        expect(back?.x).toBeCloseTo(pitch, 9);
        expect(back?.y).toBeCloseTo(yaw, 9);
      }
    expect(viewpointOf(pose({ rotation: { x: 0, y: 540 } }))?.yaw).toBeCloseTo(Math.PI, 9);
    expect(rotationOf({ yaw: Number.NaN, pitch: Number.POSITIVE_INFINITY })).toEqual({ x: 90, y: 0 });
  });
});

describe("where one stands", () => {
  const sweeps = [sweep("west", -3, 0), sweep("east", 3, 0), sweep("far", 3, 9)];
  const view = { position: [2.4, 1.6, 1], yaw: 0, pitch: 0, mode: "walk" } as const;

  it("is the sweep that a viewpoint names, the nearest one, or none", () => {
    expect(sweepOf(sweeps, view)?.id).toBe("east");
    expect(sweepOf(sweeps, { ...view, nodeId: "west" })?.id).toBe("west");
    expect(sweepOf(sweeps, { ...view, nodeId: "gone" })?.id).toBe("east");
    expect(sweepOf(sweeps, { ...view, position: [1e6, 0, 0] })).toBe(null);
    expect(sweepOf(sweeps, { ...view, position: [Number.NaN, 0, 0] })).toBe(null);
    expect(sweepOf([], view)).toBe(null);
  });

  it("is no sweep that lies nowhere or is closed", () => {
    const all = [
      ...sweeps,
      sweep("pano", 0, 0, { alignmentType: "unaligned" }),
      sweep("shut", 0, 0, { enabled: false }),
    ];
    expect(usable(all)).toEqual(sweeps);
  });

  it("is before a pin, on the side that it faces, and looks at it", () => {
    const pin: Pin = {
      id: "a",
      type: "tag",
      label: "A",
      color: "#000000",
      icon: "",
      viewpoint: null,
      position: [0, 1.6, 0],
      stem: [0.3, 0, 0],
    };
    expect(viewOfPin(sweeps, pin)).toMatchObject({ nodeId: "east", pitch: 0 });
    expect(viewOfPin(sweeps, pin)?.yaw).toBeCloseTo(Math.PI / 2, 9);
    expect(viewOfPin(sweeps, { ...pin, stem: [-0.3, 0, 0] })?.nodeId).toBe("west");
    expect(viewOfPin(sweeps, { ...pin, viewpoint: view })).toBe(view);
    expect(viewOfPin([], pin)).toBe(null);
  });
});

it("takes a colour apart", () => {
  expect(sdkColor("#ff8000")).toEqual({ r: 1, g: 128 / 255, b: 0 });
  expect(sdkColor("red")).toEqual({ r: 0, g: 0, b: 0 });
});
