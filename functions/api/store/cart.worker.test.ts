import { beforeEach, expect, it } from "vitest";
import { type ApiUser, apiUser } from "../../../tests/support/api/api-user";
import { useTestApp } from "../../../tests/support/app/test-app";
import { DEMO_STORE_PRIVATE_TOKEN, STORE_ORIGIN } from "../../../tests/support/external/demo-store";

const testApp = useTestApp();
let owner: ApiUser;
let stranger: ApiUser;
let path: string;
let token: string;

beforeEach(async () => {
  const person = await testApp.addUser({ email: "owner@demo.example" });
  owner = await apiUser(testApp, person);
  stranger = await apiUser(testApp, await testApp.addUser());
  const { eventId } = await testApp.addSpace(person);
  const store = { spStoreUrl: STORE_ORIGIN, spAccessToken: DEMO_STORE_PRIVATE_TOKEN };
  await testApp.setEvent(eventId, { statusId: 3, enableAutoChangeStatus: false, ...store });
  token = (await testApp.services.events.getEvent({ actor: person.actor, eventId })).event.accessToken;
  path = `/v1/events/${eventId}/cart/lines`;
});

const variant = (handle: string) => testApp.store.product(handle).variants[0]?.id ?? "";

it("several lines are added to a new cart with one CartLinesAdd, and a line later with another", async () => {
  const lines = [
    { variant: variant("seigaiha-tenugui"), quantity: 2 },
    { variant: variant("seigaiha-postcard").split("/").at(-1) },
    { variant: variant("enso-postcard"), quantity: 5 },
  ];
  const added = await stranger("POST", path, { token, lines, lang: "en" });
  expect(added).toMatchObject({
    status: 200,
    json: {
      cart: {
        quantity: 5,
        lines: [
          { variant: variant("enso-postcard"), quantity: 2 },
          { variant: variant("seigaiha-postcard"), quantity: 1 },
          { variant: variant("seigaiha-tenugui"), quantity: 2, title: "Seigaiha Tenugui towel – Indigo" },
        ],
      },
      adjustments: [{ kind: "not_enough_stock", asked: 5, quantity: 2 }],
    },
  });
  const operations = () => testApp.store.requests.map(({ operation }) => operation);
  expect(operations()).toEqual(["CartCreate", "CartLinesAdd"]);
  const addedMore = await owner("POST", path, { cart: added.json.cart.id, lines: lines.slice(0, 1) });
  expect(addedMore).toMatchObject({ status: 200, json: { cart: { id: added.json.cart.id, quantity: 7 } } });
  expect(operations()).toEqual(["CartCreate", "CartLinesAdd", "CartLinesAdd"]);
});

it("invalid lines are named, and callers who may not see the event cannot add lines", async () => {
  const lines = [{ variant: variant("seigaiha-tenugui") }, { variant: "x" }];
  expect(await owner("POST", path, { lines })).toMatchObject({
    status: 400,
    json: { errors: [{ field: "lines.1.variant" }] },
  });
  for (const wrong of [undefined, [], "x", [null], Array(251).fill(lines[0])])
    expect((await owner("POST", path, { lines: wrong })).status).toBe(400);
  const validLines = lines.slice(0, 1);
  expect((await owner("POST", path, { lines: validLines, cart: "x" })).status).toBe(400);
  expect((await stranger("POST", path, { lines: validLines })).status).toBe(404);
  expect((await stranger("POST", path, { lines: validLines, token: "wrong" })).status).toBe(404);
  const unknownItems = [{ variant: "999999999" }];
  expect(await owner("POST", path, { lines: unknownItems })).toMatchObject({
    status: 404,
    json: { code: "shop_no_variant" },
  });
  expect(testApp.store.requests.filter(({ operation }) => operation === "CartLinesAdd")).toHaveLength(1);
});
