import { describe, expect, test } from "vitest";
import { demoPassword } from "../../../seed/demo";
import { caller, signIn } from "../../support/api/caller";
import { demoIds } from "../../support/app/demo";
import { accountMenu } from "../../support/browser/controls";
import {
  type BrowserVisit,
  describeVisit,
  EACH_LANGUAGE_AND_WIDTH_ONCE,
  SCRIPTS,
  visit,
  waitForHydration,
} from "../../support/browser/visit";
import { translateIn } from "../../support/translate";

const findFields = ({ page, t }: BrowserVisit) => ({
  email: page.getByLabel(t("auth:email")),
  password: page.getByLabel(t("auth:password"), { exact: true }),
  submit: page.getByRole("button", { name: t("auth:submit"), exact: true }),
});

async function logIn(self: BrowserVisit, account: string, password = demoPassword) {
  const { email, password: field, submit } = findFields(self);
  await email.fill(`${account}@demo.example`);
  await field.fill(password);
  await submit.click();
}

describe("the language of the log-in page", () => {
  for (const js of SCRIPTS)
    test(`is Japanese while none is chosen, and only scripts offer the browser's language (${describeVisit({ js })})`, () =>
      visit({ lang: "en", js }, async ({ page, context, origin }) => {
        await context.clearCookies();
        await page.goto(`${origin}/login`);
        expect(await page.locator("html").getAttribute("lang")).toBe("ja");
        const link = page.getByRole("link", { name: translateIn("ja")("shared:viewInOther") });
        if (!js) return expect(await link.count()).toBe(0);
        await link.click();
        await page.waitForURL(({ searchParams }) => searchParams.get("lang") === "en");
        expect(await page.locator("html").getAttribute("lang")).toBe("en");
        await waitForHydration(page);
        expect(await page.getByText(translateIn("en")("shared:viewInOther")).count()).toBe(0);
      }));
});

describe("logging in", () => {
  for (const { lang, js } of EACH_LANGUAGE_AND_WIDTH_ONCE)
    for (const [account, startPath, entryPath] of [
      ["owner", "/space-list", "/"],
      ["admin", "/user-list", "/login"],
    ] as const)
      test(`${account} lands on ${startPath} (${describeVisit({ lang, js })})`, () =>
        visit({ lang, js }, async (self) => {
          const { open, page, context } = self;
          await open(entryPath);
          await logIn(self, account);
          await page.waitForURL((url) => url.pathname === startPath);
          expect(await page.locator("html").getAttribute("lang")).toBe(lang);
          const cookie = (await context.cookies()).find(({ name }) => name === "session-ticket");
          expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Lax", path: "/" });
          // A logged-in user is redirected from the log-in page.
          await page.goto(`${self.origin}/login`);
          expect(new URL(page.url()).pathname).toBe(startPath);
        }));

  for (const { lang, js } of EACH_LANGUAGE_AND_WIDTH_ONCE)
    test(`shows an error and keeps the address (${describeVisit({ lang, js })})`, () =>
      visit({ lang, js }, async (self) => {
        const { open, page, t, expectStatus } = self;
        expectStatus(400);
        await open("/login?next=%2Faccount");
        const { email, password } = findFields(self);
        await logIn(self, "owner", "not the password");
        const message = t("api:services.badCredentials");
        if (lang === "en") expect(message).toMatch(/^The email address or password is incorrect/);
        await page.getByText(message).first().waitFor();
        expect(await email.inputValue()).toBe("owner@demo.example");
        if (!js) expect(await password.inputValue()).toBe("");
        expect(await page.content()).not.toContain("not the password");
        await expect
          .poll(() => page.evaluate(() => document.activeElement?.getAttribute("role")))
          .toBe("alert");
        // The right password leads to the requested page.
        await password.fill(demoPassword);
        await page.getByRole("button", { name: t("auth:submit"), exact: true }).click();
        await page.waitForURL((url) => url.pathname === "/account");
        // From now on the log-in recognises this browser.
        const path = js ? "/login.data" : "/login";
        const [request] = await Promise.all([
          page.waitForRequest((next) => new URL(next.url()).pathname === path),
          js ? page.evaluate((url) => fetch(url), path) : page.goto(`${self.origin}${path}`),
        ]);
        expect((await request.allHeaders()).cookie).toContain("known-browser=");
      }));

  test("sets the account's language in a browser that has chosen none, and the chosen one in others", async () => {
    const englishUser = { email: "smith@demo.example", password: demoPassword };
    const readCookies = async (path: string) =>
      (await caller().post(path, englishUser)).headers.getSetCookie().join();
    expect(await readCookies("/login")).toContain("lang=en");
    expect(await readCookies("/login?lang=ja")).toContain("lang=ja");
    expect(await readCookies("/login?lang=ja")).not.toContain("lang=en");
  });

  test("shows the same message for an unknown address and for a wrong password", async () => {
    const visitor = caller();
    const responses = await Promise.all(
      ["owner@demo.example", "nobody@demo.example"].map((email) =>
        visitor.post("/login?lang=en", { email, password: "wrong-password" }),
      ),
    );
    const [known, unknown] = responses.map(({ visibleText: text }) => text);
    expect(unknown).toBe(known);
  });

  test("checks the credentials of a logged-in user in the same way", async () => {
    const owner = await signIn("owner");
    const response = await owner.post("/login?lang=en", {
      email: "admin@demo.example",
      password: "wrong-password",
    });
    expect([
      response.status,
      response.visibleText.includes(translateIn("en")("api:services.badCredentials")),
    ]).toEqual([400, true]);
    expect(response.text).toContain('value="admin@demo.example"');
    expect((await owner.get("/account")).status).toBe(200);
  });

  test("tells accounts without access the reason, but only after the right password", async () => {
    const t = translateIn("en");
    for (const [name, key] of [
      ["tanaka", "api:services.accountBlocked"],
      ["sasaki", "api:services.accountDisapproved"],
      ["watanabe", "api:services.approvalPending"],
    ] as const) {
      const email = `${name}@demo.example`;
      const withRightPassword = await caller().post("/login?lang=en", { email, password: demoPassword });
      expect([name, withRightPassword.status >= 400, withRightPassword.visibleText.includes(t(key))]).toEqual(
        [name, true, true],
      );
      // The credentials were right.
      expect([name, withRightPassword.visibleText.includes(t("shared:errorsTitle"))]).toEqual([name, false]);
      expect(withRightPassword.headers.getSetCookie().join()).not.toContain("session-ticket=");
      const withWrongPassword = await caller().post("/login?lang=en", { email, password: "wrong-password" });
      expect([name, withWrongPassword.visibleText.includes(t(key))]).toEqual([name, false]);
    }
  });

  test("is slowed down after repeated wrong passwords, without an effect on other accounts", async () => {
    const t = translateIn("en");
    const guesser = caller();
    const statuses: number[] = [];
    for (let guess = 0; guess < 13; guess++)
      statuses.push(
        (await guesser.post("/login", { email: "hayashi@demo.example", password: `guess-${guess}` })).status,
      );
    expect(statuses[0]).toBe(400);
    expect(statuses.at(-1)).toBe(429);
    const delayed = await guesser.post("/login?lang=en", {
      email: "hayashi@demo.example",
      password: demoPassword,
    });
    expect([
      delayed.status,
      delayed.visibleText.includes(t("api:services.guessDelayed", { minutes: 2 })),
    ]).toEqual([429, true]);
    // Wrong passwords of one account do not block another account at the same network address.
    const colleague = { email: "kimura@demo.example", password: demoPassword };
    expect((await guesser.post("/login", colleague)).status).toBe(302);
  });
});

describe("while scripts are loading", () => {
  test("typing is not interrupted", () =>
    visit({ lang: "en" }, async (self) => {
      const { context, page, origin } = self;
      let releaseScripts = () => {};
      const scriptsReleased = new Promise<void>((resolve) => {
        releaseScripts = resolve;
      });
      await context.route("**/assets/*.js", async (route) => {
        await scriptsReleased;
        await route.continue();
      });
      await page.goto(`${origin}/login`, { waitUntil: "commit" });
      const { email, password } = findFields(self);
      await email.fill("owner@demo.example");
      await password.pressSequentially("demo-");
      releaseScripts();
      await waitForHydration(page);
      expect(await email.inputValue()).toBe("owner@demo.example");
      expect(await password.evaluate((field) => field === document.activeElement)).toBe(true);
      await page.keyboard.type("password");
      await page.keyboard.press("Enter");
      await page.waitForURL((url) => url.pathname === "/space-list");
    }));

  test("logging in works, even if they never load", () =>
    visit({ lang: "en" }, async (self) => {
      const { context, page, origin, expectError } = self;
      expectError(/net::ERR_FAILED/);
      await context.route("**/assets/*.js", (route) => route.abort());
      await page.goto(`${origin}/login`);
      await logIn(self, "owner");
      await page.waitForURL((url) => url.pathname === "/space-list");
      expect(await page.getByRole("link", { name: "Hiroba ショールーム" }).isVisible()).toBe(true);
    }));
});

describe("a ticket that an earlier client left in local storage", () => {
  const storeTicket = async ({ open, page }: BrowserVisit, ticket: string) => {
    await open("/error/event/x");
    await page.evaluate((value) => localStorage.setItem("session-ticket", value), ticket);
  };
  const readStoredTicket = ({ page }: BrowserVisit) =>
    page.evaluate(() => localStorage.getItem("session-ticket"));

  test("is exchanged for the cookie, once, and removed", () =>
    visit({ lang: "en" }, async (self) => {
      const { page, context, open, expectStatus } = self;
      expectStatus(404);
      const { ticket } = await caller().api<{ ticket: string }>("POST", "/api/cas/tickets.json/", {
        email: "owner@demo.example",
        password: demoPassword,
      });
      await storeTicket(self, ticket);
      await page.goto(`${self.origin}/login?next=%2Flibrary`);
      await page.waitForURL((url) => url.pathname === "/library");
      expect(await readStoredTicket(self)).toBe(null);
      const cookie = (await context.cookies()).find(({ name }) => name === "session-ticket");
      expect(cookie).toMatchObject({ httpOnly: true });
      expect(cookie?.value).not.toBe(ticket);
      expect((await caller().get(`/api/cas/validate.json/${ticket}`)).status).toBe(401);
      await open("/account");
      expect(await page.getByRole("banner").getByText("広瀬 千尋").first().isVisible()).toBe(true);
    }));

  test("that is not valid is removed, and the log-in is shown, also in a browser that blocks storage", () =>
    visit({ lang: "en" }, async (self) => {
      const { page, open, t, expectStatus } = self;
      expectStatus(400, 404);
      await page.addInitScript(() => {
        if (!location.search.includes("keeps-nothing")) return;
        const get = () => {
          throw new DOMException("Access is denied for this document.", "SecurityError");
        };
        Object.defineProperty(window, "localStorage", { get });
      });
      await open("/login?keeps-nothing");
      expect(await page.locator("[name=password]").isVisible()).toBe(true);

      await storeTicket(self, "x".repeat(43));
      await page.goto(`${self.origin}/login`);
      await expect.poll(() => readStoredTicket(self)).toBe(null);
      await expect.poll(() => page.getByText(t("auth:restoring")).count()).toBe(0);
      await logIn(self, "owner");
      await page.waitForURL((url) => url.pathname === "/space-list");
    }));
});

/** Stores a file in the browser, as a waiting upload does. */
function storeUploadFile(): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open("hiroba-uploads", 1);
    request.onupgradeneeded = () => request.result.createObjectStore("files").put(new Blob(["secret"]), "1");
    request.onsuccess = () => {
      request.result.close();
      resolve();
    };
    request.onerror = () => reject(request.error);
  });
}

describe("a page that needs a session", () => {
  test("redirects visitors without a session to the log-in, which receives the page's address", async () => {
    const pages = [
      "/space-list",
      `/space-list/${demoIds.owner}?q=a`,
      `/space/${demoIds.showroom}?page=2`,
      `/event/${demoIds.mainEvent}?dialog=status`,
      "/user-list",
      "/account",
      "/library",
      `/library/${demoIds.owner}`,
    ];
    for (const path of pages) {
      const response = await caller().get(path);
      expect([path, response.status, response.headers.get("location")]).toEqual([
        path,
        302,
        `/login?next=${encodeURIComponent(path)}`,
      ]);
      expect(response.text).toBe("");
    }
    for (const path of ["/", "/login"])
      expect([path, (await caller().get(path)).status]).toEqual([path, 200]);
  });

  test("is opened after logging in without scripts", async () => {
    const page = await caller().get(`/login?next=${encodeURIComponent(`/space/${demoIds.showroom}?page=2`)}`);
    expect(page.text).toContain(`value="/space/${demoIds.showroom}?page=2"`);
    const explanation = translateIn("ja")("auth:toContinue");
    expect([
      page.visibleText.includes(explanation),
      (await caller().get("/login")).visibleText.includes(explanation),
    ]).toEqual([true, false]);
    const response = await caller().post("/login", {
      email: "owner@demo.example",
      password: demoPassword,
      next: `/space/${demoIds.showroom}?page=2`,
    });
    expect(response.headers.get("location")).toBe(`/space/${demoIds.showroom}?page=2`);
  });

  test("clears the cookie of a session that does not exist", async () => {
    const response = await caller("x".repeat(43)).get("/space-list");
    expect(response.status).toBe(302);
    expect(response.headers.getSetCookie().join()).toMatch(/session-ticket=;.*Max-Age=0/);
  });

  test("redirects to the log-in when the session ends during work", async () => {
    const { ticket } = await caller().api<{ ticket: string }>("POST", "/api/cas/tickets.json/", {
      email: "owner@demo.example",
      password: demoPassword,
    });
    const person = caller(ticket);
    await visit({ lang: "en", as: person }, async ({ open, page, t }) => {
      await open("/space-list");
      await person.api("DELETE", `/api/cas/tickets.json/${ticket}`);
      await page.getByRole("link", { name: "Hiroba ショールーム" }).click();
      await page.waitForURL((url) => url.pathname === "/login");
      expect(new URL(page.url()).searchParams.get("next")).toBe(`/space/${demoIds.showroom}`);
      await page.getByRole("button", { name: t("auth:submit"), exact: true }).waitFor();
    });
  });

  for (const js of SCRIPTS)
    test(`cannot be read after logging out (${describeVisit({ js })})`, async () => {
      const { ticket } = await caller().api<{ ticket: string }>("POST", "/api/cas/tickets.json/", {
        email: "curator@demo.example",
        password: demoPassword,
      });
      await visit({ lang: "en", js, as: caller(ticket) }, async ({ open, page, t, context, origin }) => {
        await open("/account");
        if (js) await page.evaluate(storeUploadFile);
        await accountMenu(page).hover();
        await page.getByRole("button", { name: t("shared-owners:logout") }).click();
        await page.waitForURL((url) => url.pathname === "/login");
        await page.getByText(t("shared-owners:toasts.loggedOut")).waitFor();
        expect((await context.cookies()).map(({ name }) => name)).not.toContain("session-ticket");
        // Files that waited for their upload are deleted before the next user.
        if (js) expect(await page.evaluate(() => indexedDB.databases())).toEqual([]);
        await page.goto(`${origin}/account`);
        expect(new URL(page.url()).pathname).toBe("/login");
        // The server rejects the ticket; the browser did not only delete it.
        expect((await caller(ticket).get("/account")).status).toBe(302);
      });
    });

  test("can still be read after a page only requested the log-out's URL", async () => {
    const owner = await signIn("owner");
    expect((await owner.get("/logout")).status).toBe(302);
    expect((await owner.get("/account")).status).toBe(200);
  });
});
