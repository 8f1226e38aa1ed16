/** Tests the HTTP semantics that are implemented once for all calls. */

import { eq, inArray } from "drizzle-orm";
import { beforeEach, expect, it, vi } from "vitest";
import { eventNames, events, spaces, users } from "#functions/data/schema";
import { newText } from "~/domain/events/event-texts";
import { languages } from "~/i18n/languages.server";
import { apiContext, callApi } from "../../../tests/support/api/test-api";
import { PASSWORD, type TestUser, useTestApp } from "../../../tests/support/app/test-app";
import { CALLS, handleApi } from "..";
import { fullPath } from "./document";

const testApp = useTestApp();
let owner: TestUser;
let ticket: string;

beforeEach(async () => {
  owner = await testApp.addUser({ email: "owner@demo.example" });
  const { email } = owner.user;
  ({ ticket } = await testApp.services.sessions.logIn({
    email,
    password: PASSWORD,
    userAgent: "",
    network: "1",
  }));
  await Promise.all(testApp.deferred);
});

const sendRequest = (method: string, path: string, headers: Record<string, string> = {}, body?: unknown) =>
  callApi(
    testApp,
    new Request(`https://hiroba.test${path}`, {
      method,
      headers: {
        authorization: `Bearer ${ticket}`,
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      body: body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body),
    }),
  );

it("the tests reject a message without a text", () => {
  const logError = vi.spyOn(console, "error").mockImplementation(() => {});
  const toText = apiContext(testApp).messagesFor(new Request("https://hiroba.test/"));
  expect(toText({ key: "api:services.notFound" })).toBe(languages.en.t("api:services.notFound"));
  expect(() => toText({ key: "api:services.missing" })).toThrow("is not translated");
  logError.mockRestore();
});

it("OPTIONS lists the methods of every path, and other methods are rejected with the same list", async () => {
  for (const { path, method } of CALLS) {
    const url = fullPath(path).replaceAll(/\{\w+\}/g, "x");
    const response = await sendRequest("OPTIONS", url, { authorization: "" });
    expect([response.status, await response.text()], path).toEqual([204, ""]);
    const allow = response.headers.get("allow") ?? "";
    expect(allow.split(", "), path).toEqual(expect.arrayContaining([method, "OPTIONS"]));
    // A literal path must not match another path's id parameter.
    const methods = CALLS.filter((call) => call.path === path).map((call) => call.method);
    if (!path.includes("{"))
      expect(new Set(allow.split(", ")), path).toEqual(
        new Set([...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"]),
      );
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
    const rejected = await sendRequest("PATCH", url, { authorization: "" });
    expect([rejected.status, rejected.headers.get("allow")], path).toEqual([405, allow]);
  }
});

it("every change by cookie from another site is rejected, and every read supports HEAD without a body", async () => {
  const cookie = `__Host-session-ticket=${ticket}`;
  const before = testApp.spy.statements.length;
  for (const { path, method, who } of CALLS.filter(({ who }) => who === "user")) {
    const url = `https://hiroba.test${fullPath(path).replaceAll(/\{\w+\}/g, owner.user.id)}`;
    if (method !== "GET") {
      const headers = { cookie, origin: "https://elsewhere.example", "content-type": "application/json" };
      const response = await callApi(
        testApp,
        new Request(url, { method, headers, body: method === "DELETE" ? null : "{}" }),
      );
      expect([path, who, response.status, ((await response.json()) as { code: string }).code]).toEqual([
        path,
        who,
        403,
        "cross_site",
      ]);
      continue;
    }
    const [read, head] = [
      await callApi(testApp, new Request(url, { headers: { cookie } })),
      await callApi(testApp, new Request(url, { method: "HEAD", headers: { cookie } })),
    ];
    expect([path, head.status, await head.text()]).toEqual([path, read.status, ""]);
    for (const name of ["content-type", "etag", "link", "x-total-count", "cache-control"])
      expect([path, name, head.headers.get(name)]).toEqual([path, name, read.headers.get(name)]);
    const tag = read.headers.get("etag");
    if (!tag || read.status !== 200) continue;
    const revalidated = await callApi(
      testApp,
      new Request(url, { headers: { cookie, "if-none-match": tag } }),
    );
    expect([path, revalidated.status]).toEqual([path, 304]);
  }
  const written = testApp.spy.statements
    .slice(before)
    .filter(({ sql }) => /^(insert|delete|update) /i.test(sql));
  expect(written.filter(({ sql }) => !sql.includes("sessions")).map(({ sql }) => sql)).toEqual([]);
});

it("a record is revalidated by its ETag, which changes with every change, and which a change can require", async () => {
  const { space, eventId } = await testApp.addSpace(owner, "本館");
  const recordPaths = [`/api/v1/spaces/uuid/${space.id}`, `/api/v1/events/uuid/${eventId}.json`];
  for (const path of recordPaths) {
    const firstRead = await sendRequest("GET", path);
    const tag = firstRead.headers.get("etag") ?? "";
    expect(tag, path).toMatch(/^"1-[0-9a-z]+"$/);
    for (const known of [tag, `W/${tag}`, `"x", ${tag}`, "*"]) {
      const again = await sendRequest("GET", path, { "if-none-match": known });
      expect([again.status, again.headers.get("etag"), await again.text()], known).toEqual([304, tag, ""]);
    }
    expect((await sendRequest("GET", path, { "if-none-match": '"1-other"' })).status).toBe(200);
    const head = await sendRequest("HEAD", path);
    expect([head.status, head.headers.get("etag"), await head.text()]).toEqual([200, tag, ""]);
  }

  const path = `/api/v1/events/${eventId}`;
  const tag = (await sendRequest("GET", recordPaths[1] ?? "")).headers.get("etag") ?? "";
  const changed = await sendRequest("PUT", path, { "if-match": tag }, { event_name: "新館" });
  const newTag = changed.headers.get("etag") ?? "";
  expect([changed.status, newTag]).toEqual([200, expect.stringMatching(/^"2-/)]);
  // The ETag of the record is the same for all methods.
  expect((await sendRequest("GET", recordPaths[1] ?? "", { "if-none-match": newTag })).status).toBe(304);

  const stale = await sendRequest("PUT", path, { "if-match": tag }, { event_name: "別館" });
  expect([stale.status, await stale.json()]).toMatchObject([
    412,
    { code: "stale_version", saved: { event_name: "新館", version: 2 } },
  ]);
  expect(
    (await sendRequest("PUT", path, { "if-match": '"none-of-ours"' }, { event_name: "別館" })).status,
  ).toBe(412);
  expect(
    (await sendRequest("PUT", path, { "if-match": newTag }, { event_name: "別館", version: 1 })).status,
  ).toBe(400);
  expect((await sendRequest("PUT", path, { "if-match": "*" }, { event_name: "別館" })).status).toBe(200);
  expect(
    (await sendRequest("PUT", path, { "if-match": `"none-of-ours", "3-x"` }, { event_name: "館" })).status,
  ).toBe(200);
  // ETags of several versions are rejected, because a change starts from one state.
  const several = await sendRequest("PUT", path, { "if-match": '"4-x", "3-x"' }, { event_name: "別館" });
  expect([several.status, await several.json()]).toMatchObject([400, { code: "if_match_refused" }]);
  for (const resourcePath of [path, `/api/v1/spaces/${space.id}`])
    expect((await sendRequest("DELETE", resourcePath, { "if-match": '"9-x"' })).status, resourcePath).toBe(
      412,
    );
  expect((await sendRequest("DELETE", `/api/v1/spaces/${space.id}`, { "if-match": '"1-x"' })).status).toBe(
    200,
  );
});

it("If-Match is checked by a POST that changes a record, and rejected by calls that do not support it", async () => {
  const { space } = await testApp.addSpace(owner, "本館");
  const post = (headers: Record<string, string>, body: object) =>
    sendRequest("POST", "/api/v1/spaces", headers, body);
  const changed = await post({ "if-match": '"1-x"' }, { uuid: space.id, name: "新館" });
  expect([changed.status, changed.headers.get("etag")]).toEqual([200, expect.stringMatching(/^"2-/)]);
  const stale = await post({ "if-match": '"1-x"' }, { uuid: space.id, name: "別館" });
  expect([stale.status, await stale.json()]).toMatchObject([412, { code: "stale_version" }]);
  // The version in the body was checked, not an If-Match.
  expect((await post({ "if-match": "*" }, { uuid: space.id, name: "別館", version: 1 })).status).toBe(409);
  const tag = { "if-match": '"2-x"' };
  const sharing = `/api/v1/spaces/${space.id}/sharing`;
  for (const [rejected, code] of [
    [await post(tag, { name: "x", sid: "SxQL3iGyoDo" }), "if_match_refused"],
    [await sendRequest("PUT", sharing, tag, { group_id: "" }), "if_match_refused"],
  ] as const)
    expect([rejected.status, await rejected.json()]).toMatchObject([400, { code }]);
  expect((await sendRequest("PUT", sharing, { "if-match": "*" }, { group_id: "" })).status).toBe(200);
});

it("a change without a version applies to the saved state, also after saves in between; with an old version, or after too many saves, it returns 409", async () => {
  const { eventId } = await testApp.addSpace(owner, "本館");
  const { events } = testApp.services;
  const save = async () => {
    const { event } = await events.getEvent({ ...owner, eventId });
    const eventDetail = newText(`${event.eventDetail.en}+`);
    const values = { ...event, eventDetail, publishPassword: { action: "keep" } };
    await events.updateEvent({ ...owner, eventId, values: values as never });
  };
  let savesLeft = 2;
  const value = {
    ...events,
    updateEvent: (input: never) =>
      (savesLeft-- > 0 ? save() : Promise.resolve()).then(() => events.updateEvent(input)),
  };
  const services = Object.create(testApp.services, { events: { value } });
  const put = (body: object) =>
    handleApi(
      new Request(`https://hiroba.test/api/v1/events/${eventId}`, {
        method: "PUT",
        headers: { authorization: `Bearer ${ticket}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
      { ...apiContext(testApp), services },
    );
  const changed = await put({ event_name: "新館" });
  expect([changed.status, await changed.json()]).toMatchObject([
    200,
    { event_name: "新館", event_detail: "++", version: 4 },
  ]);
  savesLeft = 1;
  expect((await put({ event_name: "別館", version: 4 })).status).toBe(409);
  savesLeft = 99;
  expect((await put({ event_name: "別館" })).status).toBe(409);
});

it("a deletion with an old version is attempted once", async () => {
  const { eventId } = await testApp.addSpace(owner);
  const { events } = testApp.services;
  let attempts = 0;
  const deleteEvent = (input: never) => {
    attempts++;
    return events.deleteEvent(input);
  };
  const services = Object.create(testApp.services, { events: { value: { ...events, deleteEvent } } });
  const request = new Request(`https://hiroba.test/api/v1/events/${eventId}`, {
    method: "DELETE",
    headers: { authorization: `Bearer ${ticket}`, "if-match": '"9-x"' },
  });
  const response = await handleApi(request, { ...apiContext(testApp), services });
  expect([response.status, attempts]).toEqual([412, 1]);
});

it("accounts and groups are not moved to the trash with another version than the current one", async () => {
  const admin = await testApp.addUser({ email: "admin@demo.example", role: "admin" });
  const { groups, users: people, sessions } = testApp.services;
  const { email } = admin.user;
  ({ ticket } = await sessions.logIn({ email, password: PASSWORD, userAgent: "", network: "1" }));
  const group = await groups.createGroup({ ...admin, name: "広報" });
  await expect(groups.deleteGroup({ ...admin, groupId: group.id, version: 9 })).rejects.toMatchObject({
    code: "stale_version",
    saved: { id: group.id },
  });
  const change = { kind: "delete" } as const;
  const userIds = [owner.user.id];
  const [result] = await people.changeUsers({ ...admin, userIds, change, version: 9 });
  expect(result?.rejection).not.toBeNull();
  for (const path of [`/api/v1/groups/${group.id}`, `/api/v1/users/${owner.user.id}`]) {
    const stale = await sendRequest("DELETE", path, { "if-match": '"9-x"' });
    expect([stale.status, await stale.json()], path).toMatchObject([412, { saved: { version: 1 } }]);
    expect((await sendRequest("DELETE", path, { "if-match": '"1-x"' })).status, path).toBe(200);
  }
});

it("a deletion with another version than the saved one has no effect", async () => {
  const { services, binding } = testApp;
  const { actor } = owner;
  const { space, eventId } = await testApp.addSpace(owner);
  await services.events.createEvent({ actor, spaceId: space.id, eventName: newText("二つ目") });
  const folder = await services.tree.createFolder({ actor, folderType: "space", name: "館" });
  const selection = { space: [space.id] };
  await services.tree.moveItems({ actor, selection, folderId: folder.id });
  const entries = async () =>
    (await binding
      .prepare("SELECT count(*) AS n FROM audit WHERE action LIKE '%deleted'")
      .first("n")) as number;
  const remove = (id: string, version: number) =>
    services.tree.deleteItems({ actor, selection: { folder: [id] }, version });
  expect(await remove(folder.id, 9)).toMatchObject([{ rejection: "gone" }]);
  await expect(services.events.deleteEvent({ actor, eventId, version: 9 })).rejects.toMatchObject({
    code: "stale_version",
    saved: { id: eventId, version: 1 },
  });
  expect((await services.spaces.getSpace({ actor, spaceId: space.id })).folderId).toBe(folder.id);
  expect(await entries()).toBe(0);
  await services.events.deleteEvent({ actor, eventId, version: 1 });
  expect(await remove(folder.id, 1)).toMatchObject([{ rejection: null }]);
  await expect(services.spaces.getSpace({ actor, spaceId: space.id })).rejects.toMatchObject({
    kind: "not_found",
  });
  expect(await entries()).toBe(2);
});

it("events without a page number are paged by cursor, also when events are added or removed meanwhile", async () => {
  const { services } = testApp;
  const { actor } = owner;
  const { space, eventId } = await testApp.addSpace(owner);
  const created = [eventId];
  for (const eventName of ["二", "三", "四", "五", "六"])
    created.unshift(
      (await services.events.createEvent({ actor, spaceId: space.id, eventName: newText(eventName) })).id,
    );
  for (const [list, addedName] of [
    ["/api/v1/events", "七"],
    [`/api/v1/events/space_uuid/${space.id}`, "八"],
  ] as const) {
    const readPage = async (path: string) => {
      const response = await sendRequest("GET", path);
      const items = (await response.json()) as { uuid: string }[];
      expect([path, response.status, items]).toMatchObject([path, 200, expect.any(Array)]);
      const next = /<([^>]+)>; rel="next"/.exec(response.headers.get("link") ?? "")?.[1];
      return { ids: items.map(({ uuid }) => uuid), next, total: response.headers.get("x-total-count") };
    };
    const all = (await readPage(list)).ids;
    expect([...all].sort()).toEqual([...created].sort());
    const first = await readPage(`${list}?limit=2`);
    expect(first).toMatchObject({ ids: all.slice(0, 2), total: String(all.length) });
    expect(first.next).toContain("cursor=after");
    // Deletes the cursor's own item and adds a new item before it.
    await services.events.deleteEvent({ actor, eventId: all[1] ?? "" });
    testApp.time.now += 1000;
    const addedEvent = { actor, spaceId: space.id, eventName: newText(addedName) };
    created.push((await services.events.createEvent(addedEvent)).id);
    const secondPage = await readPage(first.next ?? "");
    expect(secondPage.ids).toEqual(all.slice(2, 4));
    const thirdPage = await readPage(secondPage.next ?? "");
    expect([thirdPage.ids, thirdPage.next]).toEqual([all.slice(4), undefined]);
    expect((await readPage(`${list}?limit=2&page=1`)).next).toContain("page=2");
    expect((await sendRequest("GET", `${list}?page=2&cursor=after~${eventId}`)).status).toBe(400);
    created.splice(created.indexOf(all[1] ?? ""), 1);
  }
});

it("events without a limit are all streamed, also when they do not fit into one part", async () => {
  const { services } = testApp;
  const { actor } = owner;
  await testApp.addSpace(owner, "本館");
  for (let i = 0; i < 3; i++) {
    const { space } = await testApp.addSpace(owner, `館${i}`);
    for (let n = 1; n < 40; n++)
      await services.events.createEvent({ actor, spaceId: space.id, eventName: newText(`催し${n}`) });
  }
  const response = await sendRequest("GET", "/api/v1/events");
  const items = (await response.json()) as { uuid: string }[];
  expect([items.length, response.headers.get("x-total-count"), response.headers.get("link")]).toEqual([
    121,
    "121",
    null,
  ]);
  const ids = items.map(({ uuid }) => uuid);
  expect(new Set(ids).size).toBe(121);
  const firstPage = (await (await sendRequest("GET", "/api/v1/events?limit=100")).json()) as {
    uuid: string;
  }[];
  expect(ids.slice(0, 100)).toEqual(firstPage.map(({ uuid }) => uuid));
  expect(((await (await sendRequest("GET", "/api/v1/events?page=1")).json()) as unknown[]).length).toBe(20);

  const { authenticatedReads } = services;
  const { readEvents } = authenticatedReads;
  const readAll = () => sendRequest("GET", "/api/v1/events").then((list) => list.json());
  /** Calls `change` before the second part of a list is read. */
  const changeAfterFirstPart = (change: (lastId: string) => Promise<unknown>) => {
    let parts = 0;
    authenticatedReads.readEvents = async (input) => {
      if (++parts === 2 && "id" in input.cursor) await change(input.cursor.id);
      return readEvents(input);
    };
  };
  try {
    // A part that cannot be read must not make the list look complete.
    changeAfterFirstPart(() => Promise.reject(new Error("D1 is down")));
    await expect(readAll()).rejects.toThrow();
    // An empty part must not make the list look complete if the row of its cursor was deleted.
    changeAfterFirstPart(async (id) => {
      await testApp.db.delete(eventNames).where(eq(eventNames.eventId, id));
      await testApp.db.delete(events).where(eq(events.id, id));
    });
    await expect(readAll()).rejects.toThrow();
    // The list is complete if all further events were deleted.
    changeAfterFirstPart(async (lastId) => {
      const deletedIds = [lastId, ...ids.slice(101)];
      await testApp.db
        .update(events)
        .set({ deletedAt: testApp.currentInstant() })
        .where(inArray(events.id, deletedIds));
    });
    expect(await readAll()).toHaveLength(100);
  } finally {
    authenticatedReads.readEvents = readEvents;
  }
});

it("a caller above the limit learns when to retry, and other callers are not affected", async () => {
  const callCounts = new Map<string, number>();
  const countCall = async (caller: string) => {
    callCounts.set(caller, (callCounts.get(caller) ?? 0) + 1);
    return (callCounts.get(caller) ?? 0) <= 2;
  };
  const context = { ...apiContext(testApp), countCall, countInvalidToken: countCall };
  const sendFrom = async (authorization: string, ipAddress: string, path = "/api/v1/folders") => {
    const headers = { "cf-connecting-ip": ipAddress, ...(authorization && { authorization }) };
    return handleApi(new Request(`https://hiroba.test${path}`, { headers }), context);
  };
  const statuses = async (authorization: string, ipAddress: string) => {
    const responses = [];
    for (let i = 0; i < 3; i++) responses.push(await sendFrom(authorization, ipAddress));
    return responses.map(({ status }) => status);
  };
  const ownBearer = `Bearer ${ticket}`;
  expect(await statuses(ownBearer, "192.0.2.1")).toEqual([200, 200, 429]);
  const rejected = await sendFrom(ownBearer, "192.0.2.1");
  expect(rejected.headers.get("retry-after")).toBe("60");
  expect(await rejected.json()).toMatchObject({ status: 429, code: "rate_limited" });
  // Another session in the same network, and visitors.
  const { email } = owner.user;
  const other = await testApp.services.sessions.logIn({
    email,
    password: PASSWORD,
    userAgent: "",
    network: "1",
  });
  expect((await sendFrom(`Bearer ${other.ticket}`, "192.0.2.1")).status).toBe(200);
  expect(await statuses("", "192.0.2.1")).toEqual([401, 401, 429]);
  // The limit is independent of the header's spelling.
  expect((await sendFrom(`bEARER   ${ticket}`, "192.0.2.1")).status).toBe(429);
  // A value without the form of a ticket counts against the network, also for calls without authentication.
  const documentStatus = async (authorization: string, ipAddress: string) =>
    (await sendFrom(authorization, ipAddress, "/api/openapi.json")).status;
  const nonsense = ["Bearer x", "Basic abc", "Bearer y z"];
  expect(await Promise.all(nonsense.map((header) => documentStatus(header, "192.0.2.3")))).toEqual([
    200, 200, 429,
  ]);
  // Invalid tokens can be invented in any number, so they count against their network, from which unknown callers are then blocked before D1 is queried.
  const inventedBearer = (n: number) => `Bearer ${String(n).repeat(43)}`;
  const flood = async (ipAddress: string, send: (n: number) => Promise<number>) => {
    const results = [];
    for (const n of [1, 2, 3]) results.push(await send(n));
    const roundTrips = await testApp.countRoundTrips(async () =>
      results.push((await sendFrom(inventedBearer(4), ipAddress)).status),
    );
    return [...results, roundTrips];
  };
  const folderStatus = async (n: number) => (await sendFrom(inventedBearer(n), "192.0.2.2")).status;
  expect(await flood("192.0.2.2", folderStatus)).toEqual([401, 401, 401, 429, 0]);
  expect(await flood("192.0.2.4", (n) => documentStatus(inventedBearer(n), "192.0.2.4"))).toEqual([
    200, 200, 200, 429, 0,
  ]);
  // A caller that this isolate already knows is still accepted, and others are accepted after a minute.
  callCounts.clear();
  expect((await sendFrom(`Bearer ${other.ticket}`, "192.0.2.2")).status).toBe(200);
  expect(await documentStatus(`Bearer ${other.ticket}`, "192.0.2.2")).toBe(200);
  expect([...callCounts]).toEqual([[expect.stringMatching(/^caller:/), 2]]);
  expect((await sendFrom(inventedBearer(5), "192.0.2.2")).status).toBe(429);
  testApp.time.now += 60_000;
  expect((await sendFrom(inventedBearer(5), "192.0.2.2")).status).toBe(401);
  expect(JSON.stringify([...callCounts.keys()])).not.toContain(ticket);
});

it("a body with a duplicate or forbidden name is rejected beside that name", async () => {
  const post = (body: string) => sendRequest("POST", "/api/v1/folders", {}, body);
  const duplicate = await post('{"name":"a","name":"b"}');
  expect([duplicate.status, await duplicate.json()]).toMatchObject([
    400,
    { code: "invalid", errors: [{ field: "name", message: "This name appears twice." }] },
  ]);
  const rejected = await post('{"name":"a","constructor":{}}');
  expect(await rejected.json()).toMatchObject({ code: "invalid", errors: [{ field: "constructor" }] });
  const deep = await post(`{"name":${"[".repeat(10_000)}${"]".repeat(10_000)}}`);
  expect(await deep.json()).toMatchObject({ status: 400, code: "invalid_json" });
  expect(
    (await testApp.services.tree.listFolders({ ...owner, ownerId: owner.user.id, folderType: "space" }))
      .length,
  ).toBe(1);
  // A parameter that accepts one value.
  expect((await sendRequest("GET", "/api/v1/events?page=1&page=2")).status).toBe(400);
});

it("the OpenAPI document may be cached for a minute, and is revalidated by its ETag", async () => {
  const get = (headers = {}) =>
    handleApi(new Request("https://hiroba.test/api/openapi.json", { headers }), apiContext(testApp));
  const firstResponse = await get();
  expect([firstResponse.status, firstResponse.headers.get("cache-control")]).toEqual([
    200,
    "public, max-age=60",
  ]);
  expect(Object.keys(((await firstResponse.json()) as { paths: object }).paths).length).toBeGreaterThan(40);
  const etag = firstResponse.headers.get("etag");
  for (const header of [etag, `W/${etag}`, `"other", ${etag}`, "*"])
    expect((await get({ "if-none-match": header })).status, String(header)).toBe(304);
  expect((await get({ "if-none-match": '"other"' })).status).toBe(200);
});

it("an authorized read by uuid, and a list of events, takes one round trip", async () => {
  const { space, eventId } = await testApp.addSpace(owner, "本館");
  const stranger = await testApp.addUser({ email: "stranger@demo.example" });
  const strangerSession = await testApp.services.sessions.logIn({
    email: stranger.user.email,
    password: PASSWORD,
    userAgent: "",
    network: "1",
  });
  const group = await testApp.addGroup(stranger);
  for (const path of ["/api/v1/events?limit=100", `/api/v1/events/space_uuid/${space.id}?page=2`])
    expect(
      await testApp.countRoundTrips(async () => expect((await sendRequest("GET", path)).status).toBe(200)),
      path,
    ).toBe(1);
  for (const path of [`/api/v1/spaces/uuid/${space.id}`, `/api/v1/events/uuid/${eventId}`]) {
    const getWithToken = (token: string) => sendRequest("GET", path, { authorization: `Bearer ${token}` });
    expect(
      await testApp.countRoundTrips(async () => expect((await getWithToken(ticket)).status).toBe(200)),
      path,
    ).toBe(1);
    expect((await getWithToken(strangerSession.ticket)).status).toBe(404);
    expect((await getWithToken("A".repeat(43))).status).toBe(401);
    expect((await sendRequest("GET", path.replace(/[^/]+$/, owner.user.id))).status).toBe(404);
  }
  await testApp.db.update(spaces).set({ groupId: group.id }).where(eq(spaces.id, space.id));
  const shared = await sendRequest("GET", `/api/v1/events/uuid/${eventId}`, {
    authorization: `Bearer ${strangerSession.ticket}`,
  });
  expect([shared.status, await shared.json()]).toMatchObject([200, [{ uuid: eventId, event_name: "本館" }]]);

  await testApp.db.update(users).set({ status: "BLOCKED" }).where(eq(users.id, owner.user.id));
  expect((await sendRequest("GET", `/api/v1/spaces/uuid/${space.id}`)).status).toBe(401);
});
