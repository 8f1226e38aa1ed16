/** Tests models and splats that are placed in a space. */
import type { Page } from "playwright-core";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import type { PlacedMediaItem, ViewerSource } from "~/viewer/core/contract";
import { onPage, open, sources, waitUntilStill, withBrowser } from "./adapter-page";
import { ball, makeObject } from "./objects";
import { media } from "./rooms";

withBrowser();

const createPlacedItem = (
  kind: "model" | "splat",
  url: string,
  overrides: Partial<PlacedMediaItem> = {},
): PlacedMediaItem => {
  const model = media.find((mediaItem) => mediaItem.kind === "model");
  if (!model) throw new Error("No model is placed.");
  return { ...model, kind, url, ...overrides };
};

/** Moves the camera so that the placed item is in the middle of the screen. In panoramas, only one node is near enough. */
const lookAtPlacedItem = (page: Page, kind: "model" | "panorama" | "splat" = "model") =>
  page.evaluate(
    (view) => window.stage.viewer?.goTo({ ...view, mode: "walk" }, { transition: "instant" }),
    kind === "panorama"
      ? ({ position: [-3, 1.6, 4.5], yaw: 0.46, pitch: -0.41, nodeId: "green" } as const)
      : ({ position: [-3, 1.4, 1.5], yaw: Math.PI / 2, pitch: -0.6 } as const),
  );

/** The height of the box in a placed model, in metres of its file. NaN before the model is loaded. */
const readBoxHeight = (page: Page) =>
  page.evaluate(() => {
    interface Part {
      readonly name: string;
      readonly position: { readonly y: number };
      traverse(visit: (part: Part) => void): void;
    }
    let boxHeight = Number.NaN;
    const { stage: adapterStage } = window.stage.getAdapter() as { stage: { scene: Part } };
    adapterStage.scene.traverse((part) => {
      if (part.name === "box") boxHeight = part.position.y;
    });
    return boxHeight;
  });

const isMoving = (page: Page) => page.evaluate(() => window.stage.viewer?.isMoving);

describe("a placed model", () => {
  test.each(["model", "panorama"] as const)("plays its animation in a %s until it is stopped", (kind) =>
    onPage(async (page) => {
      await open(page, sources[kind], [], false, [createPlacedItem("model", "/packed/animated.glb")]);
      await lookAtPlacedItem(page, kind);
      await expect.poll(() => readBoxHeight(page), { timeout: 10_000 }).toBeGreaterThan(0.2);
      expect(await isMoving(page)).toBe(true);
      await page.evaluate(() => window.stage.viewer?.setMoving?.(false));
      await waitUntilStill(page);
      const stoppedHeight = await readBoxHeight(page);
      expect(await isMoving(page)).toBe(false);
      await page.evaluate(() => window.stage.viewer?.setMoving?.(true));
      await expect.poll(() => readBoxHeight(page)).not.toBe(stoppedHeight);
    }),
  );

  test("does not move with reduced motion, and moves on request", () =>
    onPage(async (page) => {
      await open(page, sources.model, [], true, [createPlacedItem("model", "/packed/animated.glb")]);
      await lookAtPlacedItem(page);
      await expect.poll(() => readBoxHeight(page), { timeout: 10_000 }).toBe(0);
      await waitUntilStill(page);
      expect([await isMoving(page), await readBoxHeight(page)]).toEqual([false, 0]);
      await page.evaluate(() => window.stage.viewer?.setMoving?.(true));
      await expect.poll(() => readBoxHeight(page)).toBeGreaterThan(0);
    }));

  test("has the same light as when it is shown alone, and a shadow in both", () =>
    onPage(async (page) => {
      const body = await makeObject([
        [ball([0, 1, 0], [1, 1, 1]), { color: [0.6, 0.35, 0.2], metal: 0.3, rough: 0.5 }],
      ]);
      await page.route("**/ball.glb", (route) => route.fulfill({ body, contentType: "model/gltf-binary" }));
      const ballSource: ViewerSource = { kind: "model", url: "/ball.glb", start: null, eyeHeight: 1.6 };
      await open(page, ballSource, [], true);
      await waitUntilStill(page);
      const aloneView = await measureView(page, [3, 1, 0]);
      await page.evaluate(() => window.stage.close());
      await open(page, sources.model, [], true, [createPlacedItem("model", "/ball.glb")]);
      await lookAtPlacedItem(page);
      await expect.poll(() => hasShadowAndLight(page), { timeout: 20_000 }).toBe(true);
      await waitUntilStill(page);
      const placedView = await measureView(page, [-4.5 + 1.5, 0.512, 1.5]);
      await page.unroute("**/ball.glb");
      for (const channel of [0, 1, 2] as const)
        expect(Math.abs((aloneView.mean[channel] ?? 0) - (placedView.mean[channel] ?? 255))).toBeLessThan(4);
      expect([aloneView.shadows, placedView.shadows]).toEqual([1, 1]);
    }));
});

/** Whether the scene contains the shadow of a model and has an environment light. */
const hasShadowAndLight = (page: Page) =>
  page.evaluate(() => {
    interface Part {
      readonly name: string;
      readonly environment?: unknown;
      traverse(visit: (part: Part) => void): void;
    }
    const { scene } = (window.stage.getAdapter() as { stage: { scene: Part } }).stage;
    let shadows = 0;
    scene.traverse(({ name }) => {
      if (name === "contact shadow") shadows++;
    });
    return shadows > 0 && Boolean(scene.environment);
  });

/** Measures the mean colour in the middle of the view from a point towards −x, and counts the visible shadows. */
const measureView = (page: Page, from: readonly [number, number, number]) =>
  page.evaluate(([x, y, z]) => {
    interface Part {
      readonly name: string;
      readonly visible: boolean;
      traverse(visit: (part: Part) => void): void;
    }
    interface Eye {
      readonly position: { set(x: number, y: number, z: number): void };
      readonly rotation: { set(x: number, y: number, z: number): void };
      clone(): Eye;
      fov: number;
      near: number;
      far: number;
      aspect: number;
      updateProjectionMatrix(): void;
      updateMatrixWorld(): void;
    }
    const { stage } = window.stage.getAdapter() as {
      stage: {
        readonly scene: Part;
        readonly camera: Eye;
        drawWithCamera(camera: Eye, width: number, height: number): HTMLCanvasElement | null;
      };
    };
    const eye = stage.camera.clone();
    eye.position.set(x, y, z);
    eye.rotation.set(0, Math.PI / 2, 0);
    Object.assign(eye, { fov: 50, near: 0.05, far: 100, aspect: 1 });
    eye.updateProjectionMatrix();
    eye.updateMatrixWorld();
    const side = 160;
    const image = stage.drawWithCamera(eye, side, side);
    const measuredSide = side / 4;
    const offset = (side - measuredSide) / 2;
    const data = image?.getContext("2d")?.getImageData(offset, offset, measuredSide, measuredSide).data ?? [];
    const mean = [0, 1, 2].map((channel) => {
      let sum = 0;
      for (let index = channel; index < data.length; index += 4) sum += data[index] ?? 0;
      return sum / (data.length / 4);
    });
    let shadows = 0;
    stage.scene.traverse(({ name, visible }) => {
      if (name === "contact shadow" && visible) shadows++;
    });
    return { mean, shadows };
  }, from);

/** Mean difference of the pixels of two images, 0…255. */
async function measureDifference(image: Buffer, otherImage: Buffer): Promise<number> {
  const [a, b] = await Promise.all(
    [image, otherImage].map((encoded) => sharp(encoded).removeAlpha().raw().toBuffer()),
  );
  if (!a || !b) return 0;
  return a.reduce((sum, value, index) => sum + Math.abs(value - (b[index] ?? 0)), 0) / a.length;
}

describe("placed splats", () => {
  test.each(["model", "panorama", "splat"] as const)("are placed in a %s, picked, and removed", (kind) =>
    onPage(async (page) => {
      await open(page, sources[kind], [], true);
      await lookAtPlacedItem(page, kind);
      await waitUntilStill(page);
      const imageBefore = await page.screenshot();
      await page.evaluate(
        (list) => window.stage.viewer?.setMedia(list),
        [createPlacedItem("splat", "/rooms.spz")],
      );
      await expect
        .poll(async () => measureDifference(imageBefore, await page.screenshot()), { timeout: 20_000 })
        .toBeGreaterThan(0.1);
      const hit = await page.evaluate(
        (y) => window.stage.viewer?.pick(320, y),
        kind === "panorama" ? 210 : 230,
      );
      expect(hit?.pinId).toBe("m-model");
      await page.evaluate(() => window.stage.viewer?.setMedia([]));
      await waitUntilStill(page);
      await expect
        .poll(async () => measureDifference(imageBefore, await page.screenshot()))
        .toBeLessThan(0.05);
    }),
  );

  test("are also placed from a GLB file", () =>
    onPage(async (page) => {
      await open(page, sources.model, [], true);
      await lookAtPlacedItem(page);
      await waitUntilStill(page);
      const imageBefore = await page.screenshot();
      await page.evaluate(
        (list) => window.stage.viewer?.setMedia(list),
        [createPlacedItem("splat", "/room-spz-nodes.glb")],
      );
      await expect
        .poll(async () => measureDifference(imageBefore, await page.screenshot()), { timeout: 20_000 })
        .toBeGreaterThan(0.1);
      expect((await page.evaluate(() => window.stage.viewer?.pick(320, 230)))?.pinId).toBe("m-model");
    }));

  test("that are too many for a placed item can still be picked", () =>
    onPage(async (page) => {
      await open(page, sources.model, [], true, [createPlacedItem("splat", "/many.ply")]);
      await lookAtPlacedItem(page);
      await waitUntilStill(page);
      await expect
        .poll(async () => (await page.evaluate(() => window.stage.viewer?.pick(320, 230)))?.pinId)
        .toBe("m-model");
    }));
});
