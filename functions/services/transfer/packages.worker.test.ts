import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { PackageSchema } from "#functions/api/transfer/package-schema";
import { imports, libraryItems } from "#functions/data/schema";
import { UPLOAD_PART_BYTES } from "~/domain/shared/limits";
import type { Uuid } from "~/domain/shared/model";
import { PACKAGE_JSON } from "~/domain/transfer/package-format";
import { apiUser } from "../../../tests/support/api/api-user";
import { catchErrorCode, type TestApp, type TestUser, useTestApp } from "../../../tests/support/app/test-app";
import { concatBytes, glbFile, pngFile, triangle, zeros } from "../../../tests/support/files/media-files";
import { type ZipPart, zipFile } from "../../../tests/support/files/zip-file";

const testApp = useTestApp();
let owner: TestUser;
let folderId: Uuid;

beforeEach(async () => {
  owner = await testApp.addUser({ email: "owner@demo.example", spaceLicense: 50 });
  folderId = await testApp.readRootFolderId(owner, "space");
});

const packages = () => testApp.services.packages;
const bytesIn = async ({ body }: { readonly body: ReadableStream<Uint8Array> }) =>
  new Uint8Array(await new Response(body).arrayBuffer());

async function* streamOf(bytes: Uint8Array) {
  // The parts are smaller than the slices of an upload, as from a network.
  for (let offset = 0; offset < bytes.length; offset += 60_000) yield bytes.subarray(offset, offset + 60_000);
}
async function* filesOf(bytes: Uint8Array) {
  yield { fileName: "an export.hiroba.zip", chunks: streamOf(bytes) };
}
const importPackage = (
  bytes: Uint8Array,
  target: { spaceId?: Uuid; folderId?: Uuid } = { folderId },
  { actor } = owner,
) => packages().importForm({ actor, ...target, lang: "ja", declaredBytes: null, files: filesOf(bytes) });

/** Adds an image to an owner's library, with its file. */
const addImage = (person: TestUser, fileName: string, width = 8, height = 4) =>
  addFile(person, fileName, pngFile(width, height));

async function addFile({ actor }: TestUser, fileName: string, bytes: Uint8Array) {
  const files = (async function* () {
    yield { fileName, chunks: streamOf(bytes) };
  })();
  const [stored] = await testApp.services.uploads.storeFiles({ actor, declaredBytes: null, files });
  if (!stored || !("item" in stored)) throw new Error("not stored");
  return stored.item;
}

/** A panorama space with an event that has every kind of content. */
async function addSpaceWithEverything(person = owner) {
  const { actor } = person;
  const sphere = await addImage(person, "ホール.png", 64, 32);
  const image = await addImage(person, "見取り図.png", 16);
  const nodes = [
    {
      id: "hall",
      mediaId: sphere.id,
      title: { ja: "ホール", en: "Hall" },
      position: [0, 1.6, 0],
      heading: 0.5,
      links: [],
    },
  ] as const;
  const { space, eventId } = await testApp.services.spaces.createSpace({
    actor,
    name: "ギャラリー",
    source: { kind: "panorama", nodes, start: null },
  });
  const [tag, unplacedTag, mediaId, stop] = Array.from({ length: 4 }, () => crypto.randomUUID());
  const viewpoint = { position: [1, 1.6, 2], yaw: 0.25, pitch: -0.5, mode: "walk", nodeId: "hall" };
  const text = (ja: string, en: string) => ({ ja, en });
  const commands = [
    {
      op: "create_media",
      id: mediaId,
      values: {
        libraryItemId: image.id,
        title: text("図", "Plan"),
        description: text("説明\n二行目", ""),
        placement: {
          position: [1, 2, 3],
          normal: [0, 0, 1],
          width: 2,
          rotation: 0.5,
          play: "auto",
          reach: 5,
        },
      },
    },
    {
      op: "create_tag",
      id: tag,
      values: {
        title: text("入口", "Entrance"),
        body: text("**太字**\n- 一\n- 二", "=1+1"),
        color: "#ff8800",
        icon: "star",
        keywords: ["水", "river"],
        linkUrl: "https://example.com/a?b=c",
        position: [-1.5, 0.25, 3],
        stem: [0, 0.5, 0],
        viewpoint,
        mediaIds: [mediaId],
        product: { id: "gid://shopify/Product/42", title: "Lamp" },
        hidden: true,
      },
    },
    { op: "create_tag", id: unplacedTag, values: { title: text("", "Not placed") } },
    { op: "move_tags", ids: [unplacedTag], before: tag },
    {
      op: "update_scene",
      version: 0,
      values: {
        startView: viewpoint,
        tour: [
          { id: stop, tagId: tag, viewpoint, title: text("一", "One"), text: text("文", ""), seconds: 12 },
        ],
        plan: { mediaId: mediaId, center: [1, -2], width: 30, rotation: 0.1 },
        products: [{ id: "gid://shopify/Product/7", title: "Chair" }],
      },
    },
  ];
  const edited = await testApp.services.content.editContent({ actor, eventId, commands });
  expect(edited.results.map(({ ok }) => ok)).toEqual(commands.map(() => true));
  const saved = (await testApp.services.events.getEvent({ actor, eventId })).event;
  await testApp.services.events.updateEvent({
    actor,
    eventId,
    values: {
      version: saved.version,
      eventName: { ja: "春の展示", en: "Spring" },
      startDate: "2030-04-01T01:00:00.000Z",
      endDate: "2030-05-01T01:00:00.000Z",
      statusId: 1,
      enableAutoChangeStatus: true,
      eventDetail: { ja: "一行目\n二行目", en: "One line" },
      spStoreUrl: "https://shop.example.com",
      spAccessToken: "a-store-token",
      publishPassword: { action: "keep" },
      urlParams: { f: 1, extra: "x" },
    } as never,
  });
  return { space, eventId, image: image, sphere };
}

/** A package's description (its JSON file) without values that differ between two exports. Ids are replaced by their positions. */
async function readComparable(bytes: Uint8Array) {
  const text = await readDescription(bytes);
  const ids = new Map<string, string>();
  return JSON.parse(text, (key, value) => {
    if (key === "exported_at" || key === "has_store_token") return undefined;
    if (typeof value !== "string") return value;
    return value.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, (id) => {
      ids.set(id, ids.get(id) ?? `id-${ids.size}`);
      return ids.get(id) ?? "";
    });
  });
}

async function readDescription(bytes: Uint8Array) {
  const { Uint8ArrayReader, TextWriter, ZipReader } = await import("@zip.js/zip.js/lib/zip-core-native.js");
  const entries = await new ZipReader(new Uint8ArrayReader(bytes)).getEntries();
  const entry = entries.find(({ filename }) => filename === PACKAGE_JSON);
  if (!entry || entry.directory) throw new Error("no description");
  return entry.getData(new TextWriter());
}

describe("a package", () => {
  it("is imported into another library without loss, and contains no secret", async () => {
    const { space, eventId } = await addSpaceWithEverything();
    const { actor } = owner;
    const { event } = await testApp.services.events.getEvent({ actor, eventId });
    const file = await packages().exportSpace({ actor, spaceId: space.id });
    expect(file.fileName).toBe("ギャラリー 2026-04-01.hiroba.zip");
    const bytes = await bytesIn(file);
    const text = await readDescription(bytes);
    for (const secret of [event.accessToken, event.previewAccessToken, "a-store-token", "owner@demo.example"])
      expect(text).not.toContain(secret);

    const other = await testApp.addUser({ email: "other@demo.example" });
    const target = { folderId: await testApp.readRootFolderId(other, "space") };
    const { report, state } = await importPackage(bytes, target, other);
    expect(state).toBe("done");
    expect(report?.counts).toMatchObject({ tags: 2, media: 1, added: 2, reused: 0 });
    expect(report?.notes.map(({ key }) => key)).toEqual(["transfer:note.storeToken"]);
    const created = report?.spaceId ?? "";
    const secondPackage = await bytesIn(
      await packages().exportSpace({ actor: other.actor, spaceId: created }),
    );
    expect(await readComparable(secondPackage)).toEqual(await readComparable(bytes));
    // Files are identical, because the description contains their digests.
    const theirs = await testApp.services.spaces.getSpace({ actor: other.actor, spaceId: created });
    expect(theirs).toMatchObject({ ownerId: other.actor.userId, eventCount: 1, name: "ギャラリー" });
    expect(theirs.sid).not.toBe(space.sid);
  });

  it("with a model of many triangles creates an item that waits for its conversion", async () => {
    const { actor } = owner;
    const accessors = [...triangle.accessors, { componentType: 5125, count: 900_000, type: "SCALAR" }];
    const meshes = [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }];
    const model = await addFile(owner, "a.glb", glbFile({ ...triangle, accessors, meshes }, zeros(36)));
    const { space } = await testApp.services.spaces.createSpace({
      actor,
      name: "Model",
      source: { kind: "model", mediaId: model.id, start: null, eyeHeight: 1.6 },
    });
    const bytes = await bytesIn(await packages().exportSpace({ actor, spaceId: space.id }));
    const other = await testApp.addUser({ email: "other@demo.example" });
    await importPackage(bytes, { folderId: await testApp.readRootFolderId(other, "space") }, other);
    const [item] = await testApp.db
      .select()
      .from(libraryItems)
      .where(eq(libraryItems.ownerId, other.user.id));
    const view = await testApp.services.preparations.getPreparation({
      actor: other.actor,
      itemId: item?.id ?? "",
    });
    expect([view.item.mimeType, view.state]).toEqual(["model/gltf-binary", "waiting"]);
  });

  it("of an event is imported with its positions into a space with the same coordinate system, without them into another one, and reuses existing files", async () => {
    const { space, eventId } = await addSpaceWithEverything();
    const { actor } = owner;
    const bytes = await bytesIn(await packages().exportEvent({ actor, eventId }));
    const importHere = await importPackage(bytes, { spaceId: space.id });
    expect(importHere.report?.events[0]?.name).toEqual({ ja: "春の展示のコピー", en: "Spring – copy" });
    expect(importHere.report?.counts).toMatchObject({ added: 0, reused: 1, bytes: 0 });
    const content = await testApp.services.content.getContent({
      actor,
      eventId: importHere.report?.events[0]?.id ?? "",
    });
    expect(content.tags.map(({ position }) => position)).toEqual([null, [-1.5, 0.25, 3]]);
    expect(content.scene.plan).not.toBeNull();

    const elsewhere = await testApp.addSpace(owner, "Elsewhere");
    const importElsewhere = await importPackage(bytes, { spaceId: elsewhere.space.id });
    expect(importElsewhere.report?.notes.map(({ key }) => key)).toEqual([
      "transfer:note.toPlace",
      "transfer:note.startView",
      "transfer:note.plan",
      "transfer:note.storeToken",
    ]);
    const moved = await testApp.services.content.getContent({
      actor,
      eventId: importElsewhere.report?.events[0]?.id ?? "",
    });
    expect(moved.tags.every(({ position }) => position === null)).toBe(true);
    expect(moved.media[0]?.placement).toBeNull();
  });

  it("with two items of the same bytes reuses one existing item for both", async () => {
    const { actor } = owner;
    const { space, eventId } = await testApp.addSpace(owner);
    for (const fileName of ["a.png", "b.png"])
      await testApp.addMediaItem(eventId, (await addImage(owner, fileName)).id);
    const bytes = await bytesIn(await packages().exportEvent({ actor, eventId }));
    const { report } = await importPackage(bytes, { spaceId: space.id });
    expect(report?.counts).toMatchObject({ media: 2, added: 0, reused: 1 });
  });

  it("is uploaded in slices, and a repeated completion returns the same result", async () => {
    const { eventId, space } = await addSpaceWithEverything();
    const { actor } = owner;
    const bytes = await bytesIn(await packages().exportEvent({ actor, eventId }));
    const startedImport = await packages().startImport({
      actor,
      spaceId: space.id,
      fileName: "a.zip",
      byteSize: bytes.length,
    });
    expect(startedImport.partSize).toBe(UPLOAD_PART_BYTES);
    const complete = () => packages().completeImport({ actor, importId: startedImport.id, lang: "en" });
    const sendSlice = () =>
      packages().storeImportPart({
        actor,
        importId: startedImport.id,
        number: 1,
        declaredBytes: null,
        body: new Response(bytes).body,
      });
    expect(await catchErrorCode(complete())).toBe("upload_incomplete");
    await sendSlice();
    // Two senders of one slice were recorded in the wrong order, so it must be sent again.
    await testApp.db.update(imports).set({ parts: { 1: { etag: "another", byteSize: bytes.length } } });
    expect(await catchErrorCode(complete())).toBe("upload_incomplete");
    expect((await packages().getPackageImport({ actor, importId: startedImport.id })).parts).toEqual([]);
    await sendSlice();
    const [firstResult, secondResult] = [await complete(), await complete()];
    expect(secondResult.report).toEqual(firstResult.report);
    expect(await testApp.services.events.listEvents({ actor, spaceId: space.id })).toMatchObject({
      events: { total: 2 },
    });
  });

  it("matches the served schema, and is exported and imported by API calls", async () => {
    const { eventId, space } = await addSpaceWithEverything();
    const call = await apiUser(testApp, owner);
    const eventPackage = await bytesIn(await packages().exportEvent({ actor: owner.actor, eventId }));
    // The description matches the served schema, and has no other fields.
    const served = await call("GET", "/package.schema.json");
    const exact = z.toJSONSchema(PackageSchema);
    const packageBytes = await bytesIn(
      await packages().exportSpace({ actor: owner.actor, spaceId: space.id }),
    );
    for (const schema of [served.json, exact]) {
      const ajv = new Ajv2020({ strict: false, allErrors: true });
      formats.default(ajv);
      const validate = ajv.compile(schema);
      for (const bytes of [eventPackage, packageBytes]) {
        validate(JSON.parse(await readDescription(bytes)));
        expect(validate.errors).toBeNull();
      }
      expect(validate({ format: "hiroba-package", version: 2 })).toBe(false);
    }
    const file = await call("GET", `/v1/events/${eventId}/export`);
    expect(file.headers.get("content-disposition")).toContain("filename*=UTF-8''%E6%98%A5");
    const startedImport = await call("POST", "/v1/imports", {
      file_name: "a.zip",
      byte_size: eventPackage.length,
      space_uuid: space.id,
    });
    expect(startedImport.status).toBe(200);
    const path = `/v1/imports/${startedImport.json.uuid}`;
    expect(await call("POST", `${path}/complete`)).toMatchObject({
      status: 400,
      json: { code: "upload_incomplete" },
    });
    await packages().storeImportPart({
      actor: owner.actor,
      importId: startedImport.json.uuid,
      number: 1,
      declaredBytes: null,
      body: new Response(eventPackage).body,
    });
    const done = await call("POST", `${path}/complete`);
    expect(done).toMatchObject({
      status: 200,
      json: { state: "done", report: { tags: 2, files_reused: 1 } },
    });
    expect((await call("GET", path)).json).toEqual(done.json);
    expect((await call("DELETE", path)).status).toBe(200);
    expect(await call("GET", path)).toMatchObject({ status: 404, json: { code: "upload_gone" } });
    expect(await call("POST", "/v1/imports", { file_name: "a", byte_size: 1 })).toMatchObject({
      status: 404,
    });
  });

  it("that was not uploaded completely is deleted after a day, and results are deleted after a week", async () => {
    const { eventId, space } = await addSpaceWithEverything();
    const { actor } = owner;
    const before = await listStoredKeys();
    const bytes = await bytesIn(await packages().exportEvent({ actor, eventId }));
    const { id } = await importPackage(bytes, { spaceId: space.id });
    expect(await listStoredKeys()).toEqual(before);
    const startedImport = await packages().startImport({
      actor,
      spaceId: space.id,
      fileName: "a.zip",
      byteSize: 10,
    });
    testApp.time.now += 25 * 3_600_000;
    expect(await catchErrorCode(packages().getPackageImport({ actor, importId: startedImport.id }))).toBe(
      "upload_gone",
    );
    expect(await packages().deleteExpiredPackageImports()).toBe(1);
    expect((await packages().getPackageImport({ actor, importId: id })).state).toBe("done");
    testApp.time.now += 7 * 24 * 3_600_000;
    expect(await packages().deleteExpiredPackageImports()).toBe(1);
    expect(await listStoredKeys()).toEqual(before);
  });

  it("is not exported or imported by users without access to the space", async () => {
    const { space, eventId } = await addSpaceWithEverything();
    const stranger = await testApp.addUser({ email: "stranger@demo.example" });
    const { actor } = stranger;
    expect(await catchErrorCode(packages().exportEvent({ actor, eventId }))).toBe("not_found");
    expect(await catchErrorCode(packages().exportSpace({ actor, spaceId: space.id }))).toBe("not_found");
    expect(await catchErrorCode(importPackage(new Uint8Array(9), { spaceId: space.id }, stranger))).toBe(
      "not_found",
    );
  });

  it("of an event that would open at once is imported as Unpublished", async () => {
    const { eventId, space } = await addSpaceWithEverything();
    const bytes = await changePackage(
      await bytesIn(await packages().exportEvent({ actor: owner.actor, eventId })),
      (json) => {
        const [event] = json.events as Record<string, unknown>[];
        Object.assign(event ?? {}, { status_id: 3, start_date: null, has_publish_password: true });
      },
    );
    const { report } = await importPackage(bytes, { spaceId: space.id });
    expect(report?.notes.map(({ key }) => key)).toContain("transfer:note.unpublished");
    const id = report?.events[0]?.id ?? "";
    const { event } = await testApp.services.events.getEvent({ actor: owner.actor, eventId: id });
    expect(event).toMatchObject({ statusId: 1, enableAutoChangeStatus: false });
  });
});

type PackageJson = Record<string, unknown> & {
  library: Record<string, unknown>[];
  events: Record<string, unknown>[];
};

/** The files of an archive, from which tests build altered archives. */
async function partsOf(bytes: Uint8Array): Promise<ZipPart[]> {
  const { Uint8ArrayReader, Uint8ArrayWriter, ZipReader } = await import(
    "@zip.js/zip.js/lib/zip-core-native.js"
  );
  const entries = await new ZipReader(new Uint8ArrayReader(bytes)).getEntries();
  const parts: ZipPart[] = [];
  for (const entry of entries)
    if (!entry.directory)
      parts.push({ name: entry.filename, bytes: await entry.getData(new Uint8ArrayWriter()) });
  return parts;
}
async function changePackage(bytes: Uint8Array, change: (json: PackageJson) => void) {
  const parts = await partsOf(bytes);
  const json = JSON.parse(await readDescription(bytes)) as PackageJson;
  change(json);
  return zipFile(
    parts.map((part) =>
      part.name === PACKAGE_JSON ? { ...part, bytes: new TextEncoder().encode(JSON.stringify(json)) } : part,
    ),
  );
}

/** The keys of all stored files, among them those that an import may leave behind. */
async function listStoredKeys(app: TestApp = testApp) {
  const { objects } = await app.files.list();
  return objects.map(({ key }) => key).sort();
}

describe("an invalid package", () => {
  it("is rejected with a message, and leaves nothing behind", async () => {
    const { eventId } = await addSpaceWithEverything();
    const { actor } = owner;
    const validPackage = await bytesIn(await packages().exportEvent({ actor, eventId }));
    const parts = await partsOf(validPackage);
    const image = parts.find(({ name }) => name !== PACKAGE_JSON) as ZipPart;
    const description = parts.find(({ name }) => name === PACKAGE_JSON) as ZipPart;
    const descriptionOf = (text: string) => ({ name: PACKAGE_JSON, bytes: new TextEncoder().encode(text) });
    // Imports into a library without these files.
    const other = await testApp.addUser({ email: "other@demo.example" });
    const created = await testApp.addSpace(other, "Theirs");
    const target = { spaceId: created.space.id };
    const before = await listStoredKeys();
    const deep = `{"format":"hiroba-package","version":1,"x":${"[".repeat(10_000)}${"]".repeat(10_000)}}`;
    const path = image.name;
    const invalidPackages: Record<string, [Uint8Array, string]> = {
      "no archive": [concatBytes("not a zip file at all"), "notZip"],
      truncated: [validPackage.subarray(0, validPackage.length - 30), "notZip"],
      "a missing beginning": [validPackage.subarray(100), "damaged"],
      encrypted: [zipFile([{ ...image, flags: 1 }, description]), "encrypted"],
      "a path out of the archive": [zipFile([{ ...image, name: "../../etc/passwd" }, description]), "paths"],
      "a Windows path out of the archive": [
        zipFile([{ ...image, name: "media\\..\\x" }, description]),
        "paths",
      ],
      "a symbolic link": [
        zipFile([{ ...image, name: "media/link", attributes: 0xa1ff0000 }, description]),
        "paths",
      ],
      "a duplicate name": [zipFile([image, { ...image, name: path.toUpperCase() }, description]), "paths"],
      "another compression method": [zipFile([{ ...image, method: 12 }, description]), "method"],
      "too many files": [
        zipFile([
          ...Array.from({ length: 2001 }, (_, i) => ({ name: `x/${i}`, bytes: new Uint8Array() })),
          description,
        ]),
        "tooMany",
      ],
      "a wrong checksum": [zipFile([{ ...image, crc: 1 }, description]), "damaged"],
      "another file than described": [
        await changePackage(validPackage, (json) =>
          Object.assign(json.library[0]?.file ?? {}, { sha256: "0".repeat(64) }),
        ),
        "damaged",
      ],
      "a file larger than declared": [zipFile([image, { ...description, size: 10 }]), "damaged"],
      "a huge declared size": [zipFile([image, { ...description, size: 3_000_000_000 }]), "tooLarge"],
      "no description": [zipFile([image]), "notPackage"],
      "no JSON": [zipFile([descriptionOf("{")]), "notJson"],
      "no UTF-8": [zipFile([{ name: PACKAGE_JSON, bytes: new Uint8Array([0x22, 0xff, 0x22]) }]), "notJson"],
      "JSON of another kind": [zipFile([descriptionOf("[]")]), "notPackage"],
      "a later version": [zipFile([descriptionOf('{"format":"hiroba-package","version":2}')]), "version"],
      "deeply nested JSON": [zipFile([descriptionOf(deep)]), "tooDeep"],
      "a space": [
        await changePackage(validPackage, (json) => Object.assign(json, { kind: "space" })),
        "isSpace",
      ],
    };
    const problems: Record<string, string> = {};
    for (const [name, [bytes]] of Object.entries(invalidPackages)) {
      const error = await importPackage(bytes, target, other).then(
        () => null,
        (thrown: unknown) => thrown as { fields?: Record<string, { key: string }[]>; message: string },
      );
      const [messages] = Object.values(error?.fields ?? {});
      problems[name] = messages?.[0]?.key.replace("transfer:problem.", "") ?? String(error);
    }
    expect(problems).toEqual(
      Object.fromEntries(Object.entries(invalidPackages).map(([name, [, key]]) => [name, key])),
    );
    expect(await listStoredKeys()).toEqual(before);
    expect(
      await testApp.services.events.listEvents({ actor: other.actor, spaceId: created.space.id }),
    ).toMatchObject({ events: { total: 1 } });
  });

  it("is rejected with the location of the error in its description", async () => {
    const { eventId, space } = await addSpaceWithEverything();
    const validPackage = await bytesIn(await packages().exportEvent({ actor: owner.actor, eventId }));
    const fieldsOf = async (change: (json: PackageJson) => void) => {
      const bytes = await changePackage(validPackage, change);
      const error = await importPackage(bytes, { spaceId: space.id }).catch((thrown) => thrown);
      return Object.fromEntries(
        Object.entries(
          (error as { fields: Record<string, { key: string }[]> }).fields ?? { "": [{ key: String(error) }] },
        ).map(([name, messages]) => [name, messages.map(({ key }) => key).join()]),
      );
    };
    const event = (json: PackageJson) =>
      json.events[0] as { tags: Record<string, unknown>[]; media: Record<string, unknown>[] };
    expect(
      await fieldsOf((json) => {
        Object.assign(event(json), { names: { ja: "x".repeat(33), en: "" }, status_id: 9 });
      }),
    ).toEqual({
      "events.0.names.ja": "events:errors.eventName.tooLong",
      "events.0.status_id": "shared-owners:errors.field.invalid",
    });
    expect(
      await fieldsOf((json) => {
        Object.assign(event(json).tags[1] ?? {}, { color: "red", media_uuids: [crypto.randomUUID()] });
        Object.assign(event(json).media[0] ?? {}, { library_item_uuid: crypto.randomUUID() });
      }),
    ).toMatchObject({
      "events.0.tags.1.color": "content:errors.tag.color",
      "events.0.media.0.library_item_uuid": "transfer:problem.reference",
    });
    expect(await fieldsOf((json) => Object.assign(json.library[0]?.file ?? {}, { path: "../x" }))).toEqual({
      "library.0.file.path": "transfer:problem.path",
    });
    expect(await fieldsOf((json) => Object.assign(json.library[0]?.file ?? {}, { byte_size: 5 }))).toEqual({
      "library.0.file": "transfer:problem.missingFile",
    });
    expect(await fieldsOf((json) => Object.assign(json, { events: [] }))).toEqual({
      events: "shared-owners:errors.field.invalid",
    });
  });

  it("is not exported when it is larger than the import limit", async () => {
    const { eventId, space, image } = await addSpaceWithEverything();
    const { actor } = owner;
    await testApp.db
      .update(libraryItems)
      .set({ byteSize: 2_130_000_000 })
      .where(eq(libraryItems.id, image.id));
    expect(await catchErrorCode(packages().exportEvent({ actor, eventId }))).toBe("too_large");
    expect(await catchErrorCode(packages().exportSpace({ actor, spaceId: space.id }))).toBe("too_large");
  });

  it("that exceeds the free space or the space licence leaves nothing behind", async () => {
    const { space } = await addSpaceWithEverything();
    const bytes = await bytesIn(await packages().exportSpace({ actor: owner.actor, spaceId: space.id }));
    const poor = await testApp.addUser({ email: "poor@demo.example", storageLimit: 10 });
    const before = await listStoredKeys();
    const target = { folderId: await testApp.readRootFolderId(poor, "space") };
    expect(await catchErrorCode(importPackage(bytes, target, poor))).toBe("library_capacity");
    const full = await testApp.addUser({ email: "full@demo.example", spaceLicense: 0 });
    expect(
      await catchErrorCode(
        importPackage(bytes, { folderId: await testApp.readRootFolderId(full, "space") }, full),
      ),
    ).toBe("space_license");
    expect(await listStoredKeys()).toEqual(before);
  });
});
