import { beforeEach, expect, it } from "vitest";
import { type ApiUser, apiUser } from "../../../tests/support/api/api-user";
import { type TestUser, useTestApp } from "../../../tests/support/app/test-app";
import { DEMO_STORE_TOKEN, STORE_ORIGIN } from "../../../tests/support/external/demo-store";

const testApp = useTestApp();
let owner: TestUser;
let call: ApiUser;
let stranger: ApiUser;
let eventId: string;
let path: string;

beforeEach(async () => {
  owner = await testApp.addUser({ email: "owner@demo.example" });
  call = await apiUser(testApp, owner);
  stranger = await apiUser(testApp, await testApp.addUser());
  ({ eventId } = await testApp.addSpace(owner));
  path = `/v1/events/${eventId}`;
});

it("an event's history is listed, its states are read and restored, and strangers and invalid parameters are rejected", async () => {
  const tag = (await call("POST", "/v1/event_tags", { event_uuid: eventId, title: { ja: "受付" } })).json;
  testApp.time.now += 3_600_000;
  await call("PUT", `/v1/event_tags/${tag.uuid}`, { title: { ja: "入口" } });
  const history = (await call("GET", `${path}/history.json`)).json;
  expect(history).toMatchObject({
    moments: [
      { actor_uuid: owner.user.id, tags: { added: 0, changed: 1, removed: 0 } },
      { tags: { added: 1, changed: 0, removed: 0 } },
    ],
    earlier: null,
  });
  const [latest, earliest] = history.moments;
  expect(await call("GET", `${path}/history/${earliest.seq}`)).toMatchObject({
    status: 200,
    json: {
      is_latest: false,
      tags: [{ uuid: tag.uuid, title: { ja: "受付" } }],
      compared_with: latest.seq,
      difference: {
        items: [{ uuid: tag.uuid, kinds: ["reworded"], texts: [{ before: "受付", after: "入口" }] }],
      },
    },
  });
  const comparisonPath = `${path}/history/${latest.seq}?compare=before&since=${earliest.seq}`;
  expect((await call("GET", comparisonPath)).json.compared_with).toBe(earliest.seq);
  expect((await call("GET", `${path}/history/${earliest.seq}/as_visitor`)).json.visit.tags).toMatchObject([
    { title: { ja: "受付" } },
  ]);
  const restored = await call("POST", `${path}/history/${earliest.seq}/restore`);
  expect(restored).toMatchObject({ status: 200, json: { from: latest.seq, changed: 1, refused: [] } });
  expect((await call("GET", `${path}/content`)).json.tags[0].title.ja).toBe("受付");
  await call("POST", `${path}/history/${restored.json.from}/restore`);
  expect((await call("GET", `${path}/content`)).json.tags[0].title.ja).toBe("入口");

  for (const [method, suffix] of [
    ["GET", "/history"],
    ["GET", "/history/1"],
    ["GET", "/history/1/as_visitor"],
    ["POST", "/history/1/restore"],
    ["GET", "/as_visitor"],
    ["GET", "/products"],
    ["GET", "/products/attached"],
  ] as const)
    expect((await stranger(method, path + suffix)).status, suffix).toBe(404);
  for (const seq of ["999999999999", "-1", "x", "1e3", "99999999999999999999"])
    expect((await call("GET", `${path}/history/${seq}`)).status, seq).toBe(404);
  for (const [suffix, field] of [
    ["/history?before=x", "before"],
    ["/history/1?compare=x", "compare"],
    ["/history/1?since=-1", "since"],
    ["/as_visitor?mode=x", "mode"],
    ["/as_visitor?at=yesterday", "at"],
  ] as const)
    expect(await call("GET", path + suffix), suffix).toMatchObject({
      status: 400,
      json: { errors: [{ field }] },
    });
});

it("the view as a visitor has the event's status and content at the given time", async () => {
  const start = "2026-04-02T00:00:00.000Z";
  await call("PUT", path, { start_date: start, event_detail: "ようこそ" });
  expect((await call("GET", `${path}/as_visitor`)).json).toMatchObject({
    at: testApp.currentInstant(),
    status_id: 1,
    visit: null,
    opens_at: start,
  });
  for (const instant of ["2026-04-02T00:00:00Z", "2026-04-02T09:00", "2026-04-03"])
    expect((await call("GET", `${path}/as_visitor?mode=preview&at=${instant}`)).json).toMatchObject({
      status_id: 3,
      visit: { event: { event_detail: "ようこそ" }, tags: [] },
    });
});

it("a store is tested, and users who edit the event list and search its products", async () => {
  const testStore = (body: object, sendAs = call) => sendAs("POST", "/v1/store/test", body);
  const store = { sp_store_url: STORE_ORIGIN, sp_access_token: DEMO_STORE_TOKEN };
  expect((await testStore({})).json).toEqual({ state: "idle", shop_name: null, code: null, message: null });
  expect((await testStore(store)).json).toMatchObject({ state: "success", shop_name: expect.any(String) });
  expect((await testStore({ ...store, sp_store_url: "ftp://x" })).json).toMatchObject({
    state: "failure",
    code: "address",
  });
  expect((await testStore({ sp_store_url: 1 })).json.errors[0].field).toBe("sp_store_url");
  expect((await testStore({ ...store, event_uuid: eventId }, stranger)).status).toBe(404);
  expect(await call("GET", `${path}/products`)).toMatchObject({
    status: 409,
    json: { code: "shop_not_ready" },
  });
  await call("PUT", path, store);
  const { products } = (await call("GET", `${path}/products?lang=en`)).json;
  expect(products.length).toBeGreaterThan(1);
  const { id, title } = products[0];
  expect(
    (await call("GET", `${path}/products?q=${encodeURIComponent(title)}&lang=en`)).json.products[0].id,
  ).toBe(id);
  expect((await call("GET", `${path}/products?after=a&before=b`)).status).toBe(400);
  await call("POST", "/v1/event_tags", { event_uuid: eventId, title: { ja: "品" }, product: { id, title } });
  expect((await call("GET", `${path}/products/attached?lang=en`)).json).toMatchObject([{ id, title }]);
});
