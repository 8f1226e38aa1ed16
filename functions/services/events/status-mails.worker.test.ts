import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { type TestUser, useTestApp } from "../../../tests/support/app/test-app";
import { statusMails, users } from "../../data/schema";

const testApp = useTestApp();
const MINUTE_MS = 60_000;

let owner: TestUser;
let eventId: string;

const setStatusMails = (statusMailsWanted: boolean) =>
  testApp.db.update(users).set({ statusMails: statusMailsWanted }).where(eq(users.id, owner.user.id));
async function runJob() {
  await testApp.services.events.persistDueStatuses();
  return testApp.services.statusMails.sendStatusMails();
}
const instantAfter = (minutes: number) => new Date(testApp.time.now + minutes * MINUTE_MS).toISOString();
const unsubscribeTokenOf = (mail: (typeof testApp.mails)[number] | undefined) => {
  const url = /<(.+)>/.exec(mail?.headers?.["List-Unsubscribe"] ?? "")?.[1] ?? "";
  return new URL(url).searchParams.get("token");
};

beforeEach(async () => {
  owner = await testApp.addUser();
  ({ eventId } = await testApp.addSpace(owner));
  testApp.mails.length = 0;
});

describe("an owner who has opted in to mails", () => {
  it("is notified once of each change by the clock, in the owner's time zone, however often and late the cron job runs", async () => {
    await setStatusMails(true);
    await testApp.setEvent(eventId, { startDate: instantAfter(10), endDate: instantAfter(60) });
    expect(await runJob()).toBe(0);
    testApp.time.now += 25 * MINUTE_MS;
    expect((await Promise.all([runJob(), runJob(), runJob()])).reduce((all, sent) => all + sent)).toBe(1);
    expect(await runJob()).toBe(0);
    const [openingMail] = testApp.mails;
    // The test's clock starts at nine in the morning in Tokyo.
    expect(openingMail).toMatchObject({ to: owner.user.email, subject: expect.stringContaining("公開") });
    expect(openingMail?.text).toContain("2026年4月1日 09:10 JST");
    expect(openingMail?.text).toContain(`https://hiroba.test/event/${eventId}`);
    expect(openingMail?.headers).toMatchObject({ "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" });
    testApp.time.now += 50 * MINUTE_MS;
    expect(await runJob()).toBe(1);
    expect(testApp.mails[1]).toMatchObject({ subject: expect.stringContaining("終了") });
    expect(testApp.mails[1]?.text).toContain("10:00 JST");
    expect(await testApp.db.select().from(statusMails)).toEqual([]);
  });

  it("gets one mail about an event whose whole period passed between runs, and none about manual changes", async () => {
    await setStatusMails(true);
    const { event } = await testApp.services.events.getEvent({ actor: owner.actor, eventId });
    const { id: _id, ...values } = event;
    await testApp.services.events.updateEvent({
      actor: owner.actor,
      eventId,
      values: { ...values, statusId: 3, publishPassword: { action: "keep" } },
    });
    expect(await runJob()).toBe(0);
    await testApp.setEvent(eventId, {
      statusId: 1,
      startDate: instantAfter(-30),
      endDate: instantAfter(-10),
    });
    expect(await runJob()).toBe(1);
    expect(testApp.mails.map(({ subject }) => subject)).toEqual([expect.stringContaining("終了")]);
  });

  it("is sent a failed mail again in later runs, a limited number of times", async () => {
    await setStatusMails(true);
    await testApp.setEvent(eventId, { startDate: instantAfter(-1) });
    testApp.mailTransport.isFailing = true;
    expect(await runJob()).toBe(0);
    testApp.mailTransport.isFailing = false;
    expect(await runJob()).toBe(0);
    testApp.time.now += 2 * MINUTE_MS;
    expect(await runJob()).toBe(1);
    await testApp.setEvent(eventId, { statusId: 3, endDate: instantAfter(-1) });
    testApp.mailTransport.isFailing = true;
    for (let runs = 0; runs < 10; runs++) {
      await runJob();
      testApp.time.now += 200 * MINUTE_MS;
    }
    expect(await testApp.db.select().from(statusMails)).toEqual([]);
    expect(testApp.mails).toHaveLength(1);
  });

  it("unsubscribes through the link of a mail without logging in, and waiting mails are not sent", async () => {
    await setStatusMails(true);
    await testApp.setEvent(eventId, { startDate: instantAfter(-1) });
    await runJob();
    const token = unsubscribeTokenOf(testApp.mails[0]);
    const { inspectStatusMails, stopStatusMails } = testApp.services.statusMails;
    expect(await inspectStatusMails({ token })).toBe(true);
    await testApp.setEvent(eventId, { statusId: 3, endDate: instantAfter(-1) });
    await testApp.services.events.persistDueStatuses();
    await stopStatusMails({ token });
    await stopStatusMails({ token });
    expect(await inspectStatusMails({ token })).toBe(false);
    expect(await testApp.services.statusMails.sendStatusMails()).toBe(0);
    expect(await testApp.db.select().from(statusMails)).toEqual([]);
    expect(await testApp.services.users.getAccount({ actor: owner.actor })).toMatchObject({
      statusMails: false,
      version: 2,
    });
    for (const wrong of [null, "", "x", `${token}x`])
      await expect(stopStatusMails({ token: wrong })).rejects.toMatchObject({ code: "link_unknown" });
  });
});

it("users who did not request mails get none, and events in the trash cause none", async () => {
  await testApp.setEvent(eventId, { startDate: instantAfter(-1) });
  await runJob();
  await setStatusMails(true);
  await runJob();
  await testApp.setEvent(eventId, { statusId: 3, endDate: instantAfter(-1) });
  await testApp.services.events.persistDueStatuses();
  await testApp.setEvent(eventId, { deletedAt: testApp.currentInstant() });
  expect(await testApp.services.statusMails.sendStatusMails()).toBe(0);
  expect(testApp.mails).toEqual([]);
});
