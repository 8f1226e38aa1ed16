/** Tests purchases in a browser. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { FrameLocator, Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { type Caller, linkPath, signIn } from "../../support/api/caller";
import {
  type BrowserVisit,
  describeVisit,
  EACH_LANGUAGE_AND_WIDTH_ONCE,
  SCRIPTS,
  visit,
  waitForHydration,
  waitUntilHydrated,
} from "../../support/browser/visit";
import { MANY_STORE_HOST } from "../../support/external/demo-store";
import { eventWithStore, faultyPath, mainPath, shopPath } from "../../support/shop";

const SHIRT = { ja: "Tシャツ 青海波", en: "Seigaiha T-shirt" } as const;
const SIZE = { ja: "サイズ", en: "Size" } as const;

let owner: Caller;
beforeAll(async () => {
  owner = await signIn("curator");
});

const eventPath = (lang: "ja" | "en") => `${mainPath()}&lang=${lang}`;

/** Follows a link of the page and waits until it is at a path. */
async function follow({ page, js }: BrowserVisit, name: string | RegExp, path: RegExp): Promise<void> {
  await page
    .getByRole("link", typeof name === "string" ? { name, exact: true } : { name })
    .first()
    .click();
  await page.waitForURL(path);
  if (!js) await page.waitForLoadState();
}

/** Goes from the event's page to a cart with two shirts. */
async function fillCart(self: BrowserVisit): Promise<void> {
  const { page, lang, t } = self;
  await follow(self, t("store-visitors:entrance"), /\/shop\?/);
  await page
    .getByRole("searchbox", { name: t("store-visitors:search") })
    .fill(lang === "ja" ? "青海波" : "Seigaiha");
  await page.getByRole("button", { name: t("store-visitors:searchSubmit") }).click();
  await page.getByText(t("store-visitors:found", { query: lang === "ja" ? "青海波" : "Seigaiha" })).waitFor();
  await follow(self, SHIRT[lang], /\/shop\/products\/\d+\?/);
  const sizes = page.getByRole("region", { name: SIZE[lang] });
  await sizes.getByRole("link", { name: /^S$/ }).click();
  await page.waitForURL(({ searchParams }) => searchParams.get(SIZE[lang]) === "S");
  await sizes.locator("[aria-current]").getByText("S", { exact: true }).waitFor();
  await page.getByLabel(t("store-visitors:quantity"), { exact: true }).fill("2");
  await page.getByRole("button", { name: t("store-visitors:add") }).click();
  await page.waitForURL(/\/shop\/cart\?/);
  await page.getByRole("link", { name: t("store-visitors:checkout") }).waitFor();
}

describe("a visitor", () => {
  for (const { lang, js } of EACH_LANGUAGE_AND_WIDTH_ONCE)
    test(`buys something up to the store's checkout (${describeVisit({ lang, js })})`, async () => {
      await visit({ lang, js }, async (self) => {
        const { page, t } = self;
        await self.open(eventPath(lang));
        await fillCart(self);
        await page.getByText("¥8,800").first().waitFor();
        await page
          .getByLabel(t("store-visitors:quantityOf", { title: "" }).trim())
          .first()
          .fill("3");
        await page.getByRole("button", { name: new RegExp(t("store-visitors:update")) }).click();
        await page.getByText("¥13,200").first().waitFor();
        await page.reload();
        await page.getByText("¥13,200").first().waitFor();
        const checkoutLink = page.getByRole("link", { name: t("store-visitors:checkout") });
        expect(await checkoutLink.getAttribute("rel")).toContain("noreferrer");
        const checkoutPage = await fetch((await checkoutLink.getAttribute("href")) ?? "");
        expect(checkoutPage.status).toBe(200);
        expect(await checkoutPage.text()).toMatch(/13,?200/);
        await follow(self, new RegExp(t("store-visitors:back")), /\/event\/published\/[^/]+\?/);
        await page
          .getByText(t("store-visitors:inCart", { count: 3 }))
          .first()
          .waitFor({ state: js ? "attached" : "detached" });
      });
    });

  test("keeps the space open while shopping, and returns to the unchanged event", async () => {
    await visit({ lang: "en" }, async (self) => {
      const { page, t } = self;
      await self.open(eventPath("en"));
      // Before hydration, the link to the shop loads a document.
      await waitUntilHydrated(
        page.getByRole("link", { name: t("store-visitors:entrance"), exact: true }).first(),
      );
      const stage = await page.locator("[data-stage]").elementHandle();
      await page.getByRole("searchbox").fill("towel");
      const historyLength = await page.evaluate(() => history.length);
      await fillCart(self);
      await follow(self, t("store-visitors:collections"), /\/shop\/collections\?/);
      await page.getByRole("heading", { level: 2 }).first().waitFor();
      const steps = (await page.evaluate(() => history.length)) - historyLength;
      for (let step = 0; step < steps; step++) {
        const previousUrl = page.url();
        await page.goBack();
        await page.waitForURL((url) => url.href !== previousUrl);
      }
      await page.getByRole("heading", { level: 1, name: /Indigo/ }).waitFor();
      expect(await stage?.evaluate((element) => element.isConnected)).toBe(true);
      expect(await page.getByRole("searchbox").inputValue()).toBe("towel");
    });
  });

  test("sees the price and availability of a tag's product, and opens it", async () => {
    await visit({ lang: "en" }, async (self) => {
      const { page } = self;
      await self.open(eventPath("en"));
      const tag = page.locator("details", { has: page.locator('a[href*="/shop/products/1003?"]') });
      await tag.locator("summary").click();
      await tag.getByText("Out of Stock").waitFor();
      await tag.getByText("¥1,650").waitFor();
      await tag.getByRole("link", { name: /View product/ }).click();
      await page.waitForURL(/\/shop\/products\/1003\?/);
      await page.getByText("Out of Stock").first().waitFor();
    });
  });

  test("finds the same selection in the other language, and sees prices in the currency of the country", async () => {
    await visit({ lang: "en", js: false }, async (self) => {
      const { page } = self;
      await self.open(shopPath("/products/1009", { lang: "en", Size: "L", color: "natural" }));
      const { ja } = SIZE;
      await page.getByRole("link", { name: "日本語" }).click();
      await page.waitForLoadState();
      expect(await page.locator("html").getAttribute("lang")).toBe("ja");
      expect(await page.getByRole("region", { name: ja }).locator("[aria-current]").textContent()).toContain(
        "L",
      );
      const colors = page.getByRole("region", { name: "色" });
      expect(await colors.locator("[aria-current]").textContent()).toContain("生成り");
      // Miniflare passes the request's country in this header; Cloudflare's network sets it itself.
      await page.setExtraHTTPHeaders({ "MF-CF-Blob": JSON.stringify({ country: "US" }) });
      await self.open(shopPath("/products/1001", { lang: "ja" }));
      await page.locator("form:has([name=quantity]) button").click();
      await page.waitForURL(/\/shop\/cart\?/);
      // The price appears four times: unit price, line, subtotal and total.
      expect(await page.getByText("$11.00").count()).toBe(4);
    });
  });

  test("can buy with the keyboard alone, and the result is announced", async () => {
    await visit({ lang: "en" }, async (self) => {
      const { page, t } = self;
      await self.open(shopPath("/products/1001", { lang: "en" }));
      const tabToElement = async (name: RegExp) => {
        for (let step = 0; step < 60; step++) {
          await page.keyboard.press("Tab");
          const label = await page.evaluate(() => {
            const activeElement = document.activeElement;
            return (
              activeElement?.getAttribute("aria-label") ??
              (activeElement as HTMLInputElement)?.name ??
              activeElement?.textContent ??
              ""
            );
          });
          const text = await page.evaluate(() => document.activeElement?.textContent ?? "");
          if (name.test(label) || name.test(text)) return;
        }
        throw new Error(`Tab never came to ${name}`);
      };
      await page.locator("main").focus();
      await tabToElement(new RegExp(`^${t("store-visitors:add")}$`));
      await page.keyboard.press("Enter");
      await page.waitForURL(/\/shop\/cart\?/);
      await page.waitForFunction(() => document.activeElement?.tagName === "H1");
      const pressElement = async (name: RegExp) => {
        await tabToElement(name);
        await page.keyboard.press("Enter");
      };
      const waitForFocus = (name: RegExp) =>
        page.waitForFunction(
          (source) =>
            new RegExp(source).test(
              document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent ?? "",
            ),
          name.source,
        );
      await tabToElement(/^Quantity of/);
      await page.keyboard.press("Control+A");
      await page.keyboard.type("2");
      await pressElement(/^Update the quantity/);
      await page.locator("main").getByText("2 items in the cart, subtotal ¥3,300").waitFor();
      await waitForFocus(/^Update the quantity/);
      await pressElement(/^Remove /);
      await waitForFocus(/^Put Seigaiha Tenugui towel/);
      await page.getByRole("status").getByText(t("store-visitors:cartEmpty")).waitFor();
      await page.keyboard.press("Enter");
      await page.locator("main").getByText("2 items in the cart, subtotal ¥3,300").waitFor();
      await waitForFocus(new RegExp(`^${t("store-visitors:cart")}$`));
      await tabToElement(new RegExp(t("store-visitors:checkout")));
    });
  });
});

test("the cart's count and its page follow changes in another tab", async () => {
  await visit({ lang: "en" }, async (self) => {
    const { page, t, context, origin } = self;
    const otherPage = await context.newPage();
    // A legacy link opens the same event, so both tabs show the same cart.
    const legacyPath = shopPath("/cart", { lang: "en" }).replace(
      /^\/event\/published\/([^/]+)/,
      "/space/published/$1/H1robaShwrm",
    );
    await otherPage.goto(origin + legacyPath);
    await waitForHydration(otherPage);
    await otherPage.getByText(t("store-visitors:cartEmpty")).first().waitFor();
    await self.open(shopPath("/products/1001", { lang: "en" }));
    await page.getByLabel(t("store-visitors:quantity"), { exact: true }).fill("2");
    await page.getByRole("button", { name: t("store-visitors:add") }).click();
    await page.waitForURL(/\/shop\/cart\?/);
    await otherPage.getByText(t("store-visitors:inCart", { count: 2 })).waitFor();
    await otherPage.getByText("Seigaiha Tenugui towel").waitFor();
    await otherPage.close();
  });
});

test("the text of a sold-out option says so, and a wrong link shows the existing options (without scripts)", async () => {
  await visit({ lang: "ja", js: false, width: 390 }, async (self) => {
    const { page, t } = self;
    await self.open(shopPath("/products/1002", { lang: "ja", 色: "金" }));
    // When the page starts before the store responds, the text is in a <noscript>, in which Playwright finds no text.
    const readBody = () => page.locator("body").innerText();
    expect(await readBody()).toContain(t("store-visitors:wrongChoice"));
    expect(await readBody()).toContain("色：金");
    await page.getByRole("link", { name: "生成り", exact: true }).first().click();
    await page.waitForURL(({ searchParams }) => searchParams.get("色") === "生成り");
    await page.waitForLoadState();
    expect(await readBody()).not.toContain(t("store-visitors:wrongChoice"));
    const optionLink = page.getByRole("link", { name: /^浅葱/ });
    expect(await optionLink.innerText()).toContain(t("store-visitors:states.outOfStock"));
  });
});

for (const { lang, js } of EACH_LANGUAGE_AND_WIDTH_ONCE)
  test(`several selections are added to the cart at once, and an empty form shows a message (${describeVisit({ lang, js })})`, async () => {
    await visit({ lang, js, width: 390 }, async (self) => {
      const { page, t } = self;
      self.expectStatus(400);
      await self.open(shopPath("/products/1001", { lang }));
      await page.getByText(t("store-visitors:several")).click();
      const fields = page.locator("details input[type=number]");
      const addButton = page.getByRole("button", { name: t("store-visitors:severalAdd") });
      await addButton.click();
      await page.getByText(t("store:errors.store.noneChosen")).first().waitFor();
      await fields.nth(0).fill("1");
      await fields.nth(1).fill("2");
      await addButton.click();
      await page.waitForURL(/\/shop\/cart\?/);
      await page.getByText("¥4,950").first().waitFor();
    });
  });

describe("a form", () => {
  for (const js of SCRIPTS)
    test(`that was rejected keeps its input and shows the reason beside it (${describeVisit({ lang: "en", js })})`, async () => {
      await visit({ lang: "en", js }, async (self) => {
        const { page, t, expectStatus } = self;
        expectStatus(400);
        await self.open(shopPath("/products/1001", { lang: "en" }));
        const field = page.getByLabel(t("store-visitors:quantity"), { exact: true });
        await field.evaluate((input: HTMLInputElement) => input.form?.setAttribute("novalidate", ""));
        await field.fill("0");
        await page.getByRole("button", { name: t("store-visitors:add") }).click();
        await page.locator("#quantity-error").waitFor();
        expect(await field.inputValue()).toBe("0");
        expect(await field.getAttribute("aria-invalid")).toBe("true");
      });
    });

  test("of a search without results continues in the same document, and each page starts at its top", async () => {
    const event = linkPath(await eventWithStore(owner, MANY_STORE_HOST), "published");
    await visit({ lang: "en" }, async (self) => {
      const { page, t } = self;
      await self.open(shopPath("", { lang: "en", q: "zzzz" }, event));
      await page.waitForFunction(() => {
        const field = document.querySelector("main input[type=search]");
        return field && Object.keys(field).some((key) => key.startsWith("__react"));
      });
      const stage = await page.locator("[data-stage]").elementHandle();
      await page.getByRole("searchbox").fill("e");
      await page.keyboard.press("Enter");
      await page
        .getByRole("status")
        .getByText(t("store-visitors:found", { query: "e" }))
        .waitFor();
      expect(await stage?.evaluate((element) => element.isConnected)).toBe(true);
      await page.getByRole("link", { name: t("store-visitors:next") }).focus();
      await page.keyboard.press("Enter");
      await page.waitForURL(/after=/);
      await page.waitForFunction(() => document.activeElement?.tagName === "H1");
      expect(await page.locator("#main").evaluate((main) => main.scrollTop)).toBe(0);
    });
  });
});

describe("a store", () => {
  test("that is slow does not block the event, and its data appear when they arrive, or without scripts after a retry", async () => {
    const event = await faultyPath(owner, "slow");
    for (const [js, subpath, width] of [
      [true, "/products/1009", 1280],
      [false, "/products/1005", 1280],
      [false, "/collections", 390],
    ] as const)
      await visit({ lang: "en", js, width }, async ({ page, t, origin }) => {
        await page.goto(origin + shopPath(subpath, { lang: "en" }, event), { waitUntil: "commit" });
        await page.getByText(t("store-visitors:loading")).waitFor();
        expect(await page.getByRole("link", { name: new RegExp(t("store-visitors:back")) }).count()).toBe(1);
        if (js) {
          await waitForHydration(page);
          // The stage has started and shows its fallback without graphics, while the store has not responded yet.
          await page.getByText(t("visitors:viewer.failed.webgl_unavailable")).waitFor();
          expect(await page.getByText(t("store-visitors:loading")).isVisible()).toBe(true);
        }
        if (!js) {
          // Playwright finds no text within a <noscript>, but roles.
          const lateAlert = page.locator("[data-late]").getByRole("alert");
          await lateAlert.waitFor();
          expect(await lateAlert.innerText()).toContain(t("store-visitors:slow"));
          // Waits until the store has responded.
          await new Promise((resolve) => setTimeout(resolve, 2_000));
          await page.getByRole("link", { name: t("store-visitors:retry") }).click();
          await page.waitForLoadState();
        }
        const storeContent = page.getByRole(subpath === "/collections" ? "heading" : "button", {
          name: subpath === "/collections" ? "Cloth" : t("store-visitors:add"),
        });
        await storeContent.waitFor();
        expect(await page.getByText(t("store-visitors:loading")).isVisible()).toBe(false);
        // The result is in the panel at every width.
        const [panel, box] = await Promise.all([
          page.locator("main").boundingBox(),
          storeContent.boundingBox(),
        ]);
        expect(box?.x ?? 0).toBeGreaterThanOrEqual(panel?.x ?? 1e9);
      });
  });

  test("that is down is reported, with a retry link", async () => {
    const event = await faultyPath(owner, "500");
    await visit({ lang: "en" }, async (self) => {
      const { page, t, expectStatus } = self;
      expectStatus(503);
      await self.open(`${event}&lang=en`);
      await follow(self, t("store-visitors:entrance"), /\/shop\?/);
      await page.getByText("Failed to obtain product information").waitFor();
      await page.getByRole("link", { name: t("store-visitors:retry") }).click();
      await page.getByText("Failed to obtain product information").waitFor();
      await self.axe("a shop whose store is down");
      await self.saveScreenshot("shop-down");
    });
  });
});

/** Reloads a page and holds one script back. @returns a function that releases the script and waits until its effects have run */
async function reloadHoldingBack(page: Page, script: RegExp): Promise<() => Promise<void>> {
  let releaseScript = () => {};
  const released = new Promise<void>((resolve) => {
    releaseScript = resolve;
  });
  await page.route(script, async (route) => {
    await released;
    await route.continue();
  });
  await page.reload();
  return async () => {
    releaseScript();
    await page.waitForFunction(() =>
      Object.keys(document.querySelector("main h1") ?? {}).some((key) => key.startsWith("__react")),
    );
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
  };
}

test("a page that is scrolled before its script is loaded keeps its position", async () => {
  await visit({ lang: "en", width: 390 }, async ({ page, open, t }) => {
    await open(shopPath("/products/1001", { lang: "en" }));
    // From now on the store's response is cached, so it is part of the page.
    await page.getByRole("button", { name: t("store-visitors:add") }).waitFor();
    const releaseScript = await reloadHoldingBack(page, /\/assets\/product-page-/);
    const main = page.locator("#main");
    const scrolled = await main.evaluate((element) => {
      element.scrollTop = 200;
      return element.scrollTop;
    });
    expect(scrolled).toBe(200);
    await releaseScript();
    expect(await main.evaluate((element) => element.scrollTop)).toBe(scrolled);
  });
});

test("a search that is entered before the script has loaded is kept", async () => {
  await visit({ lang: "en" }, async ({ page, open, t }) => {
    await open(shopPath("", { lang: "en" }));
    const releaseScript = await reloadHoldingBack(page, /\/assets\/list-page-/);
    const field = page.getByRole("searchbox", { name: t("store-visitors:search") });
    await field.fill("Seigaiha");
    await releaseScript();
    expect(await field.inputValue()).toBe("Seigaiha");
  });
});

test("a cart is also kept in a frame of another site without cookies", async () => {
  const server = createServer((request, response) => {
    const src = new URL(request.url ?? "/", "http://x").searchParams.get("src") ?? "";
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(
      `<!doctype html><html lang="en"><head><title>Other</title><link rel="icon" href="data:,"></head><body><iframe title="x" width="800" height="900" src="${src.replaceAll("&", "&amp;")}"></iframe></body></html>`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const otherOrigin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    for (const js of SCRIPTS)
      await visit({ lang: "en", js, embeddingOrigin: otherOrigin }, async ({ page, origin, t, context }) => {
        await page.goto(
          `${otherOrigin}/?src=${encodeURIComponent(`${origin}${shopPath("/products/1001", { lang: "en" })}`)}`,
        );
        const frame: FrameLocator = page.frameLocator("iframe");
        await frame.getByRole("button", { name: t("store-visitors:add") }).click();
        await frame.getByText(t("store-visitors:subtotal")).waitFor();
        await frame.getByRole("link", { name: t("store-visitors:products") }).click();
        await frame.getByRole("heading", { name: t("store-visitors:title") }).waitFor();
        await frame.getByRole("link", { name: new RegExp(t("store-visitors:cart")) }).click();
        await frame.getByText("Seigaiha Tenugui towel").waitFor();
        const cookies = await context.cookies(origin);
        expect(cookies.filter(({ name }) => name.startsWith("event-cart"))).toEqual([]);
      });
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
});

describe("the shop's pages", () => {
  const screens: readonly (readonly [string, (self: BrowserVisit) => Promise<unknown>])[] = [
    ["shop-list", (self) => self.open(shopPath("", { lang: self.lang }))],
    ["shop-product", (self) => self.open(shopPath("/products/1009", { lang: self.lang, variant: "100909" }))],
    ["shop-collections", (self) => self.open(shopPath("/collections", { lang: self.lang }))],
    ["shop-lost", (self) => self.open(shopPath("/products/99999", { lang: self.lang }))],
  ];
  for (const { lang, width } of EACH_LANGUAGE_AND_WIDTH_ONCE)
    test(`have no axe violations and do not overflow, with the cart in dark colours (${describeVisit({ lang, width })})`, async () => {
      await visit({ lang, width, reducedMotion: true }, async (self) => {
        self.expectStatus(404);
        const readExcess = () =>
          self.page.evaluate(
            () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
          );
        const capture = async (screen: string) => {
          await self.axe(screen);
          expect([screen, await readExcess()]).toEqual([screen, 0]);
          await self.saveScreenshot(screen);
        };
        for (const [screen, open] of screens) {
          await open(self);
          await self.page.locator("main h1").waitFor();
          await capture(screen);
        }
        await self.page.emulateMedia({ colorScheme: "dark" });
        await self.open(eventPath(lang));
        await fillCart(self);
        await capture("shop-cart");
      });
    });
});
