import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import sharp from "sharp";
import { beforeEach, describe, expect, it } from "vitest";
import { audit, events, eventTags, libraryItems, spaceFiles, spaces } from "#functions/data/schema";
import { idSource } from "#functions/security/random";
import { newText } from "~/domain/events/event-texts";
import type { MediaKind } from "~/domain/shared/model";
import type { SourceInput } from "~/domain/spaces/space-source.schema";
import { catchErrorCode, type TestUser, useTestApp } from "../../../tests/support/app/test-app";
import { emptyValues, newEvent } from "../events/events";
import type { ConflictError, InvalidError } from "../shared/errors";

const testApp = useTestApp();
let owner: TestUser;
let stranger: TestUser;

beforeEach(async () => {
  owner = await testApp.addUser({ spaceLicense: 3 });
  stranger = await testApp.addUser();
});

const addItem = async (kind: MediaKind, itemOwner = owner) => (await testApp.addItem(itemOwner, { kind })).id;
const model = (mediaId: string): SourceInput => ({ kind: "model", mediaId, start: null, eyeHeight: 1.6 });
const splat = (mediaId: string): SourceInput => ({
  kind: "splat",
  mediaId,
  start: null,
  eyeHeight: 1.6,
  up: "y",
});
const panorama = (...mediaIds: string[]): SourceInput => ({
  kind: "panorama",
  start: null,
  nodes: mediaIds.map((mediaId, i) => ({
    id: `n${i}`,
    mediaId,
    title: { ja: "", en: "" },
    position: [i * 3, 1.6, 0],
    heading: 0,
    links: [],
  })),
});
const create = (source: SourceInput, overrides: object = {}) =>
  testApp.services.spaces.createSpace({ actor: owner.actor, name: "展示室", source, ...overrides });
const replace = (
  space: { readonly id: string; readonly version: number },
  source: SourceInput,
  overrides: object = {},
) =>
  testApp.services.spaces.replaceSource({
    actor: owner.actor,
    spaceId: space.id,
    version: space.version,
    source,
    ...overrides,
  });
const setPoster = (space: { readonly id: string; readonly version: number }, posterMediaId: string | null) =>
  testApp.services.spaces.setSpaceThumbnail({
    actor: owner.actor,
    spaceId: space.id,
    version: space.version,
    posterMediaId,
  });
const fieldsOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: InvalidError) => [error.code, error.fields],
  );
const moveToTrash = (id: string) =>
  testApp.db.update(libraryItems).set({ deletedAt: testApp.currentInstant() }).where(eq(libraryItems.id, id));

describe("a space from files", () => {
  it("stores the light that its owner chose for a model", async () => {
    const mediaId = await addItem("model");
    const source: SourceInput = { kind: "model", mediaId, start: null, eyeHeight: 1.6, light: "evening" };
    const { space } = await create(source);
    expect((await testApp.data.spaces.find(space.id))?.source).toEqual(source);
  });

  it("is created from a model, panoramas or a splat file, with a new sid (public id) and its first event", async () => {
    const poster = await addItem("image");
    for (const source of [
      model(await addItem("model")),
      panorama(await addItem("image"), await addItem("image")),
      splat(await addItem("splat")),
    ]) {
      const { space, eventId } = await create(source, { posterMediaId: poster });
      expect(await testApp.data.spaces.find(space.id)).toEqual(space);
      expect(space.source).toEqual(source);
      expect(space.sid).toMatch(/^[1-9A-HJ-NP-Za-km-z]{11}$/);
      expect(space.posterMediaId).toBe(poster);
      expect((await testApp.data.events.find(eventId))?.event.spaceId).toBe(space.id);
      const files = await testApp.db.select().from(spaceFiles).where(eq(spaceFiles.spaceId, space.id));
      expect(files).toHaveLength(source.kind === "panorama" ? 3 : 2);
    }
    expect(await catchErrorCode(create(model(await addItem("model"))))).toBe("space_license");
  });

  it("is rejected with a file of another owner, a deleted file, a file of another kind, or a missing file", async () => {
    const ownImage = await addItem("image");
    const deleted = await addItem("model");
    await moveToTrash(deleted);
    for (const mediaId of [await addItem("model", stranger), deleted, randomUUID()])
      expect(await fieldsOf(create(model(mediaId)))).toEqual([
        "source_media",
        { "source.mediaId": [{ key: "spaces:sources.errors.media" }] },
      ]);
    expect(await fieldsOf(create(model(ownImage)))).toEqual([
      "source_media_kind",
      { "source.mediaId": [{ key: "spaces:sources.errors.notA.model" }] },
    ]);
    expect(await fieldsOf(create(panorama(ownImage, await addItem("video"))))).toEqual([
      "source_media_kind",
      { "source.nodes[1].mediaId": [{ key: "spaces:sources.errors.notA.image" }] },
    ]);
    expect(await fieldsOf(create(splat(ownImage)))).toMatchObject(["source_media_kind", {}]);
    expect(await fieldsOf(create(panorama(ownImage), { posterMediaId: await addItem("video") }))).toEqual([
      "picture_media",
      { posterMediaId: [{ key: "spaces:sources.errors.picture" }] },
    ]);
    expect(await testApp.db.select().from(spaces)).toEqual([]);
    expect(await testApp.db.select().from(events)).toEqual([]);
  });

  it("is rejected for an image that is not a panorama, with its title and size", async () => {
    const squareImage = await testApp.addItem(owner, { kind: "image", width: 1024, height: 1024 });
    const expected = {
      key: "spaces:sources.errors.shape",
      values: { title: squareImage.title, width: 1024, height: 1024 },
    };
    const ownImage = await addItem("image");
    const rejection = ["source_media_shape", { "source.nodes[1].mediaId": [expected] }];
    expect(await fieldsOf(create(panorama(ownImage, squareImage.id)))).toEqual(rejection);
    const { space } = await create(panorama(ownImage));
    expect(await fieldsOf(replace(space, panorama(ownImage, squareImage.id)))).toEqual(rejection);
  });

  it("is rejected for an image of two fisheye circles, with a message of its own", async () => {
    const circle = '<circle cx="64" cy="64" r="62" fill="#9ab"/>';
    const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="256" height="128"><rect width="256" height="128"/>${circle}<g transform="translate(128)">${circle}</g></svg>`;
    const store = async (bytes: Buffer) => {
      const created = await testApp.addItem(owner, {
        kind: "image",
        width: 256,
        height: 128,
        mimeType: "image/png",
      });
      await testApp.files.put(created.fileKey ?? "", bytes);
      return created.id;
    };
    const fisheye = await store(await sharp(Buffer.from(drawing)).png().toBuffer());
    const grey = { width: 256, height: 128, channels: 3, background: "#9ab" } as const;
    const stitched = await store(await sharp({ create: grey }).png().toBuffer());
    expect(await fieldsOf(create(panorama(stitched, fisheye)))).toEqual([
      "source_media_shape",
      { "source.nodes[1].mediaId": [{ key: "spaces:sources.errors.fisheye" }] },
    ]);
    expect((await create(panorama(stitched))).space.source.kind).toBe("panorama");
  });

  it("is read without invalid stored values", async () => {
    const { space, eventId } = await create(panorama(await addItem("image")));
    const [node] = space.source.kind === "panorama" ? space.source.nodes : [];
    const nodes = [{ ...node, position: [0, null, "x"] }, 7];
    await testApp.db
      .update(spaces)
      .set({ source: { kind: "panorama", nodes, start: { mode: "fly" } } as never });
    const { actor } = owner;
    const { source } = await testApp.services.spaces.getSpace({ actor, spaceId: space.id });
    expect(source).toMatchObject({ start: null, nodes: [{ mediaId: node?.mediaId, position: [0, 1.6, 0] }] });
    expect((await testApp.services.events.getEvent({ actor, eventId })).space.source).toEqual(source);
  });

  it("is rejected for a file that is deleted at the same time", async () => {
    const mediaId = await addItem("model");
    const { spaces: spaceData } = testApp.data;
    // The file is deleted after the check, so the statement itself must detect it.
    await moveToTrash(mediaId);
    const now = testApp.currentInstant();
    const row = {
      id: randomUUID(),
      folderId: await testApp.readRootFolderId(owner, "space"),
      ownerId: owner.user.id,
      groupId: null,
      name: "x",
      sid: "SxQL3iGyoDo",
      source: model(mediaId) as never,
      posterMediaId: null,
      isSample: false,
      createdAt: now,
    };
    const entry = {
      id: randomUUID(),
      at: now,
      actorId: null,
      action: "space_created" as const,
      resourceType: "space" as const,
      resourceId: row.id,
      detail: {},
    };
    const firstEvent = newEvent(idSource, row.id, now, emptyValues(newText("x")));
    expect(await spaceData.createWithFirstEvent(row, firstEvent, entry)).toBe("no_media");
    expect(await spaceData.find(row.id)).toBeNull();
    expect(await testApp.db.select().from(audit).where(eq(audit.resourceId, row.id))).toEqual([]);
  });
});

describe("the source of a space", () => {
  it("is replaced by another file, which visitors see; events, tags and their positions stay", async () => {
    const { space, eventId } = await create(model(await addItem("model")));
    const tag = await testApp.addTag(eventId);
    const tagsBefore = await testApp.db.select().from(eventTags).where(eq(eventTags.id, tag));
    const revision = await testApp.data.visitors.revision(eventId);
    testApp.time.now += 1000;
    const newModelId = await addItem("model");
    const changed = await replace(space, model(newModelId));
    expect(changed).toMatchObject({
      sid: space.sid,
      version: 2,
      updatedAt: testApp.currentInstant(),
      eventCount: 1,
    });
    expect(await testApp.data.spaces.find(space.id)).toEqual(changed);
    expect(await testApp.db.select().from(eventTags).where(eq(eventTags.id, tag))).toEqual(tagsBefore);
    expect(await testApp.data.visitors.revision(eventId)).toBeGreaterThan(revision ?? 0);
    expect((await testApp.data.visitors.load(eventId))?.files[newModelId]?.itemId).toBe(newModelId);
    const auditEntries = await testApp.db.select().from(audit).where(eq(audit.resourceId, space.id));
    expect(auditEntries.map(({ action }) => action).sort()).toEqual([
      "space_created",
      "space_source_replaced",
    ]);
  });

  it("is updated when its start view changes; unchanged values are not written again", async () => {
    const media = [await addItem("image"), await addItem("image")];
    const { space } = await create(panorama(...media));
    const source = panorama(...media);
    if (source.kind !== "panorama") throw new Error();
    expect(await replace(space, source)).toEqual(space);
    const start = { position: [3, 1.6, 0], yaw: 1, pitch: 0, mode: "walk", nodeId: "n1" } as const;
    const changed = await replace(space, { ...source, start });
    expect(changed.source).toEqual({ ...source, start });
    const auditEntries = await testApp.db.select().from(audit).where(eq(audit.resourceId, space.id));
    expect(auditEntries.map(({ action }) => action).sort()).toEqual([
      "space_created",
      "space_source_updated",
    ]);
  });

  it("can be changed from a showcase to another one, but not to a model", async () => {
    const { space } = await testApp.addSpace(owner);
    const other: SourceInput = { kind: "showcase", sid: "2t7WUuJeko7", isDoubtful: false };
    const changed = await replace(space, other);
    expect(changed).toMatchObject({ sid: "2t7WUuJeko7", source: { kind: "showcase" } });
    expect(await fieldsOf(replace(changed, model(await addItem("model"))))).toEqual([
      "source_kind",
      { source: [{ key: "spaces:sources.errors.otherKind" }] },
    ]);
  });

  it("is not overwritten from an older version, nor by two concurrent saves", async () => {
    const { space } = await create(model(await addItem("model")));
    const [a, b] = [await addItem("model"), await addItem("model")];
    const results = await Promise.all([
      catchErrorCode(replace(space, model(a))),
      catchErrorCode(replace(space, model(b))),
    ]);
    expect(results.sort()).toEqual([null, "stale_version"].sort());
    const error = (await replace(space, model(a)).catch((e: unknown) => e)) as ConflictError;
    expect(error.saved).toEqual(await testApp.data.spaces.find(space.id));
    expect(
      await testApp.db.select().from(audit).where(eq(audit.action, "space_source_replaced")),
    ).toHaveLength(1);
  });

  it("is changed by users who may edit the space, with files that they may see", async () => {
    const { space } = await create(model(await addItem("model")));
    const newSource = model(await addItem("model"));
    expect(await catchErrorCode(replace(space, newSource, { actor: stranger.actor }))).toBe("not_found");
    expect(await catchErrorCode(replace(space, model(await addItem("model", stranger))))).toBe(
      "source_media",
    );
    expect(await catchErrorCode(replace({ id: randomUUID(), version: 1 }, newSource))).toBe("not_found");
    const { id, actors } = await testApp.addGroup(stranger);
    await testApp.db.update(spaces).set({ groupId: id }).where(eq(spaces.id, space.id));
    const member = actors[0] ?? stranger.actor;
    // A member who changes the start need not have access to the current file.
    const start = { position: [0, 1, 0], yaw: 0, pitch: 0, mode: "orbit" } as const;
    const sameFile = { ...(space.source as Extract<SourceInput, { kind: "model" }>), start };
    expect(await replace(space, sameFile, { actor: member })).toMatchObject({
      version: 2,
      source: { start },
    });
  });
});

describe("the thumbnail of a space", () => {
  it("is set and removed, and must be an image that the actor may see", async () => {
    const { space } = await testApp.addSpace(owner);
    const poster = await addItem("image");
    const spaceWithImage = await setPoster(space, poster);
    expect(await testApp.data.spaces.find(space.id)).toMatchObject({ posterMediaId: poster, version: 2 });
    expect(await setPoster(spaceWithImage, poster)).toEqual(spaceWithImage);
    expect(await catchErrorCode(setPoster(space, null))).toBe("stale_version");
    expect(await setPoster(spaceWithImage, null)).toMatchObject({ posterMediaId: null, version: 3 });
    expect(await catchErrorCode(setPoster({ id: space.id, version: 3 }, await addItem("model")))).toBe(
      "picture_media",
    );
    expect(
      await catchErrorCode(setPoster({ id: space.id, version: 3 }, await addItem("image", stranger))),
    ).toBe("picture_media");
  });
});

it("visible files are listed in the requested order, without those of other users", async () => {
  const [a, b] = [await addItem("image"), await addItem("image")];
  const { actor } = owner;
  const mediaIds = [b, randomUUID(), await addItem("image", stranger), a];
  const files = await testApp.services.spaces.visibleFiles({ actor, mediaIds });
  expect(files.map(({ id }) => id)).toEqual([b, a]);
});
