import { describe, expect, it } from "vitest";
import type { PanoramaNode, SpaceSource, TourStop } from "../shared/model";
import { MODEL_DISPLAY } from "../spaces/model-display";
import { copyScene, isValidInFrame, sharedFrame } from "./shared-frame";

const view = (nodeId?: string) =>
  ({ position: [0, 1.6, 0], yaw: 0, pitch: 0, mode: "walk", ...(nodeId && { nodeId }) }) as const;
const place = (source: SpaceSource, sid = "SxQL3iGyoDo") => ({ sid, source });
const model = (mediaId: string, eyeHeight = 1.6) =>
  place({ kind: "model", mediaId, start: null, eyeHeight }, mediaId);
const splat = (mediaId: string, up: "y" | "z" = "y") =>
  place({ kind: "splat", mediaId, start: view(), eyeHeight: 1.6, up });
const node = (id: string, overrides: Partial<PanoramaNode> = {}): PanoramaNode => ({
  id,
  mediaId: `pic ${id}`,
  title: { ja: id, en: "" },
  position: [0, 1.6, 0],
  heading: 0,
  links: [],
  ...overrides,
});
const panorama = (...nodes: PanoramaNode[]) => place({ kind: "panorama", nodes, start: null });

describe("two spaces share a coordinate system", () => {
  it("when they are the same showcase, the same model at the same scale, or the same splats with the same up axis", () => {
    const frame = { nodes: null };
    expect(sharedFrame(place({ kind: "showcase" }), place({ kind: "showcase" }))).toEqual(frame);
    expect(sharedFrame(place({ kind: "showcase" }), place({ kind: "showcase" }, "other"))).toBeNull();
    expect(sharedFrame(model("m"), model("m", 2))).toEqual(frame);
    expect(sharedFrame(model("m"), model("n"))).toBeNull();
    const display = { ...MODEL_DISPLAY, scale: 0.001 };
    const scaledModel = place({ kind: "model", mediaId: "m", start: null, eyeHeight: 1.6, display }, "m");
    expect(sharedFrame(model("m"), scaledModel)).toBeNull();
    expect(sharedFrame(splat("s"), splat("s"))).toEqual(frame);
    expect(sharedFrame(splat("s"), splat("s", "z"))).toBeNull();
    expect(sharedFrame(model("s"), splat("s"))).toBeNull();
    expect(sharedFrame(panorama(node("a")), model("m"))).toBeNull();
  });

  it("when panoramas of one are at the same positions in the other", () => {
    const [a, b, c] = [node("a"), node("b"), node("c")];
    expect(sharedFrame(panorama(a, b), panorama(b, { ...a, links: ["b"] }))).toEqual({ nodes: null });
    expect(sharedFrame(panorama(a, b), panorama(a, c))).toEqual({ nodes: ["a"] });
    expect(sharedFrame(panorama(a, b), panorama(a, { ...b, mediaId: "new" }))).toEqual({ nodes: ["a"] });
    expect(sharedFrame(panorama(a, b), panorama(a, { ...b, position: [1, 1.6, 0] }))).toBeNull();
    expect(sharedFrame(panorama(a), panorama({ ...a, heading: 1 }))).toBeNull();
    expect(sharedFrame(panorama(a), panorama(c))).toBeNull();
  });

  it("and keep viewpoints without a node or whose node exists in both", () => {
    expect(isValidInFrame(view("b"), { nodes: ["a"] })).toBe(false);
    expect([view("a"), view()].map((viewpoint) => isValidInFrame(viewpoint, { nodes: ["a"] }))).toEqual([
      true,
      true,
    ]);
    expect(isValidInFrame(view("b"), { nodes: null })).toBe(true);
    expect(isValidInFrame(view(), null)).toBe(false);
  });
});

describe("the scene of a copy", () => {
  const stop = (id: string, tagId: string | null, viewpoint: TourStop["viewpoint"]): TourStop => ({
    id,
    tagId,
    viewpoint,
    title: { ja: id, en: "" },
    text: { ja: "", en: "" },
    seconds: 8,
  });
  const scene = {
    startView: view("a"),
    tour: [
      stop("1", "t", view("b")),
      stop("2", null, view("a")),
      stop("3", null, view("b")),
      stop("4", "gone", view("a")),
    ],
    plan: { mediaId: "m", center: [0, 0], width: 9, rotation: 0 } as const,
    products: [{ id: "gid://shopify/Product/1", title: "壺" }],
  };
  const copy = (frame: Parameters<typeof copyScene>[1]) => {
    let count = 0;
    return copyScene(
      scene,
      frame,
      (id) => ({ t: "T", m: "M" })[id],
      () => `new ${++count}`,
    );
  };

  it("refers to the copied tags and media, has stops with new ids, and omits the stop of a tag that was not copied", () => {
    const created = copy({ nodes: null });
    expect(created.products).toEqual(scene.products);
    expect(created.tour.map(({ id, tagId }) => [id, tagId])).toEqual([
      ["new 1", "T"],
      ["new 2", null],
      ["new 3", null],
    ]);
    expect(created).toMatchObject({ startView: view("a"), plan: { mediaId: "M", width: 9 } });
  });

  it("keeps only the positions that are valid in the other space", () => {
    const partialCopy = copy({ nodes: ["a"] });
    expect(partialCopy.tour.map(({ tagId, viewpoint }) => [tagId, viewpoint?.nodeId])).toEqual([
      ["T", undefined],
      [null, "a"],
    ]);
    const unplacedCopy = copy(null);
    expect(unplacedCopy).toMatchObject({
      startView: null,
      plan: null,
      tour: [{ tagId: "T", viewpoint: null }],
    });
    expect(unplacedCopy.tour).toHaveLength(1);
  });
});
