import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { libraryItems, spaces } from "#functions/data/schema";
import { catchErrorCode, type TestUser, useTestApp } from "../../../tests/support/app/test-app";
import { newMediaItem, newTag, title, uuid } from "../../../tests/support/content-commands";

const testApp = useTestApp();
let owner: TestUser;
let eventId: string;

beforeEach(async () => {
  owner = await testApp.addUser();
  ({ eventId } = await testApp.addSpace(owner));
});

const edit = async (...commands: object[]) => {
  const response = await testApp.services.content.editContent({ actor: owner.actor, eventId, commands });
  expect(response.results.filter(({ ok }) => !ok)).toEqual([]);
  return response.seq;
};
const readSnapshot = (seq: number, overrides: object = {}, actor = owner.actor) =>
  testApp.services.history.readEventSnapshot({
    actor,
    eventId,
    seq,
    comparison: "now",
    isMarked: false,
    ...overrides,
  });

describe("a recorded state as visitors saw it", () => {
  it("has the tags, the media and the scene of that time, without hidden items", async () => {
    const items = [
      await testApp.addItem(owner, { width: 400, height: 300 }),
      await testApp.addItem(owner),
    ] as const;
    const [tag, hiddenTag, visibleMediaId, hiddenMediaId] = [uuid(), uuid(), uuid(), uuid()];
    const stop = (tagId: string) => ({ id: uuid(), tagId, title: title("一"), text: title("") });
    const seq = await edit(
      newMediaItem(visibleMediaId, items[0].id),
      newMediaItem(hiddenMediaId, items[1].id, { hidden: true }),
      newTag(tag, { mediaIds: [hiddenMediaId, visibleMediaId], position: [1, 2, 3] }),
      newTag(hiddenTag, { hidden: true }),
      { op: "update_scene", version: 0, values: { tour: [stop(tag), stop(hiddenTag)] } },
    );
    const instant = testApp.currentInstant();
    testApp.time.now += 3_600_000;
    await edit(
      { op: "delete", type: "tag", id: tag, version: 1 },
      { op: "delete", type: "media", id: visibleMediaId, version: 1 },
      { op: "update_scene", version: 1, values: { tour: [] } },
      newTag(uuid()),
    );
    const visit = await readSnapshot(seq);
    expect(visit).toMatchObject({ seq, at: instant, timeZone: "Asia/Tokyo", missing: [] });
    expect(visit.event).toMatchObject({
      tags: [{ id: tag, position: [1, 2, 3], mediaIds: [visibleMediaId] }],
      media: [{ id: visibleMediaId, kind: "image", width: 400, height: 300, mimeType: "image/png" }],
      scene: { tour: [{ tagId: tag }] },
    });
    const savedEvent = (await testApp.data.events.find(eventId))?.event;
    const json = JSON.stringify(visit);
    for (const secret of [savedEvent?.accessToken, savedEvent?.previewAccessToken])
      expect(json).not.toContain(secret);
    // Changes are marked on the later of the two versions.
    expect((await readSnapshot(seq, { isMarked: true })).event.tags).toHaveLength(1);
    expect((await readSnapshot(seq, { isMarked: true })).event.tags[0]?.id).not.toBe(tag);
    expect((await readSnapshot(seq, { isMarked: true, comparison: "before" })).event.tags[0]?.id).toBe(tag);
  });

  it("omits media whose files are deleted or not visible to the reader, and lists them", async () => {
    const other = await testApp.addUser();
    const { actors, id: groupId } = await testApp.addGroup(owner, other);
    await testApp.db.update(spaces).set({ groupId });
    const [deleted, keptItem] = [await testApp.addItem(owner), await testApp.addItem(owner)];
    const [a, b, c] = [uuid(), uuid(), uuid()];
    const seq = await edit(
      newMediaItem(a, deleted.id, { title: title("消えた絵") }),
      newMediaItem(b, keptItem.id, { title: title("見せない絵") }),
      newMediaItem(c, deleted.id, { hidden: true }),
      newTag(uuid(), { mediaIds: [a, b] }),
    );
    await edit({ op: "delete", type: "media", id: b, version: 1 });
    await testApp.db
      .update(libraryItems)
      .set({ deletedAt: testApp.currentInstant() })
      .where(eq(libraryItems.id, deleted.id));
    const ownerView = await readSnapshot(seq);
    expect(ownerView.missing).toEqual([{ title: title("消えた絵"), loss: "not_found" }]);
    expect(ownerView.event.media.map(({ id }) => id)).toEqual([b]);
    expect(ownerView.event.tags.map(({ mediaIds }) => mediaIds)).toEqual([[b]]);
    const memberView = await readSnapshot(seq, {}, actors[1]);
    expect(memberView.missing).toEqual([
      { title: title("消えた絵"), loss: "not_found" },
      { title: title("見せない絵"), loss: "forbidden" },
    ]);
    expect(memberView.event.media).toEqual([]);
  });

  it("is available to users who may edit the event, and for existing changes only", async () => {
    const { actor } = await testApp.addUser();
    expect(await catchErrorCode(readSnapshot(0, {}, actor))).toBe("not_found");
    expect(await catchErrorCode(readSnapshot(1_000_000))).toBe("not_found");
    expect(await readSnapshot(0)).toMatchObject({ event: { tags: [], media: [] } });
  });
});
