import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { newText } from "~/domain/events/event-texts";
import { callApi } from "../../../tests/support/api/test-api";
import { PASSWORD, type TestUser, useTestApp } from "../../../tests/support/app/test-app";
import { HASH_PREFIX } from "../../../tests/support/app/test-doubles";
import { normalPath } from "..";

const ORIGIN = "https://hiroba.test";

const testApp = useTestApp();
let owner: TestUser;
let ticket: string;
let eventId: string;
let spaceId: string;

beforeEach(async () => {
  owner = await testApp.addUser({ email: "owner@demo.example" });
  await testApp.addUser({ email: "stranger@demo.example" });
  ticket = await ticketOf("owner@demo.example");
  const created = await testApp.addSpace(owner, "本館");
  eventId = created.eventId;
  spaceId = created.space.id;
});

const ticketOf = async (email: string) =>
  (await testApp.services.sessions.logIn({ email, password: PASSWORD, userAgent: "", network: "1" })).ticket;

type Json = Record<string, unknown> & Record<string, never>;
interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the type depends on the call
  readonly json: any;
}

async function call(
  method: string,
  path: string,
  init: { body?: unknown; headers?: Record<string, string>; bearer?: string | null } = {},
): Promise<ApiResponse> {
  const bearer = init.bearer === undefined ? ticket : init.bearer;
  const headers = {
    ...(bearer !== null && { authorization: `Bearer ${bearer}` }),
    ...(init.body !== undefined && { "content-type": "application/json" }),
    ...init.headers,
  };
  const body =
    init.body === undefined
      ? undefined
      : typeof init.body === "string"
        ? init.body
        : JSON.stringify(init.body);
  const request = new Request(`${ORIGIN}${path}`, { method, headers, body });
  const response = await callApi(testApp, request);
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json");
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson && text ? (JSON.parse(text) as Json) : null,
  };
}

const expectProblem = (response: ApiResponse, status: number, code: string) => {
  expect([response.status, response.json?.code, response.json?.status]).toEqual([status, code, status]);
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  expect(response.headers.get("cache-control")).toContain("no-store");
};

describe("URLs", () => {
  it("are the same with and without .json and the trailing slash", async () => {
    for (const path of ["/api/v1/spaces", "/api/v1/spaces/", "/api/v1/spaces.json", "/api/v1/spaces.json/"]) {
      expect((await call("GET", path)).status, path).toBe(200);
    }
    for (const path of [`/api/cas/validate.json/${ticket}`, `/api/cas/validate/${ticket}/`]) {
      expect((await call("GET", path, { bearer: null })).status, path).toBe(200);
    }
    expect(normalPath("/default/user/retrieve_password/")).toBe("/default/user/retrieve_password");
    expect(normalPath("/api")).toBe("/");
    expect(normalPath("/apiary")).toBe("/apiary");
  });

  it("return 404 when they are unknown, and 405 with the allowed methods for another method", async () => {
    expectProblem(await call("GET", "/api/v1/nothing"), 404, "unknown_path");
    expectProblem(await call("GET", "/default/user/nothing"), 404, "unknown_path");
    const rejected = await call("PATCH", "/api/v1/events");
    expectProblem(rejected, 405, "method_not_allowed");
    expect(rejected.headers.get("allow")).toBe("GET, HEAD, POST, OPTIONS");
    expectProblem(await call("POST", `/api/v1/events/${eventId}`, { body: {} }), 405, "method_not_allowed");
    expect((await call("HEAD", "/api/v1/events")).status).toBe(200);
  });
});

describe("sessions", () => {
  // "/cas" is the path of the session calls (specification §7).
  const logIn = (body: unknown, headers = {}) =>
    call("POST", "/api/cas/tickets.json/", { bearer: null, body, headers });

  it("begin with {ticket, auth: {user}} and the cookie", async () => {
    const { status, json, headers } = await logIn({ email: "owner@demo.example", password: PASSWORD });
    expect(status).toBe(200);
    expect(json.ticket).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(json.auth.user).toMatchObject({
      uuid: owner.user.id,
      email: "owner@demo.example",
      roles: ["user"],
      is_admin: false,
      status: "ACTIVATED",
    });
    expect(headers.get("set-cookie")).toMatch(/^__Host-session-ticket=.+HttpOnly; Secure; SameSite=Lax/);
    expect(JSON.stringify(json)).not.toContain(HASH_PREFIX);
  });

  it("are validated as {user, ticket} and end with DELETE", async () => {
    const { json } = await call("GET", `/api/cas/validate.json/${ticket}`, { bearer: null });
    expect(json).toMatchObject({ ticket, user: { uuid: owner.user.id } });
    expect((await call("DELETE", `/api/cas/tickets.json/${ticket}`, { bearer: null })).status).toBe(200);
    expectProblem(
      await call("GET", `/api/cas/validate.json/${ticket}`, { bearer: null }),
      401,
      "unauthenticated",
    );
  });

  it("do not begin after a wrong password, with invalid fields or after too many attempts", async () => {
    expectProblem(await logIn({ email: "owner@demo.example", password: "wrong" }), 401, "bad_credentials");
    const missing = await logIn({ email: "nonsense" });
    expectProblem(missing, 400, "invalid");
    expect(missing.json.errors).toEqual(
      expect.arrayContaining([
        { field: "email", message: "Please enter a valid email address." },
        { field: "password", message: "Please enter a password." },
      ]),
    );
    for (let i = 0; i < 10; i++) await logIn({ email: "owner@demo.example", password: "wrong" });
    const limited = await logIn({ email: "owner@demo.example", password: PASSWORD });
    expectProblem(limited, 429, "rate_limited");
    expect(limited.headers.get("retry-after")).toBe("120");
  });

  it("cannot be started by a page of another site", async () => {
    const body = { email: "owner@demo.example", password: PASSWORD };
    expectProblem(await logIn(body, { origin: "https://evil.example" }), 403, "cross_site");
    expect((await logIn(body, { origin: ORIGIN })).status).toBe(200);
  });

  it("that do not exist return 401 and clear the cookie", async () => {
    const response = await call("GET", "/api/v1/spaces", {
      bearer: null,
      headers: { cookie: `__Host-session-ticket=${"A".repeat(43)}` },
    });
    expectProblem(response, 401, "unauthenticated");
    expect(response.headers.get("set-cookie")).toMatch(/^__Host-session-ticket=; Max-Age=0/);
    for (const authorization of ["Bearer", "Bearer x", "Basic abc", `Bearer ${"A".repeat(43)}`]) {
      expectProblem(
        await call("GET", "/api/v1/spaces", { bearer: null, headers: { authorization } }),
        401,
        "unauthenticated",
      );
    }
  });

  it("that began after the cookie was renamed cannot be used through its old name, session-ticket", async () => {
    const headers = { cookie: `session-ticket=${ticket}` };
    for (const path of ["/api/v1/events", "/api/v1/account"])
      expectProblem(await call("GET", path, { bearer: null, headers }), 401, "unauthenticated");
  });

  it("in the browser are not ended by a wrong ticket in a path or a wrong password", async () => {
    const headers = { cookie: `__Host-session-ticket=${ticket}` };
    const responses = [
      await call("GET", `/api/cas/validate/${"A".repeat(43)}`, { bearer: null, headers }),
      await logIn({ email: "owner@demo.example", password: "wrong" }, headers),
    ];
    for (const response of responses) {
      expect(response.status).toBe(401);
      expect(response.headers.get("set-cookie")).toBeNull();
    }
    expect((await call("GET", "/api/v1/events", { bearer: null, headers })).status).toBe(200);
  });

  it("by cookie allow reads from any site and changes only from this site", async () => {
    const cookie = `__Host-session-ticket=${ticket}`;
    const create = (headers: Record<string, string>) =>
      call("POST", "/api/v1/events", {
        bearer: null,
        body: { space_uuid: spaceId, event_name: randomUUID().slice(0, 20) },
        headers: { cookie, ...headers },
      });
    for (const origin of [ORIGIN, "https://evil.example"])
      expect(
        (await call("GET", "/api/v1/events", { bearer: null, headers: { cookie, origin } })).status,
      ).toBe(200);
    expect((await create({ origin: ORIGIN })).status).toBe(201);
    expectProblem(await create({ origin: "https://evil.example" }), 403, "cross_site");
    expectProblem(await create({ origin: "null" }), 403, "cross_site");
  });
});

describe("spaces", () => {
  it("are returned as lists, and as an array of one when read by uuid", async () => {
    const list = await call("GET", "/api/v1/spaces");
    expect(list.json).toHaveLength(1);
    expect(list.headers.get("x-total-count")).toBe("1");
    const one = await call("GET", `/api/v1/spaces/uuid/${spaceId}.json`);
    expect(one.json).toEqual(list.json);
    expect(one.json[0]).toMatchObject({
      uuid: spaceId,
      owner_uuid: owner.user.id,
      name: "本館",
      sid: "SxQL3iGyoDo",
      event_count: 1,
    });
  });

  it("of other users are not found, like those that do not exist", async () => {
    const bearer = await ticketOf("stranger@demo.example");
    expectProblem(await call("GET", `/api/v1/spaces/uuid/${spaceId}`, { bearer }), 404, "not_found");
    for (const id of [randomUUID(), "x", "%00", "' OR 1=1 --", "..%2f"]) {
      expectProblem(await call("GET", `/api/v1/spaces/uuid/${id}`), 404, "not_found");
    }
  });
});

describe("events", () => {
  const put = (body: unknown, id = eventId, bearer?: string) =>
    call("PUT", `/api/v1/events/${id}.json`, { body, bearer });

  it("are returned as lists by owner and by space, and as an array of one by uuid", async () => {
    const one = (await call("GET", `/api/v1/events/uuid/${eventId}.json`)).json;
    expect(one).toHaveLength(1);
    expect(one[0]).toMatchObject({
      uuid: eventId,
      space_uuid: spaceId,
      event_name: "本館",
      status_id: 1,
      url_params: "{}",
      version: 1,
    });
    expect((await call("GET", "/api/v1/events")).json).toEqual(one);
    expect((await call("GET", `/api/v1/events/space_uuid/${spaceId}`)).json).toEqual(one);
  });

  it("have pages with links to their neighbours", async () => {
    for (let i = 0; i < 4; i++)
      await testApp.services.events.createEvent({ actor: owner.actor, spaceId, eventName: newText(`e${i}`) });
    const page = await call("GET", `/api/v1/events/space_uuid/${spaceId}?limit=2&page=2`);
    expect([page.json.length, page.headers.get("x-total-count")]).toEqual([2, "5"]);
    expect(page.headers.get("link")).toBe(
      `</api/v1/events/space_uuid/${spaceId}?limit=2&page=1>; rel="prev", </api/v1/events/space_uuid/${spaceId}?limit=2&page=3>; rel="next"`,
    );
    for (const query of ["page=0", "page=x", "limit=1000", "page=1e9", "limit=-1"]) {
      expectProblem(await call("GET", `/api/v1/events?${query}`), 400, "invalid");
    }
  });

  it("are created with only the required fields, or with more", async () => {
    const bare = await call("POST", "/api/v1/events.json/", {
      body: { space_uuid: spaceId, event_name: "最初" },
    });
    expect([bare.status, bare.json.status_id, bare.json.enable_auto_change_status]).toEqual([201, 1, true]);
    const full = await call("POST", "/api/v1/events", {
      body: {
        space_uuid: spaceId,
        event_name: "全部",
        start_date: "2027-05-01T00:00:00Z",
        end_date: null,
        status_id: 2,
        enable_auto_change_status: false,
        event_detail: "詳細",
        url_params: JSON.stringify({ wts: 2.5 }),
      },
    });
    expect(full.status).toBe(201);
    expect(full.json).toMatchObject({
      start_date: "2027-05-01T00:00:00.000Z",
      status_id: 2,
      event_detail: "詳細",
      url_params: '{"wts":2.5}',
    });
    expect((await call("GET", `/api/v1/events/uuid/${full.json.uuid}`)).json).toEqual([full.json]);
  });

  it("start with the content of a template, whose details replace missing ones, and whose name is used if none is given", async () => {
    const created = await call("POST", "/api/v1/events", {
      body: { space_uuid: spaceId, template: "museum" },
    });
    expect(created.status).toBe(201);
    expect(created.json.names).toEqual({ ja: "ミュージアム", en: "Museum" });
    expect((await call("GET", `/api/v1/events/uuid/${created.json.uuid}`)).json).toEqual([created.json]);
    const content = (await call("GET", `/api/v1/events/${created.json.uuid}/content`)).json;
    expect([content.tags.length, content.scene.tour.length]).toEqual([6, 6]);
    const response = await call("POST", "/api/v1/events", {
      body: { space_uuid: spaceId, template: "shop", event_name: "春の市", details: { en: "Open" } },
    });
    expect(response.json).toMatchObject({ names: { ja: "春の市", en: "" }, details: { en: "Open" } });
    expect(response.json.details.ja).not.toBe("");
    const wrong = await call("POST", "/api/v1/events", { body: { space_uuid: spaceId, template: "fair" } });
    expectProblem(wrong, 400, "invalid");
    expect(wrong.json.errors).toMatchObject([{ field: "template" }]);
    const none = await call("POST", "/api/v1/events", { body: { space_uuid: spaceId, template: null } });
    expect(none.json.errors).toMatchObject([{ field: "event_name" }]);
  });

  it("with a taken name are rejected with the name of the field", async () => {
    const response = await call("POST", "/api/v1/events", {
      body: { space_uuid: spaceId, event_name: "本館" },
    });
    expectProblem(response, 400, "event_name_taken");
    expect(response.json.errors).toEqual([
      { field: "event_name", message: "An event with the same name already exists in this space." },
    ]);
  });

  it("have their name and details in both languages; the single fields read and change the Japanese text, or the English one if there is none", async () => {
    const created = await call("POST", "/api/v1/events", {
      body: { space_uuid: spaceId, event_name: "Spring", names: { ja: "春" }, event_detail: "Welcome" },
    });
    expect(created.json).toMatchObject({
      event_name: "春",
      names: { ja: "春", en: "Spring" },
      event_detail: "Welcome",
      details: { ja: "", en: "Welcome" },
    });
    const id = created.json.uuid;
    expect((await put({ event_name: "夏", event_detail: "Hello" }, id)).json).toMatchObject({
      names: { ja: "夏", en: "Spring" },
      details: { ja: "", en: "Hello" },
    });
    // A caller can send the read body back with a change of either field.
    const { json: read } = await put({ names: { en: "Summer" }, details: { ja: "ようこそ" } }, id);
    expect(read).toMatchObject({
      names: { ja: "夏", en: "Summer" },
      event_detail: "ようこそ",
      details: { ja: "ようこそ", en: "Hello" },
    });
    expect((await put({ ...read, event_name: "秋" }, id)).json.names).toEqual({ ja: "秋", en: "Summer" });
    expect((await put({ names: { ja: "" } }, id)).json).toMatchObject({
      event_name: "Summer",
      names: { ja: "", en: "Summer" },
    });
    for (const [body, field] of [
      [{ event_name: "" }, "event_name"],
      [{ names: { ja: "", en: null } }, "names"],
      [{ names: "x" }, "names"],
      [{ names: { ja: "あ".repeat(33) } }, "names.ja"],
      [{ names: { en: "本館" } }, "names.en"],
      [{ event_name: "本館" }, "event_name"],
      [{ details: { en: "x".repeat(1001) } }, "details.en"],
    ] as const) {
      const rejected = await put(body, id);
      expect([rejected.status, rejected.json.errors?.[0]?.field], JSON.stringify(body)).toEqual([400, field]);
    }
    const copy = (body: object) =>
      call("POST", "/api/copy_event", { body: { target_event_uuid: id, ...body } });
    await put({ names: { ja: "冬" } }, id);
    expect((await copy({})).json.names).toEqual({ ja: "冬のコピー", en: "Summer – copy" });
    expect((await copy({ event_name: "雪" })).json.names).toEqual({ ja: "雪", en: "Summer – copy 2" });
    expect((await copy({ names: { ja: "", en: "Snow" } })).json.names).toEqual({ ja: "", en: "Snow" });
    expect((await copy({ names: { en: "冬" } })).json.errors?.[0]?.field).toBe("names.en");
  });

  it("keep fields that a change does not contain", async () => {
    await put({
      event_detail: "詳細",
      url_params: { wts: 2, lang: "ja" },
      start_date: "2027-05-01T00:00:00.000Z",
    });
    const { json } = await put({ event_name: "新しい名" });
    expect(json).toMatchObject({
      event_name: "新しい名",
      event_detail: "詳細",
      start_date: "2027-05-01T00:00:00.000Z",
      url_params: '{"lang":"ja","wts":2}',
      version: 3,
    });
    expect((await put({ start_date: null, url_params: {} })).json).toMatchObject({
      start_date: null,
      url_params: "{}",
      version: 4,
    });
  });

  it("that a change does not modify return 200 with the same version", async () => {
    const savedEvent = (await call("GET", `/api/v1/events/uuid/${eventId}`)).json[0];
    for (const body of [{}, { event_name: "本館" }, { version: 1 }, savedEvent]) {
      const response = await put(body);
      expect([response.status, response.json]).toEqual([200, savedEvent]);
    }
  });

  it("keep the token of their store, and require a token with another store", async () => {
    const [storeUrl, otherStoreUrl] = ["https://one.example.com", "https://other.example.com"];
    await put({ sp_store_url: storeUrl, sp_access_token: "tok12345" });
    expect((await put({ event_name: "名" })).json).toMatchObject({
      sp_store_url: storeUrl,
      sp_access_token: "tok12345",
    });
    for (const body of [{ sp_store_url: otherStoreUrl }, { sp_access_token: null }]) {
      const rejected = await put(body);
      expectProblem(rejected, 400, "invalid");
      expect(rejected.json.errors).toEqual([
        {
          field: "sp_access_token",
          message: "Enter the access token as well, or clear the store URL.",
        },
      ]);
    }
    expect((await put({ sp_store_url: otherStoreUrl, sp_access_token: "tok67890" })).json).toMatchObject({
      sp_store_url: otherStoreUrl,
      sp_access_token: "tok67890",
    });
    expect((await put({ sp_store_url: null })).json).toMatchObject({
      sp_store_url: null,
      sp_access_token: null,
    });
  });

  it("that were saved meanwhile return 409 with both versions but no secrets, and stay unchanged", async () => {
    const secrets = { publish_password: "secret-password", sp_access_token: "tokSECRET" };
    const store = { sp_store_url: "https://store.example.com" };
    await put({ event_name: "彼女の版", version: 1 });
    const response = await put({ event_name: "私の版", version: 1, ...secrets, ...store });
    expectProblem(response, 409, "stale_version");
    expect(response.json.saved).toMatchObject({ event_name: "彼女の版", version: 2 });
    expect(response.json.submitted).toEqual({ event_name: "私の版", version: 1, ...store });
    for (const secret of Object.values(secrets)) expect(response.text).not.toContain(secret);
    expect((await call("GET", `/api/v1/events/uuid/${eventId}`)).json[0].event_name).toBe("彼女の版");
  });

  it("of other users return the same as events that do not exist", async () => {
    const bearer = await ticketOf("stranger@demo.example");
    expectProblem(await put({ event_name: "x" }, eventId, bearer), 404, "not_found");
    expectProblem(await put({ event_name: "x" }, randomUUID()), 404, "not_found");
    expectProblem(await call("GET", `/api/v1/events/space_uuid/${spaceId}`, { bearer }), 404, "not_found");
    expectProblem(
      await call("POST", "/api/v1/events", { bearer, body: { space_uuid: spaceId, event_name: "x" } }),
      404,
      "not_found",
    );
  });

  it("return 400 with the name of the invalid field, and write nothing", async () => {
    const before = (await call("GET", `/api/v1/events/uuid/${eventId}`)).json;
    const invalidBodies: [Record<string, unknown>, string][] = [
      [{ event_name: "" }, "event_name"],
      [{ event_name: "あ".repeat(33) }, "event_name"],
      [{ event_name: 5 }, "event_name"],
      [{ event_name: null }, "event_name"],
      [{ event_name: "a\u0000b" }, "event_name"],
      [{ event_name: "\u202eevil" }, "event_name"],
      [{ event_name: "x".repeat(900_000) }, "event_name"],
      [{ event_detail: "x".repeat(1001) }, "event_detail"],
      [{ event_detail: ["x"] }, "event_detail"],
      [{ start_date: "tomorrow" }, "start_date"],
      [{ start_date: "2001-01-01T00:00:00Z" }, "start_date"],
      [{ start_date: 12 }, "start_date"],
      [{ start_date: "2027-02-02T00:00:00Z", end_date: "2027-02-01T00:00:00Z" }, "end_date"],
      [{ status_id: 5 }, "status_id"],
      [{ status_id: "published" }, "status_id"],
      [{ status_id: null }, "status_id"],
      [{ enable_auto_change_status: "maybe" }, "enable_auto_change_status"],
      [{ sp_store_url: "https://127.0.0.1", sp_access_token: "t" }, "sp_store_url"],
      [{ sp_access_token: "shpss_secret", sp_store_url: "https://a.example.com" }, "sp_access_token"],
      [{ url_params: "{not json" }, "url_params"],
      [{ url_params: { m: "AAAAAAAAAAA" } }, "url_params"],
      [{ url_params: { wts: "fast" } }, "url_params"],
      [{ url_params: JSON.parse('{"__proto__": 1}') as unknown }, "url_params"],
      [{ version: "x" }, "version"],
      [{ publish_password: "short" }, "publish_password"],
      [{ space_uuid: randomUUID() }, "space_uuid"],
    ];
    for (const [body, field] of invalidBodies) {
      const response = await put(body);
      const label = JSON.stringify(body).slice(0, 80);
      expect([response.status, response.json?.code], label).toEqual([400, "invalid"]);
      const fields = response.json.errors.map((error: { field: string }) => error.field.split(".")[0]);
      expect(fields, label).toContain(field);
    }
    expect((await call("GET", `/api/v1/events/uuid/${eventId}`)).json).toEqual(before);
  });
});

describe("bodies", () => {
  const post = (body: string, type = "application/json") =>
    call("POST", "/api/v1/events", { body, headers: { "content-type": type } });

  it("that are not JSON objects, or too large, are rejected", async () => {
    for (const body of ["", "{", "[]", "null", "5", '"x"', "[".repeat(100_000)]) {
      expectProblem(await post(body), 400, "invalid_json");
    }
    expectProblem(await post("a=b", "application/x-www-form-urlencoded"), 415, "unsupported_media_type");
    expectProblem(await post("{}", "text/plain"), 415, "unsupported_media_type");
    expectProblem(await post(`{"event_name":"${"x".repeat(1024 * 1024)}"}`), 413, "too_large");
    expectProblem(await post("{}"), 400, "invalid");
  });

  it("that are not UTF-8 are rejected", async () => {
    const request = new Request(`${ORIGIN}/api/v1/events`, {
      method: "POST",
      headers: { authorization: `Bearer ${ticket}`, "content-type": "application/json" },
      body: new Uint8Array([0x7b, 0xff, 0x7d]),
    });
    const response = await callApi(testApp, request);
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([
      400,
      "invalid_json",
    ]);
  });
});

describe("visitors", () => {
  let token: string;
  let previewToken: string;

  beforeEach(async () => {
    const event = (await testApp.data.events.find(eventId))?.event;
    token = event?.accessToken ?? "";
    previewToken = event?.previewAccessToken ?? "";
    const item = await testApp.addItem(owner);
    await testApp.addTag(eventId, [await testApp.addMediaItem(eventId, item.id)]);
    await testApp.setEvent(eventId, {
      statusId: 3,
      spAccessToken: "store-secret-token",
      spStoreUrl: "https://secret-store.example.com",
    });
  });

  const visit = (path: string, headers = {}) => call("GET", `/api/${path}`, { bearer: null, headers });

  it("fetch an event, the sid (public id) of its space, its tags and its media with the token of their link", async () => {
    const event = await visit(`fetch_publish_event/${eventId}/${token}`);
    expect(event.json).toMatchObject({
      uuid: eventId,
      space_uuid: spaceId,
      event_name: "本館",
      status_id: 3,
      has_store: true,
    });
    expect((await visit(`fetch_preview_event/${eventId}/${previewToken}`)).json).toEqual(event.json);
    expect((await visit(`fetch_event_sid/event_uuid/${eventId}?token=${token}`)).json).toEqual({
      event_uuid: eventId,
      space_uuid: spaceId,
      sid: "SxQL3iGyoDo",
    });
    const tags = (await visit(`fetch_event_tags/event_uuid/${eventId}?token=${previewToken}`)).json;
    expect(tags).toMatchObject([{ event_uuid: eventId, title: { ja: "受付", en: "Reception" } }]);
    const media = (await visit(`fetch_event_media/event_uuid/${eventId}?token=${token}`)).json;
    expect(media).toMatchObject([{ event_uuid: eventId, kind: "image" }]);
    expect(tags[0].media_uuids).toEqual([media[0].uuid]);
  });

  it("receive no secret with an event, its sid, its tags or its media", async () => {
    const secrets = [
      token,
      previewToken,
      "store-secret-token",
      "secret-store",
      owner.user.id,
      // The storage keys of files.
      "files/",
      HASH_PREFIX,
    ];
    for (const path of [
      `fetch_publish_event/${eventId}/${token}`,
      `fetch_event_sid/event_uuid/${eventId}?token=${token}`,
      `fetch_event_tags/event_uuid/${eventId}?token=${token}`,
      `fetch_event_media/event_uuid/${eventId}?token=${token}`,
    ]) {
      const { status, text } = await visit(path);
      expect(status).toBe(200);
      for (const secret of secrets) expect(text).not.toContain(secret);
      expect(text).not.toMatch(/access_token|hash/);
    }
  });

  it("find nothing with a wrong token or in a closed status, and must log in without a token", async () => {
    expectProblem(await visit(`fetch_publish_event/${eventId}/${previewToken}`), 404, "not_found");
    expectProblem(await visit(`fetch_preview_event/${eventId}/${token}`), 404, "not_found");
    expectProblem(await visit(`fetch_event_tags/event_uuid/${eventId}?token=wrong`), 404, "not_found");
    expectProblem(await visit(`fetch_event_tags/event_uuid/${eventId}?token=`), 404, "not_found");
    expectProblem(await visit(`fetch_event_tags/event_uuid/${eventId}`), 401, "unauthenticated");
    await testApp.setStatus(eventId, 4);
    expectProblem(await visit(`fetch_publish_event/${eventId}/${token}`), 404, "not_found");
    expectProblem(await visit(`fetch_event_media/event_uuid/${eventId}?token=${token}`), 404, "not_found");
  });

  it("make one failed attempt with a token that matches neither link, and none with a token of either link", async () => {
    await visit(`fetch_event_tags/event_uuid/${eventId}?token=wrong`);
    expect(testApp.limiter.failedKeys).toHaveLength(1);
    for (const linkToken of [token, previewToken])
      await visit(`fetch_event_tags/event_uuid/${eventId}?token=${linkToken}`);
    expect(testApp.limiter.failedKeys).toHaveLength(1);
  });

  it("may be the owner, who reads without a token by session", async () => {
    expect((await call("GET", `/api/fetch_event_tags/event_uuid/${eventId}`)).json).toHaveLength(1);
    const bearer = await ticketOf("stranger@demo.example");
    expectProblem(
      await call("GET", `/api/fetch_event_tags/event_uuid/${eventId}`, { bearer }),
      404,
      "not_found",
    );
  });

  it("enter the publish password once, and receive an access cookie", async () => {
    await testApp.setEvent(eventId, { publishPasswordHash: `${HASH_PREFIX}open sesame` });
    expect((await visit(`fetch_publish_event/${eventId}/${token}`)).json).toEqual({
      uuid: eventId,
      event_name: null,
      names: null,
      is_authenticated: false,
    });
    await testApp.setEvent(eventId, { showBeforePassword: true });
    expect((await visit(`fetch_publish_event/${eventId}/${token}`)).json).toMatchObject({
      event_name: "本館",
    });
    expectProblem(
      await visit(`fetch_event_tags/event_uuid/${eventId}?token=${token}`),
      403,
      "password_required",
    );
    const authenticate = (password: unknown, headers = {}) =>
      call("POST", "/api/authenticate_publish_event_password", {
        bearer: null,
        body: { event_uuid: eventId, token, password },
        headers,
      });
    expect((await authenticate("wrong")).json).toEqual({ success: false });
    expectProblem(await authenticate(""), 400, "invalid");
    expectProblem(await authenticate(["open sesame"]), 400, "invalid");
    expectProblem(await authenticate("open sesame", { origin: "https://evil.example" }), 403, "cross_site");
    const authenticated = await authenticate("open sesame");
    expect(authenticated.json).toEqual({ success: true });
    // A viewer may be framed by another site.
    expect(authenticated.headers.get("set-cookie")).toMatch(/HttpOnly; Secure; SameSite=None; Partitioned$/);
    const cookie = (authenticated.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
    expect((await visit(`fetch_publish_event/${eventId}/${token}`, { cookie })).json).toMatchObject({
      is_authenticated: true,
    });
    expect(
      (await visit(`fetch_event_tags/event_uuid/${eventId}?token=${token}`, { cookie })).json,
    ).toHaveLength(1);

    // All addresses of an IPv6 /64 count as one network.
    const from = (ipAddress: string) => ({ "cf-connecting-ip": ipAddress });
    for (let i = 0; i < 50; i++)
      expect((await authenticate("wrong", from(`2001:db8:7:7::${i}`))).json).toEqual({ success: false });
    expectProblem(await authenticate("open sesame", from("2001:db8:7:7::99")), 429, "rate_limited");
    expect((await authenticate("open sesame", from("2001:db8:7:8::1"))).json).toEqual({ success: true });
  });
});

it("reveals only the request id of an unexpected error", async () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  try {
    testApp.services.authenticatedReads.readEvents = async () => {
      throw new Error("D1 said something about a secret");
    };
    const response = await call("GET", "/api/v1/events");
    expectProblem(response, 500, "unexpected");
    expect(response.json.request_id).toBe("req-1");
    expect(response.text).not.toContain("secret");
    expect(log).toHaveBeenCalledOnce();
  } finally {
    log.mockRestore();
  }
});

it("omits the ticket or token from the logged path of a call that failed unexpectedly", async () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  try {
    const fail = async () => {
      throw new Error("D1 is down");
    };
    testApp.services.sessions.authenticate = fail;
    testApp.services.sessions.logOut = fail;
    testApp.services.visitors.readVisitorEvent = fail;
    await call("GET", `/api/cas/validate/${ticket}`, { bearer: null });
    await call("DELETE", `/api/cas/tickets/${ticket}`, { bearer: null });
    await call("GET", `/api/fetch_publish_event/${eventId}/link-token`, { bearer: null });
    const lines = log.mock.calls.map(([line]) => JSON.parse(String(line)) as { path: string });
    expect(lines.map(({ path }) => path)).toEqual([
      "/cas/validate/:ticket",
      "/cas/tickets/:ticket",
      "/fetch_publish_event/:uuid/:token",
    ]);
    for (const secret of [ticket, "link-token"]) expect(JSON.stringify(lines)).not.toContain(secret);
  } finally {
    log.mockRestore();
  }
});

it("a list may be stored neither by caches nor by browsers", async () => {
  const { headers } = await call("GET", "/api/v1/events");
  expect([headers.get("cache-control"), headers.get("x-content-type-options")]).toEqual([
    "private, no-store",
    "nosniff",
  ]);
});
