/** Tests the contract of core/contract.ts for models, panoramas and splats, and a part of it for showcases. */
import { describe, expect, test } from "vitest";
import type { Pin, PinDrag, SurfaceHit } from "~/viewer/core/contract";
import {
  connectedShowcase,
  countLiveContexts,
  createSource,
  expectVisible,
  locateOnScreen,
  onPage,
  open,
  pinButton,
  readStageEvents,
  readViewpoint,
  sources,
  waitUntilStill,
  withBrowser,
} from "./adapter-page";
import { measureColorDeviation, pixelRatio, withoutWebGl } from "./open-page";
import { media, pins } from "./rooms";

withBrowser();

/** Files that the adapter cannot show, and missing files. */
const UNUSABLE_FILES = {
  model: ["/broken.glb", "/cut.glb", "/missing.glb"],
  panorama: ["/noise.jpg", "/wide.jpg", "/missing.jpg"],
  splat: ["/rooms.glb", "/cut.ply", "/missing.spz"],
} as const;

describe.each(["model", "panorama", "splat"] as const)("the %s adapter", (kind) => {
  const source = sources[kind];

  test("draws the space at its start, reports its progress, and shows the visible pins", () =>
    onPage(async (page) => {
      expect(await open(page, source, pins, true)).toBe("ready");
      await waitUntilStill(page);
      expect(await readViewpoint(page)).toMatchObject({
        position: source.kind === "showcase" ? [] : source.start?.position,
      });
      expect(await measureColorDeviation(await page.screenshot())).toBeGreaterThan(15);
      expect(await readStageEvents(page, "progress")).toContain(1);
      expect(await readStageEvents(page, "ready")).toHaveLength(1);
      await page.evaluate(() => window.stage.viewer?.goTo({ pinId: "north" }, { transition: "instant" }));
      await waitUntilStill(page);
      await expectVisible(page, "north", true);
      // This pin is behind a wall, or not visible from this panorama.
      await expectVisible(page, "red", false);
    }));

  test("goes to every pin, and shows it on the screen with its label", () =>
    onPage(async (page) => {
      await open(page, source, pins, true);
      for (const { id } of pins) {
        await page.evaluate((pinId) => window.stage.viewer?.goTo({ pinId }), id);
        await page.evaluate((pinId) => window.stage.viewer?.setOpenPin(pinId), id);
        await waitUntilStill(page);
        await expectVisible(page, id, true);
        const box = await pinButton(page, id).boundingBox();
        expect(box?.x, id).toBeGreaterThan(100);
        expect((box?.x ?? 0) + (box?.width ?? 0), id).toBeLessThan(540);
        await page.waitForTimeout(200);
        expect(
          await pinButton(page, id)
            .locator("span")
            .last()
            .evaluate((label) => getComputedStyle(label).opacity),
        ).toBe("1");
      }
    }));

  test("picks a point with a unit normal that faces the viewer, and the pin if there is one", () =>
    onPage(async (page) => {
      await open(page, source, pins, true);
      await page.evaluate(() => window.stage.viewer?.goTo({ pinId: "north" }, { transition: "instant" }));
      await waitUntilStill(page);
      for (const [x, y] of [
        [320, 210],
        [320, 370],
        [60, 200],
        [600, 40],
      ] as const) {
        const [hit, view] = await page.evaluate(
          ([px, py]) => [window.stage.viewer?.pick(px, py), window.stage.viewer?.viewpoint()] as const,
          [x, y] as const,
        );
        if (!hit || !view) throw new Error("nothing was picked");
        expect(Math.hypot(...hit.normal)).toBeCloseTo(1, 4);
        const towardsHit = hit.position.map((value, axis) => value - (view.position[axis] ?? 0));
        expect(
          towardsHit.reduce((sum, value, axis) => sum + value * (hit.normal[axis] ?? 0), 0),
        ).toBeLessThan(0);
        // A pin that is placed appears at the picked position.
        await page.evaluate((position) => {
          const pin = {
            id: "here",
            type: "tag",
            label: "Here",
            color: "#000000",
            icon: "",
            position,
            stem: [0, 0, 0],
            viewpoint: null,
          };
          window.stage.viewer?.setPins([pin as never]);
        }, hit.position);
        await waitUntilStill(page);
        const box = await pinButton(page, "here").boundingBox();
        expect((box?.x ?? 0) + 20).toBeCloseTo(x, -0.5);
        expect((box?.y ?? 0) + 20).toBeCloseTo(y, -0.5);
      }
      await page.evaluate((allPins) => window.stage.viewer?.setPins(allPins), pins);
      await waitUntilStill(page);
      const box = await pinButton(page, "north").boundingBox();
      const [x, y] = [(box?.x ?? 0) + 20, (box?.y ?? 0) + 20];
      expect(
        await page.evaluate(([px, py]) => window.stage.viewer?.pick(px, py)?.pinId, [x, y] as const),
      ).toBe("north");
    }));

  test("turns by dragging and by key, and limits the pitch", () =>
    onPage(async (page) => {
      await open(page, source);
      const viewBefore = await readViewpoint(page);
      await page.mouse.move(480, 300);
      await page.mouse.down();
      await page.mouse.move(600, 300, { steps: 4 });
      await page.mouse.up();
      await waitUntilStill(page);
      const viewAfterDrag = await readViewpoint(page);
      expect((viewAfterDrag?.yaw ?? 0) - (viewBefore?.yaw ?? 0)).toBeGreaterThan(0.1);
      await page.mouse.move(480, 60);
      await page.mouse.down();
      for (let count = 0; count < 5; count++) await page.mouse.move(480, 60 + count * 80, { steps: 3 });
      await page.mouse.up();
      await waitUntilStill(page);
      await page.keyboard.down("PageUp");
      await page.waitForTimeout(1200);
      await page.keyboard.up("PageUp");
      await waitUntilStill(page);
      expect((await readViewpoint(page))?.pitch).toBeLessThan(Math.PI / 2);
      await page.keyboard.down("ArrowRight");
      await page.waitForTimeout(400);
      await page.keyboard.up("ArrowRight");
      await waitUntilStill(page);
      expect((await readViewpoint(page))?.yaw).toBeLessThan((viewAfterDrag?.yaw ?? 0) - 0.1);
    }));

  test("opens pins by click and by key, in the list's order, and not by a drag that begins on one", () =>
    onPage(async (page) => {
      await open(page, source, pins, true);
      await page.evaluate(() => window.stage.viewer?.goTo({ pinId: "north" }));
      await waitUntilStill(page);
      await pinButton(page, "north").click();
      expect(await readStageEvents(page, "pinopen")).toEqual(["north"]);
      const box = await pinButton(page, "north").boundingBox();
      const [x, y] = [(box?.x ?? 0) + 20, (box?.y ?? 0) + 20];
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + 60, y, { steps: 3 });
      await page.mouse.up();
      await waitUntilStill(page);
      expect(await readStageEvents(page, "pinopen")).toHaveLength(1);
      await page.evaluate(() => window.stage.viewer?.goTo({ pinId: "west-b" }));
      await waitUntilStill(page);
      await page.locator("canvas").focus();
      const reachedIds: string[] = [];
      for (let count = 0; count < 9; count++) {
        await page.keyboard.press("Tab");
        await waitUntilStill(page);
        const id = await page.evaluate(() => (document.activeElement as HTMLElement).dataset.pin ?? "");
        if (id && !reachedIds.includes(id)) reachedIds.push(id);
        if (id === "west-b") {
          await page.keyboard.press("Enter");
          expect((await readStageEvents(page, "pinopen")).at(-1)).toBe("west-b");
        }
      }
      expect(reachedIds).toEqual(pins.map(({ id }) => id).filter((id) => reachedIds.includes(id)));
      expect(reachedIds).toEqual(expect.arrayContaining(["west-a", "west-b", "west-c"]));
    }));

  test("merges pins that are close together into one disc, which a click expands", () =>
    onPage(async (page) => {
      await open(page, source, pins, true);
      const homeView = {
        position: [-3, 1.6, 4.5],
        yaw: Math.PI / 2 - 0.7,
        pitch: 0,
        mode: "walk",
        nodeId: "green",
      };
      await page.evaluate((view) => window.stage.viewer?.goTo(view as never), homeView);
      await waitUntilStill(page);
      const countVisible = async () => {
        const opacities = await Promise.all(
          ["west-a", "west-b", "west-c"].map((id) =>
            pinButton(page, id).evaluate((element) => getComputedStyle(element).opacity),
          ),
        );
        return opacities.filter((opacity) => opacity === "1").length;
      };
      await expect.poll(countVisible).toBe(1);
      const leader = page.locator('[data-pin^="west"][data-cluster]');
      expect(await leader.getAttribute("title")).toBe("3 items");
      await leader.click();
      await expect.poll(countVisible).toBe(3);
      const boxes = await Promise.all(
        ["west-a", "west-b", "west-c"].map((id) => pinButton(page, id).boundingBox()),
      );
      const tops = boxes.map((box) => box?.y ?? 0);
      expect(tops).toEqual([...tops].sort((a, b) => a - b));
      await pinButton(page, "west-c").click();
      expect(await readStageEvents(page, "pinopen")).toEqual(["west-c"]);
      // The open pin's disc is shared, too. Another click on it shows the other pins.
      await page.evaluate(() => window.stage.viewer?.setOpenPin("west-c"));
      await expect.poll(countVisible).toBe(1);
      await pinButton(page, "west-c").click();
      await expect.poll(countVisible).toBe(3);
      expect(await readStageEvents(page, "pinopen")).toEqual(["west-c", "west-c"]);
    }));

  test("draws no frames while nothing moves", () =>
    onPage(async (page) => {
      await open(page, source);
      await waitUntilStill(page);
      const framesBefore = await page.evaluate(() => window.frameCount);
      await page.waitForTimeout(600);
      expect(await page.evaluate(() => window.frameCount)).toBe(framesBefore);
    }));

  test("follows the size of its host", () =>
    onPage(async (page) => {
      await open(page, source);
      await page.setViewportSize({ width: 500, height: 700 });
      await waitUntilStill(page);
      const size = await page.locator("canvas").evaluate((element) => {
        const { width, height, clientWidth, clientHeight } = element as HTMLCanvasElement;
        return [width, height, clientWidth, clientHeight];
      });
      expect(size).toEqual([500 * pixelRatio, 700 * pixelRatio, 500, 700]);
      expect(await measureColorDeviation(await page.screenshot())).toBeGreaterThan(10);
    }));

  test("ends a flight when another one begins, and resolves both calls", () =>
    onPage(async (page) => {
      await open(page, source);
      await page.evaluate(async () => {
        const firstFlight = window.stage.viewer?.goTo({ pinId: "red" });
        await new Promise((resolve) => setTimeout(resolve, 100));
        await Promise.all([firstFlight, window.stage.viewer?.goTo({ pinId: "north" })]);
      });
      await waitUntilStill(page);
      await expectVisible(page, "north", true);
    }));

  test("reports load_failed for missing and unusable files", () =>
    onPage(
      async (page) => {
        for (const url of UNUSABLE_FILES[kind]) {
          expect(await open(page, createSource(kind, url)), url).toBe("load_failed");
          expect(await page.locator("canvas").count()).toBe(0);
        }
        expect(await countLiveContexts(page)).toBe(0);
      },
      { expected: /404|Worker error/ },
    ));

  test("reports webgl_unavailable in a browser without graphics", () =>
    onPage(
      async (page) => {
        expect(await open(page, source)).toBe("webgl_unavailable");
        expect(await page.locator("canvas").count()).toBe(0);
      },
      { prepare: withoutWebGl },
    ));

  test("continues after a restored graphics context, and reports context_lost when it is not restored", () =>
    onPage(
      async (page) => {
        await open(page, source);
        const tools = page.locator("canvas ~ [aria-hidden=true]");
        const canMeasure = await page.evaluate(() => {
          window.stage.viewer?.setTool("measure");
          return window.stage.viewer?.tools.includes("measure");
        });
        if (canMeasure) await tools.waitFor();
        await page.evaluate(() => window.stage.viewer?.setTool("look"));
        await page.evaluate(() => {
          const canvas = document.querySelector("canvas");
          const extension = canvas?.getContext("webgl2")?.getExtension("WEBGL_lose_context");
          extension?.loseContext();
          setTimeout(() => extension?.restoreContext(), 300);
        });
        // The pins are hidden while there is no image of the space.
        await page.locator("[data-pin]:visible").first().waitFor({ state: "hidden" });
        await page.waitForTimeout(800);
        await page.locator("[data-pin]:visible").first().waitFor();
        // Previously hidden controls stay hidden.
        expect(await tools.isVisible()).toBe(false);
        await page.evaluate(() => window.stage.viewer?.goTo({ pinId: "north" }, { transition: "instant" }));
        await waitUntilStill(page);
        expect(await measureColorDeviation(await page.locator("canvas").screenshot())).toBeGreaterThan(5);
        expect(await readStageEvents(page, "error")).toEqual([]);
        // The page shows the poster meanwhile.
        expect(await readStageEvents(page, "interrupted")).toEqual([true, false]);
        await page.evaluate(() =>
          document
            .querySelector("canvas")
            ?.getContext("webgl2")
            ?.getExtension("WEBGL_lose_context")
            ?.loseContext(),
        );
        await expect.poll(() => readStageEvents(page, "error"), { timeout: 8000 }).toEqual(["context_lost"]);
      },
      { expected: /Context Lost|Context Restored|CONTEXT_LOST/i },
    ));

  /** Three metres in front of the north wall, or as near as a panorama allows. */
  const createFacingView = (x: number) => ({
    position: [x, 1.6, 3],
    yaw: 0,
    pitch: 0,
    mode: "walk" as const,
    ...(kind === "panorama" && { position: [-3, 1.6, 4.5], nodeId: "green" }),
  });

  test("shows placed media as surfaces that load, open by a click, and can be removed", () =>
    onPage(
      async (page) => {
        const fetchedPaths: string[] = [];
        page.on("request", (request) => fetchedPaths.push(new URL(request.url()).pathname));
        const placedMedia = media.filter(({ id }) =>
          ["m-picture", "m-page", "m-paper", "m-red"].includes(id),
        );
        const mediaPin = { ...pins[0], id: "m-picture", type: "media", position: [-4.6, 1.5, 0] } as Pin;
        await open(page, source, [mediaPin], true, placedMedia);
        await page.evaluate((view) => window.stage.viewer?.goTo(view as never), createFacingView(-4.6));
        await expect.poll(() => fetchedPaths, { timeout: 10_000 }).toContain("/picture.jpg");
        await page.evaluate(() =>
          window.stage.viewer?.goTo({ pinId: "m-picture" }, { transition: "instant" }),
        );
        await waitUntilStill(page);
        // A visible media item has no additional disc.
        expect(await pinButton(page, "m-picture").count()).toBe(0);
        const point = await locateOnScreen(page, placedMedia[0]?.placement.position ?? [0, 0, 0]);
        const hit = await page.evaluate(([x, y]) => window.stage.viewer?.pick(x, y), point);
        expect(hit?.pinId).toBe("m-picture");
        expect(hit?.normal).toEqual([0, 0, 1]);
        await page.mouse.click(...point);
        expect(await readStageEvents(page, "pinopen")).toEqual(["m-picture"]);
        const captureItem = () =>
          page.screenshot({ clip: { x: point[0] - 30, y: point[1] - 20, width: 60, height: 40 } });
        await expect
          .poll(async () => measureColorDeviation(await captureItem()), { timeout: 20_000 })
          .toBeGreaterThan(4);
        await page.evaluate(() => window.stage.viewer?.setMedia([]));
        await waitUntilStill(page);
        // A media item that is no longer placed has a pin again.
        expect(await pinButton(page, "m-picture").count()).toBe(1);
        await page.evaluate(() => window.stage.viewer?.setPins([]));
        expect(
          await page.evaluate(([x, y]) => window.stage.viewer?.pick(x, y)?.pinId ?? null, point),
        ).toBeNull();
      },
      // A page of its own, which has no cached images.
      {},
    ));

  test("tolerates media and pins without a valid position, and does not leave the space for them", () =>
    onPage(async (page) => {
      const [firstItem] = media;
      if (!firstItem) throw new Error("There are no media");
      const invalidPositions = [
        [Number.NaN, 0, 0],
        [0, Number.POSITIVE_INFINITY, 0],
        [1e9, 1e9, 1e9],
      ] as const;
      const invalidMedia = invalidPositions.map((position, index) => ({
        ...firstItem,
        id: `bad-${index}`,
        placement: { ...firstItem.placement, position, width: index ? 1 : Number.NaN },
      }));
      const invalidPins = invalidPositions.map((position, index) => ({
        ...(pins[0] as Pin),
        id: `lost-${index}`,
        position,
      }));
      await open(page, source, pins, true);
      const viewBefore = await readViewpoint(page);
      await page.evaluate(
        async ([mediaItems, strayPins]) => {
          const { viewer } = window.stage;
          viewer?.setMedia(mediaItems as never);
          viewer?.setPins(strayPins as never);
          for (const { id } of [...mediaItems, ...strayPins]) {
            viewer?.setOpenPin(id);
            await viewer?.goTo({ pinId: id });
          }
        },
        [invalidMedia, invalidPins] as const,
      );
      await waitUntilStill(page);
      const viewAfter = await readViewpoint(page);
      // A panorama has no bounds, so a distant pin is shown from the nearest node.
      if (kind === "panorama")
        expect(viewAfter).toMatchObject({ nodeId: "red", position: [3, 1.6, 3], mode: viewBefore?.mode });
      else expect(viewAfter).toEqual(viewBefore);
      expect(await measureColorDeviation(await page.screenshot())).toBeGreaterThan(5);
    }));

  test("places by a click and by Enter, and moves pins and media along its surfaces", () =>
    onPage(async (page) => {
      const placedMedia = media.filter(({ id }) => id === "m-picture");
      await open(page, source, pins, true, placedMedia);
      await page.evaluate((view) => window.stage.viewer?.goTo(view as never), createFacingView(-3.6));
      await waitUntilStill(page);
      await page.evaluate(() => window.stage.viewer?.setTool("place"));
      await page.mouse.click(480, 120);
      await page.locator("canvas").focus();
      await page.keyboard.press("Enter");
      const [byClick, byKey, ...otherHits] = (await readStageEvents(page, "place")) as SurfaceHit[];
      expect(otherHits).toEqual([]);
      for (const hit of [byClick, byKey]) expect(Math.hypot(...(hit?.normal ?? []))).toBeCloseTo(1, 4);
      expect(byKey?.position).not.toEqual(byClick?.position);
      expect(await readStageEvents(page, "pinopen")).toEqual([]);

      await page.evaluate(() => {
        window.stage.viewer?.setTool("look");
        window.stage.viewer?.setEditable(true);
      });
      await waitUntilStill(page);
      const viewBefore = await readViewpoint(page);
      const box = await pinButton(page, "north").boundingBox();
      const dragStarts = [
        ["north", [(box?.x ?? 0) + 20, (box?.y ?? 0) + 20]],
        ["m-picture", await locateOnScreen(page, placedMedia[0]?.placement.position ?? [0, 0, 0])],
      ] as const;
      for (const [id, [x = 0, y = 0]] of dragStarts) {
        await page.evaluate(() => window.stage.events.splice(0));
        await page.mouse.move(x, y);
        await page.mouse.down();
        await page.mouse.move(x + 40, y + 20, { steps: 3 });
        await page.mouse.up();
        const drags = (await readStageEvents(page, "drag")) as PinDrag[];
        expect(drags.length, id).toBeGreaterThan(1);
        expect(drags.map(({ done }) => done)).toEqual(drags.map((_, index) => index === drags.length - 1));
        expect(drags.every((drag) => drag.id === id)).toBe(true);
        const [px, py] = await locateOnScreen(page, drags.at(-1)?.hit.position ?? [0, 0, 0]);
        expect(px, id).toBeCloseTo(x + 40, -1);
        expect(py, id).toBeCloseTo(y + 20, -1);
        expect(await readStageEvents(page, "pinopen"), id).toEqual([]);
      }
      // The view did not turn during the drag. Escape returns the carried item to its position.
      expect(await readViewpoint(page)).toEqual(viewBefore);
      await page.evaluate(() => {
        window.stage.events.splice(0);
        window.stage.viewer?.setPins([]);
      });
      const imagePoint = await locateOnScreen(page, placedMedia[0]?.placement.position ?? [0, 0, 0]);
      await page.evaluate((list) => window.stage.viewer?.setMedia(list), placedMedia);
      await waitUntilStill(page);
      await page.mouse.move(...imagePoint);
      await page.mouse.down();
      await page.mouse.move(imagePoint[0] + 50, imagePoint[1], { steps: 2 });
      await page.keyboard.press("Escape");
      await page.mouse.up();
      const lastDrag = ((await readStageEvents(page, "drag")) as PinDrag[]).at(-1);
      expect(lastDrag).toMatchObject({ done: true, hit: { position: placedMedia[0]?.placement.position } });
      await page.evaluate(() => window.stage.viewer?.setEditable(false));
    }));

  test("measures and captures its plan if it has surfaces, and offers a headset only when one is available", () =>
    onPage(async (page) => {
      await open(page, source, [], true);
      const tools = await page.evaluate(() => window.stage.viewer?.tools);
      const plan = await page.evaluate(() => window.stage.capturePlan());
      expect(await page.evaluate(() => window.stage.viewer?.xrSupported())).toBe(false);
      const rejected = await page.evaluate(() => window.stage.viewer?.enterXR().catch((error) => error.code));
      expect(rejected).toBe("rejected");
      const sessionModes = await page.evaluate(async () => {
        const modes: string[] = [];
        const isSessionSupported = async (mode: string) => modes.push(mode) > 0;
        Object.defineProperty(navigator, "xr", { configurable: true, value: { isSessionSupported } });
        const response = await window.stage.viewer?.xrSupported();
        Object.defineProperty(navigator, "xr", {
          configurable: true,
          value: { isSessionSupported: () => Promise.reject(new Error("not here")) },
        });
        return [response, modes, await window.stage.viewer?.xrSupported()];
      });
      expect(sessionModes).toEqual([true, ["immersive-vr"], false]);
      if (kind === "panorama") {
        // A panorama has no depth.
        expect([tools, plan]).toEqual([["place"], null]);
        return;
      }
      expect(tools).toEqual(["place", "measure"]);
      expect(plan?.center[0]).toBeCloseTo(0, 0);
      expect(plan?.center[1]).toBeCloseTo(3, 0);
      expect(plan?.width).toBeGreaterThan(12);
      expect(plan?.width).toBeLessThan(15);
      expect(plan?.deviation).toBeGreaterThan(10);
      // Measures between two points of the floor.
      const view = { position: [-3, 1.6, 4.8], yaw: 0, pitch: -0.6, mode: "walk" };
      await page.evaluate((target) => window.stage.viewer?.goTo(target as never), view);
      await page.evaluate(() => window.stage.viewer?.setTool("measure"));
      const [startPoint, endPoint] = [
        await locateOnScreen(page, [-4, 0, 2]),
        await locateOnScreen(page, [-2, 0, 2]),
      ];
      await page.mouse.click(...startPoint);
      await page.mouse.click(...endPoint);
      await expect.poll(() => readStageEvents(page, "measured")).toHaveLength(2);
      const [firstResult, measurement] = (await readStageEvents(page, "measured")) as ({
        metres: number;
      } | null)[];
      expect(firstResult).toBe(null);
      expect(measurement?.metres).toBeCloseTo(2, 0);
      const label = page.getByText(`${measurement?.metres.toFixed(2)} m`, { exact: true });
      await label.waitFor();
      await page.locator("canvas").press("Escape");
      await label.waitFor({ state: "hidden" });
      expect((await readStageEvents(page, "measured")).at(-1)).toBe(null);
      await page.evaluate(() => window.stage.viewer?.setTool("look"));
      await page.getByText(" m", { exact: false }).waitFor({ state: "hidden" });
    }));
});

describe.each(["model", "panorama", "splat", "showcase"] as const)("the %s adapter", (kind) => {
  const source = kind === "showcase" ? connectedShowcase : sources[kind];

  test("returns to a viewpoint that it reported, and ignores an invalid one", () =>
    onPage(async (page) => {
      await open(page, source, pins, true);
      // A showcase reports its position some time after it has opened.
      await expect.poll(() => readViewpoint(page)).not.toBeNull();
      await page.evaluate(() => window.stage.viewer?.goTo({ pinId: "red" }, { transition: "instant" }));
      const arrivalView = await readViewpoint(page);
      await page.evaluate(() => window.stage.viewer?.goTo({ pinId: "north" }, { transition: "instant" }));
      expect(await readViewpoint(page)).not.toEqual(arrivalView);
      if (arrivalView) await page.evaluate((view) => window.stage.viewer?.goTo(view), arrivalView);
      const returnedView = await readViewpoint(page);
      expect(returnedView?.nodeId).toBe(arrivalView?.nodeId);
      arrivalView?.position.forEach((value, axis) => {
        expect(returnedView?.position[axis]).toBeCloseTo(value, 3);
      });
      for (const position of [
        [Number.NaN, 0, 0],
        [1e6, 1e6, 1e6],
      ] as const)
        await page.evaluate((point) => {
          const invalidView = { position: point, yaw: Number.NaN, pitch: 0, mode: "walk" as const };
          return window.stage.viewer?.goTo(invalidView as never);
        }, position);
      expect((await readViewpoint(page))?.position).toEqual(returnedView?.position);
    }));

  test("jumps instead of flying with reduced motion", () =>
    onPage(async (page) => {
      expect(await open(page, source, pins, true)).toBe("ready");
      const distinctViewpoints = await page.evaluate(async () => {
        const { viewer } = window.stage;
        const viewpoints: string[] = [];
        const recordViewpoint = () => viewpoints.push(JSON.stringify(viewer?.viewpoint()));
        // Records the viewpoint of each frame. The speed of the frames does not matter.
        const requestFrame = window.requestAnimationFrame;
        window.requestAnimationFrame = (draw) =>
          requestFrame((now) => {
            draw(now);
            recordViewpoint();
          });
        recordViewpoint();
        await viewer?.goTo({ pinId: "red" });
        recordViewpoint();
        await new Promise((resolve) => window.requestAnimationFrame(resolve));
        window.requestAnimationFrame = requestFrame;
        return [...new Set(viewpoints)];
      });
      // The two viewpoints are the start and the one that shows the pin.
      expect(distinctViewpoints).toHaveLength(2);
    }));

  test("leaks nothing when it is aborted or disposed during loading, and can be disposed twice", () =>
    onPage(async (page) => {
      const slowSource = kind === "showcase" ? connectedShowcase : createSource(kind, "/slow.glb");
      const outcomes = await page.evaluate(
        async ([loadedSource, delay]) => {
          const results: string[] = [];
          for (const ending of ["abort", "dispose"] as const) {
            const viewer = window.stage.createViewer(loadedSource.kind);
            const controller = new AbortController();
            const loading = viewer.load(loadedSource, controller.signal).then(
              () => "ready",
              (error: Error) => error.name,
            );
            await new Promise((resolve) => setTimeout(resolve, delay));
            if (ending === "abort") controller.abort();
            else viewer.dispose();
            results.push(await loading);
            viewer.dispose();
            viewer.dispose();
            results.push(String(await viewer.goTo({ pinId: "north" })), String(viewer.pick(10, 10)));
          }
          return results;
        },
        [slowSource, kind === "showcase" ? 0 : 200] as const,
      );
      expect(outcomes).toEqual(["AbortError", "undefined", "null", "AbortError", "undefined", "null"]);
      expect(await page.locator("canvas, iframe, [data-pin], [data-node]").count()).toBe(0);
      expect(await countLiveContexts(page)).toBe(0);
    }));
});
