import { describe, expect, test } from "vitest";
import type { EventScene } from "../shared/model";
import { MODEL_DISPLAY } from "../spaces/model-display";
import { readStoredSource, storedPlacement, storedPoint, storedScene, storedView } from "./stored-places";

// A JSON number that is too large and is parsed as Infinity.
const INFINITE = JSON.parse("1e999") as number;
const VIEW = { position: [1, 1.6, 2], yaw: 1, pitch: 0.2, mode: "walk" } as const;
const PLACEMENT = { position: [1, 2, 3], normal: [0, 0, 1], width: 2 } as const;
const NOT_POINTS = [
  ...[null, undefined, 7, "0,0,0", {}, [], [1, 2], [1, 2, 3, 4]],
  ...[INFINITE, -INFINITE, Number.NaN, null, "1", 1e9].map((part) => [0, part, 0]),
];

describe("stored positions", () => {
  test("are returned when they are valid, with defaults for missing fields", () => {
    expect(storedPoint([0, -10_000, 10_000])).toEqual([0, -10_000, 10_000]);
    expect(storedView({ ...VIEW, nodeId: "hall" })).toEqual({ ...VIEW, nodeId: "hall" });
    expect(storedPlacement(PLACEMENT)).toEqual({ ...PLACEMENT, rotation: 0, play: "click", reach: 8 });
  });

  test("are null when they are invalid", () => {
    for (const invalidPoint of NOT_POINTS) {
      expect(storedPoint(invalidPoint)).toBe(null);
      expect(storedView({ ...VIEW, position: invalidPoint })).toBe(null);
      expect(storedPlacement({ ...PLACEMENT, position: invalidPoint })).toBe(null);
      expect(storedPlacement({ ...PLACEMENT, normal: invalidPoint })).toBe(null);
    }
    for (const invalid of [{ yaw: INFINITE }, { pitch: null }, { pitch: 2 }, { mode: "fly" }])
      expect(storedView({ ...VIEW, ...invalid })).toBe(null);
    for (const invalid of [{ width: 0 }, { width: INFINITE }, { width: null }, { normal: [0, 0, 0] }])
      expect(storedPlacement({ ...PLACEMENT, ...invalid })).toBe(null);
  });

  test("get the default rotation and sound range when only those are invalid", () => {
    expect(storedPlacement({ ...PLACEMENT, rotation: INFINITE, reach: -1 })).toMatchObject({
      rotation: 0,
      reach: 8,
    });
  });

  test("of a scene lose invalid views and plans, get the default for an invalid duration, and keep the others", () => {
    const stop = { id: "s", tagId: "t", title: { ja: "", en: "" }, text: { ja: "", en: "" } };
    const plan = { mediaId: "m", center: [0, 0], width: 10, rotation: 0 } as const;
    const scene: EventScene = {
      startView: VIEW,
      plan,
      products: [],
      version: 3,
      tour: [{ ...stop, viewpoint: VIEW, seconds: 5 }],
    };
    expect(storedScene(scene)).toEqual(scene);
    const broken = {
      ...scene,
      startView: { ...VIEW, yaw: INFINITE },
      tour: [{ ...stop, viewpoint: { ...VIEW, position: [1, null, 2] as never }, seconds: INFINITE }],
      plan: { ...plan, center: [0, INFINITE] as const },
    };
    expect(storedScene(broken)).toEqual({
      ...scene,
      startView: null,
      tour: [{ ...stop, viewpoint: null, seconds: 8 }],
      plan: null,
    });
  });

  test("keep the valid parts of a space's source", () => {
    const node = {
      id: "a",
      mediaId: "m",
      title: { ja: "", en: "A" },
      position: [1, 1.6, 0],
      heading: 1,
      links: ["b"],
    };
    const validSources = [
      { kind: "showcase" },
      { kind: "model", mediaId: "m", start: VIEW, eyeHeight: 1.5 },
      { kind: "splat", mediaId: "m", start: null, eyeHeight: 1.6, up: "-y" },
      { kind: "panorama", nodes: [node], start: { ...VIEW, nodeId: "a" } },
    ];
    for (const source of validSources) expect(readStoredSource(source)).toEqual(source);
    const model = { ...validSources[1], display: { ...MODEL_DISPLAY, scale: 0.001 } };
    for (const light of [
      { light: "daylight" },
      { light: "evening" },
      { light: "file", lightPicture: { mediaId: "hdr" } },
    ])
      expect(readStoredSource({ ...model, ...light })).toEqual({ ...model, ...light });
    for (const invalidLight of ["moon", "studio", "file", 7])
      expect(readStoredSource({ ...model, light: invalidLight })).toEqual(model);
    expect(
      readStoredSource({ ...validSources[1], start: { ...VIEW, position: "here" }, eyeHeight: INFINITE }),
    ).toEqual({
      kind: "model",
      mediaId: "m",
      start: null,
      eyeHeight: 1.6,
    });
    expect(readStoredSource({ ...validSources[2], up: 7 })).toMatchObject({ up: "y" });
    const broken = { ...node, position: [1, INFINITE, 0], heading: "north", links: null, title: null };
    expect(readStoredSource({ kind: "panorama", nodes: [node, broken, null, 7], start: 3 })).toEqual({
      kind: "panorama",
      start: null,
      nodes: [node, { ...node, title: { ja: "", en: "" }, position: [4, 1.6, 0], heading: 0, links: [] }],
    });
    expect(readStoredSource({ kind: "panorama" })).toEqual({ kind: "panorama", nodes: [], start: null });
    for (const invalidSource of [null, 7, "x", [], {}])
      expect(readStoredSource(invalidSource)).toEqual({ kind: "showcase" });
  });
});
