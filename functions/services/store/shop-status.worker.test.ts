import { beforeEach, expect, it } from "vitest";
import { catchErrorCode, type TestUser, useTestApp } from "../../../tests/support/app/test-app";
import {
  DEMO_STORE_TOKEN,
  faultHost,
  NO_CHOICE,
  STORE_ORIGIN,
} from "../../../tests/support/external/demo-store";
import { REFRESH_MS, WRITE_MS } from "../../storefront/store-reports";

const testApp = useTestApp();
let owner: TestUser;
let eventId: string;
beforeEach(async () => {
  owner = await testApp.addUser();
  ({ eventId } = await testApp.addSpace(owner));
  const store = { spStoreUrl: STORE_ORIGIN, spAccessToken: DEMO_STORE_TOKEN };
  await testApp.setEvent(eventId, { statusId: 3, enableAutoChangeStatus: false, ...store });
});
const awaitDeferred = async () => {
  while (testApp.deferred.length > 0) await Promise.allSettled(testApp.deferred.splice(0));
};
const readResponses = () => testApp.data.storeResponses.read(eventId, STORE_ORIGIN);
const readProduct = async (handle = "seigaiha-tenugui") => {
  const token = (await testApp.services.events.getEvent({ actor: owner.actor, eventId })).event.accessToken;
  const reader = { link: { eventId, mode: "published" as const, token } };
  const productId = testApp.store.product(handle).id;
  const code = await catchErrorCode(
    testApp.services.shop.readProduct({ reader, lang: "ja", country: null, productId, choice: NO_CHOICE }),
  );
  await awaitDeferred();
  return code;
};
const createCart = async () => {
  const reader = { actor: owner.actor, eventId };
  await testApp.services.shop.createCart({ reader, lang: "ja", country: null });
  await awaitDeferred();
};

it("the last response and the last failure of a store are stored when they change, at most once a minute each, and unchanged ones every ten minutes", async () => {
  await createCart();
  const first = (await readResponses()).response;
  expect(first).toMatchObject({ at: testApp.time.now, operation: "cartCreate", status: 200, code: null });
  testApp.time.now += WRITE_MS - 1;
  await createCart();
  expect((await readResponses()).response).toEqual(first);
  testApp.time.now += 1;
  await createCart();
  expect((await readResponses()).response).toEqual(first);
  testApp.time.now = (first?.at ?? 0) + REFRESH_MS;
  await createCart();
  expect((await readResponses()).response?.at).toBe(testApp.time.now);
  // A failure is stored at once.
  testApp.time.now += 1_000;
  testApp.store.fail("503");
  expect(await readProduct()).toBe("store_retries");
  const { failure } = await readResponses();
  expect(failure).toMatchObject({ at: testApp.time.now, operation: "product", status: 503, attempts: 3 });
  expect(failure?.message).toContain("Attempted maximum number of 2 network retries");
  expect(JSON.stringify(await readResponses())).not.toContain(DEMO_STORE_TOKEN);
  // A later success is stored, too, a minute after the last write.
  testApp.store.reset();
  testApp.time.now += WRITE_MS;
  await createCart();
  expect((await readResponses()).response?.at).toBe(testApp.time.now);
});

it("the last response and failure are available to users who may edit the event, for its current store only", async () => {
  await testApp.setEvent(eventId, { spStoreUrl: `https://${faultHost("access-denied")}` });
  expect(await readProduct()).toBe("store_access_denied");
  const status = (actor = owner.actor) => testApp.services.shop.readStoreStatus({ actor, eventId });
  expect(await status()).toMatchObject({
    response: null,
    failure: { code: "access_denied", scope: "unauthenticated_read_product_listings" },
  });
  expect(await catchErrorCode(status((await testApp.addUser()).actor))).toBe("not_found");
  // A connection test of another, unsaved store does not affect this one.
  await testApp.services.shop.testConnection({
    actor: owner.actor,
    eventId,
    storeUrl: STORE_ORIGIN,
    token: DEMO_STORE_TOKEN,
  });
  await awaitDeferred();
  expect((await status()).response).toBeNull();
  await testApp.setEvent(eventId, { spStoreUrl: STORE_ORIGIN });
  expect(await status()).toEqual({ response: null, failure: null });
});
