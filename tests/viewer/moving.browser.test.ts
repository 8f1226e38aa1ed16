import type { Page } from "playwright-core";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import type { PlacedMediaItem } from "~/viewer/core/contract";
import { onPage, open, sources, waitUntilStill, withBrowser } from "./adapter-page";

withBrowser();

/** Creates a placed image for the north wall of the green room. */
const createPlacedImage = (url: string): PlacedMediaItem => ({
  id: "moving",
  kind: "image",
  url,
  imageUrl: null,
  title: "Moving",
  aspect: 0.75,
  placement: { position: [-3, 1.5, 0], normal: [0, 0, 1], width: 2, rotation: 0, play: "click", reach: 8 },
});

/** @param distance metres to the wall with the image */
const turnTo = (page: Page, yaw: number, distance = 2) =>
  page.evaluate(
    ([turn, z]) =>
      window.stage.viewer?.goTo(
        { position: [-3, 1.6, z], yaw: turn, pitch: 0, mode: "walk" },
        { transition: "instant" },
      ),
    [yaw, distance] as const,
  );

/** The colour at the centre of the canvas: red, blue or neither. */
async function readCentreColour(page: Page): Promise<string> {
  const { data, info } = await sharp(await page.locator("canvas").screenshot())
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const offset = (Math.floor(info.height * 0.5) * info.width + Math.floor(info.width * 0.5)) * info.channels;
  const [red = 0, , blue = 0] = data.subarray(offset, offset + 3);
  return red > blue + 60 ? "red" : blue > red + 60 ? "blue" : "neither";
}

describe("an image in the space", () => {
  test.each(["/moving.gif", "/moving.webp"])(
    "of several frames is animated, and pauses while it is not visible: %s",
    (url) =>
      onPage(async (page) => {
        await open(page, sources.model, [], false, [createPlacedImage(url)]);
        await turnTo(page, 0);
        await expect.poll(() => readCentreColour(page)).toBe("red");
        await expect.poll(() => readCentreColour(page)).toBe("blue");
        await expect.poll(() => readCentreColour(page)).toBe("red");
        // While the image is behind the visitor, no frames are drawn.
        await turnTo(page, Math.PI);
        await waitUntilStill(page);
      }),
  );

  test("of several frames that plays once stays at its last frame after camera moves, also out of view", () =>
    onPage(async (page) => {
      await open(page, sources.model, [], false, [createPlacedImage("/moving-once.gif")]);
      await turnTo(page, 0);
      await expect.poll(() => readCentreColour(page)).toBe("red");
      await expect.poll(() => readCentreColour(page)).toBe("blue");
      await waitUntilStill(page);
      await turnTo(page, 0.05);
      for (let i = 0; i < 5; i++) {
        expect(await readCentreColour(page)).toBe("blue");
        await page.waitForTimeout(150);
      }
      // Far behind the visitor, the image is unloaded. Its first frame would be visible for five seconds if it were played again.
      await turnTo(page, Math.PI, 5);
      await waitUntilStill(page);
      const loaded = page.waitForResponse("**/moving-once.gif");
      await turnTo(page, 0);
      await loaded;
      await expect.poll(() => readCentreColour(page), { timeout: 4000 }).toBe("blue");
    }));

  test("may be an SVG", () =>
    onPage(async (page) => {
      await open(page, sources.model, [], true, [createPlacedImage("/drawing.svg")]);
      await turnTo(page, 0);
      await expect.poll(() => readCentreColour(page)).toBe("red");
    }));

  test("of several frames shows only the first one with reduced motion", () =>
    onPage(async (page) => {
      await open(page, sources.model, [], true, [createPlacedImage("/moving.gif")]);
      await turnTo(page, 0);
      await expect.poll(() => readCentreColour(page)).toBe("red");
      await waitUntilStill(page);
      expect(await readCentreColour(page)).toBe("red");
      expect(await page.evaluate(() => window.stage.countImagePixels())).toBeGreaterThan(0);
    }));
});
