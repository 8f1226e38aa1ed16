/** Tests that a smaller version of a file is shown first, and then replaced by the whole file (app/viewer/shared/preview-first.client.ts). */
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import type { ViewerSource } from "~/viewer/core/contract";
import {
  countLiveContexts,
  createSource,
  onPage,
  open,
  pinButton,
  readStageEvents,
  readViewpoint,
  sources,
  waitUntilStill,
  withBrowser,
} from "./adapter-page";
import { measureColorDeviation } from "./open-page";

withBrowser();

/** Creates a source with a smaller version at `url` and the whole file at `fullUrl`. */
const createTwoVersions = (kind: "model" | "splat", url: string, fullUrl: string): ViewerSource =>
  ({ ...createSource(kind, url), whole: fullUrl }) as ViewerSource;
const fileUrls = { model: "/rooms.glb", splat: "/rooms.spz" } as const;
const countCanvases = (page: Page) => page.locator(".stage-host canvas").count();
/** Holds requests for a path back until the returned function is called. */
async function holdRequests(page: Page, path: string): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(`**${path}`, async (route) => {
    await released;
    await route.continue().catch(() => {});
  });
  return () => {
    release();
  };
}

describe.each(["model", "splat"] as const)("the %s adapter", (kind) => {
  const fullUrl = `${fileUrls[kind]}?whole`;

  test("shows the smaller version first, and keeps the view when the whole file is loaded", () =>
    onPage(async (page) => {
      const release = await holdRequests(page, fullUrl);
      expect(
        await open(page, createTwoVersions(kind, `${fileUrls[kind]}?preview`, fullUrl), undefined, true),
      ).toBe("ready");
      await waitUntilStill(page);
      expect(await measureColorDeviation(await page.screenshot())).toBeGreaterThan(15);
      await page.evaluate(() => window.stage.viewer?.setOpenPin("north"));
      await page.evaluate(() => window.stage.viewer?.goTo({ pinId: "north" }, { transition: "instant" }));
      await page.evaluate(() => window.stage.viewer?.zoomBy(1.5));
      await waitUntilStill(page);
      const viewBefore = await readViewpoint(page);
      const fieldOfView = await page.evaluate(() => window.stage.fieldOfView());
      const deviationBefore = await measureColorDeviation(await page.screenshot());
      release();
      await expect.poll(() => countLiveContexts(page), { timeout: 20_000 }).toBe(2);
      await expect.poll(() => countCanvases(page), { timeout: 20_000 }).toBe(1);
      await expect.poll(() => countLiveContexts(page)).toBe(1);
      await waitUntilStill(page);
      const viewAfter = await readViewpoint(page);
      viewBefore?.position.forEach(
        (coordinate, axis) => void expect(viewAfter?.position[axis]).toBeCloseTo(coordinate, 1),
      );
      expect(viewAfter?.yaw).toBeCloseTo(viewBefore?.yaw ?? 0, 2);
      expect(await page.evaluate(() => window.stage.fieldOfView())).toBeCloseTo(fieldOfView, 3);
      expect(Math.abs((await measureColorDeviation(await page.screenshot())) - deviationBefore)).toBeLessThan(
        2,
      );
      expect(await pinButton(page, "north").count()).toBe(1);
      expect(await readStageEvents(page, "ready")).toHaveLength(1);
      expect(await readStageEvents(page, "error")).toEqual([]);
      // The viewer of the whole file handles calls from now on.
      await page.evaluate(() => window.stage.viewer?.setMode("orbit"));
      await waitUntilStill(page);
      expect((await readViewpoint(page))?.mode).toBe("orbit");
      await page.unroute(`**${fullUrl}`);
    }));

  test("ends a flight to a pin before the whole file replaces the smaller version", () =>
    onPage(async (page) => {
      const release = await holdRequests(page, fullUrl);
      await open(page, createTwoVersions(kind, `${fileUrls[kind]}?preview`, fullUrl));
      await waitUntilStill(page);
      const [startX = 0] = (await readViewpoint(page))?.position ?? [];
      const flight = page.evaluate((x) => {
        // Holds the frames back during the flight until the whole file is loaded, so that the result does not depend on the machine's speed.
        const requestFrame = window.requestAnimationFrame;
        const callbacks: FrameRequestCallback[] = [];
        window.requestAnimationFrame = (draw) =>
          window.stage.viewer?.viewpoint()?.position[0] === x ? requestFrame(draw) : -callbacks.push(draw);
        window.heldFrames = () => callbacks.length;
        window.releaseFrames = () => {
          window.requestAnimationFrame = requestFrame;
          for (const draw of callbacks) requestFrame(draw);
        };
        return window.stage.viewer?.goTo({ pinId: "red" });
      }, startX);
      await expect.poll(() => page.evaluate(() => window.heldFrames())).toBeGreaterThan(0);
      release();
      await page.waitForFunction(() => {
        const { pending } = window.stage.viewer as unknown as {
          pending: { viewer: { loaded: boolean } } | null;
        };
        return pending === null || pending.viewer.loaded;
      });
      await page.evaluate(() => window.releaseFrames());
      await flight;
      await expect.poll(() => countCanvases(page), { timeout: 20_000 }).toBe(1);
      await waitUntilStill(page);
      expect((await readViewpoint(page))?.position[0]).toBeGreaterThan(2);
      await page.unroute(`**${fullUrl}`);
    }));

  test("keeps the smaller version when the whole file does not load", () =>
    onPage(async (page) => {
      expect(await open(page, createTwoVersions(kind, fileUrls[kind], "/broken.glb"), undefined, true)).toBe(
        "ready",
      );
      await expect.poll(() => readStageEvents(page, "error"), { timeout: 20_000 }).toEqual(["load_failed"]);
      await expect.poll(() => countCanvases(page)).toBe(1);
      expect(await measureColorDeviation(await page.screenshot())).toBeGreaterThan(15);
    }));

  test("shows the whole file when the smaller version does not load", () =>
    onPage(async (page) => {
      expect(await open(page, createTwoVersions(kind, "/broken.glb", fileUrls[kind]), undefined, true)).toBe(
        "ready",
      );
      expect(await countCanvases(page)).toBe(1);
      expect(await readViewpoint(page)).toMatchObject({ position: sources[kind].start?.position });
    }));

  test("disposes both when it is closed while the whole file loads", () =>
    onPage(async (page) => {
      const release = await holdRequests(page, fullUrl);
      await open(page, createTwoVersions(kind, fileUrls[kind], fullUrl), undefined, true);
      await page.evaluate(() => window.stage.close());
      release();
      await expect.poll(() => countLiveContexts(page)).toBe(0);
      expect(await page.locator("canvas").count()).toBe(0);
      await page.unroute(`**${fullUrl}`);
    }));
});
