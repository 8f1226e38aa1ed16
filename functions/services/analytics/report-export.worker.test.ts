import { randomBytes } from "node:crypto";
import { beforeEach, expect, it } from "vitest";
import { nameColumns } from "#functions/data/events/event-names";
import { newText } from "~/domain/events/event-texts";
import { catchErrorCode, type TestUser, useTestApp } from "../../../tests/support/app/test-app";

const testApp = useTestApp();
const TOKEN = "z".repeat(43);

let owner: TestUser;
let eventId: string;

beforeEach(async () => {
  owner = await testApp.addUser();
  ({ eventId } = await testApp.addSpace(owner));
  await testApp.setEvent(eventId, { statusId: 3, accessToken: TOKEN, ...nameColumns(newText("=1+1")) });
  testApp.time.now = Date.parse("2026-04-15T12:00:00.000+09:00");
  await testApp.services.visits.logVisit({
    link: { eventId, mode: "published", token: TOKEN, eventAccessCookie: null },
    report: {
      visit: randomBytes(16).toString("hex"),
      part: 0,
      things: [],
      from: "museum.example",
      stays: [{ place: "c-3,0,2", seconds: 9 }],
    },
    source: {
      network: "a",
      userAgent: "Mozilla/5.0",
      isRobot: false,
      ticket: null,
      traits: { lang: "ja", device: "phone", country: "JP" },
    },
  });
});

const csv = (actor: TestUser["actor"]) =>
  testApp.services.reports
    .reportCsv({ actor, scope: { kind: "event", id: eventId }, period: "daily" })
    .then(({ text }) => text);

it("the report in a file covers a day of the owner's time zone", async () => {
  // This is eight in the morning in Tokyo.
  testApp.time.now = Date.parse("2026-03-31T23:00:00.000Z");
  const { report } = await testApp.services.reports.reportCsv({
    actor: owner.actor,
    scope: { kind: "event", id: eventId },
    period: "daily",
  });
  expect(report.period.days).toEqual({ from: "2026-04-01", to: "2026-04-01" });
});

it("writes one number of the report per line, and escapes formulas in names", async () => {
  const text = await csv(owner.actor);
  const lines = text.split("\r\n");
  expect(lines[0]).toBe("\ufeffpart,id,name,number,value,before");
  expect(lines).toContain("total,,'=1+1,visits,1,0");
  expect(lines).toContain("hour,2026-04-15T12,,visits,1,");
  // An hour without visits has the value 0; a future hour has no value.
  expect(lines).toContain("hour,2026-04-15T11,,visits,0,");
  expect(lines).toContain("hour,2026-04-15T13,,visits,,");
  expect(lines).toContain("hour_before,2026-04-14T12,,visits,0,");
  expect(lines).toContain("referrer,museum.example,,visits,1,");
  expect(lines).toContain("place,x=-2.5 y=1.5 z=2.5,,seconds,9,");
  expect(lines).toContain("funnel,visitor,,visitors,1,");
  expect(lines).toContain("total,,'=1+1,tag_visitors,0,0");
});

it("is not available to users who may not see the event", async () => {
  const stranger = await testApp.addUser();
  expect(await catchErrorCode(csv(stranger.actor))).toBe("not_found");
});
