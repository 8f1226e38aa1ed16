import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { eventNames, events, users, visitProducts, visitTotals } from "#functions/data/schema";
import { newText } from "~/domain/events/event-texts";
import { describeState } from "../scripts/lib/local/demo-links";
import { seedDemo } from "../scripts/lib/local/seed-demo";
import { demoIds } from "../seed/demo";
import { useTestApp } from "./support/app/test-app";

const testApp = useTestApp();
const describeDemo = () => describeState(testApp.binding as never, "http://localhost:1");

it("npm start lists the existing accounts instead of the demo's log-ins and links when the demo is not there", async () => {
  await testApp.addUser({ email: "boss@t.example", role: "admin", status: "EMAIL_UNVERIFIED" });
  const text = await describeDemo();
  expect(text).toContain("boss@t.example  admin, EMAIL_UNVERIFIED");
  expect(text).not.toMatch(/demo\.example|token=/);
});

it("npm start lists the demo's log-ins and links when the demo is there", async () => {
  const owner = await testApp.addUser();
  const { eventId, space } = await testApp.addSpace(owner);
  const locked = await testApp.services.events.createEvent({
    actor: owner.actor,
    spaceId: space.id,
    eventName: newText("鍵"),
  });
  for (const [from, to] of [
    [eventId, demoIds.mainEvent],
    [locked.id, demoIds.passwordEvent],
  ] as const) {
    // Names refer to their event, so they are deleted before its id changes.
    await testApp.db.delete(eventNames).where(eq(eventNames.eventId, from));
    await testApp.db.update(events).set({ id: to }).where(eq(events.id, from));
  }
  expect(await describeDemo()).not.toContain("Public link");
  const row = (await testApp.readAccount(owner.user.id)) as typeof users.$inferInsert;
  for (const id of [demoIds.owner, demoIds.admin])
    await testApp.db
      .insert(users)
      .values({ ...row, id, email: `${id}@x.example`, emailKey: `${id}@x.example` });
  const text = await describeDemo();
  for (const part of ["owner@demo.example", "Public link", "Preview link"]) expect(text).toContain(part);
});

it("the demo has its visits if it has users, because both are written in one batch", async () => {
  let batchCount = 0;
  const fail = () => Promise.reject(new Error("D1 is down"));
  const db = {
    prepare: (sql: string) => testApp.binding.prepare(sql),
    batch: (statements: D1PreparedStatement[]) =>
      ++batchCount === 1 ? testApp.binding.batch(statements) : fail(),
  } as unknown as D1Database;
  const files = { put: async () => null } as unknown as R2Bucket;
  expect(await seedDemo({ db, files }, { passwordCost: 1024 })).toBe(true);
  expect(batchCount).toBe(1);
  expect(await testApp.db.$count(visitTotals)).toBeGreaterThan(100);
  expect(await testApp.db.$count(visitProducts)).toBeGreaterThan(0);
  expect(await seedDemo({ db, files })).toBe(false);
});
