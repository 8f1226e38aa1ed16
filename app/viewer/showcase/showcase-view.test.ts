import { describe, expect, it } from "vitest";
import type { Pin } from "../core/contract";
import type { SdkPose, SdkSweep } from "./showcase-sdk";
import {
  findShowcasePinViewpoint,
  findSweep,
  selectUsableSweeps,
  toSdkColor,
  toSdkRotation,
  toViewpoint,
} from "./showcase-view";

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
  it("becomes a viewpoint with the sweep as its node", () => {
    expect(toViewpoint(pose({ rotation: { x: -30, y: 90 } }))).toEqual({
      position: [1, 1.6, -2],
      yaw: Math.PI / 2,
      pitch: -Math.PI / 6,
      mode: "walk",
      nodeId: "hall",
    });
    expect(toViewpoint(pose({ mode: "mode.dollhouse", sweep: "" }))).not.toHaveProperty("nodeId");
    expect(toViewpoint(pose({ mode: "mode.transitioning" }))).toBe(null);
  });

  it("has the same rotation after the conversion to a viewpoint and back, also near ±180°", () => {
    for (const yaw of [-179.9, -90, 0, 45, 180])
      for (const pitch of [-90, 0, 60]) {
        const view = toViewpoint(pose({ rotation: { x: pitch, y: yaw } }));
        const rotation = view && toSdkRotation(view);
        expect(rotation?.x).toBeCloseTo(pitch, 9);
        expect(rotation?.y).toBeCloseTo(yaw, 9);
      }
    expect(toViewpoint(pose({ rotation: { x: 0, y: 540 } }))?.yaw).toBeCloseTo(Math.PI, 9);
    expect(toSdkRotation({ yaw: Number.NaN, pitch: Number.POSITIVE_INFINITY })).toEqual({ x: 90, y: 0 });
  });
});

describe("the visitor's sweep", () => {
  const sweeps = [sweep("west", -3, 0), sweep("east", 3, 0), sweep("far", 3, 9)];
  const view = { position: [2.4, 1.6, 1], yaw: 0, pitch: 0, mode: "walk" } as const;

  it("is the sweep that a viewpoint names, the nearest sweep, or none", () => {
    expect(findSweep(sweeps, view)?.id).toBe("east");
    expect(findSweep(sweeps, { ...view, nodeId: "west" })?.id).toBe("west");
    expect(findSweep(sweeps, { ...view, nodeId: "gone" })?.id).toBe("east");
    expect(findSweep(sweeps, { ...view, position: [1e6, 0, 0] })).toBe(null);
    expect(findSweep(sweeps, { ...view, position: [Number.NaN, 0, 0] })).toBe(null);
    expect(findSweep([], view)).toBe(null);
  });

  it("is never a sweep that is unaligned or disabled", () => {
    const allSweeps = [
      ...sweeps,
      sweep("pano", 0, 0, { alignmentType: "unaligned" }),
      sweep("shut", 0, 0, { enabled: false }),
    ];
    expect(selectUsableSweeps(allSweeps)).toEqual(sweeps);
  });

  it("is in front of a pin, on the side that the pin faces", () => {
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
    expect(findShowcasePinViewpoint(sweeps, pin)).toMatchObject({ nodeId: "east", pitch: 0 });
    expect(findShowcasePinViewpoint(sweeps, pin)?.yaw).toBeCloseTo(Math.PI / 2, 9);
    expect(findShowcasePinViewpoint(sweeps, { ...pin, stem: [-0.3, 0, 0] })?.nodeId).toBe("west");
    expect(findShowcasePinViewpoint(sweeps, { ...pin, viewpoint: view })).toBe(view);
    expect(findShowcasePinViewpoint([], pin)).toBe(null);
  });
});

it("splits a colour into its components", () => {
  expect(toSdkColor("#ff8000")).toEqual({ r: 1, g: 128 / 255, b: 0 });
  expect(toSdkColor("red")).toEqual({ r: 0, g: 0, b: 0 });
});
