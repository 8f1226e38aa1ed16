import type { Page } from "playwright-core";
import sharp from "sharp";
import { expect, test } from "vitest";
import { COLORS } from "../support/files/splat-captures";
import { onPage, open, readViewpoint, waitUntilStill, withBrowser } from "./adapter-page";

withBrowser();

const createSplatSource = (url: string, up: "auto" | "y" | "-y" | "z" = "auto") =>
  ({ kind: "splat", url, up, eyeHeight: 1.6, start: null }) as const;

type SurfaceName = keyof typeof COLORS | "other";

/**
 * Returns the surface whose colour is nearest to the mean of a stripe of the canvas, or "other" when none is near.
 * @param from, to shares of the canvas's height
 * @param margin share of the width that is left out on either side
 */
async function findVisibleSurface(page: Page, from: number, to: number, margin = 0): Promise<SurfaceName> {
  const image = sharp(await page.locator("canvas").screenshot());
  const { width = 1, height = 1 } = await image.metadata();
  const area = {
    left: Math.floor(width * margin),
    width: Math.ceil(width * (1 - 2 * margin)),
    top: Math.floor(height * from),
    height: Math.ceil(height * (to - from)),
  };
  // sharp's statistics always cover a whole image, so the stripe is extracted first.
  const { channels } = await sharp(await image.extract(area).removeAlpha().png().toBuffer()).stats();
  const mean = channels.map((channel) => channel.mean / 255);
  const distances = Object.entries(COLORS).map(
    ([name, color]) => [name, Math.hypot(...color.map((value, axis) => value - (mean[axis] ?? 0)))] as const,
  );
  const [nearest] = distances.sort((a, b) => a[1] - b[1]);
  return nearest && nearest[1] < 0.4 ? (nearest[0] as SurfaceName) : "other";
}

/** Opens a room with the automatic up axis, and expects the visitor inside, with the floor 1.6 m below and the ceiling above. */
async function expectUpright(page: Page, url: string): Promise<void> {
  expect(await open(page, createSplatSource(url), [], true), url).toBe("ready");
  await waitUntilStill(page);
  const view = await readViewpoint(page);
  expect(view, url).toMatchObject({ mode: "walk" });
  const floor = await page.evaluate(() => window.stage.viewer?.pick(320, 419));
  expect((view?.position[1] ?? 0) - (floor?.position[1] ?? 0), url).toBeCloseTo(1.6, 1);
  expect([await findVisibleSurface(page, 0, 0.06), await findVisibleSurface(page, 0.95, 1)], url).toEqual([
    "ceiling",
    "floor",
  ]);
  await page.evaluate(() => window.stage.close());
}

test("a capture of a room is upright in each format except GLB, with its visitor inside at eye height", () =>
  onPage(async (page) => {
    for (const name of [
      ...["room.compressed.ply", "room.splat", "room.ksplat", "room.sog", "room-deflated.sog"],
      ...["room-raw.spz", "room-harmonics.4.spz", "room-leaning.ply"],
      ...["y", "-y", "z"].flatMap((upAxis) => [`room${upAxis}.ply`, `room${upAxis}.4.spz`]),
    ])
      await expectUpright(page, `/${name}`);
  }));

/**
 * RGB bytes of an image of a capture from inside.
 * @param up the owner's setting of the up axis
 */
async function captureInside(page: Page, url: string, up: "auto" | "y" = "auto"): Promise<Buffer> {
  await open(page, createSplatSource(url, up), [], true);
  await page.evaluate(() => {
    const { viewer } = window.stage;
    viewer?.goTo({ position: [3.5, 1.6, 4.4], yaw: 0, pitch: 0, mode: "walk" });
  });
  await waitUntilStill(page);
  const screenshot = await page.locator("canvas").screenshot();
  await page.evaluate(() => window.stage.close());
  return sharp(screenshot).removeAlpha().raw().toBuffer();
}

test("splats in GLB are upright and look like the same capture in PLY", () =>
  onPage(async (page) => {
    const plyImage = await captureInside(page, "/roomy.ply", "y");
    for (const name of ["floats", "draft", "nodes", "stretched", "spz", "spz4", "spz-nodes"]) {
      await expectUpright(page, `/room-${name}.glb`);
      const bytes = await captureInside(page, `/room-${name}.glb`);
      const difference = bytes.reduce(
        (sum, value, index) => sum + Math.abs(value - (plyImage[index] ?? 0)),
        0,
      );
      // SPZ stores rotations and colours less precisely.
      expect(difference / plyImage.length, name).toBeLessThan(name.startsWith("spz") ? 3 : 0.1);
    }
  }));

test("unrotated splats of a .splat file look like the same capture in PLY", () =>
  onPage(async (page) => {
    const plyImage = await captureInside(page, "/roomy.ply", "y");
    const bytes = await captureInside(page, "/roomy.splat", "y");
    const difference = bytes.reduce((sum, value, index) => sum + Math.abs(value - (plyImage[index] ?? 0)), 0);
    expect(difference / plyImage.length).toBeLessThan(0.3);
  }));

test("the up axis of a file or an owner has precedence over the capture's appearance", () =>
  onPage(async (page) => {
    await open(page, createSplatSource("/room-y.ply", "y"), [], true);
    await page.evaluate(() => window.stage.viewer?.setMode("orbit"));
    await waitUntilStill(page);
    // The room is upside down, so its upper side is the floor.
    const topHit = await page.evaluate(() => window.stage.viewer?.pick(320, 210));
    expect(topHit?.position[1]).toBeCloseTo(0, 1);
    expect(await findVisibleSurface(page, 0.45, 0.55, 0.4)).toBe("floor");
    await page.evaluate(() => window.stage.close());
    await open(page, createSplatSource("/room-says.4.spz"), [], true);
    const plan = await page.evaluate(() => window.stage.viewer?.capturePlanImage());
    await page.evaluate(() => window.stage.close());
    // Lying on its back, the plan of the room is 7 m by less than 3 m instead of 5 m.
    expect(plan?.height).toBeLessThan((plan?.width ?? 0) * 0.5);
  }));

test("an object is seen from outside, and covers more than 15 % of the canvas", () =>
  onPage(async (page) => {
    expect(await open(page, createSplatSource("/object.ply"), [], true)).toBe("ready");
    await waitUntilStill(page);
    expect(await readViewpoint(page)).toMatchObject({ mode: "orbit" });
    const image = await sharp(await page.locator("canvas").screenshot())
      .removeAlpha()
      .raw()
      .toBuffer();
    let coveredShare = 0;
    for (let offset = 0; offset < image.length; offset += 3)
      if (Math.max(...image.subarray(offset, offset + 3)) > 70) coveredShare += 3 / image.length;
    expect(coveredShare).toBeGreaterThan(0.15);
  }));

test("files with too much content, with another amount than declared, or without valid positions are rejected", () =>
  onPage(async (page) => {
    for (const [name, code] of [
      ["bomb.4.spz", "load_failed"],
      ["large.sog", "load_failed"],
      ["many.4.spz", "too_large"],
      ["many.sog", "too_large"],
      ["many.glb", "too_large"],
      ["fewer.glb", "load_failed"],
      ["nowhere.glb", "load_failed"],
    ] as const) {
      expect(await open(page, createSplatSource(`/${name}`)), name).toBe(code);
      await page.evaluate(() => window.stage.close());
    }
  }));

test("a capture is drawn upright again after its graphics context was lost and restored", () =>
  onPage(
    async (page) => {
      await open(page, createSplatSource("/room.sog"), [], true);
      await waitUntilStill(page);
      await page.evaluate(() => {
        const extension = document
          .querySelector("canvas")
          ?.getContext("webgl2")
          ?.getExtension("WEBGL_lose_context");
        extension?.loseContext();
        setTimeout(() => extension?.restoreContext(), 300);
      });
      await expect
        .poll(() =>
          page.evaluate(() => window.stage.events.filter(({ name }) => name === "interrupted").length),
        )
        .toBe(2);
      await expect
        .poll(async () => [await findVisibleSurface(page, 0, 0.06), await findVisibleSurface(page, 0.95, 1)])
        .toEqual(["ceiling", "floor"]);
    },
    { expected: /Context Lost|Context Restored|CONTEXT_LOST/i },
  ));

test("a damaged capture is reported and counts as unreadable, instead of being black", () =>
  onPage(async (page) => {
    for (const name of ["/room-zeros.spz", "/room-invisible.spz"]) {
      expect(await open(page, createSplatSource(name), [], true), name).toBe("load_failed");
      const isUnreadable = await page.evaluate((url) => window.stage.isUnreadable(url, "splat"), name);
      expect(isUnreadable, name).toBe(true);
    }
    const convertFile = (url: string) =>
      page.evaluate(([fileUrl, type]) => window.stage.convert(fileUrl, type, 1), [url, SPZ] as const);
    expect(await convertFile("/room-zeros.spz")).toMatchObject({ failed: "damaged" });
  }));

test("a splat decoder that does not respond is reported", () =>
  onPage(
    async (page) => {
      expect(await open(page, createSplatSource("/room-raw.spz"), [], true)).toBe("decoder_failed");
    },
    {
      prepare: () => {
        // Spark creates its workers from blobs.
        Worker.prototype.postMessage = () => {};
      },
    },
  ));

const PLY = "application/x-gaussian-ply";
const SPZ = "application/x-gaussian-spz";

test("a large capture is converted for phones, with a preview, and keeps its orientation", () =>
  onPage(async (page) => {
    const conversion = await page.evaluate((type) => window.stage.convert("/large-room.ply", type, 0), PLY);
    if (!conversion.files) throw new Error(JSON.stringify(conversion));
    const { files, before, after, steps } = conversion;
    expect(files.map(({ role }) => role)).toEqual(["display", "preview"]);
    const [display, preview] = files;
    expect(before?.splats).toBeGreaterThan(300_000);
    expect(after?.splats).toBeLessThanOrEqual(300_000);
    expect(after?.splats).toBeGreaterThan(150_000);
    expect(display?.bytes).toBe(after?.bytes);
    expect(after?.bytes).toBeLessThan((before?.bytes ?? 0) / 4);
    expect(preview?.bytes).toBeLessThanOrEqual(1.5 * 1024 * 1024);
    expect(steps).toEqual(["read", "decode", "simplify", "compress", "write"]);
    for (const { url } of files) await expectUpright(page, url);
  }));

test("a small capture is packed with all its splats, and a conversion ends when it is cancelled or cannot be done", () =>
  onPage(async (page) => {
    const conversion = await page.evaluate(
      (type) => window.stage.convert("/room-harmonics.4.spz", type, 1),
      SPZ,
    );
    if (!conversion.files) throw new Error(JSON.stringify(conversion));
    expect(conversion.files.map(({ role }) => role)).toEqual(["display"]);
    expect(conversion.after?.splats).toBe(conversion.before?.splats);
    await expectUpright(page, conversion.files[0]?.url ?? "");
    const glbConversion = await page.evaluate(
      (type) => window.stage.convert("/room-nodes.glb", type, 1),
      "application/x-gaussian-glb",
    );
    if (!glbConversion.files) throw new Error(JSON.stringify(glbConversion));
    await expectUpright(page, glbConversion.files[0]?.url ?? "");
    const convertFile = (name: string, stopAt?: "decode") =>
      page.evaluate(([url, type, step]) => window.stage.convert(url, type, 1, step), [
        `/${name}`,
        SPZ,
        stopAt,
      ] as const);
    expect(await convertFile("room-raw.spz", "decode")).toMatchObject({ failed: "AbortError" });
    expect(await convertFile("bomb.4.spz")).toMatchObject({ failed: "damaged" });
    expect(await convertFile("many.4.spz")).toMatchObject({
      failed: "too_large",
      values: { count: 20_000_000, max: 6_000_000 },
    });
  }));
