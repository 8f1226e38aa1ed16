import { describe, expect, it } from "vitest";
import { fullPlacement } from "~/domain/placement";
import { makeScene, type SceneInput } from "./scene";

const tag = (id: string, more: Partial<SceneInput["tags"][number]> = {}): SceneInput["tags"][number] => ({
  id,
  title: { ja: "題", en: "Title" },
  body: { ja: "", en: "Body" },
  color: "#123456",
  icon: "info",
  keywords: [],
  linkUrl: null,
  position: [1, 1.5, 2],
  stem: [0, 0, 0.2],
  viewpoint: null,
  mediaIds: [],
  ...more,
});
const medium = (
  id: string,
  more: Partial<SceneInput["media"][number]> = {},
): SceneInput["media"][number] => ({
  id,
  libraryItemId: `item-${id}`,
  kind: "image",
  title: { ja: "絵", en: "Picture" },
  description: { ja: "", en: "" },
  mimeType: "image/webp",
  byteSize: 1,
  width: 1,
  height: 1,
  duration: null,
  placement: fullPlacement({ position: [0, 1.6, 0], normal: [0, 0, 1], width: 1 }),
  web: null,
  ...more,
});
const input = (more: Partial<SceneInput> = {}): SceneInput => ({
  lang: "ja",
  space: { name: "S", sid: "SxQL3iGyoDo", source: { kind: "showcase" }, posterMediaId: null },
  tags: [],
  media: [],
  urlParams: {},
  fileUrl: (id) => `/media/${id}`,
  ...more,
});

describe("makeScene", () => {
  it("shows a text in the other language, and says so, when it is missing in the reader's", () => {
    const scene = makeScene(input({ tags: [tag("a")] }));
    expect(scene.tags[0]?.title).toEqual({ text: "題", lang: "ja" });
    expect(scene.tags[0]?.body).toEqual({ blocks: [{ p: ["Body"] }], lang: "en" });
  });

  it("gives every entry of the list that has a place one pin, and none a second", () => {
    const scene = makeScene(
      input({
        tags: [tag("a", { mediaIds: ["m1"] }), tag("b", { position: null, mediaIds: ["m2", "m3"] })],
        media: [
          ...["m1", "m2", "m3", "m4"].map((id) => medium(id)),
          medium("m5", { placement: null }),
          medium("m6", { kind: "audio" }),
        ],
      }),
    );
    // What hangs in the space is pressed itself; a sound cannot be seen.
    expect(scene.pins.map((pin) => pin.id)).toEqual(["a", "b", "m6"]);
    expect(scene.hung.map(({ id }) => id)).toEqual(["m1", "m2", "m3", "m4", "m6"]);
    expect(scene.pins[1]).toMatchObject({ type: "tag", position: [0, 1.6, 0] });
    expect(scene.media).toHaveLength(6);
  });

  it("hangs a picture of a document only where there is one to be fetched", () => {
    const media = [medium("m", { kind: "pdf", mimeType: "application/pdf" })];
    const of = (stills?: ReadonlySet<string>) => makeScene(input({ media, stills })).hung[0]?.picture;
    expect(of()).toBe(null);
    expect(of(new Set(["item-m"]))).toBe("/media/item-m?w=1280");
  });

  it("stands a visitor two metres before a placed medium, looking at it", () => {
    const viewpoint = makeScene(input({ media: [medium("m", { kind: "audio" })] })).pins[0]?.viewpoint;
    expect(viewpoint).toEqual({ position: [0, 1.6, 2], yaw: 0, pitch: 0, mode: "walk" });
    const east = makeScene(
      input({
        media: [
          medium("m", {
            kind: "audio",
            placement: fullPlacement({ position: [5, 1.6, 0], normal: [-1, 0, 0], width: 1 }),
          }),
        ],
      }),
    ).pins[0]?.viewpoint;
    // From the west of it one looks east: along +x, which is a quarter turn to the right.
    expect(east?.position).toEqual([3, 1.6, 0]);
    expect(east?.yaw).toBeCloseTo(-Math.PI / 2);
  });

  it("shows a web medium by its picture and a link to its player, asking nobody before", () => {
    const web = {
      provider: "youtube",
      url: "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
      type: "video",
      title: "",
      author: "",
      player: "/embed/dQw4w9WgXcQ",
      width: 480,
      height: 270,
    } as const;
    const scene = makeScene(input({ media: [medium("m", { kind: "web", web })] }));
    const { frame, link, picture } = scene.media[0] ?? {};
    expect(picture).toBeNull();
    expect(link).toEqual({ href: web.url, label: "YouTubeで開く" });
    expect(frame).toMatchObject({
      page: web.url,
      picture: "/media/item-m?w=1280",
      frame: { src: "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1", title: "絵" },
    });
    expect(frame?.frame.sandbox).not.toMatch(/allow-(top-navigation|forms|modals|downloads)/);
    // A photo is a picture, and has no player.
    const photo = { ...web, provider: "flickr", type: "photo", player: null } as const;
    const shown = makeScene(input({ media: [medium("m", { kind: "web", web: photo })] })).media[0];
    expect(shown).toMatchObject({ picture: "/media/item-m?w=", frame: null, src: "/media/item-m" });
    // One without a still picture is played all the same.
    const bare = makeScene(input({ media: [medium("m", { kind: "web", web, mimeType: "text/uri-list" })] }));
    expect(bare.media[0]?.frame).toMatchObject({ page: web.url, picture: null });
  });

  it("opens a showcase with the event's parameters and the reader's language", () => {
    const { source } = makeScene(input({ lang: "en", urlParams: { dh: "0" } }));
    expect(source).toMatchObject({ kind: "showcase" });
    const url = new URL(source.kind === "showcase" ? source.src : "");
    expect(url.host).toBe("my.matterport.com");
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      m: "SxQL3iGyoDo",
      dh: "0",
      lang: "en",
      play: "1",
    });
  });

  describe("of an event with a scene", () => {
    const view = { position: [1, 1.6, 1], yaw: 0, pitch: 0, mode: "walk" } as const;
    const stop = {
      tagId: null,
      viewpoint: null,
      title: { ja: "", en: "" },
      text: { ja: "", en: "" },
      seconds: 8,
    };
    const eventScene = { startView: null, tour: [], plan: null };

    it("leads a tour to what visitors see, under the title of its tag where it has none", () => {
      const { tour } = makeScene(
        input({
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
      expect(tour).toEqual([
        expect.objectContaining({ id: "s1", tagId: "a", title: { text: "題", lang: "ja" } }),
        expect.objectContaining({
          id: "s3",
          tagId: null,
          viewpoint: view,
          title: { text: "窓", lang: "ja" },
        }),
      ]);
    });

    it("begins where its owner chose", () => {
      const space = {
        ...input().space,
        source: { kind: "model", mediaId: "x", start: null, eyeHeight: 1.6 },
      } as const;
      expect(
        makeScene(input({ space, eventScene: { ...eventScene, startView: view } })).source,
      ).toMatchObject({
        start: view,
      });
    });

    it("has the plan only of a picture whose size is known", () => {
      const plan = { mediaId: "m", center: [0, 1], width: 12, rotation: 0 } as const;
      const of = (more: Parameters<typeof medium>[1]) =>
        makeScene(input({ media: [medium("m", more)], eventScene: { ...eventScene, plan } })).plan;
      expect(of({ width: 400, height: 200 })).toEqual({
        picture: "/media/item-m?w=1280",
        aspect: 0.5,
        center: [0, 1],
        width: 12,
        rotation: 0,
      });
      expect(of({ width: null, height: null })).toBe(null);
      expect(makeScene(input({ eventScene: { ...eventScene, plan } })).plan).toBe(null);
    });
  });
});
