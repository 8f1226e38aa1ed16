import { randomUUID } from "node:crypto";
import { beforeEach, expect, it } from "vitest";
import { changeFromJson, type Json, resultFromJson } from "~/domain/content/content-json";
import { newText } from "~/domain/events/event-texts";
import { callApi } from "../../../tests/support/api/test-api";
import { PASSWORD, type TestUser, useTestApp } from "../../../tests/support/app/test-app";

const testApp = useTestApp();
let owner: TestUser;
let ticket: string;
let eventId: string;

const logIn = async (email: string) =>
  (await testApp.services.sessions.logIn({ email, password: PASSWORD, userAgent: "", network: "1" })).ticket;

beforeEach(async () => {
  owner = await testApp.addUser({ email: "owner@demo.example" });
  ticket = await logIn("owner@demo.example");
  ({ eventId } = await testApp.addSpace(owner));
});

async function call(method: string, path: string, body?: unknown, bearer: string | null = ticket) {
  const request = new Request(`https://hiroba.test/api${path}`, {
    method,
    headers: {
      ...(bearer !== null && { authorization: `Bearer ${bearer}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    body: body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body),
  });
  const response = await callApi(testApp, request);
  // biome-ignore lint/suspicious/noExplicitAny: the type depends on the call
  return { status: response.status, json: (await response.json()) as any };
}
const send = (commands: unknown) => call("POST", `/v1/events/${eventId}/content`, { commands });

it("an editor sends commands, reads the content, and polls changes", async () => {
  const item = await testApp.addItem(owner, { webUrl: null });
  const [tag, mediaId] = [randomUUID(), randomUUID()];
  const viewpoint = { position: [0, 1.6, 0], yaw: 0, pitch: 0, mode: "walk", node_id: "n0" };
  const stop = { uuid: randomUUID(), tag_uuid: tag, viewpoint, title: { ja: "一" }, text: {}, seconds: 5 };
  const response = await send([
    { op: "create_media", uuid: mediaId, values: { library_item_uuid: item.id, title: { en: "Poster" } } },
    {
      op: "create_tag",
      uuid: tag,
      values: {
        title: { en: "Desk" },
        link_url: "https://example.com",
        media_uuids: [mediaId],
        product: { id: "gid://shopify/Product/1", title: "Cloth" },
        viewpoint,
      },
    },
    {
      op: "update_scene",
      version: 0,
      values: {
        start_view: viewpoint,
        tour: [stop],
        plan: { media_uuid: mediaId, center: [0, 0], width: 9 },
      },
    },
    { op: "move_tags", uuids: [tag], before_uuid: null },
    { op: "update_tag", uuid: tag, version: 9, values: { link_url: "nowhere", viewpoint: { yaw: "x" } } },
    { op: "update_tag", uuid: tag, version: 9, values: { hidden: true } },
  ]);
  expect(response.status).toBe(200);
  expect(response.json.results).toMatchObject([
    {
      ok: true,
      uuid: mediaId,
      version: 1,
      type: "media",
      item: { library_item_uuid: item.id, hidden: false },
    },
    { ok: true, uuid: tag, item: { link_url: "https://example.com/", media_uuids: [mediaId], viewpoint } },
    {
      ok: true,
      uuid: eventId,
      version: 1,
      type: "scene",
      item: { tour: [stop], plan: { media_uuid: mediaId } },
    },
    { ok: true, uuid: eventId, type: "order", item: [tag], places: [1] },
    {
      ok: false,
      reason: "invalid",
      errors: {
        link_url: ["shared-owners:errors.linkUrl.invalid"],
        viewpoint: ["shared-owners:errors.field.position"],
      },
    },
    { ok: false, uuid: tag, reason: "stale", saved: { type: "tag", item: { uuid: tag, version: 1 } } },
  ]);

  const read = await call("GET", `/v1/events/${eventId}/content`);
  // Parsing the response restores the service's result.
  const content = await testApp.services.content.getContent({ actor: owner.actor, eventId });
  const itemFromJson = (type: string) => (item: Json) =>
    (resultFromJson({ ok: true, uuid: item.uuid, version: item.version, type, item }) as { item: unknown })
      .item;
  const { tags, media, scene, seq } = read.json;
  expect(content).toEqual({
    tags: tags.map(itemFromJson("tag")),
    media: media.map(itemFromJson("media")),
    scene: itemFromJson("scene")(scene),
    seq,
    trashed: [],
  });
  expect(read.json.seq).toBe(response.json.seq);
  expect(response.json.results.map(resultFromJson)).toMatchObject([
    { type: "media", item: content.media[0] },
    { type: "tag", item: content.tags[0] },
    { type: "scene", item: content.scene },
    { type: "order", item: new Map([[tag, 1]]) },
    { errors: { linkUrl: ["shared-owners:errors.linkUrl.invalid"] } },
    { saved: { type: "tag", item: content.tags[0] } },
  ]);
  const { json } = await call("GET", `/v1/events/${eventId}/changes?after=0`);
  const input = { actor: owner.actor, eventId, after: 0 };
  expect(json.changes.map(changeFromJson)).toEqual(
    (await testApp.services.content.readChanges(input)).changes,
  );
  expect(json).toMatchObject({ seq: read.json.seq, more: false });
  expect(json.changes.map((change: { act: string }) => change.act)).toEqual([
    response.json.act,
    response.json.act,
    response.json.act,
  ]);
  expect((await call("GET", `/v1/events/${eventId}/changes?after=${json.seq}`)).json.changes).toEqual([]);
});

it("tags and media are also created, changed and deleted one at a time", async () => {
  const item = await testApp.addItem(owner);
  const mediaItem = await call("POST", "/v1/event_media.json/", {
    event_uuid: eventId,
    library_item_uuid: item.id,
    title: { ja: "絵" },
  });
  expect(mediaItem).toMatchObject({ status: 201, json: { event_uuid: eventId, kind: "image", version: 1 } });
  const tag = await call("POST", "/v1/event_tags.json/", {
    event_uuid: eventId,
    title: { ja: "受付" },
    media_uuids: [mediaItem.json.uuid],
  });
  expect(tag).toMatchObject({ status: 201, json: { media_uuids: [mediaItem.json.uuid], hidden: false } });
  const path = `/v1/event_tags/${tag.json.uuid}`;
  expect(await call("PUT", `${path}.json`, { ...tag.json, title: { en: "Desk" } })).toMatchObject({
    status: 200,
    json: { title: { ja: "", en: "Desk" }, version: 2 },
  });
  expect(await call("PUT", path, { color: "#ffffff" })).toMatchObject({ json: { version: 3 } });
  const stale = await call("PUT", path, { version: 1, color: "#000000" });
  expect(stale).toMatchObject({
    status: 409,
    json: { saved: { color: "#ffffff" }, submitted: { color: "#000000" } },
  });
  expect(await call("PUT", path, { color: "blue", link_url: "x" })).toMatchObject({
    status: 400,
    json: { errors: [{ field: "color" }, { field: "link_url" }] },
  });
  const fetched = await call("GET", `/fetch_event_tags/event_uuid/${eventId}`);
  expect(fetched.json).toMatchObject([{ uuid: tag.json.uuid, version: 3, hidden: false, product: null }]);

  const otherEventId = (await testApp.addSpace(owner)).eventId;
  expect((await call("DELETE", `${path}?event_uuid=${otherEventId}`)).status).toBe(404);
  expect((await call("PUT", path, { event_uuid: otherEventId, color: "#000000" })).status).toBe(404);
  expect(await call("DELETE", `${path}?event_uuid=${eventId}`)).toMatchObject({
    json: { status: "success" },
  });
  expect((await call("DELETE", path)).status).toBe(404);
  expect((await call("PUT", path, { color: "#000000" })).status).toBe(404);
  expect((await call("DELETE", `/v1/event_media/${tag.json.uuid}`)).status).toBe(404);
  const mediaItemPath = `/v1/event_media/${mediaItem.json.uuid}`;
  expect(await call("PUT", mediaItemPath, { title: { en: "Poster" } })).toMatchObject({
    json: { version: 2 },
  });
  expect((await call("DELETE", mediaItemPath)).status).toBe(200);
});

it("visitors receive no hidden items through either link", async () => {
  const [visibleId, hidden] = [randomUUID(), randomUUID()];
  const item = await testApp.addItem(owner);
  await send([
    { op: "create_tag", uuid: visibleId, values: { title: { ja: "表" } } },
    { op: "create_tag", uuid: hidden, values: { title: { ja: "裏" }, hidden: true } },
    {
      op: "create_media",
      uuid: randomUUID(),
      values: { library_item_uuid: item.id, title: { ja: "裏" }, hidden: true },
    },
    {
      op: "update_scene",
      version: 0,
      values: {
        tour: [visibleId, hidden].map((id) => ({ uuid: randomUUID(), tag_uuid: id, title: {}, text: {} })),
      },
    },
  ]);
  await testApp.setStatus(eventId, 3);
  const { event } = await testApp.services.events.getEvent({ actor: owner.actor, eventId });
  for (const [mode, token] of [
    ["publish", event.accessToken],
    ["preview", event.previewAccessToken],
  ]) {
    const responses = await Promise.all(
      [
        `/fetch_event_tags/event_uuid/${eventId}?token=${token}`,
        `/fetch_event_media/event_uuid/${eventId}?token=${token}`,
        `/fetch_${mode}_event/${eventId}/${token}`,
      ].map((path) => call("GET", path, undefined, null)),
    );
    expect(JSON.stringify(responses)).not.toMatch(new RegExp(`${hidden}|裏|hidden|version`));
    expect(responses[0]?.json).toMatchObject([{ uuid: visibleId }]);
    expect(responses[1]?.json).toEqual([]);
    expect(responses[2]?.json.scene.tour).toMatchObject([{ tag_uuid: visibleId }]);
  }
});

it("a tag is copied to another event of the space", async () => {
  const tag = randomUUID();
  await send([{ op: "create_tag", uuid: tag, values: { title: { ja: "受付" } } }]);
  const { event } = await testApp.services.events.getEvent({ actor: owner.actor, eventId });
  const other = await testApp.services.events.createEvent({
    actor: owner.actor,
    spaceId: event.spaceId,
    eventName: newText("隣"),
  });
  const copy = (body: object) => call("POST", `/v1/events/${eventId}/content/copy`, body);
  expect(await copy({ event_uuid: other.id, tag_uuids: [tag] })).toMatchObject({
    status: 201,
    json: { results: [{ ok: true, copy_of: tag, item: { event_uuid: other.id } }] },
  });
  expect((await copy({ event_uuid: randomUUID(), tag_uuids: [tag] })).status).toBe(404);
  expect((await copy({ event_uuid: other.id, tag_uuids: ["x"] })).status).toBe(400);
});

it("invalid input is rejected and not stored", async () => {
  const stranger = await testApp.addUser({ email: "stranger@demo.example" });
  const strangerTagId = await testApp.addTag((await testApp.addSpace(stranger)).eventId);
  const path = `/v1/events/${eventId}/content`;
  for (const body of [{}, { commands: {} }, { commands: "x" }, { commands: null }])
    expect((await call("POST", path, body)).status).toBe(400);
  expect((await call("POST", path, "[1]")).status).toBe(400);
  expect((await call("POST", path, "{")).status).toBe(400);
  expect((await call("POST", path, { commands: Array(101).fill(null) })).status).toBe(400);
  expect((await call("POST", path, { commands: ["x".repeat(1_100_000)] })).status).toBe(413);
  expect((await call("POST", path, { commands: [] }, null)).status).toBe(401);
  const strangerTicket = await logIn("stranger@demo.example");
  for (const url of [path, `/v1/events/${eventId}/changes`])
    expect((await call("GET", url, undefined, strangerTicket)).status).toBe(404);
  expect((await call("POST", path, { commands: [] }, strangerTicket)).status).toBe(404);
  for (const after of ["x", "-1", "1.5", "9".repeat(20)])
    expect((await call("GET", `/v1/events/${eventId}/changes?after=${after}`)).status).toBe(400);

  const id = randomUUID();
  // JSON has no NaN, so invalid numbers are sent as texts and as far too large numbers.
  const wrong = [
    ...["NaN", "Infinity", 1e308, "1e999", null, true, {}, [[]], "x".repeat(900)].map((x) => ({
      position: [x, 0, 0],
    })),
    { title: "x" },
    { title: { ja: 1 } },
    { body: { ja: "x".repeat(2001) } },
    { body: [] },
    { color: 1 },
    { icon: "../x" },
    { keywords: { length: 1e9 } },
    { keywords: Array(500).fill("x") },
    { link_url: "javascript:alert(1)" },
    { stem: "up" },
    { viewpoint: [] },
    { viewpoint: { position: [0, 0, 0], yaw: 0, pitch: 9, mode: "walk" } },
    { media_uuids: [strangerTagId] },
    { media_uuids: "x" },
    { media_uuids: Array(51).fill(id) },
    { product: "x" },
    { product: { id: "gid://evil/Product/1" } },
    { product: { id: "gid://shopify/Product/1", title: [] } },
    { hidden: "maybe" },
  ];
  const commands = wrong.map((values) => ({
    op: "create_tag",
    uuid: randomUUID(),
    values: { title: { ja: "題" }, ...values },
  }));
  const { status, json } = await send(commands);
  expect(status).toBe(200);
  expect(json.results.map(({ reason }: { reason: string }, i: number) => [wrong[i], reason])).toEqual(
    wrong.map((values) => [values, "invalid"]),
  );
  const proto = `{"op":"create_tag","uuid":"${id}","__proto__":{"op":"delete"},"values":{"title":{"ja":"題","__proto__":{"en":"x"}},"__proto__":{"color":"#ff0000"},"constructor":{"prototype":{"x":1}}}}`;
  expect(await call("POST", path, `{"commands":[${proto}]}`)).toMatchObject({
    status: 400,
    json: { code: "invalid", errors: [{ field: "commands.0.__proto__" }] },
  });
  await send([{ op: "create_tag", uuid: id, values: { title: { ja: "題" } } }]);
  expect(({} as Record<string, unknown>).x).toBeUndefined();
  const wrongScenes = [
    { tour: {} },
    { tour: [1] },
    { tour: [{ uuid: id, tag_uuid: strangerTagId, title: {}, text: {} }] },
    { tour: Array(101).fill({}) },
    { tour: [{ uuid: id, tag_uuid: id, seconds: 0 }] },
    {
      tour: [
        { uuid: id, tag_uuid: id },
        { uuid: id, tag_uuid: id },
      ],
    },
    { plan: 1 },
    { plan: { media_uuid: strangerTagId, center: [0, 0], width: 1 } },
    { plan: { media_uuid: id, center: [0, "x"], width: 1 } },
    { start_view: 1 },
  ];
  const rejected = await send(wrongScenes.map((values) => ({ op: "update_scene", version: 0, values })));
  expect(rejected.json.results.map(({ reason }: { reason: string }) => reason)).toEqual(
    wrongScenes.map(() => "invalid"),
  );
  expect((await call("GET", path)).json).toMatchObject({
    tags: [{ uuid: id }],
    media: [],
    scene: { version: 0 },
  });
});
