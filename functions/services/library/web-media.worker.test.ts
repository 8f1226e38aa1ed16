import { beforeEach, describe, expect, it } from "vitest";
import type { LibraryItem } from "~/domain/library/library-item";
import { catchErrorCode, type TestUser, useTestApp } from "../../../tests/support/app/test-app";
import { audit, libraryItems } from "../../data/schema";

const VIDEO_URL = "https://youtu.be/dQw4w9WgXcQ?si=x";
const PHOTO = "https://www.flickr.com/photos/bees/2362225867";

const testApp = useTestApp();
let owner: TestUser;
beforeEach(async () => {
  owner = await testApp.addUser();
  await testApp.files.delete(await storedKeys());
});

const add = (fields: Partial<Parameters<typeof testApp.services.webMedia.addWebMediaItem>[0]> = {}) =>
  testApp.services.webMedia.addWebMediaItem({ actor: owner.actor, url: VIDEO_URL, ...fields });
const storedKeys = async () => (await testApp.files.list()).objects.map(({ key }) => key);
/** Bytes of the library, without the content of events. */
const readFileBytes = async () => {
  const account = await testApp.readAccount(owner.user.id);
  return account && account.storageUsed - account.contentUsed;
};
const readAuditActions = async () =>
  (await testApp.db.select({ action: audit.action }).from(audit).orderBy(audit.action))
    .map(({ action }) => action)
    .filter((action) => action.startsWith("media"));

describe("a preview", () => {
  it("shows the content of a URL, and stores nothing", async () => {
    const preview = await testApp.services.webMedia.previewWebMediaItem({
      actor: owner.actor,
      url: VIDEO_URL,
    });
    expect(preview).toMatchObject({
      providerName: "YouTube",
      title: "広場を歩く Walking through Hiroba",
      web: {
        url: "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
        player: "/embed/dQw4w9WgXcQ",
        type: "video",
      },
      image: { mimeType: "image/png" },
    });
    expect(await storedKeys()).toEqual([]);
    expect(await readFileBytes()).toBe(0);
  });

  it.each([
    ["https://evil.example/?q=//youtu.be/abc", "web_address"],
    ["", "web_address"],
    ["https://www.youtube.com/watch?v=notHere0000", "web_not_found"],
    ["https://www.youtube.com/watch?v=private0000", "web_private"],
  ])("of %s is rejected: %s", async (url, code) => {
    const preview = testApp.services.webMedia.previewWebMediaItem({ actor: owner.actor, url });
    expect(await catchErrorCode(preview)).toBe(code);
  });

  it("of a link, an invalid, unsupported or missing response is rejected, each with its own code", async () => {
    const responses = {
      web_link: {
        status: 200,
        headers: { "content-type": "application/json" },
        body: '{"type":"link","version":"1.0"}',
      },
      web_bad_answer: { status: 200, headers: { "content-type": "text/html" }, body: "<html>" },
      web_unsupported: { status: 501, headers: {}, body: "" },
      web_unreachable: null,
    };
    for (const [code, response] of Object.entries(responses)) {
      testApp.web.respond = async () => response;
      expect(
        await catchErrorCode(
          testApp.services.webMedia.previewWebMediaItem({ actor: owner.actor, url: VIDEO_URL }),
        ),
      ).toBe(code);
    }
    expect(await catchErrorCode(add())).toBe("web_unreachable");
    expect(await storedKeys()).toEqual([]);
  });
});

describe("adding a web media item", () => {
  it("stores its URL, its reduced response and its thumbnail, which counts towards the storage", async () => {
    const item = await add();
    expect(item).toMatchObject({
      kind: "web",
      title: "広場を歩く Walking through Hiroba",
      ownerId: owner.user.id,
      folderId: await testApp.readRootFolderId(owner, "media"),
      mimeType: "image/png",
      fileKey: null,
      web: {
        provider: "youtube",
        url: "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
        type: "video",
        author: "Hiroba",
        player: "/embed/dQw4w9WgXcQ",
        width: 200,
        height: 113,
      },
    });
    expect(await storedKeys()).toEqual([item.thumbKey]);
    expect(item.byteSize).toBeGreaterThan(100);
    expect(await readFileBytes()).toBe(item.byteSize);
    expect(await testApp.files.head(item.thumbKey ?? "").then((head) => head?.size)).toBe(item.byteSize);
    expect(await readAuditActions()).toEqual(["media_web_added"]);
    // The provider's HTML is not stored.
    const row = await testApp.binding.prepare("SELECT * FROM library_items").first();
    expect(JSON.stringify(row)).not.toMatch(/iframe|script|evil/);
  });

  it("uses the title that the user chose, or a name from its URL if the provider has no title", async () => {
    expect((await add({ title: "会場案内" })).title).toBe("会場案内");
    expect((await add({ url: "https://nico.ms/sm9" })).title).toBe("niconico sm9");
    expect((await add({ url: "https://x.com/Interior/status/463440424141459456" })).title).toBe(
      "X 463440424141459456",
    );
  });

  it("stores a photo as an image without a player, and nothing when the image does not load", async () => {
    const photo = await add({ url: PHOTO });
    expect(photo.web).toMatchObject({ type: "photo", player: null, width: 1024, height: 683 });
    expect(photo.thumbKey).not.toBeNull();
    const respond = testApp.web.respond;
    testApp.web.respond = async (url, signal) => (url.includes("staticflickr") ? null : respond(url, signal));
    expect(await catchErrorCode(add({ url: PHOTO }))).toBe("web_unreachable");
    expect(await testApp.db.select().from(libraryItems)).toHaveLength(1);
    // A video is added even without an image.
    testApp.web.respond = async (url, signal) => (url.includes("ytimg") ? null : respond(url, signal));
    expect(await add()).toMatchObject({ thumbKey: null, byteSize: 0, mimeType: "text/uri-list" });
  });

  it("needs free space in the library, and leaves nothing behind without it", async () => {
    const full = await testApp.addUser({ storageLimit: 10 });
    expect(await catchErrorCode(add({ actor: full.actor }))).toBe("library_capacity");
    expect(await storedKeys()).toEqual([]);
    expect(await testApp.db.select().from(libraryItems)).toEqual([]);
  });

  it("requires permission for the folder, and shares the item like its folder", async () => {
    const other = await testApp.addUser();
    const { id: groupId, actors } = await testApp.addGroup(owner, other);
    const folder = await testApp.services.tree.createFolder({
      actor: owner.actor,
      folderType: "media",
      name: "x",
    });
    expect(await catchErrorCode(add({ actor: other.actor, folderId: folder.id }))).toBe("not_found");
    expect(await catchErrorCode(add({ actor: other.actor, ownerId: owner.user.id }))).toBe("not_found");
    expect(await catchErrorCode(add({ folderId: await testApp.readRootFolderId(owner, "space") }))).toBe(
      "not_found",
    );
    await testApp.services.groups.changeGroup({
      actor: owner.actor,
      kind: "folder",
      id: folder.id,
      groupId,
    } as never);
    const member = actors[1] ?? other.actor;
    const item = await add({ actor: member, folderId: folder.id });
    expect(item).toMatchObject({ ownerId: owner.user.id, groupId, folderId: folder.id });
    expect(await add({ actor: testApp.admin, ownerId: owner.user.id })).toMatchObject({
      ownerId: owner.user.id,
    });
    await testApp.services.tree.deleteItems({ actor: owner.actor, selection: { folder: [folder.id] } });
    expect(await catchErrorCode(add({ folderId: folder.id }))).toBe("not_found");
  });
});

describe("replacing a web media item", () => {
  let item: LibraryItem;
  beforeEach(async () => {
    item = await add();
  });
  const replace = (fields: object = {}) =>
    testApp.services.webMedia.replaceWebMediaItem({
      actor: owner.actor,
      id: item.id,
      url: "https://vimeo.com/76979871",
      ...fields,
    });

  it("changes its URL and its image, also in an event that uses it", async () => {
    const { eventId } = await testApp.addSpace(owner);
    const mediaId = await testApp.addMediaItem(eventId, item.id);
    const before = await testApp.readRevision(eventId);
    const replaced = await replace();
    expect(replaced).toMatchObject({
      title: item.title,
      version: 2,
      web: { provider: "vimeo", player: "/video/76979871" },
    });
    expect(replaced.thumbKey).not.toBe(item.thumbKey);
    expect(await storedKeys()).toEqual([replaced.thumbKey]);
    expect(await readFileBytes()).toBe(replaced.byteSize);
    expect(await testApp.readRevision(eventId)).toBeGreaterThan(before);
    const record = await testApp.data.visitors.load(eventId);
    expect(record?.media).toMatchObject([{ id: mediaId, kind: "web", web: { provider: "vimeo" } }]);
    expect(await readAuditActions()).toEqual(["media_web_added", "media_web_replaced"]);
  });

  it("queries the URL again if no other is given, because responses change", async () => {
    testApp.time.now += 1e9;
    const respond = testApp.web.respond;
    testApp.web.respond = async (url, signal) => {
      const response = await respond(url, signal);
      return (
        response && {
          ...response,
          body:
            typeof response.body === "string"
              ? response.body.replace('"author_name":"Hiroba"', '"author_name":"Plaza"')
              : response.body,
        }
      );
    };
    expect(await replace({ url: undefined })).toMatchObject({
      web: { provider: "youtube", author: "Plaza" },
    });
  });

  it("keeps its image when the image cannot be loaded again", async () => {
    testApp.time.now += 1e9;
    const respond = testApp.web.respond;
    testApp.web.respond = async (url, signal) => {
      const response = await respond(url, signal);
      return response && typeof response.body === "string" ? response : null;
    };
    const refreshed = await replace({ url: undefined });
    expect(refreshed).toMatchObject({ version: 2, thumbKey: item.thumbKey, byteSize: item.byteSize });
    expect(await storedKeys()).toEqual([item.thumbKey]);
    expect(await readFileBytes()).toBe(item.byteSize);
  });

  it("overwrites no change that was saved meanwhile, and leaves no image behind", async () => {
    await testApp.services.tree.renameItem({
      actor: owner.actor,
      kind: "media",
      id: item.id,
      version: 1,
      name: "y",
    });
    expect(await catchErrorCode(replace({ version: 1 }))).toBe("stale_version");
    const respond = testApp.web.respond;
    testApp.web.respond = async (url, signal) => {
      await testApp.binding.prepare("UPDATE library_items SET version = version + 1").run();
      return respond(url, signal);
    };
    expect(await catchErrorCode(replace())).toBe("stale_version");
    expect(await storedKeys()).toEqual([item.thumbKey]);
  });

  it("is rejected for strangers, for files, and for the URL of an unknown provider", async () => {
    const stranger = await testApp.addUser();
    expect(await catchErrorCode(replace({ actor: stranger.actor }))).toBe("not_found");
    const file = await testApp.addItem(owner);
    expect(await catchErrorCode(replace({ id: file.id }))).toBe("not_found");
    expect(await catchErrorCode(replace({ url: "https://evil.example/" }))).toBe("web_address");
  });
});

it("visitors receive the web data of a media item without the storage key of its image, and the image by the item's id", async () => {
  const item = await add();
  const { eventId } = await testApp.addSpace(owner);
  await testApp.addMediaItem(eventId, item.id);
  await testApp.setStatus(eventId, 3);
  const token = (await testApp.data.events.find(eventId))?.event.accessToken ?? "";
  const link = { eventId, mode: "published", token } as const;
  const result = await testApp.services.visitors.readVisitorEvent(link);
  expect(result.state === "open" && result.event.media[0]?.web).toEqual(item.web);
  expect(JSON.stringify(result.state === "open" && result.event)).not.toContain(item.thumbKey);
  const viewer = { kind: "link", ...link } as const;
  const file = await testApp.services.library.openFile({ id: item.id, viewer });
  expect(file).toMatchObject({ fileKey: item.thumbKey, mimeType: "image/png" });
  const actorAccess = { kind: "actor", actor: owner.actor } as const;
  expect(await testApp.services.library.openFile({ id: item.id, viewer: actorAccess })).toEqual({
    ...file,
    isOriginal: true,
  });
});
