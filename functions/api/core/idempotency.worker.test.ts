/** Tests creations that are repeated with the same Idempotency-Key. */
import { beforeEach, expect, it, vi } from "vitest";
import { STORED_HOURS } from "#functions/services/shared/idempotency";
import { apiContext, callApi } from "../../../tests/support/api/test-api";
import { PASSWORD, type TestUser, useTestApp } from "../../../tests/support/app/test-app";
import { handleApi } from "..";

const testApp = useTestApp();
let owner: TestUser;
let ticket: string;

const ticketOf = async ({ user: { email } }: TestUser) =>
  (await testApp.services.sessions.logIn({ email, password: PASSWORD, userAgent: "", network: "1" })).ticket;

beforeEach(async () => {
  owner = await testApp.addUser();
  ticket = await ticketOf(owner);
});

interface RequestOptions {
  readonly path?: string;
  readonly body?: unknown;
  readonly sessionTicket?: string;
}
const request = (
  key: string,
  { path = "/v1/folders", body = { name: "a" }, sessionTicket = ticket }: RequestOptions = {},
) =>
  new Request(`https://hiroba.test/api${path}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${sessionTicket}`,
      "content-type": "application/json",
      "idempotency-key": key,
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
const send = (key: string, options?: RequestOptions) => callApi(testApp, request(key, options));
const codeOf = async (response: Response) =>
  [response.status, ((await response.json()) as { code?: string }).code] as const;
const folders = async (person: TestUser = owner) =>
  (
    await testApp.services.tree.listFolders({
      actor: person.actor,
      ownerId: person.user.id,
      folderType: "space",
    })
  ).filter(({ parentId }) => parentId !== null).length;

it("a repeated call is executed once, and returns the same status, body and ETag", async () => {
  const firstResponse = await send("key-1");
  const secondResponse = await send("key-1", { path: "/v1/folders.json/" });
  expect(firstResponse.status).toBe(200);
  expect([secondResponse.status, await secondResponse.text()]).toEqual([200, await firstResponse.text()]);
  for (const name of ["content-type", "etag", "cache-control"])
    expect(secondResponse.headers.get(name), name).toBe(firstResponse.headers.get(name));
  expect(firstResponse.headers.get("idempotency-replayed")).toBe(null);
  expect(secondResponse.headers.get("idempotency-replayed")).toBe("true");
  expect(await folders()).toBe(1);
  expect((await send("key-2")).status).toBe(200);
  expect(await folders()).toBe(2);
});

it("simultaneous calls are executed once, and all receive the same response", async () => {
  const responses = await Promise.all([1, 2, 3, 4].map(() => send("key")));
  const texts = await Promise.all(responses.map((response) => response.text()));
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(new Set(texts).size).toBe(1);
  expect(await folders()).toBe(1);
});

it("the same key for another request is rejected, and so is an invalid key", async () => {
  await send("key");
  expect(await codeOf(await send("key", { body: { name: "b" } }))).toEqual([422, "idempotency_key_reused"]);
  expect(await codeOf(await send("key", { path: "/v1/spaces" }))).toEqual([422, "idempotency_key_reused"]);
  for (const wrong of ["", "a b", "x".repeat(256), "é"])
    expect(await codeOf(await send(wrong)), wrong).toEqual([400, "idempotency_key_invalid"]);
  expect(await folders()).toBe(1);
});

it("a key belongs to its caller, and returns nothing to other or unauthenticated callers", async () => {
  const other = await testApp.addUser();
  const mine = (await (await send("key")).json()) as { uuid: string };
  const theirs = await send("key", { sessionTicket: await ticketOf(other) });
  expect(theirs.status).toBe(200);
  expect(((await theirs.json()) as { uuid: string }).uuid).not.toBe(mine.uuid);
  expect((await send("key", { sessionTicket: "x".repeat(43) })).status).toBe(401);
  expect([await folders(), await folders(other)]).toEqual([1, 1]);
});

it("a rejection is returned again with the same message, and after an unexpected error the call runs again", async () => {
  const rejected = await send("wrong", { body: { name: "" } });
  const secondResponse = await send("wrong", { body: { name: "" } });
  expect([secondResponse.status, await secondResponse.text()]).toEqual([400, await rejected.text()]);

  const { services } = testApp;
  const value = { ...services.tree, createFolder: () => Promise.reject(new Error()) };
  const context = { ...apiContext(testApp), services: Object.create(services, { tree: { value } }) };
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  expect((await handleApi(request("failed"), context)).status).toBe(500);
  log.mockRestore();
  expect((await send("failed")).status).toBe(200);
  expect(await folders()).toBe(1);
});

it("a completed call is not run again, also when its response could not be stored at once", async () => {
  await testApp.binding
    .prepare("CREATE TRIGGER is_away BEFORE UPDATE ON kept_answers BEGIN SELECT RAISE(ABORT, 'away'); END")
    .run();
  const firstResponse = await send("key");
  await testApp.binding.prepare("DROP TRIGGER is_away").run();
  expect(firstResponse.status).toBe(200);
  const secondResponse = await send("key");
  expect([
    secondResponse.status,
    secondResponse.headers.get("idempotency-replayed"),
    await secondResponse.text(),
  ]).toEqual([200, "true", await firstResponse.text()]);
  expect(await folders()).toBe(1);
});

it("a stored response is encrypted in the database, and deleted after its lifetime", async () => {
  const { uuid } = (await (await send("key")).json()) as { uuid: string };
  const rows = async () =>
    (await testApp.binding.prepare("SELECT * FROM kept_answers").all()).results as Record<string, unknown>[];
  const storedRows = JSON.stringify(await rows());
  expect(storedRows).not.toContain(uuid);
  expect(storedRows).not.toContain('"key"');
  expect(await testApp.services.idempotency.deleteExpiredResponses()).toBe(0);
  testApp.time.now += STORED_HOURS * 3_600_000 + 1;
  expect((await send("key")).status).toBe(200);
  expect(await folders()).toBe(2);
  testApp.time.now += STORED_HOURS * 3_600_000 + 1;
  expect(await testApp.services.idempotency.deleteExpiredResponses()).toBe(1);
  expect(await rows()).toEqual([]);
});

it("a call that was interrupted is executed by the next repetition a minute later", async () => {
  const { idempotency } = testApp.services;
  const repeated = { actor: owner.actor, key: "key", request: "x" };
  const interrupted = idempotency.runOnce({ ...repeated, work: () => new Promise<never>(() => {}) });
  void interrupted;
  await expect
    .poll(async () => (await testApp.binding.prepare("SELECT * FROM kept_answers").all()).results.length)
    .toBe(1);
  testApp.time.now += 61_000;
  const work = async () => ({ response: "done", storable: "kept" });
  expect(await idempotency.runOnce({ ...repeated, work })).toEqual({ result: "done" });
  expect(await idempotency.runOnce({ ...repeated, work })).toEqual({ repeated: "kept" });
});

it("a response that is too long to be stored is not returned again, and nothing is executed twice", async () => {
  const { idempotency } = testApp.services;
  const call = { actor: owner.actor, key: "key", request: "x" };
  const work = vi.fn(async () => ({ response: 1, storable: "x".repeat(400_001) }));
  expect(await idempotency.runOnce({ ...call, work })).toEqual({ result: 1 });
  await expect(idempotency.runOnce({ ...call, work })).rejects.toMatchObject({
    code: "idempotency_key_spent",
  });
  expect(work).toHaveBeenCalledOnce();
});
