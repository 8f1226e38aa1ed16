import { createHmac } from "node:crypto";
import { beforeEach, expect, it } from "vitest";
import { audit, webhooks } from "#functions/data/schema";
import { type ApiUser, apiUser } from "../../../tests/support/api/api-user";
import { callApi } from "../../../tests/support/api/test-api";
import { type TestUser, useTestApp } from "../../../tests/support/app/test-app";

const testApp = useTestApp();
let owner: TestUser;
let send: ApiUser;
let ids: { readonly space: string; readonly event: string };

beforeEach(async () => {
  owner = await testApp.addUser({ email: "owner@demo.example" });
  send = await apiUser(testApp, owner);
  const { space, eventId } = await testApp.addSpace(owner, "本館");
  ids = { space: space.id, event: eventId };
});

const WEBHOOK = { url: "https://receiver.example.com/hook", types: ["event.published", "event.closed"] };
const createWebhook = async (body: object = {}) =>
  (await send("POST", "/v1/webhooks", { ...WEBHOOK, ...body })).json;

/** Messages that endpoints received, after all deferred work. */
async function takeReceivedMessages() {
  for (let count = -1; count !== testApp.deferred.length; ) {
    count = testApp.deferred.length;
    await Promise.all(testApp.deferred);
  }
  return testApp.receivers.sent.splice(0);
}

it("a webhook is created with a secret that is shown once, and is read, listed, changed with its version, and removed", async () => {
  const created = await send("POST", "/v1/webhooks", { ...WEBHOOK, event_uuid: ids.event });
  expect([created.status, created.json]).toMatchObject([
    200,
    {
      ...WEBHOOK,
      space_uuid: null,
      event_uuid: ids.event,
      target_name: "本館",
      status: "active",
      version: 1,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    },
  ]);
  const { secret, uuid, ...withoutSecret } = created.json;
  const read = await send("GET", `/v1/webhooks/${uuid}`);
  expect(read.json).toEqual({ uuid, ...withoutSecret });
  expect((await send("GET", "/v1/webhooks.json/")).json).toEqual([read.json]);

  const path = `/v1/webhooks/${uuid}`;
  const changed = await send("PUT", path, { space_uuid: ids.space, types: ["event.deleted"], version: 1 });
  expect(changed.json).toMatchObject({
    space_uuid: ids.space,
    event_uuid: null,
    types: ["event.deleted"],
    url: WEBHOOK.url,
  });
  expect((await send("PUT", path, { space_uuid: "" })).json).toMatchObject({
    space_uuid: null,
    target_name: null,
  });
  expect(await send("PUT", path, { types: ["event.changed"], version: 1 })).toMatchObject({
    status: 409,
    json: { code: "stale_version", saved: { uuid, version: 3 } },
  });
  const remove = (tag: string) =>
    callApi(
      testApp,
      new Request(`https://hiroba.test/api${path}`, {
        method: "DELETE",
        headers: { authorization: `Bearer ${ticket}`, "if-match": tag },
      }),
    );
  const { ticket } = await testApp.services.sessions.logIn({
    email: owner.user.email,
    password: "correct horse battery",
    userAgent: "",
    network: "1",
  });
  expect((await remove(`"1-a"`)).status).toBe(412);
  expect((await remove((await send("GET", path)).headers.get("etag") ?? "")).status).toBe(200);
  expect((await send("GET", path)).status).toBe(404);
  expect(JSON.stringify(await testApp.db.select().from(audit))).not.toContain(secret);
});

it("invalid values are reported with the names of their fields, and write nothing; an account has at most ten webhooks", async () => {
  const errorFields = async (body: object, method = "POST", path = "/v1/webhooks") =>
    (await send(method, path, body)).json.errors?.map(({ field }: { field: string }) => field);
  const other = await testApp.addUser();
  const { space } = await testApp.addSpace(other);
  expect(await errorFields({})).toEqual(["url", "types"]);
  expect(await errorFields({ ...WEBHOOK, url: "http://receiver.example.com/" })).toEqual(["url"]);
  expect(await errorFields({ ...WEBHOOK, url: "https://127.0.0.1/" })).toEqual(["url"]);
  expect(await errorFields({ ...WEBHOOK, types: ["event.opened"] })).toEqual(["types"]);
  expect(await errorFields({ ...WEBHOOK, space_uuid: space.id })).toEqual(["space_uuid"]);
  expect(await errorFields({ ...WEBHOOK, event_uuid: crypto.randomUUID() })).toEqual(["event_uuid"]);
  expect(await errorFields({ ...WEBHOOK, space_uuid: ids.space, event_uuid: ids.event })).toEqual([
    "event_uuid",
  ]);
  expect(await testApp.db.select().from(webhooks)).toEqual([]);
  const { uuid } = await createWebhook();
  expect(await errorFields({ url: "" }, "PUT", `/v1/webhooks/${uuid}`)).toEqual(["url"]);
  expect((await send("GET", `/v1/webhooks/${uuid}`)).json).toMatchObject({ url: WEBHOOK.url, version: 1 });
  for (let n = 1; n < 10; n++) await createWebhook();
  expect((await send("POST", "/v1/webhooks", WEBHOOK)).json).toMatchObject({
    status: 400,
    code: "too_many_webhooks",
  });
});

it("messages are sent manually, listed by cursor with their attempts, and sent again unchanged; the secret is renewed, and nothing can be sent while the webhook is paused", async () => {
  const { uuid, secret } = await createWebhook();
  const path = `/v1/webhooks/${uuid}`;
  testApp.receivers.respond = () => new Response("no room", { status: 503 });
  for (let n = 0; n < 3; n++) expect((await send("POST", `${path}/test`)).status).toBe(200);
  const [firstMessage] = await takeReceivedMessages();
  const messages = await send("GET", `${path}/messages?limit=2`);
  expect(messages.json).toMatchObject([
    { type: "webhook.test", state: "waiting", event_name: null, next_at: expect.any(String) },
    { type: "webhook.test" },
  ]);
  const next = /<\/api([^>]+)>; rel="next"/.exec(messages.headers.get("link") ?? "")?.[1] ?? "";
  const secondPage = await send("GET", next);
  expect([secondPage.json.length, secondPage.headers.get("link")]).toEqual([1, null]);

  const id = firstMessage?.headers.get("webhook-id")?.slice("msg_".length) ?? "";
  testApp.receivers.respond = () => new Response(null, { status: 204 });
  expect((await send("POST", `${path}/messages/${id}/resend`)).status).toBe(200);
  const resentMessage = (await takeReceivedMessages()).find(
    ({ headers }) => headers.get("webhook-id") === `msg_${id}`,
  );
  expect(resentMessage?.body).toBe(firstMessage?.body);
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const signed = `msg_${id}.${resentMessage?.headers.get("webhook-timestamp")}.${resentMessage?.body}`;
  expect(resentMessage?.headers.get("webhook-signature")).toBe(
    `v1,${createHmac("sha256", key).update(signed).digest("base64")}`,
  );
  const all = (await send("GET", `${path}/messages`)).json as { uuid: string; attempts: object[] }[];
  expect(all.find((message) => message.uuid === id)).toMatchObject({
    state: "delivered",
    next_at: null,
    attempts: [{ outcome: "answer", status: 503, answer: "no room" }, { outcome: "delivered" }],
  });

  const renewed = await send("POST", `${path}/secret`, {});
  expect(renewed.json).toMatchObject({ uuid, version: 2, previous_secret_until: expect.any(String) });
  expect(renewed.json.secret).not.toBe(secret);
  expect((await send("POST", `${path}/secret`, { version: 1 })).status).toBe(409);
  expect((await send("POST", `${path}/pause`)).json).toMatchObject({
    status: "paused",
    disabled_why: "paused",
  });
  for (const call of [`${path}/test`, `${path}/messages/${id}/resend`, `${path}/messages/x/resend`])
    expect((await send("POST", call)).status, call).toBe(404);
  expect((await send("POST", `${path}/start`)).json).toMatchObject({ status: "active", disabled_at: null });
});

it("the webhooks of another account are not found", async () => {
  const { uuid } = await createWebhook();
  const theirs = await apiUser(testApp, await testApp.addUser());
  expect((await theirs("GET", "/v1/webhooks")).json).toEqual([]);
  const path = `/v1/webhooks/${uuid}`;
  for (const [method, suffix, body] of [
    ["GET", path],
    ["PUT", path, { types: ["event.closed"] }],
    ["DELETE", path],
    ["POST", `${path}/secret`, {}],
    ["POST", `${path}/pause`],
    ["POST", `${path}/test`],
    ["GET", `${path}/messages`],
    ["POST", `${path}/messages/${crypto.randomUUID()}/resend`],
  ] as const)
    expect((await theirs(method, suffix, body)).status, `${method} ${suffix}`).toBe(404);
  expect((await send("GET", path)).json).toMatchObject({ status: "active", version: 1 });
});
