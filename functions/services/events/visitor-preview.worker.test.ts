import { beforeEach, describe, expect, it } from "vitest";
import { type TestUser, useTestApp } from "../../../tests/support/app/test-app";
import { HASH_PREFIX } from "../../../tests/support/app/test-doubles";

const testApp = useTestApp();
let owner: TestUser;
let eventId: string;

const [start, end] = ["2031-05-01T00:00:00.000Z", "2031-06-01T00:00:00.000Z"];
const readPreview = (person: TestUser, mode: "preview" | "published", time: string) =>
  testApp.services.visitors.readVisitorPreview({ actor: person.actor, eventId, mode, at: Date.parse(time) });

beforeEach(async () => {
  owner = await testApp.addUser();
  ({ eventId } = await testApp.addSpace(owner));
  await testApp.setEvent(eventId, { statusId: 2, startDate: start, endDate: end });
  await testApp.addTag(eventId, []);
});

describe("an event as its visitors see it", () => {
  it("shows what its links show at the requested time", async () => {
    const readSnapshot = async (mode: "preview" | "published", time: string) => {
      const { event, statusId, opensAt } = await readPreview(owner, mode, time);
      return [event !== null, statusId, opensAt];
    };
    expect(await readSnapshot("published", "2031-04-30T23:59:59.999Z")).toEqual([false, 2, start]);
    expect(await readSnapshot("preview", "2031-04-30T23:59:59.999Z")).toEqual([true, 2, null]);
    expect(await readSnapshot("published", start)).toEqual([true, 3, null]);
    expect(await readSnapshot("published", end)).toEqual([false, 4, null]);
    expect(await readSnapshot("preview", end)).toEqual([false, 4, null]);
  });

  it("contains its content, and no access token", async () => {
    const result = await readPreview(owner, "preview", start);
    expect(result.event?.tags).toHaveLength(1);
    const event = (await testApp.data.events.find(eventId))?.event;
    const json = JSON.stringify(result);
    for (const secret of [event?.accessToken, event?.previewAccessToken]) expect(json).not.toContain(secret);
  });

  it("is hidden from users who do not see the event", async () => {
    const stranger = await testApp.addUser();
    await expect(readPreview(stranger, "published", start)).rejects.toMatchObject({ kind: "not_found" });
  });

  it("states that visitors must enter a password, but does not require it", async () => {
    await testApp.setEvent(eventId, { publishPasswordHash: `${HASH_PREFIX}secret` });
    expect(await readPreview(owner, "published", start)).toMatchObject({
      requiresPassword: true,
      event: { id: eventId },
    });
  });
});
