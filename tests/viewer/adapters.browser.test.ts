import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import type { ViewerSource } from "~/viewer/core/contract";
import { computeVolume } from "~/viewer/placed-media/spatial-audio";
import { wavFile } from "../support/files/media-files";
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
import { installHeadset } from "./headset";
import { measureColorDeviation, pixelRatio } from "./open-page";
import { media, pins } from "./rooms";

declare global {
  interface Window {
    /** Number of frames that the test of an uninterruptible move holds back. */
    heldFrames(): number;
    releaseFrames(): void;
  }
}

withBrowser();

test("images are captured of the visible view, and of files that are not shown", () =>
  onPage(
    async (page) => {
      await open(page, sources.splat, pins, true);
      const image = await page.evaluate(() => window.stage.captureImage(200));
      expect(image).toMatchObject({ width: 200, type: "image/webp" });
      expect(image?.deviation).toBeGreaterThan(8);
      await page.evaluate(() => window.stage.close());
      for (const [url, kind] of [
        ["/rooms.glb", "model"],
        ["/rooms.spz", "splat"],
      ] as const) {
        const thumbnail = await page.evaluate(
          ([fileUrl, format]) => window.stage.createThumbnail(fileUrl, format),
          [url, kind] as const,
        );
        expect(thumbnail?.deviation, kind).toBeGreaterThan(8);
        expect(thumbnail?.width, kind).toBeGreaterThanOrEqual(320);
      }
      expect(await page.evaluate(() => window.stage.isUnreadable("/broken.glb", "model"))).toBe(true);
      expect(await page.evaluate(() => window.stage.isUnreadable("/rooms.glb", "model"))).toBe(false);
      expect(await page.evaluate(() => window.stage.captureImage(200))).toBeNull();
      expect(await page.locator("canvas").count()).toBe(0);
      expect(await countLiveContexts(page)).toBe(0);
    },
    // Images of the usual size need this resolution.
    { deviceScaleFactor: 0.5 },
  ));

describe("the splat adapter alone", () => {
  test("reads ply, splat, ksplat and spz files, with any up axis", () =>
    onPage(async (page) => {
      for (const format of ["ply", "splat", "ksplat", "spz"]) {
        expect(await open(page, createSource("splat", `/rooms.${format}`), [], true), format).toBe("ready");
        await waitUntilStill(page);
        expect(await measureColorDeviation(await page.screenshot()), format).toBeGreaterThan(15);
        const hit = await page.evaluate(() => window.stage.viewer?.pick(600, 400));
        expect(hit?.position[1], format).toBeCloseTo(0, 1);
        await page.evaluate(() => window.stage.close());
      }
      // The rooms are 3 m high and span z 0…6. Upside down and on their back they occupy other coordinates.
      for (const [up, axis, low, high] of [
        ["-y", 2, -6.2, 0.2],
        ["z", 2, -3.2, 0.2],
      ] as const) {
        await open(page, { ...sources.splat, up, start: null }, [], true);
        await waitUntilStill(page);
        await page.evaluate(() => window.stage.viewer?.setMode("orbit"));
        await waitUntilStill(page);
        const hit = await page.evaluate(() => window.stage.viewer?.pick(320, 210));
        expect(hit?.position[axis], up).toBeGreaterThan(low);
        expect(hit?.position[axis], up).toBeLessThan(high);
        await page.evaluate(() => window.stage.close());
      }
      expect(await countLiveContexts(page)).toBe(0);
    }));

  test("rejects more splats than the device can hold, tolerates splats without a position, and lowers its quality on request", () =>
    onPage(async (page) => {
      expect(await open(page, createSource("splat", "/many.ply"))).toBe("too_large");
      expect(await page.locator("canvas").count()).toBe(0);
      expect(await open(page, createSource("splat", "/nan.ply"), [], true)).toBe("ready");
      expect(await page.evaluate(() => window.stage.viewer?.quality)).toBe("high");
      await page.evaluate(() => window.stage.viewer?.setQuality("low"));
      await waitUntilStill(page);
      expect(await page.evaluate(() => window.stage.viewer?.quality)).toBe("low");
      expect(await measureColorDeviation(await page.screenshot())).toBeGreaterThan(15);
      const hit = await page.evaluate(() => window.stage.viewer?.pick(600, 400));
      expect(hit?.position[1]).toBeCloseTo(0, 1);
    }));
});

describe("the model adapter alone", () => {
  const holdKey = async (page: Page, key: string, milliseconds: number) => {
    await page.locator("canvas").focus();
    await page.keyboard.down(key);
    await page.waitForTimeout(milliseconds);
    await page.keyboard.up(key);
    await waitUntilStill(page);
  };
  const standAt = (page: Page, x: number, z: number, yaw: number) =>
    page.evaluate(
      ([px, pz, turn]) =>
        window.stage.viewer?.goTo(
          { position: [px, 1.6, pz], yaw: turn, pitch: 0, mode: "walk" },
          { transition: "instant" },
        ),
      [x, z, yaw] as const,
    );

  test("rejects a model that declares more than the device's memory holds", () =>
    onPage(async (page) => {
      expect(await open(page, createSource("model", "/huge.glb"))).toBe("too_large");
      expect(await page.locator("canvas").count()).toBe(0);
    }));

  test("plays a video after a click, plays automatic media only on request with reduced motion, and disposes them", () =>
    onPage(async (page) => {
      const placedMedia = media.filter(({ id }) => ["m-film", "m-sound", "m-model", "m-page"].includes(id));
      const autoplayedMedia = placedMedia.map((mediaItem) => ({
        ...mediaItem,
        placement: { ...mediaItem.placement, play: "auto" as const },
      }));
      await page.evaluate(() => {
        const created: HTMLMediaElement[] = [];
        const createElement = document.createElement.bind(document);
        Object.assign(window, { mediaElements: created });
        document.createElement = ((name: string) => {
          const element = createElement(name);
          if (element instanceof HTMLMediaElement) created.push(element);
          return element;
        }) as typeof document.createElement;
      });
      const readPlayers = () =>
        page.evaluate(() =>
          (window as unknown as { mediaElements: HTMLMediaElement[] }).mediaElements.map((element) => ({
            kind: element.tagName,
            playing: !element.paused,
            src: element.getAttribute("src"),
          })),
        );
      await open(page, sources.model, [], true, autoplayedMedia);
      await standAt(page, -4, 4, Math.PI / 2);
      await waitUntilStill(page);
      expect(await readPlayers()).toEqual([]);
      await page.evaluate(() => window.stage.viewer?.setMedia([]));

      await page.evaluate((list) => window.stage.viewer?.setMedia(list), placedMedia);
      await waitUntilStill(page);
      await page.mouse.click(...(await locateOnScreen(page, [-6, 1.5, 4.2])));
      expect(await readStageEvents(page, "pinopen")).toEqual(["m-film"]);
      await expect
        .poll(readPlayers, { timeout: 10_000 })
        .toEqual([{ kind: "VIDEO", playing: true, src: "/film.webm" }]);
      // The space is redrawn for each frame of the video.
      const framesBefore = await page.evaluate(() => window.frameCount);
      await expect
        .poll(() => page.evaluate(() => window.frameCount), { timeout: 10_000 })
        .toBeGreaterThan(framesBefore + 3);
      await page.mouse.click(...(await locateOnScreen(page, [-6, 1.5, 4.2])));
      await expect.poll(async () => (await readPlayers())[0]?.playing).toBe(false);
      await page.evaluate(() => window.stage.viewer?.setPlaying(true));
      await page.evaluate((list) => window.stage.viewer?.setMedia(list), autoplayedMedia);
      await expect
        .poll(async () => (await readPlayers()).filter(({ playing }) => playing).length, { timeout: 10_000 })
        .toBe(2);
      await page.evaluate(() => window.stage.viewer?.setPlaying(false));
      await expect.poll(async () => (await readPlayers()).filter(({ playing }) => playing).length).toBe(0);
      await page.evaluate(() => window.stage.close());
      expect((await readPlayers()).filter(({ src }) => src !== null)).toEqual([]);
    }));

  test("makes a sound louder when it is nearer, plays it from its direction, and pauses it beyond its range", () =>
    onPage(async (page) => {
      const [sound] = media.filter(({ id }) => id === "m-sound");
      if (!sound) throw new Error("There is no sound");
      const autoplayedSound = {
        ...sound,
        placement: { ...sound.placement, reach: 4, play: "auto" as const },
      };
      // The sound is long enough for a slow machine.
      await page.route("**/sound.wav", (route) =>
        route.fulfill({ contentType: "audio/wav", body: Buffer.from(wavFile(120)) }),
      );
      await page.evaluate(() => {
        const heard = { gain: -1, pan: -1, plays: 0 };
        Object.assign(window, { heard });
        const { setTargetAtTime } = AudioParam.prototype;
        AudioParam.prototype.setTargetAtTime = function (value, ...timing) {
          // The range of a panner's parameter ends at 1; the range of a gain does not.
          heard[this.maxValue === 1 ? "pan" : "gain"] = value;
          return setTargetAtTime.call(this, value, ...timing);
        };
        const { play, pause } = HTMLMediaElement.prototype;
        HTMLMediaElement.prototype.play = function () {
          heard.plays++;
          return play.call(this);
        };
        HTMLMediaElement.prototype.pause = function () {
          if (!this.paused) heard.plays--;
          return pause.call(this);
        };
      });
      const readHeard = () =>
        page.evaluate(() => ({ ...(window as unknown as { heard: Record<string, number> }).heard }));
      // Browsers play sounds only after the visitor's first interaction.
      await page.mouse.click(5, 5);
      await open(page, sources.model, [], true, [autoplayedSound]);
      await page.evaluate(() => window.stage.viewer?.setPlaying(true));
      const [x, y] = sound.placement.position;
      for (const [z, yaw] of [
        [1, 0],
        [2, 0],
        [3, 0],
        // The sound is to the north, so a visitor who looks west hears it from the right.
        [3, Math.PI / 2],
      ] as const) {
        await standAt(page, x, z, yaw);
        await waitUntilStill(page);
        const distance = Math.hypot(z, ((await readViewpoint(page))?.position[1] ?? 0) - y);
        await expect
          .poll(async () => (await readHeard()).gain, { message: `${z} m` })
          .toBeCloseTo(computeVolume(distance, 4), 2);
        const { pan } = await readHeard();
        if (yaw === 0) expect(pan).toBeCloseTo(0, 1);
        else expect(pan).toBeGreaterThan(0.5);
      }
      expect((await readHeard()).plays).toBe(1);
      await standAt(page, x, 4.8, 0);
      await expect.poll(async () => (await readHeard()).plays).toBe(0);
      await standAt(page, x, 2, 0);
      await expect.poll(async () => (await readHeard()).plays).toBe(1);
    }, {}));

  test("is entered with a headset, drawn from its wearer's position, and returned to the page", () =>
    onPage(async (page) => {
      await page.evaluate(installHeadset);
      expect(await page.evaluate(() => window.stage.viewer?.xrSupported() ?? false)).toBe(false);
      await open(page, sources.model, pins, true);
      await standAt(page, -4, 4, 0);
      await waitUntilStill(page);
      const viewBefore = await readViewpoint(page);
      expect(await page.evaluate(() => window.stage.viewer?.xrSupported())).toBe(true);
      await page.evaluate(() => window.stage.viewer?.enterXR());
      expect(await readStageEvents(page, "xr")).toEqual([true]);
      await expect.poll(() => page.evaluate(() => window.headset.frames)).toBeGreaterThan(3);
      // The head is half a metre to the right of the seat (the origin of the headset's space), and 1.7 metres above the floor.
      const readEyes = () => page.evaluate(() => window.stage.eyePosition());
      const floor = (viewBefore?.position[1] ?? 0) - 1.6;
      const [ex = 0, ey = 0, ez = 0] = await readEyes();
      expect([ex, ey, ez].map((value) => value.toFixed(2))).toEqual(
        [-4 + 0.5, floor + 1.7, 4].map((value) => value.toFixed(2)),
      );
      const viewAhead = await page.screenshot();
      expect(await measureColorDeviation(viewAhead)).toBeGreaterThan(5);
      // Each push of the stick turns the seat by 30 degrees.
      const readEyesAfterTurn = async () => {
        const { frames } = await page.evaluate(() => window.headset);
        await expect.poll(() => page.evaluate(() => window.headset.frames)).toBeGreaterThan(frames + 2);
        return readEyes();
      };
      await page.evaluate(() => window.headset.push(1));
      const [tx = 0, , tz = 0] = await readEyesAfterTurn();
      expect([tx + 4, tz - 4].map((value) => value.toFixed(2))).toEqual(
        [0.5 * Math.cos(Math.PI / 6), 0.5 * Math.sin(Math.PI / 6)].map((value) => value.toFixed(2)),
      );
      await page.evaluate(() => window.headset.push(0));
      await page.evaluate(() => window.headset.end());
      expect(await readStageEvents(page, "xr")).toEqual([true, false]);
      const { frames } = await page.evaluate(() => window.headset);
      await standAt(page, -4, 3, 0);
      await waitUntilStill(page);
      expect((await readViewpoint(page))?.position[2]).toBeCloseTo(3, 1);
      expect(await measureColorDeviation(await page.screenshot())).toBeGreaterThan(5);
      expect(await page.evaluate(() => window.headset.frames)).toBe(frames);
      // When the headset rejects a session, the space stays unchanged.
      await page.evaluate(() => window.headset.rejectSessions());
      expect(
        await page.evaluate(() => window.stage.viewer?.enterXR().catch(({ code }: { code: string }) => code)),
      ).toBe("rejected");
      await standAt(page, -4, 4, 0);
      await waitUntilStill(page);
      expect((await readViewpoint(page))?.position[2]).toBeCloseTo(4, 1);
    }, {}));

  test("reports walk mode when a headset that was entered from the overview moves to the floor", () =>
    onPage(async (page) => {
      await page.evaluate(installHeadset);
      await open(page, sources.model, [], true);
      await page.evaluate(() => window.stage.viewer?.setMode("orbit"));
      await waitUntilStill(page);
      await page.evaluate(() => window.stage.viewer?.enterXR());
      await page.evaluate(() => {
        // The fake headset's controller has no pose, so it cannot point.
        const adapter = window.stage.getAdapter() as {
          moveTowards(from: readonly number[], towards: readonly number[]): void;
        };
        for (const x of [-1.5, -4]) adapter.moveTowards([x, 1.6, 4.8], [0, -1, 0]);
      });
      const view = await readViewpoint(page);
      expect(view?.mode).toBe("walk");
      expect(view?.position[0]).toBeCloseTo(-4, 1);
      expect(await readStageEvents(page, "mode")).toEqual(["orbit", "walk"]);
      await page.evaluate(() => window.headset.end());
    }, {}));

  test("limits the images to the device's memory, and shows a card in place of one that does not load", () =>
    onPage(
      async (page) => {
        const [image] = media;
        const missingItem = media.find(({ id }) => id === "m-gone");
        if (!image || !missingItem) throw new Error("There are no media");
        const manyImages = Array.from({ length: 100 }, (_, index) => ({
          ...image,
          id: `p-${index}`,
          placement: {
            ...image.placement,
            position: [-5.8 + (index % 50) * 0.11, 0.5 + Math.floor(index / 50), 0],
          },
        })) as typeof media;
        await open(page, sources.model, [], true, [...manyImages, missingItem]);
        await standAt(page, -3, 4.5, 0);
        await expect
          .poll(() => page.evaluate(() => window.stage.countImagePixels()), { timeout: 20_000 })
          .toBeGreaterThan(100_000);
        await waitUntilStill(page);
        // The budget of 24 million pixels shrinks with the page's pixel ratio.
        expect(await page.evaluate(() => window.stage.countImagePixels())).toBeLessThanOrEqual(
          24_000_000 * pixelRatio * 1.01,
        );
        await page.evaluate(() => window.stage.viewer?.goTo({ pinId: "m-gone" }));
        const point = await locateOnScreen(page, missingItem.placement.position);
        const captureCard = () =>
          page.screenshot({ clip: { x: point[0] - 60, y: point[1] - 40, width: 120, height: 80 } });
        await expect
          .poll(async () => measureColorDeviation(await captureCard()), { timeout: 20_000 })
          .toBeGreaterThan(10);
        expect(await page.evaluate(([x, y]) => window.stage.viewer?.pick(x, y)?.pinId, point)).toBe("m-gone");
      },
      { expected: /404/ },
    ));

  test("marks a media item that visitors do not see, until they see it", () =>
    onPage(async (page) => {
      const [image] = media;
      if (!image) throw new Error("There are no media");
      await open(page, sources.model, [], true, [image]);
      await page.evaluate((pinId) => window.stage.viewer?.goTo({ pinId }), image.id);
      await expect
        .poll(() => page.evaluate(() => window.stage.countImagePixels()), { timeout: 20_000 })
        .toBeGreaterThan(0);
      await waitUntilStill(page);
      const [x, y] = await locateOnScreen(page, image.placement.position);
      const readPixels = async () =>
        (await page.screenshot({ clip: { x: x - 100, y: y - 75, width: 200, height: 150 } })).toString(
          "base64",
        );
      const pixelsBefore = await readPixels();
      const showItem = (item: (typeof media)[number]) =>
        page.evaluate((mediaItem) => window.stage.viewer?.setMedia([mediaItem]), item);
      await showItem({ ...image, draftMark: "Hidden" });
      await expect.poll(readPixels, { timeout: 20_000 }).not.toBe(pixelsBefore);
      await showItem(image);
      await expect.poll(readPixels, { timeout: 20_000 }).toBe(pixelsBefore);
    }));

  test("walks by key until a wall blocks the way, and through the door", () =>
    onPage(async (page) => {
      await open(page, sources.model, [], true);
      await standAt(page, -1, 1, -Math.PI / 2);
      await holdKey(page, "KeyW", 800);
      const [x = 9, y = 9, z = 9] = (await readViewpoint(page))?.position ?? [];
      expect(x).toBeGreaterThan(-0.5);
      expect(x).toBeLessThan(-0.2);
      expect(y).toBeCloseTo(1.6, 1);
      expect(z).toBeCloseTo(1, 1);
      await standAt(page, -0.6, 3, -Math.PI / 2);
      await holdKey(page, "ArrowUp", 900);
      expect((await readViewpoint(page))?.position[0]).toBeGreaterThan(0.4);
      await standAt(page, -4.4, 3, -Math.PI / 2);
      await holdKey(page, "KeyW", 800);
      // The bench stops the visitor.
      expect((await readViewpoint(page))?.position[0]).toBeLessThan(-3.7);
    }));

  test("stops walking when the canvas loses the focus", () =>
    onPage(async (page) => {
      await open(page, sources.model, []);
      await page.locator("canvas").focus();
      await page.keyboard.down("KeyW");
      await page.waitForTimeout(200);
      await page.evaluate(() => (document.activeElement as HTMLElement).blur());
      await waitUntilStill(page);
      const viewBefore = await readViewpoint(page);
      await page.waitForTimeout(300);
      expect(await readViewpoint(page)).toEqual(viewBefore);
    }));

  test("walks to the clicked point of the floor", () =>
    onPage(async (page) => {
      await open(page, sources.model, [], true);
      await standAt(page, -1.5, 4.8, 0);
      await page.evaluate(() =>
        window.stage.viewer?.goTo({ position: [-1.5, 1.6, 4.8], yaw: 0, pitch: -0.5, mode: "walk" }),
      );
      const hit = await page.evaluate(() => window.stage.viewer?.pick(420, 330));
      expect(hit?.normal[1]).toBeCloseTo(1);
      await page.mouse.click(420, 330);
      await page.waitForTimeout(100);
      await waitUntilStill(page);
      const arrivalView = await readViewpoint(page);
      expect(arrivalView?.position[0]).toBeCloseTo(hit?.position[0] ?? 99, 1);
      expect(arrivalView?.position[2]).toBeCloseTo(hit?.position[2] ?? 99, 1);
    }));

  test("shows the floor from above, without ceilings, and returns to the inside", () =>
    onPage(async (page) => {
      await open(page, sources.model, pins, true);
      for (const mode of ["plan", "orbit"] as const) {
        await page.evaluate((next) => window.stage.viewer?.setMode(next), mode);
        await waitUntilStill(page);
        expect((await readViewpoint(page))?.mode).toBe(mode);
        const hit = await page.evaluate(() => window.stage.viewer?.pick(400, 250));
        expect(hit?.position[1]).toBeLessThan(2.9);
        await expectVisible(page, "red", true);
        expect(await measureColorDeviation(await page.screenshot())).toBeGreaterThan(20);
      }
      const outsideView = await readViewpoint(page);
      await page.keyboard.press("Tab");
      await page.mouse.move(480, 300);
      await page.mouse.down();
      await page.mouse.move(560, 340, { steps: 3 });
      await page.mouse.up();
      await page.mouse.wheel(0, -300);
      await waitUntilStill(page);
      expect((await readViewpoint(page))?.position).not.toEqual(outsideView?.position);
      await page.evaluate(() => window.stage.viewer?.setMode("walk"));
      await waitUntilStill(page);
      expect((await readViewpoint(page))?.position).toEqual([-1.5, 1.6, 4.8]);
      expect(await readStageEvents(page, "mode")).toEqual(["plan", "orbit", "walk"]);
    }));

  test.each(["zoom", "slide"] as const)(
    "does not jump after a %s during a flight to a view from outside",
    (gesture) =>
      onPage(async (page) => {
        await open(page, sources.model, []);
        await waitUntilStill(page);
        for (const mode of ["orbit", "plan"] as const) {
          await page.evaluate(
            ([newMode, gestureName]) => {
              const adapter = window.stage.getAdapter() as { slide(dx: number, dy: number): void };
              window.stage.events.splice(0);
              window.stage.viewer?.setMode(newMode);
              if (gestureName === "zoom") window.stage.viewer?.zoomBy(2);
              else adapter.slide(150, 100);
            },
            [mode, gesture] as const,
          );
          await expect.poll(() => readStageEvents(page, "settled")).toHaveLength(1);
          const [before, after] = await page.evaluate(() => {
            const adapter = window.stage.getAdapter() as { drag(dx: number, dy: number): void };
            const arrivalView = window.stage.viewer?.viewpoint();
            adapter.drag(1, 0);
            return [arrivalView, window.stage.viewer?.viewpoint()];
          });
          const metres = (before?.position ?? []).map((value, axis) => value - (after?.position[axis] ?? 99));
          expect(Math.hypot(...metres), mode).toBeLessThan(0.3);
        }
      }),
  );

  test("enters the room whose floor is clicked on the plan", () =>
    onPage(async (page) => {
      await open(page, sources.model, [], true);
      await page.evaluate(() => window.stage.viewer?.setMode("plan"));
      await waitUntilStill(page);
      const floorHit = await page.evaluate(() => window.stage.viewer?.pick(450, 230));
      await page.mouse.click(450, 230);
      await waitUntilStill(page);
      expect(await readViewpoint(page)).toMatchObject({ mode: "walk" });
      expect((await readViewpoint(page))?.position[0]).toBeCloseTo(floorHit?.position[0] ?? 99, 0);
    }));

  test("looks with one finger and walks with two", () =>
    onPage(
      async (page) => {
        await open(page, sources.model, []);
        await standAt(page, -1.5, 4.8, 0);
        const viewBefore = await readViewpoint(page);
        const client = await page.context().newCDPSession(page);
        const sendTouch = (
          type: "touchStart" | "touchMove" | "touchEnd",
          ...touchPoints: { x: number; y: number }[]
        ) =>
          client.send("Input.dispatchTouchEvent", {
            type,
            touchPoints: touchPoints.map((point, id) => ({ ...point, id })),
          });
        await sendTouch("touchStart", { x: 300, y: 300 });
        for (const x of [320, 350, 400]) await sendTouch("touchMove", { x, y: 300 });
        await sendTouch("touchEnd");
        await waitUntilStill(page);
        const viewAfterLook = await readViewpoint(page);
        expect(viewAfterLook?.position).toEqual(viewBefore?.position);
        expect(viewAfterLook?.yaw).toBeGreaterThan((viewBefore?.yaw ?? 0) + 0.05);
        await standAt(page, -1.5, 4.8, 0);
        await sendTouch("touchStart", { x: 280, y: 300 }, { x: 360, y: 300 });
        for (const distance of [60, 100, 160])
          await sendTouch("touchMove", { x: 320 - distance, y: 300 }, { x: 320 + distance, y: 300 });
        await sendTouch("touchEnd");
        await waitUntilStill(page);
        expect((await readViewpoint(page))?.position[2]).toBeLessThan(4.3);
      },
      { hasTouch: true },
    ));

  test("flies through the door to a pin in the next room", () =>
    onPage(async (page) => {
      await open(page, sources.model);
      await standAt(page, -1.5, 1, 0);
      const positions = await page.evaluate(async () => {
        const positionList: (readonly number[])[] = [];
        const timer = setInterval(
          () => positionList.push(window.stage.viewer?.viewpoint()?.position ?? []),
          15,
        );
        await window.stage.viewer?.goTo({ pinId: "red" });
        clearInterval(timer);
        return positionList;
      });
      const positionsInDoor = positions.filter(([x = 9]) => Math.abs(x) < 0.25);
      for (const [, , z] of positionsInDoor) {
        expect(z).toBeGreaterThan(2.5);
        expect(z).toBeLessThan(3.5);
      }
      expect((await readViewpoint(page))?.position[0]).toBeGreaterThan(2);
    }));
});

describe("the panorama adapter alone", () => {
  test("steps to the neighbour in the direction of the view by key, and by the ring on the floor", () =>
    onPage(async (page) => {
      await open(page, sources.panorama, [], true);
      await page.locator("canvas").focus();
      // The door is to the right of the initial view, within its field.
      await page.evaluate(() =>
        window.stage.viewer?.goTo({
          position: [-3, 1.6, 4.5],
          yaw: -1.2,
          pitch: 0,
          mode: "walk",
          nodeId: "green",
        }),
      );
      await page.keyboard.press("ArrowUp");
      await expect.poll(async () => (await readViewpoint(page))?.nodeId).toBe("door");
      await page.getByRole("button", { name: "Go to Red room" }).click();
      await expect.poll(async () => (await readViewpoint(page))?.nodeId).toBe("red");
      await page.locator("canvas").focus();
      await page.keyboard.press("ArrowDown");
      await expect.poll(async () => (await readViewpoint(page))?.nodeId).toBe("door");
      expect(await readStageEvents(page, "node")).toEqual(["door", "red", "door"]);
      await waitUntilStill(page);
      expect(await measureColorDeviation(await page.screenshot())).toBeGreaterThan(15);
    }));

  test("places no pins over the rings and the page's buttons, and shows the current target's pin at the edge", () =>
    onPage(async (page) => {
      const towardsDoor = {
        position: [-3, 1.6, 4.5],
        yaw: -1.1,
        pitch: -0.3,
        mode: "walk",
        nodeId: "green",
      } as const;
      const [firstPin] = pins;
      if (!firstPin) throw new Error("There are no pins");
      const pinOnRing = { ...firstPin, id: "on-ring", position: [0, 0, 3], stem: [0, 0.02, 0] } as const;
      const pinBehind = { ...firstPin, id: "behind", position: [-5.9, 1.5, 5], stem: [0.1, 0, 0] } as const;
      const list = [pinOnRing, pinBehind].map((pin) => ({ ...pin, viewpoint: towardsDoor }));
      await open(page, sources.panorama, list, true);
      await page.evaluate((view) => window.stage.viewer?.goTo(view), towardsDoor);
      await expectVisible(page, "on-ring", true);
      await expectVisible(page, "behind", false);
      const readBox = async (selector: string) => {
        const box = await page.locator(selector).boundingBox();
        if (!box) throw new Error(`${selector} is not there`);
        return box;
      };
      const disc = await readBox('[data-pin="on-ring"]');
      const ring = await readBox('[data-node="door"]');
      const isApart =
        disc.x + disc.width <= ring.x + 1 ||
        disc.x >= ring.x + ring.width - 1 ||
        disc.y + disc.height <= ring.y + 1 ||
        disc.y >= ring.y + ring.height - 1;
      expect(isApart).toBe(true);

      await page.evaluate(() => window.stage.viewer?.goTo({ pinId: "behind" }));
      await expectVisible(page, "behind", true);
      await page.evaluate(() =>
        window.stage.viewer?.setReservedBoxes([{ left: 0, top: 250, right: 640, bottom: 420 }]),
      );
      await waitUntilStill(page);
      for (const id of ["on-ring", "behind"]) {
        const { x, y, width, height } = await readBox(`[data-pin="${id}"]`);
        expect(x, id).toBeGreaterThanOrEqual(0);
        expect(x + width, id).toBeLessThanOrEqual(640);
        expect(y, id).toBeGreaterThanOrEqual(0);
        expect(y + height, id).toBeLessThanOrEqual(251);
      }
      // Manual navigation ends the guided movement.
      await page.mouse.move(300, 100);
      await page.mouse.down();
      await page.mouse.move(310, 100);
      await page.mouse.up();
      await expectVisible(page, "behind", false);
    }));

  test("passes positions between two panoramas, and cannot be stopped there by a click", () =>
    onPage(async (page) => {
      await open(page, sources.panorama, []);
      const flight = page.evaluate(() => {
        // Holds the frames back between the two positions until they are released, so that the result does not depend on the machine's speed.
        const requestFrame = window.requestAnimationFrame;
        const callbacks: FrameRequestCallback[] = [];
        window.requestAnimationFrame = (draw) => {
          const [x = 0] = window.stage.viewer?.viewpoint()?.position ?? [];
          return x > -2.9 && x < -0.1 ? -callbacks.push(draw) : requestFrame(draw);
        };
        window.heldFrames = () => callbacks.length;
        window.releaseFrames = () => {
          window.requestAnimationFrame = requestFrame;
          for (const draw of callbacks) requestFrame(draw);
        };
        return window.stage.viewer?.goTo({
          position: [0, 1.6, 3],
          yaw: -1.2,
          pitch: 0,
          mode: "walk",
          nodeId: "door",
        });
      });
      await expect.poll(() => page.evaluate(() => window.heldFrames())).toBeGreaterThan(0);
      const viewBetween = await readViewpoint(page);
      await page.mouse.move(480, 300);
      await page.mouse.down();
      await page.mouse.up();
      expect((await readViewpoint(page))?.position).toEqual(viewBetween?.position);
      await page.evaluate(() => window.releaseFrames());
      await flight;
      await waitUntilStill(page);
      expect((await readViewpoint(page))?.position).toEqual([0, 1.6, 3]);
    }));

  test("prefetches only the neighbours' images", () =>
    onPage(async (page) => {
      const fetchedPaths: string[] = [];
      page.on("request", (request) => fetchedPaths.push(new URL(request.url()).pathname));
      await open(page, sources.panorama, []);
      await expect.poll(() => fetchedPaths).toContain("/door.jpg");
      expect(fetchedPaths).not.toContain("/red.jpg");
    }));

  test("requests a neighbour's image again after a step has interrupted its download", () =>
    onPage(async (page) => {
      const links = sources.panorama.nodes.map(({ id }) => id);
      const nodes = sources.panorama.nodes.map((node) => ({ ...node, links }));
      let requests = 0;
      await page.route("**/red.jpg", async (route) => {
        requests++;
        // The first request never receives a response.
        if (requests > 1) await route.continue();
      });
      await open(page, { ...sources.panorama, nodes }, [], true);
      await expect.poll(() => requests).toBe(1);
      await page.getByRole("button", { name: "Go to Door" }).click();
      await expect.poll(async () => (await readViewpoint(page))?.nodeId).toBe("door");
      await expect.poll(() => requests).toBe(2);
      await page.unroute("**/red.jpg");
    }));

  test("stays at its position when the next image is not a panorama, and reports it", () =>
    onPage(async (page) => {
      const source = {
        ...sources.panorama,
        nodes: sources.panorama.nodes.map((node) =>
          node.id === "door" ? { ...node, url: "/wide.jpg" } : node,
        ),
      };
      await open(page, source, [], true);
      const outcome = await page.evaluate(() =>
        window.stage.viewer
          ?.goTo({ position: [0, 1.6, 3], yaw: 0, pitch: 0, mode: "walk", nodeId: "door" })
          .then(
            () => "arrived",
            (error: { code: string; message: string }) => `${error.code}: ${error.message}`,
          ),
      );
      expect(outcome).toBe("load_failed: A panorama must be twice as wide as high, not 640 × 200.");
      expect(await readStageEvents(page, "error")).toEqual(["load_failed"]);
      expect((await readViewpoint(page))?.nodeId).toBe("green");
      expect(await page.locator("[data-node]").count()).toBe(0);
    }));

  test("zooms by wheel and key, within limits", () =>
    onPage(async (page) => {
      await open(page, sources.panorama, pins, true);
      await page.evaluate(() => window.stage.viewer?.goTo({ pinId: "north" }));
      const { yaw = 0 } = (await readViewpoint(page)) ?? {};
      const homeView = { position: [-3, 1.6, 4.5], yaw: yaw + 0.06, pitch: 0, mode: "walk", nodeId: "green" };
      await page.evaluate((view) => window.stage.viewer?.goTo(view as never), homeView);
      // The distance of an off-centre pin from the centre, in pixels, shows the scale.
      const measureScale = async () => {
        await waitUntilStill(page);
        return ((await pinButton(page, "north").boundingBox())?.x ?? 0) + 20 - 320;
      };
      const initialScale = await measureScale();
      expect(initialScale).toBeGreaterThan(10);
      await page.mouse.move(480, 300);
      for (let count = 0; count < 30; count++) await page.mouse.wheel(0, -300);
      const nearScale = await measureScale();
      expect(nearScale).toBeGreaterThan(initialScale * 2);
      expect(nearScale).toBeLessThan(initialScale * 6);
      await page.locator("canvas").focus();
      for (let count = 0; count < 30; count++) await page.keyboard.press("-");
      const farScale = await measureScale();
      expect(farScale).toBeLessThan(initialScale);
      expect(farScale).toBeGreaterThan(initialScale / 2);
    }));
});

const showcase = {
  kind: "showcase",
  src: "https://my.matterport.com/show/?m=SxQL3iGyoDo&play=1",
  title: "A house",
  key: null,
  start: null,
} as const satisfies ViewerSource;

describe("the showcase adapter", () => {
  const source = showcase;

  test("embeds the showcase with the attributes that its frame needs", () =>
    onPage(async (page) => {
      expect(await open(page, source)).toBe("ready");
      const frame = page.locator("iframe");
      expect(await frame.getAttribute("src")).toBe(source.src);
      expect(await frame.getAttribute("title")).toBe("A house");
      expect(await frame.getAttribute("allow")).toContain("fullscreen; xr-spatial-tracking; autoplay");
      expect(await frame.getAttribute("referrerpolicy")).toBe("strict-origin-when-cross-origin");
      expect(
        await page.evaluate(() => [window.stage.viewer?.modes, window.stage.viewer?.pick(1, 1)]),
      ).toEqual([[], null]);
      await page.evaluate(() => window.stage.viewer?.goTo({ pinId: "north" }));
      await page.evaluate(() => window.stage.close());
      expect(await page.locator("iframe").count()).toBe(0);
    }));

  test("rejects URLs that are not https", () =>
    onPage(async (page) => {
      for (const src of [
        "http://my.matterport.com/show",
        "javascript:alert(1)",
        "data:text/html,x",
        "not an address",
      ])
        expect(await open(page, { ...source, src }), src).toBe("rejected");
      expect(await page.locator("iframe").count()).toBe(0);
    }));
});

/** Simulates graphics that finish nothing while `stuck`, and counts the frames that they received. */
function simulateSlowGraphics(): void {
  const graphics = Object.assign(window, { stuck: false, drawnImages: 0 });
  const { clear, clientWaitSync } = WebGL2RenderingContext.prototype;
  WebGL2RenderingContext.prototype.clear = function (mask) {
    graphics.drawnImages++;
    clear.call(this, mask);
  };
  WebGL2RenderingContext.prototype.clientWaitSync = function (...parameters) {
    return graphics.stuck ? this.TIMEOUT_EXPIRED : clientWaitSync.apply(this, parameters);
  };
}

test("slow graphics receive at most two frames in advance, and drawing continues afterwards", () =>
  onPage(
    async (page) => {
      const setStuck = (stuck: boolean) =>
        page.evaluate((isStuck) => Object.assign(window, { stuck: isStuck }), stuck);
      const countDrawnImages = () =>
        page.evaluate(() => (window as unknown as { drawnImages: number }).drawnImages);
      await open(page, sources.model);
      await waitUntilStill(page);
      await setStuck(true);
      const imagesBefore = await countDrawnImages();
      const readFrameCount = () => page.evaluate(() => window.frameCount);
      await page.locator("canvas").focus();
      await page.keyboard.down("ArrowLeft");
      const framesBefore = await readFrameCount();
      await expect.poll(readFrameCount, { timeout: 20_000 }).toBeGreaterThan(framesBefore + 12);
      expect((await countDrawnImages()) - imagesBefore).toBeLessThanOrEqual(2);
      // Held keys take effect although no frame is drawn.
      const readYaw = async () => (await readViewpoint(page))?.yaw ?? 0;
      const yawBefore = await readYaw();
      await expect.poll(readYaw, { timeout: 20_000 }).not.toBe(yawBefore);
      await page.keyboard.up("ArrowLeft");
      const imagesWhileStuck = await countDrawnImages();
      await setStuck(false);
      await expect.poll(countDrawnImages, { timeout: 20_000 }).toBeGreaterThan(imagesWhileStuck);
      await waitUntilStill(page);
    },
    { prepare: simulateSlowGraphics },
  ));

test("twenty visits to all kinds of spaces in one tab leak no canvas, context, listener or memory", () =>
  onPage(async (page) => {
    const client = await page.context().newCDPSession(page);
    await client.send("Performance.enable");
    await client.send("HeapProfiler.enable");
    const kinds = [sources.model, sources.panorama, sources.splat, showcase, connectedShowcase];
    const placedMedia = media.filter(({ id }) => id === "m-picture" || id === "m-page");
    const visitAll = (times: number) =>
      page.evaluate(
        async ([visitedSources, visitedPins, visitedMedia, count]) => {
          for (let visits = 0; visits < count; visits++) {
            const source = visitedSources[visits % visitedSources.length];
            if (!source) continue;
            await window.stage.open(source, visitedPins, true, visitedMedia);
            await window.stage.viewer?.goTo({ pinId: "red" });
            await new Promise((resolve) => requestAnimationFrame(resolve));
            window.stage.close();
          }
        },
        [kinds, pins, placedMedia, times] as const,
      );
    const measureResources = async () => {
      for (let count = 0; count < 3; count++) await client.send("HeapProfiler.collectGarbage");
      const { metrics } = await client.send("Performance.getMetrics");
      const readMetric = (name: string) =>
        metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
      return {
        listeners: readMetric("JSEventListeners"),
        nodes: readMetric("Nodes"),
        heap: readMetric("JSHeapUsedSize"),
      };
    };
    await visitAll(5);
    const resourcesBefore = await measureResources();
    await visitAll(20);
    const resourcesAfter = await measureResources();
    expect(await page.locator("canvas, iframe, [data-pin], [data-node]").count()).toBe(0);
    expect(await countLiveContexts(page)).toBe(0);
    expect(resourcesAfter.listeners).toBeLessThanOrEqual(resourcesBefore.listeners + 2);
    expect(resourcesAfter.nodes).toBeLessThanOrEqual(resourcesBefore.nodes + 20);
    expect(resourcesAfter.heap - resourcesBefore.heap).toBeLessThan(1_500_000);
  }));
