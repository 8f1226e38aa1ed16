import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import type { StoreFailureCode } from "~/domain/store/store";
import type { LocalProduct } from "../../../scripts/lib/local/local-product";
import { type Network, startNetwork } from "../../../scripts/lib/local/network";
import { demoPassword } from "../../../seed/demo";
import { DEMO_STORE_HOST, DEMO_STORE_TOKEN, MANY_STORE_HOST } from "../../../seed/store/hosts-and-tokens";
import { DemoStore, type Fault } from "../../../seed/store/store";
import {
  type Caller,
  caller,
  type EventJson,
  type Fields,
  fetchEvent,
  postEvent,
} from "../../support/api/caller";
import { demoIds } from "../../support/app/demo";
import { startFromSnapshot } from "../../support/app/seeded-snapshot";
import { eventTextLabel, openGroup, openPanel } from "../../support/browser/controls";
import {
  type BrowserVisit,
  describeVisit,
  EACH_LANGUAGE_AND_WIDTH_ONCE,
  submitForm,
  type VisitOptions,
  visit,
  waitForHydration,
} from "../../support/browser/visit";
import { waitForSaveState } from "../../support/browser/wait-for-save-state";
import { translateIn } from "../../support/translate";

const STORE_URL = `https://${DEMO_STORE_HOST}`;

let network: Network;
let store: DemoStore;
let local: LocalProduct;
let owner: Caller;
beforeAll(async () => {
  // A separate product, with a store whose faults do not affect other tests.
  network = await startNetwork((demoStore) => async (request) => {
    if (!DemoStore.isHost(new URL(request.url).host)) throw new Error("No such host");
    return demoStore.handle(request);
  });
  store = network.store;
  local = await startFromSnapshot(inject("snapshotFolder"), {
    vars: network.vars,
    outbound: { proxy: network.proxy },
  });
  const { ticket } = await caller(null, local.origin).api<{ ticket: string }>("POST", "/api/cas/tickets", {
    email: "owner@demo.example",
    password: demoPassword,
  });
  owner = caller(ticket, local.origin);
});
afterAll(async () => {
  await local?.stop();
  await network?.stop();
});
beforeEach(() => store.reset());

const asOwner = (options: VisitOptions, run: (self: BrowserVisit) => Promise<void>) =>
  visit({ ...options, as: owner, origin: local.origin, reducedMotion: true }, run);

/** Faults of a store with which a test of the connection fails, and the code of the message for each. */
const FAULTS: readonly (readonly [Fault, StoreFailureCode])[] = [
  ["401", "unauthorized"],
  ["402", "payment"],
  ["403", "forbidden"],
  ["404", "not_found"],
  ["429", "throttled"],
  ["430", "security"],
  ["500", "server"],
  ["503", "server"],
  ["html", "content_type"],
  ["empty", "bad_answer"],
  ["broken", "bad_answer"],
  ["missing", "bad_answer"],
  ["no-data", "bad_answer"],
  ["graphql", "graphql"],
  ["throttled", "throttled"],
  ["internal", "server"],
  ["too-costly", "too_costly"],
  ["inactive", "inactive"],
  ["reset", "cut"],
  ["cut", "cut"],
  ["redirect", "elsewhere"],
  ["huge", "too_large"],
  ["hang", "timeout"],
];

interface Product {
  readonly id: string;
  readonly title: string;
}
interface ContentJson {
  readonly tags: readonly {
    readonly uuid: string;
    readonly version: number;
    readonly product: Product | null;
  }[];
  readonly scene: { readonly version: number; readonly products: readonly Product[] };
}
const readContent = ({ uuid }: EventJson) => owner.api<ContentJson>("GET", `/api/v1/events/${uuid}/content`);
const editContent = ({ uuid }: EventJson, ...commands: readonly object[]) =>
  owner.api("POST", `/api/v1/events/${uuid}/content`, { commands });
const readProductIds = async (event: EventJson) =>
  (await readContent(event)).scene.products.map(({ id }) => id);
const createEventWithStore = (host = DEMO_STORE_HOST) =>
  postEvent(owner, demoIds.showroom, {
    sp_store_url: `https://${host}`,
    sp_access_token: DEMO_STORE_TOKEN,
  });
const findProduct = (handle: string): Product => {
  const { id, title } = store.product(handle);
  return { id, title: title.ja };
};
/** Creates a tag called Vase, optionally with a product. */
async function createTag(event: EventJson, product: Product | null = null): Promise<string> {
  const uuid = randomUUID();
  await editContent(event, {
    op: "create_tag",
    uuid,
    values: { title: { ja: "花器", en: "Vase" }, product },
  });
  return uuid;
}
/** Checks that the page does not contain the store's token. */
const expectNoToken = async (page: Page) => expect(await page.content()).not.toContain(DEMO_STORE_TOKEN);

describe("a test of the connection", () => {
  for (const options of EACH_LANGUAGE_AND_WIDTH_ONCE)
    test(`reports whether the store responds, and changes nothing (${describeVisit(options)})`, () =>
      asOwner(options, async (self) => {
        const { open, page, t, js, axe, saveScreenshot } = self;
        const event = await postEvent(owner, demoIds.showroom);
        await open(`/event/${event.uuid}?dialog=status`);
        const form = page.locator("form#event-dialog");
        const findField = (text: string) => form.getByLabel(text, { exact: true });
        const [name, url, token] = [
          findField(eventTextLabel(self, "name")),
          findField(t("events:storeUrl")),
          findField(t("events:storeToken")),
        ];
        const button = form.getByRole("button", { name: t("store:test.button") });
        const pressTest = async () => {
          if (js) await button.click();
          else await submitForm(self, button);
        };
        const waitForResult = (text: string) =>
          form.getByRole("status").getByText(text, { exact: true }).waitFor();
        await name.fill(`${event.event_name} !`);
        await url.fill(STORE_URL);
        // The button is disabled unless both fields have values.
        if (js) expect(await button.isDisabled()).toBe(true);
        else {
          await pressTest();
          await waitForResult(t("store:test.nothingDone"));
          expect(await form.getByText(t("store:test.needs.token")).count()).toBe(1);
        }
        expect(store.requests).toEqual([]);
        await token.fill(DEMO_STORE_TOKEN);
        await pressTest();
        await waitForResult(t("store:errors.store.connected"));
        await form.getByText("藍と紙 ミュージアムショップ").waitFor();
        expect(store.requests.map(({ operation }) => operation)).toHaveLength(1);
        await expectNoToken(page);
        for (const missingValue of ["both", "url", "token"] as const)
          expect(await form.getByText(t(`store:test.needs.${missingValue}`)).count()).toBe(0);
        if (js) await axe("store-test-success");
        await button.scrollIntoViewIfNeeded();
        await saveScreenshot("store-test-success");
        // The name and the URL are still there, and nothing is saved.
        expect(await name.inputValue()).toBe(`${event.event_name} !`);
        expect(await url.inputValue()).toBe(STORE_URL);
        expect(await fetchEvent(owner, event.uuid)).toEqual(event);
        // The result of a test belongs to the tested values.
        if (js) {
          await url.fill("localhost");
          await expect.poll(() => form.getByText(t("store:errors.store.connected")).count()).toBe(0);
        } else await url.fill("localhost");
        await token.fill("another-token");
        await pressTest();
        await waitForResult(t("store:errors.store.connectionFailed"));
        await form.getByText(t("store:errors.spStoreUrl.host")).waitFor();
        expect(store.requests).toHaveLength(1);
        await url.fill(STORE_URL);
        await token.fill("another-token");
        await pressTest();
        await waitForResult(t("store:failure.unauthorized"));
        expect(await page.content()).not.toContain('value="another-token"');
        if (js) await axe("store-test-failure");
        await saveScreenshot("store-test-failure");
      }));

  test("keeps Update disabled while it runs, and refers to the form's current values", () =>
    asOwner({ lang: "en" }, async (self) => {
      const { open, page, t } = self;
      const event = await createEventWithStore();
      await open(`/event/${event.uuid}`);
      const form = page.locator("form#event");
      await expectNoToken(page);
      await form.getByLabel(eventTextLabel(self, "name"), { exact: true }).fill("Another name");
      await openPanel(self, "store");
      const update = form.getByRole("button", { name: t("events:update") });
      const testButton = form.getByRole("button", { name: t("store:test.button") });
      expect(await update.isEnabled()).toBe(true);
      // The panel queries the store as well.
      await page.getByText("藍と紙 ミュージアムショップ").waitFor();
      store.fail("slow", 1);
      // The saved token need not be typed again.
      await testButton.click();
      const busyButton = form.getByRole("button", { name: t("store:test.verifying") });
      await busyButton.waitFor();
      expect(await update.isDisabled()).toBe(true);
      expect(await busyButton.isDisabled()).toBe(true);
      await form.getByText(t("store:errors.store.connected")).waitFor();
      expect(await update.isEnabled()).toBe(true);
      // The saved token is used only for its own store.
      const urlField = form.getByLabel(t("events:storeUrl"), { exact: true });
      await urlField.fill(`https://${MANY_STORE_HOST}`);
      await page.getByText(t("content:save.unsavedSettings"), { exact: true }).waitFor();
      expect(await testButton.isDisabled()).toBe(true);
      const host = { store: DEMO_STORE_HOST };
      await form.getByText(t("events:storeTokenOther", host)).waitFor();
      await form.getByText(t("store:test.needs.own_token", host)).waitFor();
      expect(await form.getByText(t("events:storeTokenKept")).count()).toBe(0);
      await expectNoToken(page);
    }));

  test("has a message for a store's faults, and reports none of them as a server error", async () => {
    const event = await createEventWithStore();
    const t = translateIn("en");
    for (const [fault, code] of FAULTS) {
      store.reset();
      store.fail(fault);
      const page = await owner.post(`/event/${event.uuid}?lang=en`, {
        intent: "test-store",
        spStoreUrl: STORE_URL,
        spAccessToken: DEMO_STORE_TOKEN,
      });
      expect([fault, page.status]).toEqual([fault, 200]);
      expect(page.visibleText, fault).toContain(t("store:errors.store.connectionFailed"));
      expect(page.visibleText, fault).toContain(t(`store:failure.${code}`));
      expect(page.text, fault).not.toContain(DEMO_STORE_TOKEN);
    }
  });

  test("without scripts saves the tested token unchanged, and returns it only in encrypted form", async () => {
    const [event, otherEvent] = [await createEventWithStore(), await createEventWithStore()];
    const t = translateIn("en");
    const manyStoreUrl = `https://${MANY_STORE_HOST}`;
    const fields = {
      version: String(event.version),
      "eventName.ja": event.names.ja,
      "eventName.en": event.names.en,
      statusId: "3",
    };
    const postForm = ({ uuid }: EventJson, otherFields: Fields) =>
      owner.post(`/event/${uuid}?lang=en`, { ...fields, spStoreUrl: manyStoreUrl, ...otherFields });
    const testPage = await postForm(event, { intent: "test-store", spAccessToken: DEMO_STORE_TOKEN });
    expect(testPage.visibleText).toContain(t("events:reenterSecret.tested", { store: MANY_STORE_HOST }));
    const sealedToken = /name="spAccessTokenTested" value="([\w-]+)"/.exec(testPage.text)?.[1] ?? "";
    expect(testPage.text).not.toContain(DEMO_STORE_TOKEN);
    expect(Buffer.from(sealedToken, "base64url").toString("latin1")).not.toContain(DEMO_STORE_TOKEN);
    const chosenToken = { spAccessTokenAgain: "tested", spAccessTokenTested: sealedToken };
    // The sealed token is valid only for this event and this store.
    for (const [triedEvent, otherFields] of [
      [otherEvent, chosenToken],
      [event, { ...chosenToken, spStoreUrl: "https://third.myshopify.com" }],
      [event, { ...chosenToken, spAccessTokenTested: `${sealedToken.slice(0, -2)}AA` }],
    ] as const) {
      const rejected = await postForm(triedEvent, { intent: "update", ...otherFields });
      expect(rejected.status).toBe(400);
      expect(rejected.visibleText).toContain(t("store:errors.secret.again"));
    }
    // A form that is rejected for another reason keeps the token.
    const rejected = await postForm(event, {
      intent: "update",
      ...chosenToken,
      "eventName.ja": "",
      "eventName.en": "",
    });
    expect(rejected.status).toBe(400);
    const resentToken = /name="spAccessTokenTested" value="([\w-]+)"/.exec(rejected.text)?.[1] ?? "";
    const secondPage = await postForm(event, {
      intent: "test-store",
      ...chosenToken,
      spAccessTokenTested: resentToken,
    });
    expect(secondPage.visibleText).toContain(t("store:errors.store.connected"));
    expect((await postForm(event, { intent: "update", ...chosenToken })).status).toBe(302);
    const { text: shopResponse } = await owner.get(`/event/${event.uuid}/store?ask=name`);
    expect(shopResponse).toContain("藍と紙");
    expect(await fetchEvent(owner, event.uuid)).toMatchObject({ sp_store_url: manyStoreUrl });
  });

  test("is only for users who may edit the event", async () => {
    const event = await createEventWithStore();
    const response = await caller(null, local.origin).post(`/event/${event.uuid}/store`, {
      spStoreUrl: STORE_URL,
    });
    expect(response.status).toBe(302);
    const { ticket } = await caller(null, local.origin).api<{ ticket: string }>("POST", "/api/cas/tickets", {
      email: "curator@demo.example",
      password: demoPassword,
    });
    const curator = caller(ticket, local.origin);
    expect((await curator.post(`/event/${event.uuid}/store`, { spStoreUrl: STORE_URL })).status).toBe(404);
    expect((await curator.get(`/event/${event.uuid}/store?products=1001`)).status).toBe(404);
    expect((await curator.get(`/event/${event.uuid}/store?ask=name`)).status).toBe(404);
    expect(store.requests).toEqual([]);
  });
});

describe("the store of another event", () => {
  for (const options of EACH_LANGUAGE_AND_WIDTH_ONCE)
    test(`is connected with one press, and its token is not in the page (${describeVisit(options)})`, () =>
      asOwner(options, async (self) => {
        const { open, page, t, js, axe, saveScreenshot } = self;
        const event = await postEvent(owner, demoIds.panorama, {
          event_detail: "Unchanged",
          end_date: "2031-01-05T10:00:00.000Z",
        });
        await open(`/event/${event.uuid}?panel=store`);
        // The steps for another store, its fields and the button that saves them are in a closed group.
        const form = page.locator("form#event");
        const parts = [
          form.getByText(t("store:howTo.test")),
          form.getByLabel(t("events:storeUrl"), { exact: true }),
          form.getByRole("button", { name: t("events:update"), exact: true }),
        ];
        for (const part of parts) expect(await part.isVisible()).toBe(false);
        await form.getByText(t("content:store.other")).click();
        for (const part of parts) await part.waitFor();
        const useButton = page.getByRole("button", {
          name: t("content:store.ownUseNamed", { store: DEMO_STORE_HOST }),
        });
        await useButton.scrollIntoViewIfNeeded();
        await expectNoToken(page);
        if (js) await axe("store-own");
        await saveScreenshot("store-own");
        if (js) await useButton.click();
        else await submitForm(self, useButton);
        await page.getByText(t("content:store.own")).waitFor({ state: "detached" });
        expect(await form.getByText(t("content:store.other")).count()).toBe(0);
        await expectNoToken(page);
        const { sp_store_url, event_detail, end_date } = await fetchEvent(owner, event.uuid);
        expect({ sp_store_url, event_detail, end_date }).toEqual({
          sp_store_url: STORE_URL,
          event_detail: "Unchanged",
          end_date: event.end_date,
        });
        // The server has copied the token.
        await open(`/event/${event.uuid}?panel=store&pick=product`);
        await page.getByText(store.product("take-cup").title[self.lang]).first().waitFor();
      }));

  test("cannot be connected while the event has unsaved changes", () =>
    asOwner({ lang: "en" }, async (self) => {
      const { open, page, t } = self;
      const event = await postEvent(owner, demoIds.panorama);
      await open(`/event/${event.uuid}?panel=store`);
      const useButton = page.getByRole("button", {
        name: t("content:store.ownUseNamed", { store: DEMO_STORE_HOST }),
      });
      expect(await useButton.isEnabled()).toBe(true);
      await page.getByText(t("content:store.other")).click();
      await page.getByLabel(t("events:storeUrl"), { exact: true }).fill("https://another.example");
      await page.getByText(t("content:store.ownUnsaved")).waitFor();
      expect(await useButton.isEnabled()).toBe(false);
    }));

  test("does not hide the button that saves the other panels of the form", () =>
    asOwner({ lang: "en" }, async (self) => {
      const { open, page, t } = self;
      const event = await postEvent(owner, demoIds.panorama);
      await open(`/event/${event.uuid}?panel=store`);
      await page.getByText(t("content:store.other")).waitFor();
      await openPanel(self, "links");
      await page
        .locator("form#event")
        .getByRole("button", { name: t("events:update"), exact: true })
        .waitFor();
    }));

  test("is not taken from another user's event, or from an event without a store", async () => {
    const { ticket } = await caller(null, local.origin).api<{ ticket: string }>("POST", "/api/cas/tickets", {
      email: "admin@demo.example",
      password: demoPassword,
    });
    const admin = caller(ticket, local.origin);
    const event = await postEvent(owner, demoIds.panorama);
    const postUseStore = (client: Caller, sourceId: string) =>
      client.post(`/event/${event.uuid}?panel=store`, { intent: "use-store", from: sourceId });
    // Administrators see every event, but may use only stores of their own events.
    for (const [client, sourceId] of [
      [owner, event.uuid],
      [admin, demoIds.mainEvent],
    ] as const)
      expect((await postUseStore(client, sourceId)).headers.get("location")).toContain(
        "toast=store-not-connected",
      );
    expect((await postUseStore(owner, "nonsense")).status).toBe(400);
    expect((await fetchEvent(owner, event.uuid)).sp_store_url).toBe(event.sp_store_url);
  });
});

describe("a tag's product", () => {
  for (const options of EACH_LANGUAGE_AND_WIDTH_ONCE)
    test(`is searched, selected and removed (${describeVisit(options)})`, () =>
      asOwner(options, async (self) => {
        const { open, page, t, js, lang, axe, saveScreenshot } = self;
        const event = await createEventWithStore();
        const tag = await createTag(event);
        const readSavedProduct = async () => (await readContent(event)).tags[0]?.product ?? null;
        await open(`/event/${event.uuid}?panel=tags&tag=${tag}`);
        const pressButton = async (label: string) => {
          const button = page.getByRole("button", { name: label, exact: true });
          if (js) await button.click();
          else await submitForm(self, button);
        };
        await openGroup(self, t("content:groups.link"));
        await pressButton(t("store:product.choose"));
        const list = page.getByRole("list", { name: t("store:products") });
        await list.waitFor();
        expect(await list.getByRole("listitem").count()).toBe(store.catalog.products.length);
        const search = page.getByRole(js ? "combobox" : "searchbox", { name: t("store:pick.search") });
        if (js) {
          // The picker opens at its top, in the search field.
          await expect.poll(() => search.evaluate((field) => field === document.activeElement)).toBe(true);
          await axe("store-picker");
        }
        await saveScreenshot("store-picker", { fullPage: false });
        const product = store.product("enso-cup");
        const title = product.title[lang];
        await search.fill(title);
        await page.getByRole("search").last().getByRole("button").click();
        await expect.poll(() => list.getByRole("listitem").count()).toBe(1);
        await pressButton(t("store:pick.chooseThis", { title }));
        const field = page.locator("#tag-product");
        await expect.poll(() => new URL(page.url()).hash).toBe("#tag-product");
        if (js) await field.getByText(t("store:product.chosen", { title })).waitFor();
        await openGroup(self, t("content:groups.link"));
        await field.getByText(title).first().waitFor();
        await expect.poll(readSavedProduct).toEqual({ id: product.id, title });
        if (js) {
          // The chosen product includes its price.
          await field.getByText(/[￥¥]/).waitFor();
          await waitForSaveState(self, "saved");
        }
        if (js) await axe("store-tag-product");
        await field.scrollIntoViewIfNeeded();
        await saveScreenshot("store-tag-product");
        await pressButton(t("store:product.remove"));
        await expect.poll(readSavedProduct).toBeNull();
        if (!js) return;
        await page.getByRole("button", { name: t("content:undo"), exact: true }).click();
        await field.getByText(title).first().waitFor();
        await expect.poll(readSavedProduct).toEqual({ id: product.id, title });
      }));

  for (const options of EACH_LANGUAGE_AND_WIDTH_ONCE)
    test(`stays where no store is connected (${describeVisit(options)})`, () =>
      asOwner(options, async (self) => {
        const { open, page, t, js, axe, saveScreenshot } = self;
        const event = await postEvent(owner, demoIds.showroom);
        const product = findProduct("take-cup");
        const tag = await createTag(event, product);
        await open(`/event/${event.uuid}?panel=tags&tag=${tag}`);
        const field = page.locator("#tag-product");
        await openGroup(self, t("content:groups.link"));
        await field.getByText(product.title).waitFor();
        await field.getByText(t("store:product.noStore")).waitFor();
        expect(await field.getByRole("button", { name: t("store:product.change") }).count()).toBe(0);
        if (self.lang === "ja") await openGroup(self, t("shared-owners:languages.en"));
        const englishTitle = page.getByLabel(t("content:tag.title.en"), { exact: true });
        await englishTitle.fill("Vase of stone");
        if (js) await waitForSaveState(self, "saved");
        else
          await submitForm(self, page.getByRole("button", { name: t("content:save.button"), exact: true }));
        await expect.poll(async () => (await readContent(event)).tags[0]?.product).toEqual(product);
        await open(`/event/${event.uuid}?panel=store`);
        await page.getByText(t("content:store.own")).waitFor();
        await page.getByText(product.title).waitFor();
        if (js) await axe("store-none");
        await saveScreenshot("store-none");
        expect(store.requests).toEqual([]);
      }));
});

describe("the event's products", () => {
  for (const options of EACH_LANGUAGE_AND_WIDTH_ONCE)
    test(`are added, ordered and removed (${describeVisit(options)})`, () =>
      asOwner(options, async (self) => {
        const { open, page, t, js, lang, axe, saveScreenshot } = self;
        const event = await createEventWithStore();
        await createTag(event, findProduct("asanoha-tenugui"));
        await open(`/event/${event.uuid}?panel=store`);
        await page.getByRole("button", { name: t("store:browse"), exact: true }).click();
        const pressButton = async (label: string) => {
          const button = page.getByRole("button", { name: label, exact: true });
          if (js) await button.click();
          else await submitForm(self, button);
        };
        const products = ["seigaiha-tenugui", "take-tenugui", "enso-postcard"].map((handle) =>
          store.product(handle),
        );
        const [firstId, secondId, thirdId] = products.map(({ id }) => id);
        for (const [index, { title }] of products.entries()) {
          // The picker stays open, so that several products can be added in sequence.
          if (!js && index > 0) expect(new URL(page.url()).searchParams.get("pick")).toBe("product");
          await pressButton(t("store:pick.addThis", { title: title[lang] }));
        }
        await expect.poll(() => readProductIds(event)).toEqual([firstId, secondId, thirdId]);
        await page.getByRole("link", { name: t("store:pick.back") }).click();
        const readTitle = (index: number) => products[index]?.title[lang] ?? "";
        await page.getByRole("heading", { name: t("store:ofTags") }).waitFor();
        // The report on the products appears; without scripts, only because the store responds at once.
        await page.locator('[data-checked="reported"]').waitFor();
        await page.getByText(t("store:problems", { count: 1 })).click();
        if (js) await page.getByText("藍と紙 ミュージアムショップ").waitFor();
        if (js) await axe("store-panel");
        await saveScreenshot("store-panel", { fullPage: js });
        await pressButton(t("store:up", { title: readTitle(2) }));
        await expect.poll(() => readProductIds(event)).toEqual([firstId, thirdId, secondId]);
        await pressButton(t("store:down", { title: readTitle(0) }));
        await expect.poll(() => readProductIds(event)).toEqual([thirdId, firstId, secondId]);
        await pressButton(t("store:out", { title: readTitle(0) }));
        await expect.poll(() => readProductIds(event)).toEqual([thirdId, secondId]);
        await expectNoToken(page);
        if (!js) return;
        await page.getByRole("button", { name: t("content:undo"), exact: true }).click();
        await expect.poll(() => readProductIds(event)).toEqual([thirdId, firstId, secondId]);
      }));

  test("are found while the owner types, without more calls to the store than pauses", () =>
    asOwner({ lang: "en" }, async (self) => {
      const { open, page, t } = self;
      const event = await createEventWithStore(`typed.${DEMO_STORE_HOST}`);
      const added = findProduct("seigaiha-tenugui");
      await open(`/event/${event.uuid}?panel=store`);
      const label = page.getByLabel(t("store:pick.titleEvent"), { exact: true });
      await label.scrollIntoViewIfNeeded();
      await label.hover();
      const field = page.getByRole("combobox", { name: t("store:pick.titleEvent"), exact: true });
      const option = page.locator("[role=option]");
      await field.click();
      const countSearches = () => store.requests.filter(({ operation }) => operation === "Products").length;
      await page.keyboard.type("Seigaiha Ten");
      await option.getByText("Seigaiha Tenugui").waitFor();
      expect(countSearches()).toBe(1);
      await option.getByText(/[￥¥]/).waitFor();
      await option.getByText(t("store:state.in_stock")).waitFor();
      expect(await option.locator("img").count()).toBe(1);
      await page.keyboard.press("Enter");
      await expect.poll(() => readProductIds(event)).toEqual([added.id]);
      await option.getByText(t("store:pick.added")).waitFor();
      await page
        .getByRole("status")
        .getByText(t("store:pick.addedThis", { title: "Seigaiha Tenugui towel" }))
        .waitFor({ state: "attached" });
      // A failure stands beside the field, and Enter leads to the page of results.
      store.fail("500");
      await page.keyboard.type("Enso");
      await page.getByRole("search").getByText(t("store:errors.store.searchFailed")).waitFor();
      expect(await field.inputValue()).toBe("Enso");
      store.reset();
      await page.keyboard.press("Enter");
      await page.waitForURL(/pick=product/);
      expect(new URL(page.url()).searchParams.get("find")).toBe("Enso");
    }));

  test("are marked when they are deleted or sold out, in the store's panel and in the tag's form", () =>
    asOwner({ lang: "en" }, async (self) => {
      const { open, page, t } = self;
      const event = await createEventWithStore();
      const deletedProduct = { id: "gid://shopify/Product/9", title: "An old bowl" };
      await createTag(event, findProduct("ichimatsu-tenugui"));
      const tag = await createTag(event, deletedProduct);
      const products = [findProduct("asanoha-tenugui"), findProduct("take-tenugui")];
      await editContent(event, { op: "update_scene", version: 0, values: { products } });
      await open(`/event/${event.uuid}?panel=store`);
      await page.getByText(t("store:problems", { count: 3 })).click();
      const states = await page
        .locator(":is([aria-labelledby=event-products], [aria-labelledby=tag-products]) [data-stock]")
        .evaluateAll((marks) => marks.map((mark) => (mark as HTMLElement).dataset.stock));
      expect(states).toEqual(["some_sold_out", "in_stock", "sold_out", "gone"]);
      // The notice links to the tag of the deleted product, and to the event's product that has a problem.
      const notice = page.locator("[data-checked]");
      await notice.getByText(t("store-visitors:states.outOfStock")).waitFor();
      const deletedLink = notice.getByRole("link", { name: "An old bowl", exact: true });
      expect(await deletedLink.getAttribute("href")).toContain(`tag=${tag}`);
      const eventLinks = await notice
        .getByRole("link")
        .evaluateAll((links) =>
          links.map((link) => link.getAttribute("href") ?? "").filter((href) => href.startsWith("#")),
        );
      expect(eventLinks).toHaveLength(1);
      for (const href of eventLinks) expect(await page.locator(href).count()).toBe(1);
      // When the space cannot be shown, a link to the form of a new tag replaces the button that places a product.
      await page
        .getByRole("button", { name: t("store:place"), exact: true })
        .or(page.getByRole("link", { name: t("store:place"), exact: true }))
        .waitFor();
      expect(store.requests.filter(({ operation }) => /card/i.test(operation))).toHaveLength(1);
      // The form of a tag that is placed from the store leads back to the store.
      await open(`/event/${event.uuid}?panel=tags&tag=${tag}&from=store`);
      await page.getByRole("link", { name: t("store:pick.back"), exact: true }).click();
      await page.waitForURL(({ search }) => search === "?panel=store");
      // The event's checklist marks the store as done.
      await open(`/event/${event.uuid}?panel=links`);
      expect(await page.locator('[data-check="store"]').getAttribute("data-done")).toBe("true");
      await open(`/event/${event.uuid}?panel=tags&tag=${tag}`);
      await openGroup(self, t("content:groups.link"));
      await page.locator("#tag-product").getByText(t("store:errors.store.productGone")).waitFor();
    }));

  for (const options of EACH_LANGUAGE_AND_WIDTH_ONCE)
    test(`stay listed while the store is down (${describeVisit(options)})`, () =>
      asOwner(options, async (self) => {
        const { open, page, t, js, axe, saveScreenshot } = self;
        // The test uses a host of its own, because a cached list would be shown while the store is down.
        const event = await createEventWithStore(`down-${js ? "js" : "plain"}.${DEMO_STORE_HOST}`);
        const product = findProduct("take-tenugui");
        await createTag(event, product);
        await editContent(event, { op: "update_scene", version: 0, values: { products: [product] } });
        store.fail("500");
        await open(`/event/${event.uuid}?panel=store`);
        if (!js) await page.getByRole("link", { name: t("store:check") }).click();
        await page.getByText(t("store:notChecked")).waitFor();
        expect(await page.getByText(product.title).count()).toBe(2);
        if (js) await axe("store-down");
        await saveScreenshot("store-down", { fullPage: js });
        await page.getByRole("button", { name: t("store:browse"), exact: true }).click();
        await page.getByText(t("store:errors.store.productsFailed")).waitFor();
        if (js) await axe("store-picker-down");
        store.reset();
        // The failure is cached for a second, so an immediate retry returns the same.
        const [retryLink, list] = [
          page.getByRole("link", { name: t("store:pick.retry") }),
          page.getByRole("list", { name: t("store:products") }),
        ];
        await expect
          .poll(
            async () => {
              if (await retryLink.count()) await retryLink.click();
              return list.count();
            },
            { timeout: 20_000 },
          )
          .toBe(1);
      }));

  test("do not delay the editor when the store is slow", () =>
    asOwner({ lang: "en" }, async ({ open, page, t }) => {
      const event = await createEventWithStore();
      await createTag(event, findProduct("take-tenugui"));
      store.fail("slow");
      await open(`/event/${event.uuid}?panel=store`);
      // The panel is shown before the store has responded.
      await page.getByRole("heading", { name: t("store:ofTags") }).waitFor();
      expect(await page.locator('[data-checked="reported"]').count()).toBe(0);
      await page.locator('[data-checked="reported"]').waitFor({ state: "attached" });
    }));
});

describe("the picker", () => {
  for (const js of [true, false])
    test(`pages through several hundred products, forwards and backwards (${js ? "js" : "no js"})`, () =>
      asOwner({ lang: "en", js }, async ({ open, page, t }) => {
        const event = await createEventWithStore(MANY_STORE_HOST);
        await open(`/event/${event.uuid}?panel=store&pick=product`);
        const list = page.getByRole("list", { name: t("store:products") });
        const readFirstItem = () => list.getByRole("listitem").first().textContent();
        const firstItem = await readFirstItem();
        expect(await list.getByRole("listitem").count()).toBe(250);
        const findStepLinks = (label: string) => page.getByRole("link", { name: label });
        const waitForRange = (from: number, to: number) =>
          page.getByText(t("store:pick.range", { from, to }), { exact: true }).first().waitFor();
        await waitForRange(1, 250);
        expect(await findStepLinks(t("shared-owners:next")).count()).toBe(2);
        await findStepLinks(t("shared-owners:next")).first().click();
        await waitForRange(251, 500);
        expect(await readFirstItem()).not.toBe(firstItem);
        if (js) await waitForHydration(page);
        await findStepLinks(t("shared-owners:next")).last().click();
        await waitForRange(501, 750);
        if (js) await waitForHydration(page);
        const formUrl = page.url();
        if (!js) {
          // Adding returns to the same page, at the product.
          await list.getByRole("button").first().click();
          await page.waitForURL(/toast=/);
          await waitForRange(501, 750);
          await list.getByText(t("store:pick.added")).waitFor();
          await page.goto(formUrl);
        } else {
          // The pressed button keeps the focus, and its effect is announced.
          const button = list.getByRole("button").first();
          const name = ((await button.getAttribute("aria-label")) ?? "").replace(
            t("store:pick.addThis", { title: "" }),
            "",
          );
          await button.focus();
          await page.keyboard.press("Enter");
          const addedLabel = t("store:pick.addedThis", { title: name });
          await page.getByRole("status").getByText(addedLabel).waitFor();
          const readFocusedLabel = () =>
            page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
          expect(await readFocusedLabel()).toBe(addedLabel);
          expect(await button.getAttribute("aria-disabled")).toBe("true");
          await page.keyboard.press("Enter");
          expect(await readFocusedLabel()).toBe(addedLabel);
        }
        await findStepLinks(t("shared-owners:previous")).first().click();
        await waitForRange(251, 500);
        await findStepLinks(t("shared-owners:previous")).first().click();
        await waitForRange(1, 250);
        expect(await readFirstItem()).toBe(firstItem);
      }));

  test("reports an invalid URL of the list", () =>
    asOwner({ lang: "en" }, async ({ open, page, t }) => {
      const event = await createEventWithStore();
      await open(`/event/${event.uuid}?panel=store&pick=product&after=%E3%81%82`);
      await page.getByText(t("store:errors.store.noPage")).waitFor();
      await open(`/event/${event.uuid}?panel=store&pick=product&after=zzz`);
      await page.getByText(t("store:errors.store.noPage")).waitFor();
      await page.getByRole("link", { name: t("store:pick.first") }).click();
      await page.getByRole("list", { name: t("store:products") }).waitFor();
      await open(`/event/${event.uuid}?panel=store&pick=product&find=${"x".repeat(101)}`);
      await page.getByText(t("shared-owners:errors.list.searchTooLong")).waitFor();
      await open(`/event/${event.uuid}?panel=store&pick=product&find=nothing%20at%20all`);
      await page.getByText(t("store:pick.found", { q: "nothing at all" })).waitFor();
    }));

  test("accepts only products, and only for existing tags", async () => {
    const event = await createEventWithStore();
    await createTag(event);
    const pickProduct = (fields: Record<string, string>) =>
      owner.post(`/event/${event.uuid}?panel=store`, { intent: "pick-product", ...fields });
    expect((await pickProduct({ product: "abc", title: "x" })).status).toBe(400);
    expect((await pickProduct({ product: "1", title: "x".repeat(2000) })).status).toBe(400);
    expect((await pickProduct({ product: "1", title: "x", tagId: randomUUID() })).status).toBe(404);
    expect((await pickProduct({ product: "1", title: "x", tagId: "" })).status).toBe(404);
    const orderProducts = (action: string) =>
      owner.post(`/event/${event.uuid}?panel=store`, { intent: "products", do: action });
    expect((await orderProducts("sell~1")).status).toBe(400);
    expect((await orderProducts("up~x")).status).toBe(400);
    expect((await orderProducts("up~1")).status).toBe(302);
    expect(await readContent(event)).toMatchObject({ scene: { version: 0 }, tags: [{ product: null }] });
  });
});
