import { beforeAll, describe, expect, test } from "vitest";
import { type Caller, fetchEvent, postEvent, signIn } from "../../support/api/caller";
import { demoIds } from "../../support/app/demo";
import { eventTextLabel } from "../../support/browser/controls";
import { type BrowserVisit, visit } from "../../support/browser/visit";

let owner: Caller;
beforeAll(async () => {
  owner = await signIn("owner");
});

/** Answers the forms of the page as a proxy before the application does. Returns a function that ends this. */
async function failInProxy({ page, expectStatus }: BrowserVisit, status: number) {
  expectStatus(status);
  const url = /\.data(\?|$)/;
  await page.route(url, (route) =>
    route.request().method() === "POST"
      ? route.fulfill({ status, contentType: "text/html", body: "<h1>Bad Gateway</h1>" })
      : route.fallback(),
  );
  return () => page.unroute(url);
}

describe("a save that fails in a proxy", () => {
  for (const [lang, status, id] of [
    ["ja", 500, "event"],
    ["en", 502, "event"],
    ["ja", 502, "event-dialog"],
    ["en", 500, "event-dialog"],
  ] as const)
    test(`is reported in the form of an event, which keeps the typed text (${lang}, ${status}, ${id})`, () =>
      visit({ lang, as: owner, width: lang === "ja" ? 390 : 1280 }, async (self) => {
        const { page, t } = self;
        const event = await postEvent(owner, demoIds.panorama, { event_detail: "As it was" });
        await self.open(`/event/${event.uuid}${id === "event" ? "" : "?dialog=status"}`);
        const form = page.locator(`form#${id}`);
        const detail = form.getByLabel(eventTextLabel(self, "detail"), { exact: true });
        await detail.fill("Typed before the failure");
        const repair = await failInProxy(self, status);
        const update = form.getByRole("button", { name: t("events:update"), exact: true });
        await update.click();
        const summary = form.getByRole("alert");
        await summary.getByText(t("events:errors.event.issue")).waitFor();
        await summary.getByText(t("events:errors.event.updateFailed")).waitFor();
        expect(await summary.evaluate((element) => element === document.activeElement)).toBe(true);
        // A notice would cover the form's own message.
        expect(await page.getByText(t("shared-owners:lost.failed")).count()).toBe(0);
        await self.saveScreenshot(`event-failed-${id}`);
        expect(await detail.inputValue()).toBe("Typed before the failure");
        await repair();
        await update.click();
        await page.getByText(t("shared-owners:toasts.eventUpdated")).waitFor();
        expect(await summary.count()).toBe(0);
        expect((await fetchEvent(owner, event.uuid)).event_detail).toBe("Typed before the failure");
      }));

  test("is reported over the form of the account, which keeps the typed text", () =>
    visit({ lang: "en", as: owner }, async (self) => {
      const { page, t } = self;
      await self.open("/account");
      const company = page.locator("[name=companyName]");
      await company.fill("Typed before the failure");
      await failInProxy(self, 502);
      await page
        .locator("main form")
        .getByRole("button", { name: t("account:save"), exact: true })
        .click();
      await page.getByText(t("shared-owners:lost.failed")).waitFor();
      expect(await company.inputValue()).toBe("Typed before the failure");
    }));
});
