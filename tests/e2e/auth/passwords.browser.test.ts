import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { users } from "#functions/data/schema";
import { openDb } from "#functions/data/shared/db";
import { repositories } from "#functions/data/shared/repositories";
import { hashPassword } from "#functions/security/password";
import { idSource } from "#functions/security/random";
import { inviteFirstAdministrator } from "#functions/services/users/administrators";
import type { Lang } from "~/domain/shared/model";
import { type LocalProduct, startLocal } from "../../../scripts/lib/local/local-product";
import { type Caller, caller, type Fields } from "../../support/api/caller";
import { type BrowserVisit, describeVisit, visit } from "../../support/browser/visit";
import { latestMail } from "../../support/mail";

/** A separate product without the demo's data and accounts. */
let local: LocalProduct;
beforeAll(async () => {
  local = await startLocal({ port: 0, state: null });
});
afterAll(() => local.stop());

/** Invites an administrator, and returns the path of the invitation. */
async function invite(product: LocalProduct, email: string, language: Lang): Promise<string> {
  const binding = (await product.mf.getD1Database("DB", "hiroba")) as unknown as D1Database;
  const { url } = await inviteFirstAdministrator(
    {
      ...repositories(binding),
      clock: { now: () => Date.now() },
      ids: idSource,
      origin: product.origin,
    },
    { email, language, force: true },
  );
  return url.slice(product.origin.length);
}

async function logIn(
  email: string,
  password: string,
  origin = local.origin,
  isDeployed = false,
): Promise<Caller> {
  const { ticket } = await caller(null, origin).api<{ ticket: string }>("POST", "/api/cas/tickets", {
    email,
    password,
  });
  return caller(ticket, origin, undefined, isDeployed);
}

const findParts = ({ page, t }: BrowserVisit) => ({
  password: page.getByLabel(t("auth:newPassword.password"), { exact: true }),
  confirmation: page.getByLabel(t("auth:newPassword.confirmation"), { exact: true }),
  heading: page.getByRole("heading", { level: 1 }),
});

async function setPassword(self: BrowserVisit, submit: string, password: string, confirmation = password) {
  const fields = findParts(self);
  await fields.password.fill(password);
  await fields.confirmation.fill(confirmation);
  await self.page.getByRole("button", { name: submit }).click();
}

for (const [lang, js, width] of [
  ["ja", true, 1280],
  ["en", false, 390],
] as const)
  test(`a user is invited, sets a password, forgets it and sets another (${describeVisit({ lang, js, width })})`, () =>
    visit({ lang, js, width, origin: local.origin, reducedMotion: true }, async (self) => {
      const { open, page, t, axe, saveScreenshot, expectStatus, origin } = self;
      const email = `${lang}-${randomUUID().slice(0, 8)}@demo.example`;
      const checkScreen = async (screen: string) => {
        // Without scripts axe cannot run.
        if (js) await axe(screen);
        await saveScreenshot(screen);
      };
      expectStatus(400, 404, 410);

      const invitation = await invite(local, email, lang);
      await open(invitation);
      await open(invitation);
      expect(await findParts(self).heading.textContent()).toBe(t("auth:invitation.title"));
      expect(await page.getByText(email).first().isVisible()).toBe(true);
      await checkScreen("accept-invitation");
      await setPassword(self, t("auth:invitation.submit"), "correct horse", "correct hose");
      await page.getByText(t("auth:errors.password.mismatch")).first().waitFor();
      expect(await page.content()).not.toContain("correct horse");
      await setPassword(self, t("auth:invitation.submit"), "correct horse");
      await page.waitForURL((url) => url.pathname === "/login");
      await page.getByText(t("shared-owners:toasts.invitationAccepted")).waitFor();
      const firstSession = await logIn(email, "correct horse");
      expect((await firstSession.get("/account")).status).toBe(200);

      await page.getByRole("link", { name: t("auth:forgot") }).click();
      // Waits for the new page first, because the log-in page has an email field, too.
      await page.waitForURL((url) => url.pathname === "/retrieve-password");
      await page.getByRole("button", { name: t("auth:retrieve.submit") }).waitFor();
      await page.getByLabel(t("auth:email")).fill("nobody");
      await checkScreen("retrieve-password");
      await page.getByLabel(t("auth:email")).fill(email);
      await page.getByRole("button", { name: t("auth:retrieve.submit") }).click();
      await page.getByRole("heading", { name: t("auth:retrieve.sentTitle") }).waitFor();
      await checkScreen("retrieve-password-sent");

      const subject = lang === "ja" ? "【Hiroba】パスワードの再設定" : "Reset your Hiroba password";
      const mail = await latestMail(email, origin, (readMail) => readMail.subject === subject);
      await open("/dev/mail");
      await checkScreen("dev-mail");
      await page.getByRole("link", { name: mail.subject }).first().click();
      await page.waitForURL(/\/dev\/mail\/./);
      await page.frameLocator("iframe").getByRole("link").first().waitFor();
      await saveScreenshot("dev-mail-message");
      await page.frameLocator("iframe").getByRole("link").first().click();
      await page.waitForURL((url) => url.pathname + url.search === mail.link);
      await page
        .locator("main")
        .getByRole("link", { name: t("auth:newPassword.toPasskeys") })
        .waitFor();
      await checkScreen("reset-password");
      await setPassword(self, t("auth:newPassword.submit"), "battery staple");
      await page.waitForURL((url) => url.pathname === "/login");
      await page.getByText(t("shared-owners:toasts.passwordSet")).waitFor();
      expect((await firstSession.get("/account")).status).toBe(302);
      await expect(logIn(email, "correct horse")).rejects.toThrow("bad_credentials");
      await logIn(email, "battery staple");
      await latestMail(email, origin, ({ subject }) => subject !== mail.subject);

      for (const [path, status, state] of [
        [mail.link, 410, "used"],
        [invitation, 410, "used"],
        [mail.link.replace(/token=[\w-]{43}/, `token=${"x".repeat(43)}`), 404, "unknown"],
        [`/accept-invitation?token=cut&lang=${lang}`, 404, "unknown"],
      ] as const) {
        expect([path, (await page.goto(origin + path))?.status()]).toEqual([path, status]);
        expect(await findParts(self).heading.textContent()).toBe(t(`auth:link.${state}Title`));
      }
      await checkScreen("link-unknown");
    }));

describe("the page of an invitation", () => {
  test("sends no referrer to other sites, and posts from it are accepted", async () => {
    const invitation = await invite(local, "headers@demo.example", "en");
    const person = caller(null, local.origin);
    const page = await person.get(invitation);
    expect(page.headers.get("referrer-policy")).toBe("same-origin");
    expect(page.headers.get("cache-control")).toContain("no-store");
    for (const [, url = ""] of page.text.matchAll(/\b(?:src|href)="(https?:[^"]*)"/g))
      expect(new URL(url).origin).toBe(local.origin);
    const shortResponse = await person.post(invitation, { password: "short", passwordConfirmation: "short" });
    expect(shortResponse.status).toBe(400);
    expect(shortResponse.text).not.toContain('value="short"');
    const weakResponse = await person.post(invitation, {
      password: "password1",
      passwordConfirmation: "password1",
    });
    expect([weakResponse.status, weakResponse.visibleText.includes("too common")]).toEqual([400, true]);
    expect(weakResponse.text).not.toContain('value="password1"');
    const accepted = await person.post(invitation, {
      password: "long enough",
      passwordConfirmation: "long enough",
    });
    expect([accepted.status, accepted.headers.get("location")]).toEqual([
      302,
      "/login?toast=invitation-accepted",
    ]);
    const secondResponse = await person.post(invitation, {
      password: "another one",
      passwordConfirmation: "another one",
    });
    expect(secondResponse.status).toBe(410);
    await logIn("headers@demo.example", "long enough");
    const confirmedPage = await person.get("/accept-invitation?awaits&lang=en");
    expect([
      confirmedPage.status,
      confirmedPage.visibleText.includes("Your email address is confirmed"),
    ]).toEqual([200, true]);
  });
});

for (const js of [true, false])
  test(`a page whose link is used elsewhere shows that after its form is submitted (${describeVisit({ lang: "en", js, width: 390 })})`, () =>
    visit({ lang: "en", js, width: 390, origin: local.origin }, async (self) => {
      self.expectStatus(410);
      const link = await invite(local, `twice-${js}@demo.example`, "en");
      await self.open(link);
      const password = "long enough";
      await caller(null, local.origin).post(link, { password, passwordConfirmation: password });
      await setPassword(self, self.t("auth:invitation.submit"), password);
      await self.page.getByRole("heading", { level: 1, name: self.t("auth:link.usedTitle") }).waitFor();
    }));

test("invalid posts get 400 with a summary of their errors, and leave the link usable", async () => {
  const link = await invite(local, "guarded@demo.example", "en");
  const person = caller(null, local.origin);
  const long = "x".repeat(1_000_000);
  const invalidPosts: readonly Fields[] = [
    {},
    { password: "", passwordConfirmation: "" },
    { password: "short", passwordConfirmation: "short" },
    { password: long, passwordConfirmation: long },
    { password: "null\u0000null", passwordConfirmation: "null\u0000null" },
    { password: "\u202eright to left", passwordConfirmation: "\u202eright to left" },
    { password: ["long enough", "long enough"], passwordConfirmation: "long enough" },
    { password: "🔑🚪🔑🚪🔑🚪🔑🚪", passwordConfirmation: "🔑🔑🔑🔑🔑🔑🔑" },
  ];
  for (const fields of invalidPosts) {
    const response = await person.post(link, fields);
    expect([response.status, response.visibleText.includes("Please check your input")]).toEqual([400, true]);
  }
  for (const email of [
    "",
    "nobody",
    long,
    "a\u0000@demo.example",
    "\u202e@demo.example",
    ["a@b.example", "c@d.example"],
  ]) {
    const response = await person.post("/retrieve-password?lang=en", { email });
    expect([response.status, response.visibleText.includes("Please check your input")]).toEqual([400, true]);
  }
  const accepted = await person.post(link, {
    password: "🔑🚪🔑🚪🔑🚪🔑🚪",
    passwordConfirmation: "🔑🚪🔑🚪🔑🚪🔑🚪",
  });
  expect(accepted.status).toBe(302);
  await logIn("guarded@demo.example", "🔑🚪🔑🚪🔑🚪🔑🚪");
});

describe("asking for a new password", () => {
  test("gets the same response with and without an account, except for an administrator", async () => {
    const link = await invite(local, "asked@demo.example", "en");
    await caller(null, local.origin).post(link, {
      password: "long enough",
      passwordConfirmation: "long enough",
    });
    const requestReset = (visitor: Caller, email: string) =>
      visitor.post("/retrieve-password?lang=en", { email });
    const [known, unknown] = await Promise.all(
      ["asked@demo.example", "nobody@demo.example"].map((email) =>
        requestReset(caller(null, local.origin), email),
      ),
    );
    expect([known?.status, known?.headers.get("location")]).toEqual([302, "/retrieve-password?sent"]);
    expect([unknown?.status, unknown?.text]).toEqual([known?.status, known?.text]);
    expect([...(unknown?.headers ?? [])].map(([name]) => name)).toEqual(
      [...(known?.headers ?? [])].map(([name]) => name),
    );
    const admin = await logIn("asked@demo.example", "long enough");
    const rejected = await requestReset(admin, "nobody@demo.example");
    expect([
      rejected.status,
      rejected.visibleText.includes("No user was found with this email address."),
    ]).toEqual([400, true]);
    expect(rejected.text).toContain('value="nobody@demo.example"');
  });

  test("is rejected after ten requests for one email address", async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 11; i++)
      statuses.push(
        (await caller(null, local.origin).post("/retrieve-password", { email: "often@demo.example" })).status,
      );
    expect(statuses).toEqual([...Array(10).fill(302), 429]);
  });
});

describe("in production", () => {
  test("there is no mailbox, and an administrator sees that a mail could not be sent", async () => {
    const product = await startLocal({ port: 0, state: null, vars: { APP_ENV: "production" }, mailTo: [] });
    try {
      const binding = (await product.mf.getD1Database("DB", "hiroba")) as unknown as D1Database;
      await invite(product, "admin@demo.example", "en");
      await openDb(binding)
        .update(users)
        .set({ status: "ACTIVATED", passwordHash: await hashPassword("long enough") });
      const admin = await logIn("admin@demo.example", "long enough", product.origin, true);
      for (const path of ["/dev/mail", "/dev/mail/1"])
        expect([path, (await admin.get(path)).status]).toEqual([path, 404]);
      const response = await admin.post("/retrieve-password?lang=en", { email: "admin@demo.example" });
      expect([response.status, response.visibleText.includes("The email could not be sent.")]).toEqual([
        503,
        true,
      ]);
    } finally {
      await product.stop();
    }
  });
});
