/** Shared by the tests of the adapters: their page, which is reused between tests, and actions on it. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject } from "vitest";
import type { Pin, PlacedMediaItem, Vec3, ViewerSource } from "~/viewer/core/contract";
import { createProjector } from "~/viewer/core/projection";
import { launchBrowser, STAGE_BROWSER_ARGS } from "../../scripts/lib/browser";
import { SHOWCASE_KEY } from "../support/external/showcase";
import { type OpenPage, openPage, type TestPageOptions, withPage } from "./open-page";
import { modelSource, panoramaSource, pins, splatSource } from "./rooms";

const VIEWPORT = { width: 640, height: 420 };

export const sources = {
  model: modelSource("/rooms.glb"),
  panorama: panoramaSource(""),
  splat: splatSource("/rooms.spz"),
} as const;

/** A showcase that tests/support/external/showcase.ts simulates. */
export const connectedShowcase = {
  kind: "showcase",
  title: "A house",
  key: SHOWCASE_KEY,
  start: null,
  src: "https://my.matterport.com/show?m=SxQL3iGyoDo&play=1",
} as const satisfies ViewerSource;

/** One of `sources` with another file. */
export const createSource = (kind: keyof typeof sources, url: string): ViewerSource =>
  kind === "panorama"
    ? { ...sources.panorama, nodes: sources.panorama.nodes.map((node) => ({ ...node, url })) }
    : ({ ...sources[kind], url } as ViewerSource);

let browser: Browser;
let sharedPage: OpenPage | null = null;

/** Starts a browser for the tests of a file, and closes it after them. */
export function withBrowser(): void {
  beforeAll(async () => {
    browser = await launchBrowser(STAGE_BROWSER_ARGS);
  });
  afterAll(async () => {
    await sharedPage?.close(false);
    sharedPage = null;
    await browser?.close();
  });
}

/** Discards the shared page without waiting, because a page that hangs would also block the second attempt of a test. */
function discardSharedPage(): void {
  sharedPage?.close(false).catch(() => {});
  sharedPage = null;
}

const adaptersUrl = () => `${inject("stage").origin}/adapters`;
const waitForStage = (page: Page) => page.waitForFunction(() => "stage" in window);

/**
 * Runs an action on the adapters' page in its initial state. Tests share the page unless they need special options; a failed test
 * discards it.
 */
export async function onPage(run: (page: Page) => Promise<void>, options?: TestPageOptions): Promise<void> {
  if (options) {
    // A page's changes to the graphics, such as a lost context, may affect other pages of the browser, so the next test starts a
    // new one.
    discardSharedPage();
    await withPage(
      browser,
      adaptersUrl(),
      async (page) => {
        await waitForStage(page);
        await run(page);
      },
      options,
    );
    return;
  }
  sharedPage ??= await openPage(browser, adaptersUrl());
  const { page, problems } = sharedPage;
  try {
    await waitForStage(page);
    await page.evaluate(() => window.stage.close());
    await page.mouse.move(0, 0);
    await run(page);
    await page.evaluate(() => window.stage.close());
    if (page.viewportSize()?.width !== VIEWPORT.width) await page.setViewportSize(VIEWPORT);
    expect(problems).toEqual([]);
  } catch (error) {
    discardSharedPage();
    throw error;
  }
}

export const open = (
  page: Page,
  source: ViewerSource,
  pinList: readonly Pin[] = pins,
  reducedMotion = false,
  placedMedia: readonly PlacedMediaItem[] = [],
) =>
  page.evaluate(
    ([viewerSource, allPins, isMotionReduced, allMedia]) =>
      window.stage.open(viewerSource, allPins, isMotionReduced, allMedia),
    [source, pinList, reducedMotion, placedMedia] as const,
  );

export const readViewpoint = (page: Page) => page.evaluate(() => window.stage.viewer?.viewpoint() ?? null);

/**
 * Waits until the page has requested no frame for 120 ms, and no frame and no order of splats is pending. On a busy machine, these take
 * longer than 120 ms.
 */
export async function waitUntilStill(page: Page): Promise<void> {
  let frames = -1;
  for (;;) {
    const { count, isBusy } = await page.evaluate(() => ({
      count: window.frameCount,
      isBusy: window.hasPendingFrame() || window.stage.isSorting(),
    }));
    if (count === frames && !isBusy) return;
    frames = count;
    await page.waitForTimeout(120);
  }
}

export const countLiveContexts = (page: Page) => page.evaluate(() => window.liveContexts());
export const pinButton = (page: Page, id: string) => page.locator(`[data-pin="${id}"]`);
export const readStageEvents = (page: Page, name: string) =>
  page.evaluate(
    (eventName) => window.stage.events.filter((event) => event.name === eventName).map(({ value }) => value),
    name,
  );

/** Waits for a pin to be seen, or not to be. */
export async function expectVisible(page: Page, id: string, visible: boolean): Promise<void> {
  await expect
    .poll(
      () =>
        pinButton(page, id).evaluate((element) => {
          const style = getComputedStyle(element);
          return style.visibility === "visible" && Number(style.opacity) > 0.9;
        }),
      { message: `pin ${id}` },
    )
    .toBe(visible);
}

/** Current position of a point of the space on the screen, in CSS pixels. */
export async function locateOnScreen(page: Page, point: Vec3): Promise<[number, number]> {
  const { yaw, pitch, position } = (await readViewpoint(page)) ?? {
    yaw: 0,
    pitch: 0,
    position: [0, 0, 0] as const,
  };
  const fov = await page.evaluate(() => window.stage.fieldOfView());
  const { x, y } = createProjector({ position, yaw, pitch, fov }, VIEWPORT)(point);
  return [x, y];
}
