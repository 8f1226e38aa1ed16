import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { codeOf, type Person, useTestApp } from "../../../tests/support/app/test-app";
import { audit } from "../../data/schema";

const testApp = useTestApp();
let owner: Person;
let eventId: string;

beforeEach(async () => {
  owner = await testApp.addUser();
  ({ eventId } = await testApp.addSpace(owner));
});

const tryLink = (mode: "preview" | "published", who = owner) =>
  testApp.services.events.tryLink({ actor: who.actor, eventId, mode });
const checks = () => testApp.services.events.readPublishChecks({ actor: owner.actor, eventId });

describe("the checks of an event", () => {
  it("record the time at which an open link was followed, and nothing for a closed link", async () => {
    const event = (await testApp.data.events.find(eventId))?.event;
    expect(await tryLink("preview")).toBe(null);
    await testApp.setStatus(eventId, 2);
    expect(await tryLink("preview")).toBe(event?.previewAccessToken);
    expect(await tryLink("published")).toBe(null);
    expect(await checks()).toEqual({ preview: testApp.at() });
    await testApp.setStatus(eventId, 3);
    testApp.time.now += 60_000;
    expect(await tryLink("published")).toBe(event?.accessToken);
    await tryLink("preview");
    expect(await checks()).toEqual({ preview: testApp.at(), published: testApp.at() });
  });

  it("write into the audit log that an email with an open link was started", async () => {
    const mail = (mode: "preview" | "published") =>
      testApp.services.events.recordMailedLink({ actor: owner.actor, eventId, mode });
    await testApp.setStatus(eventId, 2);
    await mail("published");
    await mail("preview");
    const entries = await testApp.db.select().from(audit).where(eq(audit.action, "event_link_mailed"));
    expect(entries.map(({ actorId, resourceId, detail }) => [actorId, resourceId, detail])).toEqual([
      [owner.user.id, eventId, { mode: "preview" }],
    ]);
    const stranger = await testApp.addUser();
    const input = { actor: stranger.actor, eventId, mode: "preview" } as const;
    expect(await codeOf(testApp.services.events.recordMailedLink(input))).toBe("not_found");
  });

  it("record the last view at phone size", async () => {
    expect(await checks()).toEqual({});
    await testApp.services.events.recordPhoneView({ actor: owner.actor, eventId });
    expect(await checks()).toEqual({ phone: testApp.at() });
  });

  it("do not exist for users who do not see the event", async () => {
    const stranger = await testApp.addUser();
    await testApp.setStatus(eventId, 3);
    expect(await codeOf(tryLink("published", stranger))).toBe("not_found");
    const input = { actor: stranger.actor, eventId };
    expect(await codeOf(testApp.services.events.readPublishChecks(input))).toBe("not_found");
    expect(await codeOf(testApp.services.events.recordPhoneView(input))).toBe("not_found");
    expect(await checks()).toEqual({});
  });
});
