import type { Page } from "playwright-core";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { MODEL_DISPLAY, type ModelDisplay } from "~/domain/spaces/model-display";
import type { ViewerSource } from "~/viewer/core/contract";
import { createSource, onPage, open, waitUntilStill, withBrowser } from "./adapter-page";
import { media } from "./rooms";

withBrowser();

/** Shares of an image's pixels that are clearly red and clearly blue. */
async function measureColourShares(image: Buffer): Promise<{ red: number; blue: number }> {
  const { data, info } = await sharp(image).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const count = { red: 0, blue: 0 };
  for (let offset = 0; offset < data.length; offset += 3) {
    const [red = 0, green = 0, blue = 0] = data.subarray(offset, offset + 3);
    if (red > 100 && green < 90 && blue < 90) count.red++;
    if (blue > 100 && green < 90 && red < 90) count.blue++;
  }
  const pixelCount = info.width * info.height;
  return { red: count.red / pixelCount, blue: count.blue / pixelCount };
}

/** Opens a box and returns the shares of its colours, seen from outside. Closes it again. */
async function measurePackedColours(page: Page, name: string): Promise<{ red: number; blue: number }> {
  expect(
    await open(page, { ...createSource("model", `/packed/${name}.glb`), start: null }, [], true),
    name,
  ).toBe("ready");
  await page.evaluate(() => window.stage.viewer?.setMode("orbit"));
  await waitUntilStill(page);
  const colors = await measureColourShares(await page.screenshot());
  await page.evaluate(() => window.stage.close());
  return colors;
}

const PACKED_FILES = [
  "plain",
  "draco",
  "quantized",
  "meshopt",
  "khr-meshopt",
  "etc1s",
  "uastc",
  "webp",
  "avif",
] as const;

/** Opens a box with settings and returns the shares of its colours, seen from outside. Leaves it open. */
async function measureColours(
  page: Page,
  name: string,
  display: Partial<ModelDisplay>,
  reducedMotion = true,
) {
  const source = { ...createSource("model", `/packed/${name}.glb`), start: null };
  const shownSource = { ...source, display: { ...MODEL_DISPLAY, ...display } } as ViewerSource;
  expect(await open(page, shownSource, [], reducedMotion), name).toBe("ready");
  await page.evaluate(() => window.stage.viewer?.setMode("orbit"));
  if (reducedMotion) await waitUntilStill(page);
  return measureColourShares(await page.screenshot());
}

/** Height of the surface in the middle of the screen, seen from straight above, in metres. */
async function readSurfaceHeight(page: Page): Promise<number> {
  await page.evaluate(() => window.stage.viewer?.setMode("plan"));
  await waitUntilStill(page);
  const hit = await page.evaluate(() => window.stage.viewer?.pick(320, 210));
  return hit?.position[1] ?? Number.NaN;
}

describe("a model", () => {
  test.each(["points", "lines"])("without surfaces is visible: %s", (name) =>
    onPage(async (page) => {
      const { red } = await measureColours(page, name, {});
      expect(red).toBeGreaterThan(0.002);
      expect(await page.evaluate(() => window.stage.viewer?.pick(320, 210))).not.toBeNull();
    }),
  );

  test("has the colour of a specular-glossiness material", () =>
    onPage(async (page) => {
      const { red, blue } = await measureColours(page, "glossiness", {});
      expect(red).toBeGreaterThan(0.05);
      expect(blue).toBe(0);
    }));

  test("is seen with a thousand materials", () =>
    onPage(async (page) => {
      const { red, blue } = await measurePackedColours(page, "materials");
      expect(red).toBeGreaterThan(0.1);
      expect(blue).toBe(0);
    }, {}));

  // The browser logs an error when the sharp texture does not fit into the storage of the low-resolution one.
  test("is drawn without errors when two materials share a large texture", () =>
    onPage(async (page) => {
      expect((await measureColours(page, "placed", {})).red).toBeGreaterThan(0.02);
    }));

  test("has the materials of a variant", () =>
    onPage(async (page) => {
      const original = await measureColours(page, "variants", {});
      expect(original.red).toBeGreaterThan(0.05);
      expect(original.blue).toBe(0);
      await page.evaluate(() => window.stage.close());
      const variant = await measureColours(page, "variants", { variant: 0 });
      expect(variant.blue).toBeGreaterThan(0.05);
      expect(variant.red).toBe(0);
    }));

  test("offers its variants, and a return to the file's own materials", () =>
    onPage(async (page) => {
      for (const [name, variant] of [
        ["variants", "blue"],
        ["variant-uastc", "halves"],
      ] as const) {
        await measureColours(page, name, {});
        const chooseVariant = async (index: number | null) => {
          await page.evaluate((choice) => window.stage.viewer?.choose?.("variant", choice), index);
          await waitUntilStill(page);
          return measureColourShares(await page.screenshot());
        };
        expect(await page.evaluate(() => window.stage.viewer?.choices)).toEqual({
          variants: [variant],
          variant: null,
          animations: [],
          animation: 0,
        });
        expect((await chooseVariant(0)).blue, name).toBeGreaterThan(0.04);
        expect(await page.evaluate(() => window.stage.viewer?.choices?.variant)).toBe(0);
        const original = await chooseVariant(null);
        expect([original.red > 0.05, original.blue], name).toEqual([true, 0]);
        await page.evaluate(() => window.stage.close());
      }
    }));

  test("offers its animations", () =>
    onPage(async (page) => {
      await measureColours(page, "animated", {}, false);
      expect(await page.evaluate(() => window.stage.viewer?.choices)).toEqual({
        variants: [],
        variant: null,
        animations: ["rise", "leave"],
        animation: 0,
      });
      const readBoxPosition = () =>
        page.evaluate(() => {
          interface Part {
            readonly name: string;
            readonly position: { readonly x: number; readonly y: number };
            traverse(visit: (part: Part) => void): void;
          }
          let point = { x: 0, y: 0 };
          const { stage: adapterStage } = window.stage.getAdapter() as { stage: { scene: Part } };
          adapterStage.scene.traverse(({ name, position: { x, y } }) => {
            if (name === "box") point = { x, y };
          });
          return point;
        });
      await page.evaluate(() => window.stage.viewer?.choose?.("animation", 1));
      await expect.poll(async () => (await readBoxPosition()).x).toBeGreaterThan(1);
      expect((await readBoxPosition()).y).toBe(0);
    }));

  test("shows the scene that was chosen", () =>
    onPage(async (page) => {
      expect((await measureColours(page, "scenes", {})).blue).toBe(0);
      await page.evaluate(() => window.stage.close());
      const secondScene = await measureColours(page, "scenes", { scene: 1 });
      expect(secondScene.blue).toBeGreaterThan(0.05);
      expect(secondScene.red).toBe(0);
    }));

  test("has the size and the up axis of its settings", () =>
    onPage(async (page) => {
      await measureColours(page, "millimetres", { scale: 0.001, up: "z" });
      expect(await readSurfaceHeight(page)).toBeCloseTo(4, 1);
      await page.evaluate(() => window.stage.close());
      await measureColours(page, "millimetres", { scale: 0.001 });
      expect(await readSurfaceHeight(page)).toBeCloseTo(1, 1);
      await page.evaluate(() => window.stage.close());
      await measureColours(page, "millimetres", { scale: 0.002, up: "-x" });
      expect(await readSurfaceHeight(page)).toBeCloseTo(2, 1);
    }));

  test("is at the position of its morph targets", () =>
    onPage(async (page) => {
      await measureColours(page, "morphing", {});
      expect(await readSurfaceHeight(page)).toBeCloseTo(5, 1);
    }));

  test("moves automatically, can be stopped and resumed, and waits with reduced motion", () =>
    onPage(async (page) => {
      const readBoxHeight = () =>
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
      await measureColours(page, "animated", {}, false);
      expect(await page.evaluate(() => window.stage.viewer?.isMoving)).toBe(true);
      await expect.poll(readBoxHeight).toBeGreaterThan(0.2);
      await page.evaluate(() => window.stage.viewer?.setMoving?.(false));
      await waitUntilStill(page);
      const stoppedHeight = await readBoxHeight();
      await page.evaluate(() => window.stage.viewer?.setMoving?.(true));
      await expect.poll(readBoxHeight).not.toBe(stoppedHeight);
      await page.evaluate(() => window.stage.close());

      await measureColours(page, "animated", {});
      expect(await page.evaluate(() => window.stage.viewer?.isMoving)).toBe(false);
      expect(await readBoxHeight()).toBe(0);
      // The first view leaves room for the whole animation, so the model at rest is not in the middle.
      const clickPoint = await page.evaluate(() => {
        for (let y = 8; y < innerHeight; y += 8)
          for (let x = 8; x < innerWidth; x += 8) if (window.stage.viewer?.pick(x, y)) return { x, y };
        return null;
      });
      if (!clickPoint) throw new Error("The model is not in view.");
      await page.mouse.click(clickPoint.x, clickPoint.y + 8);
      await expect.poll(readBoxHeight).toBeGreaterThan(0);
      await page.evaluate(() => window.stage.close());

      await measureColours(page, "animated", { moves: "never" }, false);
      expect(await page.evaluate(() => window.stage.viewer?.isMoving)).toBeNull();
    }));
});

describe("a model file", () => {
  test.each(PACKED_FILES)("has its colours: %s", (name) =>
    onPage(async (page) => {
      const { red, blue } = await measurePackedColours(page, name);
      expect(red).toBeGreaterThan(0.04);
      expect(blue).toBeGreaterThan(0.04);
    }),
  );

  test("has a thumbnail", () =>
    onPage(async (page) => {
      for (const name of ["draco", "uastc", "etc1s", "khr-meshopt"]) {
        const thumbnail = await page.evaluate(
          (url) => window.stage.createThumbnail(url, "model"),
          `/packed/${name}.glb`,
        );
        expect(thumbnail?.deviation, name).toBeGreaterThan(8);
      }
    }));

  test("is placed in a space", () =>
    onPage(async (page) => {
      const model = media.find(({ kind }) => kind === "model");
      if (!model) throw new Error("No model is placed.");
      for (const name of ["draco", "uastc"]) {
        const placedItem = { ...model, url: `/packed/${name}.glb` };
        await open(page, createSource("model", "/rooms.glb"), [], true, [placedItem]);
        const [x, y, z] = placedItem.placement.position;
        await page.evaluate(
          ([px, py, pz]) =>
            window.stage.viewer?.goTo(
              { position: [px + 1.5, py + 1.4, pz], yaw: Math.PI / 2, pitch: -0.6, mode: "walk" },
              { transition: "instant" },
            ),
          [x, y, z] as const,
        );
        await expect
          .poll(
            async () => {
              const { red, blue } = await measureColourShares(await page.screenshot());
              return Math.min(red, blue);
            },
            { message: name },
          )
          .toBeGreaterThan(0.002);
        await page.evaluate(() => window.stage.close());
      }
    }));

  test("fetches no decoder when the file needs none", () =>
    onPage(async (page) => {
      const fetchedPaths: string[] = [];
      page.on("request", (request) => fetchedPaths.push(new URL(request.url()).pathname));
      await measurePackedColours(page, "plain");
      expect(fetchedPaths.filter((path) => /draco|basis|ktx2|meshopt/.test(path))).toEqual([]);
    }, {}));

  test.each([
    ["uastc", "**/basis-worker.client*"],
    ["draco", "**/draco_decoder*.wasm"],
    ["meshopt", "**/meshopt_decoder*"],
  ])("%s: a decoder that does not respond for 20 seconds is reported", (name, hanging) =>
    onPage(
      async (page) => {
        const startTime = performance.now();
        expect(await open(page, createSource("model", `/packed/${name}.glb`), [], true)).toBe(
          "decoder_failed",
        );
        expect(performance.now() - startTime).toBeGreaterThan(19_000);
        expect(await page.locator("canvas").count()).toBe(0);
      },
      { hanging },
    ),
  );

  test("with a damaged UASTC texture is reported and counts as unreadable, instead of being white", () =>
    onPage(
      async (page) => {
        for (const name of ["uastc-damaged", "uastc-zeros"]) {
          expect(await open(page, createSource("model", `/packed/${name}.glb`), [], true), name).toBe(
            "load_failed",
          );
          const isUnreadable = await page.evaluate(
            (url) => window.stage.isUnreadable(url, "model"),
            `/packed/${name}.glb`,
          );
          expect(isUnreadable, name).toBe(true);
        }
      },
      { expected: /THREE.GLTFLoader: Couldn't load texture/ },
    ));
});
