import { describe, expect, it } from "vitest";
import { fullPlacement } from "~/domain/content/placement";
import { mediaItem, sceneInput, tag } from "../../../../tests/support/browser/scene-input";
import { makeScene } from "./scene";

describe("makeScene", () => {
  it("shows a text in the other language, and marks it, if the reader's language is missing", () => {
    const scene = makeScene(sceneInput({ tags: [tag("a")] }));
    expect(scene.tags[0]?.title).toEqual({ text: "題", lang: "ja" });
    expect(scene.tags[0]?.body).toEqual({ blocks: [{ p: ["Body"] }], lang: "en" });
  });

  it("makes pins for tags, also at their media, and for placed sounds, but not for other placed media", () => {
    const scene = makeScene(
      sceneInput({
        tags: [tag("a", { mediaIds: ["m1"] }), tag("b", { position: null, mediaIds: ["m2", "m3"] })],
        media: [
          ...["m1", "m2", "m3", "m4"].map((id) => mediaItem(id)),
          mediaItem("m5", { placement: null }),
          mediaItem("m6", { kind: "audio" }),
        ],
      }),
    );
    // Placed media are clicked themselves; a sound is invisible.
    expect(scene.pins.map((pin) => pin.id)).toEqual(["a", "b", "m6"]);
    expect(scene.placedMedia.map(({ id }) => id)).toEqual(["m1", "m2", "m3", "m4", "m6"]);
    expect(scene.pins[1]).toMatchObject({ type: "tag", position: [0, 1.6, 0] });
    expect(scene.media).toHaveLength(6);
  });

  it("shows a document with the image of its first page if that is available", () => {
    const sceneOfDocument = (hasThumbnail: boolean) =>
      makeScene(sceneInput({ media: [mediaItem("m", { kind: "pdf", hasThumbnail })] }));
    expect([true, false].map((hasThumbnail) => sceneOfDocument(hasThumbnail).media[0]?.hasImage)).toEqual([
      true,
      false,
    ]);
    expect(
      [true, false].map((hasThumbnail) => sceneOfDocument(hasThumbnail).placedMedia[0]?.imageUrl),
    ).toEqual(["/media/item-m?w=1280", null]);
  });

  it("places a visitor two metres in front of a placed media item, facing it", () => {
    const viewpoint = makeScene(sceneInput({ media: [mediaItem("m", { kind: "audio" })] })).pins[0]
      ?.viewpoint;
    expect(viewpoint).toEqual({ position: [0, 1.6, 2], yaw: 0, pitch: 0, mode: "walk" });
    const eastwardViewpoint = makeScene(
      sceneInput({
        media: [
          mediaItem("m", {
            kind: "audio",
            placement: fullPlacement({ position: [5, 1.6, 0], normal: [-1, 0, 0], width: 1 }),
          }),
        ],
      }),
    ).pins[0]?.viewpoint;
    // From the west of it the view is to the east: along +x, a quarter turn to the right.
    expect(eastwardViewpoint?.position).toEqual([3, 1.6, 0]);
    expect(eastwardViewpoint?.yaw).toBeCloseTo(-Math.PI / 2);
  });

  it("gives a web media item a player with its thumbnail and a link to its page, and shows a photo as an image", () => {
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
    const scene = makeScene(sceneInput({ media: [mediaItem("m", { kind: "web", web })] }));
    const { frame, link, hasImage } = scene.media[0] ?? {};
    expect(hasImage).toBe(false);
    expect(link).toEqual({ href: web.url, label: "YouTubeで開く" });
    expect(frame).toMatchObject({
      page: web.url,
      image: "/media/item-m?w=1280",
      frame: { src: "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1", title: "絵" },
    });
    expect(frame?.frame.sandbox).not.toMatch(/allow-(top-navigation|forms|modals|downloads)/);
    // A photo is an image and has no player.
    const photo = { ...web, provider: "flickr", type: "photo", player: null } as const;
    const visibleMediaItem = makeScene(sceneInput({ media: [mediaItem("m", { kind: "web", web: photo })] }))
      .media[0];
    expect(visibleMediaItem).toMatchObject({ hasImage: true, frame: null, src: "/media/item-m" });
    // A web media item without a thumbnail has a player all the same.
    const sceneWithoutThumbnail = makeScene(
      sceneInput({ media: [mediaItem("m", { kind: "web", web, mimeType: "text/uri-list" })] }),
    );
    expect(sceneWithoutThumbnail.media[0]?.frame).toMatchObject({ page: web.url, image: null });
  });

  it("opens a showcase with the event's parameters and the reader's language", () => {
    const { source } = makeScene(sceneInput({ lang: "en", urlParams: { dh: "0" } }));
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
});
