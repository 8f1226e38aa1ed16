import { describe, expect, it } from "vitest";
import { MODEL_DISPLAY } from "./model-display";
import { invalidPanoramaSize, panoramaPart } from "./panorama-shape";
import { createSourceSchema, listSourceFileIds } from "./space-source.schema";

const A = "0f8fad5b-d9cb-469f-a165-70867728950e";
const B = "7c9e6679-7425-40de-944b-e07fc1f90ae7";
const parseSource = (value: unknown) => createSourceSchema().safeParse(value);
const problems = (value: unknown) => {
  const result = parseSource(value);
  return result.success ? [] : result.error.issues.map(({ path, message }) => `${path.join(".")} ${message}`);
};
const node = (id: string, changes: object = {}) => ({ id, mediaId: A, position: [0, 1.6, 0], ...changes });

describe("the source of a space", () => {
  it("is a showcase by its id or one of its URLs", () => {
    for (const showcase of [
      "SxQL3iGyoDo",
      "https://my.matterport.com/show/?m=SxQL3iGyoDo&play=1",
      "https://my.matterport.com/show?model=SxQL3iGyoDo",
      "my.matterport.com/models/SxQL3iGyoDo",
      "https://my.matterport.com/work?m=SxQL3iGyoDo",
      "https://discover.matterport.com/space/SxQL3iGyoDo",
      "https://matterport.com/discover/space/SxQL3iGyoDo",
    ])
      expect(parseSource({ kind: "showcase", showcase }).data).toEqual({
        kind: "showcase",
        sid: "SxQL3iGyoDo",
        isDoubtful: false,
      });
    expect(problems({ kind: "showcase", showcase: "https://evil.example/?m=SxQL3iGyoDo" })).toEqual([
      "showcase spaces:errors.showcase.invalid",
    ]);
    expect(problems({ kind: "showcase" })).toEqual(["showcase spaces:errors.showcase.required"]);
  });

  it("is a model or a splat file, with defaults for missing fields", () => {
    expect(parseSource({ kind: "model", mediaId: A }).data).toEqual({
      kind: "model",
      mediaId: A,
      start: null,
      eyeHeight: 1.6,
    });
    expect(parseSource({ kind: "splat", mediaId: A }).data).toEqual({
      kind: "splat",
      mediaId: A,
      start: null,
      eyeHeight: 1.6,
      up: "auto",
    });
    const start = { position: { x: "1", y: "1.6", z: "-2" }, yaw: "7", pitch: "0", mode: "walk" };
    const modelSource = { kind: "model", mediaId: A, start: null, eyeHeight: 1.6 };
    // Display settings that equal the defaults are not stored.
    expect(parseSource({ ...modelSource, display: { scale: "1", up: "", turn: 0, scene: "" } }).data).toEqual(
      modelSource,
    );
    expect(parseSource({ ...modelSource, display: { scale: 0.01, animation: 3 } }).data).toEqual({
      ...modelSource,
      display: { ...MODEL_DISPLAY, scale: 0.01, animation: 3 },
    });
    expect(
      problems({ ...modelSource, display: { scale: 0, up: "q", turn: "x", scene: -1, moves: "often" } }),
    ).toEqual([
      "display.scale spaces:sources.errors.scale",
      "display.up spaces:sources.errors.up",
      "display.turn spaces:sources.errors.turn",
      "display.scene spaces:sources.errors.choice",
      "display.moves spaces:sources.errors.moves",
    ]);
    expect(parseSource({ kind: "splat", mediaId: A, start, eyeHeight: "1.2", up: "-y" }).data).toEqual({
      kind: "splat",
      mediaId: A,
      eyeHeight: 1.2,
      up: "-y",
      start: { position: [1, 1.6, -2], yaw: Math.atan2(Math.sin(7), Math.cos(7)), pitch: 0, mode: "walk" },
    });
  });

  it("has one of the environments, or a selected image, as its light", () => {
    const model = { kind: "model", mediaId: A } as const;
    const parseLight = (changes: object) => parseSource({ ...model, ...changes }).data;
    expect(parseLight({ light: "studio", lightMediaId: B })).toEqual(parseLight({}));
    expect(parseLight({ light: "evening", lightMediaId: "" })).toEqual({
      ...parseLight({}),
      light: "evening",
    });
    const ownLight = parseLight({ light: "file", lightMediaId: B });
    expect(ownLight).toEqual({ ...parseLight({}), light: "file", lightPicture: { mediaId: B } });
    expect(ownLight && listSourceFileIds(ownLight)).toEqual([A, B]);
    expect(problems({ ...model, light: "file" })).toEqual(["lightMediaId spaces:sources.errors.chooseLight"]);
    expect(problems({ ...model, light: "noon" })).toEqual(["light spaces:sources.errors.light"]);
  });

  it("is panoramas with links in both directions", () => {
    const nodes = [
      node("a", { links: ["b"] }),
      node("b", { mediaId: B, heading: 4 }),
      node("c", { links: "b" }),
    ];
    const { data } = parseSource({ kind: "panorama", nodes });
    if (data?.kind !== "panorama") throw new Error("none");
    expect(data.nodes.map(({ links }) => links)).toEqual([["b"], ["a", "c"], ["b"]]);
    expect(data.nodes[1]?.heading).toBeCloseTo(4 - 2 * Math.PI);
    expect(data.nodes[0]?.title).toEqual({ ja: "", en: "" });
    expect(listSourceFileIds(data)).toEqual([A, B]);
  });

  it("reads directions in degrees from forms", () => {
    const { data } = createSourceSchema("degrees").safeParse({
      kind: "panorama",
      nodes: [node("a", { heading: "90" })],
    });
    expect(data).toMatchObject({ nodes: [{ heading: Math.PI / 2 }] });
  });

  it("reports every error with its field", () => {
    expect(problems(null)).toEqual(["kind spaces:sources.errors.kind"]);
    expect(problems({ kind: "__proto__" })).toEqual(["kind spaces:sources.errors.kind"]);
    expect(problems({ kind: "model" })).toEqual(["mediaId spaces:sources.errors.chooseModel"]);
    expect(problems({ kind: "model", mediaId: "../etc", eyeHeight: 0 })).toEqual([
      "mediaId spaces:sources.errors.media",
      "eyeHeight spaces:sources.errors.eyeHeight",
    ]);
    expect(problems({ kind: "splat", mediaId: A, up: "x", start: { position: [1, 2], yaw: 0 } })).toEqual([
      "start shared-owners:errors.field.position",
      "up spaces:sources.errors.up",
    ]);
    expect(problems({ kind: "panorama" })).toEqual(["nodes spaces:sources.errors.nodes"]);
    expect(problems({ kind: "panorama", nodes: [] })).toEqual(["nodes spaces:sources.errors.nodes"]);
    const nodes = Array.from({ length: 201 }, (_, i) => node(`n${i}`));
    expect(problems({ kind: "panorama", nodes })).toEqual(["nodes spaces:sources.errors.tooManyNodes"]);
    expect(
      problems({
        kind: "panorama",
        nodes: [
          node("a", { links: ["a"] }),
          node("a", { position: [0, 1e9, 0], title: { ja: "x".repeat(101) } }),
          node("b c", { mediaId: "", heading: "north", links: [{}] }),
          "d",
        ],
      }).sort(),
    ).toEqual([
      "nodes.0.links spaces:sources.errors.link",
      "nodes.1.id spaces:sources.errors.sameNode",
      "nodes.1.position shared-owners:errors.field.position",
      "nodes.1.title.ja spaces:sources.errors.title",
      "nodes.2.heading spaces:sources.errors.heading",
      "nodes.2.id spaces:sources.errors.nodeId",
      "nodes.2.links spaces:sources.errors.link",
      "nodes.2.mediaId spaces:sources.errors.media",
      "nodes.3 shared-owners:errors.form.invalid",
    ]);
  });

  it("accepts images of about 2:1 as panoramas, and recognises parts of panoramas", () => {
    expect(invalidPanoramaSize({ width: 4096, height: 2048 })).toBeNull();
    expect(invalidPanoramaSize({ width: 4096, height: 2080 })).toBeNull();
    expect(invalidPanoramaSize({ width: null, height: null })).toBeNull();
    expect(invalidPanoramaSize({ width: 1920, height: 1080 })).toEqual({ width: 1920, height: 1080 });
    expect(invalidPanoramaSize({ width: 3000, height: 1000 })).toEqual({ width: 3000, height: 1000 });
    expect(panoramaPart(512, 512)).toBe("face");
    expect(panoramaPart(2048, 1536)).toBe("cubemap");
    expect(panoramaPart(1280, 854)).toBe("other");
  });
});
