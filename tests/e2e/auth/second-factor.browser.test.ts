import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { totpCode, totpCounter } from "~/domain/auth/totp";
import type { LocalProduct } from "../../../scripts/lib/local/local-product";
import { demoPassword } from "../../../seed/demo";
import { caller } from "../../support/api/caller";
import { startFromSnapshot } from "../../support/app/seeded-snapshot";
import {
  type BrowserVisit,
  describeVisit,
  submitForm,
  visit,
  waitForHydration,
} from "../../support/browser/visit";

/** A separate product whose administrators need a second factor. */
let local: LocalProduct;
beforeAll(async () => {
  local = await startFromSnapshot(inject("snapshotFolder"), { vars: { REQUIRE_SECOND_FACTOR: "admin" } });
});
afterAll(() => local.stop());

/**
 * Creates a one-time code. A code is valid only once, so each use takes a later time step of the accepted window.
 * @param steps number of steps after the current one
 */
const createCode = (secret: string, steps = 0) => totpCode(secret, totpCounter(Date.now()) + steps);

async function logIn(self: BrowserVisit, account: string) {
  const { page, t } = self;
  await page.getByLabel(t("auth:email")).fill(`${account}@demo.example`);
  await page.getByLabel(t("auth:password"), { exact: true }).fill(demoPassword);
  await page.getByRole("button", { name: t("auth:submit"), exact: true }).click();
}

/** Sets up an authenticator app on its page, after an attempt with a wrong code. Returns the secret and the recovery codes. */
async function setUp(self: BrowserVisit) {
  const { page, t, js } = self;
  if (js) await waitForHydration(page);
  const secretField = page.locator("#second-factor-secret");
  const secret = await secretField.inputValue();
  // Users type it into an app on another device, so all of it must be readable at each width.
  expect(
    await secretField.evaluate((element) => [
      element.scrollWidth <= element.clientWidth,
      element.scrollHeight <= element.clientHeight,
    ]),
  ).toEqual([true, true]);
  const accountNavigation = page.getByRole("navigation", { name: t("account:nav") });
  expect(await accountNavigation.locator("[aria-current=page]").innerText()).toBe(
    t("account:security.title"),
  );
  const field = page.getByLabel(t("account:secondFactor.code"));
  const submit = page.getByRole("button", { name: t("account:secondFactor.submit"), exact: true });
  await field.fill("000000");
  await submitForm(self, submit);
  await page.getByText(t("auth:services.badOneTimeCode")).first().waitFor();
  // The secret stays the same, so the app that already scanned it still works.
  expect(await page.locator("#second-factor-secret").inputValue()).toBe(secret);
  await field.fill(await createCode(secret, -1));
  await submitForm(self, submit);
  const codeItems = page.locator("section[aria-labelledby=recovery-codes] li");
  await codeItems.nth(9).waitFor();
  const codes = await codeItems.allInnerTexts();
  expect(codes).toHaveLength(10);
  return { secret, codes };
}

for (const [lang, js, account, width] of [
  ["ja", true, "admin", 1280],
  ["en", false, "owner", 390],
] as const)
  test(`an authenticator app is set up, and its code is required at the log-in (${describeVisit({ lang, js, width })})`, () =>
    visit({ lang, js, width, origin: local.origin, reducedMotion: true }, async (self) => {
      const { open, page, t, expectStatus, saveScreenshot } = self;
      const required = account === "admin";
      expectStatus(400);
      await open("/login");
      await logIn(self, account);
      if (required) {
        await page.waitForURL((url) => url.pathname === "/account/second-factor");
        await page.getByText(t("account:secondFactor.required")).waitFor();
        // Until the app is set up, other pages redirect to its set-up.
        await open("/space-list");
        expect(new URL(page.url()).pathname).toBe("/account/second-factor");
      } else {
        await page.waitForURL((url) => url.pathname === "/space-list");
        await open("/account/security");
        await page.getByRole("link", { name: t("account:secondFactor.setUp") }).click();
        await page.waitForURL((url) => url.pathname === "/account/second-factor");
      }
      await saveScreenshot(`second-factor-setup-${lang}`, { fullPage: true });
      const { secret, codes } = await setUp(self);
      await saveScreenshot(`second-factor-codes-${lang}`, { fullPage: true });
      await page.getByRole("link", { name: t("account:secondFactor.codesSaved") }).click();
      await page.waitForURL((url) => url.pathname === (required ? "/space-list" : "/account/security"));

      await page.context().clearCookies({ name: "session-ticket" });
      await open(`/login?next=${encodeURIComponent("/account")}`);
      await logIn(self, account);
      const field = page.getByLabel(t("auth:secondStep.code"));
      await field.waitFor();
      await saveScreenshot(`second-factor-step-${lang}`, { fullPage: true });
      expect(await page.content()).not.toContain(demoPassword);
      await field.fill("999999");
      await submitForm(self, page.getByRole("button", { name: t("auth:submit"), exact: true }));
      await page.getByText(t("auth:services.badOneTimeCode")).first().waitFor();
      await field.fill(await createCode(secret, 1));
      await page.getByRole("button", { name: t("auth:submit"), exact: true }).click();
      await page.waitForURL((url) => url.pathname === "/account");

      // The API requires the code too, after the right password.
      const requestTicket = (body: Record<string, string>) =>
        caller(null, local.origin).fetch("/api/cas/tickets", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ email: `${account}@demo.example`, password: demoPassword, ...body }),
        });
      const readProblemCode = async (body: Record<string, string>) =>
        ((await (await requestTicket(body)).json()) as { code?: string }).code;
      expect(await readProblemCode({ password: "wrong password" })).toBe("bad_credentials");
      expect(await readProblemCode({})).toBe("second_factor_required");
      expect(await readProblemCode({ one_time_code: "000000" })).toBe("bad_one_time_code");
      expect((await requestTicket({ one_time_code: codes[0] ?? "" })).status).toBe(200);
    }));

test("an administrator without a second factor is rejected by the API, and can reset a user's factor after setting one up", () =>
  visit({ lang: "en", js: true, origin: local.origin }, async (self) => {
    const { open, page, t } = self;
    const db = (await local.mf.getD1Database("DB", "hiroba")) as unknown as D1Database;
    // Resets the state of earlier tests: the administrator has no app, and the owner has one.
    await db.batch([
      db.prepare(
        "DELETE FROM second_factors WHERE user_id = (SELECT id FROM users WHERE email = 'admin@demo.example')",
      ),
      db.prepare(
        `INSERT OR IGNORE INTO second_factors (user_id, secret, last_counter, recovery_codes, created_at)
         SELECT id, 'sealed elsewhere', 0, '[]', '2026-01-01T00:00:00.000Z' FROM users WHERE email = 'owner@demo.example'`,
      ),
    ]);
    const { ticket } = await caller(null, local.origin).api<{ ticket: string }>("POST", "/api/cas/tickets", {
      email: "admin@demo.example",
      password: demoPassword,
    });
    const admin = caller(ticket, local.origin);
    for (const path of ["/api/v1/account", "/api/v1/users", "/api/v1/spaces"]) {
      const response = await admin.fetch(path);
      expect([response.status, ((await response.json()) as { code?: string }).code], path).toEqual([
        403,
        "second_factor_setup_required",
      ]);
    }
    await open("/login");
    await logIn(self, "admin");
    await page.waitForURL((url) => url.pathname === "/account/second-factor");
    self.expectStatus(400);
    await setUp(self);
    expect((await admin.fetch("/api/v1/account")).status).toBe(200);

    const owner = await db
      .prepare("SELECT id FROM users WHERE email = 'owner@demo.example'")
      .first<{ id: string }>();
    await open(`/user-list/${owner?.id}`);
    await page.getByRole("link", { name: t("users:user.resetFactor") }).click();
    await db
      .prepare(
        "UPDATE sessions SET authenticated_at = '2026-01-01T00:00:00.000Z' WHERE user_id = (SELECT id FROM users WHERE email = 'admin@demo.example')",
      )
      .run();
    const dialog = page.getByRole("dialog");
    self.expectStatus(403);
    await dialog.getByRole("button", { name: t("users:user.resetFactor") }).click();
    await dialog.getByLabel(t("shared-owners:confirm.currentPassword"), { exact: true }).fill(demoPassword);
    await dialog.getByRole("button", { name: t("users:reauthentication.submit") }).click();
    await page.getByText(t("shared-owners:toasts.secondFactorReset")).first().waitFor();
    const remainingFactors = await db
      .prepare("SELECT count(*) AS n FROM second_factors WHERE user_id = ?")
      .bind(owner?.id)
      .first();
    expect(remainingFactors).toEqual({ n: 0 });
  }));
