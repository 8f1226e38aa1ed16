import { beforeAll, describe, expect, test } from "vitest";
import { TOAST_MS, UNDO_MS } from "~/domain/shared/limits";
import { demoData } from "../../../seed/demo";
import { type Caller, caller, signIn } from "../../support/api/caller";
import { demoIds, demoPath } from "../../support/app/demo";
import { accountMenu, chooseInMenu } from "../../support/browser/controls";
import {
  describeVisit,
  EACH_LANGUAGE_AND_WIDTH_ONCE,
  SCRIPTS,
  visit,
  waitForHydration,
} from "../../support/browser/visit";
import { translateIn } from "../../support/translate";

let owner: Caller;
let admin: Caller;
beforeAll(async () => {
  owner = await signIn("owner");
  admin = await signIn("admin");
});

describe("the top bar", () => {
  for (const js of SCRIPTS)
    test(`has a menu that opens by pointer, by key and by click (${describeVisit({ js })})`, () =>
      visit({ lang: "en", js, as: owner }, async ({ open, page, t }) => {
        await open("/account/security");
        const headingBefore = await page.getByRole("heading", { level: 1 }).textContent();
        const trigger = accountMenu(page);
        const libraryLink = page
          .getByRole("navigation", { name: t("shared-owners:userMenu") })
          .getByRole("link", { name: t("shared-owners:shell.library") });
        expect(await libraryLink.isVisible()).toBe(false);
        await trigger.hover();
        expect(await libraryLink.isVisible()).toBe(true);
        await page.mouse.move(300, 600);
        await expect.poll(() => libraryLink.isVisible()).toBe(false);
        await page.getByRole("banner").getByRole("link", { name: "Report" }).first().focus();
        await page.keyboard.press("Tab");
        expect(await libraryLink.isVisible()).toBe(false);
        await page.keyboard.press("Enter");
        await expect.poll(() => libraryLink.isVisible()).toBe(true);
        const focusedTitles: string[] = [];
        for (let step = 0; step < (js ? 8 : 7); step++) {
          await page.keyboard.press("Tab");
          focusedTitles.push((await page.evaluate(() => document.activeElement?.textContent ?? "")).trim());
        }
        expect(focusedTitles).toEqual([
          t("shared-owners:shell.spaceList"),
          t("shared-owners:shell.library"),
          t("shared-owners:reportTitle"),
          t("shared-owners:shell.account"),
          t("shared:japanese"),
          t("shared:english"),
          ...(js ? [t("shared-owners:shortcuts.title")] : []),
          t("shared-owners:logout"),
        ]);
        await trigger.focus();
        await page.keyboard.press("Enter");
        await expect.poll(() => libraryLink.isVisible()).toBe(false);
        await trigger.click();
        await page.mouse.move(300, 600);
        expect(await libraryLink.isVisible()).toBe(true);
        if (js) {
          // A press on the page closes the menu.
          await page.locator("main").click({ position: { x: 2, y: 200 } });
          await expect.poll(() => libraryLink.isVisible()).toBe(false);
          await trigger.click();
        }
        await libraryLink.click();
        await page.waitForURL((url) => url.pathname === "/library");
        // Going back still finds the previous screen after a reload.
        await page.reload();
        await page.waitForLoadState("networkidle");
        await page.goBack();
        await expect.poll(() => page.getByRole("heading", { level: 1 }).textContent()).toBe(headingBefore);
      }));

  test("offers the user list to administrators only, and redirects each user to the right start page", async () => {
    for (const [person, startPath, linkCount] of [
      [owner, "/space-list", 0],
      [admin, "/user-list", 1],
    ] as const)
      await visit({ lang: "en", as: person }, async ({ open, page, t }) => {
        await open("/library");
        await accountMenu(page).hover();
        expect(
          await page
            .getByRole("navigation", { name: t("shared-owners:userMenu") })
            .getByRole("link", { name: t("shared-owners:shell.userList") })
            .count(),
        ).toBe(linkCount);
        await page
          .getByRole("banner")
          .getByRole("link", { name: t("shared:brand") })
          .first()
          .click();
        await page.waitForURL((url) => url.pathname === startPath);
      });
  });

  test("is white in the event editor, not white in the list of spaces, and absent in the viewer", async () => {
    await visit({ lang: "en", as: owner, reducedMotion: true }, async ({ open, page }) => {
      const readColor = () =>
        page
          .getByRole("banner")
          .first()
          .evaluate((bar) => getComputedStyle(bar).backgroundColor);
      await open(`/event/${demoIds.mainEvent}`);
      expect(await readColor()).toBe("rgb(255, 255, 255)");
      await open("/space-list");
      expect(await readColor()).not.toBe("rgb(255, 255, 255)");
      await open(demoPath(demoIds.mainEvent));
      expect(await accountMenu(page).count()).toBe(0);
      expect(await page.getByRole("link", { name: "Spaces" }).count()).toBe(0);
    });
  });

  test("has a skip link for the keyboard", () =>
    visit({ lang: "en", as: owner }, async ({ open, page, t }) => {
      await open("/space-list");
      await page.keyboard.press("Tab");
      const skipLink = page.getByRole("link", { name: t("shared:skip.main") });
      expect(await skipLink.evaluate((link) => link === document.activeElement)).toBe(true);
      expect(await skipLink.isVisible()).toBe(true);
      await page.keyboard.press("Enter");
      await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("main");
    }));

  for (const js of SCRIPTS)
    test(`changes the language of the current page and of later pages (${describeVisit({ js })})`, () =>
      visit({ lang: "ja", js, as: owner }, async ({ open, page, t, origin }) => {
        await open(`/space/${demoIds.showroom}?page=2`);
        await accountMenu(page).click();
        await page
          .getByRole("banner")
          .getByRole("link", { name: t("shared:english") })
          .click();
        await page.waitForURL(/lang=en/);
        expect(await page.locator("html").getAttribute("lang")).toBe("en");
        expect(new URL(page.url()).searchParams.get("page")).toBe("2");
        await page.goto(`${origin}/space-list`);
        expect(await page.locator("html").getAttribute("lang")).toBe("en");
        expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Spaces");
      }));
});

describe("a page whose scripts are missing or outdated", () => {
  test("navigates when the script of the next screen no longer exists, because a newer build is deployed", () =>
    visit({ lang: "en", as: owner }, async ({ open, page, t, expectStatus, expectError }) => {
      await open("/account/security");
      // As after a deployment: the old name returns 404 until a document contains the new one.
      let rejected = 0;
      let documents = 0;
      await page.route(/\/assets\/library-[\w-]+\.js$/, (route) =>
        documents > 0 ? route.continue() : route.fulfill({ status: 404, body: String(++rejected) }),
      );
      page.on("domcontentloaded", () => documents++);
      await accountMenu(page).hover();
      await page
        .getByRole("navigation", { name: t("shared-owners:userMenu") })
        .getByRole("link", { name: t("shared-owners:shell.library") })
        .click();
      await page.waitForURL((url) => url.pathname === "/library");
      await expect.poll(() => page.getByRole("heading", { level: 1 }).count()).toBe(1);
      // The page was reloaded once, and then loaded the document to which it navigated.
      await expect.poll(() => documents).toBe(2);
      expect(rejected).toBeGreaterThan(0);
      expect(await page.evaluate(() => sessionStorage.getItem("hiroba-under-way"))).toBeNull();
      expectStatus(404);
      expectError(/Error loading route module|Failed to fetch dynamically imported module/);
    }));

  test("keeps the query of a URL whose screen the router does not know, because a newer build is out", () =>
    visit({ lang: "en" }, async ({ open, page, expectError }) => {
      // The server's response to a request for the routes of an older build.
      await page.route("**/__manifest?*", (route) =>
        route.fulfill({ status: 204, headers: { "x-remix-reload-document": "true" } }),
      );
      const version = await open(demoPath(demoIds.mainEvent)).then(() =>
        page.evaluate(() => {
          const manifest = window.__remixManifest;
          manifest.version = "older";
          return manifest.version;
        }),
      );
      expect(version).toBe("older");
      const link = page.locator('a[href*="/shop/products/"]').first();
      const url = new URL((await link.getAttribute("href")) ?? "", page.url());
      expect(url.searchParams.get("token")).not.toBeNull();
      const historyLength = await page.evaluate(() => history.length);
      const visitedUrls = new Set<string>();
      page.on("framenavigated", (frame) => visitedUrls.add(frame.url()));
      // The response can arrive before a slow processor has rendered that the navigation has started.
      const cdp = await page.context().newCDPSession(page);
      await cdp.send("Emulation.setCPUThrottlingRate", { rate: 10 });
      await link.click();
      await page.waitForURL(url.href);
      await cdp.send("Emulation.setCPUThrottlingRate", { rate: 1 });
      await page.waitForLoadState("networkidle");
      // The document is loaded at once, without the page for incomplete links in between.
      expect([...visitedUrls]).toEqual([url.href]);
      expect(await page.evaluate(() => history.length)).toBe(historyLength + 1);
      // The router requests the routes of all links in advance.
      expectError(/manifest version mismatch during eager route discovery/);
    }));

  test("reports that a part of the page could not be loaded, and offers to reload the page", () =>
    visit({ lang: "en", as: owner }, async ({ open, page, t, expectStatus, expectError }) => {
      await page.route(/\/assets\/start-queue\.client-[\w-]+\.js$/, (route) =>
        route.fulfill({ status: 404 }),
      );
      await open("/library");
      const alert = page.getByRole("alert").filter({ hasText: t("shared:missingPart") });
      await alert.waitFor();
      await page.unroute(/\/assets\/start-queue\.client-[\w-]+\.js$/);
      const newDocument = page.waitForEvent("domcontentloaded");
      await alert.getByRole("link", { name: t("shared:loadAgain") }).click();
      await newDocument;
      await page.waitForLoadState("networkidle");
      expect(await alert.count()).toBe(0);
      expect(new URL(page.url()).pathname).toBe("/library");
      expectStatus(404);
      expectError(/Failed to fetch dynamically imported module/);
    }));

  test.each(["entry.client", "viewer", "ja-visitors"])(
    "reports that the page could not be loaded completely when its script %s is missing",
    (name) =>
      visit({ lang: "ja" }, async ({ origin, page, t, expectStatus, expectError }) => {
        const script = new RegExp(`/assets/${name}-[\\w-]+\\.js$`);
        await page.route(script, (route) => route.fulfill({ status: 404 }));
        await page.goto(new URL(demoPath(demoIds.mainEvent), origin).href);
        const alert = page.getByRole("alert").filter({ hasText: t("shared:missingPart") });
        await alert.waitFor();
        await page.unroute(script);
        const url = page.url();
        const newDocument = page.waitForEvent("domcontentloaded");
        await alert.getByRole("link", { name: t("shared:loadAgain") }).click();
        await newDocument;
        await waitForHydration(page);
        expect(await alert.count()).toBe(0);
        expect(page.url()).toBe(url);
        expectStatus(404);
        // The browser reports the missing script as an error without a text.
        expectError(/Failed to fetch dynamically imported module|^$/);
      }),
  );
});

test("pages show the product's version outside production", async () => {
  for (const path of ["/space-list", "/library", `/event/${demoIds.mainEvent}`])
    expect([path, (await owner.get(`${path}?lang=en`)).visibleText]).toEqual([
      path,
      expect.stringMatching(/Version \d+\.\d+\.\d+/),
    ]);
  expect((await caller().get("/login?lang=en")).visibleText).toMatch(/Version \d+\.\d+\.\d+/);
  expect((await owner.get("/version.txt")).text).toMatch(/^\d+\.\d+\.\d+/);
});

describe("the list of users", () => {
  for (const { lang, js } of EACH_LANGUAGE_AND_WIDTH_ONCE)
    test(`has twenty rows a page, a pager below, and a search (${describeVisit({ lang, js })})`, () =>
      visit({ lang, js, as: admin }, async ({ open, page, t }) => {
        await open("/user-list");
        const rows = page.getByRole("table").locator("tbody tr");
        expect(await rows.count()).toBe(20);
        const pager = page.getByRole("navigation", { name: t("shared-owners:pages") });
        const tableBox = await page.getByRole("table").boundingBox();
        const pagerBox = await pager.boundingBox();
        expect(pagerBox && tableBox && pagerBox.y >= tableBox.y + tableBox.height - 1).toBe(true);
        // Scripts replace the menu of a row, so the whole text of a row changes.
        const name = rows.first().getByRole("rowheader");
        const firstName = await name.textContent();
        await pager.getByRole("link", { name: t("shared-owners:next") }).click();
        await page.waitForURL(/cursor=/);
        await expect.poll(() => name.textContent()).not.toBe(firstName);
        expect(await rows.count()).toBeGreaterThanOrEqual(7);
        await pager.getByRole("link", { name: t("shared-owners:previous") }).click();
        await expect.poll(() => name.textContent()).toBe(firstName);
        // No page follows the last one.
        await pager.getByRole("link", { name: t("shared-owners:last") }).click();
        await expect.poll(() => pager.getByRole("link", { name: t("shared-owners:next") }).count()).toBe(0);
        expect(await rows.count()).toBeGreaterThan(0);

        const search = page.getByRole("searchbox");
        const applyButton = page.getByRole("button", { name: t("users:list.apply"), exact: true });
        await search.fill("ＳＭＩＴＨ");
        await applyButton.click();
        await expect.poll(() => rows.count()).toBe(1);
        expect(await rows.first().textContent()).toContain("smith@demo.example");
        expect(await search.inputValue()).toBe("ＳＭＩＴＨ");
        await search.fill("100%_nobody");
        await applyButton.click();
        await page.getByText(t("users:people.emptyTitle", { q: "100%_nobody" })).waitFor();
      }));

  test("is absent for other users", async () => {
    expect((await owner.get("/user-list")).status).toBe(404);
    expect((await owner.get("/user-list.data")).status).toBe(404);
    const page = await owner.get("/user-list?q=sato");
    expect(page.text).not.toContain("sato@demo.example");
  });

  test("shows no password hash, and neither does the account page", async () => {
    for (const path of ["/user-list", "/user-list.data", "/account", "/account.data"])
      expect((await admin.get(path)).text).not.toMatch(/scrypt|password_?hash/i);
  });
});

describe("lists", () => {
  test("of a space's events have twenty rows a page as well, and the focus follows navigation and dialogs", () =>
    visit({ lang: "en", as: owner }, async ({ open, page, t }) => {
      await open(`/space/${demoIds.showroom}`);
      const events = t("spaces:detail.eventsCaption", { name: "Hiroba ショールーム" });
      const rows = page.getByRole("list", { name: events }).locator("> li");
      expect(await rows.count()).toBe(20);
      const readFocusedTag = () => page.evaluate(() => document.activeElement?.tagName);
      await page.getByRole("link", { name: t("shared-owners:next") }).click();
      await page.waitForURL(/page=2/);
      await expect.poll(() => rows.count()).toBeGreaterThanOrEqual(5);
      await expect.poll(readFocusedTag).toBe("H1");
      // A new event is requested on the same page, where the dialog takes the focus and then returns it.
      await page.getByRole("link", { name: t("spaces:detail.createEvent") }).click();
      await page.getByRole("dialog").waitFor();
      expect(await readFocusedTag()).toBe("INPUT");
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      expect([new URL(page.url()).search, await readFocusedTag()]).toEqual(["?page=2", "A"]);
      // Navigation announces the page and moves the focus.
      await rows.first().getByRole("link").first().click();
      await page.waitForURL(/\/event\//);
      await expect.poll(readFocusedTag).toBe("H1");
      const title = await page.title();
      await page.getByRole("status").filter({ hasText: title }).waitFor({ state: "attached" });
    }));

  test("report an invalid search, keep it, and show all items", async () => {
    const listLinks = (html: string) =>
      html.match(/href="\/(?:space|library\/items|library\/folders)\/[^"?]*/g) ?? [];
    for (const [q, key] of [
      ["x".repeat(5000), "shared-owners:errors.list.searchTooLong"],
      ["a\u0007b", "shared-owners:errors.text.control"],
    ] as const)
      for (const path of ["/space-list", "/library"]) {
        const page = await owner.get(`${path}?lang=en&q=${encodeURIComponent(q)}`);
        expect([path, page.status, page.visibleText.includes(translateIn("en")(key))]).toEqual([
          path,
          200,
          true,
        ]);
        expect(page.text).toMatch(/<input type="search"[^>]* aria-invalid="true"/);
        expect(page.text).toContain(`value="${q}"`);
        const links = listLinks(page.text);
        expect(links).not.toEqual([]);
        expect(links).toEqual(listLinks((await owner.get(`${path}?lang=en&show=all`)).text));
      }
  });

  test("of a folder have its name as the title, and link back to the list of spaces", async () => {
    const folder = demoData(0).folders.find(({ name }) => name === "過去の展覧会");
    const page = await owner.get(`/space-list/folders/${folder?.id}?lang=en`);
    expect(page.text).toMatch(/<title>過去の展覧会 – Hiroba<\/title>/);
    expect(page.text).toMatch(/<h1[^>]*>過去の展覧会<\/h1>/);
    expect(page.text).toMatch(/<a[^>]*href="\/space-list"[^>]*><span[^>]*>Spaces<\/span><\/a>/);
  });

  for (const js of SCRIPTS)
    test(`of spaces can be searched, and report an empty result (${describeVisit({ js })})`, () =>
      visit({ lang: "en", js, as: owner }, async ({ open, page, t }) => {
        await open("/space-list");
        await page.getByRole("searchbox").fill("ショールーム");
        await page.getByRole("button", { name: t("spaces:searchSubmit") }).click();
        await page.waitForURL(/q=/);
        await expect.poll(() => page.locator("main a[href^='/space/']").count()).toBe(1);
        await page.getByRole("searchbox").fill("<b>none</b>");
        await page.getByRole("button", { name: t("spaces:searchSubmit") }).click();
        await page.getByText(t("spaces:noMatchTitle", { q: "<b>none</b>" })).waitFor();
      }));

  test("show an administrator a user's spaces and library", () =>
    visit({ lang: "en", as: admin }, async (self) => {
      const { open, page, t } = self;
      const name = "広瀬 千尋";
      await open("/user-list?q=owner%40demo");
      await chooseInMenu(self, t("users:list.actionsOf", { name }), t("users:people.spacesOf", { name }));
      await page
        .getByRole("heading", { level: 1, name: t("spaces:titleOf", { name: "広瀬 千尋" }) })
        .waitFor();
      await open(`/library/${demoIds.owner}`);
      await page
        .getByRole("heading", { level: 1, name: t("library:titleOf", { name: "広瀬 千尋" }) })
        .waitFor();
    }));
});

describe("a toast", () => {
  test("is at the bottom right for three seconds and is removed from the URL", () =>
    visit({ lang: "en", as: owner }, async ({ origin, page, t }) => {
      // The page's clock is stopped until the test continues it.
      await page.clock.install();
      await page.clock.pauseAt(Date.now() + 1000);
      await page.goto(`${origin}/space/${demoIds.showroom}?toast=space-created&lang=en`);
      await page.waitForURL((url) => !url.searchParams.has("toast"));
      const toast = page.getByText(t("shared-owners:toasts.spaceCreated"));
      const box = await toast.boundingBox();
      expect(box && box.x > 640 && box.y > 600).toBe(true);
      await page.clock.runFor(TOAST_MS - 1);
      expect(await toast.isVisible()).toBe(true);
      await page.clock.runFor(1);
      await toast.waitFor({ state: "detached" });
    }));

  test("waits while the pointer is over it, and does not start its time again afterwards", () =>
    visit({ lang: "en", as: owner }, async ({ origin, page, t }) => {
      await page.clock.install();
      await page.clock.pauseAt(Date.now() + 1000);
      await page.goto(`${origin}/space/${demoIds.showroom}?toast=space-created&lang=en`);
      await page.waitForURL((url) => !url.searchParams.has("toast"));
      const toast = page.getByText(t("shared-owners:toasts.spaceCreated"));
      await page.clock.runFor(TOAST_MS - 500);
      await toast.hover();
      // React handles the pointer after the event.
      await page.waitForTimeout(100);
      await page.clock.runFor(2 * TOAST_MS);
      expect(await toast.isVisible()).toBe(true);
      await page.mouse.move(0, 0);
      let stepCount = 0;
      while ((await toast.count()) > 0 && stepCount < 20) {
        await page.clock.runFor(100);
        await page.waitForTimeout(20);
        stepCount++;
      }
      expect(stepCount).toBeLessThan(20);
    }));

  test("with a link stays for ten minutes, or until it is closed", () =>
    visit({ lang: "en", as: owner }, async ({ origin, page, t }) => {
      await page.clock.install();
      await page.clock.pauseAt(Date.now() + 1000);
      await page.goto(`${origin}/space-list?toast=items-deleted&lang=en`);
      await page.waitForURL((url) => !url.searchParams.has("toast"));
      const toast = page.getByText(t("shared-owners:toasts.itemsDeleted"));
      await page.clock.runFor(20 * TOAST_MS);
      expect(await toast.isVisible()).toBe(true);
      expect(await page.getByRole("link", { name: t("shared-owners:toasts.toTrash") }).isVisible()).toBe(
        true,
      );
      await page
        .getByRole("status")
        .getByRole("button", { name: t("shared:close") })
        .click();
      await page.clock.runFor(1);
      await toast.waitFor({ state: "detached" });

      await page.goto(`${origin}/space-list?toast=items-deleted&lang=en`);
      await page.waitForURL((url) => !url.searchParams.has("toast"));
      await toast.waitFor();
      await page.clock.runFor(UNDO_MS);
      await toast.waitFor({ state: "detached" });
    }));

  test("stays without scripts", () =>
    visit({ lang: "en", js: false, as: owner }, async ({ open, page, t }) => {
      await open(`/space/${demoIds.showroom}?toast=space-created`);
      expect(await page.getByText(t("shared-owners:toasts.spaceCreated")).isVisible()).toBe(true);
    }));

  test("is not repeated when the next form of the same URL is rejected", async () => {
    const t = translateIn("en");
    const response = await owner.post("/space-list?toast=folder-created&lang=en", {
      intent: "new-folder",
      name: "",
    });
    expect(response.status).toBe(400);
    expect(response.text).not.toContain(t("shared-owners:toasts.folderCreated"));
  });
});

describe("an error", () => {
  for (const { lang, js } of EACH_LANGUAGE_AND_WIDTH_ONCE)
    test(`is shown with its status and a link (${describeVisit({ lang, js })})`, () =>
      visit({ lang, js, as: owner }, async ({ open, page, t, expectStatus }) => {
        expectStatus(404);
        await open("/space/00000000-0000-4000-8000-000000000000");
        await page.getByRole("heading", { level: 1, name: t("shared:shell.page.notFoundTitle") }).waitFor();
        expect(await page.getByText("404").first().isVisible()).toBe(true);
        // The bar still has the brand and the account menu.
        expect(await page.getByText(t("shared:brandJapanese"), { exact: true }).count()).toBe(1);
        expect(await accountMenu(page).count()).toBe(1);
        await page
          .getByRole("main")
          .getByRole("link", { name: t("shared:shell.home") })
          .click();
        await page.waitForURL((url) => url.pathname === "/space-list");
      }));
});
