import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { catchErrorCode, type TestUser, useTestApp } from "../../../tests/support/app/test-app";
import { audit } from "../../data/schema";

const testApp = useTestApp();
let owner: TestUser;
let eventId: string;

beforeEach(async () => {
  owner = await testApp.addUser();
  ({ eventId } = await testApp.addSpace(owner));
});

const tryLink = (mode: "preview" | "published", person = owner) =>
  testApp.services.events.tryLink({ actor: person.actor, eventId, mode });
const checks = () => testApp.services.events.readPublishChecks({ actor: owner.actor, eventId });

describe("the checks of an event", () => {
  it("record the time at which an open link was followed, and nothing for a closed link", async () => {
    const event = (await testApp.data.events.find(eventId))?.event;
    expect(await tryLink("preview")).toBe(null);
    await testApp.setStatus(eventId, 2);
    expect(await tryLink("preview")).toBe(event?.previewAccessToken);
    expect(await tryLink("published")).toBe(null);
    expect(await checks()).toEqual({ preview: testApp.currentInstant() });
    await testApp.setStatus(eventId, 3);
    testApp.time.now += 60_000;
    expect(await tryLink("published")).toBe(event?.accessToken);
    await tryLink("preview");
    expect(await checks()).toEqual({
      preview: testApp.currentInstant(),
      published: testApp.currentInstant(),
    });
  });

  for (const way of ["mailed", "copied"] as const)
    it(`record in the audit log that a link was ${way}, if the link is open or will open by itself`, async () => {
      const share = (mode: "preview" | "published") =>
        testApp.services.events.recordSharedLink({ actor: owner.actor, eventId, mode, by: way });
      const entries = async () =>
        (
          await testApp.db
            .select()
            .from(audit)
            .where(eq(audit.action, `event_link_${way}`))
        ).map(({ actorId, resourceId, detail }) => [actorId, resourceId, detail]);
      await share("preview");
      await testApp.setStatus(eventId, 2);
      await share("published");
      expect(await entries()).toEqual([]);
      await share("preview");
      expect(await entries()).toEqual([[owner.user.id, eventId, { mode: "preview" }]]);
      await testApp.setEvent(eventId, { startDate: new Date(testApp.time.now + 60_000).toISOString() });
      await share("published");
      expect((await entries()).map(([, , detail]) => detail)).toContainEqual({ mode: "published" });
      const stranger = await testApp.addUser();
      const input = { actor: stranger.actor, eventId, mode: "preview", by: way } as const;
      expect(await catchErrorCode(testApp.services.events.recordSharedLink(input))).toBe("not_found");
    });

  it("record that the link of a scheduled event was tried", async () => {
    await testApp.setEvent(eventId, { startDate: new Date(testApp.time.now + 60_000).toISOString() });
    const event = (await testApp.data.events.find(eventId))?.event;
    expect(await tryLink("published")).toBe(event?.accessToken);
    expect(await checks()).toEqual({ published: testApp.currentInstant() });
  });

  it("record the last view at phone size", async () => {
    expect(await checks()).toEqual({});
    await testApp.services.events.recordPhoneView({ actor: owner.actor, eventId });
    testApp.time.now += 60_000;
    await testApp.services.events.recordPhoneView({ actor: owner.actor, eventId });
    expect(await checks()).toEqual({ phone: testApp.currentInstant() });
  });

  it("do not exist for users who do not see the event", async () => {
    const stranger = await testApp.addUser();
    await testApp.setStatus(eventId, 3);
    expect(await catchErrorCode(tryLink("published", stranger))).toBe("not_found");
    const input = { actor: stranger.actor, eventId };
    expect(await catchErrorCode(testApp.services.events.readPublishChecks(input))).toBe("not_found");
    expect(await catchErrorCode(testApp.services.events.recordPhoneView(input))).toBe("not_found");
    expect(await checks()).toEqual({});
  });
});
