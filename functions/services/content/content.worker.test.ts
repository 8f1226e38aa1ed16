import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { audit, libraryItems, spaces } from "#functions/data/schema";
import type { CommandResult, ContentItem, TagPositions } from "~/domain/content/content";
import { newText } from "~/domain/events/event-texts";
import {
  CHANGES_MAX_BYTES,
  CONTENT_COMMANDS_MAX,
  EVENT_MEDIA_MAX,
  EVENT_PRODUCTS_MAX,
  EVENT_TAGS_MAX,
} from "~/domain/shared/limits";
import type { EventScene, EventTag } from "~/domain/shared/model";
import { catchErrorCode, type TestUser, useTestApp } from "../../../tests/support/app/test-app";
import { newMediaItem, newTag, title, uuid } from "../../../tests/support/content-commands";

const testApp = useTestApp();
let owner: TestUser;
let eventId: string;

beforeEach(async () => {
  // Content counts towards the storage, and some tests write much content.
  owner = await testApp.addUser({ storageLimit: 100_000_000 });
  ({ eventId } = await testApp.addSpace(owner));
});

const edit = (commands: readonly unknown[], actor = owner.actor, event = eventId) =>
  testApp.services.content.editContent({ actor, eventId: event, commands });
const read = () => testApp.services.content.getContent({ actor: owner.actor, eventId });
const listChanges = async (after = 0) =>
  (await testApp.services.content.readChanges({ actor: owner.actor, eventId, after })).changes;

/** Short results of the commands: the version of each, or the reason of its failure. */
const brief = (results: readonly CommandResult[]) =>
  results.map((result) => (result.ok ? result.version : result.reason));
const errorsOf = (result: CommandResult | undefined) => (result && !result.ok ? result.errors : undefined);
const itemOf = (result: CommandResult | undefined) =>
  (result?.ok ? result : (result as { saved?: ContentItem } | undefined)?.saved)?.item;

describe("tags", () => {
  it("are created, changed, deleted and restored, each at its position", async () => {
    const [a, b] = [uuid(), uuid()];
    const created = await edit([
      newTag(a, { position: [1, 2, 3], keywords: "木, 布", hidden: true }),
      newTag(b, { title: title("", "Desk"), product: { id: "gid://shopify/Product/7", title: "Cloth" } }),
    ]);
    expect(brief(created.results)).toEqual([1, 1]);
    expect(itemOf(created.results[0])).toMatchObject({
      id: a,
      eventId,
      title: title("受付"),
      position: [1, 2, 3],
      keywords: ["木", "布"],
      hidden: true,
      product: null,
      color: "#3b4fa8",
      icon: "info",
      stem: [0, 0.25, 0],
      mediaIds: [],
    });
    expect(itemOf(created.results[1])).toMatchObject({
      product: { id: "gid://shopify/Product/7", title: "Cloth" },
      hidden: false,
    });
    expect(await testApp.services.content.getContent({ actor: owner.actor, eventId })).toMatchObject({
      tags: [itemOf(created.results[0]), itemOf(created.results[1])],
      seq: created.seq,
    });

    const changed = await edit([
      { op: "update_tag", id: a, version: 1, values: { position: null, hidden: false } },
      { op: "delete", type: "tag", id: b, version: 1 },
    ]);
    expect(brief(changed.results)).toEqual([2, 2]);
    expect((await read()).tags).toMatchObject([
      { id: a, position: null, hidden: false, title: title("受付") },
    ]);
    await edit([newTag(uuid())]);
    const restored = await edit([{ op: "restore", type: "tag", id: b }]);
    expect(brief(restored.results)).toEqual([3]);
    expect((await read()).tags.map(({ id }) => id).indexOf(b)).toBe(1);
    expect((await listChanges()).map(({ itemType, after }) => [itemType, after === null])).toEqual([
      ["tag", false],
      ["tag", false],
      ["tag", false],
      ["tag", true],
      ["tag", false],
      ["tag", false],
    ]);
  });

  it("refer to media of their event in order, and keep references to media in the trash", async () => {
    const [item, otherItem] = [await testApp.addItem(owner), await testApp.addItem(owner)];
    const [tag, m, n] = [uuid(), uuid(), uuid()];
    const created = await edit([
      newMediaItem(m, item.id),
      newMediaItem(n, otherItem.id),
      newTag(tag, { mediaIds: [n, m] }),
    ]);
    expect(brief(created.results)).toEqual([1, 1, 1]);
    const readMediaIds = async () => (await read()).tags[0]?.mediaIds;
    expect(await readMediaIds()).toEqual([n, m]);
    await edit([{ op: "delete", type: "media", id: n, version: 1 }]);
    expect(await readMediaIds()).toEqual([m]);
    const renamed = await edit([
      { op: "update_tag", id: tag, version: 1, values: { mediaIds: [m], title: title("新") } },
    ]);
    expect(itemOf(renamed.results[0])).toMatchObject({ mediaIds: [m] });
    expect((await listChanges()).at(-1)).toMatchObject({ itemType: "tag", after: { mediaIds: [m] } });
    await edit([{ op: "restore", type: "media", id: n }]);
    expect((await readMediaIds())?.slice().sort()).toEqual([m, n].sort());

    const foreignMediaId = await testApp.addMediaItem((await testApp.addSpace(owner)).eventId, item.id);
    const rejected = await edit([
      { op: "update_tag", id: tag, version: 2, values: { mediaIds: [foreignMediaId] } },
      newTag(uuid(), { mediaIds: [m, foreignMediaId] }),
    ]);
    expect(brief(rejected.results)).toEqual(["invalid", "invalid"]);
    expect(errorsOf(rejected.results[0])).toEqual({ mediaIds: ["content:errors.media.notInEvent"] });
    expect((await read()).tags).toHaveLength(1);
  });

  it("have an order that only moving changes, without a new version", async () => {
    const ids = [uuid(), uuid(), uuid(), uuid()] as const;
    const [a, b, c, d] = ids;
    await edit(ids.map((id) => newTag(id)));
    const order = async () => (await read()).tags.map(({ id }) => ids.indexOf(id));
    const moved = await edit([{ op: "move_tags", ids: [d, a], before: c }]);
    expect(moved.results[0]).toMatchObject({ ok: true, id: eventId, type: "order" });
    expect([...((itemOf(moved.results[0]) ?? new Map()) as TagPositions).keys()]).toEqual([b, d, a, c]);
    expect(await order()).toEqual([1, 3, 0, 2]);
    await edit([{ op: "move_tags", ids: [b], before: null }]);
    expect(await order()).toEqual([3, 0, 2, 1]);
    expect((await read()).tags.map(({ version }) => version)).toEqual([1, 1, 1, 1]);
    const count = (await listChanges()).length;
    // Moves to the current position and moves of unknown tags have no effect. A move before an unknown tag moves to the end.
    const laterResult = await edit([
      { op: "move_tags", ids: [b], before: null },
      { op: "move_tags", ids: [c], before: uuid() },
      { op: "move_tags", ids: [uuid()], before: null },
    ]);
    expect(brief(laterResult.results)).toEqual([0, 0, "not_found"]);
    expect(await order()).toEqual([3, 0, 1, 2]);
    expect(await listChanges()).toHaveLength(count + 1);
    await edit([{ op: "delete", type: "tag", id: a, version: 1 }]);
    const lastMove = await edit([{ op: "move_tags", ids: [d], before: null }]);
    const restored = await edit([{ op: "restore", type: "tag", id: a }]);
    expect(await order()).toEqual([0, 1, 2, 3]);
    // A client that received the move knows the position of the restored tag.
    const positions = new Map(itemOf(lastMove.results[0]) as TagPositions);
    positions.set(a, (itemOf(restored.results[0]) as EventTag).sortOrder);
    const localOrder = [...positions]
      .sort(([, position], [, otherPosition]) => position - otherPosition)
      .map(([id]) => ids.indexOf(id as never));
    expect(localOrder).toEqual([0, 1, 2, 3]);
  });
});

describe("media", () => {
  it("are uses of library items that the actor may see, in order of creation", async () => {
    const item = await testApp.addItem(owner, { kind: "video", mimeType: "video/mp4" });
    const foreignItem = await testApp.addItem(await testApp.addUser());
    const [a, b] = [uuid(), uuid()];
    const placement = { position: [0, 1, 0], normal: [0, 0, 2], width: 2 };
    const created = await edit([
      newMediaItem(b, item.id, { placement, hidden: true }),
      newMediaItem(a, item.id),
      newMediaItem(uuid(), foreignItem.id),
      newMediaItem(uuid(), uuid()),
    ]);
    expect(brief(created.results)).toEqual([1, 1, "invalid", "invalid"]);
    expect(errorsOf(created.results[2])).toEqual({ libraryItemId: ["content:errors.media.notInLibrary"] });
    expect(itemOf(created.results[0])).toMatchObject({
      kind: "video",
      mimeType: "video/mp4",
      hidden: true,
      web: null,
      placement: { position: [0, 1, 0], normal: [0, 0, 1], width: 2, rotation: 0, play: "click", reach: 8 },
    });
    const content = await read();
    expect(content.media.map(({ id }) => id)).toEqual([b, a]);
    expect(content.media[0]).toEqual(itemOf(created.results[0]));
    const changed = await edit([
      { op: "update_media", id: a, version: 1, values: { description: title("説明") } },
      { op: "update_media", id: b, version: 1, values: { placement: null } },
    ]);
    expect(brief(changed.results)).toEqual([2, 2]);
    expect((await read()).media).toMatchObject([
      { id: b, placement: null, hidden: true },
      { id: a, description: title("説明"), title: title("絵") },
    ]);
  });

  it("are restored only while their library item exists", async () => {
    const item = await testApp.addItem(owner);
    const id = uuid();
    const [tag, deletedTag] = [uuid(), uuid()];
    await edit([
      newMediaItem(id, item.id),
      newTag(tag, { mediaIds: [id] }),
      newTag(deletedTag, { mediaIds: [id] }),
    ]);
    await edit([
      { op: "delete", type: "media", id, version: 1 },
      { op: "delete", type: "tag", id: deletedTag, version: 1 },
    ]);
    const trash = (deletedAt: string | null) =>
      testApp.db.update(libraryItems).set({ deletedAt }).where(eq(libraryItems.id, item.id));
    await trash(testApp.currentInstant());
    const restore = () => edit([{ op: "restore", type: "media", id }]);
    expect(brief((await restore()).results)).toEqual(["not_found"]);
    await trash(null);
    expect(brief((await restore()).results)).toEqual([3]);
    // Media of an item in the trash are hidden, in the content and in the changes.
    await trash(testApp.currentInstant());
    expect(await read()).toMatchObject({
      media: [],
      // Editors receive them separately, with the tags that refer to them.
      trashed: [{ id, libraryItemId: item.id, kind: "image", title: title("絵"), tagIds: [tag] }],
    });
    expect((await listChanges()).at(-1)).toMatchObject({ itemType: "media", after: null });
    const hiddenMedia = await edit([{ op: "update_media", id, version: 3, values: { hidden: true } }]);
    expect(itemOf(hiddenMedia.results[0]) ?? null).toBeNull();
  });

  it("that were stored in an older form are read with defaults for missing values", async () => {
    const item = await testApp.addItem(owner);
    const placement = { position: [1, 2, 3], normal: [0, 0, 1], width: 1 } as const;
    const id = await testApp.addMediaItem(eventId, item.id, { placement });
    const withDefaults = { ...placement, rotation: 0, play: "click", reach: 8 };
    expect((await read()).media).toMatchObject([{ placement: withDefaults, hidden: false }]);
    const changed = await edit([{ op: "update_media", id, version: 1, values: { hidden: true } }]);
    expect(itemOf(changed.results[0])).toMatchObject({ placement: withDefaults });
    expect((await testApp.data.visitors.load(eventId))?.media).toEqual([]);
  });
});

describe("a scene", () => {
  const view = { position: [0, 1.6, 0], yaw: 1, pitch: 0, mode: "walk" } as const;
  const stop = (tagId: string | null, fields: object = {}) => ({
    id: uuid(),
    tagId,
    title: title("一"),
    ...fields,
  });

  it("is created with its first save, and saved in parts", async () => {
    expect((await read()).scene).toEqual({ startView: null, tour: [], plan: null, products: [], version: 0 });
    const [tag, image] = [uuid(), uuid()];
    await edit([newTag(tag), newMediaItem(image, (await testApp.addItem(owner)).id)]);
    const plan = { mediaId: image, center: [1, -2], width: 20, rotation: 0 };
    const saved = await edit([
      {
        op: "update_scene",
        version: 0,
        values: { tour: [stop(tag), stop(null, { viewpoint: view, seconds: 30 })] },
      },
      { op: "update_scene", version: 1, values: { startView: view, plan } },
    ]);
    // Each result contains the scene after the whole call.
    expect(brief(saved.results)).toEqual([2, 2]);
    const scene = (await read()).scene;
    expect(scene).toMatchObject({
      startView: view,
      plan,
      version: 2,
      tour: [
        { tagId: tag, viewpoint: null, seconds: 8 },
        { tagId: null, viewpoint: view, seconds: 30 },
      ],
    });
    expect(itemOf(saved.results[1])).toEqual(scene);
    const secondResult = await edit([{ op: "update_scene", version: 0, values: { startView: view } }]);
    expect(brief(secondResult.results)).toEqual([2]);
    const stale = await edit([{ op: "update_scene", version: 1, values: { startView: null } }]);
    expect(stale.results).toMatchObject([{ reason: "stale", saved: { type: "scene", item: scene } }]);
    const emptied = await edit([
      { op: "update_scene", version: 2, values: { startView: null, tour: [], plan: null } },
    ]);
    expect(itemOf(emptied.results[0])).toEqual({
      startView: null,
      tour: [],
      plan: null,
      products: [],
      version: 3,
    });
  });

  it("merges one user's edits of a stop's text within a minute into one change, and stores other changes separately", async () => {
    const stops = [stop(null, { viewpoint: view }), stop(null, { viewpoint: view })];
    let version = 0;
    const save = async (values: object, actor = owner.actor) => {
      const { seq, results } = await edit([{ op: "update_scene", version: version++, values }], actor);
      expect(brief(results)).toEqual([version]);
      return seq;
    };
    const sceneWith = (ja: string) => ({ tour: [{ ...stops[0], text: title(ja) }, stops[1]] });
    const storedVersions = async () =>
      (await listChanges()).map(({ after }) => (after as EventScene).version);
    const wordsAt = async (seq: number) => {
      const stateQuery = { actor: owner.actor, eventId, seq, comparison: "now" } as const;
      return (await testApp.services.history.readPastEvent(stateQuery)).state.scene.tour[0]?.text.ja;
    };
    const created = await save(sceneWith(""));
    const startInstant = testApp.currentInstant();
    for (const ja of ["あ", "あい", "あいう"]) {
      await save(sceneWith(ja));
      testApp.time.now += 15_000;
    }
    expect(await storedVersions()).toEqual([1, 4]);
    expect((await listChanges(created)).map(({ at }) => at)).toEqual([startInstant]);
    expect(await wordsAt(created)).toBe("");
    // Changes are merged for at most a minute.
    testApp.time.now += 15_000;
    const next = await save(sceneWith("え"));
    expect([await wordsAt(created), await wordsAt(next - 1), await wordsAt(next)]).toEqual([
      "",
      "あいう",
      "え",
    ]);
    expect(await storedVersions()).toEqual([1, 4, 5]);
    // Adding or removing a stop, changes of the start view, and changes by another user or of a published state are not merged.
    await save({ tour: sceneWith("え").tour.slice(0, 1) });
    await save(sceneWith("え"));
    await save({ startView: view });
    await save(sceneWith("お"), testApp.admin);
    await testApp.setEvent(eventId, { startDate: new Date(testApp.time.now + 1).toISOString() });
    testApp.time.now += 1000;
    await save(sceneWith("か"), testApp.admin);
    expect(await storedVersions()).toEqual([1, 4, 5, 6, 7, 8, 9, 10]);
    // A repeated command is executed once.
    const secondResult = await edit(
      [{ op: "update_scene", version: version - 1, values: sceneWith("か") }],
      testApp.admin,
    );
    expect(brief(secondResult.results)).toEqual([version]);
  });

  it("has products of the store in their order without duplicates, keeps them when other parts are saved, and rejects other values", async () => {
    const product = (number: number, title = "") => ({ id: `gid://shopify/Product/${number}`, title });
    const products = [product(2, "Bowl"), product(1, "壺"), product(2, "Bowl again")];
    const saved = await edit([{ op: "update_scene", version: 0, values: { products } }]);
    expect(brief(saved.results)).toEqual([1]);
    await edit([{ op: "update_scene", version: 1, values: { startView: view } }]);
    expect((await read()).scene).toMatchObject({ products: products.slice(0, 2), startView: view });
    expect((await testApp.data.visitors.load(eventId))?.scene.products).toEqual(products.slice(0, 2));
    const rejected = await edit([
      { op: "update_scene", version: 2, values: { products: "gid://shopify/Product/1" } },
      { op: "update_scene", version: 2, values: { products: [product(1), { id: "gid://evil/Product/1" }] } },
      { op: "update_scene", version: 2, values: { products: [{ id: "gid://shopify/Order/1", title: "" }] } },
      { op: "update_scene", version: 2, values: { products: [null] } },
      {
        op: "update_scene",
        version: 2,
        values: { products: Array.from({ length: EVENT_PRODUCTS_MAX + 1 }, (_, index) => product(index)) },
      },
    ]);
    expect(rejected.results.map(errorsOf)).toEqual([
      { products: ["shared-owners:errors.field.invalid"] },
      { "products.1": ["shared-owners:errors.field.invalid"] },
      { "products.0": ["shared-owners:errors.field.invalid"] },
      { "products.0": ["shared-owners:errors.field.invalid"] },
      { products: ["store:errors.store.tooManyProducts"] },
    ]);
    expect((await read()).scene.version).toBe(2);
  });

  it("rejects a tag of another event, a video as floor plan, and a stop without tag and viewpoint", async () => {
    const otherSpace = await testApp.addSpace(owner);
    const foreignTagId = await testApp.addTag(otherSpace.eventId);
    const video = await testApp.addItem(owner, { kind: "video" });
    const mediaId = uuid();
    await edit([newMediaItem(mediaId, video.id)]);
    const rejected = await edit([
      { op: "update_scene", version: 0, values: { tour: [stop(foreignTagId)] } },
      { op: "update_scene", version: 0, values: { plan: { mediaId: mediaId, center: [0, 0], width: 1 } } },
      { op: "update_scene", version: 0, values: { tour: [stop(null)] } },
    ]);
    expect(rejected.results.map(errorsOf)).toEqual([
      { "tour.0.tagId": ["content:errors.tour.tag"] },
      { "plan.mediaId": ["content:errors.plan.mediaItem"] },
      { "tour.0.viewpoint": ["content:errors.tour.nowhere"] },
    ]);
    expect((await read()).scene.version).toBe(0);
  });

  it("is returned to visitors without items that they do not see", async () => {
    const [a, b, image, secret] = [uuid(), uuid(), uuid(), uuid()];
    const item = await testApp.addItem(owner);
    await edit([
      newMediaItem(image, item.id),
      newMediaItem(secret, (await testApp.addItem(owner)).id, { hidden: true }),
      newTag(a, { mediaIds: [secret, image] }),
      newTag(b, { hidden: true }),
    ]);
    const tour = [stop(a), stop(b), stop(null, { viewpoint: view })];
    const plan = { mediaId: image, center: [0, 0], width: 1 };
    await edit([{ op: "update_scene", version: 0, values: { tour, plan, startView: view } }]);
    const visibleContent = async () => {
      const record = await testApp.data.visitors.load(eventId);
      return {
        tags: record?.tags.map(({ id, mediaIds }) => [id, mediaIds]),
        media: record?.media.map(({ id }) => id),
        tour: record?.scene.tour.map(({ id }) => tour.findIndex((candidate) => candidate.id === id)),
        plan: record?.scene.plan?.mediaId ?? null,
        files: Object.keys(record?.files ?? {}),
      };
    };
    expect(await visibleContent()).toEqual({
      tags: [[a, [image]]],
      media: [image],
      tour: [0, 2],
      plan: image,
      files: [item.id],
    });
    await edit([
      { op: "delete", type: "tag", id: a, version: 1 },
      { op: "update_media", id: image, version: 1, values: { hidden: true } },
    ]);
    expect(await visibleContent()).toEqual({ tags: [], media: [], tour: [2], plan: null, files: [] });
  });
});

describe("two editors", () => {
  it("never overwrite each other's saves, and receive the saved value", async () => {
    const { actors, id: groupId } = await testApp.addGroup(owner, await testApp.addUser());
    const { space } = await testApp.services.events.getEvent({ actor: owner.actor, eventId });
    await testApp.services.groups.changeGroup({
      actor: actors[0] ?? owner.actor,
      kind: "space",
      id: space.id,
      groupId,
    });
    const id = uuid();
    await edit([newTag(id)]);
    const save = (ja: string, actor = owner.actor) =>
      edit([{ op: "update_tag", id, version: 1, values: { title: title(ja) } }], actor);
    const [mine, theirs] = await Promise.all([save("私"), save("彼", actors[1])]);
    const [won, lost] = mine.results[0]?.ok ? [mine, theirs] : [theirs, mine];
    expect(won.results).toMatchObject([{ ok: true, version: 2 }]);
    expect(lost.results).toMatchObject([
      { ok: false, reason: "stale", saved: { item: itemOf(won.results[0]) } },
    ]);
    expect(brief((await edit([{ op: "delete", type: "tag", id, version: 1 }])).results)).toEqual(["stale"]);
    // A client that saved the same value gets the same result.
    const { ja } = (await read()).tags[0]?.title ?? { ja: "" };
    expect(brief((await save(ja)).results)).toEqual([2]);
    expect(await listChanges()).toHaveLength(2);
    expect((await listChanges(1))[0]).toMatchObject({ actorName: "山田 花子", itemId: id });
  });

  it("who move tags at the same time end with one order of all tags", async () => {
    const ids = Array.from({ length: 12 }, uuid);
    await edit(ids.map((id) => newTag(id)));
    await Promise.all(
      ids.map((id, i) =>
        edit([
          { op: "move_tags", ids: [id], before: ids[(i * 5 + 3) % 12] === id ? null : ids[(i * 5 + 3) % 12] },
        ]),
      ),
    );
    const { tags } = await read();
    expect(tags.map(({ id }) => id).sort()).toEqual(ids.slice().sort());
    expect(tags.map(({ sortOrder }) => sortOrder)).toEqual(ids.map((_, i) => i + 1));
  });

  it("who repeat a command have it executed once", async () => {
    const item = await testApp.addItem(owner);
    const [tag, mediaId, copy] = [uuid(), uuid(), uuid()];
    const commands = [
      newMediaItem(mediaId, item.id),
      newTag(tag, { mediaIds: [mediaId] }),
      { op: "duplicate", type: "tag", id: tag, newId: copy },
      { op: "update_scene", version: 0, values: { tour: [{ id: uuid(), tagId: tag, title: title("一") }] } },
    ];
    const responses = await Promise.all([edit(commands), edit(commands), edit(commands)]);
    for (const { results } of responses) expect(brief(results)).toEqual([1, 1, 1, 1]);
    const content = await read();
    expect([content.tags.length, content.media.length, content.scene.version]).toEqual([2, 1, 1]);
    expect(await listChanges()).toHaveLength(4);
    const deletion = [{ op: "delete", type: "tag", id: tag, version: 1 }];
    expect(
      (await Promise.all([edit(deletion), edit(deletion)])).map(({ results }) => brief(results)),
    ).toEqual([[2], [2]]);
  });
});

describe("limits", () => {
  it("admit 500 tags, no more than EVENT_TAGS_MAX, and no call with more than CONTENT_COMMANDS_MAX commands", async () => {
    const send = (count: number) => edit(Array.from({ length: count }, () => newTag(uuid())));
    for (let i = 0; i < 5; i++) expect((await send(100)).results.every(({ ok }) => ok)).toBe(true);
    expect((await read()).tags).toHaveLength(500);
    expect((await read()).tags.map(({ sortOrder }) => sortOrder)).toEqual(
      Array.from({ length: 500 }, (_, i) => i + 1),
    );
    for (let i = 5; i < EVENT_TAGS_MAX / 100; i++) await send(100);
    expect(brief((await send(2)).results)).toEqual(["limit", "limit"]);
    const { tags } = await read();
    const [first] = tags;
    await edit([{ op: "delete", type: "tag", id: first?.id, version: 1 }]);
    expect(brief((await send(2)).results)).toEqual([1, "limit"]);
    expect(brief((await edit([{ op: "restore", type: "tag", id: first?.id }])).results)).toEqual(["limit"]);
    expect(await catchErrorCode(send(CONTENT_COMMANDS_MAX + 1))).toBe("too_many");
  });

  it("admit no more than EVENT_MEDIA_MAX media", async () => {
    const item = await testApp.addItem(owner);
    const send = (count: number) => edit(Array.from({ length: count }, () => newMediaItem(uuid(), item.id)));
    for (let i = 0; i < EVENT_MEDIA_MAX / 100; i++) await send(100);
    expect(brief((await send(1)).results)).toEqual(["limit"]);
    expect((await read()).media).toHaveLength(EVENT_MEDIA_MAX);
  });
});

describe("a call", () => {
  it("executes the valid commands and returns a reason for each other one, and writes each command completely or not at all", async () => {
    const stranger = await testApp.addUser();
    const foreignEventId = (await testApp.addSpace(stranger)).eventId;
    const [foreignTag, otherTag] = [
      await testApp.addTag(foreignEventId),
      await testApp.addTag(foreignEventId),
    ];
    const id = uuid();
    const { results } = await edit([
      newTag(id),
      newTag(foreignTag),
      { op: "update_tag", id: foreignTag, version: 1, values: { title: title("盗") } },
      { op: "delete", type: "tag", id: foreignTag, version: 1 },
      { op: "restore", type: "media", id: foreignTag },
      { op: "duplicate", type: "tag", id: otherTag, newId: uuid() },
      newTag(uuid(), { title: {}, color: "red", position: [1e9, 0, 0], linkUrl: "javascript:alert(1)" }),
      { op: "update_tag", id, version: 1, values: { position: [Number.NaN, 0, 0] } },
      { op: "update_tag", id: "x", version: -1, values: [] },
      { op: "drop_table" },
      { op: "__proto__", id },
      "x".repeat(1_000_000),
      null,
    ]);
    expect(brief(results)).toEqual([
      1,
      "invalid",
      "not_found",
      "not_found",
      "not_found",
      "not_found",
      "invalid",
      "invalid",
      "invalid",
      "invalid",
      "invalid",
      "invalid",
      "invalid",
    ]);
    expect(errorsOf(results[6])).toEqual({
      title: ["content:errors.tag.titleRequired"],
      color: ["content:errors.tag.color"],
      linkUrl: ["shared-owners:errors.linkUrl.invalid"],
      position: ["shared-owners:errors.field.position"],
    });
    const values = JSON.parse('{"__proto__": {"hidden": true}, "constructor": 1}');
    expect(brief((await edit([{ op: "update_tag", id, version: 1, values }])).results)).toEqual([1]);
    expect((await read()).tags).toMatchObject([{ id, hidden: false, version: 1 }]);
    expect(await listChanges()).toHaveLength(1);
  });

  it("restores what the named earlier calls deleted, also more than CONTENT_COMMANDS_MAX items, and nothing else", async () => {
    const ids = Array.from({ length: 150 }, uuid);
    const otherDeletedTag = uuid();
    await edit([newTag(otherDeletedTag)]);
    await edit([{ op: "delete", type: "tag", id: otherDeletedTag, version: 1 }]);
    const callIds: string[] = [];
    for (const part of [ids.slice(0, 100), ids.slice(100)]) {
      await edit(part.map((id) => newTag(id)));
      const { callId } = await edit(part.map((id) => ({ op: "delete", type: "tag", id, version: 1 })));
      callIds.push(callId);
    }
    const input = { actor: owner.actor, eventId, type: "tag", callIds } as const;
    const { restoreDeleted } = testApp.services.content;
    expect((await restoreDeleted({ ...input, type: "media" })).results).toEqual([]);
    expect((await restoreDeleted(input)).results.filter(({ ok }) => ok)).toHaveLength(150);
    expect((await read()).tags.map(({ id }) => id)).toEqual(ids);
    const elsewhere = await testApp.addSpace(owner);
    expect((await restoreDeleted({ ...input, eventId: elsewhere.eventId })).results).toEqual([]);
    const { actor } = await testApp.addUser();
    expect(await catchErrorCode(restoreDeleted({ ...input, actor }))).toBe("not_found");
  });

  it("is for users who may see the event, and does not reveal it to others", async () => {
    const { actor } = await testApp.addUser();
    const { content } = testApp.services;
    for (const work of [
      () => edit([newTag(uuid())], actor),
      () => content.getContent({ actor, eventId }),
      () => content.readChanges({ actor, eventId, after: 0 }),
      () => edit([newTag(uuid())], owner.actor, uuid()),
    ])
      expect(await catchErrorCode(work())).toBe("not_found");
    await testApp.setEvent(eventId, { deletedAt: testApp.currentInstant() });
    expect(await catchErrorCode(edit([newTag(uuid())]))).toBe("not_found");
  });

  it("increases the event's revision, notifies this isolate, and is one audit entry while a user types", async () => {
    const before = await testApp.readRevision(eventId);
    const id = uuid();
    await edit([newTag(id)]);
    expect(await testApp.readRevision(eventId)).toBeGreaterThan(before);
    expect(testApp.changedEventIds).toEqual([eventId]);
    await edit([{ op: "update_tag", id, version: 1, values: { title: title("二") } }]);
    await edit([{ op: "update_tag", id, version: 1, values: { title: title("三") } }]);
    expect(testApp.changedEventIds).toHaveLength(2);
    const entries = () => testApp.db.select().from(audit).where(eq(audit.action, "event_content_edited"));
    expect(await entries()).toHaveLength(1);
    testApp.time.now += 11 * 60_000;
    await edit([{ op: "update_tag", id, version: 2, values: { title: title("四") } }]);
    expect(await entries()).toHaveLength(2);
    const version = (await testApp.data.events.find(eventId))?.event.version;
    expect(version).toBe(1);
  });

  it("takes as many round trips for sixty commands as for one", async () => {
    const ids = Array.from({ length: 60 }, uuid);
    const one = await testApp.countRoundTrips(() => edit([newTag(uuid())]));
    const many = await testApp.countRoundTrips(() => edit(ids.map((id) => newTag(id))));
    // The last round trip is made after the response, for webhooks.
    expect([one, many]).toEqual([4, 4]);
    const statements = testApp.spy.statements.length;
    await edit(ids.map((id) => ({ op: "update_tag", id, version: 1, values: { hidden: true } })));
    expect(testApp.spy.statements.length - statements).toBeLessThan(20);
  });
});

describe("changes", () => {
  it("are read in parts, each once", async () => {
    const ids = Array.from({ length: 250 }, uuid);
    for (let i = 0; i < 250; i += 50) await edit(ids.slice(i, i + 50).map((id) => newTag(id)));
    const { content } = testApp.services;
    const first = await content.readChanges({ actor: owner.actor, eventId, after: 0 });
    expect([first.changes.length, first.hasMore]).toEqual([200, true]);
    const second = await content.readChanges({ actor: owner.actor, eventId, after: first.seq });
    expect([second.changes.length, second.hasMore]).toEqual([50, false]);
    expect([...first.changes, ...second.changes].map(({ itemId }) => itemId)).toEqual(ids);
    const last = await content.readChanges({ actor: owner.actor, eventId, after: second.seq });
    expect(last).toEqual({ seq: second.seq, changes: [], hasMore: false });
  });

  it("of a scene that was stored before products existed have no products", async () => {
    await edit([
      {
        op: "update_scene",
        version: 0,
        values: { startView: { position: [0, 1.6, 0], yaw: 0, pitch: 0, mode: "walk" } },
      },
    ]);
    await testApp.db.run(
      sql`UPDATE event_changes SET after = json_remove(after, '$.products') WHERE event_id = ${eventId}`,
    );
    expect(await listChanges()).toMatchObject([{ itemType: "scene", after: { tour: [], products: [] } }]);
  });

  it("are returned in several responses of about the maximum size", async () => {
    const stops = (text: string) =>
      Array.from({ length: 100 }, () => ({
        id: uuid(),
        viewpoint: { position: [0, 1.6, 0], yaw: 0, pitch: 0, mode: "walk" },
        title: title("一"),
        text: title(text, text),
        seconds: 8,
      }));
    const longText = "語".repeat(1000);
    for (let version = 0; version < 8; version++)
      expect(
        brief((await edit([{ op: "update_scene", version, values: { tour: stops(longText) } }])).results),
      ).toEqual([version + 1]);
    const sizes: number[] = [];
    let [after, versions] = [0, [] as number[]];
    for (let hasMore = true; hasMore; ) {
      const response = await testApp.services.content.readChanges({ actor: owner.actor, eventId, after });
      sizes.push(new TextEncoder().encode(JSON.stringify(response.changes)).length);
      versions = [...versions, ...response.changes.map((change) => (change.after as EventScene).version)];
      ({ seq: after, hasMore } = response);
    }
    expect(versions).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(sizes.length).toBeGreaterThan(2);
    expect(Math.max(...sizes)).toBeLessThan(CHANGES_MAX_BYTES + 100_000);
  });
});

describe("copying to another event of the space", () => {
  it("copies tags with their media, and the positions of both", async () => {
    const { space } = await testApp.services.events.getEvent({ actor: owner.actor, eventId });
    const otherEvent = await testApp.services.events.createEvent({
      actor: owner.actor,
      spaceId: space.id,
      eventName: newText("隣"),
    });
    const [m, n, tag] = [uuid(), uuid(), uuid()];
    const item = await testApp.addItem(owner);
    await edit([
      newMediaItem(m, item.id, {
        placement: { position: [1, 1, 1], normal: [0, 1, 0], width: 2, play: "auto" },
      }),
      newMediaItem(n, item.id),
      newTag(tag, { position: [4, 5, 6], mediaIds: [m], hidden: true }),
    ]);
    const copy = (targetEventId: string, actor = owner.actor) =>
      testApp.services.content.copyContent({
        actor,
        eventId,
        items: { tags: [tag], media: [] },
        targetEventId,
      });
    const { originalIds, results } = await copy(otherEvent.id);
    expect(originalIds).toEqual([m, tag]);
    expect(brief(results)).toEqual([1, 1]);
    const created = await testApp.services.content.getContent({
      actor: owner.actor,
      eventId: otherEvent.id,
    });
    expect(created.media).toMatchObject([
      { libraryItemId: item.id, placement: { position: [1, 1, 1], play: "auto" } },
    ]);
    expect(created.tags).toMatchObject([
      { position: [4, 5, 6], mediaIds: [created.media[0]?.id], hidden: true },
    ]);
    expect((await read()).tags).toHaveLength(1);
    const elsewhere = await testApp.addSpace(owner);
    for (const target of [elsewhere.eventId, eventId, uuid()])
      expect(await catchErrorCode(copy(target))).toBe("not_found");
    expect(await catchErrorCode(copy(otherEvent.id, (await testApp.addUser()).actor))).toBe("not_found");
  });

  it("copies as much as the limits permit, tags without media if necessary, and returns a result for each item", async () => {
    const { space } = await testApp.services.events.getEvent({ actor: owner.actor, eventId });
    const otherEvent = await testApp.services.events.createEvent({
      actor: owner.actor,
      spaceId: space.id,
      eventName: newText("隣"),
    });
    const item = await testApp.addItem(owner);
    const fill = Array.from({ length: EVENT_MEDIA_MAX - 1 }, () => newMediaItem(uuid(), item.id));
    for (let i = 0; i < fill.length; i += 100) await edit(fill.slice(i, i + 100), owner.actor, otherEvent.id);
    const [m, n, tag, plain] = [uuid(), uuid(), uuid(), uuid()];
    await edit([
      newMediaItem(m, item.id),
      newMediaItem(n, item.id),
      newTag(tag, { mediaIds: [n, m] }),
      newTag(plain, { mediaIds: [m] }),
    ]);
    const { originalIds, results, incomplete } = await testApp.services.content.copyContent({
      actor: owner.actor,
      eventId,
      targetEventId: otherEvent.id,
      items: { tags: [tag, plain], media: [n] },
    });
    expect(originalIds).toEqual([m, n, tag, plain]);
    expect(brief(results)).toEqual([1, "limit", 1, 1]);
    expect(incomplete).toEqual([{ id: tag, mediaIds: [n] }]);
    const created = await testApp.services.content.getContent({
      actor: owner.actor,
      eventId: otherEvent.id,
    });
    expect(created.tags.map(({ mediaIds }) => mediaIds)).toEqual([[results[0]?.id], [results[0]?.id]]);
  });

  it("is for members of the space's group, independent of who may see the media in the library", async () => {
    const { actors, id: groupId } = await testApp.addGroup(await testApp.addUser());
    const { space } = await testApp.services.events.getEvent({ actor: owner.actor, eventId });
    await testApp.db.update(spaces).set({ groupId }).where(eq(spaces.id, space.id));
    const [member = owner.actor] = actors;
    const otherEvent = await testApp.services.events.createEvent({
      actor: member,
      spaceId: space.id,
      eventName: newText("隣"),
    });
    const mediaId = await testApp.addMediaItem(eventId, (await testApp.addItem(owner)).id);
    const { results } = await testApp.services.content.copyContent({
      actor: member,
      eventId,
      targetEventId: otherEvent.id,
      items: { tags: [], media: [mediaId] },
    });
    expect(brief(results)).toEqual([1]);
    // They may not add the same media individually.
    const { libraryItemId } = (await read()).media[0] ?? {};
    expect(
      brief((await edit([newMediaItem(uuid(), libraryItemId ?? "")], member, otherEvent.id)).results),
    ).toEqual(["invalid"]);
    expect(
      brief((await edit([{ op: "duplicate", type: "media", id: mediaId, newId: uuid() }], member)).results),
    ).toEqual([1]);
  });
});
