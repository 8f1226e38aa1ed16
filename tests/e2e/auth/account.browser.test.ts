import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { LINKS_PER_HOUR } from "~/domain/auth/mail-links";
import { demoPassword } from "../../../seed/demo";
import { type Caller, caller, signIn, unescapeHtml } from "../../support/api/caller";
import { type FakeRegistration, FLAGS, softAuthenticator } from "../../support/browser/authenticator";
import { chooseOption, openGroup } from "../../support/browser/controls";
import {
  type BrowserVisit,
  describeVisit,
  SCRIPTS,
  visit,
  waitForHydration,
} from "../../support/browser/visit";
import { translateIn } from "../../support/translate";

/** Accounts whose profile and password a test may change. */
const PEOPLE = { true: "garcia", false: "okafor" } as const;

const nameOf = (js: boolean) => PEOPLE[String(js) as "true" | "false"];

/** Logs in to an account from another client. */
async function logInAgain(name: string, password = demoPassword): Promise<Caller> {
  const { ticket } = await caller().api<{ ticket: string }>("POST", "/api/cas/tickets.json/", {
    email: `${name}@demo.example`,
    password,
  });
  return caller(ticket);
}

const isLoggedIn = async (person: Caller) => (await person.get("/account")).status === 200;

/** Waits for the latest mail to an address. @returns the path of its link that confirms the address */
async function waitForLink(origin: string, to: string): Promise<string> {
  const visitor = caller(null, origin);
  for (let tries = 0; tries < 50; tries++) {
    const list = await visitor.get(`/dev/mail?to=${encodeURIComponent(to)}`);
    const [, message] = /href="(\/dev\/mail\/[0-9a-f-]{36})/.exec(list.text) ?? [];
    const [, link] = message
      ? (/(\/confirm-email\?token=[\w-]{43})/.exec((await visitor.get(message)).text) ?? [])
      : [];
    if (link) return unescapeHtml(link);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`No mail to ${to}`);
}

/** Runs axe only with scripts, because axe is a script. */
const createScreenCheck =
  ({ js, axe }: BrowserVisit) =>
  (screen: string) =>
    js ? axe(screen) : Promise.resolve();

const waitForToast = ({ page }: BrowserVisit, text: string) => page.getByText(text).first().waitFor();

describe("the profile", () => {
  for (const js of SCRIPTS)
    test(`is saved, switches to the chosen language at once, and overwrites another client's change only on request (${describeVisit({ js })})`, async () => {
      const person = await signIn(nameOf(js));
      await visit(
        { lang: "ja", js, as: person, width: js ? 1280 : 390, reducedMotion: true },
        async (self) => {
          const { open, page, t, expectStatus, saveScreenshot, origin } = self;
          const checkScreen = createScreenCheck(self);
          expectStatus(400, 409);
          await open("/account");
          await checkScreen("account");
          await saveScreenshot("account-profile", { fullPage: true });
          await page.getByLabel(t("account:profile.companyName"), { exact: true }).fill("a".repeat(101));
          await page.getByLabel(t("account:profile.lastName"), { exact: true }).fill("");
          await page.getByLabel(t("account:profile.firstName"), { exact: true }).fill("");
          await page.getByRole("button", { name: t("account:save") }).click();
          await page.getByText(t("auth:errors.person.nameRequired")).first().waitFor();
          expect(await page.getByLabel(t("account:profile.companyName"), { exact: true }).inputValue()).toBe(
            "a".repeat(101),
          );

          await page.getByLabel(t("account:profile.lastName"), { exact: true }).fill("新しい姓");
          await page.getByLabel(t("account:profile.companyName"), { exact: true }).fill("会社");
          await openGroup(self, t("account:profile.timeAndMails"));
          await page.getByLabel(t("account:profile.statusMails"), { exact: true }).check();
          await chooseOption(self, t("account:profile.timeZone"), "Lisbon");
          await page.locator("select[name=language]").selectOption("en");
          await page.getByRole("button", { name: t("account:save") }).click();
          await page.getByRole("heading", { level: 1, name: "Account settings" }).waitFor();
          expect(await page.locator("html").getAttribute("lang")).toBe("en");
          if (js) await waitForHydration(page);
          const english = {
            company: page.getByLabel("Company", { exact: true }),
            save: page.getByRole("button", { name: "Save" }),
          };
          expect(await page.locator("select[name=timeZone]").inputValue()).toBe("Europe/Lisbon");

          expect(await page.getByLabel("Email me when events open and end").isChecked()).toBe(true);

          // Another client saves the same form meanwhile, without opting in to mails.
          const version = await page.locator("input[name=version]").inputValue();
          const saveByOtherClient = await person.post("/account", {
            version,
            lastName: "新しい姓",
            firstName: "",
            companyName: "Elsewhere",
            language: "en",
            timeZone: "Europe/Lisbon",
          });
          expect(saveByOtherClient.status).toBe(302);
          await english.company.fill("Here");
          await english.save.click();
          const table = page.getByRole("table");
          await table.getByText("Elsewhere").waitFor();
          expect(await page.getByText("Profile saved.").count()).toBe(0);
          expect(await table.getByText("Here", { exact: true }).count()).toBe(1);
          expect(await table.getByText("Off", { exact: true }).count()).toBe(1);
          expect(await english.company.inputValue()).toBe("Here");
          await checkScreen("account-conflict");
          await saveScreenshot("account-conflict", { fullPage: true });
          expect((await person.get("/account")).text).toContain("Elsewhere");
          await page.getByRole("button", { name: "Save my version" }).click();
          await page.getByText("Profile saved.").first().waitFor();
          expect((await person.get("/account")).text).not.toContain("Elsewhere");
          expect(origin).toBe(person.origin);
        },
      );
    });
});

describe("log-in and security", () => {
  for (const js of SCRIPTS)
    test(`changes the address by a link, and the password, and ends sessions (${describeVisit({ js })})`, async () => {
      const name = nameOf(js);
      const person = await signIn(name);
      const [secondClient, thirdClient] = [await logInAgain(name), await logInAgain(name)];
      const lang = js ? "en" : "ja";
      await visit({ lang, js, as: person, width: js ? 390 : 1280, reducedMotion: true }, async (self) => {
        const { open, page, t, expectStatus, saveScreenshot, origin } = self;
        const checkScreen = createScreenCheck(self);
        expectStatus(400, 404, 410);
        await open("/account/security");
        await checkScreen("account-security");

        const sessionEnds = page.getByRole("button", {
          name: new RegExp(`^${t("account:sessions.endThis", { device: "" })}`),
        });
        const sessionsBefore = await sessionEnds.count();
        expect(sessionsBefore).toBeGreaterThanOrEqual(2);
        await sessionEnds.first().click();
        await waitForToast(self, t("shared-owners:toasts.sessionEnded"));
        await expect.poll(() => sessionEnds.count()).toBe(sessionsBefore - 1);
        expect([await isLoggedIn(secondClient), await isLoggedIn(thirdClient)].filter(Boolean)).toHaveLength(
          1,
        );

        await page
          .getByRole("link", { name: t("account:change") })
          .first()
          .click();
        const dialog = page.getByRole("dialog");
        const submit = dialog.getByRole("button", { name: t("account:email.submit") });
        const password = dialog.getByLabel(t("shared-owners:confirm.currentPassword"), { exact: true });
        const emailField = dialog.getByLabel(t("account:email.field"), { exact: true });
        await emailField.fill(`new-${name}@demo.example`);
        await password.fill("wrong password");
        await submit.click();
        await dialog.getByText(t("api:services.wrongPassword")).first().waitFor();
        expect(await emailField.inputValue()).toBe(`new-${name}@demo.example`);
        await checkScreen("account-email-wrong");
        await password.fill(demoPassword);
        await submit.click();
        await page
          .getByText(t("account:email.waitingTitle", { email: `new-${name}@demo.example` }))
          .waitFor();
        await checkScreen("account-security-waiting");
        await saveScreenshot("account-security", { fullPage: true });
        expect(await page.getByText(`${name}@demo.example`, { exact: true }).count()).toBeGreaterThan(0);

        const link = await waitForLink(origin, `new-${name}@demo.example`);
        await open("/confirm-email?token=short");
        await page.getByRole("heading", { level: 1, name: t("auth:link.unknownTitle") }).waitFor();
        const strangerPage = await (await signIn("suzuki")).get(`${link}&lang=en`);
        expect([strangerPage.status, strangerPage.visibleText.includes("another account")]).toEqual([
          403,
          true,
        ]);
        await open(link);
        await checkScreen("confirm-email");
        await saveScreenshot("confirm-email");
        await page.getByRole("button", { name: t("account:email.confirmSubmit") }).click();
        await waitForToast(self, t("shared-owners:toasts.emailConfirmed"));
        await page.getByText(`new-${name}@demo.example`, { exact: true }).first().waitFor();
        await open(link);
        await page.getByRole("heading", { level: 1, name: t("auth:link.usedTitle") }).waitFor();

        await open("/account/security?dialog=password");
        await page.getByLabel(t("shared-owners:confirm.currentPassword"), { exact: true }).fill(demoPassword);
        await page.getByLabel(t("account:password.field"), { exact: true }).fill("a longer password");
        await page.getByLabel(t("account:password.confirmation"), { exact: true }).fill("another password");
        const changeButton = page.getByRole("button", { name: t("account:password.submit") });
        await changeButton.click();
        await page.getByText(t("auth:errors.password.mismatch")).first().waitFor();
        expect(await page.content()).not.toContain("a longer password");
        await checkScreen("account-password-wrong");
        await page.getByLabel(t("shared-owners:confirm.currentPassword"), { exact: true }).fill(demoPassword);
        await page.getByLabel(t("account:password.field"), { exact: true }).fill("a longer password");
        await page.getByLabel(t("account:password.confirmation"), { exact: true }).fill("a longer password");
        await changeButton.click();
        await waitForToast(self, t("shared-owners:toasts.passwordChanged"));
        for (const client of [secondClient, thirdClient]) expect(await isLoggedIn(client)).toBe(false);
        // The browser received a new ticket, and the previous one is invalid.
        expect(await isLoggedIn(person)).toBe(false);
        const cookie = (await self.context.cookies()).find(
          (candidate) => candidate.name === "session-ticket",
        );
        const renewed = caller(cookie?.value ?? "", origin);
        expect(await isLoggedIn(renewed)).toBe(true);

        await logInAgain(`new-${name}`, "a longer password");
        await open("/account/security");
        await page.getByRole("button", { name: t("account:sessions.endOthers") }).click();
        await waitForToast(self, t("shared-owners:toasts.otherSessionsEnded"));
        await page.getByRole("button", { name: t("account:sessions.endAll") }).click();
        await page.waitForURL((url) => url.pathname === "/login");
        await waitForToast(self, t("shared-owners:toasts.sessionsEnded"));
        expect(await isLoggedIn(renewed)).toBe(false);
      });
    });
});

/** Adds a virtual authenticator, which confirms every request unless its user verification is set to fail. */
async function addAuthenticator(page: Page) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    setUserVerified: (isUserVerified: boolean) =>
      cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified }),
    getCredentials: async () => (await cdp.send("WebAuthn.getCredentials", { authenticatorId })).credentials,
  };
}

describe("a passkey", () => {
  test("is added, renamed, logged in with and removed", async () => {
    await visit({ lang: "en", as: await signIn("chen"), reducedMotion: true }, async (self) => {
      const { open, page, t, expectStatus, saveScreenshot, context } = self;
      const checkScreen = createScreenCheck(self);
      expectStatus(400);
      await open("/account/security");
      const authenticator = await addAuthenticator(page);
      await page.getByRole("link", { name: t("account:passkey.add") }).click();
      const dialog = page.getByRole("dialog");
      const name = dialog.getByLabel(t("account:passkey.name"), { exact: true });
      expect(await name.inputValue()).toMatch(/Chrome/);
      await checkScreen("account-passkey");
      await saveScreenshot("account-passkey");
      await name.fill("");
      await dialog.getByRole("button", { name: t("account:passkey.addSubmit") }).click();
      await dialog.getByText(t("auth:errors.passkey.nameRequired")).first().waitFor();
      await name.fill("Work laptop");
      await dialog.getByRole("button", { name: t("account:passkey.addSubmit") }).click();
      await waitForToast(self, t("shared-owners:toasts.passkeyAdded"));
      await dialog.waitFor({ state: "detached" });
      expect(await authenticator.getCredentials()).toMatchObject([
        { isResidentCredential: true, rpId: "localhost", signCount: 1 },
      ]);
      await page.getByText(t("account:passkey.neverUsed")).waitFor();

      // Adding the same device again fails, because it already has a passkey.
      await open("/account/security?dialog=passkey");
      await dialog.getByRole("button", { name: t("account:passkey.addSubmit") }).click();
      await dialog.getByText(t("account:passkey.existing")).waitFor();

      await open("/account/security");
      await page
        .getByRole("link", { name: t("account:passkey.renameThis", { name: "Work laptop" }) })
        .click();
      await name.fill("<b>Kitchen</b>");
      await dialog.getByRole("button", { name: t("account:save") }).click();
      await waitForToast(self, t("shared-owners:toasts.passkeyRenamed"));
      await page.getByText("<b>Kitchen</b>", { exact: true }).waitFor();

      await context.clearCookies({ name: "session-ticket" });
      await open("/login?next=%2Faccount%2Fsecurity");
      await checkScreen("login-passkey");
      const logInButton = page.getByRole("button", { name: t("auth:passkey") });
      // The user verification fails.
      await authenticator.setUserVerified(false);
      await logInButton.click();
      await page.getByText(t("auth:passkeyClosed")).waitFor();
      await authenticator.setUserVerified(true);
      await logInButton.click();
      await page.waitForURL((url) => url.pathname === "/account/security");
      const cookie = (await context.cookies()).find((candidate) => candidate.name === "session-ticket");
      expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Lax" });
      await page
        .getByText(/^Last used/)
        .first()
        .waitFor();
      expect(await page.getByText(t("account:passkey.neverUsed")).count()).toBe(0);
      await saveScreenshot("account-passkeys", { fullPage: true });

      await page
        .getByRole("link", { name: t("account:passkey.removeThis", { name: "<b>Kitchen</b>" }) })
        .click();
      await checkScreen("account-passkey-remove");
      await dialog.getByRole("button", { name: t("account:passkey.remove") }).click();
      await waitForToast(self, t("shared-owners:toasts.passkeyRemoved"));
      await page.getByText(t("account:passkey.empty")).waitFor();

      // The device still has the passkey, but the account no longer accepts it.
      await context.clearCookies({ name: "session-ticket" });
      await open("/login");
      await logInButton.click();
      await page.getByText(t("auth:errors.passkey.rejected")).first().waitFor();
    });
  });

  test("is not offered where scripts do not run", () =>
    visit({ lang: "en", js: false }, async ({ open, page, t }) => {
      await open("/login");
      expect(await page.getByRole("button").count()).toBe(1);
      expect(await page.getByText(t("auth:passkey")).count()).toBe(0);
    }));
});

describe("the request to delete the account", () => {
  for (const js of SCRIPTS)
    test(`asks for the password and can be cancelled (${describeVisit({ js })})`, async () => {
      const lang = js ? "ja" : "en";
      await visit({ lang, js, as: await signIn("yamada"), width: 390, reducedMotion: true }, async (self) => {
        const { open, page, t, expectStatus, saveScreenshot } = self;
        const checkScreen = createScreenCheck(self);
        expectStatus(400);
        await open("/account/data");
        await checkScreen("account-data");
        await saveScreenshot("account-data", { fullPage: true });
        await page.getByRole("link", { name: t("account:data.request") }).click();
        const dialog = page.getByRole("dialog");
        const submit = dialog.getByRole("button", { name: t("account:data.requestSubmit") });
        await dialog
          .getByLabel(t("shared-owners:confirm.currentPassword"), { exact: true })
          .fill("wrong password");
        await submit.click();
        await dialog.getByText(t("api:services.wrongPassword")).first().waitFor();
        await dialog
          .getByLabel(t("shared-owners:confirm.currentPassword"), { exact: true })
          .fill(demoPassword);
        await submit.click();
        await page.getByText(t("account:data.waitingTitle")).waitFor();
        await checkScreen("account-data-waiting");
        await page.getByRole("button", { name: t("account:data.withdraw") }).click();
        await waitForToast(self, t("shared-owners:toasts.deletionWithdrawn"));
        await page.getByRole("link", { name: t("account:data.request") }).waitFor();
      });
    });
});

describe("requests that no form of the product sends", () => {
  const LONG = "x".repeat(1_000_000);

  test("get 400 or 404 and change nothing", async () => {
    const person = await signIn("ito");
    const postSecurity = (fields: Record<string, string>) => person.post("/account/security", fields);
    const profile = {
      version: "1",
      lastName: "a",
      firstName: "b",
      companyName: "c",
      language: "ja",
      timeZone: "UTC",
    };
    for (const invalidFields of [
      { lastName: LONG },
      { lastName: "\u0000" },
      { lastName: "\u202eabc" },
      { language: "fr" },
      { timeZone: "Mars/Olympus" },
      { timeZone: LONG },
      { version: "-1" },
      { version: "x" },
    ]) {
      const response = await person.post("/account", { ...profile, ...invalidFields });
      expect([Object.entries(invalidFields)[0]?.[1].slice(0, 20), response.status]).toEqual([
        expect.anything(),
        400,
      ]);
    }
    expect((await person.get("/account")).text).toContain("伊藤硝子工房");

    for (const [status, fields] of [
      [400, {}],
      [400, { intent: "nothing" }],
      [400, { intent: "email", email: LONG, currentPassword: demoPassword }],
      [400, { intent: "email", email: "new@demo.example", currentPassword: LONG }],
      [
        400,
        {
          intent: "password",
          currentPassword: demoPassword,
          password: "short",
          passwordConfirmation: "short",
        },
      ],
      [
        400,
        { intent: "password", currentPassword: demoPassword, password: LONG, passwordConfirmation: LONG },
      ],
      [400, { intent: "passkey-add", name: "x", credential: "{}" }],
      [400, { intent: "passkey-add", name: "x", credential: LONG }],
      [404, { intent: "passkey-rename", passkeyId: "AAAA", name: "x" }],
      [404, { intent: "passkey-remove", passkeyId: "AAAA" }],
      [400, { intent: "session-end", session: LONG }],
      [404, { intent: "session-end", session: "0".repeat(16) }],
    ] as const)
      expect([fields, (await postSecurity(fields as Record<string, string>)).status]).toEqual([
        fields,
        status,
      ]);
    const t = translateIn("ja");
    expect((await postSecurity({ intent: "nothing" })).visibleText).toContain(
      t("shared-owners:errors.form.invalid"),
    );
    expect((await postSecurity({ intent: "email", email: "x", currentPassword: "" })).visibleText).toContain(
      t("auth:errors.email.invalid"),
    );
    expect((await person.post("/account/data", { intent: "request", currentPassword: LONG })).status).toBe(
      400,
    );
    expect(await isLoggedIn(await logInAgain("ito"))).toBe(true);
  });

  test("are rejected as a new passkey and at the log-in, for every kind of key", async () => {
    const person = await signIn("ito");
    const visitor = caller();
    const t = translateIn("en");
    const readChallenge = async (from: Caller, path: string, fields: Record<string, string>) =>
      /[\w-]{43}/.exec((await from.post(path, fields)).text)?.[0] ?? "";
    const readCreationChallenge = () => readChallenge(person, "/account/passkey", { name: "x" });
    const readLoginChallenge = () => readChallenge(visitor, "/login/passkey", {});
    const toJson = (credential: object) => JSON.stringify({ ...credential, type: "public-key" });
    const addPasskey = (credential: object) =>
      person.post("/account/security?lang=en", {
        intent: "passkey-add",
        name: "x",
        credential: toJson(credential),
      });
    const logIn = (credential: object) => visitor.post("/login?lang=en", { credential: toJson(credential) });

    for (const kind of ["ec", "ed25519", "rsa"] as const) {
      const device = softAuthenticator(person.origin, kind);
      const invalidRegistrations: FakeRegistration[] = [
        { origin: "https://evil.example" },
        { rpId: "evil.example" },
        { type: "webauthn.get" },
        { flags: FLAGS.present | FLAGS.attested },
        { publicKey: Buffer.from("a5", "hex") },
        { attestation: ["packed", new Map([["x5c", [Uint8Array.of(0x30, 0)]]])] },
      ];
      for (const invalidValues of invalidRegistrations) {
        const response = await addPasskey(device.register(await readCreationChallenge(), invalidValues));
        expect([kind, invalidValues, response.status]).toEqual([kind, invalidValues, 400]);
        expect(response.visibleText).toContain(t("auth:errors.passkey.failed"));
      }
      const registration = device.register(await readCreationChallenge());
      const attestationObject = registration.response.attestationObject.slice(0, 40);
      expect(
        (await addPasskey({ ...registration, response: { ...registration.response, attestationObject } }))
          .status,
      ).toBe(400);
      const created = device.register(await readCreationChallenge(), { counter: 3 });
      expect([kind, (await addPasskey(created)).status, (await addPasskey(created)).status]).toEqual([
        kind,
        302,
        400,
      ]);

      for (const invalidValues of [
        { origin: "https://evil.example" },
        { flags: FLAGS.present },
        { counter: 3 },
      ]) {
        const response = await logIn(
          device.signIn(await readLoginChallenge(), null, { counter: 9, ...invalidValues }),
        );
        expect([kind, invalidValues, response.status]).toEqual([kind, invalidValues, 400]);
        expect(response.visibleText).toContain(t("auth:errors.passkey.rejected"));
      }
      const assertion = device.signIn(await readLoginChallenge(), null, { counter: 4 });
      expect([(await logIn(assertion)).status, (await logIn(assertion)).status]).toEqual([302, 400]);
      expect(
        (await person.post("/account/security", { intent: "passkey-remove", passkeyId: device.id })).status,
      ).toBe(302);
    }
  });

  test("cause only a few mails an hour, and then a message", async () => {
    const person = await signIn("ito");
    const postSecurity = (fields: Record<string, string>) => person.post("/account/security?lang=en", fields);
    const emailFields = (number: number) => ({
      intent: "email",
      email: `ito-${number}@demo.example`,
      currentPassword: demoPassword,
    });
    for (let number = 0; number < LINKS_PER_HOUR; number++)
      expect((await postSecurity(emailFields(number))).status).toBe(302);
    const message = translateIn("en")("auth:services.tooManyLinks");
    const rejectedPage = await postSecurity({ intent: "email-again" });
    expect([rejectedPage.status, rejectedPage.visibleText.includes(message)]).toEqual([429, true]);
    expect((await postSecurity(emailFields(9))).status).toBe(429);
    expect((await postSecurity({ intent: "email-cancel" })).status).toBe(302);
  });

  test("cannot end another user's session, and the page with the sessions contains no hashes or tickets", async () => {
    const [own, other] = [await signIn("ito"), await logInAgain("kato")];
    const otherPage = await other.get("/account/security");
    const handles = [...otherPage.text.matchAll(/name="session" value="([0-9a-f]{16})"/g)].map(
      ([, handle]) => handle,
    );
    await logInAgain("kato");
    const [, handle = ""] =
      /name="session" value="([0-9a-f]{16})"/.exec((await other.get("/account/security")).text) ?? [];
    expect(handles).not.toContain(handle);
    expect((await own.post("/account/security", { intent: "session-end", session: handle })).status).toBe(
      404,
    );
    expect(await isLoggedIn(other)).toBe(true);
    expect(otherPage.text).not.toMatch(/[0-9a-f]{64}|scrypt|password_?hash/i);
    expect(otherPage.text).not.toContain(other.ticket);
  });

  test("are redirected to the log-in without a session, or rejected when they forge a log-in", async () => {
    for (const path of ["/account", "/account/security", "/account/data"]) {
      const response = await caller().get(path);
      expect([response.status, response.headers.get("location")]).toEqual([
        302,
        `/login?next=${encodeURIComponent(path)}`,
      ]);
    }
    const crossOriginResponse = await caller().post(
      "/login/passkey",
      {},
      { headers: { origin: "https://evil.example" } },
    );
    expect(crossOriginResponse.status).toBe(403);
    for (const credential of ["", "{}", "[]", "null", LONG])
      expect((await caller().post("/login", { credential })).status).toBe(400);
  });
});
