import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createRecentReads } from "#functions/media/recent-reads";
import { type MediaRequestContext, serveMedia } from "#functions/media/serve-media";
import { sendSigned } from "#functions/media/serve-signed-media";
import type { LibraryItem } from "~/domain/library/library-item";
import { PREPARATION } from "~/domain/library/preparation";
import { hiddenReason, type PreparationReport, preparationState } from "~/domain/library/prepared";
import { PREVIEW_MAX_BYTES, UPLOAD_PART_BYTES } from "~/domain/shared/limits";
import { tileNames } from "~/domain/spaces/panorama-tiles";
import { catchErrorCode, INTERACTIVE, type TestUser, useTestApp } from "../../../tests/support/app/test-app";
import { testImages } from "../../../tests/support/app/test-images";
import { glbFile, jpegFile, triangle, zeros } from "../../../tests/support/files/media-files";
import { audit, libraryItems, preparedFiles, uploads, users } from "../../data/schema";
import { toVisitorEvent } from "../visitors/event-access";
import { LEASE_MS } from "./preparations";

const testApp = useTestApp();
const MB = 1024 * 1024;
const HOUR_MS = 3_600_000;
/** A media type that browsers cannot show, used only by these tests. */
const UNSUPPORTED_TYPE = "model/of-a-test";
const table = PREPARATION as Record<string, "required" | "offered">;
let owner: TestUser;
let member: TestUser;
let stranger: TestUser;
let item: LibraryItem;

const service = () => testApp.services.preparations;
interface CheckedUpload {
  readonly file_url: string;
  readonly file_name: string;
}
/** Creates a model whose binary part has this number of bytes, at least 36. */
const model = (bytes: number) =>
  glbFile({ ...triangle, buffers: [{ byteLength: 36 }] }, zeros(Math.max(36, bytes)));
const ORIGINAL = model(4000);
const DISPLAY = model(1000);
const PREVIEW = model(100);
const report: PreparationReport = {
  before: { bytes: ORIGINAL.length, triangles: 100 },
  after: { bytes: DISPLAY.length, triangles: 10 },
  losses: ["animations"],
};

beforeEach(async () => {
  const { objects } = await testApp.files.list();
  if (objects.length > 0) await testApp.files.delete(objects.map(({ key }) => key));
  owner = await testApp.addUser({ storageLimit: 100 * MB });
  member = await testApp.addUser();
  stranger = await testApp.addUser();
  item = await upload(ORIGINAL);
});
afterEach(() => {
  delete table[UNSUPPORTED_TYPE];
  testApp.uploadChecks.isEnabled = false;
});

async function upload(bytes: Uint8Array, replacesId?: string): Promise<LibraryItem> {
  const isModel = bytes[0] === 0x67;
  const [result] = await testApp.services.uploads.storeFiles({
    actor: owner.actor,
    replacesId,
    declaredBytes: null,
    files: (async function* () {
      yield {
        fileName: isModel ? "広場.glb" : "広場.jpg",
        chunks: (async function* () {
          yield bytes;
        })(),
      };
    })(),
  });
  await Promise.all(testApp.deferred.splice(0));
  if (!result || !("item" in result)) throw new Error("not stored");
  return find(result.item.id);
}
async function find(id: string): Promise<LibraryItem> {
  const libraryItem = await testApp.data.library.find(id);
  if (!libraryItem) throw new Error("not there");
  return libraryItem;
}
/** Claims the conversion. Null while another browser converts the file. */
const tryStart = (actor = owner.actor, holder = "tab-number-1", quality?: number) =>
  service().startPreparation({ actor, itemId: item.id, holder, quality });
const start = async (...input: Parameters<typeof tryStart>) => {
  const started = await tryStart(...input);
  if (!started) throw new Error("Another browser converts the file.");
  return started;
};
const send = (
  runId: string,
  bytes: Uint8Array,
  file: { role?: "display" | "preview" | "tile"; name?: string; byteSize?: number; part?: number } = {},
  actor = owner.actor,
) => {
  const { role = "display", name = "model.glb", byteSize = bytes.length, part = 1 } = file;
  return service().storePreparedFile({ actor, itemId: item.id, runId, role, name, byteSize, part, bytes });
};
const finish = (runId: string, actor = owner.actor) =>
  service().finishPreparation({ actor, itemId: item.id, runId, report });
/** Converts the item's file. */
async function convert(display = DISPLAY, preview: Uint8Array | null = PREVIEW) {
  const { runId } = await start();
  await send(runId, display);
  if (preview) await send(runId, preview, { role: "preview", name: "preview.glb" });
  await finish(runId);
  return find(item.id);
}
const storedKeys = async () => (await testApp.files.list()).objects.map(({ key }) => key).sort();
const limitTo = (storageLimit: number) =>
  testApp.db.update(users).set({ storageLimit }).where(eq(users.id, owner.user.id));
const readStorageUsed = async () => (await testApp.readAccount(owner.user.id))?.storageUsed;

const createMediaContext = (actor: TestUser["actor"] | null = null): MediaRequestContext => ({
  env: { FILES: testApp.files },
  metadata: testApp.metadata,
  mediaOrigin: null,
  images: testImages(testApp.files).images,
  recentReads: createRecentReads(() => testApp.time.now),
  ticketOf: () => (actor ? "ticket" : null),
  defer: () => {},
  services: testApp.services,
  pageContext: () => ({
    session: { current: async () => actor && { actor } },
    visitor: { eventAccessCookie: () => null },
  }),
});
const get = (path: string, actor: TestUser["actor"] | null = null, context = createMediaContext(actor)) =>
  serveMedia(new Request(`https://hiroba.test/media/${path}`), context);
const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer());
/** An event that shows the item, and the query of its public link. */
async function addEventWithItem() {
  const { eventId } = await testApp.addSpace(owner);
  await testApp.addMediaItem(eventId, item.id);
  await testApp.setStatus(eventId, 3);
  const token = (await testApp.data.events.find(eventId))?.event.accessToken ?? "";
  return { eventId, query: `?event=${eventId}&mode=published&token=${token}` };
}
const visitorMedia = async (eventId: string) => (await testApp.data.visitors.load(eventId))?.media ?? [];

describe("a conversion", () => {
  it("gives visitors the converted files instead of the original, which is kept", async () => {
    const { eventId, query } = await addEventWithItem();
    expect(await bytesOf(await get(item.id + query))).toEqual(ORIGINAL);
    const revision = await testApp.readRevision(eventId);
    const done = await convert();
    expect(await testApp.readRevision(eventId)).toBeGreaterThan(revision);
    expect(done.preparation).toMatchObject({
      state: "done",
      code: "",
      quality: 0.7,
      report,
      preview: "preview.glb",
    });

    const response = await get(item.id + query);
    expect(response.headers.get("content-disposition")).toContain(encodeURIComponent("広場.glb"));
    expect(await bytesOf(response)).toEqual(DISPLAY);
    expect(await bytesOf(await get(`${item.id}/prepared/preview.glb${query}`))).toEqual(PREVIEW);
    expect(await bytesOf(await get(`${item.id}/original${query}`))).toEqual(ORIGINAL);
    expect((await get(`${item.id}/prepared/other.glb${query}`)).status).toBe(404);
    const [mediaItem] = await visitorMedia(eventId);
    expect(mediaItem?.byteSize).toBe(DISPLAY.length);
    const auditEntry = (await testApp.db.select().from(audit)).find(
      ({ action }) => action === "media_prepared",
    );
    expect(auditEntry).toMatchObject({ resourceId: item.id, actorId: owner.user.id });
  });

  it("is audited with the session and the network of its actor, and so is the choice of the original", async () => {
    const credential = { ...INTERACTIVE, network: "a network's hash" };
    const actor = { ...owner.actor, credential };
    const { runId } = await start(actor);
    await send(runId, DISPLAY, {}, actor);
    await finish(runId, actor);
    await service().skipPreparation({ actor, itemId: item.id });
    const entries = await testApp.db.select().from(audit).where(eq(audit.network, credential.network));
    expect(entries.map(({ action, credential: stored }) => [action, stored]).sort()).toEqual([
      ["media_preparation_skipped", `session:${credential.id}`],
      ["media_prepared", `session:${credential.id}`],
    ]);
  });

  it("keeps the tags and placements of its item, also when it is converted again", async () => {
    const { eventId } = await testApp.addSpace(owner);
    const placement = { position: [1, 1.5, -2], normal: [0, 0, 1], width: 2 } as const;
    const mediaId = await testApp.addMediaItem(eventId, item.id, { placement });
    await testApp.addTag(eventId, [mediaId], { position: [4, 1, 3] });
    const content = async () => {
      const eventRecord = await testApp.data.visitors.load(eventId);
      return {
        media: eventRecord?.media.map(({ id, libraryItemId, placement: place }) => ({
          id,
          libraryItemId,
          placement: place,
        })),
        tags: eventRecord?.tags.map(({ id, position, mediaIds }) => ({ id, position, mediaIds })),
      };
    };
    const before = await content();
    expect(before.media).toMatchObject([{ id: mediaId, placement }]);
    expect(before.tags).toMatchObject([{ position: [4, 1, 3], mediaIds: [mediaId] }]);
    await convert();
    expect(await content()).toEqual(before);
    await convert(model(500));
    expect(await content()).toEqual(before);
  });

  it("lets visitors download the original, and see the preview first, for as long as their link is open", async () => {
    const { eventId, query } = await addEventWithItem();
    await convert();
    const token = new URLSearchParams(query).get("token");
    const result = await testApp.services.visitors.readVisitorEvent({ eventId, mode: "published", token });
    expect(result).toMatchObject({
      state: "open",
      event: { media: [{ kind: "model", previewName: "preview.glb", originalSize: ORIGINAL.length }] },
    });
    const files = [`${item.id}/original`, item.id, `${item.id}/prepared/preview.glb`];
    const statuses = async (link: string) =>
      Promise.all(files.map(async (path) => (await get(path + link)).status));
    const download = await get(files[0] + query);
    const name = encodeURIComponent("広場.glb");
    expect(download.headers.get("content-disposition")).toMatch(/^attachment;/);
    expect(download.headers.get("content-disposition")).toContain(`filename*=UTF-8''${name}`);
    expect(await bytesOf(download)).toEqual(ORIGINAL);

    const allNotFound = [404, 404, 404];
    expect(await statuses(query)).toEqual([200, 200, 200]);
    expect(await statuses("")).toEqual(allNotFound);
    expect(await statuses(query.replace("published", "preview"))).toEqual(allNotFound);
    const other = await testApp.addSpace(owner);
    await testApp.setStatus(other.eventId, 3);
    const otherToken = (await testApp.data.events.find(other.eventId))?.event.accessToken;
    expect(await statuses(`?event=${other.eventId}&mode=published&token=${otherToken}`)).toEqual(allNotFound);
    // This request has no event access cookie.
    await testApp.setEvent(eventId, { publishPasswordHash: "a password's" });
    expect(await statuses(query)).toEqual(allNotFound);
    await testApp.setEvent(eventId, { publishPasswordHash: null });
    expect(await statuses(query)).toEqual([200, 200, 200]);
    await testApp.setStatus(eventId, 4);
    expect(await statuses(query)).toEqual(allNotFound);
  });

  it("has URLs whose content never changes", async () => {
    const before = item.fileKey?.slice(-8);
    const done = await convert();
    const version = done.preparation?.display?.fileKey.slice(-8);
    const response = await get(`${item.id}/${version}`, owner.actor);
    expect(await bytesOf(response)).toEqual(DISPLAY);
    expect(response.headers.get("cache-control")).toContain("immutable");
    expect(await bytesOf(await get(`${item.id}/${before}`, owner.actor))).toEqual(ORIGINAL);
    expect((await get(`${item.id}/original`, owner.actor)).headers.get("cache-control")).toContain(
      "no-cache",
    );
    const convertedItem = await convert(model(2000), null);
    const moved = await get(`${item.id}/${version}`, owner.actor);
    expect([moved.status, moved.headers.get("location")]).toEqual([
      302,
      `/media/${item.id}/${convertedItem.preparation?.display?.fileKey.slice(-8)}`,
    ]);
    // A preview of an earlier conversion is not part of the new conversion.
    expect((await get(`${item.id}/prepared/preview.glb`, owner.actor)).status).toBe(404);
    expect(convertedItem.preparation?.preview).toBeNull();
  });

  it("is also served from the media host at signed URLs", async () => {
    const { query } = await addEventWithItem();
    await convert();
    const mediaHost = { ...createMediaContext(), mediaOrigin: "https://files.test" };
    for (const [path, bytes] of [
      [item.id, DISPLAY],
      [`${item.id}/prepared/preview.glb`, PREVIEW],
      [`${item.id}/original`, ORIGINAL],
    ] as const) {
      const redirect = await get(path + query, null, mediaHost);
      expect(redirect.status).toBe(302);
      const url = redirect.headers.get("location") ?? "";
      expect(url).toMatch(/^https:\/\/files\.test\/media\/.*signature=/);
      const signedResponse = await sendSigned(new Request(url), mediaHost);
      expect(await bytesOf(signedResponse ?? new Response(""))).toEqual(bytes);
    }
  });

  it("counts as storage until it is replaced; the replaced files are deleted later", async () => {
    expect(await readStorageUsed()).toBe(ORIGINAL.length);
    const done = await convert();
    const preparedSize = DISPLAY.length + PREVIEW.length;
    expect(done.preparedSize).toBe(preparedSize);
    expect(await readStorageUsed()).toBe(ORIGINAL.length + preparedSize);
    await convert(model(500), null);
    expect(await readStorageUsed()).toBe(ORIGINAL.length + model(500).length);
    // Open pages may still read the replaced files; the cron job deletes them later.
    expect(await storedKeys()).toHaveLength(4);
    testApp.time.now += HOUR_MS;
    await testApp.services.uploads.deleteExpiredUploads();
    expect(await storedKeys()).toHaveLength(2);
  });

  it("is deleted after its original file was replaced", async () => {
    await convert();
    const replaced = await upload(model(3000), item.id);
    expect(replaced).toMatchObject({ preparation: null, preparedSize: 0 });
    expect(await readStorageUsed()).toBe(model(3000).length);
    testApp.time.now += HOUR_MS;
    await testApp.services.uploads.deleteExpiredUploads();
    expect(await storedKeys()).toEqual([replaced.fileKey]);
    expect(await testApp.db.select().from(preparedFiles)).toEqual([]);
    expect(await testApp.db.select().from(uploads)).toEqual([]);
  });

  it("counts towards the trash with its item, and is deleted with it after its time in the trash", async () => {
    await convert();
    const before = await readStorageUsed();
    await testApp.db
      .update(libraryItems)
      .set({ deletedAt: new Date(testApp.time.now).toISOString(), deletedWith: item.id })
      .where(eq(libraryItems.id, item.id));
    const account = await testApp.readAccount(owner.user.id);
    expect([account?.storageUsed, account?.trashUsed]).toEqual([0, before]);
    testApp.time.now += 31 * 24 * HOUR_MS;
    await testApp.services.purge.purgeTrash();
    expect(await storedKeys()).toEqual([]);
    expect((await testApp.readAccount(owner.user.id))?.trashUsed).toBe(0);
  });

  it("is uploaded in slices if it is large, and accepted only completely", async () => {
    const large = model(UPLOAD_PART_BYTES + 1000);
    const { runId } = await start();
    const slice = (part: number) =>
      send(runId, large.subarray((part - 1) * UPLOAD_PART_BYTES, part * UPLOAD_PART_BYTES), {
        byteSize: large.length,
        part,
      });
    await slice(1);
    expect(await catchErrorCode(finish(runId))).toBe("preparation_incomplete");
    await slice(2);
    await finish(runId);
    const { query } = await addEventWithItem();
    expect((await bytesOf(await get(item.id + query))).length).toBe(large.length);
  });
});

describe("a panorama", () => {
  const tiles = { width: 8192, tileSize: 1024, levels: 1, extension: "jpg" } as const;
  const names = tileNames(tiles);
  const sendAll = async (runId: string, served: readonly string[]) => {
    await send(runId, jpegFile(4096, 2048), { name: "display.jpg" });
    await send(runId, jpegFile(1024, 512), { role: "preview", name: "preview.jpg" });
    for (const name of served) await send(runId, jpegFile(1026, 1026), { role: "tile", name });
  };

  it("of 8,192 × 4,096 pixels waits for its tiles, which visitors receive only with the link", async () => {
    item = await upload(jpegFile(8192, 4096));
    expect(preparationState(item)).toBe("waiting");
    expect(hiddenReason(item)).toBeNull();
    const { runId } = await start();
    await sendAll(runId, names);
    await finish(runId);
    const { space } = await testApp.services.spaces.createSpace({
      actor: owner.actor,
      name: "Hall",
      source: {
        kind: "panorama",
        start: null,
        nodes: [
          {
            id: "a",
            mediaId: item.id,
            title: { ja: "", en: "" },
            position: [0, 1.6, 0],
            heading: 0,
            links: [],
          },
        ],
      },
    });
    const [event] = (
      await testApp.services.events.listEvents({ actor: owner.actor, spaceId: space.id, pageSize: 1 })
    ).events.items;
    if (!event) throw new Error("no event");
    await testApp.setStatus(event.id, 3);
    const record = await testApp.data.visitors.load(event.id);
    if (!record) throw new Error("no record");
    const { panoramas } = toVisitorEvent(record, testApp.time.now).space;
    expect(panoramas).toEqual({ [item.id]: { version: runId.slice(-8), preview: "preview.jpg", tiles } });
    const path = `${item.id}/${runId.slice(-8)}/0/7-3.jpg`;
    const query = `?event=${event.id}&mode=published&token=${record.event.accessToken}`;
    expect((await get(path + query)).status).toBe(200);
    expect((await get(path)).status).toBe(404);
    await service().skipPreparation({ actor: owner.actor, itemId: item.id });
    expect((await find(item.id)).preparation).toMatchObject({ state: "skipped", tiles: null });
  });

  it("is not published while one of its tiles is missing", async () => {
    item = await upload(jpegFile(8192, 4096));
    const { runId } = await start();
    await sendAll(runId, names.slice(1));
    expect(await catchErrorCode(finish(runId))).toBe("preparation_incomplete");
  });

  it("of 16,384 × 8,192 is hidden before it is converted, and cannot be used unconverted", async () => {
    item = await upload(jpegFile(16_384, 8192));
    expect(hiddenReason(item)).toEqual({ why: "waiting" });
    expect(await catchErrorCode(service().skipPreparation({ actor: owner.actor, itemId: item.id }))).toBe(
      "preparation_needed",
    );
    const { eventId } = await addEventWithItem();
    expect(await visitorMedia(eventId)).toEqual([]);
  });
});

describe("the upload of a conversion", () => {
  it.each([
    ["another kind", jpegFile(4, 4), { name: "model.jpg" }, "preparation_file"],
    ["a type that differs from its name", jpegFile(4, 4), { name: "model.glb" }, "preparation_file"],
    ["a damaged file", DISPLAY.subarray(0, 500), {}, "preparation_file"],
    ["a name that leads to another folder", DISPLAY, { name: "../../other.glb" }, "preparation_name"],
    ["a display file in a folder", DISPLAY, { name: "a/model.glb" }, "preparation_name"],
    ["a type that is not accepted", DISPLAY, { name: "page.html" }, "preparation_name"],
    [
      "a preview that is too large",
      zeros(10),
      { role: "preview", byteSize: PREVIEW_MAX_BYTES + 1 },
      "preparation_too_large",
    ],
    ["a slice of another size", zeros(10), { byteSize: 11 }, "preparation_part"],
    ["a slice beyond the end", DISPLAY, { part: 2 }, "preparation_part"],
  ] as const)("is rejected when it is %s", async (_what, bytes, file, code) => {
    const { runId } = await start();
    expect(await catchErrorCode(send(runId, new Uint8Array(bytes), file))).toBe(code);
    expect((await find(item.id)).preparation?.display).toBeNull();
  });

  it("is not published after it was rejected", async () => {
    const { runId } = await start();
    expect(await catchErrorCode(send(runId, DISPLAY.subarray(0, 500)))).toBe("preparation_file");
    expect(await catchErrorCode(finish(runId))).toBe("preparation_incomplete");
    await send(runId, DISPLAY);
    await finish(runId);
    expect((await find(item.id)).preparation?.display?.byteSize).toBe(DISPLAY.length);
  });

  it("is not published when its request was cut off before it was inspected", async () => {
    const { runId } = await start();
    await send(runId, DISPLAY);
    await testApp.db.update(preparedFiles).set({ parts: '{"1":"whole"}' });
    expect(await catchErrorCode(finish(runId))).toBe("preparation_incomplete");
  });

  it("is rejected without exactly one display file", async () => {
    const { runId } = await start();
    await send(runId, jpegFile(8, 8), { role: "tile", name: "tiles/0/0_0.jpg" });
    expect(await catchErrorCode(finish(runId))).toBe("preparation_incomplete");
    await send(runId, DISPLAY);
    await send(runId, DISPLAY, { name: "second.glb" });
    expect(await catchErrorCode(finish(runId))).toBe("preparation_incomplete");
  });

  it("is rejected when the library has no free space, and nothing changes", async () => {
    const { runId } = await start();
    await limitTo(ORIGINAL.length + 500);
    expect(await catchErrorCode(send(runId, DISPLAY))).toBe("library_capacity");
    await limitTo(10 * MB);
    await send(runId, DISPLAY);
    await limitTo(ORIGINAL.length + 500);
    expect(await catchErrorCode(finish(runId))).toBe("library_capacity");
    expect(await readStorageUsed()).toBe(ORIGINAL.length);
    expect((await find(item.id)).preparation?.state).toBe("waiting");
  });

  it("is rejected from users who may not change the item", async () => {
    const { runId } = await start();
    expect(await catchErrorCode(send(runId, DISPLAY, {}, stranger.actor))).toBe("not_found");
    expect(await catchErrorCode(start(stranger.actor, "other-tab-1"))).toBe("not_found");
    expect(await catchErrorCode(service().skipPreparation({ actor: stranger.actor, itemId: item.id }))).toBe(
      "not_found",
    );
  });

  it("is accepted from a member of the item's group, whose conversion replaces the owner's after its lease has ended", async () => {
    const group = await testApp.addGroup(member);
    const actor = group.actors[0] ?? member.actor;
    await testApp.db.update(libraryItems).set({ groupId: group.id }).where(eq(libraryItems.id, item.id));
    const firstRun = await start();
    await send(firstRun.runId, DISPLAY);
    expect(await tryStart(actor, "tab-number-2")).toBeNull();
    testApp.time.now += LEASE_MS + 1;
    const { runId } = await start(actor, "tab-number-2");
    // Files of the first conversion are discarded.
    expect(await testApp.db.select().from(preparedFiles)).toEqual([]);
    expect(await catchErrorCode(send(firstRun.runId, DISPLAY))).toBe("preparation_gone");
    await send(runId, DISPLAY, {}, actor);
    await finish(runId, actor);
    expect((await find(item.id)).preparation?.state).toBe("done");
  });
});

describe("only one browser at a time", () => {
  it("holds the lease of the file, as long as it renews it", async () => {
    const { runId } = await start();
    testApp.time.now += LEASE_MS - 1000;
    await service().renewPreparation({ actor: owner.actor, itemId: item.id, runId });
    testApp.time.now += LEASE_MS - 1000;
    expect(await tryStart(owner.actor, "tab-number-2")).toBeNull();
    testApp.time.now += 2000;
    await start(owner.actor, "tab-number-2");
    expect(
      await catchErrorCode(service().renewPreparation({ actor: owner.actor, itemId: item.id, runId })),
    ).toBe("preparation_gone");
  });

  it("can restart at once after its page was reloaded", async () => {
    const { runId } = await start();
    await send(runId, DISPLAY);
    const restarted = await start();
    expect(restarted.runId).not.toBe(runId);
    expect(await storedKeys()).toEqual([item.fileKey]);
  });

  it("gets the lease when two start at the same time", async () => {
    const results = await Promise.all([
      tryStart(owner.actor, "tab-number-1"),
      tryStart(owner.actor, "tab-number-2"),
    ]);
    expect(results.filter((started) => started === null)).toHaveLength(1);
  });

  it("leaves nothing behind when it is closed, because the cron job deletes the uploaded files", async () => {
    const { runId } = await start();
    await send(runId, DISPLAY);
    await send(runId, zeros(UPLOAD_PART_BYTES), { name: "large.glb", byteSize: UPLOAD_PART_BYTES + 10 });
    expect(await service().deleteExpiredPreparations()).toBe(0);
    testApp.time.now += LEASE_MS + 1;
    expect(await service().deleteExpiredPreparations()).toBe(2);
    expect(await storedKeys()).toEqual([item.fileKey]);
    expect(await testApp.db.select().from(preparedFiles)).toEqual([]);
  });
});

describe("a conversion that fails or is undone", () => {
  it("has a reason when it fails, and leaves the item usable unconverted", async () => {
    const { eventId, query } = await addEventWithItem();
    const { runId } = await start();
    const view = await service().failPreparation({
      actor: owner.actor,
      itemId: item.id,
      runId,
      code: "out_of_memory",
    });
    expect(view).toMatchObject({
      state: "failed",
      hiddenReason: null,
      preparation: { code: "out_of_memory" },
    });
    expect(await visitorMedia(eventId)).toHaveLength(1);
    expect(await bytesOf(await get(item.id + query))).toEqual(ORIGINAL);
    const skipped = await service().skipPreparation({ actor: owner.actor, itemId: item.id });
    expect(skipped).toMatchObject({ state: "skipped", preparation: { code: "" } });
  });

  it("does not change the files that visitors receive when it fails", async () => {
    const { query } = await addEventWithItem();
    await convert();
    const { runId } = await start(owner.actor, "tab-number-1", 0.2);
    await send(runId, model(50));
    await service().failPreparation({ actor: owner.actor, itemId: item.id, runId, code: "cancelled" });
    expect(await bytesOf(await get(item.id + query))).toEqual(DISPLAY);
    expect((await find(item.id)).preparation).toMatchObject({
      state: "done",
      code: "cancelled",
      quality: 0.7,
    });
  });

  it("gives visitors the original again when the owner chooses the unconverted file", async () => {
    const { query } = await addEventWithItem();
    const before = await readStorageUsed();
    await convert();
    await service().skipPreparation({ actor: owner.actor, itemId: item.id });
    expect(await bytesOf(await get(item.id + query))).toEqual(ORIGINAL);
    expect(await readStorageUsed()).toBe(before);
    testApp.time.now += HOUR_MS;
    await testApp.services.uploads.deleteExpiredUploads();
    expect(await storedKeys()).toEqual([item.fileKey]);
  });
});

describe("a file that browsers cannot show", () => {
  beforeEach(async () => {
    table[UNSUPPORTED_TYPE] = "required";
    await testApp.db
      .update(libraryItems)
      .set({ mimeType: UNSUPPORTED_TYPE })
      .where(eq(libraryItems.id, item.id));
    item = await find(item.id);
  });

  it("is not part of an event before it is converted", async () => {
    const { eventId, query } = await addEventWithItem();
    expect(await service().getPreparation({ actor: owner.actor, itemId: item.id })).toMatchObject({
      state: "waiting",
      hiddenReason: { why: "waiting" },
    });
    expect(await visitorMedia(eventId)).toEqual([]);
    expect((await get(item.id + query)).status).toBe(404);
    await convert();
    const [mediaId] = await visitorMedia(eventId);
    expect(mediaId?.mimeType).toBe("model/gltf-binary");
    expect(await bytesOf(await get(item.id + query))).toEqual(DISPLAY);
    // The editor receives the same state from the page and from its saves.
    const input = { actor: owner.actor, eventId };
    const [mediaItem] = (await testApp.services.content.getContent(input)).media;
    const { results } = await testApp.services.content.editContent({
      ...input,
      commands: [
        { op: "update_media", id: mediaItem?.id, version: mediaItem?.version, values: { hidden: true } },
      ],
    });
    const metadata = { mimeType: "model/gltf-binary", byteSize: DISPLAY.length };
    expect([mediaItem, results[0]]).toMatchObject([metadata, { ok: true, item: metadata }]);
  });

  it("cannot be used unconverted", async () => {
    expect(await catchErrorCode(service().skipPreparation({ actor: owner.actor, itemId: item.id }))).toBe(
      "preparation_needed",
    );
    const { runId } = await start();
    const view = await service().failPreparation({
      actor: owner.actor,
      itemId: item.id,
      runId,
      code: "damaged",
    });
    expect(view.hiddenReason).toEqual({ why: "failed", code: "damaged" });
  });
});

describe("a file that a browser could not open", () => {
  it("is marked as not visible until the owner uses it unconverted, also after another conversion fails", async () => {
    for (const code of ["not_shown", "damaged"] as const) {
      const { runId } = await start();
      await service().failPreparation({ actor: owner.actor, itemId: item.id, runId, code });
      expect(hiddenReason(await find(item.id))).toEqual({ why: "failed", code: "not_shown" });
    }
    await service().skipPreparation({ actor: owner.actor, itemId: item.id });
    expect(hiddenReason(await find(item.id))).toBeNull();
  });

  it("is visible when it was converted to another file", async () => {
    const { runId } = await start();
    await service().failPreparation({ actor: owner.actor, itemId: item.id, runId, code: "not_shown" });
    expect(hiddenReason(await convert())).toBeNull();
  });
});

describe("the conversions that the library page continues", () => {
  const waiting = async (actor = owner.actor) =>
    (await service().listWaitingPreparations({ actor })).map(({ fileName }) => fileName);

  it("are those of all waiting files of the owner, oldest first", async () => {
    const other = await testApp.addUser({ email: "other@demo.example" });
    await testApp.addItem(other, { mimeType: "image/heic", fileName: "other.heic" });
    await testApp.addItem(owner, {
      mimeType: "image/heic",
      fileName: "first.heic",
      createdAt: new Date(testApp.time.now - 60_000).toISOString(),
    });
    await testApp.addItem(owner, { mimeType: "model/obj", kind: "model", fileName: "second.obj" });
    await testApp.addItem(owner, {
      mimeType: "image/jpeg",
      width: 16_384,
      height: 8192,
      fileName: "wide.jpg",
    });
    await testApp.addItem(owner, {
      mimeType: "image/jpeg",
      width: 4000,
      height: 3000,
      fileName: "photo.jpg",
    });
    await testApp.addItem(owner, {
      mimeType: "image/heic",
      fileName: "trash.heic",
      deletedAt: testApp.currentInstant(),
    });
    expect((await waiting())[0]).toBe("first.heic");
    expect((await waiting()).sort()).toEqual(["first.heic", "second.obj", "wide.jpg"]);
  });

  it("do not include failed ones", async () => {
    const heic = await testApp.addItem(owner, { mimeType: "image/heic", fileName: "a.heic" });
    const { runId } =
      (await service().startPreparation({ actor: owner.actor, itemId: heic.id, holder: "tab-number-1" })) ??
      {};
    expect(await waiting()).toEqual(["a.heic"]);
    await service().failPreparation({
      actor: owner.actor,
      itemId: heic.id,
      runId: runId ?? "",
      code: "damaged",
    });
    expect(await waiting()).toEqual([]);
  });
});

describe("with a verdict service (an external scanner of uploads)", () => {
  it("visitors receive the original until a converted file has been checked", async () => {
    const { query, eventId } = await addEventWithItem();
    testApp.uploadChecks.isEnabled = true;
    testApp.receivers.respond = () => new Response(null, { status: 202 });
    const converted = await convert();
    expect(converted.preparation).toMatchObject({ display: null, displayCheck: { state: "waiting" } });
    expect(await bytesOf(await get(item.id + query))).toEqual(ORIGINAL);
    testApp.receivers.respond = () => new Response(JSON.stringify({ verdict: "clean" }), { status: 200 });
    testApp.time.now += 10 * 60_000;
    const revision = await testApp.readRevision(eventId);
    await Promise.all(testApp.deferred.splice(0));
    testApp.time.now += 10 * 60_000;
    await testApp.services.uploads.checkUploads();
    expect(await testApp.readRevision(eventId)).toBeGreaterThan(revision);
    expect(await bytesOf(await get(item.id + query))).toEqual(DISPLAY);
  });

  it("the service receives the exact bytes of a converted file", async () => {
    testApp.uploadChecks.isEnabled = true;
    testApp.receivers.respond = () => new Response(null, { status: 202 });
    await convert();
    await Promise.all(testApp.deferred.splice(0));
    const uploadsChecked = testApp.receivers.sent.map(
      ({ body }) => (JSON.parse(body) as { data: { upload: CheckedUpload } }).data.upload,
    );
    const display = uploadsChecked.find(({ file_name }) => file_name === "model.glb");
    const served = await sendSigned(
      new Request(new URL(display?.file_url ?? "/", "https://hiroba.test")),
      createMediaContext(),
    );
    expect(served && (await bytesOf(served))).toEqual(DISPLAY);
  });

  it("a conversion does not begin before the original is checked", async () => {
    testApp.uploadChecks.isEnabled = true;
    testApp.receivers.respond = () => new Response(null, { status: 202 });
    item = await upload(model(700));
    expect(await catchErrorCode(start())).toBe("preparation_check");
  });
});
