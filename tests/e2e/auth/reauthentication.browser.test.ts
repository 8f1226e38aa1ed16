/** Administrators must enter their password or use a passkey again before privileged changes, such as those of roles and email addresses. */
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import type { LocalProduct } from "../../../scripts/lib/local/local-product";
import { demoPassword } from "../../../seed/demo";
import { type Caller, caller } from "../../support/api/caller";
import { startFromSnapshot } from "../../support/app/seeded-snapshot";
import { describeVisit, SCRIPTS, visit } from "../../support/browser/visit";
import { translateIn } from "../../support/translate";

let local: LocalProduct;
let db: Awaited<ReturnType<LocalProduct["mf"]["getD1Database"]>>;
let admin: Caller;
let chen: string;

beforeAll(async () => {
  // A separate product, because the tests change the age of its sessions.
  local = await startFromSnapshot(inject("snapshotFolder"));
  db = await local.mf.getD1Database("DB", "hiroba");
  const login = { email: "admin@demo.example", password: demoPassword };
  const { ticket } = await caller(null, local.origin).api<{ ticket: string }>(
    "POST",
    "/api/cas/tickets",
    login,
  );
  admin = caller(ticket, local.origin);
  const { text } = await admin.get("/user-list?q=chen%40demo.example");
  chen = /\/user-list\/([0-9a-f-]{36})"/.exec(text)?.[1] ?? "";
});
afterAll(() => local?.stop());

/** Sets the time of the last authentication in every session to one that is too long ago for privileged changes. */
const ageSessions = () =>
  db.prepare("UPDATE sessions SET authenticated_at = '2020-01-01T00:00:00.000Z'").run();
const readUser = () =>
  db.prepare("SELECT email, role, company_name, version FROM users WHERE id = ?").bind(chen).first();
beforeEach(ageSessions);

describe("an administrator's form", () => {
  for (const js of SCRIPTS)
    test(`asks for the password beside the kept values (${describeVisit({ js })})`, () =>
      visit(
        {
          lang: js ? "ja" : "en",
          js,
          as: admin,
          origin: local.origin,
          width: js ? 1280 : 390,
          reducedMotion: true,
        },
        async (self) => {
          const { open, page, t, expectStatus } = self;
          expectStatus(400, 403);
          await db.prepare("UPDATE users SET role = 'user' WHERE id = ?").bind(chen).run();
          const company = js ? "打ちかけの会社" : "Half typed Ltd";
          await open(`/user-list/${chen}`);
          await page.getByLabel(t("users:user.company")).fill(company);
          await page.getByRole("radio", { name: t("users:people.role.admin") }).check();
          await page.getByRole("button", { name: t("users:user.save"), exact: true }).click();
          await page.getByText(t("users:reauthentication.title")).waitFor();
          expect(await readUser()).toMatchObject({ role: "user" });
          const expectUnchangedForm = async () => {
            expect(await page.getByLabel(t("users:user.company")).inputValue()).toBe(company);
            expect(await page.getByRole("radio", { name: t("users:people.role.admin") }).isChecked()).toBe(
              true,
            );
          };
          await expectUnchangedForm();
          await self.saveScreenshot("reauthentication", { fullPage: true });
          if (js) await self.axe("reauthentication");
          const password = page.getByLabel(t("shared-owners:confirm.currentPassword"), { exact: true });
          const submit = page.getByRole("button", { name: t("users:reauthentication.submit") });
          await password.fill("not the password");
          await submit.click();
          await page.getByText(t("api:services.wrongPassword")).first().waitFor();
          await expectUnchangedForm();
          expect(await page.content()).not.toContain("not the password");
          await password.fill(demoPassword);
          await submit.click();
          await page.waitForURL(/toast|user-list\/[0-9a-f-]{36}$/);
          await expect.poll(readUser).toMatchObject({ role: "admin", company_name: company });
        },
      ));

  test("accepts a passkey instead", () =>
    visit({ lang: "en", as: admin, origin: local.origin, reducedMotion: true }, async (self) => {
      const { open, page, t, expectStatus } = self;
      expectStatus(400, 403);
      const cdp = await page.context().newCDPSession(page);
      await cdp.send("WebAuthn.enable");
      await cdp.send("WebAuthn.addVirtualAuthenticator", {
        options: {
          protocol: "ctap2",
          transport: "internal",
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: true,
          automaticPresenceSimulation: true,
        },
      });
      await open("/account/security?dialog=passkey");
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel(t("shared-owners:confirm.currentPassword"), { exact: true }).fill(demoPassword);
      await dialog.getByRole("button", { name: t("account:passkey.addSubmit") }).click();
      await page.getByText(t("shared-owners:toasts.passkeyAdded")).first().waitFor();
      await ageSessions();
      await open(`/user-list/${chen}`);
      await page.getByLabel(t("users:user.email")).fill("moved@demo.example");
      await page.getByRole("button", { name: t("users:user.save"), exact: true }).click();
      await page.getByRole("button", { name: t("users:reauthentication.passkey") }).click();
      await expect.poll(readUser).toMatchObject({ email: "moved@demo.example" });
    }));
});

describe("without scripts, as plain forms", () => {
  const t = translateIn("en");
  const credentials = { currentPassword: demoPassword };
  const createUserFields = (email: string) => ({
    email,
    lastName: "蓬莱",
    firstName: "",
    companyName: "",
    role: "admin",
    language: "ja",
    spaceLicense: "1",
    storageLimit: "1",
    timeZone: "Asia/Tokyo",
  });

  test("creating, inviting and restoring an administrator need the password, as does inviting from the list of users", async () => {
    const expectPasswordRequest = async (path: string, fields: Record<string, string | string[]>) => {
      await ageSessions();
      const rejected = await admin.post(`${path}?lang=en`, fields);
      expect([
        path,
        rejected.status,
        rejected.visibleText.includes(t("users:reauthentication.title")),
      ]).toEqual([path, 403, true]);
      const wrongPassword = await admin.post(`${path}?lang=en`, { ...fields, currentPassword: "wrong" });
      expect([
        wrongPassword.status,
        wrongPassword.visibleText.includes(t("api:services.wrongPassword")),
      ]).toEqual([400, true]);
      expect((await admin.post(path, { ...fields, currentPassword: "x".repeat(100_000) })).status).toBe(400);
      expect((await admin.post(path, { ...fields, credential: "{}" })).status).toBe(400);
      const accepted = await admin.post(path, { ...fields, ...credentials });
      expect([path, accepted.status]).toEqual([path, 302]);
      return rejected;
    };
    const rejected = await expectPasswordRequest("/user-list/new", createUserFields("chief@people.example"));
    expect(rejected.text).toContain('value="chief@people.example"');
    const { text } = await admin.get("/user-list?q=chief%40people.example");
    const id = /\/user-list\/([0-9a-f-]{36})"/.exec(text)?.[1] ?? "";
    await expectPasswordRequest(`/user-list/${id}`, { id, change: "invite" });
    const batchPage = await expectPasswordRequest("/user-list", { id, change: "invite" });
    expect(batchPage.text).toMatch(new RegExp(`value="${id}"[^>]*checked|checked[^>]*value="${id}"`));
    await admin.post(`/user-list/${id}`, { id, change: "delete" });
    await expectPasswordRequest(`/user-list/${id}`, { id, change: "restore" });
  });
});
