import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import type { LibraryItem } from "~/domain/library/library-item";
import {
  FORM_FILES_MAX,
  UPLOAD_MAX_BYTES,
  UPLOAD_PART_BYTES,
  UPLOADS_OPEN_MAX,
} from "~/domain/shared/limits";
import { catchErrorCode, type TestUser, useTestApp } from "../../../tests/support/app/test-app";
import {
  concatBytes,
  glbFile,
  HOSTILE_SVG,
  HTML,
  jpegFile,
  plyFile,
  pngFile,
  triangle,
  zeros,
} from "../../../tests/support/files/media-files";
import { audit, folders, libraryItems, uploadParts, uploads, users } from "../../data/schema";
import type { UploadTarget } from "./begin-upload";
import type { PostedFile } from "./store-files";

const testApp = useTestApp();
const MB = 1024 * 1024;
const HOUR_MS = 3_600_000;
let owner: TestUser;
let other: TestUser;

beforeEach(async () => {
  const { objects } = await testApp.files.list();
  if (objects.length > 0) await testApp.files.delete(objects.map(({ key }) => key));
  owner = await testApp.addUser({ email: "owner@demo.example", storageLimit: 100 * MB });
  other = await testApp.addUser({ email: "other@demo.example" });
});

const service = () => testApp.services.uploads;
const streamOf = (bytes: Uint8Array) => new Response(new Uint8Array(bytes)).body;
const start = (byteSize: number, fileName = "a.png", overrides: Partial<UploadTarget> = {}) =>
  service().startUpload({ actor: owner.actor, fileName, byteSize, fingerprint: "", ...overrides });
const send = (
  uploadId: string,
  number: number,
  bytes: Uint8Array,
  actor = owner.actor,
  declaredBytes: number | null = null,
) => service().storePart({ actor, uploadId, number, declaredBytes, body: streamOf(bytes) });
const complete = (uploadId: string, actor = owner.actor) => service().completeUpload({ actor, uploadId });
async function upload(bytes: Uint8Array, fileName = "a.png", overrides: Partial<UploadTarget> = {}) {
  const { id } = await start(bytes.length, fileName, overrides);
  for (let offset = 0, number = 1; offset < bytes.length; offset += UPLOAD_PART_BYTES, number++)
    await send(id, number, bytes.subarray(offset, offset + UPLOAD_PART_BYTES), overrides.actor);
  return (await complete(id, overrides.actor)).item;
}
const storedKeys = async () => (await testApp.files.list()).objects.map(({ key }) => key);
const openUploads = () => testApp.db.select().from(uploads);
const items = () => testApp.db.select().from(libraryItems);
const expectNothingLeft = async () => {
  expect(await storedKeys()).toEqual([]);
  expect(await openUploads()).toEqual([]);
  expect(await testApp.db.select().from(uploadParts)).toEqual([]);
};

describe("an upload", () => {
  it("becomes an item of the library, with metadata from its bytes", async () => {
    const bytes = jpegFile(40, 30, 6);
    const item = await upload(bytes, "入口の 写真.JPG");
    expect(item).toMatchObject({
      kind: "image",
      mimeType: "image/jpeg",
      width: 30,
      height: 40,
      byteSize: bytes.length,
      fileName: "入口の 写真.JPG",
      title: "入口の 写真",
      ownerId: owner.user.id,
      groupId: null,
      folderId: await testApp.readRootFolderId(owner, "media"),
      version: 1,
      thumbKey: null,
    });
    expect(await storedKeys()).toEqual([item.fileKey]);
    expect(item.fileKey).toMatch(new RegExp(`^library/${item.id}/[0-9a-f-]{36}$`));
    const file = await testApp.files.get(item.fileKey ?? "");
    expect(new Uint8Array((await file?.arrayBuffer()) ?? zeros(0))).toEqual(bytes);
    expect(await openUploads()).toEqual([]);
    expect((await testApp.readAccount(owner.user.id))?.storageUsed).toBe(bytes.length);
    const written = (await testApp.db.select().from(audit)).find(({ action }) => action === "media_uploaded");
    expect(written).toMatchObject({ resourceId: item.id, actorId: owner.user.id });
  });

  describe("of a small model", () => {
    const image = pngFile(8192, 4096);
    /** A GLB file with this number of triangles, with or without a texture of 8,192 × 4,096 pixels. */
    const model = (triangles: number, hasTexture = false) => {
      const views = [
        { buffer: 0, byteLength: 36 },
        { buffer: 0, byteOffset: 36, byteLength: image.length },
      ];
      return glbFile(
        {
          ...triangle,
          buffers: [{ byteLength: hasTexture ? 36 + image.length : 36 }],
          bufferViews: hasTexture ? views : views.slice(0, 1),
          accessors: [...triangle.accessors, { componentType: 5125, count: triangles * 3, type: "SCALAR" }],
          meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
          ...(hasTexture && { images: [{ bufferView: 1, mimeType: "image/png" }] }),
        },
        hasTexture ? concatBytes(zeros(36), image) : zeros(36),
      );
    };
    const stateOf = async (item: LibraryItem) => {
      const view = await testApp.services.preparations.getPreparation({
        actor: owner.actor,
        itemId: item.id,
      });
      return view.state;
    };

    it("waits for its conversion when it has many triangles or large textures", async () => {
      expect(await stateOf(await upload(model(1), "a.glb"))).toBe("none");
      expect(await stateOf(await upload(model(299_999), "a.glb"))).toBe("none");
      expect(await stateOf(await upload(model(300_000), "a.glb"))).toBe("waiting");
      const item = await upload(model(1, true), "a.glb");
      expect(item.byteSize).toBeLessThan(MB);
      expect(await stateOf(item)).toBe("waiting");
      // The owner may skip the conversion.
      await testApp.services.preparations.skipPreparation({ actor: owner.actor, itemId: item.id });
      expect(await stateOf(item)).toBe("skipped");
    });

    it("waits when it replaces a lighter one, and not when a lighter one replaces it", async () => {
      const item = await upload(model(1), "a.glb");
      await upload(model(300_000), "b.glb", { replacesId: item.id });
      expect(await stateOf(item)).toBe("waiting");
      await upload(model(1), "c.glb", { replacesId: item.id });
      expect(await stateOf(item)).toBe("none");
    });
  });

  it("accepts its slices in any order, and a repeated slice replaces the first one", async () => {
    const bytes = pngFile(4, 3, UPLOAD_PART_BYTES);
    const { id, itemId, partSize } = await start(bytes.length);
    expect(partSize).toBe(UPLOAD_PART_BYTES);
    const slice = (number: number) => bytes.subarray((number - 1) * partSize, number * partSize);
    await send(id, 2, zeros(bytes.length - partSize));
    expect(await catchErrorCode(complete(id))).toBe("upload_incomplete");
    testApp.time.now += 20 * HOUR_MS;
    await Promise.all([send(id, 2, slice(2)), send(id, 1, slice(1))]);
    const openUpload = await service().getUpload({ actor: owner.actor, uploadId: id });
    expect(openUpload.parts.map(({ number }) => number)).toEqual([1, 2]);
    expect(await service().listUploads({ actor: owner.actor })).toEqual([openUpload]);
    // The period starts when the upload is opened, independent of later slices.
    expect(openUpload.expiresAt).toBe(new Date(testApp.time.now + 4 * HOUR_MS).toISOString());
    const { item } = await complete(id);
    expect(item).toMatchObject({ id: itemId, width: 4, height: 3, byteSize: bytes.length });
    const file = await testApp.files.get(item.fileKey ?? "");
    expect(Buffer.from((await file?.arrayBuffer()) ?? zeros(0)).equals(bytes)).toBe(true);
  });

  it("may have the maximum size, and has no slice beyond it", async () => {
    await testApp.db.update(users).set({ storageLimit: UPLOAD_MAX_BYTES });
    const { id } = await start(UPLOAD_MAX_BYTES);
    const lastNumber = Math.ceil(UPLOAD_MAX_BYTES / UPLOAD_PART_BYTES);
    const lastPartSize = UPLOAD_MAX_BYTES - (lastNumber - 1) * UPLOAD_PART_BYTES;
    expect(await catchErrorCode(send(id, lastNumber, zeros(lastPartSize + 1)))).toBe("upload_part_size");
    expect(await catchErrorCode(send(id, lastNumber + 1, zeros(lastPartSize)))).toBe("upload_part_size");
    await send(id, lastNumber, zeros(lastPartSize));
    const missing = Array.from({ length: lastNumber - 1 }, (_, index) => index + 1).join(", ");
    await expect(complete(id)).rejects.toMatchObject({ fields: { file: [{ values: { missing } }] } });
  });

  it("lists the missing slices, and continues when they have arrived", async () => {
    const bytes = pngFile(4, 3, UPLOAD_PART_BYTES);
    const { id } = await start(bytes.length);
    await send(id, 2, bytes.subarray(UPLOAD_PART_BYTES));
    await expect(complete(id)).rejects.toMatchObject({
      code: "upload_incomplete",
      fields: { file: [{ values: { missing: "1" } }] },
    });
    await send(id, 1, bytes.subarray(0, UPLOAD_PART_BYTES));
    expect((await complete(id)).item.kind).toBe("image");
  });

  it("creates one item for simultaneous completions, and returns it for a repeated one", async () => {
    const bytes = pngFile();
    const { id, itemId } = await start(bytes.length);
    await send(id, 1, bytes);
    const codes = await Promise.all([1, 2, 3].map(() => catchErrorCode(complete(id))));
    expect(codes.filter((code) => code === null)).toHaveLength(1);
    for (const code of codes) expect([null, "upload_busy", "upload_gone"]).toContain(code);
    expect(await items()).toHaveLength(1);
    expect(await catchErrorCode(complete(id))).toBe("upload_gone");
    // A client that lost the response repeats the call with the item's id.
    const repeated = await service().completeUpload({ actor: owner.actor, uploadId: id, itemId });
    expect(repeated.item.id).toBe(itemId);
    expect(await catchErrorCode(service().completeUpload({ actor: other.actor, uploadId: id, itemId }))).toBe(
      "upload_gone",
    );
  });

  it("is completed although its client has disconnected", async () => {
    const bytes = pngFile();
    const { id } = await start(bytes.length);
    await send(id, 1, bytes);
    const before = testApp.deferred.length;
    void complete(id);
    await expect.poll(() => testApp.deferred.length).toBe(before + 1);
    await testApp.deferred.at(-1);
    expect(await items()).toHaveLength(1);
    expect(await openUploads()).toEqual([]);
  });

  it("can be completed by a later request when an earlier one was interrupted", async () => {
    const bytes = pngFile();
    const { id } = await start(bytes.length);
    await send(id, 1, bytes);
    const [row] = await openUploads();
    const [part] = await testApp.db.select().from(uploadParts);
    await testApp.files
      .resumeMultipartUpload(row?.fileKey ?? "", row?.multipartId ?? "")
      .complete([{ partNumber: 1, etag: part?.etag ?? "" }]);
    await testApp.db.update(uploads).set({ claimedUntil: new Date(testApp.time.now + 60_000).toISOString() });
    expect(await catchErrorCode(complete(id))).toBe("upload_busy");
    expect(await catchErrorCode(send(id, 1, bytes))).toBe("upload_busy");
    expect(await catchErrorCode(service().abortUpload({ actor: owner.actor, uploadId: id }))).toBe(
      "upload_busy",
    );
    testApp.time.now += 60_000;
    expect((await complete(id)).item.byteSize).toBe(bytes.length);
  });

  it("requests all slices again when two senders of one slice were recorded in the wrong order", async () => {
    const bytes = pngFile();
    const { id } = await start(bytes.length);
    await send(id, 1, bytes);
    await testApp.db.update(uploadParts).set({ etag: "another" });
    expect(await catchErrorCode(complete(id))).toBe("upload_incomplete");
    expect(await testApp.db.select().from(uploadParts)).toEqual([]);
    await send(id, 1, bytes);
    expect((await complete(id)).item.kind).toBe("image");
  });

  it("belongs to its sender only", async () => {
    const bytes = pngFile();
    const { id } = await start(bytes.length);
    for (const actor of [other.actor, testApp.admin]) {
      expect(await catchErrorCode(send(id, 1, bytes, actor))).toBe("upload_gone");
      expect(await catchErrorCode(complete(id, actor))).toBe("upload_gone");
      expect(await catchErrorCode(service().getUpload({ actor, uploadId: id }))).toBe("upload_gone");
      expect(await catchErrorCode(service().abortUpload({ actor, uploadId: id }))).toBe("upload_gone");
      expect(await service().listUploads({ actor })).toEqual([]);
    }
    expect(await testApp.db.select().from(uploadParts)).toEqual([]);
    await send(id, 1, bytes);
    expect((await complete(id)).item.ownerId).toBe(owner.user.id);
  });

  it("is rejected while its sender has the maximum number of open uploads", async () => {
    const { id } = await start(10);
    const [row] = await openUploads();
    for (let index = 1; index < UPLOADS_OPEN_MAX; index += 7)
      await testApp.db.insert(uploads).values(
        Array.from({ length: Math.min(7, UPLOADS_OPEN_MAX - index) }, () => ({
          ...(row as typeof uploads.$inferInsert),
          id: randomUUID(),
          fileKey: randomUUID(),
        })),
      );
    expect(await catchErrorCode(start(10))).toBe("too_many_uploads");
    await service().abortUpload({ actor: owner.actor, uploadId: id });
    await start(10);
  });

  it("leaves nothing behind when it is cancelled", async () => {
    const bytes = pngFile();
    const { id } = await start(bytes.length);
    await send(id, 1, bytes);
    await service().abortUpload({ actor: owner.actor, uploadId: id });
    await expectNothingLeft();
    expect(await catchErrorCode(send(id, 1, bytes))).toBe("upload_gone");
  });
});

describe("a slice", () => {
  it.each([
    ["shorter than it should be", -1],
    ["longer than it should be", 1],
    ["empty", -1000],
  ])("is rejected when it is %s, and can then be sent again", async (_what, more) => {
    const bytes = pngFile();
    const { id } = await start(bytes.length);
    const wrongSlice =
      more < 0 ? bytes.subarray(0, Math.max(0, bytes.length + more)) : concatBytes(bytes, zeros(more));
    expect(await catchErrorCode(send(id, 1, wrongSlice))).toBe("upload_part_size");
    expect(await catchErrorCode(send(id, 1, bytes, owner.actor, wrongSlice.length))).toBe("upload_part_size");
    expect((await service().getUpload({ actor: owner.actor, uploadId: id })).parts).toEqual([]);
    await send(id, 1, bytes);
    expect((await complete(id)).item.byteSize).toBe(bytes.length);
  });

  it("is rejected when the file has no slice with that number", async () => {
    const bytes = pngFile(4, 3, UPLOAD_PART_BYTES);
    const { id } = await start(bytes.length);
    for (const number of [0, -1, 3, 1.5, Number.NaN, 10_001])
      expect(await catchErrorCode(send(id, number, zeros(10)))).toBe("upload_part_size");
    // Every slice except the last has the full size.
    expect(await catchErrorCode(send(id, 1, bytes.subarray(0, 6 * MB)))).toBe("upload_part_size");
    expect(await catchErrorCode(send(id, 2, bytes.subarray(0, UPLOAD_PART_BYTES)))).toBe("upload_part_size");
  });

  it("that was truncated is not stored", async () => {
    const bytes = pngFile(40, 30);
    const { id } = await start(bytes.length);
    const broken = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(bytes.slice(0, 50));
        controller.error(new Error("connection lost"));
      },
    });
    const truncatedPart = service().storePart({
      actor: owner.actor,
      uploadId: id,
      number: 1,
      declaredBytes: null,
      body: broken,
    });
    expect(await catchErrorCode(truncatedPart)).toBe("upload_part_size");
    expect(await catchErrorCode(complete(id))).toBe("upload_incomplete");
  });

  it("that begins with an unsupported file type ends the upload", async () => {
    for (const [bytes, name] of [
      [HTML, "a.png"],
      [concatBytes("MZ", zeros(400)), "a.mp4"],
      [concatBytes("PK\x03\x04", zeros(400)), "a.glb"],
      [concatBytes("alert(1)"), "a.pdf"],
    ] as const) {
      const { id } = await start(bytes.length, name);
      expect(await catchErrorCode(send(id, 1, bytes))).toBe("upload_kind");
      await expectNothingLeft();
    }
  });
});

describe("a file", () => {
  it.each<[string, Uint8Array, string]>([
    ["a truncated png", pngFile(40, 30).subarray(0, 60), "upload_damaged"],
    ["an image of 20,000 × 20,000", pngFile(20_000, 20_000), "upload_pixels"],
    [
      "a model that needs gigabytes",
      glbFile(
        {
          ...triangle,
          accessors: Array.from({ length: 99 }, () => ({ componentType: 5126, count: 1e7, type: "MAT4" })),
        },
        zeros(36),
      ),
      "upload_model",
    ],
    [
      "a model with bytes after its declared end",
      concatBytes(glbFile(triangle, zeros(36)), zeros(3)),
      "upload_damaged",
    ],
  ])("is rejected on completion, and leaves nothing behind: %s", async (_what, bytes, code) => {
    const { id } = await start(bytes.length, "a.bin");
    await send(id, 1, bytes);
    expect(await catchErrorCode(complete(id))).toBe(code);
    await expectNothingLeft();
    expect(await items()).toEqual([]);
    expect((await testApp.readAccount(owner.user.id))?.storageUsed).toBe(0);
  });

  it("gets its type from its bytes when its name has the extension of another type", async () => {
    expect(await upload(HOSTILE_SVG, "a.png")).toMatchObject({
      kind: "image",
      mimeType: "image/svg+xml",
      width: 30,
    });
    expect(await upload(glbFile(triangle, zeros(36)), "a.jpg")).toMatchObject({ kind: "model", width: null });
    expect(await upload(plyFile(), "a.txt")).toMatchObject({ kind: "splat" });
  });

  it("is rejected before it is sent when it is empty or too large", async () => {
    expect(await catchErrorCode(start(0))).toBe("upload_empty");
    expect(await catchErrorCode(start(UPLOAD_MAX_BYTES + 1))).toBe("upload_too_large");
    expect(await catchErrorCode(start(UPLOAD_MAX_BYTES))).toBe("library_capacity");
    await expectNothingLeft();
  });
});

describe("the storage limit", () => {
  const limit = (bytes: number) =>
    testApp.db.update(users).set({ storageLimit: bytes }).where(eq(users.id, owner.user.id));

  it("counts the declared sizes of other open uploads", async () => {
    await limit(1000);
    await start(600);
    expect(await catchErrorCode(start(401))).toBe("library_capacity");
    await start(400);
    expect(await catchErrorCode(start(1))).toBe("library_capacity");
  });

  it("applies to simultaneous uploads", async () => {
    await limit(1000);
    const codes = await Promise.all(Array.from({ length: 8 }, () => catchErrorCode(start(300))));
    expect(codes.filter((code) => code === null)).toHaveLength(3);
    expect(codes.filter((code) => code === "library_capacity")).toHaveLength(5);
    expect(await openUploads()).toHaveLength(3);
  });

  it("is checked again when the file is complete", async () => {
    const bytes = pngFile();
    const { id } = await start(bytes.length);
    await send(id, 1, bytes);
    await limit(bytes.length - 1);
    expect(await catchErrorCode(complete(id))).toBe("library_capacity");
    await expectNothingLeft();
  });
});

describe("a folder", () => {
  it("accepts files of its owner, of administrators and of its group only", async () => {
    const { id: groupId, actors } = await testApp.addGroup(other);
    const member = actors[0] ?? other.actor;
    const folder = await testApp.services.tree.createFolder({
      actor: owner.actor,
      folderType: "media",
      name: "x",
    });
    const more = { folderId: folder.id };
    expect(await catchErrorCode(start(10, "a.png", { ...more, actor: member }))).toBe("not_found");
    expect(await catchErrorCode(start(10, "a.png", { actor: other.actor, ownerId: owner.user.id }))).toBe(
      "not_found",
    );
    await testApp.db.update(folders).set({ groupId }).where(eq(folders.id, folder.id));
    for (const actor of [owner.actor, member]) {
      const item = await upload(pngFile(), "a.png", { ...more, actor });
      expect(item).toMatchObject({ folderId: folder.id, ownerId: owner.user.id, groupId });
    }
    const { user } = await testApp.addUser({ role: "admin" });
    const admin = { ...testApp.admin, userId: user.id };
    expect((await upload(pngFile(), "a.png", { actor: admin, ownerId: owner.user.id })).ownerId).toBe(
      owner.user.id,
    );
    for (const folderId of [randomUUID(), await testApp.readRootFolderId(owner, "space")])
      expect(await catchErrorCode(start(10, "a.png", { folderId }))).toBe("not_found");
  });

  it("that is deleted meanwhile accepts nothing", async () => {
    const folder = await testApp.services.tree.createFolder({
      actor: owner.actor,
      folderType: "media",
      name: "x",
    });
    const bytes = pngFile();
    const { id } = await start(bytes.length, "a.png", { folderId: folder.id });
    await send(id, 1, bytes);
    await testApp.services.tree.deleteItems({ actor: owner.actor, selection: { folder: [folder.id] } });
    expect(await catchErrorCode(complete(id))).toBe("not_found");
    await expectNothingLeft();
    expect(await catchErrorCode(start(10, "a.png", { folderId: folder.id }))).toBe("not_found");
  });

  it("accepts nothing more from a user who has left its group, and no replacement of its items", async () => {
    const { id: groupId, actors } = await testApp.addGroup(other);
    const member = actors[0] ?? other.actor;
    const { id: folderId } = await testApp.services.tree.createFolder({
      actor: owner.actor,
      folderType: "media",
      name: "x",
    });
    await testApp.db.update(folders).set({ groupId }).where(eq(folders.id, folderId));
    const item = await upload(pngFile(), "a.png", { folderId });
    const bytes = pngFile(7, 7);
    for (const target of [{ folderId }, { replacesId: item.id }]) {
      const { id } = await start(bytes.length, "b.png", { ...target, actor: member });
      await send(id, 1, bytes, member);
      expect(await catchErrorCode(complete(id, { ...member, groupIds: [] }))).toBe("not_found");
    }
    expect(await items()).toMatchObject([{ fileKey: item.fileKey, version: 1 }]);
    expect(await storedKeys()).toEqual([item.fileKey]);
    expect(await openUploads()).toEqual([]);
  });
});

describe("replacing a file", () => {
  it("keeps the item and its use in an event, which then shows the new file", async () => {
    const item = await upload(pngFile(40, 30), "old.png");
    const { eventId } = await testApp.addSpace(owner);
    const mediaId = await testApp.addMediaItem(eventId, item.id);
    const revision = await testApp.readRevision(eventId);
    const bytes = jpegFile(50, 60);
    const replacement = await upload(bytes, "new.jpg", { replacesId: item.id });
    expect(replacement).toMatchObject({
      id: item.id,
      title: "old",
      fileName: "new.jpg",
      mimeType: "image/jpeg",
      width: 50,
      height: 60,
      version: 2,
    });
    expect(replacement.fileKey).not.toBe(item.fileKey);
    expect(await testApp.readRevision(eventId)).toBeGreaterThan(revision);
    const record = await testApp.data.visitors.load(eventId);
    expect(record?.media.map(({ id }) => id)).toEqual([mediaId]);
    expect(record?.files[item.id]?.fileKey).toBe(replacement.fileKey);
    const { contentBytes } = await testApp.services.users.getUsage({ actor: owner.actor });
    expect((await testApp.readAccount(owner.user.id))?.storageUsed).toBe(bytes.length + contentBytes);
    // Open pages may still read the old file.
    expect((await storedKeys()).sort()).toEqual([replacement.fileKey, item.fileKey].sort());
    expect(await service().listUploads({ actor: owner.actor })).toEqual([]);
    testApp.time.now += HOUR_MS;
    expect(await service().deleteExpiredUploads()).toBe(1);
    expect(await storedKeys()).toEqual([replacement.fileKey]);
    expect(await openUploads()).toEqual([]);
  });

  it("accepts a file of the same kind only, and only from users who may change it", async () => {
    const item = await upload(pngFile());
    expect(await catchErrorCode(upload(plyFile(), "a.ply", { replacesId: item.id }))).toBe(
      "upload_other_kind",
    );
    expect(await storedKeys()).toEqual([item.fileKey]);
    expect(await catchErrorCode(start(10, "a.png", { replacesId: item.id, actor: other.actor }))).toBe(
      "not_found",
    );
    const web = await testApp.addItem(owner, { kind: "web", fileKey: null, webUrl: "https://a.example/" });
    expect(await catchErrorCode(start(10, "a.png", { replacesId: web.id }))).toBe("upload_other_kind");
    expect(await catchErrorCode(start(10, "a.png", { replacesId: randomUUID() }))).toBe("not_found");
  });

  it("needs free space for the difference in size, and an existing item", async () => {
    const item = await upload(pngFile());
    await testApp.db.update(users).set({ storageLimit: item.byteSize + 50 });
    const larger = pngFile(4, 3, 30);
    expect(larger.length).toBeLessThanOrEqual(item.byteSize + 50);
    expect(await catchErrorCode(start(item.byteSize + 51, "a.png", { replacesId: item.id }))).toBe(
      "library_capacity",
    );
    expect((await upload(larger, "a.png", { replacesId: item.id })).byteSize).toBe(larger.length);
    const { id } = await start(10, "a.png", { replacesId: item.id });
    await service().abortUpload({ actor: owner.actor, uploadId: id });
    const secondUpload = await start(pngFile().length, "a.png", { replacesId: item.id });
    await send(secondUpload.id, 1, pngFile());
    await testApp.services.tree.deleteItems({ actor: owner.actor, selection: { media: [item.id] } });
    expect(await catchErrorCode(complete(secondUpload.id))).toBe("not_found");
  });
});

it("an unexpected error rejects the deferred completion, and an incomplete upload does not", async () => {
  const bytes = pngFile();
  const { id } = await start(bytes.length);
  await send(id, 1, bytes);
  const { addItem } = testApp.data.uploads;
  const broken = new Error("D1 is away");
  testApp.data.uploads.addItem = () => Promise.reject(broken);
  await expect(complete(id)).rejects.toBe(broken);
  await expect(testApp.deferred.at(-1)).rejects.toBe(broken);
  testApp.data.uploads.addItem = addItem;
  // The completion may be retried.
  expect((await complete(id)).item.byteSize).toBe(bytes.length);
  const rejected = await start(10);
  expect(await catchErrorCode(complete(rejected.id))).toBe("upload_incomplete");
  await expect(testApp.deferred.at(-1)).resolves.toBeUndefined();
});

describe("a thumbnail", () => {
  const setThumbnail = (itemId: string, bytes: Uint8Array | null, { actor } = owner) =>
    service().setThumbnail({ actor, itemId, bytes });

  it("is stored beside an item's file, and replaces the previous one", async () => {
    const item = await upload(plyFile(), "a.ply");
    const { thumbKey } = await setThumbnail(item.id, pngFile(320, 200));
    expect((await storedKeys()).sort()).toEqual([item.fileKey, thumbKey].sort());
    const second = await setThumbnail(item.id, jpegFile(320, 200));
    testApp.time.now += HOUR_MS;
    await service().deleteExpiredUploads();
    expect((await storedKeys()).sort()).toEqual([item.fileKey, second.thumbKey].sort());
    const [row] = await items();
    expect(row).toMatchObject({ thumbKey: second.thumbKey, version: 1 });
    // A new file has no thumbnail yet.
    expect((await upload(plyFile(3), "b.ply", { replacesId: item.id })).thumbKey).toBeNull();
    testApp.time.now += HOUR_MS;
    await service().deleteExpiredUploads();
    expect(await storedKeys()).toHaveLength(1);
  });

  it("counts towards the storage like the file, in the meter and at the limit", async () => {
    const bytes = plyFile();
    const thumbnail = pngFile(320, 200);
    const item = await upload(bytes, "a.ply");
    const readStorageUsed = async () => (await testApp.readAccount(owner.user.id))?.storageUsed;
    const limit = (storageLimit: number) =>
      testApp.db.update(users).set({ storageLimit }).where(eq(users.id, owner.user.id));
    await limit(bytes.length + thumbnail.length - 1);
    expect(await catchErrorCode(setThumbnail(item.id, thumbnail))).toBe("library_capacity");
    expect([await readStorageUsed(), await storedKeys()]).toEqual([bytes.length, [item.fileKey]]);
    await limit(bytes.length + thumbnail.length);
    expect(await setThumbnail(item.id, thumbnail)).toMatchObject({ thumbnailSize: thumbnail.length });
    expect(await readStorageUsed()).toBe(bytes.length + thumbnail.length);
    // As a replacement it needs only the difference in size.
    await setThumbnail(item.id, thumbnail);
    expect(await readStorageUsed()).toBe(bytes.length + thumbnail.length);
    expect(await catchErrorCode(start(1))).toBe("library_capacity");
    const media = { actor: owner.actor, selection: { media: [item.id] } };
    await testApp.services.tree.deleteItems(media);
    expect(await readStorageUsed()).toBe(0);
    await limit(bytes.length + thumbnail.length - 1);
    expect(await testApp.services.tree.restoreItems(media)).toMatchObject([
      { rejection: "library_capacity" },
    ]);
    await limit(bytes.length + thumbnail.length);
    await testApp.services.tree.restoreItems(media);
    expect(await readStorageUsed()).toBe(bytes.length + thumbnail.length);
    // A new file has the space of the old file and its thumbnail, because both are deleted.
    const larger = plyFile(3);
    await limit(Math.max(larger.length, bytes.length + thumbnail.length));
    await upload(larger, "b.ply", { replacesId: item.id });
    expect(await readStorageUsed()).toBe(larger.length);
  });

  it("is rejected if it is not a small raster image, if the item is web media, or if the user may not set it", async () => {
    const item = await upload(plyFile(), "a.ply");
    for (const bytes of [null, zeros(0), HTML, HOSTILE_SVG, pngFile(3000, 10), pngFile(4, 3, 300_000)])
      expect(await catchErrorCode(setThumbnail(item.id, bytes))).toBe("upload_thumbnail");
    expect(await catchErrorCode(setThumbnail(item.id, pngFile(), other))).toBe("not_found");
    const web = await testApp.addItem(owner, { kind: "web", fileKey: null, webUrl: "https://a.example/" });
    expect(await catchErrorCode(setThumbnail(web.id, pngFile()))).toBe("upload_thumbnail");
    expect(await catchErrorCode(setThumbnail(randomUUID(), pngFile()))).toBe("not_found");
    expect(await storedKeys()).toEqual([item.fileKey]);
  });

  it("is deleted with its item after its time in the trash", async () => {
    const item = await upload(plyFile(), "a.ply");
    await setThumbnail(item.id, pngFile(320, 200));
    await testApp.services.tree.deleteItems({ actor: owner.actor, selection: { media: [item.id] } });
    testApp.time.now += 31 * 24 * HOUR_MS;
    await testApp.services.purge.purgeTrash();
    expect(await storedKeys()).toEqual([]);
  });
});

describe("the cron job", () => {
  it("deletes uploads a day after they were begun, when they are no longer listed, and no younger ones", async () => {
    const listIds = async () =>
      (await service().listUploads({ actor: owner.actor })).map((openUpload) => openUpload.id);
    const bytes = pngFile();
    const abandonedUpload = await start(bytes.length);
    await send(abandonedUpload.id, 1, bytes);
    testApp.time.now += 12 * HOUR_MS;
    const activeUpload = await start(bytes.length);
    testApp.time.now += 12 * HOUR_MS - 1;
    expect(await service().deleteExpiredUploads()).toBe(0);
    expect(await listIds()).toEqual([abandonedUpload.id, activeUpload.id]);
    testApp.time.now += 1;
    expect(await listIds()).toEqual([activeUpload.id]);
    expect(await service().deleteExpiredUploads()).toBe(1);
    expect((await openUploads()).map(({ id }) => id)).toEqual([activeUpload.id]);
    expect(await catchErrorCode(complete(abandonedUpload.id))).toBe("upload_gone");
    await send(activeUpload.id, 1, bytes);
    expect((await complete(activeUpload.id)).item.kind).toBe("image");
  });

  it("deletes a file that was completed in the store but never recorded", async () => {
    const bytes = pngFile();
    const { id } = await start(bytes.length);
    await send(id, 1, bytes);
    const [row] = await openUploads();
    const [part] = await testApp.db.select().from(uploadParts);
    await testApp.files
      .resumeMultipartUpload(row?.fileKey ?? "", row?.multipartId ?? "")
      .complete([{ partNumber: 1, etag: part?.etag ?? "" }]);
    expect(await storedKeys()).toHaveLength(1);
    testApp.time.now += 25 * HOUR_MS;
    expect(await service().deleteExpiredUploads()).toBe(1);
    await expectNothingLeft();
  });
});

describe("a form without scripts", () => {
  async function* postFiles(...all: readonly (readonly [string, Uint8Array])[]): AsyncGenerator<PostedFile> {
    for (const [fileName, bytes] of all) {
      async function* chunks() {
        for (let offset = 0; offset < bytes.length; offset += 1_000_003)
          yield bytes.subarray(offset, offset + 1_000_003);
      }
      yield { fileName, chunks: chunks() };
    }
  }
  const store = (
    files: AsyncIterable<PostedFile>,
    overrides: Partial<UploadTarget & { declaredBytes: number | null }> = {},
  ) => service().storeFiles({ actor: owner.actor, declaredBytes: null, files, ...overrides });
  const codes = async (results: ReturnType<typeof store>) =>
    (await results).map((result) => ("item" in result ? result.item.kind : result.rejection.code));

  it("stores its files one after the other, each with its own result", async () => {
    const large = pngFile(4, 3, UPLOAD_PART_BYTES);
    const results = await store(
      postFiles(
        ["a.png", pngFile()],
        ["b.png", HTML],
        ["c.png", large],
        ["d.png", zeros(0)],
        ["e.png", pngFile(9, 9).subarray(0, 50)],
      ),
    );
    expect(results.map((result) => ("item" in result ? result.item.kind : result.rejection.code))).toEqual([
      "image",
      "upload_kind",
      "image",
      "upload_empty",
      "upload_damaged",
    ]);
    expect(await items()).toHaveLength(2);
    expect(await storedKeys()).toHaveLength(2);
    expect(await openUploads()).toEqual([]);
    const item = (await items()).find(({ byteSize }) => byteSize === large.length);
    const file = await testApp.files.get(item?.fileKey ?? "");
    expect(Buffer.from((await file?.arrayBuffer()) ?? zeros(0)).equals(large)).toBe(true);
  });

  it("is rejected by its declared length; without one, each file that exceeds a limit is rejected", async () => {
    await testApp.db.update(users).set({ storageLimit: 10 * MB });
    const unreadFiles = postFiles(["a.png", pngFile()]);
    expect(await catchErrorCode(store(unreadFiles, { declaredBytes: 11 * MB }))).toBe("library_capacity");
    expect(await codes(store(postFiles(["a.png", pngFile(4, 3, 10 * MB)], ["b.png", pngFile()])))).toEqual([
      "library_capacity",
      "image",
    ]);
    await testApp.db.update(users).set({ storageLimit: 1000 * MB });
    async function* tooLargeChunks() {
      yield zeros(UPLOAD_MAX_BYTES + 1);
    }
    async function* tooLargeFile(): AsyncGenerator<PostedFile> {
      yield { fileName: "a.png", chunks: tooLargeChunks() };
    }
    expect(await codes(store(tooLargeFile()))).toEqual(["upload_too_large"]);
    expect(await storedKeys()).toHaveLength(1);
    expect(await openUploads()).toEqual([]);
  });

  it("replaces one file, reports when none was chosen, and checks permissions", async () => {
    const item = await upload(pngFile());
    const more = { replacesId: item.id };
    expect(await store(postFiles(["b.png", pngFile(7, 7)], ["c.png", pngFile()]), more)).toMatchObject([
      { fileName: "b.png", item: { kind: "image" } },
      {
        fileName: "c.png",
        rejection: { code: "too_many_files", fields: { file: [{ key: "library:errors.upload.oneFile" }] } },
      },
    ]);
    expect((await items())[0]).toMatchObject({ width: 7, version: 2 });
    expect(await catchErrorCode(store(postFiles(), more))).toBe("upload_empty");
    expect(await catchErrorCode(store(postFiles(), { actor: other.actor, ...more }))).toBe("not_found");
    expect(await catchErrorCode(store(postFiles(), { ...more, declaredBytes: 400 * MB }))).toMatch(
      /library_capacity|upload_too_large/,
    );
  });

  it("accepts a maximum number of files, and reports further ones once", async () => {
    const before = testApp.spy.statements.length;
    const name = (i: number) => `${i}.png`;
    const many = Array.from(
      { length: FORM_FILES_MAX + 3 },
      (_, i) => [name(i), i ? HTML : pngFile()] as const,
    );
    const results = await store(postFiles(...many), { declaredBytes: 1 * MB });
    // D1 permits 1,000 queries per request. Only one file is stored here, so the number of queries is multiplied.
    expect((testApp.spy.statements.length - before) * FORM_FILES_MAX).toBeLessThan(1000);
    expect(results).toHaveLength(FORM_FILES_MAX + 1);
    expect(results[0]).toHaveProperty("item");
    expect(results.at(-1)).toMatchObject({
      fileName: name(FORM_FILES_MAX),
      rejection: { code: "too_many_files" },
    });
  });

  it("that is truncated leaves nothing behind", async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield pngFile(4, 3, 9 * MB).subarray(0, 8.5 * MB);
      throw new Error("connection lost");
    }
    async function* truncatedFile(): AsyncGenerator<PostedFile> {
      yield { fileName: "a.png", chunks: broken() };
    }
    await expect(store(truncatedFile())).rejects.toThrow("connection lost");
    await expectNothingLeft();
  });
});
