import { expect, test } from "vitest";
import type { StoreFailureCode } from "~/domain/store";
import { DEMO_STORE_HOST, DEMO_STORE_TOKEN } from "../../seed/store/names";
import { type Caller, makeEvent, readEvent, signIn } from "../support/caller";
import { demoIds } from "../support/demo";
import { type Fault, faultHost } from "../support/demo-store";
import { named, send, type VisitOptions, visit } from "../support/visit";
import { wordsIn } from "../support/words";

const STORE = `https://${DEMO_STORE_HOST}`;
const LOOKS: readonly VisitOptions[] = [
  { lang: "ja", js: true, width: 1280 },
  { lang: "en", js: true, width: 390 },
  { lang: "ja", js: false, width: 390 },
  { lang: "en", js: false, width: 1280 },
];

async function eventOf(owner: Caller) {
  const store = { sp_store_url: STORE, sp_access_token: DEMO_STORE_TOKEN };
  return (await makeEvent(owner, demoIds.showroom, store)).uuid;
}

for (const options of LOOKS)
  test(`the connection to a store is tested before anything is saved (${named(options)})`, async () => {
    const owner = await signIn("owner");
    const id = await eventOf(owner);
    await visit({ ...options, as: owner, still: true }, async (self) => {
      const { open, page, js, t, axe, picture } = self;
      await open(`/event/${id}?panel=event`);
      const url = page.getByRole("textbox", { name: t("events.storeUrl") });
      const token = page.getByLabel(t("events.storeToken"), { exact: true });
      const button = page.getByRole("button", { name: t("storeEditor.test.button") });
      const press = () => (js ? button.click() : send(self, button));

      // The saved token goes with the saved address.
      await press();
      await page.getByText(t("errors.store.connected")).waitFor();
      await page.getByText(t("storeEditor.test.shop", { name: "藍と紙 ミュージアムショップ" })).waitFor();
      await button.scrollIntoViewIfNeeded();
      if (js) await axe("a tested connection");
      await picture("store-test");

      // And with no other.
      await url.fill(`https://many.${DEMO_STORE_HOST}`);
      if (js) expect(await button.isDisabled()).toBe(true);
      else {
        await press();
        await page.getByText(t("storeEditor.test.nothingDone")).waitFor();
      }
      expect(await page.getByText(t("errors.store.connected")).count()).toBe(0);

      await url.fill(`https://${faultHost("402")}`);
      await token.fill(DEMO_STORE_TOKEN);
      await press();
      await page.getByText(t("errors.store.connectionFailed")).waitFor();
      await page.getByText(t("storeEditor.failure.payment")).waitFor();
      expect(await url.inputValue()).toBe(`https://${faultHost("402")}`);
      // What was typed stays where the page stays; otherwise it is asked for again.
      expect(await token.inputValue()).toBe(js ? DEMO_STORE_TOKEN : "");

      await url.fill("https://localhost");
      await token.fill("some-token");
      await press();
      await page.getByText(t("errors.spStoreUrl.host")).first().waitFor();
    });
    expect(await readEvent(owner, id)).toMatchObject({ sp_store_url: STORE, version: 1 });
  });

test("a test that is under way says so, and nothing is saved meanwhile", async () => {
  const owner = await signIn("owner");
  const id = await eventOf(owner);
  await visit({ lang: "en", as: owner }, async ({ open, page, t }) => {
    await open(`/event/${id}?panel=event`);
    await page.getByRole("textbox", { name: t("events.storeUrl") }).fill(`https://${faultHost("slow")}`);
    await page.getByLabel(t("events.storeToken"), { exact: true }).fill(DEMO_STORE_TOKEN);
    const update = page.getByRole("button", { name: t("events.update"), exact: true });
    expect(await update.isEnabled()).toBe(true);
    await page.getByRole("button", { name: t("storeEditor.test.button") }).click();
    await page.getByRole("button", { name: t("storeEditor.test.verifying") }).waitFor();
    expect(await update.isEnabled()).toBe(false);
    await page.getByText(t("errors.store.connected")).waitFor();
    expect(await update.isEnabled()).toBe(true);
  });
});

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
  ["reset", "network"],
  ["cut", "network"],
  ["redirect", "network"],
  ["huge", "too_large"],
  ["hang", "timeout"],
];

test("whatever a store does, its owner is told why, and nobody its token", async () => {
  const owner = await signIn("owner");
  const id = await eventOf(owner);
  const t = wordsIn("en");
  for (const [fault, code] of FAULTS) {
    const page = await owner.post(`/event/${id}?panel=event&lang=en`, {
      intent: "test-store",
      spStoreUrl: `https://${faultHost(fault)}`,
      spAccessToken: DEMO_STORE_TOKEN,
    });
    expect(page.status, fault).toBe(200);
    expect(page.shown, fault).toContain(t("errors.store.connectionFailed"));
    expect(page.shown, fault).toContain(t(`storeEditor.failure.${code}`));
    expect(page.text, fault).not.toContain(DEMO_STORE_TOKEN);
  }
});
