import { beforeEach, expect, it } from "vitest";
import { catchErrorCode, type TestUser, useTestApp } from "../../../tests/support/app/test-app";
import {
  DEMO_STORE_TOKEN,
  faultHost,
  NO_CHOICE,
  STORE_ORIGIN,
} from "../../../tests/support/external/demo-store";
import { UNCHANGED_WRITE_INTERVAL_MS, WRITE_INTERVAL_MS } from "../../storefront/store-reports";

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
const readStoredStatus = () => testApp.data.storeResponses.read(eventId, STORE_ORIGIN);
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

it("an equal response of a store is stored again after ten minutes, and a success after a failure one minute after the last stored success", async () => {
  await createCart();
  const first = (await readStoredStatus()).response;
  expect(first).toMatchObject({ at: testApp.time.now, operation: "cartCreate", status: 200, code: null });
  testApp.time.now += WRITE_INTERVAL_MS - 1;
  await createCart();
  expect((await readStoredStatus()).response).toEqual(first);
  testApp.time.now += 1;
  await createCart();
  expect((await readStoredStatus()).response).toEqual(first);
  testApp.time.now = (first?.at ?? 0) + UNCHANGED_WRITE_INTERVAL_MS;
  await createCart();
  expect((await readStoredStatus()).response?.at).toBe(testApp.time.now);
  // The first failure is stored at once, although the last success was stored a second before.
  testApp.time.now += 1_000;
  testApp.store.fail("503");
  expect(await readProduct()).toBe("store_retries");
  const { failure } = await readStoredStatus();
  expect(failure).toMatchObject({ at: testApp.time.now, operation: "product", status: 503, attempts: 3 });
  expect(failure?.message).toContain("Attempted maximum number of 2 network retries");
  expect(JSON.stringify(await readStoredStatus())).not.toContain(DEMO_STORE_TOKEN);
  // After a failure, an equal success is stored without waiting for ten minutes.
  testApp.store.reset();
  testApp.time.now += WRITE_INTERVAL_MS;
  await createCart();
  expect((await readStoredStatus()).response?.at).toBe(testApp.time.now);
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
