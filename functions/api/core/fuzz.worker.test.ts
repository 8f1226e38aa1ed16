/**
 * Sends valid and invalid requests to every documented call. Errors must be readable and refer to the caller's own fields, and a rejected call must write nothing. The random JSON values are the same in every run.
 */
import { randomUUID } from "node:crypto";
import { getTableColumns, getTableName } from "drizzle-orm";
import fc from "fast-check";
import { beforeEach, expect, it, vi } from "vitest";
import { tables } from "#functions/data/schema";
import {
  bodyFields,
  callBody,
  callUrl,
  createOneOfEach,
  queryParameters,
  type ResourceIds,
  requiredFields,
} from "../../../tests/support/api/any-call";
import { callApi } from "../../../tests/support/api/test-api";
import { PASSWORD, type TestUser, useTestApp } from "../../../tests/support/app/test-app";
import { CALLS } from "..";
import { type Call, isBytesBody } from "./call";
import { fullPath } from "./document";

const SEED = 20270401;

const testApp = useTestApp();
let owner: TestUser;
let ticket: string;
let resourceIds: ResourceIds;

const logIn = async ({ user: { email } }: TestUser) => {
  const { ticket } = await testApp.services.sessions.logIn({
    email,
    password: PASSWORD,
    userAgent: "",
    network: "1",
  });
  await Promise.all(testApp.deferred);
  return ticket;
};

beforeEach(async () => {
  owner = await testApp.addUser({ email: "owner@demo.example" });
  ticket = await logIn(owner);
  resourceIds = await createOneOfEach(testApp, owner);
  // Authentication runs once per ticket, because these tests make thousands of calls.
  const { tokens } = testApp.services;
  const { authenticateBearer } = tokens;
  const sessionsByBearer = new Map<string | null, ReturnType<typeof authenticateBearer>>();
  tokens.authenticateBearer = (input) => {
    const session = sessionsByBearer.get(input.bearer) ?? authenticateBearer(input);
    sessionsByBearer.set(input.bearer, session);
    return session;
  };
});

interface RequestOptions {
  readonly body?: BodyInit;
  readonly type?: string;
  readonly bearer?: string;
  readonly ifMatch?: string;
  readonly key?: string;
}
const sendRequest = (
  method: string,
  url: string,
  { body, type = "application/json", bearer, ifMatch, key }: RequestOptions = {},
) =>
  callApi(
    testApp,
    new Request(`https://hiroba.test${url}`, {
      method,
      headers: {
        authorization: `Bearer ${bearer ?? ticket}`,
        ...(body !== undefined && { "content-type": type }),
        ...(ifMatch && { "if-match": ifMatch }),
        ...(key && { "idempotency-key": key }),
      },
      ...(body !== undefined && { body }),
      // Required for a body that is a stream.
      duplex: "half",
    } as RequestInit),
  );

/** Number of rows and sum of versions of all tables, except those that any call may write. */
const STATE_QUERY = `SELECT ${Object.values(tables)
  .filter((table) => !["sessions", "kept_answers", "log_in_guesses"].includes(getTableName(table)))
  .map((table) => {
    const name = getTableName(table);
    const versions = "version" in getTableColumns(table) ? "|| ' ' || coalesce(sum(version), 0)" : "";
    return `(SELECT count(*) ${versions} FROM ${name}) AS ${name}`;
  })
  .join(", ")}`;
const snapshot = async () => JSON.stringify(await testApp.binding.prepare(STATE_QUERY).first());

/** Expects a response that the caller can understand. Returns its problem, if it is one. */
async function expectContract(response: Response, label: string) {
  const text = await response.text();
  expect(response.status, `${label}: ${text.slice(0, 300)}`).toBeLessThan(500);
  if (response.status < 400) return null;
  expect(response.headers.get("content-type"), label).toBe("application/problem+json");
  const problem = JSON.parse(text) as {
    readonly detail: string;
    readonly errors?: readonly { readonly field: string; readonly message: string }[];
  };
  // The store's client has its own messages (specification §8).
  expect(problem.detail, label).toMatch(/^([A-Z“].* .*[.…]?|client is not ready)$/s);
  return problem;
}

/** JSON values that are invalid for most fields. */
const WRONG = [
  '"zzz"',
  "{}",
  "[]",
  "[[]]",
  "true",
  "-1",
  "1e400",
  "1.5",
  '"\\u0000"',
  '"\\ud800"',
  '""',
  "null",
  '{"uuid":"zzz"}',
  '[{"uuid":1,"data":7}]',
  '{"kind":"panorama","nodes":{}}',
  '{"kind":"model"}',
  `"${"あ".repeat(100_000)}"`,
  `[${"1,".repeat(600)}1]`,
  '"../../x"',
  '"%00"',
];
const RANDOM = fc
  .sample(fc.jsonValue({ maxDepth: 3, depthSize: "small" }), { seed: SEED, numRuns: 40 })
  .map((value) => JSON.stringify(value));

/** A body that ends early. */
const cutOff = (beginning: string) =>
  new ReadableStream<Uint8Array>({
    start: (sink) => sink.enqueue(new TextEncoder().encode(beginning)),
    pull: (sink) => sink.error(new TypeError("The connection was lost")),
  });

/** Returns the values in turn, so that few requests test all of them. */
function inTurn(values: readonly string[]) {
  let index = 0;
  return (count: number) => Array.from({ length: count }, () => values[index++ % values.length] as string);
}
const [wrong, random] = [inTurn(WRONG), inTurn(RANDOM)];

/** Number of bodies of a call in which every field has a wrong or a random value. */
const ROUNDS = 4;
const JSON_CALLS = CALLS.filter(({ body }) => body !== undefined && !isBytesBody(body));

/** A body that the call rejects, so that it writes nothing; none for a call without a body. */
const createWrongBody = ({ body }: Call): RequestOptions =>
  body === undefined
    ? {}
    : isBytesBody(body)
      ? { body: new Uint8Array(), type: body.mediaTypes[0] ?? "" }
      : { body: "[]" };

/** Hundreds of requests take long on a busy machine. */
const LONG = { timeout: 120_000 };

it(
  "every field of a JSON body tolerates wrong and random values, errors name fields of the body, and a call that rejects all of these bodies writes nothing",
  LONG,
  async () => {
    const failures = vi.spyOn(console, "error");
    let before = await snapshot();
    for (const call of JSON_CALLS) {
      const fields = bodyFields(call);
      expect(fields.length, call.id).toBeGreaterThan(0);
      // Fields are tested one at a time, because a response may report only the first error, and then all together.
      const singleFieldBodies = fields.map((field) => `{"${field}":${wrong(1)[0]},"unknown":[{}]}`);
      const allFieldsBodies = Array.from({ length: ROUNDS }, (_, round) => {
        const values = (round % 2 === 0 ? wrong : random)(fields.length);
        return `{${fields.map((field, index) => `"${field}":${values[index]}`).join(",")}}`;
      });
      let areAllRejected = true;
      for (const body of [...singleFieldBodies, ...allFieldsBodies, "{}"]) {
        const label = `${call.id} ${body.slice(0, 80)}`;
        const problem = await expectContract(
          await sendRequest(call.method, callUrl(call, resourceIds), { body }),
          label,
        );
        areAllRejected &&= problem !== null;
        for (const { field: fieldPath, message } of problem?.errors ?? []) {
          expect(fields, label).toContain(fieldPath.split(".")[0]);
          expect(message, label).toMatch(/^[A-Z“].* .*\.$/s);
        }
      }
      const after = await snapshot();
      if (areAllRejected) expect(after, call.id).toBe(before);
      before = after;
    }
    expect((await sendRequest("GET", "/api/v1/folders")).status).toBe(200);
    expect(failures).not.toHaveBeenCalled();
    failures.mockRestore();
  },
);

it("a body without a required field is rejected with the name of the field", async () => {
  const required = JSON_CALLS.flatMap((call) => requiredFields(call).map((field) => ({ call, field })));
  // Fields that are required by a rule for the whole body, by their own rule, or by the use case.
  const requiredNames = required.map(({ call, field }) => `${call.id} ${field}`);
  expect(requiredNames).toEqual(
    expect.arrayContaining([
      "logIn password",
      "createEvent space_uuid",
      "createGroup name",
      "createWebhook types",
      "createTag title",
      "setSpaceSharing group_id",
      "changeUsers change",
      "createUser email",
    ]),
  );
  const admin = await logIn(await testApp.addUser({ email: "admin@demo.example", role: "admin" }));
  const before = await snapshot();
  for (const { call, field } of required) {
    // Uses a caller with the right to call it. Administrators' calls do not exist for others.
    const bearer = call.path.startsWith("/v1/users") || call.path.startsWith("/v1/groups") ? admin : ticket;
    const validBody: Record<string, unknown> = {
      ...JSON.parse(String(callBody(call, resourceIds).body)),
      change: "keep",
    };
    const otherFields = requiredFields(call).filter((candidate) => candidate !== field);
    const body = Object.fromEntries(otherFields.map((name) => [name, validBody[name]]));
    const response = await sendRequest(call.method, callUrl(call, resourceIds), {
      body: JSON.stringify(body),
      bearer,
    });
    const { errors = [] } = (await response.json()) as { errors?: readonly { readonly field: string }[] };
    expect(
      errors.map((error) => error.field.split(".")[0]),
      `${call.id} ${field} ${response.status}`,
    ).toContain(field);
  }
  expect(await snapshot()).toBe(before);
});

it(
  "a body that is not a JSON object, or is truncated, is rejected by every call with a JSON body and writes nothing",
  LONG,
  async () => {
    const depth = 10_000;
    const bodies: readonly (readonly [BodyInit | (() => BodyInit), string, number])[] = [
      ["", "application/json", 400],
      ['{"name":"a', "application/json", 400],
      ["[]", "application/json", 400],
      ["null", "application/json", 400],
      [`{"name":${"[".repeat(depth)}${"]".repeat(depth)}}`, "application/json", 400],
      [`${'{"name":'.repeat(depth)}1${"}".repeat(depth)}`, "application/json", 400],
      ['{"name":"a","name":"b"}', "application/json", 400],
      ['{"__proto__":{"isAdmin":true}}', "application/json", 400],
      ['{"a":{"constructor":{"prototype":1}}}', "application/json", 400],
      [() => cutOff('{"name":"a"'), "application/json", 400],
      [new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), "application/json", 400],
      ["{}", "text/plain", 415],
      ["{}", "application/merge-patch+json", 415],
      ["name=a", "application/x-www-form-urlencoded", 415],
      [`{"name":"${"x".repeat(1024 * 1024)}"}`, "application/json", 413],
    ];
    const before = await snapshot();
    for (const call of JSON_CALLS)
      for (const [input, type, status] of bodies) {
        const body = typeof input === "function" ? input() : input;
        const label = `${call.id} ${type} ${String(body).slice(0, 20)}`;
        const response = await sendRequest(call.method, callUrl(call, resourceIds), { body, type });
        // These calls may also return 200 with the result "fail" for errors in a valid JSON body.
        if (call.path.startsWith("/default/") && response.status === 200)
          expect(await response.json(), label).toMatchObject({ result: "fail", code: "invalid" });
        else {
          expect(response.status, label).toBe(status);
          await expectContract(response, label);
        }
      }
    expect(await snapshot()).toBe(before);
  },
);

it("bodies of bytes that are empty, invalid, of another type or truncated are rejected", async () => {
  const calls = CALLS.filter(({ body }) => isBytesBody(body));
  const send = (call: Call, body: BodyInit, type = "application/octet-stream") =>
    sendRequest(call.method, callUrl(call, resourceIds), { body, type });
  const before = await snapshot();
  for (const call of calls) {
    for (const type of ["application/json", "text/plain", "multipart/form-data; boundary=a"]) {
      const response = await send(call, "{}", type);
      const accept = isBytesBody(call.body) ? call.body.mediaTypes.join(", ") : "";
      expect([call.id, response.status, response.headers.get("accept")]).toEqual([call.id, 415, accept]);
      await expectContract(response, call.id);
    }
    const broken = await send(call, cutOff("abc"));
    expect([400, 404], call.id).toContain(broken.status);
    await expectContract(broken, call.id);
  }
  expect(await snapshot()).toBe(before);
  const huge = new Uint8Array(2 * 1024 * 1024);
  for (const call of calls)
    for (const body of [new Uint8Array(), new Uint8Array([1, 2, 3]), huge, "{}"]) {
      const response = await send(call, body);
      expect([400, 403, 404, 413], call.id).toContain(response.status);
      await expectContract(response, call.id);
    }
});

it("every URL parameter tolerates wrong values, and unsupported methods are rejected", LONG, async () => {
  const failures = vi.spyOn(console, "error");
  const values = inTurn([
    "",
    "-1",
    "1e9",
    "0",
    "zzz",
    "%00",
    "%ff",
    "..%2F..",
    "[]",
    "null",
    "__proto__",
    "x".repeat(5000),
    randomUUID(),
    "%F0%9F%8C%B8",
    "' OR 1=1 --",
    "1&%NAME%=2",
  ]);
  const before = await snapshot();
  for (const call of CALLS) {
    for (const name of queryParameters(call))
      for (const value of values(4)) {
        const label = `${call.id} ${name} ${value.slice(0, 40)}`;
        const url = `${callUrl(call, resourceIds)}?${name}=${value.replace("%NAME%", name)}`;
        await expectContract(await sendRequest(call.method, url, createWrongBody(call)), label);
      }
    if (call.path.includes("{"))
      for (const value of values(3)) {
        const url = fullPath(call.path).replace(/\{\w+\}/g, value.split("&")[0] || "x");
        await expectContract(
          await sendRequest(call.method, url, createWrongBody(call)),
          `${call.id} ${value}`,
        );
      }
  }
  for (const path of new Set(CALLS.map(({ path }) => path)))
    for (const method of ["PATCH", "PROPFIND"]) {
      const response = await sendRequest(method, callUrl({ path }, resourceIds));
      expect([response.status, path]).toEqual([405, path]);
      expect(response.headers.get("allow")).toContain("OPTIONS");
    }
  expect(await snapshot()).toBe(before);
  expect(failures).not.toHaveBeenCalled();
  failures.mockRestore();
});

it("ids of another account, invalid tickets and stale versions change nothing", LONG, async () => {
  const stranger = await testApp.addUser();
  const bearer = await logIn(stranger);
  const before = await snapshot();
  for (const call of CALLS.filter(({ who }) => who === "user")) {
    const namesRecord =
      call.path.includes("{uuid}") || bodyFields(call).some((field) => field.endsWith("uuid"));
    const withoutSession = await sendRequest(call.method, callUrl(call, resourceIds), {
      bearer: "x".repeat(43),
      ...callBody(call, resourceIds),
    });
    expect([call.id, withoutSession.status]).toEqual([call.id, 401]);
    // The caller's own account is excluded, because it does not belong to another user.
    if (call.path.startsWith("/v1/account")) continue;
    const asStranger = await sendRequest(call.method, callUrl(call, resourceIds), {
      bearer,
      ...callBody(call, resourceIds),
    });
    await expectContract(asStranger, `${call.id} of another`);
    if (namesRecord) expect([call.id, [400, 403, 404].includes(asStranger.status)]).toEqual([call.id, true]);
    // A creation supports If-Match only when its body names an existing record, so it is skipped here.
    if (!call.acceptsIfMatch || call.acceptsIdempotencyKey) continue;
    const stale = await sendRequest(call.method, callUrl(call, resourceIds), {
      ifMatch: '"999-a"',
      ...(call.method !== "DELETE" && {
        body: call.tag === "content" ? '{"hidden":true}' : '{"name":"new","title":"new","event_name":"new"}',
      }),
    });
    // The media item of the test app is a file, and its owner is not an administrator.
    const isNotFound = call.id === "replaceWebMedium" || call.may?.startsWith("Administrators");
    expect([call.id, stale.status]).toEqual([call.id, isNotFound ? 404 : 412]);
    await expectContract(stale, call.id);
    if (!bodyFields(call).includes("version")) continue;
    const withBodyVersion = await sendRequest(call.method, callUrl(call, resourceIds), {
      body: JSON.stringify({
        name: "new",
        title: { ja: "新" },
        event_name: "new",
        hidden: true,
        version: 999,
      }),
    });
    expect([call.id, [400, 404, 409].includes(withBodyVersion.status)]).toEqual([call.id, true]);
    await expectContract(withBodyVersion, call.id);
  }
  expect(await snapshot()).toBe(before);
});

it(
  "an Idempotency-Key that was used with another body is rejected by every creation that accepts keys, and the stored response is returned again",
  LONG,
  async () => {
    const calls = CALLS.filter(({ acceptsIdempotencyKey }) => acceptsIdempotencyKey);
    expect(calls.length).toBeGreaterThan(12);
    for (const call of calls) {
      // A rejected body creates nothing. The stored response is the rejection.
      const url = callUrl(call, resourceIds, randomUUID());
      const key = `key-of-${call.id}`;
      const send = (body: string) => sendRequest(call.method, url, { body, key });
      const before = await snapshot();
      const firstResponse = await send('{"name":{}}');
      expect(firstResponse.status, call.id).toBeLessThan(500);
      const repeatedResponse = await send('{"name":{}}');
      expect([
        call.id,
        repeatedResponse.status,
        repeatedResponse.headers.get("idempotency-replayed"),
      ]).toEqual([call.id, firstResponse.status, "true"]);
      expect(await repeatedResponse.text()).toBe(await firstResponse.text());
      const other = await send('{"name":{},"other":1}');
      expect([call.id, other.status, ((await other.json()) as { code: string }).code]).toEqual([
        call.id,
        422,
        "idempotency_key_reused",
      ]);
      expect(await snapshot(), call.id).toBe(before);
    }
  },
);
