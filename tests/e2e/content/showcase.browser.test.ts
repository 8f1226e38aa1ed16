/** Tests a Matterport showcase in the product, with and without an SDK key. tests/support/external/showcase.ts simulates the real showcase. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import type { LocalProduct } from "../../../scripts/lib/local/local-product";
import { demoPassword } from "../../../seed/demo";
import { type Caller, caller, linkPath, postEvent, signIn } from "../../support/api/caller";
import { demoEvent, demoIds, demoPath } from "../../support/app/demo";
import { startFromSnapshot } from "../../support/app/seeded-snapshot";
import { visit } from "../../support/browser/visit";
import { type FakeShowcase, SHOWCASE_KEY } from "../../support/external/showcase";

let local: LocalProduct;
let owner: Caller;
beforeAll(async () => {
  local = await startFromSnapshot(inject("snapshotFolder"), { vars: { MATTERPORT_SDK_KEY: SHOWCASE_KEY } });
  const { ticket } = await caller(null, local.origin).api<{ ticket: string }>("POST", "/api/cas/tickets", {
    email: "owner@demo.example",
    password: demoPassword,
  });
  owner = caller(ticket, local.origin);
});
afterAll(() => local?.stop());

const editorPath = `/event/${demoIds.showcaseEvent}?panel=tags`;
const readContent = (id: string) =>
  owner.api<{ tags: readonly { position: number[] | null; stem: number[] }[] }>(
    "GET",
    `/api/v1/events/${id}/content`,
  );
const SDK_ORIGIN = "https://static.matterport.com";

function runInShowcase<T>(page: Page, callback: (showcase: FakeShowcase) => T): Promise<T> {
  const frame = page.frames().find((candidate) => candidate.url().startsWith("https://my.matterport.com/"));
  if (!frame) throw new Error("There is no showcase");
  return frame.evaluate(`(${callback})(window.fakeShowcase)`) as Promise<T>;
}

describe("the key of showcases", () => {
  test("is sent only to pages with a showcase, which are the only visitor pages that may run its script", async () => {
    const visitor = caller(null, local.origin);
    const readPage = async (path: string, client = visitor) => {
      const { status, text, headers } = await client.get(path);
      expect(status, path).toBe(200);
      return [
        text.includes(SHOWCASE_KEY),
        headers.get("content-security-policy")?.includes(SDK_ORIGIN) ?? false,
      ];
    };
    for (let round = 0; round < 2; round++)
      // The second response comes from the isolate's cache.
      expect(await readPage(demoPath(demoIds.showcaseEvent))).toEqual([true, true]);
    expect(await readPage(`/event/${demoIds.showcaseEvent}/as-visitor/page`, owner)).toEqual([true, true]);
    expect(await readPage(editorPath, owner)).toEqual([true, true]);
    for (const path of [demoPath(demoIds.mainEvent), demoPath(demoIds.passwordEvent)])
      expect(await readPage(path), path).toEqual([false, false]);
    expect(await readPage(`/event/${demoIds.mainEvent}/as-visitor/page`, owner)).toEqual([false, false]);
    // From here the browser moves to an editor without loading a document.
    expect(await readPage("/space-list", owner)).toEqual([false, true]);
    const pageWithoutKey = await caller().get(demoPath(demoIds.showcaseEvent));
    expect(pageWithoutKey.headers.get("content-security-policy")).not.toContain(SDK_ORIGIN);
  });
});

describe("the editor of an event in a showcase", () => {
  for (const lang of ["en", "ja"] as const)
    test(`places a new tag by pointing, which then appears in the showcase (${lang})`, () =>
      visit({ lang, as: owner, origin: local.origin }, async (self) => {
        const { open, page, t } = self;
        const event = await postEvent(owner, demoIds.showcase);
        await open(`/event/${event.uuid}?panel=tags`);
        await page.locator('section[data-stage="ready"]').waitFor({ timeout: 60_000 });
        await page.getByRole("button", { name: t("content:place.newByPointing") }).click();
        await page.getByText(t("content:place.pointingShowcase")).waitFor();
        const box = await page.locator("section[data-stage] iframe").boundingBox();
        if (!box) throw new Error("The showcase cannot be seen");
        await page.mouse.move(box.x + box.width / 2 + 90, box.y + box.height / 2);
        await page.mouse.move(box.x + box.width / 2 + 60, box.y + box.height / 2, { steps: 3 });
        const placeButton = page.getByRole("button", { name: t("visitors:viewer.placeAtPosition") });
        await placeButton.waitFor();
        await self.saveScreenshot("editor-showcase-placing");
        await placeButton.click();
        await page.waitForURL(/tag=[0-9a-f-]{36}/);
        await page.locator('[data-save="saved"]').waitFor();
        const [placedTag] = (await readContent(event.uuid)).tags;
        // The wall before the start faces south.
        expect(placedTag?.position?.[2]).toBeCloseTo(0, 5);
        expect(placedTag?.stem.map((value) => Math.round(value * 100) / 100 + 0)).toEqual([0, 0, 0.25]);
        await expect
          .poll(() => runInShowcase(page, (showcase) => Object.values(showcase.tags()).length), {
            timeout: 5000,
          })
          .toBeGreaterThan(0);
        await self.axe("editor-showcase");
      }));

  for (const lang of ["en", "ja"] as const)
    test(`without a key explains why pointing is not available, and shows the fields of the position (${lang})`, async () => {
      await visit({ lang, as: await signIn("owner") }, async (self) => {
        const { open, page, t } = self;
        await open(editorPath);
        await page.getByText(t("content:notConnected.plain")).waitFor();
        expect(await page.getByRole("button", { name: t("content:place.newByPointing") }).count()).toBe(0);
        await self.axe("editor-showcase-plain");
        await self.saveScreenshot("editor-showcase-plain");
        const [firstTag] = demoEvent(demoIds.showcaseEvent).tags;
        await open(`${editorPath}&tag=${firstTag?.id}`);
        await page.getByText(t("content:notConnected.plain")).waitFor();
        expect(await page.getByText(t("content:place.position")).first().isVisible()).toBe(true);
      });
    });
});

test("a visitor's list moves the showcase's camera, and a click on a pin opens its entry", async () => {
  const event = await postEvent(owner, demoIds.showcase, { status_id: 2 });
  const commands = [
    { title: { ja: "", en: "North wall" }, position: [-3, 1.5, 0], stem: [0, 0, 0.25] },
    { title: { ja: "", en: "East wall" }, position: [6, 1.5, 1.5], stem: [-0.25, 0, 0] },
  ].map((values) => ({ op: "create_tag", uuid: crypto.randomUUID(), values }));
  await owner.api("POST", `/api/v1/events/${event.uuid}/content`, { commands });
  await visit({ lang: "en", origin: local.origin }, async (self) => {
    const { open, page } = self;
    await open(linkPath(event, "preview"));
    await expect
      .poll(
        () => runInShowcase(page, (showcase) => Object.values(showcase.tags()).map(({ label }) => label)),
        {
          timeout: 60_000,
        },
      )
      .toEqual(["North wall", "East wall"]);
    const list = page.getByRole("main");
    const findEntry = (name: string) => list.locator("details", { hasText: name });
    await findEntry("East wall").locator("summary").focus();
    await expect
      .poll(() => runInShowcase(page, (showcase) => showcase.pose().sweep), { timeout: 10_000 })
      .toBe("red");
    await findEntry("North wall").locator("summary").focus();
    await expect
      .poll(() => runInShowcase(page, (showcase) => showcase.pose().sweep), { timeout: 10_000 })
      .toBe("green");
    const box = await page.locator("section[data-stage] iframe").boundingBox();
    const pinPoint = await runInShowcase(page, (showcase) => showcase.screen([-3, 1.5, 0.25]));
    const [x, y] = [(box?.x ?? 0) + pinPoint[0], (box?.y ?? 0) + pinPoint[1]];
    await page.mouse.move(x, y);
    await page.mouse.click(x, y);
    await expect.poll(() => findEntry("North wall").getAttribute("open"), { timeout: 10_000 }).not.toBe(null);
    await self.saveScreenshot("viewer-showcase-connected");
    await self.axe("viewer-showcase-connected");
  });
});

test("on a phone the frame of a showcase is high enough to start automatically, and the showcase starts in the page", () =>
  visit({ lang: "ja", width: 390 }, async (self) => {
    const { open, page } = self;
    await open(demoPath(demoIds.showcaseEvent));
    const frame = page.locator("section[data-stage] iframe");
    await frame.waitFor({ timeout: 60_000 });
    const box = await frame.boundingBox();
    expect((box?.height ?? 0) / 844).toBeGreaterThan(0.6);
    expect(new URL((await frame.getAttribute("src")) ?? "").searchParams.get("playsInline")).toBe("1");
    expect(await frame.getAttribute("referrerpolicy")).toBe("strict-origin-when-cross-origin");
    expect(await frame.getAttribute("allow")).toContain("fullscreen; xr-spatial-tracking; autoplay");
    await page.locator('section[data-stage="ready"]').waitFor();
    await self.saveScreenshot("viewer-showcase-phone");
  }));

test("a key for another site is explained to the owner, and visitors see the space without a message", async () => {
  const otherProduct = await startFromSnapshot(inject("snapshotFolder"), {
    vars: { MATTERPORT_SDK_KEY: "another-key" },
  });
  try {
    const { ticket } = await caller(null, otherProduct.origin).api<{ ticket: string }>(
      "POST",
      "/api/cas/tickets",
      {
        email: "owner@demo.example",
        password: demoPassword,
      },
    );
    const otherCaller = caller(ticket, otherProduct.origin);
    await visit(
      { lang: "ja", as: otherCaller, origin: otherProduct.origin },
      async ({ open, page, t, saveScreenshot }) => {
        await open(editorPath);
        const message = t("content:notConnected.key", { host: new URL(otherProduct.origin).hostname });
        await page.getByText(message).waitFor({ timeout: 60_000 });
        await saveScreenshot("editor-showcase-key");
      },
    );
    await visit({ lang: "en", origin: otherProduct.origin }, async ({ open, page, t }) => {
      await open(demoPath(demoIds.showcaseEvent));
      await page.locator('section[data-stage="ready"]').waitFor({ timeout: 60_000 });
      await expect
        .poll(() => runInShowcase(page, (showcase) => showcase.connectionRequests), { timeout: 10_000 })
        .toBe(1);
      // The refusal arrives after the request.
      await page.waitForTimeout(600);
      expect(await page.getByText(/SDK|connect/i).count()).toBe(0);
      expect(await page.locator('section[data-stage="ready"] iframe').isVisible()).toBe(true);
      expect((await page.getByRole("status").allInnerTexts()).filter(Boolean)).toEqual([
        t("visitors:viewer.ready"),
      ]);
    });
  } finally {
    await otherProduct.stop();
  }
});
