/** Tests the connection of a showcase, on a fake that implements the real handshake (tests/support/external/showcase.ts). */
import type { Frame, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import type { Pin, Viewpoint } from "~/viewer/core/contract";
import { type FakeShowcase, SHOWCASE_KEY, type ShowcaseBehaviour } from "../support/external/showcase";
import { connectedShowcase, onPage, open, readStageEvents, readViewpoint, withBrowser } from "./adapter-page";
import { media, pins } from "./rooms";

withBrowser();

const createBehavingSource = (behaviour: ShowcaseBehaviour, key: string | null = SHOWCASE_KEY) => ({
  ...connectedShowcase,
  src: `${connectedShowcase.src}&behave=${behaviour}`,
  key,
});

function findFrame(page: Page): Frame {
  const frame = page.frames().find((frame) => frame.url().startsWith("https://my.matterport.com/"));
  if (!frame) throw new Error("There is no showcase");
  return frame;
}

type ShowcaseWindow = Window & typeof globalThis & { fakeShowcase: FakeShowcase };
const readTags = (page: Page) =>
  findFrame(page).evaluate(() => Object.values((window as ShowcaseWindow).fakeShowcase.tags()));
const readConnection = (page: Page) => page.evaluate(() => window.stage.viewer?.connection);
const readPose = (page: Page) =>
  findFrame(page).evaluate(() => (window as ShowcaseWindow).fakeShowcase.pose());

const readCalls = (page: Page) =>
  findFrame(page).evaluate(() => (window as ShowcaseWindow).fakeShowcase.calls);

/** Result of a flight: "arrived", or the code of the error. */
const readFlightOutcome = (page: Page, target: Viewpoint | { readonly pinId: string }) =>
  page.evaluate(
    (destination) =>
      window.stage.viewer?.goTo(destination).then(
        () => "arrived",
        (error: { code: string }) => error.code,
      ),
    target,
  );

/** Current position of a point of the space on the page. */
async function locateInShowcase(
  page: Page,
  point: readonly [number, number, number],
): Promise<[number, number]> {
  return findFrame(page).evaluate((target) => (window as ShowcaseWindow).fakeShowcase.screen(target), point);
}

const createPin = (fields: Partial<Pin>): Pin => ({
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
  test("has the event's pins and media as tags without actions, follows their changes, and dims the others while one is open", () =>
    onPage(async (page) => {
      const [placedItem] = media;
      if (!placedItem) throw new Error("There are no media");
      expect(
        await open(page, connectedShowcase, [createPin({}), createPin({ id: "two", label: "Two" })], true, [
          placedItem,
        ]),
      ).toBe("ready");
      expect(await readConnection(page)).toBe("connected");
      await expect
        .poll(async () => (await readTags(page)).map(({ label }) => label))
        .toEqual(["One", "Two", placedItem.title]);
      await expect
        .poll(async () => (await readTags(page)).map(({ allowed }) => allowed))
        .toEqual([{}, {}, {}]);
      expect((await readTags(page))[0]).toMatchObject({
        anchor: [-3, 1.5, 0],
        stem: [0, 0, 0.25],
        color: [1, 128 / 255, 0],
        opacity: 1,
      });
      // A tag that visitors do not see is paler.
      await page.evaluate(
        ([pins, media]) => {
          window.stage.viewer?.setPins(pins);
          window.stage.viewer?.setMedia(media);
        },
        [
          [createPin({ isDraft: true }), createPin({ id: "two", label: "Two" })],
          [{ ...placedItem, title: "Poster (hidden)", draftMark: "Hidden" }],
        ] as const,
      );
      await expect
        .poll(async () => (await readTags(page)).map(({ label, opacity }) => [label, opacity]))
        .toEqual([
          ["One", 0.6],
          ["Two", 1],
          ["Poster (hidden)", 0.6],
        ]);
      await page.evaluate((mediaItems) => window.stage.viewer?.setMedia(mediaItems), [placedItem]);
      // After several changes at once, the last one applies.
      await page.evaluate(
        (pinLists) => {
          for (const list of pinLists) window.stage.viewer?.setPins(list);
        },
        [
          [createPin({ label: "Uno" })],
          [],
          [
            createPin({ label: "Ichi", position: [-2, 1, 0], color: "#000000" }),
            createPin({ id: "three", label: "Three" }),
          ],
        ],
      );
      await expect
        .poll(async () =>
          (await readTags(page)).map(({ label, anchor, color }) => ({ label, anchor, color })),
        )
        .toEqual(
          expect.arrayContaining([
            { label: "Ichi", anchor: [-2, 1, 0], color: [0, 0, 0] },
            expect.objectContaining({ label: "Three" }),
            expect.objectContaining({ label: placedItem.title }),
          ]),
        );
      expect(await readTags(page)).toHaveLength(3);
      await page.evaluate(() => window.stage.viewer?.setOpenPin("three"));
      await expect
        .poll(async () => (await readTags(page)).filter(({ opacity }) => opacity < 1).length)
        .toBe(2);
      await page.evaluate(() => window.stage.viewer?.setOpenPin(null));
      await expect
        .poll(async () => (await readTags(page)).filter(({ opacity }) => opacity < 1).length)
        .toBe(0);
    }));

  test("keeps all other tags when it rejects one of them", () =>
    onPage(async (page) => {
      await open(page, connectedShowcase, [
        createPin({}),
        createPin({ id: "bad", label: "refused" }),
        createPin({ id: "two", label: "Two" }),
      ]);
      await expect.poll(async () => (await readTags(page)).map(({ label }) => label)).toEqual(["One", "Two"]);
    }));

  test("updates many tags in batches, and does not dim them when there are more than 100", () =>
    onPage(async (page) => {
      const createPins = (count: number) =>
        Array.from({ length: count }, (_, index) => createPin({ id: `pin-${index}`, label: `Pin ${index}` }));
      const countDimmed = async () => (await readTags(page)).filter(({ opacity }) => opacity < 1).length;
      await open(page, createBehavingSource("slow"), createPins(100));
      const countSilenced = async () =>
        (await readTags(page)).filter(({ allowed }) => !("opening" in allowed)).length;
      await expect.poll(countSilenced).toBe(100);
      await page.evaluate(() => window.stage.viewer?.setOpenPin("pin-7"));
      await expect.poll(countDimmed).toBe(99);
      const maxConcurrentCalls = await findFrame(page).evaluate(
        () => (window as ShowcaseWindow).fakeShowcase.maxConcurrentCalls,
      );
      expect(maxConcurrentCalls).toBeGreaterThan(1);
      expect(maxConcurrentCalls).toBeLessThan(50);
      await page.evaluate((pins) => window.stage.viewer?.setPins(pins), createPins(101));
      await expect.poll(countSilenced).toBe(101);
      await expect.poll(countDimmed).toBe(0);
      const callsBefore = (await readCalls(page)).length;
      await page.evaluate(
        (pins) => {
          window.stage.viewer?.setOpenPin("pin-8");
          window.stage.viewer?.setPins(pins);
        },
        [...createPins(101), createPin({ id: "last", label: "Last" })],
      );
      await expect.poll(countSilenced).toBe(102);
      await page.evaluate((pins) => window.stage.viewer?.setPins(pins), createPins(101));
      await expect.poll(async () => (await readTags(page)).length).toBe(101);
      expect((await readCalls(page)).slice(callsBefore)).not.toContain("Tag.editOpacity");
    }));

  test("reports a tag at each click, and shows the name of the tag under the pointer", () =>
    onPage(async (page) => {
      await open(page, connectedShowcase, [createPin({})]);
      await expect.poll(async () => (await readTags(page)).length).toBe(1);
      const point = await locateInShowcase(page, [-3, 1.5, 0.25]);
      await page.mouse.move(...point);
      const name = page.getByText("One", { exact: true });
      await name.waitFor();
      const box = await name.boundingBox();
      expect((box?.x ?? 0) + (box?.width ?? 0) / 2).toBeCloseTo(point[0], -1);
      for (const count of [1, 2]) {
        await page.mouse.click(...point);
        await expect.poll(() => readStageEvents(page, "pinopen")).toEqual(Array(count).fill("one"));
      }
      await page.mouse.move(point[0] + 200, point[1]);
      await name.waitFor({ state: "hidden" });
    }));

  test("flies to a pin, reports its viewpoint there, and returns to it from the overview", () =>
    onPage(async (page) => {
      await open(page, connectedShowcase, [createPin({ position: [5.9, 1.6, 1.5], stem: [-0.2, 0, 0] })]);
      await page.evaluate(() => window.stage.viewer?.goTo({ pinId: "one" }));
      expect((await readPose(page)).sweep).toBe("red");
      expect((await readPose(page)).rotation.y).toBeCloseTo(-90, 3);
      const arrivalView = await readViewpoint(page);
      expect(arrivalView).toMatchObject({ mode: "walk", nodeId: "red", position: [3, 1.6, 1.5] });
      expect(arrivalView?.yaw).toBeCloseTo(-Math.PI / 2, 5);
      await expect.poll(() => readStageEvents(page, "settled")).toContainEqual(arrivalView);
      await page.evaluate(() => window.stage.viewer?.setMode("orbit"));
      await expect.poll(async () => (await readViewpoint(page))?.mode).toBe("orbit");
      await page.evaluate(() => window.stage.viewer?.setMode("walk"));
      await expect.poll(async () => (await readPose(page)).mode, { timeout: 5000 }).toBe("mode.inside");
      expect((await readPose(page)).sweep).toBe("red");
      expect(await readStageEvents(page, "mode")).toEqual(expect.arrayContaining(["walk", "orbit"]));
    }));

  test("begins at the event's start, and at a link's viewpoint", () =>
    onPage(async (page) => {
      const start = { position: [0, 1.6, 3], yaw: 0.5, pitch: 0, mode: "walk" } as const;
      await open(page, { ...connectedShowcase, start });
      await expect.poll(async () => (await readViewpoint(page))?.nodeId).toBe("door");
      await page.evaluate(() => window.stage.close());
      const connectionState = await page.evaluate(
        async ([source, view]) => {
          const viewer = window.stage.createViewer("showcase");
          window.stage.viewer = viewer;
          await viewer.load(source, new AbortController().signal);
          await viewer.goTo(view, { transition: "instant" });
          await new Promise<void>((resolve) => viewer.on("connection", () => resolve()));
          return viewer.connection;
        },
        [
          { ...connectedShowcase, start },
          { ...start, position: [3, 1.6, 1.5] },
        ] as const,
      );
      expect(connectionState).toBe("connected");
      await expect.poll(async () => (await readViewpoint(page))?.nodeId).toBe("red");
    }));

  test("stays at its position when the showcase rejects a flight, and reports the error", () =>
    onPage(async (page) => {
      await open(page, { ...connectedShowcase, src: `${connectedShowcase.src}&dh=0` });
      await expect.poll(async () => (await readViewpoint(page))?.nodeId).toBe("green");
      const viewAbove = { position: [0, 9, 0], yaw: 0, pitch: -1, mode: "orbit" } as const;
      expect(await readFlightOutcome(page, viewAbove)).toBe("load_failed");
      expect(await readStageEvents(page, "error")).toEqual(["load_failed"]);
      expect((await readViewpoint(page))?.nodeId).toBe("green");
    }));

  test("continues with the next target when the showcase has not responded to the previous one", () =>
    onPage(async (page) => {
      await open(page, createBehavingSource("unresponsive"), [
        createPin({ position: [5.9, 1.6, 1.5], stem: [-0.2, 0, 0] }),
      ]);
      expect(await readFlightOutcome(page, { pinId: "one" })).toBe("load_failed");
      expect((await readPose(page)).sweep).toBe("green");
      expect(await readFlightOutcome(page, { pinId: "one" })).toBe("arrived");
      expect((await readPose(page)).sweep).toBe("red");
    }));

  test("without a sweep (scanned position) to stand in, rejects a walk target after a time limit, and still moves to the overview", () =>
    onPage(async (page) => {
      await open(page, createBehavingSource("no-sweeps"), []);
      const walkView = { position: [3, 1.6, 1.5], yaw: 0, pitch: 0, mode: "walk" } as const;
      expect(await readFlightOutcome(page, walkView)).toBe("load_failed");
      expect(await readFlightOutcome(page, { ...walkView, mode: "orbit" })).toBe("arrived");
      expect((await readPose(page)).mode).toBe("mode.dollhouse");
    }));

  test("reports no viewpoint before the showcase has reported its camera", () =>
    onPage(async (page) => {
      await open(page, createBehavingSource("nowhere"), [createPin({})]);
      expect(await readConnection(page)).toBe("connected");
      await expect.poll(async () => (await readTags(page)).length).toBe(1);
      expect(await readViewpoint(page)).toBeNull();
      expect(await readFlightOutcome(page, { pinId: "one" })).toBe("arrived");
      expect(await readViewpoint(page)).toBeNull();
    }));

  test("ends a pending flight when the viewer is disposed", () =>
    onPage(async (page) => {
      await open(page, createBehavingSource("unresponsive"), [createPin({})]);
      const outcome = readFlightOutcome(page, { pinId: "one" });
      await expect.poll(() => readCalls(page)).toContain("Sweep.moveTo");
      await page.evaluate(() => window.stage.viewer?.dispose());
      expect(await outcome).toBe("arrived");
    }));

  test("places an item by a button that appears where the pointer rests, and reports the point and its normal", () =>
    onPage(async (page) => {
      await open(page, connectedShowcase, []);
      const placeButton = page.getByRole("button", { name: "Place it here" });
      const point = await locateInShowcase(page, [-2, 1, 0]);
      await page.mouse.move(...point);
      await page.waitForTimeout(400);
      expect(await placeButton.isVisible()).toBe(false);
      await page.evaluate(() => window.stage.viewer?.setTool("place"));
      await page.mouse.move(point[0] + 40, point[1]);
      await page.mouse.move(...point, { steps: 3 });
      await placeButton.waitFor();
      await page.mouse.down();
      await page.mouse.up();
      const placements = (await readStageEvents(page, "place")) as { position: number[]; normal: number[] }[];
      expect(placements).toHaveLength(1);
      [-2, 1, 0].forEach((value, axis) => {
        expect(placements[0]?.position[axis]).toBeCloseTo(value, 1);
      });
      expect(placements[0]?.normal.map((value) => Math.round(value) + 0)).toEqual([0, 0, 1]);
      // The normal of the floor points upwards. The button also works by key once it is visible.
      await page.mouse.move(...(await locateInShowcase(page, [-3, 0, 1])), { steps: 3 });
      await placeButton.waitFor();
      await placeButton.press("Enter");
      const floorPlacement = ((await readStageEvents(page, "place")) as { normal: number[] }[])[1];
      expect(floorPlacement?.normal.map((value) => Math.round(value) + 0)).toEqual([0, 1, 0]);
      await page.evaluate(() => window.stage.viewer?.setTool("look"));
      expect(await placeButton.isVisible()).toBe(false);
      expect(await readStageEvents(page, "place")).toHaveLength(2);
    }));

  test("removes its frame and its place button when the viewer is disposed, even twice", () =>
    onPage(async (page) => {
      await open(page, connectedShowcase, pins);
      const frame = findFrame(page);
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
    ["ConnectionRefused", "rejected"],
    ["ConnectionCancelled", "cancelled"],
    ["InvalidProvider", "provider"],
    ["KeyReferrerMismatch", "key"],
    ["SomethingNew", "rejected"],
    ["silent", "silent"],
    ["half", "silent"],
    ["stuck", "silent"],
    ["elsewhere", "silent"],
    ["foreign-script", "script"],
    ["empty-script", "script"],
    ["broken-script", "script"],
  ] as const)("%s is reported as %s", (behaviour, reason) =>
    onPage(async (page) => {
      expect(await open(page, createBehavingSource(behaviour), pins)).toBe("ready");
      expect(await readConnection(page)).toBe(reason);
      expect(await readStageEvents(page, "connection")).toEqual([reason]);
      expect(await readStageEvents(page, "error")).toEqual([]);
      expect(await page.locator("iframe").isVisible()).toBe(true);
      const modesAndTools = await page.evaluate(async () => {
        const { viewer } = window.stage;
        await viewer?.goTo({ pinId: "north" });
        viewer?.setTool("place");
        return [viewer?.modes, viewer?.tools];
      });
      expect(modesAndTools).toEqual([[], []]);
    }),
  );

  test("a showcase without a required feature reports script, and its connection and its place button are removed", () =>
    onPage(async (page) => {
      expect(await open(page, createBehavingSource("no-tags"), pins)).toBe("ready");
      expect(await readConnection(page)).toBe("script");
      await expect
        .poll(() => findFrame(page).evaluate(() => (window as ShowcaseWindow).fakeShowcase.ended))
        .toBe(true);
      expect(await page.locator("iframe").isVisible()).toBe(true);
      expect(await page.locator("[data-place]").count()).toBe(0);
      expect(await page.evaluate(() => window.stage.viewer?.modes)).toEqual([]);
      expect(await readStageEvents(page, "mode")).toEqual([]);
    }));

  test("a script that does not load is reported as script", () =>
    onPage(
      async (page) => {
        expect(await open(page, createBehavingSource("no-script"), pins)).toBe("ready");
        expect(await readConnection(page)).toBe("script");
      },
      { expected: /ERR_FAILED/ },
    ));

  test("a wrong key is reported as key, and without a key no connection is requested", () =>
    onPage(async (page) => {
      await open(page, createBehavingSource("connect", "another-key"));
      expect(await readConnection(page)).toBe("key");
      await page.evaluate(() => window.stage.close());
      await open(page, createBehavingSource("connect", null));
      expect(await readConnection(page)).toBe("plain");
      expect(findFrame(page).url()).not.toContain("applicationKey");
      await page.waitForTimeout(700);
      expect(
        await findFrame(page).evaluate(() => (window as ShowcaseWindow).fakeShowcase.connectionRequests),
      ).toBe(0);
    }));

  test("a showcase that responds late is connected when it responds, and the visitor is not moved", () =>
    onPage(async (page) => {
      const start = { position: [3, 1.6, 1.5], yaw: 0, pitch: 0, mode: "walk" } as const;
      await open(page, { ...createBehavingSource("late"), start }, [createPin({})]);
      expect(await readConnection(page)).toBe("silent");
      await expect.poll(() => readConnection(page)).toBe("connected");
      expect(await readStageEvents(page, "connection")).toEqual(["silent", "connected"]);
      await expect.poll(async () => (await readTags(page)).length).toBe(1);
      expect((await readPose(page)).sweep).toBe("green");
    }));

  test("a key is not sent to a site with a similar name", () =>
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
