import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Pin, ViewerSource } from "~/viewer/core/contract";
import { launchBrowser, STAGE } from "../../scripts/lib/browser";
import { pixelRatio, type VisitOptions, variety, visit, withoutWebGl } from "./browser";
import { modelSource, panoramaSource, pins, splatSource } from "./rooms";
import { type StageServer, serveStage } from "./serve";

let browser: Browser;
let server: StageServer;

beforeAll(async () => {
  [server, browser] = await Promise.all([serveStage(), launchBrowser(STAGE)]);
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

const sources = {
  model: modelSource("/rooms.glb"),
  panorama: panoramaSource(""),
  splat: splatSource("/rooms.spz"),
} as const;

/** The same source from another file. */
const from = (kind: keyof typeof sources, url: string): ViewerSource =>
  kind === "panorama"
    ? { ...sources.panorama, nodes: sources.panorama.nodes.map((node) => ({ ...node, url })) }
    : ({ ...sources[kind], url } as ViewerSource);

/** Files that are something else, cut off, or not there. */
const BAD = {
  model: ["/broken.glb", "/cut.glb", "/missing.glb"],
  panorama: ["/noise.jpg", "/wide.jpg", "/missing.jpg"],
  splat: ["/rooms.glb", "/cut.ply", "/missing.spz"],
} as const;

function onPage(act: (page: Page) => Promise<void>, options?: VisitOptions): Promise<void> {
  return visit(
    browser,
    `${server.origin}/adapters`,
    async (page) => {
      await page.waitForFunction(() => "stage" in window);
      await act(page);
    },
    options,
  );
}

const open = (page: Page, source: ViewerSource, list: readonly Pin[] = pins, reducedMotion = false) =>
  page.evaluate(([from, all, calm]) => window.stage.open(from, all, calm), [
    source,
    list,
    reducedMotion,
  ] as const);

const viewpoint = (page: Page) => page.evaluate(() => window.stage.viewer?.viewpoint() ?? null);

/** Waits until nothing moves any more. */
async function rest(page: Page): Promise<void> {
  let frames = -1;
  for (;;) {
    const now = await page.evaluate(() => window.frameCount);
    if (now === frames) return;
    frames = now;
    await page.waitForTimeout(120);
  }
}

const liveContexts = (page: Page) => page.evaluate(() => window.liveContexts());
const button = (page: Page, id: string) => page.locator(`[data-pin="${id}"]`);
const events = (page: Page, name: string) =>
  page.evaluate(
    (wanted) => window.stage.events.filter((event) => event.name === wanted).map(({ value }) => value),
    name,
  );

describe.each(["model", "panorama", "splat"] as const)("the %s adapter", (kind) => {
  const source = sources[kind];

  test("draws the space at its start, tells its progress, and shows the pins that are in sight", () =>
    onPage(async (page) => {
      expect(await open(page, source, pins, true)).toBe("ready");
      await rest(page);
      expect(await viewpoint(page)).toMatchObject({
        position: source.kind === "showcase" ? [] : source.start?.position,
      });
      expect(await variety(await page.screenshot())).toBeGreaterThan(15);
      expect(await events(page, "progress")).toContain(1);
      expect(await events(page, "ready")).toHaveLength(1);
      await page.evaluate(() => window.stage.viewer?.goTo({ pinId: "north" }, { transition: "instant" }));
      await rest(page);
      await expectVisible(page, "north", true);
      // Behind a wall, or not to be seen from this panorama.
      await expectVisible(page, "red", false);
    }));

  test("goes to every pin and has it on the screen, with its label", () =>
    onPage(async (page) => {
      await open(page, source, pins, true);
      for (const { id } of pins) {
        await page.evaluate((pinId) => window.stage.viewer?.goTo({ pinId }), id);
        await page.evaluate((pinId) => window.stage.viewer?.setOpenPin(pinId), id);
        await rest(page);
        await expectVisible(page, id, true);
        const box = await button(page, id).boundingBox();
        expect(box?.x, id).toBeGreaterThan(100);
        expect((box?.x ?? 0) + (box?.width ?? 0), id).toBeLessThan(540);
        await page.waitForTimeout(200);
        expect(
          await button(page, id)
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
      await rest(page);
      for (const [x, y] of [
        [320, 210],
        [320, 370],
        [60, 200],
        [600, 40],
      ] as const) {
        const [hit, from] = await page.evaluate(
          ([px, py]) => [window.stage.viewer?.pick(px, py), window.stage.viewer?.viewpoint()] as const,
          [x, y] as const,
        );
        if (!hit || !from) throw new Error("nothing was picked");
        expect(Math.hypot(...hit.normal)).toBeCloseTo(1, 4);
        const towards = hit.position.map((value, axis) => value - (from.position[axis] ?? 0));
        expect(towards.reduce((sum, value, axis) => sum + value * (hit.normal[axis] ?? 0), 0)).toBeLessThan(
          0,
        );
        // A pin that is put there appears where it was picked.
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
        await rest(page);
        const box = await button(page, "here").boundingBox();
        expect((box?.x ?? 0) + 20).toBeCloseTo(x, -0.5);
        expect((box?.y ?? 0) + 20).toBeCloseTo(y, -0.5);
      }
      await page.evaluate((all) => window.stage.viewer?.setPins(all), pins);
      await rest(page);
      const box = await button(page, "north").boundingBox();
      const [x, y] = [(box?.x ?? 0) + 20, (box?.y ?? 0) + 20];
      expect(
        await page.evaluate(([px, py]) => window.stage.viewer?.pick(px, py)?.pinId, [x, y] as const),
      ).toBe("north");
    }));

  test("comes back to a viewpoint that it told, and ignores one that is nowhere", () =>
    onPage(async (page) => {
      await open(page, source, pins, true);
      await page.evaluate(() => window.stage.viewer?.goTo({ pinId: "red" }, { transition: "instant" }));
      const there = await viewpoint(page);
      await page.evaluate(() => window.stage.viewer?.goTo({ pinId: "north" }, { transition: "instant" }));
      expect(await viewpoint(page)).not.toEqual(there);
      if (there) await page.evaluate((view) => window.stage.viewer?.goTo(view), there);
      const back = await viewpoint(page);
      expect(back?.nodeId).toBe(there?.nodeId);
      there?.position.forEach((value, axis) => {
        expect(back?.position[axis]).toBeCloseTo(value, 3);
      });
      for (const position of [
        [Number.NaN, 0, 0],
        [1e6, 1e6, 1e6],
      ] as const)
        await page.evaluate((at) => {
          const to = { position: at, yaw: Number.NaN, pitch: 0, mode: "walk" as const };
          return window.stage.viewer?.goTo(to as never);
        }, position);
      expect((await viewpoint(page))?.position).toEqual(back?.position);
    }));

  test("turns by dragging, by key and only as far up as one can look", () =>
    onPage(async (page) => {
      await open(page, source);
      const before = await viewpoint(page);
      await page.mouse.move(480, 300);
      await page.mouse.down();
      await page.mouse.move(600, 300, { steps: 4 });
      await page.mouse.up();
      await rest(page);
      const dragged = await viewpoint(page);
      expect((dragged?.yaw ?? 0) - (before?.yaw ?? 0)).toBeGreaterThan(0.1);
      await page.mouse.move(480, 60);
      await page.mouse.down();
      for (let count = 0; count < 5; count++) await page.mouse.move(480, 60 + count * 80, { steps: 3 });
      await page.mouse.up();
      await rest(page);
      await page.keyboard.down("PageUp");
      await page.waitForTimeout(1200);
      await page.keyboard.up("PageUp");
      await rest(page);
      expect((await viewpoint(page))?.pitch).toBeLessThan(Math.PI / 2);
      await page.keyboard.down("ArrowRight");
      await page.waitForTimeout(400);
      await page.keyboard.up("ArrowRight");
      await rest(page);
      expect((await viewpoint(page))?.yaw).toBeLessThan((dragged?.yaw ?? 0) - 0.1);
    }));

  test("opens pins by click and by key, in the list's order, and not by a drag that ends on one", () =>
    onPage(async (page) => {
      await open(page, source, pins, true);
      await page.evaluate(() => window.stage.viewer?.goTo({ pinId: "north" }));
      await rest(page);
      await button(page, "north").click();
      expect(await events(page, "pinopen")).toEqual(["north"]);
      const box = await button(page, "north").boundingBox();
      const [x, y] = [(box?.x ?? 0) + 20, (box?.y ?? 0) + 20];
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + 60, y, { steps: 3 });
      await page.mouse.up();
      await rest(page);
      expect(await events(page, "pinopen")).toHaveLength(1);
      await page.evaluate(() => window.stage.viewer?.goTo({ pinId: "west-b" }));
      await rest(page);
      await page.locator("canvas").focus();
      const order: string[] = [];
      for (let count = 0; count < 9; count++) {
        await page.keyboard.press("Tab");
        await rest(page);
        const id = await page.evaluate(() => (document.activeElement as HTMLElement).dataset.pin ?? "");
        if (id && !order.includes(id)) order.push(id);
        if (id === "west-b") {
          await page.keyboard.press("Enter");
          expect((await events(page, "pinopen")).at(-1)).toBe("west-b");
        }
      }
      expect(order).toEqual(pins.map(({ id }) => id).filter((id) => order.includes(id)));
      expect(order).toEqual(expect.arrayContaining(["west-a", "west-b", "west-c"]));
    }));

  test("folds pins that are close together into one disc, which a click unfolds", () =>
    onPage(async (page) => {
      await open(page, source, pins, true);
      const home = {
        position: [-3, 1.6, 4.5],
        yaw: Math.PI / 2 - 0.7,
        pitch: 0,
        mode: "walk",
        nodeId: "green",
      };
      await page.evaluate((view) => window.stage.viewer?.goTo(view as never), home);
      await rest(page);
      const shown = async () => {
        const list = await Promise.all(
          ["west-a", "west-b", "west-c"].map((id) =>
            button(page, id).evaluate((one) => getComputedStyle(one).opacity),
          ),
        );
        return list.filter((opacity) => opacity === "1").length;
      };
      await expect.poll(shown).toBe(1);
      const leader = page.locator('[data-pin^="west"][data-cluster]');
      expect(await leader.getAttribute("title")).toBe("3 items");
      await leader.click();
      await expect.poll(shown).toBe(3);
      const boxes = await Promise.all(
        ["west-a", "west-b", "west-c"].map((id) => button(page, id).boundingBox()),
      );
      const tops = boxes.map((box) => box?.y ?? 0);
      expect(tops).toEqual([...tops].sort((a, b) => a - b));
      await button(page, "west-c").click();
      expect(await events(page, "pinopen")).toEqual(["west-c"]);
    }));

  test("draws nothing while nothing moves", () =>
    onPage(async (page) => {
      await open(page, source);
      await rest(page);
      const before = await page.evaluate(() => window.frameCount);
      await page.waitForTimeout(600);
      expect(await page.evaluate(() => window.frameCount)).toBe(before);
    }));

  test("follows the size of its host", () =>
    onPage(async (page) => {
      await open(page, source);
      await page.setViewportSize({ width: 500, height: 700 });
      await rest(page);
      const size = await page
        .locator("canvas")
        .evaluate((canvas) => [(canvas as HTMLCanvasElement).width, canvas.clientWidth]);
      expect(size).toEqual([500 * pixelRatio, 500]);
      expect(await variety(await page.screenshot())).toBeGreaterThan(10);
    }));

  test("jumps instead of flying when reduced motion is asked for", () =>
    onPage(async (page) => {
      await open(page, source, pins, true);
      const took = await page.evaluate(async () => {
        const start = performance.now();
        await window.stage.viewer?.goTo({ pinId: "red" });
        return performance.now() - start;
      });
      expect(took).toBeLessThan(200);
    }));

  test("ends a flight when another one begins, and tells both that they are over", () =>
    onPage(async (page) => {
      await open(page, source);
      await page.evaluate(async () => {
        const first = window.stage.viewer?.goTo({ pinId: "red" });
        await new Promise((resolve) => setTimeout(resolve, 100));
        await Promise.all([first, window.stage.viewer?.goTo({ pinId: "north" })]);
      });
      await rest(page);
      await expectVisible(page, "north", true);
    }));

  test("leaves nothing behind when it is left in the middle of a load, and can be disposed of twice", () =>
    onPage(async (page) => {
      const slow = from(kind, "/slow.glb");
      const names = await page.evaluate(async (from) => {
        const results: string[] = [];
        for (const how of ["abort", "dispose"] as const) {
          const viewer = window.stage.make(from.kind);
          const leave = new AbortController();
          const loading = viewer.load(from, leave.signal).then(
            () => "ready",
            (error: Error) => error.name,
          );
          await new Promise((resolve) => setTimeout(resolve, 200));
          if (how === "abort") leave.abort();
          else viewer.dispose();
          results.push(await loading);
          viewer.dispose();
          viewer.dispose();
          results.push(String(await viewer.goTo({ pinId: "north" })), String(viewer.pick(10, 10)));
        }
        return results;
      }, slow);
      expect(names).toEqual(["AbortError", "undefined", "null", "AbortError", "undefined", "null"]);
      expect(await page.locator("canvas, [data-pin], [data-stop]").count()).toBe(0);
      expect(await liveContexts(page)).toBe(0);
    }));

  test("says load_failed for files that are missing, cut off or something else", () =>
    onPage(
      async (page) => {
        for (const url of BAD[kind]) {
          expect(await open(page, from(kind, url)), url).toBe("load_failed");
          expect(await page.locator("canvas").count()).toBe(0);
        }
        expect(await liveContexts(page)).toBe(0);
      },
      { expected: /404|Worker error/ },
    ));

  test("says webgl_unavailable in a browser without graphics", () =>
    onPage(
      async (page) => {
        expect(await open(page, source)).toBe("webgl_unavailable");
        expect(await page.locator("canvas").count()).toBe(0);
      },
      { prepare: withoutWebGl },
    ));

  test("goes on after a graphics context that comes back, and says context_lost after one that does not", () =>
    onPage(
      async (page) => {
        await open(page, source);
        await page.evaluate(() => {
          const canvas = document.querySelector("canvas");
          const extension = canvas?.getContext("webgl2")?.getExtension("WEBGL_lose_context");
          extension?.loseContext();
          setTimeout(() => extension?.restoreContext(), 300);
        });
        await page.waitForTimeout(800);
        await page.evaluate(() => window.stage.viewer?.goTo({ pinId: "north" }, { transition: "instant" }));
        await rest(page);
        expect(await variety(await page.locator("canvas").screenshot())).toBeGreaterThan(5);
        expect(await events(page, "error")).toEqual([]);
        await page.evaluate(() =>
          document
            .querySelector("canvas")
            ?.getContext("webgl2")
            ?.getExtension("WEBGL_lose_context")
            ?.loseContext(),
        );
        await expect.poll(() => events(page, "error"), { timeout: 8000 }).toEqual(["context_lost"]);
      },
      { expected: /Context Lost|Context Restored|CONTEXT_LOST/i },
    ));
});

test("a picture is taken of what is seen, and of files that are not shown at all", () =>
  onPage(
    async (page) => {
      await open(page, sources.splat, pins, true);
      const seen = await page.evaluate(() => window.stage.picture(200));
      expect(seen).toMatchObject({ width: 200, type: "image/webp" });
      expect(seen?.deviation).toBeGreaterThan(8);
      await page.evaluate(() => window.stage.close());
      for (const [url, kind] of [
        ["/rooms.glb", "model"],
        ["/rooms.spz", "splat"],
      ] as const) {
        const still = await page.evaluate(([from, what]) => window.stage.still(from, what), [
          url,
          kind,
        ] as const);
        expect(still?.deviation, kind).toBeGreaterThan(8);
        expect(still?.width, kind).toBeGreaterThanOrEqual(320);
      }
      expect(await page.evaluate(() => window.stage.still("/broken.glb", "model"))).toBeNull();
      expect(await page.evaluate(() => window.stage.picture(200))).toBeNull();
      expect(await page.locator("canvas").count()).toBe(0);
      expect(await liveContexts(page)).toBe(0);
    },
    // Pictures of the usual size want their pixels.
    { deviceScaleFactor: 0.5 },
  ));

describe("the splat adapter alone", () => {
  test("reads every format, whichever way is up, and begins outside where nobody has said it", () =>
    onPage(async (page) => {
      for (const format of ["ply", "splat", "ksplat", "spz"]) {
        expect(await open(page, from("splat", `/rooms.${format}`), [], true), format).toBe("ready");
        await rest(page);
        expect(await variety(await page.screenshot()), format).toBeGreaterThan(15);
        const hit = await page.evaluate(() => window.stage.viewer?.pick(600, 400));
        expect(hit?.position[1], format).toBeCloseTo(0, 1);
        await page.evaluate(() => window.stage.close());
      }
      // The rooms are 3 m high and stand on z 0…6: on their head and on their back they lie elsewhere.
      for (const [up, axis, low, high] of [
        ["-y", 2, -6.2, 0.2],
        ["z", 2, -3.2, 0.2],
      ] as const) {
        await open(page, { ...sources.splat, up, start: null }, [], true);
        await rest(page);
        expect(await viewpoint(page)).toMatchObject({ mode: "orbit" });
        const hit = await page.evaluate(() => window.stage.viewer?.pick(320, 210));
        expect(hit?.position[axis], up).toBeGreaterThan(low);
        expect(hit?.position[axis], up).toBeLessThan(high);
        await page.evaluate(() => window.stage.close());
      }
      expect(await liveContexts(page)).toBe(0);
    }));

  test("refuses more splats than the device can hold", () =>
    onPage(async (page) => {
      expect(await open(page, from("splat", "/many.ply"))).toBe("refused");
      expect(await page.locator("canvas").count()).toBe(0);
    }));
});

describe("the model adapter alone", () => {
  const press = async (page: Page, key: string, milliseconds: number) => {
    await page.locator("canvas").focus();
    await page.keyboard.down(key);
    await page.waitForTimeout(milliseconds);
    await page.keyboard.up(key);
    await rest(page);
  };
  const stand = (page: Page, x: number, z: number, yaw: number) =>
    page.evaluate(
      ([px, pz, turn]) =>
        window.stage.viewer?.goTo(
          { position: [px, 1.6, pz], yaw: turn, pitch: 0, mode: "walk" },
          { transition: "instant" },
        ),
      [x, z, yaw] as const,
    );

  test("walks by key until a wall is in the way, and through the door", () =>
    onPage(async (page) => {
      await open(page, sources.model, [], true);
      await stand(page, -1, 1, -Math.PI / 2);
      await press(page, "KeyW", 800);
      const [x = 9, y = 9, z = 9] = (await viewpoint(page))?.position ?? [];
      expect(x).toBeGreaterThan(-0.5);
      expect(x).toBeLessThan(-0.2);
      expect(y).toBeCloseTo(1.6, 1);
      expect(z).toBeCloseTo(1, 1);
      await stand(page, -0.6, 3, -Math.PI / 2);
      await press(page, "ArrowUp", 900);
      expect((await viewpoint(page))?.position[0]).toBeGreaterThan(0.4);
      await stand(page, -4.4, 3, -Math.PI / 2);
      await press(page, "KeyW", 800);
      // The bench.
      expect((await viewpoint(page))?.position[0]).toBeLessThan(-3.7);
    }));

  test("stops walking when the key is lifted elsewhere", () =>
    onPage(async (page) => {
      await open(page, sources.model, []);
      await page.locator("canvas").focus();
      await page.keyboard.down("KeyW");
      await page.waitForTimeout(200);
      await page.evaluate(() => (document.activeElement as HTMLElement).blur());
      await rest(page);
      const before = await viewpoint(page);
      await page.waitForTimeout(300);
      expect(await viewpoint(page)).toEqual(before);
    }));

  test("goes to where the floor is clicked, also around the wall", () =>
    onPage(async (page) => {
      await open(page, sources.model, [], true);
      await stand(page, -1.5, 4.8, 0);
      await page.evaluate(() =>
        window.stage.viewer?.goTo({ position: [-1.5, 1.6, 4.8], yaw: 0, pitch: -0.5, mode: "walk" }),
      );
      const hit = await page.evaluate(() => window.stage.viewer?.pick(420, 330));
      expect(hit?.normal[1]).toBeCloseTo(1);
      await page.mouse.click(420, 330);
      await page.waitForTimeout(100);
      await rest(page);
      const there = await viewpoint(page);
      expect(there?.position[0]).toBeCloseTo(hit?.position[0] ?? 99, 1);
      expect(there?.position[2]).toBeCloseTo(hit?.position[2] ?? 99, 1);
    }));

  test("shows the floor from above, without ceilings, and leads back inside", () =>
    onPage(async (page) => {
      await open(page, sources.model, pins, true);
      for (const mode of ["plan", "orbit"] as const) {
        await page.evaluate((next) => window.stage.viewer?.setMode(next), mode);
        await rest(page);
        expect((await viewpoint(page))?.mode).toBe(mode);
        const hit = await page.evaluate(() => window.stage.viewer?.pick(400, 250));
        expect(hit?.position[1]).toBeLessThan(2.9);
        await expectVisible(page, "red", true);
        expect(await variety(await page.screenshot())).toBeGreaterThan(20);
      }
      const outside = await viewpoint(page);
      await page.keyboard.press("Tab");
      await page.mouse.move(480, 300);
      await page.mouse.down();
      await page.mouse.move(560, 340, { steps: 3 });
      await page.mouse.up();
      await page.mouse.wheel(0, -300);
      await rest(page);
      expect((await viewpoint(page))?.position).not.toEqual(outside?.position);
      await page.evaluate(() => window.stage.viewer?.setMode("walk"));
      await rest(page);
      expect((await viewpoint(page))?.position).toEqual([-1.5, 1.6, 4.8]);
      expect(await events(page, "mode")).toEqual(["plan", "orbit", "walk"]);
    }));

  test("enters the room whose floor is clicked on the plan", () =>
    onPage(async (page) => {
      await open(page, sources.model, [], true);
      await page.evaluate(() => window.stage.viewer?.setMode("plan"));
      await rest(page);
      const spot = await page.evaluate(() => window.stage.viewer?.pick(450, 230));
      await page.mouse.click(450, 230);
      await rest(page);
      expect(await viewpoint(page)).toMatchObject({ mode: "walk" });
      expect((await viewpoint(page))?.position[0]).toBeCloseTo(spot?.position[0] ?? 99, 0);
    }));

  test("looks with one finger and walks with two", () =>
    onPage(
      async (page) => {
        await open(page, sources.model, []);
        await stand(page, -1.5, 4.8, 0);
        const before = await viewpoint(page);
        const client = await page.context().newCDPSession(page);
        const touch = (
          type: "touchStart" | "touchMove" | "touchEnd",
          ...touchPoints: { x: number; y: number }[]
        ) =>
          client.send("Input.dispatchTouchEvent", {
            type,
            touchPoints: touchPoints.map((at, id) => ({ ...at, id })),
          });
        await touch("touchStart", { x: 300, y: 300 });
        for (const x of [320, 350, 400]) await touch("touchMove", { x, y: 300 });
        await touch("touchEnd");
        await rest(page);
        const looked = await viewpoint(page);
        expect(looked?.position).toEqual(before?.position);
        expect(looked?.yaw).toBeGreaterThan((before?.yaw ?? 0) + 0.05);
        await stand(page, -1.5, 4.8, 0);
        await touch("touchStart", { x: 280, y: 300 }, { x: 360, y: 300 });
        for (const apart of [60, 100, 160])
          await touch("touchMove", { x: 320 - apart, y: 300 }, { x: 320 + apart, y: 300 });
        await touch("touchEnd");
        await rest(page);
        expect((await viewpoint(page))?.position[2]).toBeLessThan(4.3);
      },
      { hasTouch: true },
    ));

  test("flies to a pin in the next room through the door", () =>
    onPage(async (page) => {
      await open(page, sources.model);
      await stand(page, -1.5, 1, 0);
      const seen = await page.evaluate(async () => {
        const places: (readonly number[])[] = [];
        const timer = setInterval(() => places.push(window.stage.viewer?.viewpoint().position ?? []), 15);
        await window.stage.viewer?.goTo({ pinId: "red" });
        clearInterval(timer);
        return places;
      });
      const crossing = seen.filter(([x = 9]) => Math.abs(x) < 0.25);
      for (const [, , z] of crossing) {
        expect(z).toBeGreaterThan(2.5);
        expect(z).toBeLessThan(3.5);
      }
      expect((await viewpoint(page))?.position[0]).toBeGreaterThan(2);
    }));
});

describe("the panorama adapter alone", () => {
  test("steps to the neighbour in the direction of the look by key, and by the ring on the floor", () =>
    onPage(async (page) => {
      await open(page, sources.panorama, [], true);
      await page.locator("canvas").focus();
      // The door is to the right of the start's look, within its wedge.
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
      await expect.poll(async () => (await viewpoint(page))?.nodeId).toBe("door");
      await page.getByRole("button", { name: "Go to Red room" }).click();
      await expect.poll(async () => (await viewpoint(page))?.nodeId).toBe("red");
      await page.locator("canvas").focus();
      await page.keyboard.press("ArrowDown");
      await expect.poll(async () => (await viewpoint(page))?.nodeId).toBe("door");
      expect(await events(page, "node")).toEqual(["door", "red", "door"]);
      await rest(page);
      expect(await variety(await page.screenshot())).toBeGreaterThan(15);
    }));

  test("keeps pins off the rings and the page's buttons, and shows at the edge the one that the visitor is led to", () =>
    onPage(async (page) => {
      const towardsDoor = {
        position: [-3, 1.6, 4.5],
        yaw: -1.1,
        pitch: -0.3,
        mode: "walk",
        nodeId: "green",
      } as const;
      const [first] = pins;
      if (!first) throw new Error("There are no pins");
      const onRing = { ...first, id: "on-ring", position: [0, 0, 3], stem: [0, 0.02, 0] } as const;
      const behind = { ...first, id: "behind", position: [-5.9, 1.5, 5], stem: [0.1, 0, 0] } as const;
      const list = [onRing, behind].map((one) => ({ ...one, viewpoint: towardsDoor }));
      await open(page, sources.panorama, list, true);
      await page.evaluate((view) => window.stage.viewer?.goTo(view), towardsDoor);
      await expectVisible(page, "on-ring", true);
      await expectVisible(page, "behind", false);
      const box = async (selector: string) => {
        const found = await page.locator(selector).boundingBox();
        if (!found) throw new Error(`${selector} is not there`);
        return found;
      };
      const disc = await box('[data-pin="on-ring"]');
      const ring = await box('[data-stop="door"]');
      const apart =
        disc.x + disc.width <= ring.x + 1 ||
        disc.x >= ring.x + ring.width - 1 ||
        disc.y + disc.height <= ring.y + 1 ||
        disc.y >= ring.y + ring.height - 1;
      expect(apart).toBe(true);

      await page.evaluate(() => window.stage.viewer?.goTo({ pinId: "behind" }));
      await expectVisible(page, "behind", true);
      await page.evaluate(() =>
        window.stage.viewer?.keepFree([{ left: 0, top: 250, right: 640, bottom: 420 }]),
      );
      await rest(page);
      for (const id of ["on-ring", "behind"]) {
        const { x, y, width, height } = await box(`[data-pin="${id}"]`);
        expect(x, id).toBeGreaterThanOrEqual(0);
        expect(x + width, id).toBeLessThanOrEqual(640);
        expect(y, id).toBeGreaterThanOrEqual(0);
        expect(y + height, id).toBeLessThanOrEqual(251);
      }
      // Whoever moves on by himself is led no longer.
      await page.mouse.move(300, 100);
      await page.mouse.down();
      await page.mouse.move(310, 100);
      await page.mouse.up();
      await expectVisible(page, "behind", false);
    }));

  test("cross-fades while it moves, and cannot be stopped between two places", () =>
    onPage(async (page) => {
      await open(page, sources.panorama, []);
      const arrived = page.evaluate(() =>
        window.stage.viewer?.goTo({
          position: [0, 1.6, 3],
          yaw: -1.2,
          pitch: 0,
          mode: "walk",
          nodeId: "door",
        }),
      );
      await page.waitForTimeout(250);
      await page.mouse.move(480, 300);
      await page.mouse.down();
      await page.mouse.up();
      await arrived;
      await rest(page);
      expect((await viewpoint(page))?.position).toEqual([0, 1.6, 3]);
    }));

  test("fetches the neighbours' pictures ahead, and only those", () =>
    onPage(async (page) => {
      const fetched: string[] = [];
      page.on("request", (request) => fetched.push(new URL(request.url()).pathname));
      await open(page, sources.panorama, []);
      await expect.poll(() => fetched).toContain("/door.jpg");
      expect(fetched).not.toContain("/red.jpg");
    }));

  test("stays where it is when the next picture does not come, and says so", () =>
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
      expect(await events(page, "error")).toEqual(["load_failed"]);
      expect((await viewpoint(page))?.nodeId).toBe("green");
      expect(await page.locator("[data-stop]").count()).toBe(0);
    }));

  test("zooms by wheel and key, within limits", () =>
    onPage(async (page) => {
      await open(page, sources.panorama, pins, true);
      await page.evaluate(() => window.stage.viewer?.goTo({ pinId: "north" }));
      const { yaw = 0 } = (await viewpoint(page)) ?? {};
      const home = { position: [-3, 1.6, 4.5], yaw: yaw + 0.06, pitch: 0, mode: "walk", nodeId: "green" };
      await page.evaluate((view) => window.stage.viewer?.goTo(view as never), home);
      // How far a pin beside the middle is from it, in pixels, tells how large things are.
      const size = async () => {
        await rest(page);
        return ((await button(page, "north").boundingBox())?.x ?? 0) + 20 - 320;
      };
      const before = await size();
      expect(before).toBeGreaterThan(10);
      await page.mouse.move(480, 300);
      for (let count = 0; count < 30; count++) await page.mouse.wheel(0, -300);
      const near = await size();
      expect(near).toBeGreaterThan(before * 2);
      expect(near).toBeLessThan(before * 6);
      await page.locator("canvas").focus();
      for (let count = 0; count < 30; count++) await page.keyboard.press("-");
      const far = await size();
      expect(far).toBeLessThan(before);
      expect(far).toBeGreaterThan(before / 2);
    }));
});

describe("the showcase adapter", () => {
  const source: ViewerSource = {
    kind: "showcase",
    src: "https://my.matterport.com/show/?m=SxQL3iGyoDo&play=1",
    title: "A house",
  };

  test("embeds the showcase with everything its frame needs", () =>
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

  test("refuses addresses that are not https", () =>
    onPage(async (page) => {
      for (const src of [
        "http://my.matterport.com/show",
        "javascript:alert(1)",
        "data:text/html,x",
        "not an address",
      ])
        expect(await open(page, { ...source, src }), src).toBe("refused");
      expect(await page.locator("iframe").count()).toBe(0);
    }));
});

test("twenty visits in one tab leave no canvas, no context, no listener and no memory behind", () =>
  onPage(async (page) => {
    const client = await page.context().newCDPSession(page);
    await client.send("Performance.enable");
    await client.send("HeapProfiler.enable");
    const round = (times: number) =>
      page.evaluate(
        async ([model, panorama, list, count]) => {
          for (let visits = 0; visits < count; visits++) {
            await window.stage.open(visits % 2 ? panorama : model, list, true);
            await window.stage.viewer?.goTo({ pinId: "red" });
            await new Promise((resolve) => requestAnimationFrame(resolve));
            window.stage.close();
          }
        },
        [sources.model, sources.panorama, pins, times] as const,
      );
    const measure = async () => {
      for (let count = 0; count < 3; count++) await client.send("HeapProfiler.collectGarbage");
      const { metrics } = await client.send("Performance.getMetrics");
      const read = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
      return { listeners: read("JSEventListeners"), nodes: read("Nodes"), heap: read("JSHeapUsedSize") };
    };
    await round(4);
    const before = await measure();
    await round(20);
    const after = await measure();
    expect(await page.locator("canvas, iframe, [data-pin], [data-stop]").count()).toBe(0);
    expect(await liveContexts(page)).toBe(0);
    expect(after.listeners).toBeLessThanOrEqual(before.listeners + 2);
    expect(after.nodes).toBeLessThanOrEqual(before.nodes + 20);
    expect(after.heap - before.heap).toBeLessThan(1_500_000);
  }));

/** Waits for a pin to be seen, or not to be. */
async function expectVisible(page: Page, id: string, visible: boolean): Promise<void> {
  await expect
    .poll(
      () =>
        button(page, id).evaluate((one) => {
          const style = getComputedStyle(one);
          return style.visibility === "visible" && Number(style.opacity) > 0.9;
        }),
      { message: `pin ${id}` },
    )
    .toBe(visible);
}
