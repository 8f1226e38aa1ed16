/** Tests a connected showcase, on a fake that implements the real handshake (tests/support/external/showcase.ts). */
import type { Frame, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import type { Pin, Viewpoint } from "~/viewer/core/contract";
import { type FakeShowcase, SHOWCASE_KEY, type ShowcaseBehaviour } from "../support/external/showcase";
import { connectedShowcase, onPage, open, readEvents, readViewpoint, withBrowser } from "./adapters";
import { media, pins } from "./rooms";

withBrowser();

const behaving = (behave: ShowcaseBehaviour, key: string | null = SHOWCASE_KEY) => ({
  ...connectedShowcase,
  src: `${connectedShowcase.src}&behave=${behave}`,
  key,
});

function frameOf(page: Page): Frame {
  const frame = page.frames().find((frame) => frame.url().startsWith("https://my.matterport.com/"));
  if (!frame) throw new Error("There is no showcase");
  return frame;
}

type Inside = Window & typeof globalThis & { fakeShowcase: FakeShowcase };
const tagsIn = (page: Page) =>
  frameOf(page).evaluate(() => Object.values((window as Inside).fakeShowcase.tags()));
const connection = (page: Page) => page.evaluate(() => window.stage.viewer?.connection);
const poseIn = (page: Page) => frameOf(page).evaluate(() => (window as Inside).fakeShowcase.pose());

const callsIn = (page: Page) => frameOf(page).evaluate(() => (window as Inside).fakeShowcase.calls);

/** Result of a flight: "arrived", or the code of the error. */
const outcomeOf = (page: Page, target: Viewpoint | { readonly pinId: string }) =>
  page.evaluate(
    (to) =>
      window.stage.viewer?.goTo(to).then(
        () => "arrived",
        (error: { code: string }) => error.code,
      ),
    target,
  );

/** Current position of a point of the space on the page. */
async function onScreen(page: Page, point: readonly [number, number, number]): Promise<[number, number]> {
  return frameOf(page).evaluate((target) => (window as Inside).fakeShowcase.screen(target), point);
}

const pin = (fields: Partial<Pin>): Pin => ({
  id: "one",
  type: "tag",
  label: "One",
  color: "#ff8000",
  icon: "",
  viewpoint: null,
  position: [-3, 1.5, 0],
  stem: [0, 0, 0.25],
  ...fields,
});

describe("a connected showcase", () => {
  test("has the event's pins and media as its tags, follows their changes, and opens none of them automatically", () =>
    onPage(async (page) => {
      const [hung] = media;
      if (!hung) throw new Error("There are no media");
      expect(
        await open(page, connectedShowcase, [pin({}), pin({ id: "two", label: "Two" })], true, [hung]),
      ).toBe("ready");
      expect(await connection(page)).toBe("connected");
      await expect
        .poll(async () => (await tagsIn(page)).map(({ label }) => label))
        .toEqual(["One", "Two", hung.title]);
      await expect.poll(async () => (await tagsIn(page)).map(({ allowed }) => allowed)).toEqual([{}, {}, {}]);
      expect((await tagsIn(page))[0]).toMatchObject({
        anchor: [-3, 1.5, 0],
        stem: [0, 0, 0.25],
        color: [1, 128 / 255, 0],
        opacity: 1,
      });
      // A tag that visitors do not see is paler, and its name says so.
      await page.evaluate(
        ([pins, media]) => {
          window.stage.viewer?.setPins(pins);
          window.stage.viewer?.setMedia(media);
        },
        [
          [pin({ isDraft: true }), pin({ id: "two", label: "Two" })],
          [{ ...hung, title: "Poster (hidden)", draftMark: "Hidden" }],
        ] as const,
      );
      await expect
        .poll(async () => (await tagsIn(page)).map(({ label, opacity }) => [label, opacity]))
        .toEqual([
          ["One", 0.6],
          ["Two", 1],
          ["Poster (hidden)", 0.6],
        ]);
      await page.evaluate((all) => window.stage.viewer?.setMedia(all), [hung]);
      // After many changes at once, the last one applies.
      await page.evaluate(
        (all) => {
          for (const list of all) window.stage.viewer?.setPins(list);
        },
        [
          [pin({ label: "Uno" })],
          [],
          [
            pin({ label: "Ichi", position: [-2, 1, 0], color: "#000000" }),
            pin({ id: "three", label: "Three" }),
          ],
        ],
      );
      await expect
        .poll(async () => (await tagsIn(page)).map(({ label, anchor, color }) => ({ label, anchor, color })))
        .toEqual(
          expect.arrayContaining([
            { label: "Ichi", anchor: [-2, 1, 0], color: [0, 0, 0] },
            expect.objectContaining({ label: "Three" }),
            expect.objectContaining({ label: hung.title }),
          ]),
        );
      expect(await tagsIn(page)).toHaveLength(3);
      await page.evaluate(() => window.stage.viewer?.setOpenPin("three"));
      await expect.poll(async () => (await tagsIn(page)).filter(({ opacity }) => opacity < 1).length).toBe(2);
      await page.evaluate(() => window.stage.viewer?.setOpenPin(null));
      await expect.poll(async () => (await tagsIn(page)).filter(({ opacity }) => opacity < 1).length).toBe(0);
    }));

  test("keeps all other tags when it rejects one of them", () =>
    onPage(async (page) => {
      await open(page, connectedShowcase, [
        pin({}),
        pin({ id: "bad", label: "refused" }),
        pin({ id: "two", label: "Two" }),
      ]);
      await expect.poll(async () => (await tagsIn(page)).map(({ label }) => label)).toEqual(["One", "Two"]);
    }));

  test("updates many tags in batches, and does not dim them when there are very many", () =>
    onPage(async (page) => {
      const many = (count: number) =>
        Array.from({ length: count }, (_, index) => pin({ id: `pin-${index}`, label: `Pin ${index}` }));
      const dimmed = async () => (await tagsIn(page)).filter(({ opacity }) => opacity < 1).length;
      await open(page, behaving("slow"), many(100));
      const silenced = async () =>
        (await tagsIn(page)).filter(({ allowed }) => !("opening" in allowed)).length;
      await expect.poll(silenced).toBe(100);
      await page.evaluate(() => window.stage.viewer?.setOpenPin("pin-7"));
      await expect.poll(dimmed).toBe(99);
      const busiest = await frameOf(page).evaluate(() => (window as Inside).fakeShowcase.maxConcurrentCalls);
      expect(busiest).toBeGreaterThan(1);
      expect(busiest).toBeLessThan(50);
      await page.evaluate((pins) => window.stage.viewer?.setPins(pins), many(101));
      await expect.poll(silenced).toBe(101);
      await expect.poll(dimmed).toBe(0);
      const before = (await callsIn(page)).length;
      await page.evaluate(
        (pins) => {
          window.stage.viewer?.setOpenPin("pin-8");
          window.stage.viewer?.setPins(pins);
        },
        [...many(101), pin({ id: "last", label: "Last" })],
      );
      await expect.poll(silenced).toBe(102);
      await page.evaluate((pins) => window.stage.viewer?.setPins(pins), many(101));
      await expect.poll(async () => (await tagsIn(page)).length).toBe(101);
      expect((await callsIn(page)).slice(before)).not.toContain("Tag.editOpacity");
    }));

  test("reports the clicked tag every time, and shows its name under the pointer", () =>
    onPage(async (page) => {
      await open(page, connectedShowcase, [pin({})]);
      await expect.poll(async () => (await tagsIn(page)).length).toBe(1);
      const point = await onScreen(page, [-3, 1.5, 0.25]);
      await page.mouse.move(...point);
      const name = page.getByText("One", { exact: true });
      await name.waitFor();
      const box = await name.boundingBox();
      expect((box?.x ?? 0) + (box?.width ?? 0) / 2).toBeCloseTo(point[0], -1);
      for (const count of [1, 2]) {
        await page.mouse.click(...point);
        await expect.poll(() => readEvents(page, "pinopen")).toEqual(Array(count).fill("one"));
      }
      await page.mouse.move(point[0] + 200, point[1]);
      await name.waitFor({ state: "hidden" });
    }));

  test("flies to pins and viewpoints, reports its resting position, and reports a viewpoint that a link can restore", () =>
    onPage(async (page) => {
      await open(page, connectedShowcase, [pin({ position: [5.9, 1.6, 1.5], stem: [-0.2, 0, 0] })]);
      await page.evaluate(() => window.stage.viewer?.goTo({ pinId: "one" }));
      expect((await poseIn(page)).sweep).toBe("red");
      expect((await poseIn(page)).rotation.y).toBeCloseTo(-90, 3);
      const arrivalView = await readViewpoint(page);
      expect(arrivalView).toMatchObject({ mode: "walk", nodeId: "red", position: [3, 1.6, 1.5] });
      expect(arrivalView?.yaw).toBeCloseTo(-Math.PI / 2, 5);
      await expect.poll(() => readEvents(page, "settled")).toContainEqual(arrivalView);
      await page.evaluate(() => window.stage.viewer?.setMode("orbit"));
      await expect.poll(async () => (await readViewpoint(page))?.mode).toBe("orbit");
      await page.evaluate(() => window.stage.viewer?.setMode("walk"));
      await expect.poll(async () => (await poseIn(page)).mode, { timeout: 5000 }).toBe("mode.inside");
      expect((await poseIn(page)).sweep).toBe("red");
      expect(await readEvents(page, "mode")).toEqual(expect.arrayContaining(["walk", "orbit"]));
    }));

  test("begins at the event's start, and at a link's viewpoint", () =>
    onPage(async (page) => {
      const start = { position: [0, 1.6, 3], yaw: 0.5, pitch: 0, mode: "walk" } as const;
      await open(page, { ...connectedShowcase, start });
      await expect.poll(async () => (await readViewpoint(page))?.nodeId).toBe("door");
      await page.evaluate(() => window.stage.close());
      const linked = await page.evaluate(
        async ([source, view]) => {
          const viewer = window.stage.createViewer("showcase");
          window.stage.viewer = viewer;
          await viewer.load(source, new AbortController().signal);
          await viewer.goTo(view, { transition: "instant" });
          await new Promise<void>((done) => viewer.on("connection", () => done()));
          return viewer.connection;
        },
        [
          { ...connectedShowcase, start },
          { ...start, position: [3, 1.6, 1.5] },
        ] as const,
      );
      expect(linked).toBe("connected");
      await expect.poll(async () => (await readViewpoint(page))?.nodeId).toBe("red");
    }));

  test("stays at its position when the showcase does not complete a flight, and reports it", () =>
    onPage(async (page) => {
      await open(page, { ...connectedShowcase, src: `${connectedShowcase.src}&dh=0` });
      await expect.poll(async () => (await readViewpoint(page))?.nodeId).toBe("green");
      const above = { position: [0, 9, 0], yaw: 0, pitch: -1, mode: "orbit" } as const;
      expect(await outcomeOf(page, above)).toBe("load_failed");
      expect(await readEvents(page, "error")).toEqual(["load_failed"]);
      expect((await readViewpoint(page))?.nodeId).toBe("green");
    }));

  test("continues with the next target when the showcase has not responded to the previous one", () =>
    onPage(async (page) => {
      await open(page, behaving("unresponsive"), [pin({ position: [5.9, 1.6, 1.5], stem: [-0.2, 0, 0] })]);
      expect(await outcomeOf(page, { pinId: "one" })).toBe("load_failed");
      expect((await poseIn(page)).sweep).toBe("green");
      expect(await outcomeOf(page, { pinId: "one" })).toBe("arrived");
      expect((await poseIn(page)).sweep).toBe("red");
    }));

  test("moves above when it has no sweep to stand in, and does not wait for one forever", () =>
    onPage(async (page) => {
      await open(page, behaving("no-sweeps"), []);
      const walk = { position: [3, 1.6, 1.5], yaw: 0, pitch: 0, mode: "walk" } as const;
      expect(await outcomeOf(page, walk)).toBe("load_failed");
      expect(await outcomeOf(page, { ...walk, mode: "orbit" })).toBe("arrived");
      expect((await poseIn(page)).mode).toBe("mode.dollhouse");
    }));

  test("reports no viewpoint before the showcase has reported its camera", () =>
    onPage(async (page) => {
      await open(page, behaving("nowhere"), [pin({})]);
      expect(await connection(page)).toBe("connected");
      await expect.poll(async () => (await tagsIn(page)).length).toBe(1);
      expect(await readViewpoint(page)).toBeNull();
      expect(await outcomeOf(page, { pinId: "one" })).toBe("arrived");
      expect(await readViewpoint(page)).toBeNull();
    }));

  test("cancels pending work when it is left", () =>
    onPage(async (page) => {
      await open(page, behaving("unresponsive"), [pin({})]);
      const outcome = outcomeOf(page, { pinId: "one" });
      await expect.poll(() => callsIn(page)).toContain("Sweep.moveTo");
      await page.evaluate(() => window.stage.viewer?.dispose());
      expect(await outcome).toBe("arrived");
    }));

  test("places an item by a button that appears where the pointer rests, and reports the point and its normal", () =>
    onPage(async (page) => {
      await open(page, connectedShowcase, []);
      const placeButton = page.getByRole("button", { name: "Place it here" });
      const point = await onScreen(page, [-2, 1, 0]);
      await page.mouse.move(...point);
      await page.waitForTimeout(400);
      expect(await placeButton.isVisible()).toBe(false);
      await page.evaluate(() => window.stage.viewer?.setTool("place"));
      await page.mouse.move(point[0] + 40, point[1]);
      await page.mouse.move(...point, { steps: 3 });
      await placeButton.waitFor();
      await page.mouse.down();
      await page.mouse.up();
      const placed = (await readEvents(page, "place")) as { position: number[]; normal: number[] }[];
      expect(placed).toHaveLength(1);
      [-2, 1, 0].forEach((value, axis) => {
        expect(placed[0]?.position[axis]).toBeCloseTo(value, 1);
      });
      expect(placed[0]?.normal.map((value) => Math.round(value) + 0)).toEqual([0, 0, 1]);
      // The normal of the floor points upwards. The button also works by key once the ring is visible.
      await page.mouse.move(...(await onScreen(page, [-3, 0, 1])), { steps: 3 });
      await placeButton.waitFor();
      await placeButton.press("Enter");
      const floor = ((await readEvents(page, "place")) as { normal: number[] }[])[1];
      expect(floor?.normal.map((value) => Math.round(value) + 0)).toEqual([0, 1, 0]);
      await page.evaluate(() => window.stage.viewer?.setTool("look"));
      expect(await placeButton.isVisible()).toBe(false);
      expect(await readEvents(page, "place")).toHaveLength(2);
    }));

  test("leaks nothing when it ends", () =>
    onPage(async (page) => {
      await open(page, connectedShowcase, pins);
      const frame = frameOf(page);
      await page.evaluate(() => {
        window.stage.viewer?.dispose();
        window.stage.viewer?.dispose();
      });
      expect(await page.locator("iframe, [data-place]").count()).toBe(0);
      expect(frame.isDetached()).toBe(true);
    }));
});

describe("a showcase that cannot be connected stays a plain embed, and reports the reason", () => {
  test.each([
    ["ConnectionRefused", "refused"],
    ["ConnectionCancelled", "cancelled"],
    ["InvalidProvider", "provider"],
    ["KeyReferrerMismatch", "key"],
    ["SomethingNew", "refused"],
    ["silent", "silent"],
    ["half", "silent"],
    ["stuck", "silent"],
    ["elsewhere", "silent"],
    ["foreign-script", "script"],
    ["empty-script", "script"],
    ["broken-script", "script"],
  ] as const)("%s is reported as %s", (behave, reason) =>
    onPage(async (page) => {
      expect(await open(page, behaving(behave), pins)).toBe("ready");
      expect(await connection(page)).toBe(reason);
      expect(await readEvents(page, "connection")).toEqual([reason]);
      expect(await readEvents(page, "error")).toEqual([]);
      expect(await page.locator("iframe").isVisible()).toBe(true);
      const codes = await page.evaluate(async () => {
        const { viewer } = window.stage;
        await viewer?.goTo({ pinId: "north" });
        viewer?.setTool("place");
        return [viewer?.modes, viewer?.tools];
      });
      expect(codes).toEqual([[], []]);
    }),
  );

  test("a showcase without a required feature reports script, and everything that was set up is disposed", () =>
    onPage(async (page) => {
      expect(await open(page, behaving("no-tags"), pins)).toBe("ready");
      expect(await connection(page)).toBe("script");
      await expect.poll(() => frameOf(page).evaluate(() => (window as Inside).fakeShowcase.ended)).toBe(true);
      expect(await page.locator("iframe").isVisible()).toBe(true);
      expect(await page.locator("[data-place]").count()).toBe(0);
      expect(await page.evaluate(() => window.stage.viewer?.modes)).toEqual([]);
      expect(await readEvents(page, "mode")).toEqual([]);
    }));

  test("a script that does not load is reported as script", () =>
    onPage(
      async (page) => {
        expect(await open(page, behaving("no-script"), pins)).toBe("ready");
        expect(await connection(page)).toBe("script");
      },
      { expected: /ERR_FAILED/ },
    ));

  test("a wrong key is reported as key, and without a key no connection is requested", () =>
    onPage(async (page) => {
      await open(page, behaving("connect", "another-key"));
      expect(await connection(page)).toBe("key");
      await page.evaluate(() => window.stage.close());
      await open(page, behaving("connect", null));
      expect(await connection(page)).toBe("plain");
      expect(frameOf(page).url()).not.toContain("applicationKey");
      await page.waitForTimeout(700);
      expect(await frameOf(page).evaluate(() => (window as Inside).fakeShowcase.connectionRequests)).toBe(0);
    }));

  test("a showcase that responds late is connected when it responds, and the visitor is not moved", () =>
    onPage(async (page) => {
      const start = { position: [3, 1.6, 1.5], yaw: 0, pitch: 0, mode: "walk" } as const;
      await open(page, { ...behaving("late"), start }, [pin({})]);
      expect(await connection(page)).toBe("silent");
      await expect.poll(() => connection(page)).toBe("connected");
      expect(await readEvents(page, "connection")).toEqual(["silent", "connected"]);
      await expect.poll(async () => (await tagsIn(page)).length).toBe(1);
      expect((await poseIn(page)).sweep).toBe("green");
    }));

  test("a key is sent only to a showcase's site", () =>
    onPage(
      async (page) => {
        const src = "https://my.matterport.com.example/show?m=SxQL3iGyoDo";
        const request = await page.evaluate(
          (source) => {
            const viewer = window.stage.createViewer("showcase");
            void viewer.load(source, new AbortController().signal).catch(() => {});
            return document.querySelector("iframe")?.src;
          },
          { ...connectedShowcase, src },
        );
        expect(request).toBe(src);
      },
      { expected: /Content Security Policy|ERR_/ },
    ));
});
