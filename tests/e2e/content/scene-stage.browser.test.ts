import { beforeAll, describe, expect, test } from "vitest";
import { panoramas } from "../../../seed/gallery-plan";
import { type Caller, linkPath, signIn } from "../../support/api/caller";
import { demoIds, demoPath } from "../../support/app/demo";
import { panelTab } from "../../support/browser/controls";
import { holdScript } from "../../support/browser/hold-script";
import { type BrowserVisit, submitForm, visit } from "../../support/browser/visit";
import { waitForSaveState } from "../../support/browser/wait-for-save-state";
import { eventWithTags, stopFor } from "../../support/scene-event";

let owner: Caller;
beforeAll(async () => {
  owner = await signIn("owner");
});

const TIMEOUT = { timeout: 240_000 };
const waitForStage = ({ page }: BrowserVisit) =>
  page.locator('section[data-stage="ready"]').waitFor({ timeout: 120_000 });
/** Position of the visitor on the map in percent of its image, and direction in radians. */
const readMapPosition = async ({ page, t }: BrowserVisit) => {
  const style =
    (await page.getByRole("img", { name: t("visitors-late:planHere") }).getAttribute("style")) ?? "";
  const readNumber = (name: string) => Number(new RegExp(`${name}: (-?[\\d.]+)`).exec(style)?.[1]);
  return { left: readNumber("left"), top: readNumber("top"), turn: readNumber("rotate") };
};
/** Position of the visitor on the map after all motion has ended. */
const waitForRest = async (self: BrowserVisit) => {
  let position = await readMapPosition(self);
  await expect
    .poll(
      async () => {
        const previousPosition = position;
        position = await readMapPosition(self);
        return JSON.stringify(previousPosition) === JSON.stringify(position);
      },
      { interval: 600, timeout: 60_000 },
    )
    .toBe(true);
  return position;
};

describe("in the editor, with a real space", () => {
  test(
    "the view that is shown becomes the start, and a stop; the space becomes its own floor plan",
    TIMEOUT,
    () =>
      visit({ lang: "en", as: owner, stage: true }, async (self) => {
        const { open, page, t } = self;
        const { event, tags, scene, read } = await eventWithTags(owner, 2);
        await open(`/event/${event.uuid}?panel=start`);
        await waitForStage(self);
        await page.getByRole("button", { name: t("content:sceneEditor.view.take") }).click();
        await waitForSaveState(self, "saved");
        const start = (await scene()).start_view;
        expect(start?.mode).toBe("walk");
        // Turns the view with a key that is held, because a frame may take long in software rendering.
        await page.getByLabel(t("visitors:viewer.canvas", { title: event.event_name })).focus();
        await page.keyboard.press("ArrowLeft", { delay: 2000 });
        const openTab = (name: string) => panelTab(self, name).click();
        await openTab(t("content:panels.tour"));
        await page.getByRole("button", { name: t("content:sceneEditor.tour.addView") }).click();
        await page.getByRole("form", { name: t("content:sceneEditor.tour.form"), exact: true }).waitFor();
        await waitForSaveState(self, "saved");
        const [stop] = (await scene()).tour;
        expect(stop?.viewpoint?.yaw).not.toBeCloseTo(start?.yaw ?? 0, 2);
        await page.getByRole("button", { name: t("content:sceneEditor.tour.playHere") }).click();
        await page.getByRole("button", { name: t("visitors-late:tourPause") }).click();
        await page.getByText(t("visitors-late:tourPaused")).waitFor();

        await page.getByRole("link", { name: t("content:sceneEditor.tour.back") }).click();
        await openTab(t("content:panels.plan"));
        // Records all ImageBitmaps, to check that they are closed afterwards.
        await page.evaluate(() => {
          const createOriginal = window.createImageBitmap.bind(window);
          const created: ImageBitmap[] = [];
          Object.assign(window, { createdBitmaps: created });
          window.createImageBitmap = async (...args: unknown[]) => {
            const bitmap = await (createOriginal as (...parameters: unknown[]) => Promise<ImageBitmap>)(
              ...args,
            );
            created.push(bitmap);
            return bitmap;
          };
        });
        await page.getByRole("button", { name: t("content:sceneEditor.plan.draw") }).click();
        // The created plan is already aligned. It shows the event's positions, and has movable marks only during alignment.
        const align = page.getByRole("link", { name: t("content:sceneEditor.plan.align") });
        await align.waitFor({ timeout: 60_000 });
        await waitForSaveState(self, "saved");
        await page.getByRole("img", { name: "A", exact: true }).waitFor();
        expect(await page.locator("[data-mark]").count()).toBe(0);
        await align.click();
        await page.locator(`[data-mark="${tags[0]}"]`).waitFor();
        const { scene: sceneWithPlan, media } = await read();
        expect(sceneWithPlan.plan?.media_uuid).toBe(media[0]?.uuid);
        const widths = await page.evaluate(() =>
          (window as unknown as { createdBitmaps: ImageBitmap[] }).createdBitmaps.map(({ width }) => width),
        );
        expect(widths).toEqual(widths.map(() => 0));
        expect(widths).not.toEqual([]);
        // The demo's gallery is 17 metres from west to east.
        expect(sceneWithPlan.plan?.width).toBeGreaterThan(15);
        expect(sceneWithPlan.plan?.width).toBeLessThan(25);
        await page.getByRole("button", { name: t("content:sceneEditor.plan.here") }).waitFor();
        expect(await page.getByText(t("content:sceneEditor.plan.outside", { count: 1 })).count()).toBe(0);
      }),
  );
});

test("the panorama that the editor loads first depends on the event's start view", TIMEOUT, () =>
  visit({ lang: "en", as: owner, stage: true }, async (self) => {
    const { open, page } = self;
    const { event, setScene } = await eventWithTags(owner, 0, demoIds.panorama);
    let loadedIds: string[] = [];
    page.on("request", (request) => {
      const [, id] = /\/media\/([0-9a-f-]{36})/.exec(request.url()) ?? [];
      if (id && request.resourceType() === "fetch") loadedIds.push(id);
    });
    const findFirstFile = async () => {
      loadedIds = [];
      await open(`/event/${event.uuid}?panel=tour`);
      await waitForStage(self);
      return loadedIds[0];
    };
    const spaceFile = await findFirstFile();
    const nodeId = panoramas.at(-1)?.id;
    await setScene({
      start_view: { position: [0, 0, 0], yaw: 0, pitch: 0, mode: "walk", node_id: nodeId },
    });
    const eventFile = await findFirstFile();
    expect([typeof spaceFile, typeof eventFile]).toEqual(["string", "string"]);
    expect(eventFile).not.toBe(spaceFile);
  }),
);

test("the start view is taken and saved by the form if the editor's script does not load", TIMEOUT, () =>
  visit({ lang: "en", as: owner, stage: true }, async (self) => {
    const { open, page, t } = self;
    self.expectError(/browser-ports/);
    const { event, scene } = await eventWithTags(owner, 0);
    await page.route(/browser-ports/, (route) => route.abort());
    await open(`/event/${event.uuid}?panel=start`);
    await waitForStage(self);
    await page.getByRole("button", { name: t("content:sceneEditor.view.take") }).click();
    await submitForm(self, page.getByRole("button", { name: t("content:save.button"), exact: true }));
    expect((await scene()).start_view).toMatchObject({ mode: "walk" });
  }),
);

test("a start view that is taken before the editor's script has loaded is saved when it has", TIMEOUT, () =>
  visit({ lang: "en", as: owner, stage: true }, async (self) => {
    const { open, page, t } = self;
    const { event, scene } = await eventWithTags(owner, 0);
    const release = await holdScript(self, "browser-ports.client");
    await open(`/event/${event.uuid}?panel=start`);
    await waitForStage(self);
    await page.getByRole("button", { name: t("content:sceneEditor.view.take") }).click();
    await page.getByText(t("content:sceneEditor.view.numbers")).waitFor();
    release();
    await expect.poll(async () => (await scene()).start_view?.mode, { timeout: 30_000 }).toBe("walk");
  }),
);

test("the editor opens where visitors start, with one button on its stage", TIMEOUT, () =>
  visit({ lang: "en", as: owner, stage: true }, async (self) => {
    const { open, page, t } = self;
    const { event, scene, setScene } = await eventWithTags(owner, 0);
    await setScene({ start_view: { position: [1.5, 1.6, 6], yaw: 2.5, pitch: 0, mode: "walk" } });
    await open(`/event/${event.uuid}?panel=start`);
    await waitForStage(self);
    // A view that is taken before the camera has moved equals the start.
    await page.getByRole("button", { name: t("content:sceneEditor.view.take") }).click();
    await waitForSaveState(self, "saved");
    const start = (await scene()).start_view;
    expect(start?.position[0]).toBeCloseTo(1.5, 1);
    expect(start?.position[2]).toBeCloseTo(6, 1);
    expect(start?.yaw).toBeCloseTo(2.5, 1);

    // The stage has one button, which opens the others. Esc closes them and returns the focus.
    const buttons = page.getByRole("toolbar").getByRole("button");
    expect(await buttons.count()).toBe(1);
    await buttons.focus();
    await page.keyboard.press("Enter");
    for (const name of ["overview", "zoomIn", "fewerControls"] as const)
      await page.getByRole("button", { name: t(`visitors-late:viewer.${name}`), exact: true }).waitFor();
    await self.axe("the stage's buttons in the editor");
    await page.keyboard.press("Escape");
    await expect.poll(() => buttons.count()).toBe(1);
    expect(await buttons.evaluate((button) => button === document.activeElement)).toBe(true);
  }),
);

describe("for visitors, with a real space", () => {
  test(
    "the tour plays, steps, announces its position, and pauses when the visitor clicks the space or opens an entry",
    TIMEOUT,
    () =>
      visit({ lang: "en", stage: true }, async (self) => {
        const { open, page, t } = self;
        const { event, tags, setScene } = await eventWithTags(owner, 5);
        await setScene({
          tour: [
            stopFor(tags[0] ?? "", "First", { seconds: 2, text: { ja: "", en: "The text of the first" } }),
            stopFor(tags[1] ?? "", "Second", { seconds: 600 }),
            stopFor(null, "Third", { viewpoint: { position: [0, 1.6, 7], yaw: 3, pitch: 0, mode: "walk" } }),
          ],
        });
        await open(linkPath(event, "published"));
        await waitForStage(self);
        const tour = page.getByRole("region", { name: new RegExp(`^${t("visitors-late:tour")}`) });
        const status = tour.getByRole("status");
        const expectStop = (stop: number, title: string) =>
          status
            .filter({ hasText: t("visitors-late:tourAt", { at: stop, of: 3, title }) })
            .waitFor({ timeout: 60_000 });
        await tour.getByRole("button", { name: t("visitors-late:tourPlay") }).focus();
        await page.keyboard.press("Enter");
        await expectStop(1, "First");
        // The announcement contains the stop's text too.
        expect(await status.textContent()).toContain("The text of the first");
        // The tour continues by itself after the flight and the stop's duration.
        await expectStop(2, "Second");
        await page.locator("section[data-stage] canvas").click({ position: { x: 200, y: 300 } });
        await status.filter({ hasText: t("visitors-late:tourPaused") }).waitFor();
        await tour.getByRole("button", { name: t("visitors-late:tourPlay") }).click();
        await status.filter({ hasNotText: t("visitors-late:tourPaused") }).waitFor();
        // Opening an entry of the list also pauses the tour.
        await page
          .locator(`#tag-${tags[2]} summary, #tag-${tags[2]} a, #tag-${tags[2]} button`)
          .first()
          .click();
        await status.filter({ hasText: t("visitors-late:tourPaused") }).waitFor();
        // The tour and its controls stay visible during a search.
        await page.getByRole("searchbox").fill("nothing of the kind");
        await page.getByText(t("visitors-late:foundNone")).first().waitFor();
        expect(await tour.isVisible()).toBe(true);
        await page.getByRole("searchbox").fill("");
        await tour.getByRole("button", { name: t("visitors-late:tourNext") }).click();
        await expectStop(3, "Third");
        expect(await tour.locator("[aria-current=step]").textContent()).toContain("Third");
        await self.axe("a tour");
      }),
  );

  for (const [kind, path] of [
    ["model", () => demoPath(demoIds.mainEvent)],
    ["panorama", () => demoPath(demoIds.panoramaEvent)],
  ] as const)
    test(
      `the map follows the visitor, and a pin leads to its position${kind === "model" ? "; a tour stop is reached without a flight under reduced motion" : ""} (${kind})`,
      TIMEOUT,
      () =>
        visit({ lang: "ja", stage: true, reducedMotion: true }, async (self) => {
          const { open, page, t } = self;
          await open(path());
          await waitForStage(self);
          const startPosition = await waitForRest(self);
          const canvas = page.locator("section[data-stage] canvas");
          // The turn caused by a held key, and the time until it is visible, depend on the machine.
          const turnAwayFrom = (turn: number) =>
            expect
              .poll(
                async () => {
                  await canvas.focus();
                  await page.keyboard.press("ArrowLeft", { delay: 500 });
                  return (await readMapPosition(self)).turn;
                },
                { timeout: 30_000, interval: 500 },
              )
              .not.toBe(turn);
          await turnAwayFrom(startPosition.turn);
          const map = page.getByRole("region", { name: t("visitors-late:plan") });
          const pin = map.getByRole("link").last();
          await pin.click();
          await expect
            .poll(async () => (await readMapPosition(self)).left !== startPosition.left, { timeout: 30_000 })
            .toBe(true);
          const restPosition = await waitForRest(self);
          // Turns away and returns with the same pin, although its entry is already open.
          await turnAwayFrom(restPosition.turn);
          await pin.click();
          await expect
            .poll(async () => (await waitForRest(self)).turn, { timeout: 60_000 })
            .toBeCloseTo(restPosition.turn, 2);
          if (kind === "panorama") return;
          // With reduced motion, the camera jumps to a tour's stop without intermediate positions.
          const next = page.getByRole("button", { name: t("visitors-late:tourNext") });
          const positionAtPin = await waitForRest(self);
          await next.click();
          await expect.poll(() => readMapPosition(self), { timeout: 30_000 }).not.toEqual(positionAtPin);
          const positionAtFirstStop = await waitForRest(self);
          const visitorMark = page.getByRole("img", { name: t("visitors-late:planHere") });
          await visitorMark.evaluate((marker) => {
            const positions: string[] = [];
            Object.assign(window, { markerPositions: positions });
            new MutationObserver(() => positions.push(marker.style.left + marker.style.top)).observe(marker, {
              attributeFilter: ["style"],
            });
          });
          await next.click();
          await expect
            .poll(async () => (await readMapPosition(self)).top, { timeout: 30_000 })
            .not.toBe(positionAtFirstStop.top);
          await waitForRest(self);
          expect(
            await page.evaluate(() => (window as unknown as { markerPositions: string[] }).markerPositions),
          ).toHaveLength(1);
        }),
    );
});
