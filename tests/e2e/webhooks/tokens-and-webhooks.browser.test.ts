import { describe, expect, test } from "vitest";
import { demoPassword } from "../../../seed/demo";
import { caller, changeEvent, postEvent, signIn } from "../../support/api/caller";
import { demoIds } from "../../support/app/demo";
import {
  type BrowserVisit,
  describeVisit,
  EACH_LANGUAGE_AND_WIDTH_ONCE,
  submitForm,
  visit,
} from "../../support/browser/visit";
import { RECEIVER_HOST } from "../../support/external/webhook-endpoint";

/** Runs axe only with scripts, because axe waits with timers, which do not run without scripts. */
const createScreenCheck =
  ({ js, axe }: BrowserVisit) =>
  (screen: string) =>
    js ? axe(screen) : Promise.resolve();

/** Expects that the page cannot be scrolled sideways. */
const expectNoOverflow = async ({ page }: BrowserVisit) =>
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
  ).toBeLessThanOrEqual(0);

describe("API tokens", () => {
  for (const options of EACH_LANGUAGE_AND_WIDTH_ONCE)
    test(`are created, shown once, used and revoked (${describeVisit(options)})`, async () => {
      const owner = await signIn("owner");
      await visit({ ...options, as: owner, reducedMotion: true }, async (self) => {
        const { open, page, t, expectStatus, saveScreenshot } = self;
        const checkScreen = createScreenCheck(self);
        expectStatus(400);
        await open("/account/tokens");
        await page.getByRole("link", { name: t("webhooks:tokens.create") }).click();
        const dialog = page.getByRole("dialog");
        const submit = dialog.getByRole("button", { name: t("webhooks:tokens.createSubmit"), exact: true });
        await dialog.getByLabel(t("webhooks:tokens.name"), { exact: true }).fill("x".repeat(70));
        await dialog.getByLabel(t("webhooks:tokens.scope.library"), { exact: true }).check();
        await dialog.getByLabel(t("webhooks:tokens.untilDate"), { exact: true }).check();
        await dialog.getByLabel(t("webhooks:tokens.lastDay"), { exact: true }).fill("2020-01-01");
        // Only an older session is asked for the password, in a field that is required.
        const password = dialog.getByLabel(t("shared-owners:confirm.currentPassword"), { exact: true });
        const confirmPassword = async () => {
          if ((await password.count()) > 0) await password.fill(demoPassword);
        };
        await confirmPassword();
        await submitForm(self, submit);
        await dialog.getByText(t("webhooks:errors.token.nameTooLong")).first().waitFor();
        await dialog.getByText(t("webhooks:errors.token.datePast")).first().waitFor();
        await checkScreen("token-wrong");
        expect(await dialog.getByLabel(t("webhooks:tokens.scope.library"), { exact: true }).isChecked()).toBe(
          true,
        );
        expect(await dialog.getByLabel(t("webhooks:tokens.untilDate"), { exact: true }).isChecked()).toBe(
          true,
        );

        const name = `<b>signage</b> ${options.lang}`;
        await dialog.getByLabel(t("webhooks:tokens.name"), { exact: true }).fill(name);
        await dialog.getByLabel(t("webhooks:tokens.days", { days: 30 }), { exact: true }).check();
        await confirmPassword();
        await submitForm(self, submit);
        const token = await page.getByRole("textbox", { name: t("webhooks:tokens.madeField") }).inputValue();
        expect(token).toMatch(/^hir_[0-9A-Za-z]{49}$/);
        await checkScreen("token-made");
        await saveScreenshot("token-made", { fullPage: true });
        await expectNoOverflow(self);

        // Reloading the page creates no other token and does not show this one again.
        await page.reload();
        await page.getByText(name, { exact: true }).first().waitFor();
        expect(await page.content()).not.toContain(token);
        expect(await page.getByText(name, { exact: true }).count()).toBe(1);

        const program = caller(token);
        const callApi = (method: string, path: string, body?: unknown) =>
          program.fetch(`/api/v1/${path}`, {
            method,
            headers: { authorization: `Bearer ${token}`, cookie: "", "content-type": "application/json" },
            ...(body !== undefined && { body: JSON.stringify(body) }),
          });
        expect((await callApi("GET", `spaces/uuid/${demoIds.showroom}`)).status).toBe(200);
        expect((await callApi("PUT", `events/${demoIds.mainEvent}`, { event_name: "x" })).status).toBe(403);
        // A token is not a session, so pages ignore it.
        expect((await program.get("/account")).status).toBe(302);

        await page.getByRole("link", { name: t("webhooks:tokens.revokeThis", { name }) }).click();
        await submitForm(
          self,
          dialog.getByRole("button", { name: t("webhooks:tokens.revoke"), exact: true }),
        );
        await page.getByText(t("shared-owners:toasts.tokenRevoked")).first().waitFor();
        expect((await callApi("GET", "spaces")).status).toBe(401);
        await page.getByText(t("webhooks:tokens.status.revoked"), { exact: true }).first().waitFor();
        await checkScreen("tokens");
      });
    });
});

describe("webhooks", () => {
  for (const options of EACH_LANGUAGE_AND_WIDTH_ONCE)
    test(`are added, receive an event, list and repeat their deliveries, and are paused and removed (${describeVisit(options)})`, async () => {
      const owner = await signIn("curator");
      const event = await postEvent(owner, demoIds.tearoom);
      await visit({ ...options, as: owner, reducedMotion: true }, async (self) => {
        const { open, page, t, expectStatus, saveScreenshot } = self;
        const checkScreen = createScreenCheck(self);
        expectStatus(400);
        await open("/account/webhooks/new");
        const url = page.getByLabel(t("webhooks:url"), { exact: true });
        const submit = page.getByRole("button", { name: t("webhooks:createSubmit"), exact: true });
        const target = page.getByLabel(t("webhooks:target"), { exact: true });
        const countOptions = (spaceId: string) => target.locator(`option[value="space~${spaceId}"]`).count();
        // The second space is shared with the curator.
        expect([await countOptions(demoIds.tearoom), await countOptions(demoIds.panorama)]).toEqual([1, 0]);
        await url.fill("https://192.168.0.1/hook");
        await page.getByLabel(t("webhooks:type.published"), { exact: true }).uncheck();
        await target.selectOption(`event~${event.uuid}`);
        await submitForm(self, submit);
        await page.getByText(t("webhooks:errors.webhook.url.host")).first().waitFor();
        await checkScreen("webhook-wrong");
        expect(await url.inputValue()).toBe("https://192.168.0.1/hook");
        expect(await target.inputValue()).toBe(`event~${event.uuid}`);
        expect(await page.getByLabel(t("webhooks:type.published"), { exact: true }).isChecked()).toBe(false);

        await url.fill(`https://${RECEIVER_HOST}/503`);
        await page.getByLabel(t("webhooks:type.published"), { exact: true }).check();
        await submitForm(self, submit);
        const secret = await page.getByRole("textbox", { name: t("webhooks:secretField") }).inputValue();
        expect(secret).toMatch(/^whsec_[0-9A-Za-z+/]{43}=$/);
        await checkScreen("webhook-made");
        await page.getByRole("link", { name: t("webhooks:toWebhook") }).click();
        await page.waitForURL(/\/account\/webhooks\/[0-9a-f-]{36}$/);
        const pagePath = new URL(page.url()).pathname;
        await page.getByText(t("webhooks:logEmpty")).waitFor();
        expect(await page.content()).not.toContain(secret);

        await changeEvent(owner, event.uuid, { status_id: 3 });
        const summary = page.locator("summary", { hasText: t("webhooks:attempts", { count: 1 }) });
        await expect
          .poll(async () => {
            await open(pagePath);
            return summary.count();
          })
          .toBe(1);
        await summary.click();
        await page.getByText(/503/).first().waitFor();
        await page.getByText("no room").waitFor();
        await page.getByText(t("webhooks:state.waiting"), { exact: true }).waitFor();
        await checkScreen("webhook-failing");
        await saveScreenshot("webhook-failing", { fullPage: true });
        await expectNoOverflow(self);

        // The endpoint is now at a URL that accepts messages.
        const dialog = page.getByRole("dialog");
        await page.getByRole("link", { name: t("webhooks:edit"), exact: true }).click();
        await checkScreen("webhook-edit");
        await dialog.getByLabel(t("webhooks:url"), { exact: true }).fill(`https://${RECEIVER_HOST}/`);
        await submitForm(self, dialog.getByRole("button", { name: t("webhooks:save"), exact: true }));
        await page.getByText(t("shared-owners:toasts.webhookSaved")).first().waitFor();
        await submitForm(
          self,
          page.getByRole("button", { name: new RegExp(`^${t("webhooks:resendThis", { what: "" })}`) }),
        );
        const delivered = page.getByText(t("webhooks:state.delivered"), { exact: true });
        await expect
          .poll(async () => {
            await open(pagePath);
            return delivered.count();
          })
          .toBe(1);
        await submitForm(self, page.getByRole("button", { name: t("webhooks:test"), exact: true }));
        await expect
          .poll(async () => {
            await open(pagePath);
            return delivered.count();
          })
          .toBe(2);
        await page.locator("main summary").first().click();
        await page.getByText("received webhook.test").waitFor();

        await page.getByRole("link", { name: t("webhooks:renew"), exact: true }).click();
        await submitForm(self, dialog.getByRole("button", { name: t("webhooks:renewSubmit"), exact: true }));
        const renewedSecret = await page
          .getByRole("textbox", { name: t("webhooks:secretField") })
          .inputValue();
        expect(renewedSecret).not.toBe(secret);
        await open(pagePath);
        expect(await page.content()).not.toContain(renewedSecret);
        await submitForm(self, page.getByRole("button", { name: t("webhooks:pause"), exact: true }));
        await page.getByText(t("webhooks:pausedText")).waitFor();
        await checkScreen("webhook-paused");
        await open("/account/webhooks");
        await page.getByText(t("webhooks:status.paused"), { exact: true }).waitFor();
        await open(`${pagePath}?dialog=remove`);
        await submitForm(self, dialog.getByRole("button", { name: t("webhooks:remove"), exact: true }));
        await page.getByText(t("shared-owners:toasts.webhookRemoved")).first().waitFor();
        expect((await owner.get(pagePath)).status).toBe(404);
      });
    });
});
