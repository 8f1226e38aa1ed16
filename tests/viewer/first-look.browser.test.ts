/** Tests the first frame of a model (its viewpoint and its light), and the comparison of a model with a person. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { launchBrowser, STAGE_BROWSER_ARGS } from "../../scripts/lib/browser";
import type { Judgement } from "./judge.client";
import { samples } from "./objects";

let browser: Browser;
let page: Page;
const problems: string[] = [];

beforeAll(async () => {
  browser = await launchBrowser(STAGE_BROWSER_ARGS);
  // Without tests/support/browser/plain-drawing.ts, because reflections use the mipmaps.
  page = await browser.newPage({ viewport: { width: 320, height: 200 }, deviceScaleFactor: 1 });
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  await page.goto(`${inject("stage").origin}/adapters`);
  await page.waitForFunction(() => "stage" in window);
});
afterAll(async () => {
  await browser?.close();
});

type SampleName = keyof typeof samples;

/** Opens a generated sample, without a file on the server. */
async function openSample(name: SampleName, light?: "daylight" | "evening"): Promise<string> {
  const bytes = [...(await samples[name]())];
  await page.evaluate(() => window.stage.close());
  const url = await page.evaluate(
    (byteValues) => URL.createObjectURL(new Blob([new Uint8Array(byteValues)])),
    bytes,
  );
  const state = await page.evaluate(
    ([modelUrl, lightKind]) =>
      window.stage.open(
        {
          kind: "model",
          url: modelUrl,
          start: null,
          eyeHeight: 1.6,
          ...(lightKind && { light: { kind: lightKind } }),
        },
        [],
        true,
      ),
    [url, light] as const,
  );
  expect(state, name).toBe("ready");
  return url;
}

const judge = async (url: string | null = null): Promise<Judgement> => {
  const result = await page.evaluate((modelUrl) => window.stage.judge(modelUrl), url);
  if (!result) throw new Error("Nothing is shown.");
  return result;
};

/** Largest difference of a channel of any pixel between two PNG images of one size, 0…255. */
const measureLargestDifference = (image: string, otherImage: string): Promise<number> =>
  page.evaluate(
    async ([encodedImage, otherEncodedImage]) => {
      const readPixels = async (encoded: string) => {
        const bitmap = await createImageBitmap(
          await (await fetch(`data:image/png;base64,${encoded}`)).blob(),
        );
        const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
        context?.drawImage(bitmap, 0, 0);
        return context?.getImageData(0, 0, bitmap.width, bitmap.height).data ?? [];
      };
      const [a, b] = [await readPixels(encodedImage), await readPixels(otherEncodedImage)];
      let largest = 0;
      for (let index = 0; index < a.length; index++)
        largest = Math.max(largest, Math.abs((a[index] ?? 0) - (b[index] ?? 0)));
      return largest;
    },
    [image, otherImage] as const,
  );

test("a captured image of a model does not show the person beside it", async () => {
  const url = await openSample("unlit");
  const images = [];
  for (const person of [false, true]) {
    const state = await page.evaluate(
      ([modelUrl, hasPerson]) => {
        window.stage.close();
        const model = { kind: "model", url: modelUrl, start: null, eyeHeight: 1.6 } as const;
        return window.stage.open(hasPerson ? { ...model, person: true } : model, [], true);
      },
      [url, person] as const,
    );
    expect(state).toBe("ready");
    images.push(await page.evaluate(() => window.stage.captureImage(160)));
  }
  expect(images[0]?.deviation).toBeGreaterThan(0);
  expect(images[1]).toEqual(images[0]);
});

/** Blue pixels of the canvas: their number, and their distances in pixels from the canvas's upper and lower edge. */
async function findPerson() {
  const image = (await page.screenshot()).toString("base64");
  return page.evaluate(async (encoded) => {
    const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${encoded}`)).blob());
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    context?.drawImage(bitmap, 0, 0);
    const data = context?.getImageData(0, 0, bitmap.width, bitmap.height).data ?? [];
    const rows: number[] = [];
    for (let offset = 0; offset < data.length; offset += 4) {
      const [r = 0, g = 0, b = 0] = [data[offset], data[offset + 1], data[offset + 2]];
      if (b > 200 && r < 90 && g > 80 && g < 140) rows.push(Math.floor(offset / 4 / bitmap.width));
    }
    return {
      pixels: rows.length,
      above: Math.min(...rows),
      below: bitmap.height - 1 - Math.max(...rows),
    };
  }, image);
}

describe("the comparison of a model with a person", () => {
  test.for([
    ["helmet", 0.05, 0, "orbit"],
    ["helmet", 1, 0, "orbit"],
    ["helmet", 1, Math.PI / 2, "orbit"],
    ["helmet", 10, 0, "orbit"],
    ["room", 1, 0, "walk"],
  ] as const)(
    "shows the person from head to foot with the %s, scaled by %s and turned by %s",
    async ([name, scale, turn, mode]) => {
      const url = await openSample(name);
      const extent = await page.evaluate(
        async ([modelUrl, scale, turn]) => {
          window.stage.close();
          const choices = { scene: null, animation: null, moves: "loop", variant: null } as const;
          const display = { ...choices, scale, up: "y", turn } as const;
          const model = {
            kind: "model",
            url: modelUrl,
            start: null,
            eyeHeight: 1.6,
            display,
            person: true,
          } as const;
          await window.stage.open(model, [], true);
          return window.stage.viewer?.compareWithPerson?.();
        },
        [url, scale, turn] as const,
      );
      await page.evaluate(
        () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
      );
      const person = await findPerson();
      expect(person.pixels).toBeGreaterThan(10);
      expect(person.above).toBeGreaterThan(2);
      expect(person.below).toBeGreaterThan(2);
      expect(await page.evaluate(() => window.stage.viewer?.viewpoint()?.mode)).toBe(mode);
      if (name === "helmet") expect(Math.max(...(extent ?? []))).toBeCloseTo(2.0856 * scale, 2);
    },
  );

  test("is absent where no person is shown", async () => {
    await openSample("helmet");
    expect(await page.evaluate(() => window.stage.viewer?.compareWithPerson?.())).toBeNull();
  });
});

describe("the first frame of a model", () => {
  const expectedModes = {
    helmet: "orbit",
    cat: "orbit",
    plaster: "orbit",
    terrain: "orbit",
    shell: "orbit",
    tiny: "orbit",
    vast: "orbit",
    room: "walk",
    house: "walk",
  } as const;

  test.for(Object.entries(expectedModes) as [SampleName, "orbit" | "walk"][])(
    "shows the %s in the expected mode (%s), large enough and with contrast",
    async ([name, mode]) => {
      await openSample(name);
      const judgement = await judge();
      expect(judgement.mode).toBe(mode);
      expect(judgement.coverage).toBeGreaterThanOrEqual(0.15);
      expect(judgement.span).toBeGreaterThanOrEqual(0.15);
      const eyes = await page.evaluate(() => window.stage.viewer?.viewpoint()?.position ?? []);
      if (mode === "walk") expect(eyes[1]).toBeCloseTo(1.6);
      expect(problems).toEqual([]);
    },
  );

  test("starts outside of a closed object with two-sided materials", async () => {
    await openSample("crate");
    const { mode, coverage } = await judge();
    expect(mode).toBe("orbit");
    expect(coverage).toBeGreaterThanOrEqual(0.15);
    const [x = 0, y = 0, z = 0] = await page.evaluate(() => window.stage.viewer?.viewpoint()?.position ?? []);
    expect(Math.abs(x) > 4 || y > 8 || Math.abs(z) > 4).toBe(true);
  });
});

test("walking is possible only where a person fits", async () => {
  for (const [name, canWalk] of [
    ["cat", false],
    ["tiny", false],
    ["helmet", false],
    ["terrain", true],
    ["room", true],
  ] as const) {
    await openSample(name);
    const modes = await page.evaluate(() => window.stage.viewer?.modes ?? []);
    expect(modes.includes("walk"), name).toBe(canWalk);
    await page.evaluate(() => window.stage.viewer?.setMode("walk"));
    expect(await page.evaluate(() => window.stage.viewer?.viewpoint()?.mode), name).toBe(
      canWalk ? "walk" : "orbit",
    );
  }
});

test("a model of millimetres and one of kilometres are visible from near, from far and from above", async () => {
  for (const name of ["tiny", "vast"] as const) {
    await openSample(name);
    await page.evaluate(() => {
      for (let times = 0; times < 40; times++) window.stage.viewer?.zoomBy(1.3);
    });
    const nearJudgement = await judge();
    expect(nearJudgement.coverage, name).toBeGreaterThan(0.5);
    await page.evaluate(() => {
      for (let times = 0; times < 60; times++) window.stage.viewer?.zoomBy(0.8);
    });
    expect((await judge()).coverage, name).toBeGreaterThan(0.02);
    await page.evaluate(() => window.stage.viewer?.setMode("plan"));
    expect((await judge()).coverage, name).toBeGreaterThan(0.1);
  }
});

describe("the light of a model", () => {
  test("equals that of a plain three.js page with the same environment to within 5 %", async () => {
    const differences: [string, number][] = [];
    for (const name of ["metal", "clearcoat", "transmission", "dispersion", "helmet"] as const) {
      const { difference } = await judge(await openSample(name));
      differences.push([name, difference ?? 1]);
    }
    const [worstSample, largestDifference] = differences.reduce((a, b) => (b[1] > a[1] ? b : a));
    expect(largestDifference, `the worst is ${worstSample}`).toBeLessThanOrEqual(0.05);
  });

  test("ignores a texture that cannot be decoded", async () => {
    await openSample("metal");
    const { image } = await judge();
    await openSample("unreadable");
    expect((await judge()).image === image).toBe(true);
  });

  test("differs by day and in the evening, and leaves unlit materials unchanged", async () => {
    const images = new Set<string>();
    for (const light of [undefined, "daylight", "evening"] as const) {
      await openSample("metal", light);
      const { image, span } = await judge();
      expect(span, light).toBeGreaterThan(0.3);
      images.add(image);
    }
    expect(images.size).toBe(3);
    await openSample("unlit");
    const middlePixel = await page.evaluate(
      async (encoded) => {
        const bitmap = await createImageBitmap(
          await (await fetch(`data:image/png;base64,${encoded}`)).blob(),
        );
        const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
        context?.drawImage(bitmap, 0, 0);
        return [...(context?.getImageData(bitmap.width / 2, bitmap.height / 2, 1, 1).data ?? [])];
      },
      (await judge()).image,
    );
    // Linear intensities of 0.2, 0.5 and 0.8 in sRGB.
    [124, 188, 231].forEach((value, channel) => {
      expect(Math.abs((middlePixel[channel] ?? 0) - value)).toBeLessThanOrEqual(2);
    });
  });

  test("of a file in physical units does not overexpose the model", async () => {
    await openSample("sun");
    const { image, span } = await judge();
    expect(span).toBeGreaterThan(0.15);
    const whiteShare = await page.evaluate(async (encoded) => {
      const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${encoded}`)).blob());
      const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
      context?.drawImage(bitmap, 0, 0);
      const { data = [] } = context?.getImageData(0, 0, bitmap.width, bitmap.height) ?? {};
      let count = 0;
      for (let offset = 0; offset < data.length; offset += 4)
        if ([0, 1, 2].every((channel) => (data[offset + channel] ?? 0) > 248)) count++;
      return (count * 4) / data.length;
    }, image);
    expect(whiteShare).toBeLessThan(0.005);
  });

  test("of a file with its own lights does not depend on the start that its owner set", async () => {
    const url = await openSample("sun");
    const imageOfDetectedStart = (await judge()).image;
    const start = await page.evaluate(() => window.stage.viewer?.viewpoint() ?? null);
    if (!start) throw new Error("There is no viewpoint.");
    const closeView = {
      ...start,
      position: start.position.map((value) => value * 0.4) as [number, number, number],
    };
    for (const mode of ["orbit", "walk"] as const) {
      await page.evaluate(
        async ([modelUrl, ownerStart, detectedStart]) => {
          window.stage.close();
          await window.stage.open(
            { kind: "model", url: modelUrl, start: ownerStart, eyeHeight: 1.6 },
            [],
            true,
          );
          await window.stage.viewer?.goTo(detectedStart);
        },
        [url, { ...closeView, mode }, start] as const,
      );
      expect(
        await measureLargestDifference(imageOfDetectedStart, (await judge()).image),
        mode,
      ).toBeLessThanOrEqual(3);
    }
  });

  test("and the shadow follow the pose in which a skin is shown", async () => {
    await openSample("stool");
    const { image } = await judge();
    await openSample("skinned");
    expect(await measureLargestDifference(image, (await judge()).image)).toBeLessThanOrEqual(3);
  });

  test("and the shadow return after a lost graphics context", async () => {
    await openSample("metal");
    const judgementBefore = await judge();
    await page.evaluate(async () => {
      const canvas = document.querySelector("canvas");
      const extension = canvas?.getContext("webgl2")?.getExtension("WEBGL_lose_context");
      const restored = new Promise((resolve) => canvas?.addEventListener("webglcontextrestored", resolve));
      canvas?.addEventListener("webglcontextlost", () => setTimeout(() => extension?.restoreContext(), 50));
      extension?.loseContext();
      await restored;
    });
    const judgementAfter = await judge();
    expect(await measureLargestDifference(judgementBefore.image, judgementAfter.image)).toBeLessThanOrEqual(
      3,
    );
    expect(problems.filter((text) => !/context/i.test(text))).toEqual([]);
  });
});
