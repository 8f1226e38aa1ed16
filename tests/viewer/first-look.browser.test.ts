/** Tests the first frame of a model: its viewpoint and its light. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { launchBrowser, STAGE_BROWSER_ARGS } from "../../scripts/lib/browser";
import type { Judgement } from "./judge.client";
import { samples } from "./objects";

let browser: Browser;
let page: Page;
const complaints: string[] = [];

beforeAll(async () => {
  browser = await launchBrowser(STAGE_BROWSER_ARGS);
  // Without tests/support/browser/plain-drawing.ts, because reflections use the mipmaps.
  page = await browser.newPage({ viewport: { width: 320, height: 200 }, deviceScaleFactor: 1 });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  await page.goto(`${inject("stage").origin}/adapters`);
  await page.waitForFunction(() => "stage" in window);
});
afterAll(async () => {
  await browser?.close();
});

type Name = keyof typeof samples;

/** Opens a generated sample, without a file on the server. */
async function open(name: Name, light?: "daylight" | "evening"): Promise<string> {
  const bytes = [...(await samples[name]())];
  await page.evaluate(() => window.stage.close());
  const url = await page.evaluate((list) => URL.createObjectURL(new Blob([new Uint8Array(list)])), bytes);
  const state = await page.evaluate(
    ([from, kind]) =>
      window.stage.open(
        { kind: "model", url: from, start: null, eyeHeight: 1.6, ...(kind && { light: { kind } }) },
        [],
        true,
      ),
    [url, light] as const,
  );
  expect(state, name).toBe("ready");
  return url;
}

const judge = async (url: string | null = null): Promise<Judgement> => {
  const result = await page.evaluate((from) => window.stage.judge(from), url);
  if (!result) throw new Error("Nothing is shown.");
  return result;
};

/** Largest difference of a channel of any pixel between two PNG images of one size, 0…255. */
const mostDifferent = (one: string, other: string): Promise<number> =>
  page.evaluate(
    async ([one, other]) => {
      const pixels = async (encoded: string) => {
        const bitmap = await createImageBitmap(
          await (await fetch(`data:image/png;base64,${encoded}`)).blob(),
        );
        const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
        context?.drawImage(bitmap, 0, 0);
        return context?.getImageData(0, 0, bitmap.width, bitmap.height).data ?? [];
      };
      const [a, b] = [await pixels(one), await pixels(other)];
      let most = 0;
      for (let index = 0; index < a.length; index++)
        most = Math.max(most, Math.abs((a[index] ?? 0) - (b[index] ?? 0)));
      return most;
    },
    [one, other] as const,
  );

test("a thumbnail of a model does not show the figure beside it", async () => {
  const url = await open("unlit");
  const images = [];
  for (const person of [false, true]) {
    const state = await page.evaluate(
      ([from, isThere]) => {
        window.stage.close();
        const model = { kind: "model", url: from, start: null, eyeHeight: 1.6 } as const;
        return window.stage.open(isThere ? { ...model, person: true } : model, [], true);
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
    "shows the whole person beside the %s, scaled by %s and turned by %s",
    async ([name, scale, turn, mode]) => {
      const url = await open(name);
      const extent = await page.evaluate(
        async ([from, scale, turn]) => {
          window.stage.close();
          const choices = { scene: null, animation: null, moves: "loop", variant: null } as const;
          const display = { ...choices, scale, up: "y", turn } as const;
          const model = {
            kind: "model",
            url: from,
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
        () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
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
    await open("helmet");
    expect(await page.evaluate(() => window.stage.viewer?.compareWithPerson?.())).toBeNull();
  });
});

describe("the first frame of a model", () => {
  const expected = {
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

  test.for(Object.entries(expected) as [Name, "orbit" | "walk"][])(
    "shows the %s in the expected mode (%s), large enough and with contrast",
    async ([name, mode]) => {
      await open(name);
      const first = await judge();
      expect(first.mode).toBe(mode);
      expect(first.coverage).toBeGreaterThanOrEqual(0.15);
      expect(first.span).toBeGreaterThanOrEqual(0.15);
      const eyes = await page.evaluate(() => window.stage.viewer?.viewpoint()?.position ?? []);
      if (mode === "walk") expect(eyes[1]).toBeCloseTo(1.6);
      expect(complaints).toEqual([]);
    },
  );

  test("starts outside of a closed object with two-sided materials", async () => {
    await open("crate");
    const { mode, coverage } = await judge();
    expect(mode).toBe("orbit");
    expect(coverage).toBeGreaterThanOrEqual(0.15);
    const [x = 0, y = 0, z = 0] = await page.evaluate(() => window.stage.viewer?.viewpoint()?.position ?? []);
    expect(Math.abs(x) > 4 || y > 8 || Math.abs(z) > 4).toBe(true);
  });

  test("allows walking only where a person fits", async () => {
    for (const [name, canWalk] of [
      ["cat", false],
      ["tiny", false],
      ["helmet", false],
      ["terrain", true],
      ["room", true],
    ] as const) {
      await open(name);
      const modes = await page.evaluate(() => window.stage.viewer?.modes ?? []);
      expect(modes.includes("walk"), name).toBe(canWalk);
      await page.evaluate(() => window.stage.viewer?.setMode("walk"));
      expect(await page.evaluate(() => window.stage.viewer?.viewpoint()?.mode), name).toBe(
        canWalk ? "walk" : "orbit",
      );
    }
  });

  test("keeps a model of millimetres and one of kilometres visible while it is turned and approached", async () => {
    for (const name of ["tiny", "vast"] as const) {
      await open(name);
      await page.evaluate(() => {
        for (let times = 0; times < 40; times++) window.stage.viewer?.zoomBy(1.3);
      });
      const near = await judge();
      expect(near.coverage, name).toBeGreaterThan(0.5);
      await page.evaluate(() => {
        for (let times = 0; times < 60; times++) window.stage.viewer?.zoomBy(0.8);
      });
      expect((await judge()).coverage, name).toBeGreaterThan(0.02);
      await page.evaluate(() => window.stage.viewer?.setMode("plan"));
      expect((await judge()).coverage, name).toBeGreaterThan(0.1);
    }
  });
});

describe("the light of a model", () => {
  test("equals that of a plain three.js page with the same environment to within 5 %", async () => {
    const differences: [string, number][] = [];
    for (const name of ["metal", "clearcoat", "transmission", "dispersion", "helmet"] as const) {
      const { difference } = await judge(await open(name));
      differences.push([name, difference ?? 1]);
    }
    const [worst, most] = differences.reduce((a, b) => (b[1] > a[1] ? b : a));
    expect(most, `the worst is ${worst}`).toBeLessThanOrEqual(0.05);
  });

  test("ignores a texture that cannot be decoded", async () => {
    await open("metal");
    const { image } = await judge();
    await open("unreadable");
    expect((await judge()).image === image).toBe(true);
  });

  test("differs by day and in the evening, and leaves unlit materials unchanged", async () => {
    const images = new Set<string>();
    for (const light of [undefined, "daylight", "evening"] as const) {
      await open("metal", light);
      const { image, span } = await judge();
      expect(span, light).toBeGreaterThan(0.3);
      images.add(image);
    }
    expect(images.size).toBe(3);
    await open("unlit");
    const middle = await page.evaluate(
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
      expect(Math.abs((middle[channel] ?? 0) - value)).toBeLessThanOrEqual(2);
    });
  });

  test("of a file in physical units does not overexpose the model", async () => {
    await open("sun");
    const { image, span } = await judge();
    expect(span).toBeGreaterThan(0.15);
    const white = await page.evaluate(async (encoded) => {
      const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${encoded}`)).blob());
      const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
      context?.drawImage(bitmap, 0, 0);
      const { data = [] } = context?.getImageData(0, 0, bitmap.width, bitmap.height) ?? {};
      let count = 0;
      for (let offset = 0; offset < data.length; offset += 4)
        if ([0, 1, 2].every((channel) => (data[offset + channel] ?? 0) > 248)) count++;
      return (count * 4) / data.length;
    }, image);
    expect(white).toBeLessThan(0.005);
  });

  test("of a file with its own lights does not depend on the start that its owner set", async () => {
    const url = await open("sun");
    const detected = (await judge()).image;
    const start = await page.evaluate(() => window.stage.viewer?.viewpoint() ?? null);
    if (!start) throw new Error("There is no viewpoint.");
    const close = {
      ...start,
      position: start.position.map((value) => value * 0.4) as [number, number, number],
    };
    for (const mode of ["orbit", "walk"] as const) {
      await page.evaluate(
        async ([from, viewpoint, view]) => {
          window.stage.close();
          await window.stage.open({ kind: "model", url: from, start: viewpoint, eyeHeight: 1.6 }, [], true);
          await window.stage.viewer?.goTo(view);
        },
        [url, { ...close, mode }, start] as const,
      );
      expect(await mostDifferent(detected, (await judge()).image), mode).toBeLessThanOrEqual(3);
    }
  });

  test("and the shadow follow the pose in which a skin is shown", async () => {
    await open("stool");
    const { image } = await judge();
    await open("skinned");
    expect(await mostDifferent(image, (await judge()).image)).toBeLessThanOrEqual(3);
  });

  test("and the shadow return after a lost graphics context", async () => {
    await open("metal");
    const before = await judge();
    await page.evaluate(async () => {
      const canvas = document.querySelector("canvas");
      const lose = canvas?.getContext("webgl2")?.getExtension("WEBGL_lose_context");
      const back = new Promise((done) => canvas?.addEventListener("webglcontextrestored", done));
      canvas?.addEventListener("webglcontextlost", () => setTimeout(() => lose?.restoreContext(), 50));
      lose?.loseContext();
      await back;
    });
    const after = await judge();
    expect(await mostDifferent(before.image, after.image)).toBeLessThanOrEqual(3);
    expect(complaints.filter((text) => !/context/i.test(text))).toEqual([]);
  });
});
