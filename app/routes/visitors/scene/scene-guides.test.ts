import { describe, expect, it } from "vitest";
import { mediaItem, sceneInput, tag } from "../../../../tests/support/browser/scene-input";
import { makeScene } from "./scene";

describe("makeScene of an event with a scene", () => {
  const view = { position: [1, 1.6, 1], yaw: 0, pitch: 0, mode: "walk" } as const;
  const stop = {
    tagId: null,
    viewpoint: null,
    title: { ja: "", en: "" },
    text: { ja: "", en: "" },
    seconds: 8,
  };
  const eventScene = { startView: null, tour: [], plan: null };

  it("contains the stops that visitors can reach, with the tag's title if a stop has none", () => {
    const { stops } = makeScene(
      sceneInput({
        tags: [tag("a")],
        eventScene: {
          ...eventScene,
          tour: [
            { ...stop, id: "s1", tagId: "a" },
            { ...stop, id: "s2", tagId: "hidden" },
            { ...stop, id: "s3", tagId: "hidden", viewpoint: view, title: { ja: "窓", en: "" } },
          ],
        },
      }),
    );
    expect(stops).toEqual([
      expect.objectContaining({ id: "s1", tagId: "a", title: { text: "題", lang: "ja" } }),
      expect.objectContaining({
        id: "s3",
        tagId: null,
        viewpoint: view,
        title: { text: "窓", lang: "ja" },
      }),
    ]);
  });

  it("starts at the owner's start view", () => {
    const space = {
      ...sceneInput().space,
      source: { kind: "model", mediaId: "x", start: null, eyeHeight: 1.6 },
    } as const;
    expect(
      makeScene(sceneInput({ space, eventScene: { ...eventScene, startView: view } })).source,
    ).toMatchObject({
      start: view,
    });
  });

  it("contains the plan only if the size of its image is known", () => {
    const plan = { mediaId: "m", center: [0, 1], width: 12, rotation: 0 } as const;
    const planOf = (overrides: Parameters<typeof mediaItem>[1]) =>
      makeScene(sceneInput({ media: [mediaItem("m", overrides)], eventScene: { ...eventScene, plan } })).plan;
    expect(planOf({ width: 400, height: 200 })).toEqual({
      image: "/media/item-m?w=1280",
      aspect: 0.5,
      center: [0, 1],
      width: 12,
      rotation: 0,
    });
    expect(planOf({ width: null, height: null })).toBe(null);
    expect(makeScene(sceneInput({ eventScene: { ...eventScene, plan } })).plan).toBe(null);
  });
});
