import { beforeEach, describe, expect, it } from "vitest";
import { EVENT_STATUS } from "~/domain/events/status";
import { catchErrorCode, type TestUser, useTestApp } from "../../../tests/support/app/test-app";
import { HASH_PREFIX } from "../../../tests/support/app/test-doubles";
import { spaces } from "../../data/schema";

const testApp = useTestApp();
let owner: TestUser;
let eventId: string;
let token: string;

beforeEach(async () => {
  owner = await testApp.addUser({ companyName: "Hiroba Inc." });
  ({ eventId } = await testApp.addSpace(owner));
  token = (await testApp.data.events.find(eventId))?.event.accessToken ?? "";
});

const inMs = (ms: number) => new Date(testApp.time.now + ms).toISOString();
const link = (fields: object = {}) => ({ eventId, mode: "published" as const, token, ...fields });
const read = (fields: object = {}) => testApp.services.visitors.readClosedEvent(link(fields));
const visit = (fields: object = {}) => testApp.services.visitors.readVisitorEvent(link(fields));

describe("a closed event", () => {
  it("tells visitors with the right token when it opens, and who its owner is", async () => {
    const startDate = inMs(60_000);
    await testApp.setEvent(eventId, { startDate });
    expect(await visit()).toEqual({ state: "closed", hasNotice: true });
    const { event } = (await testApp.data.events.find(eventId)) ?? {};
    expect(await read()).toMatchObject({
      state: "closed",
      notice: { kind: "opens", at: startDate },
      name: event?.eventName,
      organizer: "Hiroba Inc.",
      startDate,
    });
    testApp.time.now += 60_000;
    expect(await read()).toEqual({ state: "open" });
  });

  it("tells them that it has ended", async () => {
    await testApp.setStatus(eventId, EVENT_STATUS.archived);
    expect(await read()).toMatchObject({ state: "closed", notice: { kind: "ended" } });
  });

  it("shows no notice if it does not open automatically, or for a wrong token, mode, sid (public id of the space) or event id", async () => {
    expect(await visit()).toEqual({ state: "closed", hasNotice: false });
    expect(await read()).toEqual({ state: "unknown" });
    await testApp.setEvent(eventId, { startDate: inMs(60_000), enableAutoChangeStatus: false });
    expect(await read()).toEqual({ state: "unknown" });
    await testApp.setEvent(eventId, { enableAutoChangeStatus: true });
    for (const fields of [
      { token: "wrong" },
      { token: null },
      { mode: "preview" },
      { sid: "wrong" },
      { eventId: crypto.randomUUID() },
    ]) {
      expect(await visit(fields)).toEqual({ state: "closed", hasNotice: false });
      expect(await read(fields)).toEqual({ state: "unknown" });
    }
  });

  it("never shows the owner's e-mail address as the organizer, for an owner without a name", async () => {
    const nameless = await testApp.addUser({ companyName: "", firstName: "", lastName: "" });
    const created = await testApp.addSpace(nameless);
    const event = (await testApp.data.events.find(created.eventId))?.event;
    await testApp.setStatus(created.eventId, EVENT_STATUS.archived);
    const result = await read({ eventId: created.eventId, token: event?.accessToken });
    expect(result).toMatchObject({ state: "closed", organizer: null });
    expect(JSON.stringify(result)).not.toContain("@");
  });

  it("hides name, cover and organizer behind a publish password unless the owner shows them", async () => {
    const poster = await testApp.addItem(owner);
    await testApp.db.update(spaces).set({ posterMediaId: poster.id });
    const { event } = (await testApp.data.events.find(eventId)) ?? {};
    await testApp.setEvent(eventId, {
      startDate: inMs(60_000),
      publishPasswordHash: `${HASH_PREFIX}open sesame`,
    });
    expect(await read()).toMatchObject({ state: "closed", name: null, coverId: null, organizer: null });
    await testApp.setEvent(eventId, { showBeforePassword: true });
    expect(await read()).toMatchObject({
      state: "closed",
      name: event?.eventName,
      coverId: poster.id,
      organizer: "Hiroba Inc.",
    });
  });
});

describe("the cover picture (the space's thumbnail)", () => {
  it("is available to the same visitors as the page that shows it, and no other file is", async () => {
    const [poster, used] = [await testApp.addItem(owner), await testApp.addItem(owner)];
    await testApp.addMediaItem(eventId, used.id);
    await testApp.db.update(spaces).set({ posterMediaId: poster.id });
    const open = (id: string, fields: object = {}) =>
      testApp.services.library.openFile({ id, viewer: { kind: "link", ...link(fields) } });
    expect(await catchErrorCode(open(poster.id))).toBe("not_found");
    await testApp.setEvent(eventId, { startDate: inMs(60_000) });
    expect(await open(poster.id)).toMatchObject({ itemId: poster.id });
    expect(await catchErrorCode(open(used.id))).toBe("not_found");
    expect(await catchErrorCode(open(poster.id, { token: "wrong" }))).toBe("not_found");
    await testApp.setEvent(eventId, { publishPasswordHash: `${HASH_PREFIX}open sesame` });
    expect(await catchErrorCode(open(poster.id))).toBe("not_found");
    await testApp.setEvent(eventId, { statusId: EVENT_STATUS.published });
    expect(await catchErrorCode(open(poster.id))).toBe("not_found");
    await testApp.setEvent(eventId, { showBeforePassword: true });
    expect(await open(poster.id)).toMatchObject({ itemId: poster.id });
  });
});
