import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { newText } from "~/domain/events/event-texts";
import {
  CONTENT_MAX_BYTES,
  COPIES_PER_MINUTE,
  EVENT_TAGS_MAX,
  EVENTS_PER_OWNER_MAX,
  EVENTS_PER_SPACE_MAX,
  IMPORTS_OPEN_MAX,
  IMPORTS_PER_MINUTE,
  LIBRARY_ITEMS_MAX,
  UPLOAD_KEEP_HOURS,
} from "~/domain/shared/limits";
import { type TestUser, useTestApp } from "../../../tests/support/app/test-app";
import { events, imports, users } from "../../data/schema";
import { AppError } from "./errors";

const testApp = useTestApp();
const HOUR_MS = 3_600_000;
let owner: TestUser;
let spaceId: string;
let eventId: string;

beforeEach(async () => {
  owner = await testApp.addUser({ email: "owner@demo.example", spaceLicense: 100 });
  const created = await testApp.addSpace(owner);
  spaceId = created.space.id;
  eventId = created.eventId;
});

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error) => (error instanceof AppError ? error.code : Promise.reject(error)),
  );
const usage = (person = owner) => testApp.services.users.getUsage({ actor: person.actor });
const setOwner = (fields: Partial<typeof users.$inferInsert>) =>
  testApp.db.update(users).set(fields).where(eq(users.id, owner.user.id));
const createEvent = (eventName: string, targetSpaceId = spaceId) =>
  testApp.services.events.createEvent({
    actor: owner.actor,
    spaceId: targetSpaceId,
    eventName: newText(eventName),
  });
const copyEvent = (targetSpaceId?: string) =>
  testApp.services.copies.copyEvent({
    actor: owner.actor,
    eventId,
    ...(targetSpaceId && { spaceId: targetSpaceId }),
  });
const edit = async (commands: readonly object[], actor = owner.actor) =>
  (await testApp.services.content.editContent({ actor, eventId, commands })).results.map((result) =>
    result.ok ? "ok" : result.reason,
  );
const newTag = (title = "受付") => ({
  op: "create_tag",
  id: randomUUID(),
  values: { title: { ja: title, en: "" } },
});

/** The counters of all accounts, and the same numbers computed from the rows that they count. */
async function recount() {
  const size = (columns: string) =>
    columns
      .split(" ")
      .map((column) => `coalesce(octet_length(${column}), 0)`)
      .join(" + ");
  const rowBytes = (table: string, columns: string) =>
    `coalesce((SELECT sum(200 + ${size(columns)}) FROM ${table} WHERE event_id = e.id), 0)`;
  const { results } = await testApp.binding
    .prepare(
      `SELECT u.id, u.event_count AS events, u.media_count AS media, u.content_used AS content, u.storage_used AS storage, u.trash_used AS trash,
        (SELECT count(*) FROM spaces s JOIN events e ON e.space_id = s.id WHERE s.owner_id = u.id) AS realEvents,
        (SELECT count(*) FROM library_items i WHERE i.owner_id = u.id) AS realMedia,
        (SELECT coalesce(sum(byte_size + still_size), 0) FROM library_items i WHERE i.owner_id = u.id AND i.deleted_at IS NULL) AS files,
        (SELECT coalesce(sum(byte_size + still_size), 0) FROM library_items i WHERE i.owner_id = u.id AND i.deleted_at IS NOT NULL) AS realTrash,
        (SELECT coalesce(sum(octet_length(detail_ja) + octet_length(detail_en) + octet_length(url_params) - 2
          + ${rowBytes("event_tags", "title_ja title_en body_ja body_en icon keywords link_url position stem viewpoint product")}
          + ${rowBytes("event_media", "title_ja title_en description_ja description_en placement")}
          + ${rowBytes("event_scenes", "start_view tour plan products")} + ${rowBytes("event_changes", "before after")}
          + 100 * (SELECT count(*) FROM tag_media tm JOIN event_tags t ON t.id = tm.tag_id WHERE t.event_id = e.id)), 0)
          FROM spaces s JOIN events e ON e.space_id = s.id WHERE s.owner_id = u.id) AS realContent FROM users u`,
    )
    .all<Record<string, number>>();
  return results;
}
async function expectExact() {
  for (const row of await recount())
    expect(row).toMatchObject({
      events: row.realEvents,
      media: row.realMedia,
      content: row.realContent,
      trash: row.realTrash,
      storage: (row.files ?? 0) + (row.realContent ?? 0),
    });
}

describe("an owner's storage", () => {
  it("is counted exactly when content, events and spaces are changed, moved and deleted", async () => {
    await expectExact();
    expect((await usage()).contentBytes).toBe(0);
    const item = await testApp.addItem(owner);
    const mediaId = await testApp.addMediaItem(eventId, item.id);
    const tag = await testApp.addTag(eventId, [mediaId]);
    await edit([
      newTag("日本語の長い題名"),
      { op: "update_tag", id: tag, version: 1, values: { body: { ja: "本文", en: "Text" } } },
      {
        op: "update_scene",
        version: 0,
        values: { startView: { position: [1, 1, 1], yaw: 0, pitch: 0, mode: "walk", nodeId: null } },
      },
    ]);
    await expectExact();
    expect((await usage()).contentBytes).toBeGreaterThan(1000);
    await edit([{ op: "delete", type: "tag", id: tag, version: 2 }]);
    await expectExact();
    await copyEvent();
    await testApp.services.events.deleteEvent({ actor: owner.actor, eventId });
    await expectExact();
    const newOwner = await testApp.addUser({ email: "heir@demo.example" });
    await testApp.binding
      .prepare("UPDATE spaces SET owner_id = ? WHERE id = ?")
      .bind(newOwner.user.id, spaceId)
      .run();
    await expectExact();
    expect((await usage()).contentBytes).toBe(0);
    await testApp.binding
      .prepare("UPDATE spaces SET owner_id = ? WHERE id = ?")
      .bind(owner.user.id, spaceId)
      .run();
    const elsewhere = await testApp.addSpace(owner, "Elsewhere");
    await testApp.db.update(events).set({ spaceId: elsewhere.space.id }).where(eq(events.id, eventId));
    await expectExact();
    // The bytes of rows that are deleted with their parent are subtracted once.
    await testApp.binding.prepare("DELETE FROM event_media WHERE id = ?").bind(mediaId).run();
    await expectExact();
    await testApp.binding.prepare("DELETE FROM events WHERE id = ?").bind(eventId).run();
    await expectExact();
    await testApp.binding.prepare("DELETE FROM spaces WHERE id = ?").bind(spaceId).run();
    await expectExact();
    expect((await usage()).events).toBe(1);
  });

  it("does not increase the revision of an event when only its counted bytes change", async () => {
    const before = await testApp.readRevision(eventId);
    await testApp.db
      .update(events)
      .set({ contentBytes: sql`content_bytes + 1` })
      .where(eq(events.id, eventId));
    expect(await testApp.readRevision(eventId)).toBe(before);
  });

  it("counts files in the trash separately, limits library and trash together to twice the storage, and has a maximum number of items", async () => {
    const start = (byteSize: number) =>
      testApp.services.uploads.startUpload({
        actor: owner.actor,
        fileName: "a.png",
        byteSize,
        fingerprint: "",
      });
    await testApp.addItem(owner, {
      byteSize: 900_000,
      deletedAt: testApp.currentInstant(),
      deletedWith: "x",
    });
    expect(await usage()).toMatchObject({ trashBytes: 900_000, media: 1 });
    await testApp.addItem(owner, {
      byteSize: 900_000,
      deletedAt: testApp.currentInstant(),
      deletedWith: "y",
    });
    expect(await codeOf(start(300_000))).toBe("trash_full");
    expect(await codeOf(start(100_000))).toBe("done");
    await expectExact();
    await setOwner({ mediaCount: LIBRARY_ITEMS_MAX });
    expect(await codeOf(start(10))).toBe("too_many_media");
  });
});

describe("events", () => {
  it("of a space have a maximum number when they are created, copied or restored, also two at once", async () => {
    const elsewhere = await testApp.addSpace(owner, "Elsewhere");
    for (let n = 2; n < EVENTS_PER_SPACE_MAX; n++) await createEvent(`e${n}`);
    const codes = await Promise.all([codeOf(createEvent("last")), codeOf(copyEvent())]);
    expect(codes.sort()).toEqual(["done", "too_many_space_events"]);
    expect(await codeOf(createEvent("one more"))).toBe("too_many_space_events");
    expect(await codeOf(copyEvent(elsewhere.space.id))).toBe("done");
    // Restoring an event also counts towards the limit.
    await testApp.services.events.deleteEvent({ actor: owner.actor, eventId });
    await createEvent("in its place");
    const restoring = testApp.services.events.restoreEvent({ actor: owner.actor, eventId });
    expect(await codeOf(restoring)).toBe("too_many_space_events");
  });

  it("of an owner have a maximum number, including those in the trash", async () => {
    const max = EVENTS_PER_OWNER_MAX + 100;
    await setOwner({ eventCount: max - 1 });
    const codes = await Promise.all([codeOf(createEvent("a")), codeOf(copyEvent())]);
    expect(codes.sort()).toEqual(["done", "too_many_events"]);
    expect(await codeOf(testApp.addSpace(owner, "B"))).toBe("too_many_events");
    const folderId = await testApp.readRootFolderId(owner, "space");
    const [copied] = await testApp.services.copies.copyItems({
      actor: owner.actor,
      selection: { space: [spaceId] },
      folderId,
      lang: "en",
    });
    expect(copied?.rejection).toBe("too_many_events");
    await testApp.services.events.deleteEvent({ actor: owner.actor, eventId });
    expect(await codeOf(createEvent("c"))).toBe("too_many_events");
  });
});

describe("content", () => {
  it("is limited by the account's storage, for commands, copies and tables, and can still be deleted", async () => {
    const tag = await testApp.addTag(eventId);
    const storedBytes = (await testApp.readAccount(owner.user.id))?.storageUsed ?? 0;
    await setOwner({ storageLimit: storedBytes + 100 });
    const update = {
      op: "update_tag",
      id: tag,
      version: 1,
      values: { title: { ja: "x".repeat(90), en: "" } },
    };
    expect(await edit([newTag(), update])).toEqual(["content_full", "content_full"]);
    expect(await edit([{ ...update, version: 7 }])).toEqual(["stale"]);
    expect(await codeOf(copyEvent())).toBe("content_full");
    const csv = new TextEncoder().encode("order,title_ja\n2,新しい\n1,受付\n");
    const table = { bytes: csv, encoding: null, deletesMissing: false, fileName: "tags.csv" };
    await setOwner({ storageLimit: storedBytes + csv.length + 5 });
    const checked = await testApp.services.content.checkTagImport({ actor: owner.actor, eventId, ...table });
    expect(checked.changesOrder).toBe(true);
    await testApp.services.content.applyTagImport({ actor: owner.actor, eventId, importId: checked.id });
    const report = await testApp.services.content.getTagImport({
      actor: owner.actor,
      eventId,
      importId: checked.id,
    });
    expect(report.lines[0]?.problems[0]?.message.key).toMatch(/refused\.content_full$/);
    expect(report.changesOrder).toBe(false);
    expect(await edit([{ op: "delete", type: "tag", id: tag, version: 1 }])).toEqual(["ok"]);
  });

  it("is limited to a number of bytes even in an account with more storage, and events can still be saved up to twice that number", async () => {
    await setOwner({ storageLimit: 10 * CONTENT_MAX_BYTES, contentUsed: CONTENT_MAX_BYTES });
    expect(await edit([newTag()])).toEqual(["content_full"]);
    const { event } = await testApp.services.events.getEvent({ actor: owner.actor, eventId });
    const save = (version: number, eventDetail: string) =>
      testApp.services.events.updateEvent({
        actor: owner.actor,
        eventId,
        values: {
          eventName: event.eventName,
          startDate: null,
          endDate: null,
          statusId: 4,
          eventDetail: newText(eventDetail),
          version,
          enableAutoChangeStatus: true,
          spStoreUrl: null,
          spAccessToken: null,
          urlParams: {},
          publishPassword: { action: "keep" },
          showBeforePassword: false,
        },
      });
    expect(await save(1, "closed")).toMatchObject({ status: "updated" });
    await setOwner({ contentUsed: 2 * CONTENT_MAX_BYTES });
    expect(await codeOf(save(2, "again"))).toBe("content_full");
  });

  it("has a maximum number of tags per event, also for two simultaneous calls", async () => {
    await setOwner({ storageLimit: 50_000_000 });
    await testApp.binding
      .prepare(
        `INSERT INTO event_tags (id, event_id, color, icon, keywords, stem, sort_order, created_at, updated_at)
          SELECT value, ?1, '#223a70', 'info', '[]', '[0,1,0]', 0, '', '' FROM json_each(?2)`,
      )
      .bind(eventId, JSON.stringify(Array.from({ length: EVENT_TAGS_MAX - 1 }, () => randomUUID())))
      .run();
    const codes = await Promise.all([edit([newTag()]), edit([newTag()])]);
    expect(codes.flat().sort()).toEqual(["limit", "ok"]);
  });
});

describe("copies and imports", () => {
  it("are counted for their owner, and the rejection states the limit", async () => {
    testApp.workLimit.max = 1;
    expect(await codeOf(copyEvent())).toBe("done");
    expect(testApp.workLimit.countedWork).toEqual([`copy ${owner.user.id}`]);
    const copyByAdmin = testApp.services.copies.copyEvent({ actor: testApp.admin, eventId });
    expect(await codeOf(copyByAdmin)).toBe("rate_limited");
    expect(testApp.workLimit.countedWork.at(-1)).toBe(`copy ${owner.user.id}`);
    await expect(copyEvent()).rejects.toMatchObject({
      code: "rate_limited",
      userMessage: { key: "api:errors.limits.copyRate", values: { count: COPIES_PER_MINUTE } },
    });
    await expect(startImport(10)).rejects.toMatchObject({
      code: "rate_limited",
      userMessage: { key: "api:errors.limits.importRate", values: { count: IMPORTS_PER_MINUTE } },
    });
    expect(testApp.workLimit.countedWork.at(-1)).toBe(`import ${owner.user.id}`);
  });
});

const packages = () => testApp.services.packages;
const startImport = (byteSize: number) =>
  packages().startImport({ actor: owner.actor, spaceId, fileName: "a.zip", byteSize });
const startUpload = (byteSize: number) =>
  testApp.services.uploads.startUpload({ actor: owner.actor, fileName: "a.png", byteSize, fingerprint: "" });

describe("an open import", () => {
  it("reserves its declared bytes in the owner's storage beside those of uploads", async () => {
    await startImport(600_000);
    expect(await usage()).toMatchObject({ reservedBytes: 600_000, openImports: 1 });
    expect(await codeOf(startImport(500_000))).toBe("library_capacity");
    expect(await codeOf(startUpload(500_000))).toBe("library_capacity");
    await startUpload(300_000);
    expect(await codeOf(startImport(200_000))).toBe("library_capacity");
    expect((await usage()).reservedBytes).toBe(900_000);
    expect((await testApp.files.list({ prefix: "imports/" })).objects).toEqual([]);
  });

  it("is one of at most three, also when four start at once", async () => {
    const codes = await Promise.all(Array.from({ length: 4 }, () => codeOf(startImport(10))));
    expect(codes.sort()).toEqual(["done", "done", "done", "too_many_imports"]);
    expect((await usage()).reservedBytes).toBe(10 * IMPORTS_OPEN_MAX);
  });

  it("releases its reserved bytes once when it is cancelled, rejected or expired", async () => {
    const byteSize = 1000;
    const send = (importId: string) =>
      packages().storeImportPart({
        actor: owner.actor,
        importId,
        number: 1,
        declaredBytes: byteSize,
        body: new Response(new Uint8Array(byteSize)).body,
      });
    const reserved = async () => (await usage()).reservedBytes;

    const cancelledImport = await startImport(byteSize);
    const cancelImport = () =>
      codeOf(packages().dropImport({ actor: owner.actor, importId: cancelledImport.id }));
    expect(await cancelImport()).toBe("done");
    expect(await cancelImport()).toBe("upload_gone");
    expect(await reserved()).toBe(0);

    const invalidImport = await startImport(byteSize);
    await send(invalidImport.id);
    const complete = (importId: string) =>
      codeOf(packages().completeImport({ actor: owner.actor, importId, lang: "en" }));
    expect(await complete(invalidImport.id)).toBe("bad_package");
    expect(await complete(invalidImport.id)).toBe("upload_gone");
    expect(await reserved()).toBe(0);

    // An upload with a missing slice can continue, so its bytes stay reserved.
    const incompleteImport = await startImport(byteSize);
    expect(await complete(incompleteImport.id)).toBe("upload_incomplete");
    expect(await reserved()).toBe(byteSize);

    // The day starts when the import is opened, and later slices do not extend it.
    testApp.time.now += (UPLOAD_KEEP_HOURS - 1) * HOUR_MS;
    await send(incompleteImport.id);
    testApp.time.now += 2 * HOUR_MS;
    expect(await codeOf(send(incompleteImport.id))).toBe("upload_gone");
    expect(await packages().deleteExpiredPackageImports()).toBe(1);
    expect(await packages().deleteExpiredPackageImports()).toBe(0);
    expect(await reserved()).toBe(0);
    expect(await testApp.db.select().from(imports)).toEqual([]);
    await expectExact();
  });

  it("an upload's reservation also expires after a day", async () => {
    const { id } = await startUpload(1000);
    testApp.time.now += (UPLOAD_KEEP_HOURS + 1) * HOUR_MS;
    const slice = {
      actor: owner.actor,
      uploadId: id,
      number: 1,
      declaredBytes: 1000,
      body: new Response(new Uint8Array(1000)).body,
    };
    expect(await codeOf(testApp.services.uploads.storePart(slice))).toBe("upload_gone");
    expect(await testApp.services.uploads.deleteExpiredUploads()).toBe(1);
    expect((await usage()).reservedBytes).toBe(0);
  });
});
