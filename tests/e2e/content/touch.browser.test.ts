import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { type Caller, postEvent, signIn } from "../../support/api/caller";
import { demoIds, demoPath } from "../../support/app/demo";
import { type BrowserVisit, visit, waitForHydration } from "../../support/browser/visit";
import { eventWithTags } from "../../support/scene-event";

let owner: Caller;
beforeAll(async () => {
  owner = await signIn("owner");
});

const TIMEOUT = { timeout: 240_000 };
type Point = readonly [x: number, y: number];

/** A touch on the screen, as browser events. */
async function createFinger(page: Page) {
  const cdp = await page.context().newCDPSession(page);
  const send = (type: "touchStart" | "touchMove" | "touchEnd", points: readonly Point[]) =>
    cdp.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: points.map(([x, y], id) => ({ x, y, id })),
    });
  return {
    async tap(point: Point) {
      await send("touchStart", [point]);
      await send("touchEnd", []);
    },
    async drag([x, y]: Point, [toX, toY]: Point) {
      await send("touchStart", [[x, y]]);
      for (let step = 1; step <= 8; step++) {
        await send("touchMove", [[x + ((toX - x) * step) / 8, y + ((toY - y) * step) / 8]]);
        await page.waitForTimeout(40);
      }
      await send("touchEnd", []);
    },
  };
}

const waitForStage = async ({ page }: BrowserVisit) => {
  await page.locator('section[data-stage="ready"]').waitFor({ timeout: 120_000 });
  await page.waitForTimeout(500);
};

describe("by touch", () => {
  test("a finger turns the view, and a tap on the floor moves there", TIMEOUT, () =>
    visit(
      { lang: "ja", width: 390, stage: true, context: { hasTouch: true, isMobile: true } },
      async (self) => {
        const { open, page, t } = self;
        await open(demoPath(demoIds.mainEvent));
        await waitForStage(self);
        const visitorMark = page.getByRole("img", { name: t("visitors-late:planHere") });
        const readNumber = async (name: string) =>
          new RegExp(`${name}: (-?[\\d.]+)`).exec((await visitorMark.getAttribute("style")) ?? "")?.[1];
        const box = await page.locator("section[data-stage] canvas").boundingBox();
        if (!box) throw new Error("There is no canvas");
        const toPagePoint = (u: number, v: number): Point => [box.x + u * box.width, box.y + v * box.height];
        const finger = await createFinger(page);
        const [top, turn] = [await readNumber("top"), await readNumber("rotate")];
        await finger.tap(toPagePoint(0.78, 0.65));
        await expect.poll(() => readNumber("top"), { timeout: 30_000 }).not.toBe(top);
        await finger.drag(toPagePoint(0.8, 0.4), toPagePoint(0.3, 0.4));
        await expect.poll(() => readNumber("rotate"), { timeout: 30_000 }).not.toBe(turn);
      },
    ),
  );

  test("a tag is dragged along the surfaces and saved, and another one is placed by a tap", TIMEOUT, () =>
    visit({ lang: "ja", as: owner, stage: true, context: { hasTouch: true } }, async (self) => {
      const { open, page, t } = self;
      const { event, tags, edit, read } = await eventWithTags(owner, 1);
      await edit({
        op: "update_tag",
        uuid: tags[0],
        version: 1,
        values: { position: [0, 0, 5.5], stem: [0, 0.6, 0] },
      });
      await open(`/event/${event.uuid}?panel=tags`);
      await waitForStage(self);
      const pin = page.locator(`section[data-stage] [data-pin="${tags[0]}"]`);
      const box = await pin.boundingBox();
      if (!box) throw new Error("There is no pin");
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      await (await createFinger(page)).drag([x, y], [x + 120, y + 60]);
      const readPosition = async () =>
        ((await read()).tags[0] as unknown as { position: readonly number[] }).position;
      await expect.poll(async () => (await readPosition())[0], { timeout: 30_000 }).toBeGreaterThan(0.1);
      // The tag is not above the ceiling of the room, which is 3.3 m high.
      expect(Math.abs((await readPosition())[1] ?? 9)).toBeLessThan(3.4);

      // On a phone the instructions leave the space visible while the user points, and the cancel button is large enough for a finger.
      await self.resize(390);
      await page.getByRole("button", { name: t("content:place.newByPointing") }).click();
      const status = page.getByRole("status").filter({ hasText: t("content:place.tap.pointing") });
      const cancel = status.getByRole("button", { name: t("content:place.cancel") });
      expect((await cancel.boundingBox())?.height).toBeGreaterThanOrEqual(44);
      expect((await status.boundingBox())?.height).toBeLessThan(70);
      expect(await page.getByText(t("content:place.pointing")).isVisible()).toBe(false);
      await cancel.click();
      await status.waitFor({ state: "detached" });

      // The panel moves under the finger when the tag is placed. The tap presses nothing in it.
      await page.getByRole("button", { name: t("content:place.newByPointing") }).click();
      await status.waitFor();
      await (await createFinger(page)).tap([155, 352]);
      await page.waitForURL(/[?&]tag=/);
      await expect.poll(() => page.locator('form [name="title.ja"]').isVisible()).toBe(true);
      expect(new URL(page.url()).searchParams.get("panel")).toBe("tags");

      // While a tag is placed, a tap on the pin of another tag chooses the surface behind it.
      const readTagIds = async () => (await read()).tags.map(({ uuid }) => uuid);
      await expect.poll(async () => (await readTagIds()).length).toBe(2);
      const tagIds = await readTagIds();
      await open(`/event/${event.uuid}?panel=tags`);
      await waitForStage(self);
      await page.getByRole("button", { name: t("content:place.newByPointing") }).click();
      await status.waitFor();
      await page.waitForTimeout(500);
      const pinBox = await page.locator("section[data-stage] [data-pin]:visible").first().boundingBox();
      if (!pinBox) throw new Error("There is no pin");
      const pinCentre: Point = [pinBox.x + pinBox.width / 2, pinBox.y + pinBox.height / 2];
      await (await createFinger(page)).tap(pinCentre);
      await page.waitForURL(/[?&]tag=/);
      expect(tagIds).not.toContain(new URL(page.url()).searchParams.get("tag"));
    }),
  );

  test("a ticked row is not covered by the actions that it opens", () =>
    visit(
      { lang: "en", width: 390, as: owner, context: { hasTouch: true, isMobile: true } },
      async ({ open, page, t }) => {
        const { event } = await eventWithTags(owner, 12, demoIds.panorama);
        await open(`/event/${event.uuid}?panel=tags`);
        await waitForHydration(page);
        const rows = page.locator("#list li", { has: page.locator('input[name="item"]') });
        const bottomOf = async (index: number) => {
          const box = await rows.nth(index).boundingBox();
          return (box?.y ?? Number.NaN) + (box?.height ?? 0);
        };
        const height = page.viewportSize()?.height ?? 0;
        let last = 0;
        while ((await bottomOf(last + 1)) < height) last++;
        await rows.nth(last).locator('input[name="item"]').tap();
        const bar = page.getByRole("group", { name: t("folders:withChosen") });
        await bar.waitFor();
        expect(await bottomOf(last)).toBeLessThanOrEqual((await bar.boundingBox())?.y ?? 0);
        expect(await rows.nth(last).locator('input[name="item"]').isChecked()).toBe(true);
      },
    ));

  test("a date is cleared with a button that is visible without hovering, and restored by undo", () =>
    visit(
      { lang: "ja", width: 390, as: owner, context: { hasTouch: true, isMobile: true } },
      async ({ open, page, t }) => {
        const event = await postEvent(owner, demoIds.panorama, { start_date: "2031-04-05T00:30:00.000Z" });
        await open(`/event/${event.uuid}?panel=links`);
        const form = page.locator("form#event");
        await form.getByText(t("events:saved")).waitFor();
        const label = t("events:start");
        const start = form.locator('[name="startDate"]');
        const clear = form.getByRole("button", { name: t("shared-owners:clearDateOf", { label }) });
        const undo = form.getByRole("button", { name: t("shared-owners:undoOf", { label }) });
        expect(await start.inputValue()).toBe("2031/04/05 09:30");
        const opacity = () => clear.evaluate((button) => getComputedStyle(button).opacity);
        expect([await opacity(), await undo.isDisabled()]).toEqual(["1", true]);
        await clear.tap();
        await expect.poll(() => start.inputValue()).toBe("");
        await form.getByText(t("events:notSaved"), { exact: true }).waitFor();
        await undo.tap();
        await expect.poll(() => start.inputValue()).toBe("2031/04/05 09:30");
        await form.getByText(t("events:saved")).waitFor();
        expect(await undo.isDisabled()).toBe(true);
      },
    ));
});
