/**
 * Whatever a program sends, out of the document and against it: it is told so in words, by the names that it has itself, and nothing of a
 * refused call is written. The same values in every run.
 */
import { randomUUID } from "node:crypto";
import { getTableColumns, getTableName } from "drizzle-orm";
import fc from "fast-check";
import { beforeEach, expect, it, vi } from "vitest";
import { tables } from "#functions/data/schema";
import { askApi } from "../../tests/support/api";
import { houseForEachTest, PASSWORD, type Person } from "../../tests/support/house";
import { CALLS } from ".";
import { type Call, isBytes, isOwn } from "./call";
import { documentOf, fullPath } from "./document";

const SEED = 20270401;

const house = houseForEachTest();
let owner: Person;
let ticket: string;
let ids: Readonly<Record<string, string>>;

const ticketOf = async ({ user: { email } }: Person) =>
  (await house.services.sessions.logIn({ email, password: PASSWORD, userAgent: "", ip: "1" })).ticket;

beforeEach(async () => {
  owner = await house.addUser({ email: "owner@demo.example" });
  ticket = await ticketOf(owner);
  const { space, eventId } = await house.addSpace(owner);
  await house.addSpace(owner, "another one");
  const { actor } = owner;
  const folder = await house.services.tree.createFolder({ actor, folderType: "space", name: "a" });
  const begun = { actor, fileName: "a.png", byteSize: 10, fingerprint: "" };
  const upload = await house.services.uploads.startUpload(begun);
  const item = await house.addItem(owner);
  const medium = await house.addMedium(eventId, item.id);
  const tag = await house.addTag(eventId, [medium]);
  ids = {
    ...{ spaces: space.id, events: eventId, folders: folder.id, uploads: upload.id, media: item.id },
    ...{ event_tags: tag, event_media: medium, users: owner.user.id },
  };
});

/** The address of a call, with ids of the house. */
const addressOf = ({ path }: Call, uuid?: string) =>
  fullPath(path)
    .replace("{uuid}", uuid ?? ids[/\/v1\/([^/]+)/.exec(path)?.[1] ?? ""] ?? randomUUID())
    .replace("{number}", "1")
    .replace(/\{\w+\}/g, "x".repeat(43));

interface Sent {
  readonly body?: BodyInit;
  readonly type?: string;
  readonly as?: string;
  readonly ifMatch?: string;
}
const ask = (method: string, address: string, { body, type = "application/json", as, ifMatch }: Sent = {}) =>
  askApi(
    house,
    new Request(`https://hiroba.test${address}`, {
      method,
      headers: {
        authorization: `Bearer ${as ?? ticket}`,
        ...(body !== undefined && { "content-type": type }),
        ...(ifMatch && { "if-match": ifMatch }),
      },
      ...(body !== undefined && { body }),
    }),
  );

/** How many rows there are of everything, and how often they were changed; what tells who was here is left out. */
const written = `SELECT ${Object.values(tables)
  .filter((table) => !["sessions", "kept_answers"].includes(getTableName(table)))
  .map((table) => {
    const name = getTableName(table);
    const versions = "version" in getTableColumns(table) ? "|| ' ' || coalesce(sum(version), 0)" : "";
    return `(SELECT count(*) ${versions} FROM ${name}) AS ${name}`;
  })
  .join(", ")}`;
const snapshot = async () => JSON.stringify(await house.binding.prepare(written).first());

/** That an answer is one that its caller can go by; answers its problem, if it is one. */
async function held(response: Response, at: string) {
  const text = await response.text();
  expect(response.status, `${at}: ${text.slice(0, 300)}`).toBeLessThan(500);
  if (response.status < 400) return null;
  expect(response.headers.get("content-type"), at).toBe("application/problem+json");
  const problem = JSON.parse(text) as {
    readonly detail: string;
    readonly errors?: readonly { readonly field: string; readonly message: string }[];
  };
  // A store's client has its own words (§8).
  expect(problem.detail, at).toMatch(/^([A-Z“].* .*[.…]?|client is not ready)$/s);
  return problem;
}

const document = JSON.parse(JSON.stringify(documentOf(CALLS))) as {
  paths: Record<
    string,
    Record<
      string,
      {
        parameters?: { in: string; name: string }[];
        requestBody?: { content: Record<string, { schema: { properties?: object } }> };
      }
    >
  >;
};
const operationOf = ({ path, method }: Call) => document.paths[fullPath(path)]?.[method.toLowerCase()];
const fieldsOf = (call: Call) =>
  Object.keys(operationOf(call)?.requestBody?.content["application/json"]?.schema.properties ?? {});
const queryOf = (call: Call) =>
  (operationOf(call)?.parameters ?? []).filter((each) => each.in === "query").map(({ name }) => name);

/** What nobody means by any field, as JSON; and what somebody may have written at random. */
const WRONG = [
  ...['"zzz"', "{}", "[]", "[[]]", "true", "-1", "1e400", "1.5", '"\\u0000"', '"\\ud800"', '""', "null"],
  ...['{"uuid":"zzz"}', '[{"uuid":1,"data":7}]', '{"kind":"panorama","nodes":{}}', '{"kind":"model"}'],
  ...[`"${"あ".repeat(100_000)}"`, `[${"1,".repeat(600)}1]`, '"../../x"', '"%00"'],
];
const RANDOM = fc
  .sample(fc.jsonValue({ maxDepth: 3, depthSize: "small" }), { seed: SEED, numRuns: 40 })
  .map((value) => JSON.stringify(value));

/** Values in turn, so that few requests try them all. */
function inTurn(values: readonly string[]) {
  let at = 0;
  return (count: number) => Array.from({ length: count }, () => values[at++ % values.length] as string);
}
const [wrong, random] = [inTurn(WRONG), inTurn(RANDOM)];

const JSON_CALLS = CALLS.filter(({ body }) => body !== undefined && !isBytes(body));

/** Hundreds of requests take their time on a busy machine. */
const LONG = { timeout: 120_000 };

it(
  "every field of a body holds whatever is sent, is named where it is wrong, and a refused call writes nothing",
  LONG,
  async () => {
    const failures = vi.spyOn(console, "error");
    let before = await snapshot();
    for (const call of JSON_CALLS) {
      const fields = fieldsOf(call);
      expect(fields.length, call.id).toBeGreaterThan(0);
      for (const field of fields) {
        let areRefused = true;
        for (const value of [...wrong(2), ...random(1)]) {
          const at = `${call.id} ${field} ${value.slice(0, 60)}`;
          const body = `{"${field}":${value},"unknown":[{}]}`;
          const problem = await held(await ask(call.method, addressOf(call), { body }), at);
          areRefused &&= problem !== null;
          for (const { field: named, message } of problem?.errors ?? []) {
            expect(fields, at).toContain(named.split(".")[0]);
            expect(message, at).toMatch(/^[A-Z“].* .*\.$/s);
          }
        }
        const after = await snapshot();
        if (areRefused) expect(after, `${call.id} ${field}`).toBe(before);
        before = after;
      }
    }
    expect((await ask("GET", "/api/v1/folders")).status).toBe(200);
    expect(failures).not.toHaveBeenCalled();
    failures.mockRestore();
  },
);

it("what is no JSON object, or no whole one, is refused by every call and writes nothing", LONG, async () => {
  const depth = 10_000;
  const bodies: readonly (readonly [BodyInit, string, number])[] = [
    ["", "application/json", 400],
    ['{"name":"a', "application/json", 400],
    ["[]", "application/json", 400],
    ["null", "application/json", 400],
    [`{"name":${"[".repeat(depth)}${"]".repeat(depth)}}`, "application/json", 400],
    [`${'{"name":'.repeat(depth)}1${"}".repeat(depth)}`, "application/json", 400],
    ['{"name":"a","name":"b"}', "application/json", 400],
    ['{"__proto__":{"isAdmin":true}}', "application/json", 400],
    [new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), "application/json", 400],
    ["{}", "text/plain", 415],
    ["name=a", "application/x-www-form-urlencoded", 415],
    [`{"name":"${"x".repeat(1024 * 1024)}"}`, "application/json", 413],
  ];
  const before = await snapshot();
  for (const call of JSON_CALLS)
    for (const [body, type, status] of bodies) {
      const at = `${call.id} ${type} ${String(body).slice(0, 20)}`;
      const response = await ask(call.method, addressOf(call), { body, type });
      // There 200 with the result "fail" is an answer too, of what is wrong in a body that could be read.
      if (call.path.startsWith("/default/") && response.status === 200)
        expect(await response.json(), at).toMatchObject({ result: "fail", code: "invalid" });
      else {
        expect(response.status, at).toBe(status);
        await held(response, at);
      }
    }
  expect(await snapshot()).toBe(before);
});

it("bodies of bytes that are none are refused", async () => {
  const huge = new Uint8Array(2 * 1024 * 1024);
  for (const call of CALLS.filter(({ body }) => isBytes(body)))
    for (const body of [new Uint8Array(), new Uint8Array([1, 2, 3]), huge, "{}"]) {
      const response = await ask(call.method, addressOf(call), { body, type: "application/octet-stream" });
      expect([400, 403, 404, 413], call.id).toContain(response.status);
      await held(response, call.id);
    }
});

it(
  "every parameter of an address holds whatever is sent, and every method that an address does not take is refused",
  LONG,
  async () => {
    const failures = vi.spyOn(console, "error");
    const values = inTurn([
      ...["", "-1", "1e9", "0", "zzz", "%00", "%ff", "..%2F..", "[]", "null", "__proto__", "x".repeat(5000)],
      ...[randomUUID(), "%F0%9F%8C%B8", "' OR 1=1 --", "1&%NAME%=2"],
    ]);
    const before = await snapshot();
    for (const call of CALLS) {
      for (const name of queryOf(call))
        for (const value of values(4)) {
          const at = `${call.id} ${name} ${value.slice(0, 40)}`;
          const address = `${addressOf(call)}?${name}=${value.replace("%NAME%", name)}`;
          if (call.method === "GET") await held(await ask("GET", address), at);
        }
      if (call.path.includes("{"))
        for (const value of values(3)) {
          const address = fullPath(call.path).replace(/\{\w+\}/g, value.split("&")[0] || "x");
          if (call.method === "GET" || call.method === "DELETE")
            await held(await ask(call.method, address), `${call.id} ${value}`);
        }
    }
    for (const path of new Set(CALLS.map(({ path }) => path)))
      for (const method of ["PATCH", "PROPFIND"]) {
        const response = await ask(method, addressOf({ path } as Call));
        expect([response.status, path]).toEqual([405, path]);
        expect(response.headers.get("allow")).toContain("OPTIONS");
      }
    expect(await snapshot()).toBe(before);
    expect(failures).not.toHaveBeenCalled();
    failures.mockRestore();
  },
);

it(
  "ids of another account, tickets that are none, and versions that have passed change nothing of anybody's",
  LONG,
  async () => {
    const stranger = await house.addUser();
    const as = await ticketOf(stranger);
    const before = await snapshot();
    const bodyOf = (call: Call) => {
      if (call.body === undefined || call.method === "GET" || call.method === "DELETE") return {};
      if (isBytes(call.body)) return { body: new Uint8Array([1]), type: call.body.types[0] ?? "" };
      const body: Record<string, unknown> = { name: "mine", title: "mine", event_name: "mine" };
      for (const field of fieldsOf(call)) {
        const [, kind = ""] = /^(?:target_|from_|poster_)?(\w+?)_uuid$/.exec(field) ?? [];
        const named = { folder: ids.folders, parent: ids.folders, owner: owner.user.id, event: ids.events };
        const id = {
          ...named,
          space: ids.spaces,
          media: ids.media,
          library_item: ids.media,
          uuid: ids.folders,
        };
        if (field.endsWith("uuid")) body[field] = id[(kind || field) as keyof typeof id] ?? ids.folders;
        if (["folders", "spaces", "media"].includes(field))
          body[field] = isOwn(call.body) ? [{ uuid: ids[field], data: [ids[field]] }] : [ids[field]];
      }
      return { body: JSON.stringify(body) };
    };
    for (const call of CALLS.filter(({ who }) => who === "user")) {
      const named = call.path.includes("{uuid}") || fieldsOf(call).some((field) => field.endsWith("uuid"));
      const nobody = await ask(call.method, addressOf(call), { as: "x".repeat(43), ...bodyOf(call) });
      expect([call.id, nobody.status]).toEqual([call.id, 401]);
      // One's own account is nobody else's.
      if (call.path.startsWith("/v1/account")) continue;
      const theirs = await ask(call.method, addressOf(call), { as, ...bodyOf(call) });
      await held(theirs, `${call.id} of another`);
      if (named) expect([call.id, [400, 403, 404].includes(theirs.status)]).toEqual([call.id, true]);
      if (!call.guarded) continue;
      const stale = await ask(call.method, addressOf(call), {
        ifMatch: '"999-a"',
        ...(call.method !== "DELETE" && {
          body:
            call.tag === "content" ? '{"hidden":true}' : '{"name":"new","title":"new","event_name":"new"}',
        }),
      });
      // The medium of the house is a file, and its owner is no administrator.
      const isNone = call.id === "replaceWebMedium" || call.may?.startsWith("Administrators");
      expect([call.id, stale.status]).toEqual([call.id, isNone ? 404 : 412]);
      await held(stale, call.id);
    }
    expect(await snapshot()).toBe(before);
  },
);
