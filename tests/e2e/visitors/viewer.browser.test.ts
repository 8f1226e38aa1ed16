import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { decodeViewpoint } from "~/viewer/core/viewpoint-link";
import { launchBrowser, STAGE_BROWSER_ARGS } from "../../../scripts/lib/browser";
import { type Caller, linkPath, postEvent, signIn } from "../../support/api/caller";
import { demoEvent, demoIds, demoPath } from "../../support/app/demo";
import { type BrowserVisit, describeVisit, type VisitOptions, visit } from "../../support/browser/visit";

let owner: Caller;
beforeAll(async () => {
  owner = await signIn("owner");
});

const findStage = (page: Page, phase = "ready") => page.locator(`section[data-stage="${phase}"]`);
const waitUntilReady = (page: Page) => findStage(page).waitFor({ timeout: 60_000 });

/** Whether a part of an element is visible in its scroll container and in the window. */
const isInViewport = (locator: Locator) =>
  locator.evaluate(
    (element) =>
      new Promise<boolean>((resolve) =>
        new IntersectionObserver(([entry]) => resolve(entry?.isIntersecting ?? false)).observe(element),
      ),
  );

/** Viewpoint of a visitor, as in the link that can be copied. */
async function readViewpoint({ page, t }: BrowserVisit) {
  // Presses a button by key, because unused buttons are hidden until they are focused.
  await page.getByRole("button", { name: t("visitors-late:viewer.copyLink") }).press("Enter");
  await page.getByText(t("visitors-late:viewer.linkCopied")).waitFor({ state: "attached" });
  const link = new URL(await page.evaluate(() => navigator.clipboard.readText()));
  const viewpoint = decodeViewpoint(link.searchParams.get("view"));
  if (!viewpoint) throw new Error(`No viewpoint in ${link}`);
  return { ...viewpoint, link };
}

/** Waits until the camera has stopped, and returns its viewpoint. */
async function waitForRest(self: BrowserVisit) {
  let previousView = "";
  await expect
    .poll(
      async () => {
        const view = (await readViewpoint(self)).link.searchParams.get("view") ?? "";
        const isSame = view === previousView;
        previousView = view;
        return isSame;
      },
      { timeout: 20_000, interval: 400 },
    )
    .toBe(true);
  return readViewpoint(self);
}

/** Holds a key down until it has had an effect, because the speed depends on the machine. */
async function holdKey(
  self: BrowserVisit,
  key: string,
  milliseconds: number,
  hasEffect: (current: Awaited<ReturnType<typeof readViewpoint>>) => boolean,
): Promise<void> {
  for (let round = 0; round < 8; round++) {
    await self.page.locator("section[data-stage] canvas").focus();
    await self.page.keyboard.down(key);
    await self.page.waitForTimeout(milliseconds);
    await self.page.keyboard.up(key);
    if (hasEffect(await readViewpoint(self))) return;
  }
  throw new Error(`The key ${key} has no effect`);
}

const withClipboard: VisitOptions = {
  lang: "en",
  context: { permissions: ["clipboard-read", "clipboard-write"] },
};

const measureDistance = (a: readonly number[], b: readonly number[]) =>
  Math.hypot(...a.map((value, index) => value - (b[index] ?? 0)));

const findTag = (id: string, title: string) => {
  const tag = demoEvent(id).tags.find((demoTag) => demoTag.title.en === title || demoTag.title.ja === title);
  if (!tag) throw new Error(`No tag ${title}`);
  return tag;
};

/** A visit to a space in 3D. */
const visitStage = <T>(options: VisitOptions, run: (self: BrowserVisit) => Promise<T>) =>
  visit({ ...options, stage: true }, run);

describe("a space in 3D", () => {
  for (const width of [1280, 390] as const)
    test(`of a model starts automatically together with the readable page (${describeVisit({ width })})`, () =>
      visitStage({ lang: "en", width, context: { deviceScaleFactor: 1 } }, async ({ open, page }) => {
        await open(demoPath(demoIds.mainEvent));
        await waitUntilReady(page);
        const canvas = page.locator("section[data-stage] canvas");
        expect(await canvas.count()).toBe(1);
        // A screenshot of one colour would have fewer bytes.
        const screenshot = await findStage(page).screenshot();
        expect(screenshot.length).toBeGreaterThan(30_000);
        // A media item of a placed tag is reached through that tag.
        const { tags, media } = demoEvent();
        const placedTags = tags.filter((tag) => tag.position);
        const tagged = new Set(placedTags.flatMap((tag) => tag.mediaIds));
        // Placed media are pressed directly; a sound has a pin.
        const untaggedSounds = media.filter(
          ({ id, kind, placement }) => placement && kind === "audio" && !tagged.has(id),
        );
        expect(await page.locator("[data-pin]").count()).toBe(placedTags.length + untaggedSounds.length);
        const main = page.getByRole("main");
        expect(await main.getByRole("heading", { level: 1 }).isVisible()).toBe(true);
      }));

  test("of panoramas starts, and visitors step from room to room", () =>
    visitStage({ ...withClipboard }, async (self) => {
      const { open, page } = self;
      await open(demoPath(demoIds.panoramaEvent));
      await waitUntilReady(page);
      const startView = await readViewpoint(self);
      expect(startView.nodeId).toBe("hall");
      // The entrance is behind the visitor.
      await page.locator("section[data-stage] canvas").focus();
      await page.keyboard.press("ArrowDown");
      await expect.poll(async () => (await readViewpoint(self)).nodeId, { timeout: 20_000 }).toBe("entrance");
    }));

  test("of a showcase is its frame with the event's parameters, and our list beside it", () =>
    visitStage({ lang: "en" }, async ({ open, page }) => {
      await open(demoPath(demoIds.showcaseEvent));
      await waitUntilReady(page);
      const frame = page.locator("section[data-stage] iframe");
      const source = new URL((await frame.getAttribute("src")) ?? "");
      expect(source.origin + source.pathname).toBe("https://my.matterport.com/show");
      expect(Object.fromEntries(source.searchParams)).toEqual({
        m: "SxQL3iGyoDo",
        play: "1",
        lang: "en",
        qs: "1",
        title: "0",
        playsInline: "1",
      });
      expect(await frame.getAttribute("title")).toBe("Matterport ショーケース");
      await page
        .frameLocator("section[data-stage] iframe")
        .getByRole("heading", { name: "Showcase" })
        .waitFor();
      await page.locator("summary", { hasText: "About this place" }).click();
      expect(await page.getByText("A showcase captured in a real building").isVisible()).toBe(true);
    }));

  test("is walked through by keys, and walls stop the visitor", () =>
    visitStage(withClipboard, async (self) => {
      const { open, page } = self;
      await open(demoPath(demoIds.mainEvent));
      await waitUntilReady(page);
      const startView = await readViewpoint(self);
      const canvas = page.locator("section[data-stage] canvas");
      await holdKey(self, "KeyW", 900, (view) => measureDistance(startView.position, view.position) > 0.5);
      await holdKey(self, "ArrowLeft", 500, (view) => Math.abs(view.yaw - startView.yaw) > 0.2);
      // Walks against the wall for longer than it would take to leave the house.
      await holdKey(self, "KeyA", 5000, () => true);
      const stoppedView = await waitForRest(self);
      expect(Math.abs(stoppedView.position[1] - 1.6)).toBeLessThan(0.5);
      expect(Math.abs(stoppedView.position[0])).toBeLessThan(11.3);
      expect(Math.abs(stoppedView.position[2])).toBeLessThan(10);
      // Home returns to the start.
      await canvas.focus();
      await page.keyboard.press("Home");
      await expect
        .poll(async () => measureDistance((await readViewpoint(self)).position, startView.position), {
          timeout: 20_000,
        })
        .toBeLessThan(0.1);
    }));

  test("flies to an entry of the list that gets the focus, and opens the entry of a pin", () =>
    visitStage(withClipboard, async (self) => {
      const { open, page } = self;
      await open(demoPath(demoIds.mainEvent));
      await waitUntilReady(page);
      const target = demoEvent().tags.find((tag) => tag.viewpoint && tag.title.en && tag.position);
      if (!target?.viewpoint) throw new Error("The demo has no tag with a viewpoint");
      await page.locator("summary", { hasText: target.title.en }).first().focus();
      // Keeps the focus on the entry for a moment, because the camera does not fly for entries that Tab only passes.
      await page.waitForTimeout(600);
      await expect
        .poll(
          async () => measureDistance((await readViewpoint(self)).position, target.viewpoint?.position ?? []),
          {
            timeout: 20_000,
          },
        )
        .toBeLessThan(0.3);

      // Its pin is visible now, and a click on it opens the entry in the list.
      const entry = page.locator(`#tag-${target.id} details`);
      expect(await entry.getAttribute("open")).toBeNull();
      await page.locator(`[data-pin="${target.id}"]`).click();
      await expect.poll(() => entry.getAttribute("open")).not.toBeNull();
      expect(await page.locator(`[data-pin="${target.id}"]`).getAttribute("aria-expanded")).toBe("true");
      expect(
        await page
          .getByText(target.body.en.split("\n")[0] ?? "")
          .first()
          .isVisible(),
      ).toBe(true);
      // Another click on the pin does not close the entry, but brings it back into view.
      const list = page.locator("main");
      await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
      await expect.poll(() => isInViewport(entry)).toBe(false);
      await page.locator(`[data-pin="${target.id}"]`).click();
      await expect.poll(() => isInViewport(entry)).toBe(true);
      expect(await entry.getAttribute("open")).not.toBeNull();
      // Escape closes it from within the space.
      await page.locator(`[data-pin="${target.id}"]`).focus();
      await page.keyboard.press("Escape");
      await expect.poll(() => entry.getAttribute("open")).toBeNull();
    }));

  test("allows reaching pins with Tab and opening them with Enter, in the list's order", () =>
    visitStage(withClipboard, async (self) => {
      const { open, page } = self;
      await open(demoPath(demoIds.mainEvent));
      await waitUntilReady(page);
      const pinIds = await page
        .locator("[data-pin]")
        .evaluateAll((pins) => pins.map((pin) => pin.getAttribute("data-pin")));
      const placedIds = demoEvent()
        .tags.filter((tag) => tag.position)
        .map((tag) => tag.id);
      expect(pinIds.slice(0, placedIds.length)).toEqual(placedIds);
      await page.locator("section[data-stage] canvas").focus();
      await page.keyboard.press("Tab");
      const id = await page.evaluate(() => document.activeElement?.getAttribute("data-pin"));
      expect(placedIds).toContain(id);
      await page.keyboard.press("Enter");
      await expect.poll(() => page.locator(`#tag-${id} details`).getAttribute("open")).not.toBeNull();
    }));

  test("opens at the tag or the viewpoint of a link", () =>
    visitStage(withClipboard, async (self) => {
      const { open, page } = self;
      const tag = findTag(
        demoIds.mainEvent,
        demoEvent().tags.findLast((demoTag) => demoTag.viewpoint)?.title.en ?? "",
      );
      await open(`${demoPath(demoIds.mainEvent)}&tag=${tag.id}`);
      await waitUntilReady(page);
      expect(await page.locator(`#tag-${tag.id} details`).getAttribute("open")).not.toBeNull();
      const arrivalView = await readViewpoint(self);
      expect(measureDistance(arrivalView.position, tag.viewpoint?.position ?? [])).toBeLessThan(0.1);
      expect(arrivalView.link.searchParams.get("tag")).toBe(tag.id);
      expect(arrivalView.link.searchParams.get("token")).toBe(demoEvent().event.accessToken);

      await open(`${demoPath(demoIds.mainEvent)}&view=w_0_1.6_2_90_-5`);
      await waitUntilReady(page);
      const linkedView = await readViewpoint(self);
      expect(linkedView.position.map((value) => Math.round(value * 10) / 10)).toEqual([0, 1.6, 2]);
      expect(linkedView.yaw).toBeCloseTo(Math.PI / 2, 1);
      // The copied link leads to the same viewpoint.
      await page.goto(linkedView.link.href);
      await waitUntilReady(page);
      expect((await readViewpoint(self)).link.searchParams.get("view")).toBe(
        linkedView.link.searchParams.get("view"),
      );
    }));

  test("keeps the view and the open tag when the language changes", () =>
    visitStage({ ...withClipboard, reducedMotion: true }, async (self) => {
      const { open, page, t } = self;
      await open(demoPath(demoIds.panoramaEvent));
      await waitUntilReady(page);
      const [tag] = demoEvent(demoIds.panoramaEvent).tags;
      await page.locator("summary", { hasText: tag?.title.en }).first().click();
      await expect.poll(async () => (await readViewpoint(self)).nodeId, { timeout: 20_000 }).toBe("entrance");
      const viewBefore = await readViewpoint(self);
      // Disposing a space in software rendering takes long on a busy machine.
      await page.getByRole("link", { name: t("shared:japanese"), exact: true }).click({ noWaitAfter: true });
      await page.waitForURL(/lang=ja/, { timeout: 60_000 });
      await waitUntilReady(page);
      expect(await page.locator("html").getAttribute("lang")).toBe("ja");
      expect(await page.locator(`#tag-${tag?.id} details`).getAttribute("open")).not.toBeNull();
      const searchParams = new URL(page.url()).searchParams;
      expect(searchParams.get("view")).toBe(viewBefore.link.searchParams.get("view"));
      expect(searchParams.get("tag")).toBe(tag?.id);
    }));

  test("opens a tag when only the URL's fragment changes, with a link from the list", () =>
    visitStage(withClipboard, async ({ open, page, t }) => {
      await open(demoPath(demoIds.mainEvent));
      await waitUntilReady(page);
      const [firstTag, secondTag] = demoEvent().tags;
      await page.locator("summary", { hasText: firstTag?.title.en }).first().click();
      await page
        .locator(`#tag-${firstTag?.id}`)
        .getByRole("link", { name: t("visitors:linkToTag") })
        .click();
      expect(new URL(page.url()).hash).toBe(`#tag-${firstTag?.id}`);
      // The link was also copied, which the page reports.
      await page
        .getByRole("status")
        .filter({ hasText: t("visitors:tagLinkCopied") })
        .waitFor();
      const copied = new URL(await page.evaluate(() => navigator.clipboard.readText()));
      expect(copied.searchParams.get("tag")).toBe(firstTag?.id);
      expect(copied.searchParams.get("token")).toBe(demoEvent().event.accessToken);
      await page.evaluate((id) => {
        window.location.hash = `#tag-${id}`;
      }, secondTag?.id);
      await expect
        .poll(() => page.locator(`#tag-${secondTag?.id} details`).getAttribute("open"))
        .not.toBeNull();
      await waitUntilReady(page);
      await page.goBack();
      await page.locator(`#tag-${firstTag?.id} details[open]`).waitFor();
      await page.goBack();
      await expect.poll(() => page.locator("main details[open]").count()).toBe(0);
    }));

  test("jumps instead of flying with reduced motion", () =>
    visitStage({ ...withClipboard, reducedMotion: true }, async (self) => {
      const { open, page } = self;
      await open(demoPath(demoIds.mainEvent));
      await waitUntilReady(page);
      const target = demoEvent().tags.findLast((tag) => tag.viewpoint);
      await page.locator("summary", { hasText: target?.title.en }).first().focus();
      await page.waitForTimeout(600);
      expect(
        measureDistance((await readViewpoint(self)).position, target?.viewpoint?.position ?? []),
      ).toBeLessThan(0.05);
    }));

  test("has buttons for the view from outside, for the view from above and for walking", () =>
    visitStage(withClipboard, async (self) => {
      const { open, page, t } = self;
      await open(demoPath(demoIds.mainEvent));
      await waitUntilReady(page);
      for (const [name, mode] of [
        [t("visitors-late:viewer.overview"), "orbit"],
        [t("visitors-late:viewer.plan"), "plan"],
        [t("visitors-late:viewer.walk"), "walk"],
      ] as const) {
        await page.getByRole("button", { name, exact: true }).click();
        await expect.poll(async () => (await readViewpoint(self)).mode, { timeout: 20_000 }).toBe(mode);
        expect(await page.getByRole("button", { name, exact: true }).getAttribute("aria-pressed")).toBe(
          "true",
        );
      }
    }));

  test("keeps its buttons visible for fingers, so that a tap never presses a hidden one", () =>
    visit(
      { lang: "ja", width: 390, stage: true, context: { hasTouch: true, isMobile: true } },
      async ({ open, page, t }) => {
        await open(demoPath(demoIds.mainEvent));
        await waitUntilReady(page);
        const overviewButton = page.getByRole("button", { name: t("visitors-late:viewer.overview") });
        await overviewButton.waitFor();
        await page.locator("section[data-stage][data-idle]").waitFor({ timeout: 20_000 });
        const readOpacity = () =>
          page.getByRole("toolbar").evaluate((bar) => getComputedStyle(bar.parentElement as Element).opacity);
        expect(await readOpacity()).toBe("1");
        await overviewButton.tap();
        await page.locator("section[data-stage][data-idle]").waitFor({ state: "detached" });
        expect(await overviewButton.getAttribute("aria-pressed")).toBe("true");
        expect(await readOpacity()).toBe("1");
      },
    ));

  test("opens in the editor, too, directly and from the list of spaces", () =>
    visitStage({ lang: "en", as: owner }, async ({ open, page }) => {
      await open(`/event/${demoIds.mainEvent}`);
      await waitUntilReady(page);
      // Follows links from the list of spaces.
      await open("/space-list");
      await page.getByRole("link", { name: "Hiroba ショールーム" }).click();
      await page.locator("main li a[href^='/event/']").first().click();
      await page.waitForURL(/\/event\//);
      await waitUntilReady(page);
      await open("/space-list");
      await page.getByRole("link", { name: "Matterport ショーケース" }).click();
      await page
        .getByRole("link", { name: demoEvent(demoIds.showcaseEvent).event.eventName.en, exact: true })
        .click();
      await page.waitForURL(/\/event\//);
      await waitUntilReady(page);
      await page
        .frameLocator("section[data-stage] iframe")
        .getByRole("heading", { name: "Showcase" })
        .waitFor();
    }));
});

describe("when 3D is not available", () => {
  test("the page shows a message and stays readable without WebGL", async () => {
    const browser = await launchBrowser(["--disable-gpu", "--disable-3d-apis"]);
    try {
      for (const lang of ["ja", "en"] as const)
        await visit({ lang, browser }, async (self) => {
          const { open, page, t } = self;
          await open(demoPath(demoIds.mainEvent));
          await findStage(page, "failed").waitFor({ timeout: 30_000 });
          expect(
            await page
              .getByRole("status")
              .filter({ hasText: t("visitors:viewer.failed.webgl_unavailable") })
              .isVisible(),
          ).toBe(true);
          const poster = page.locator("section[data-stage] img").first();
          expect(await poster.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(100);
          const [tag] = demoEvent().tags;
          await page.locator("summary", { hasText: tag?.title[lang] }).first().click();
          expect(
            await page
              .getByText(tag?.body[lang].split("\n")[0] ?? "")
              .first()
              .isVisible(),
          ).toBe(true);
          await self.saveScreenshot("viewer-without-webgl");
          await self.axe("viewer without WebGL");
        });
    } finally {
      await browser.close();
    }
  });

  test("a file that cannot be loaded is reported, and a retry button loads it", () =>
    visit({ lang: "en", stage: true }, async (self) => {
      const { context, open, page, t, expectStatus } = self;
      expectStatus(503);
      let isBroken = true;
      await context.route("**/media/**", (route) =>
        isBroken && route.request().resourceType() === "fetch"
          ? route.fulfill({ status: 503, body: "" })
          : route.fallback(),
      );
      await open(demoPath(demoIds.mainEvent));
      await findStage(page, "failed").waitFor({ timeout: 30_000 });
      expect(await page.getByText(t("visitors:viewer.failed.load_failed")).isVisible()).toBe(true);
      await self.saveScreenshot("viewer-failed");
      isBroken = false;
      await page.getByRole("button", { name: t("shared:shell.page.tryAgain") }).click();
      await waitUntilReady(page);
    }));
});

describe("thirteen visits in one tab", () => {
  const browsers: { close(): Promise<void> }[] = [];
  afterAll(async () => {
    for (const browser of browsers) await browser.close();
  });

  test("leak no WebGL context and no memory", async () => {
    const browser = await launchBrowser([...STAGE_BROWSER_ARGS, "--js-flags=--expose-gc"]);
    browsers.push(browser);
    await visitStage({ lang: "en", browser, as: owner, width: 390 }, async ({ open, page, context, t }) => {
      // Records all WebGL contexts from the first script on. A lost context counts as released.
      await context.addInitScript(() => {
        const contexts: WebGL2RenderingContext[] = [];
        Object.assign(window, { contexts });
        const original = HTMLCanvasElement.prototype.getContext;
        HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, ...args: unknown[]) {
          const created = Reflect.apply(original, this, args) as RenderingContext | null;
          if (created instanceof WebGL2RenderingContext && !contexts.includes(created))
            contexts.push(created);
          return created;
        } as typeof original;
      });
      const events = [demoIds.mainEvent, demoIds.panoramaEvent];
      // Uses the editor, because its links change the event within one document.
      await open(`/event/${events[0]}`);
      await waitUntilReady(page);
      const measureResources = () =>
        page.evaluate(async () => {
          const { gc, contexts } = window as unknown as { gc(): void; contexts: WebGL2RenderingContext[] };
          for (let round = 0; round < 3; round++) {
            gc();
            await new Promise((resolve) => setTimeout(resolve, 50));
          }
          const { usedJSHeapSize } = (performance as unknown as { memory: { usedJSHeapSize: number } })
            .memory;
          return {
            heap: usedJSHeapSize,
            made: contexts.length,
            alive: contexts.filter((context) => !context.isContextLost()).length,
            canvases: document.querySelectorAll("canvas").length,
          };
        });
      const visitNext = async (id: string) => {
        await page.evaluate((path) => {
          const router = (window as unknown as { __remixRouter: { navigate(to: string): Promise<void> } })
            .__remixRouter;
          return router.navigate(path);
        }, `/event/${id}`);
        await page
          .getByLabel(t("visitors:viewer.canvas", { title: demoEvent(id).event.eventName.en }))
          .waitFor();
        await waitUntilReady(page);
      };
      for (let count = 1; count <= 4; count++) await visitNext(events[count % 2] ?? "");
      const resourcesBefore = await measureResources();
      for (let count = 5; count <= 12; count++) await visitNext(events[count % 2] ?? "");
      const resourcesAfter = await measureResources();
      expect(resourcesAfter.made).toBe(13);
      expect(resourcesAfter.alive).toBe(1);
      expect(resourcesAfter.canvases).toBe(1);
      expect(resourcesAfter.heap).toBeLessThan(resourcesBefore.heap * 1.15 + 2 * 1024 * 1024);
    });
  });
});

describe("an event without content", () => {
  test("shows its space and no list of tags", () =>
    visitStage({ lang: "en" }, async ({ open, page, t }) => {
      const event = await postEvent(await signIn("curator"), demoIds.tearoom, {
        status_id: 3,
        enable_auto_change_status: false,
      });
      await open(linkPath(event, "published"));
      await waitUntilReady(page);
      expect(await page.getByRole("heading", { level: 1 }).isVisible()).toBe(true);
      expect(await page.getByRole("heading", { name: t("visitors:tags") }).count()).toBe(0);
    }));
});
