import { createHmac } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { audit, webhookMessages, webhooks } from "#functions/data/schema";
import { newText } from "~/domain/events/event-texts";
import { DAY_MS } from "~/domain/shared/day";
import { WEBHOOKS_MAX } from "~/domain/shared/limits";
import type { Uuid } from "~/domain/shared/model";
import type { WebhookValue } from "~/domain/webhooks/webhook.schema";
import { EVENT_MESSAGE_TYPES, RETRY_SECONDS, SECRETS_MAX, WAITING_MAX } from "~/domain/webhooks/webhooks";
import { catchErrorCode, type TestUser, useTestApp } from "../../../tests/support/app/test-app";
import { newTag } from "../../../tests/support/content-commands";
import { signMessage } from "./webhook-delivery";

const testApp = useTestApp();
let owner: TestUser;
let spaceId: Uuid;
let eventId: Uuid;

beforeEach(async () => {
  owner = await testApp.addUser({ email: "owner@demo.example" });
  const created = await testApp.addSpace(owner);
  spaceId = created.space.id;
  ({ eventId } = created);
});

const MINUTE_MS = 60_000;

async function addWebhook(
  values: Partial<WebhookValue> = {},
  person = owner,
  id: Uuid = crypto.randomUUID(),
) {
  const { secret } = await testApp.services.webhooks.createWebhook({
    actor: person.actor,
    id,
    values: {
      url: "https://receiver.example.com/hook",
      types: EVENT_MESSAGE_TYPES,
      target: { kind: "all" },
      ...values,
    },
  });
  return { id, secret };
}

/** Saves the event's form with some changed fields. */
async function save(fields: Record<string, unknown>, id = eventId, person = owner) {
  const { event } = await testApp.services.events.getEvent({ actor: person.actor, eventId: id });
  const result = await testApp.services.events.updateEvent({
    actor: person.actor,
    eventId: id,
    values: { ...event, publishPassword: { action: "keep" }, ...fields } as never,
  });
  expect(result.status).toBe("updated");
}

/** Messages that endpoints received since the last call, after all deferred work. */
async function takeReceivedMessages() {
  for (let count = -1; count !== testApp.deferred.length; ) {
    count = testApp.deferred.length;
    await Promise.all(testApp.deferred);
  }
  return testApp.receivers.sent.splice(0).map(({ url, headers, body }) => ({
    url,
    headers,
    body,
    json: JSON.parse(body) as {
      type: string;
      timestamp: string;
      data: { event?: Record<string, unknown> };
    },
  }));
}
const takeReceivedTypes = async () => (await takeReceivedMessages()).map(({ json }) => json.type);

const runJob = () => testApp.services.webhooks.deliverDue();
const messages = () => testApp.db.select().from(webhookMessages);

describe("the messages to webhook endpoints", () => {
  it("contain the API's representation of the event without tokens, signed with the secret", async () => {
    const { secret } = await addWebhook();
    await testApp.setEvent(eventId, {
      spStoreUrl: "https://shop.example.com",
      spAccessToken: "store-secret",
    });
    await save({
      statusId: 3,
      spStoreUrl: null,
      spAccessToken: null,
      eventDetail: { ja: "春の展示", en: "Spring" },
    });
    const [changed, published, ...more] = (await takeReceivedMessages()).sort((a, b) =>
      a.json.type.localeCompare(b.json.type),
    );
    expect([changed?.json.type, published?.json.type, more]).toEqual([
      "event.changed",
      "event.published",
      [],
    ]);
    if (!published) throw new Error("no message was received");
    expect(published.url).toBe("https://receiver.example.com/hook");
    expect(published.json).toMatchObject({
      timestamp: testApp.currentInstant(),
      data: {
        event: {
          uuid: eventId,
          status_id: 3,
          event_detail: "春の展示",
          details: { ja: "春の展示", en: "Spring" },
          has_publish_password: false,
        },
      },
    });
    const { event } = await testApp.services.events.getEvent({ actor: owner.actor, eventId });
    for (const secretText of [
      event.accessToken,
      event.previewAccessToken,
      "store-secret",
      "password_hash",
      "_token",
    ])
      expect(published.body).not.toContain(secretText);
    const { headers, body } = published;
    const [id, timestamp] = [headers.get("webhook-id"), headers.get("webhook-timestamp")];
    expect(id).toMatch(/^msg_[0-9a-f-]{36}$/);
    expect(timestamp).toBe(String(testApp.time.now / 1000));
    // Verifies the signature as Standard Webhooks specifies, independently of the product's code.
    const key = Buffer.from(secret.slice("whsec_".length), "base64");
    expect(key).toHaveLength(32);
    const expected = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
    expect(headers.get("webhook-signature")).toBe(`v1,${expected}`);
  });

  it("are signed as in the example of the Standard Webhooks specification", async () => {
    expect(
      await signMessage(
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "1614265330",
        '{"test": 2432232314}',
      ),
    ).toBe("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
  });

  it("report once each that a link opens and closes by the clock, however late and often the cron job runs", async () => {
    await addWebhook({ types: ["event.published", "event.closed"] });
    const [startDate, endDate] = [MINUTE_MS, 10 * MINUTE_MS].map((ms) =>
      new Date(testApp.time.now + ms).toISOString(),
    );
    await save({ startDate, endDate, statusId: 2 });
    expect(await takeReceivedTypes()).toEqual([]);
    testApp.time.now += 5 * MINUTE_MS;
    const { persistDueStatuses } = testApp.services.events;
    await Promise.all([persistDueStatuses(), persistDueStatuses()]);
    await Promise.all([runJob(), runJob()]);
    await persistDueStatuses();
    await runJob();
    const received = async () =>
      (await takeReceivedMessages()).map(({ json }) => [json.type, json.timestamp]);
    expect(await received()).toEqual([["event.published", startDate]]);
    testApp.time.now += 60 * MINUTE_MS;
    await persistDueStatuses();
    await Promise.all([runJob(), runJob(), runJob()]);
    expect(await received()).toEqual([["event.closed", endDate]]);
  });

  it("report once that a link has opened when a user saves before the cron job runs", async () => {
    await addWebhook({ types: ["event.published", "event.closed"] });
    await save({ startDate: new Date(testApp.time.now + MINUTE_MS).toISOString(), statusId: 2 });
    testApp.time.now += 2 * MINUTE_MS;
    await save({ eventDetail: "a" });
    expect(await takeReceivedTypes()).toEqual(["event.published"]);
    await testApp.services.events.persistDueStatuses();
    await save({ statusId: 3, eventDetail: "b" });
    await runJob();
    expect(await takeReceivedTypes()).toEqual([]);
    // Unpublishing a published event closes it. An event that is saved as Published after its end is reported as closed only.
    await save({ statusId: 1, startDate: null });
    await save({ statusId: 3, endDate: new Date(testApp.time.now - 1).toISOString(), eventDetail: "c" });
    await testApp.services.events.persistDueStatuses();
    await runJob();
    expect(await takeReceivedTypes()).toEqual(["event.closed", "event.closed"]);
  });

  it("report that an event is deleted and restored, alone or with its space", async () => {
    await addWebhook({ types: ["event.deleted", "event.restored"] });
    const { id } = await testApp.services.events.createEvent({
      ...owner,
      spaceId,
      eventName: newText("二つ目"),
    });
    await testApp.services.events.deleteEvent({ ...owner, eventId: id });
    expect(await takeReceivedTypes()).toEqual(["event.deleted"]);
    await testApp.services.tree.deleteItems({ ...owner, selection: { space: [spaceId] } });
    const received = await takeReceivedMessages();
    expect(received.map(({ json }) => [json.type, json.data.event?.uuid])).toEqual([
      ["event.deleted", eventId],
    ]);
    await testApp.services.tree.restoreItems({ ...owner, selection: { space: [spaceId] } });
    expect(await takeReceivedTypes()).toEqual(["event.restored"]);
    await testApp.services.events.restoreEvent({ ...owner, eventId: id });
    expect(await takeReceivedTypes()).toEqual(["event.restored"]);
  });

  it("combine many saves in a row: the first is sent at once, all others together", async () => {
    await addWebhook({ types: ["event.changed"] });
    for (let n = 0; n < 4; n++) {
      await testApp.services.content.editContent({
        ...owner,
        eventId,
        commands: [newTag(crypto.randomUUID())],
      });
      await Promise.all(testApp.deferred);
    }
    expect(await takeReceivedTypes()).toEqual(["event.changed"]);
    await runJob();
    expect(await takeReceivedTypes()).toEqual([]);
    testApp.time.now += MINUTE_MS;
    await runJob();
    expect(await takeReceivedTypes()).toEqual(["event.changed"]);
    expect(await messages()).toHaveLength(2);
  });

  it("report saves a minute after the last message was sent, not after the save", async () => {
    await addWebhook({ types: ["event.changed"] });
    const change = async (seconds: number) => {
      testApp.time.now = start + seconds * 1000;
      await testApp.services.content.editContent({
        ...owner,
        eventId,
        commands: [newTag(crypto.randomUUID())],
      });
      return takeReceivedTypes();
    };
    const start = testApp.time.now;
    expect(await change(0)).toEqual(["event.changed"]);
    expect(await change(10)).toEqual([]);
    testApp.time.now = start + 90_000;
    expect(await runJob()).toBe(1);
    await takeReceivedMessages();
    expect(await change(101)).toEqual([]);
    testApp.time.now = start + 149_999;
    expect(await runJob()).toBe(0);
    testApp.time.now += 1;
    expect(await runJob()).toBe(1);
    await takeReceivedMessages();
    expect(await change(210)).toEqual(["event.changed"]);
  });

  it("report after the restoration that an event ended while it was in the trash with its space", async () => {
    await addWebhook({ types: ["event.published", "event.closed", "event.restored"] });
    await save({ statusId: 3, endDate: new Date(testApp.time.now + MINUTE_MS).toISOString() });
    expect(await takeReceivedTypes()).toEqual(["event.published"]);
    await testApp.services.tree.deleteItems({ ...owner, selection: { space: [spaceId] } });
    testApp.time.now += 5 * MINUTE_MS;
    expect(await testApp.services.events.persistDueStatuses()).toBe(0);
    await testApp.services.tree.restoreItems({ ...owner, selection: { space: [spaceId] } });
    expect(await testApp.services.events.persistDueStatuses()).toBe(1);
    await runJob();
    expect((await takeReceivedTypes()).sort()).toEqual(["event.closed", "event.restored"]);
  });

  it("have the selected types and events only", async () => {
    const { eventId: otherEventId } = await testApp.addSpace(owner);
    const stranger = await testApp.addUser();
    const foreignSpace = await testApp.addSpace(stranger);
    const url = (name: string) => `https://${name}.example.com/`;
    await addWebhook({ url: url("all") });
    await addWebhook({ url: url("space"), target: { kind: "space", id: spaceId } });
    await addWebhook({ url: url("event"), target: { kind: "event", id: eventId } });
    await addWebhook({ url: url("closed"), types: ["event.closed"] });
    await addWebhook({ url: url("stranger") }, stranger);
    const paused = await addWebhook({ url: url("paused") });
    await testApp.services.webhooks.setWebhookPaused({ ...owner, webhookId: paused.id, isPaused: true });
    const recipients = async (id: Uuid, person = owner) => {
      await save({ statusId: 3 }, id, person);
      const published = (await takeReceivedMessages()).filter(({ json }) => json.type === "event.published");
      return published.map((request) => new URL(request.url).hostname.split(".")[0]).sort();
    };
    expect(await recipients(eventId)).toEqual(["all", "event", "space"]);
    expect(await recipients(otherEventId)).toEqual(["all"]);
    expect(await recipients(foreignSpace.eventId, stranger)).toEqual(["stranger"]);
    // An administrator's save notifies the owner's receivers.
    const admin = await testApp.addUser({ role: "admin" });
    await save({ statusId: 4 }, otherEventId, { ...admin });
    expect(
      (await takeReceivedMessages()).map(({ url: to }) => new URL(to).hostname.split(".")[0]).sort(),
    ).toEqual(["all", "closed"]);
  });

  it("are not created when the change was rejected", async () => {
    await addWebhook();
    const { event } = await testApp.services.events.getEvent({ ...owner, eventId });
    const values = { ...event, statusId: 3, version: 7, publishPassword: { action: "keep" } } as never;
    expect((await testApp.services.events.updateEvent({ ...owner, eventId, values })).status).toBe(
      "conflict",
    );
    expect(await messages()).toEqual([]);
  });
});

describe("a message that is not delivered", () => {
  const readRetry = async () => {
    const [message] = await messages();
    return { state: message?.state, in: (Date.parse(message?.nextAt ?? "") - testApp.time.now) / 1000 };
  };

  it("is sent again unchanged after increasing delays, a limited number of times", async () => {
    const { id } = await addWebhook({ types: ["event.published"] });
    testApp.receivers.respond = () => new Response("no\u0000 room".repeat(100), { status: 503 });
    await save({ statusId: 3 });
    const bodies = (await takeReceivedMessages()).map(({ headers, body }) => [
      headers.get("webhook-id"),
      body,
    ]);
    for (const [index, seconds] of RETRY_SECONDS.entries()) {
      expect(await readRetry(), `after attempt ${index + 1}`).toEqual({ state: "waiting", in: seconds });
      testApp.time.now += seconds * 1000 - 1;
      expect(await runJob()).toBe(0);
      testApp.time.now += 1;
      expect(await runJob()).toBe(1);
      bodies.push(
        ...(await takeReceivedMessages()).map(({ headers, body }) => [headers.get("webhook-id"), body]),
      );
    }
    expect((await readRetry()).state).toBe("failed");
    testApp.time.now += 10 * DAY_MS;
    expect(await runJob()).toBe(0);
    expect(bodies).toHaveLength(1 + RETRY_SECONDS.length);
    expect(new Set(bodies.map(String)).size).toBe(1);
    const { webhook, messages: log } = await testApp.services.webhooks.getWebhook({
      ...owner,
      webhookId: id,
    });
    expect(webhook).toMatchObject({ disabledAt: null });
    expect(webhook.failingSince).not.toBeNull();
    const [message] = log.items;
    expect(message?.log).toHaveLength(bodies.length);
    expect(message?.log[0]).toMatchObject({ outcome: "answer", status: 503 });
    expect(message?.log[0]?.answer).toMatch(/^(no room)+/);
    expect(message?.log[0]?.answer.length).toBeLessThanOrEqual(300);
  });

  it("logs the reason, follows no redirect, and passes a signal for the timeout", async () => {
    const { id } = await addWebhook({ types: ["event.published"] });
    const responses: (() => Promise<Response> | Response)[] = [
      () => new Response(null, { status: 302, headers: { location: "http://10.0.0.1/" } }),
      () => Promise.reject(new TypeError("reset")),
      () => Promise.reject(AbortSignal.abort().reason),
      () => new Response("thanks"),
    ];
    testApp.receivers.respond = () => responses.shift()?.() ?? new Response(null, { status: 500 });
    await save({ statusId: 3 });
    const sentMessages = await takeReceivedMessages();
    expect(sentMessages).toHaveLength(1);
    for (const seconds of RETRY_SECONDS.slice(0, 3)) {
      testApp.time.now += seconds * 1000;
      await runJob();
    }
    const { messages: log } = await testApp.services.webhooks.getWebhook({ ...owner, webhookId: id });
    expect(log.items[0]).toMatchObject({ state: "delivered" });
    expect(log.items[0]?.log.map(({ outcome, status }) => [outcome, status])).toEqual([
      ["redirect", 302],
      ["network", null],
      ["network", null],
      ["delivered", 200],
    ]);
    expect(testApp.receivers.sent.every(({ init }) => init.redirect === "manual" && init.signal)).toBe(true);
  });

  it("is never sent by two requests at once; an interrupted one is sent again after its claim has expired", async () => {
    await addWebhook({ types: ["event.published"] });
    let respond: (response: Response) => void = () => {};
    testApp.receivers.respond = () =>
      new Promise<Response>((done) => {
        respond = done;
      });
    await save({ statusId: 3 });
    await expect.poll(() => testApp.receivers.sent.length).toBe(1);
    expect([await runJob(), await runJob()]).toEqual([0, 0]);
    // The request that was sending it was cancelled.
    testApp.time.now += 30_001;
    testApp.receivers.respond = () => new Response(null, { status: 204 });
    expect(await runJob()).toBe(1);
    expect((await messages())[0]?.state).toBe("delivered");
    // The late response has no effect.
    respond(new Response(null, { status: 500 }));
    await Promise.all(testApp.deferred);
    expect((await messages())[0]).toMatchObject({ state: "delivered", attempts: 2 });
    expect((await testApp.db.select().from(webhooks))[0]?.failingSince).toBeNull();
  });

  it("does not delay messages to other endpoints", async () => {
    await addWebhook({ url: "https://slow.example.com/", types: ["event.published"] });
    await addWebhook({ url: "https://quick.example.com/", types: ["event.published"] });
    let respond: (response: Response) => void = () => {};
    testApp.receivers.respond = ({ url }) =>
      url.includes("slow")
        ? new Promise<Response>((done) => {
            respond = done;
          })
        : new Response(null, { status: 204 });
    const { id } = await testApp.services.events.createEvent({
      ...owner,
      spaceId,
      eventName: newText("二つ目"),
    });
    await save({ statusId: 3 });
    await save({ statusId: 3 }, id);
    const states = async () =>
      (await messages()).filter(({ state }) => state === "delivered").map(({ webhookId }) => webhookId)
        .length;
    await expect.poll(states).toBe(2);
    respond(new Response(null, { status: 204 }));
    await expect.poll(() => testApp.receivers.sent.filter(({ url }) => url.includes("slow")).length).toBe(2);
    respond(new Response(null, { status: 204 }));
    await Promise.all(testApp.deferred);
    expect(await states()).toBe(4);
  });
});

describe("many waiting messages", () => {
  /** Inserts old messages, one per second, directly into the database. */
  const insertMessages = (webhookId: Uuid, count: number, state = "waiting") =>
    testApp.binding
      .prepare(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
         INSERT INTO webhook_messages (id, webhook_id, type, body, at, next_at, state)
         SELECT ? || i, ?, 'event.changed', '{}', at, at, ? FROM (SELECT i, strftime('%Y-%m-%dT%H:%M:%fZ', '2026-03-01', i || ' seconds') AS at FROM n)`,
      )
      .bind(count, `${webhookId}-${state}-`, webhookId, state)
      .run();
  const claim = (owner: Parameters<typeof testApp.data.webhooks.claim>[0]) =>
    testApp.data.webhooks.claim(
      owner,
      testApp.currentInstant(),
      new Date(testApp.time.now + 30_000).toISOString() as never,
    );

  it("do not slow down the next message or other owners' messages", async () => {
    const hooks = await Promise.all([addWebhook(), addWebhook(), addWebhook()]);
    for (const { id } of hooks) {
      await insertMessages(id, 700);
      await insertMessages(id, 700, "delivered");
    }
    const other = await testApp.addUser();
    const rowsRead = async (owner: Parameters<typeof claim>[0]) => {
      const count = testApp.spy.statements.length;
      const message = await claim(owner);
      await testApp.binding
        .prepare(
          "UPDATE webhook_messages SET claimed_until = NULL, attempts = 0 WHERE claimed_until IS NOT NULL",
        )
        .run();
      const [{ sql, params } = { sql: "", params: [] }] = testApp.spy.statements.slice(count);
      const { meta } = await testApp.binding
        .prepare(sql)
        .bind(...params)
        .all();
      return { message: message?.id ?? null, rows: meta.rows_read };
    };
    const all = await rowsRead(null);
    expect(all.message).toMatch(/-waiting-1$/);
    expect(all.rows).toBeLessThan(100);
    // One message of the first webhook is claimed now, so the next one belongs to another webhook.
    const next = await claim(null);
    expect(next?.id).toMatch(/-waiting-1$/);
    const ownerClaim = await rowsRead({ userId: owner.user.id });
    expect(ownerClaim.rows).toBeLessThan(100);
    expect(await rowsRead({ userId: other.user.id })).toMatchObject({ message: null });
    expect((await rowsRead({ userId: other.user.id })).rows).toBeLessThan(10);
  });

  it("are sent a hundred at a time, and beyond a thousand the oldest are dropped", async () => {
    const { id } = await addWebhook();
    await insertMessages(id, WAITING_MAX + 150);
    expect(await runJob()).toBe(100);
    const counts = async () => {
      const { results } = await testApp.binding
        .prepare(
          "SELECT state, count(*) AS count, min(at) AS since FROM webhook_messages GROUP BY state ORDER BY state",
        )
        .all<{ state: string; count: number; since: string }>();
      return results.map(({ state, count, since }) => [state, count, since.slice(11, 19)]);
    };
    // Sending the first message dropped those above the limit.
    expect(await counts()).toEqual([
      ["delivered", 100, "00:00:01"],
      ["failed", 149, "00:00:02"],
      ["waiting", WAITING_MAX - 99, "00:04:10"],
    ]);
  });
});

describe("a webhook is disabled", () => {
  it("after days without a delivery, with a mail to its owner, and can be enabled again", async () => {
    const { id } = await addWebhook({ types: ["event.published", "event.closed"] });
    testApp.receivers.respond = () => new Response(null, { status: 500 });
    for (const statusId of [3, 4, 3, 1, 3]) {
      await save({ statusId });
      await Promise.all(testApp.deferred);
      for (const seconds of RETRY_SECONDS) {
        testApp.time.now += seconds * 1000;
        await runJob();
      }
    }
    const { webhook } = await testApp.services.webhooks.getWebhook({ ...owner, webhookId: id });
    expect(webhook).toMatchObject({ disabledWhy: "failing" });
    expect(testApp.mails).toMatchObject([{ to: "owner@demo.example" }]);
    expect(testApp.mails[0]?.text).toContain("receiver.example.com");
    expect(testApp.mails[0]?.text).toContain(`https://hiroba.test/account/webhooks/${id}`);
    expect(await testApp.db.select().from(audit).where(eq(audit.action, "webhook_stopped"))).toMatchObject([
      { resourceId: owner.user.id, actorId: null },
    ]);
    expect((await messages()).map(({ state }) => state)).not.toContain("waiting");
    const before = (await messages()).length;
    await save({ statusId: 4 });
    expect(await messages()).toHaveLength(before);

    testApp.receivers.respond = () => new Response(null, { status: 204 });
    await testApp.services.webhooks.setWebhookPaused({ ...owner, webhookId: id, isPaused: false });
    await takeReceivedMessages();
    const failed = (await messages()).find(({ state }) => state === "failed");
    await testApp.services.webhooks.resendMessage({ ...owner, webhookId: id, messageId: failed?.id ?? "" });
    const [secondDelivery] = await takeReceivedMessages();
    expect(secondDelivery?.headers.get("webhook-id")).toBe(`msg_${failed?.id}`);
    expect(secondDelivery?.body).toBe(failed?.body);
    expect((await messages()).find(({ id: messageId }) => messageId === failed?.id)?.state).toBe("delivered");
  });

  it("at once when the endpoint responds 410", async () => {
    const { id } = await addWebhook();
    testApp.receivers.respond = () => new Response(null, { status: 410 });
    await save({ statusId: 3 });
    await takeReceivedMessages();
    const { webhook } = await testApp.services.webhooks.getWebhook({ ...owner, webhookId: id });
    expect(webhook).toMatchObject({ disabledWhy: "gone" });
    expect((await messages()).map(({ state }) => state)).toEqual(["failed", "failed"]);
    expect(testApp.mails).toHaveLength(1);
  });

  it("while its owner is blocked", async () => {
    await addWebhook();
    await testApp.binding
      .prepare("UPDATE users SET status = 'BLOCKED' WHERE id = ?")
      .bind(owner.user.id)
      .run();
    await save({ statusId: 3 }, eventId, { ...(await testApp.addUser({ role: "admin" })) });
    expect(await messages()).toEqual([]);
  });
});

describe("the owner of a webhook", () => {
  it("registers only public https URLs, for the owner's own events, and a limited number", async () => {
    const codes = async (url: string) => catchErrorCode(addWebhook({ url }));
    for (const url of [
      "http://a.example.com/",
      "https://127.0.0.1/",
      "https://metadata.google.internal/",
      "https://[::1]/",
      "https://u:p@a.example.com/",
      "https://a.example.com:8443/",
      "https://localhost/",
    ])
      expect(await codes(url), url).toBe("invalid");
    const foreignSpace = await testApp.addSpace(await testApp.addUser());
    expect(await catchErrorCode(addWebhook({ target: { kind: "space", id: foreignSpace.space.id } }))).toBe(
      "invalid",
    );
    expect(await catchErrorCode(addWebhook({ target: { kind: "event", id: foreignSpace.eventId } }))).toBe(
      "invalid",
    );
    const webhookId = crypto.randomUUID();
    expect(await catchErrorCode(addWebhook({}, owner, webhookId))).toBeNull();
    expect(await catchErrorCode(addWebhook({}, owner, webhookId))).toBe("made_before");
    const created = await Promise.all(
      Array.from({ length: WEBHOOKS_MAX + 2 }, () => catchErrorCode(addWebhook())),
    );
    expect(created.filter((code) => code === null)).toHaveLength(WEBHOOKS_MAX - 1);
    expect(new Set(created)).toEqual(new Set([null, "too_many_webhooks"]));
    // A form that is submitted again when the account has no room left inserts nothing, so it has no audit entry.
    expect(await catchErrorCode(addWebhook({}, owner, webhookId))).toBe("made_before");
    const entries = await testApp.db.select().from(audit).where(eq(audit.action, "webhook_created"));
    expect(entries).toHaveLength(WEBHOOKS_MAX);
  });

  it("is the only user who sees and changes it; no later response contains the secret", async () => {
    const { id, secret } = await addWebhook();
    const other = await testApp.addUser();
    const { webhooks: hooks } = testApp.services;
    const values = {
      url: "https://b.example.com/",
      types: EVENT_MESSAGE_TYPES,
      target: { kind: "all" },
    } as const;
    const foreignRef = { ...other, webhookId: id };
    const attempts = [
      hooks.getWebhook(foreignRef),
      hooks.updateWebhook({ ...foreignRef, version: 1, values }),
      hooks.setWebhookPaused({ ...foreignRef, isPaused: true }),
      hooks.renewWebhookSecret({ ...foreignRef, version: 1 }),
      hooks.removeWebhook(foreignRef),
      hooks.testWebhook(foreignRef),
      hooks.resendMessage({ ...foreignRef, messageId: crypto.randomUUID() }),
    ];
    expect(await Promise.all(attempts.map(catchErrorCode))).toEqual(attempts.map(() => "not_found"));
    const webhookRef = { ...owner, webhookId: id };
    expect(
      JSON.stringify([await hooks.getWebhook(webhookRef), await hooks.listWebhooks(owner)]),
    ).not.toContain(secret);
    expect(await hooks.updateWebhook({ ...webhookRef, version: 1, values })).toBe("updated");
    expect(await hooks.updateWebhook({ ...webhookRef, version: 1, values })).toBe("conflict");
    expect(JSON.stringify(await testApp.db.select().from(audit))).not.toContain(secret);
    const token = { ...owner.actor, scopes: ["read", "events"] } as const;
    expect(await catchErrorCode(hooks.listWebhooks({ actor: token }))).toBe("forbidden");
  });

  it("renews its secret, after which both secrets sign for a day", async () => {
    const { id, secret } = await addWebhook();
    const webhookRef = { ...owner, webhookId: id };
    const renewed = await testApp.services.webhooks.renewWebhookSecret({ ...webhookRef, version: 1 });
    if (!renewed) throw new Error("stale");
    // The same form is sent again.
    expect(await testApp.services.webhooks.renewWebhookSecret({ ...webhookRef, version: 1 })).toBeNull();
    const signatures = async () => {
      await testApp.services.webhooks.testWebhook(webhookRef);
      const [test] = await takeReceivedMessages();
      expect(test?.json).toEqual({ type: "webhook.test", timestamp: testApp.currentInstant(), data: {} });
      const signatureWith = (key: string) =>
        signMessage(
          key,
          test?.headers.get("webhook-id") ?? "",
          test?.headers.get("webhook-timestamp") ?? "",
          test?.body ?? "",
        );
      const sentSignatures = test?.headers.get("webhook-signature")?.split(" ") ?? [];
      return [
        sentSignatures.length,
        sentSignatures.includes(await signatureWith(renewed.secret)),
        sentSignatures.includes(await signatureWith(secret)),
      ];
    };
    expect(await signatures()).toEqual([2, true, true]);
    testApp.time.now += DAY_MS;
    expect(await signatures()).toEqual([1, true, false]);
  });

  it("can renew the secret several times within a day without invalidating an older one early", async () => {
    const { id, secret } = await addWebhook();
    const webhookRef = { ...owner, webhookId: id };
    const secrets = [secret];
    for (const version of [1, 2, 3]) {
      secrets.push(
        (await testApp.services.webhooks.renewWebhookSecret({ ...webhookRef, version }))?.secret ?? "",
      );
      testApp.time.now += 6 * 60 * MINUTE_MS;
    }
    const readSigning = async () => {
      await testApp.services.webhooks.testWebhook(webhookRef);
      const [test] = await takeReceivedMessages();
      const [message, timestamp] = [test?.headers.get("webhook-id"), test?.headers.get("webhook-timestamp")];
      const sentSignatures = test?.headers.get("webhook-signature")?.split(" ") ?? [];
      const ownSecrets = await Promise.all(
        secrets.map((key) => signMessage(key, message ?? "", timestamp ?? "", test?.body ?? "")),
      );
      return [
        sentSignatures[0] === ownSecrets[3],
        sentSignatures.length,
        ...ownSecrets.map((signature) => sentSignatures.includes(signature)),
      ];
    };
    expect(await readSigning()).toEqual([true, 4, true, true, true, true]);
    testApp.time.now += 6 * 60 * MINUTE_MS;
    expect(await readSigning()).toEqual([true, 3, false, true, true, true]);
    testApp.time.now += DAY_MS;
    expect(await readSigning()).toEqual([true, 1, false, false, false, true]);
    // The header's length is limited, however often the secret is renewed.
    for (let version = 4; version < 20; version++)
      await testApp.services.webhooks.renewWebhookSecret({ ...webhookRef, version });
    expect((await readSigning())[1]).toBe(SECRETS_MAX);
  });

  it("has a sealed (encrypted) secret, and nothing is sent if it cannot be opened", async () => {
    const { id, secret } = await addWebhook();
    const webhookRef = { ...owner, webhookId: id };
    await testApp.services.webhooks.renewWebhookSecret({ ...webhookRef, version: 1 });
    const [row] = await testApp.db.select().from(webhooks).where(eq(webhooks.id, id));
    expect(JSON.stringify(row)).not.toContain(secret.slice("whsec_".length));
    expect([row?.secret, row?.previousSecret].filter((secret) => secret?.startsWith("whsec_"))).toEqual([]);
    // A damaged sealed secret cannot be opened, like one that was sealed with another key of the deployment.
    await testApp.db.update(webhooks).set({ secret: row?.secret.slice(4), previousUntil: null });
    await testApp.services.webhooks.testWebhook(webhookRef);
    expect(await takeReceivedMessages()).toEqual([]);
    const { messages: log } = await testApp.services.webhooks.getWebhook(webhookRef);
    expect(log.items).toMatchObject([{ state: "waiting", log: [{ outcome: "secret", status: null }] }]);
    // A secret that was stored before secrets were sealed.
    await testApp.db.update(webhooks).set({ secret });
    await testApp.services.webhooks.resendMessage({ ...webhookRef, messageId: log.items[0]?.id ?? "" });
    expect(await takeReceivedTypes()).toEqual(["webhook.test"]);
  });

  it("can send messages manually only a limited number of times; they are deleted after a month", async () => {
    const { id } = await addWebhook();
    const test = () => catchErrorCode(testApp.services.webhooks.testWebhook({ ...owner, webhookId: id }));
    for (let n = 0; n < 10; n++) expect(await test()).toBeNull();
    expect(await test()).toBe("rate_limited");
    await takeReceivedMessages();
    expect(await messages()).toHaveLength(10);
    testApp.time.now += 31 * DAY_MS;
    expect(await testApp.services.webhooks.deleteExpiredMessages()).toBe(10);
  });
});
