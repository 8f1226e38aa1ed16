import { randomUUID } from "node:crypto";
import type { Locator } from "playwright-core";
import sharp from "sharp";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { demoData } from "../../../seed/demo";
import { type Caller, signIn } from "../../support/api/caller";
import { demoIds } from "../../support/app/demo";
import {
  type BrowserVisit,
  describeVisit,
  EACH_LANGUAGE_AND_WIDTH_ONCE,
  SCRIPTS,
  submitForm,
  visit,
  waitForHydration,
} from "../../support/browser/visit";
import { writeSpz } from "../../support/files/spz";

let owner: Caller;
beforeAll(async () => {
  owner = await signIn("owner");
});

/** Timeout for splats in software rendering, in milliseconds. */
const SPLAT_TIMEOUT_MS = 60_000;
const LONG_TIMEOUT = { timeout: 300_000 };

/** The id of the space in the URL of its page. */
const readSpaceId = ({ page }: BrowserVisit) => /\/space\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? "";
const createdIds: string[] = [];
afterEach(async () => {
  // Deletes the created spaces, because the owner's licence limits the number of spaces for all tests.
  for (const id of createdIds.splice(0)) await owner.post(`/space/${id}`, { intent: "delete" });
});

const findItem = (assetKey: string) => {
  const item = demoData(0).libraryItems.find(
    (demoLibraryItem) => demoLibraryItem.assetKey === assetKey && demoLibraryItem.ownerId === demoIds.owner,
  );
  if (!item) throw new Error(`no ${assetKey}`);
  return item;
};
interface SpaceJson {
  readonly sid: string;
  readonly source: { readonly nodes?: readonly unknown[]; readonly start: unknown };
}

/** The space whose page is open, as returned by the API. */
async function readSpace(self: BrowserVisit): Promise<SpaceJson> {
  const [space] = await owner.api<SpaceJson[]>("GET", `/api/v1/spaces/uuid/${readSpaceId(self)}`);
  if (!space) throw new Error("no space");
  return space;
}
const waitForStage = (self: BrowserVisit) =>
  self.page.locator('section[data-stage="ready"]').waitFor({ timeout: 60_000 });

const openSettings = ({ page, t }: BrowserVisit) =>
  page.getByRole("link", { name: t("shared-owners:spaceTabs.settings"), exact: true }).click();

interface ItemJson {
  readonly uuid: string;
  readonly title: string;
  readonly picture_url: string | null;
}
const readItem = (id: string) => owner.api<ItemJson>("GET", `/api/v1/media/${id}`);

/** A floor and a wall of splats, few enough for software rendering. */
function createSplats(): Uint8Array<ArrayBuffer> {
  const steps = Array.from({ length: 24 }, (_, step) => step / 4 - 3);
  const disc = { rotation: [0, 0, 0, 1], opacity: 0.99 } as const;
  const file = writeSpz(
    steps.flatMap((across) =>
      steps.flatMap((along) => [
        { ...disc, position: [across, 0, along], scale: [0.2, 0.01, 0.2], color: [0.6, 0.5, 0.4] } as const,
        {
          ...disc,
          position: [across, along + 3, -3],
          scale: [0.2, 0.2, 0.01],
          color: [0.5, 0.7, 0.6],
        } as const,
      ]),
    ),
  );
  return Uint8Array.from(file);
}

/** Uploads a file without a thumbnail through the library's form. The model is the demo's. */
async function uploadWithoutThumbnail(assetKey: string) {
  const { id, kind } = findItem(assetKey);
  const bytes =
    kind === "splat" ? new Blob([createSplats()]) : await (await owner.fetch(`/media/${id}`)).blob();
  const body = new FormData();
  body.append("intent", "upload");
  const name = `${kind} without a picture ${randomUUID().slice(0, 4)}`;
  body.append("file", bytes, `${name}.${kind === "model" ? "glb" : "spz"}`);
  await owner.fetch("/library", { method: "POST", body, headers: { origin: owner.origin } });
  const items = await owner.api<ItemJson[]>("GET", `/api/v1/media?kind=${kind}`);
  const item = items.find(({ title }) => title === name);
  if (!item) throw new Error(`The ${kind} was not stored`);
  expect(item.picture_url).toBe(null);
  return { id: item.uuid, title: item.title };
}

/** A file in a list from which users choose. */
const findChoice = ({ page }: BrowserVisit, title: string) =>
  page.locator("label", { hasText: title }).locator('[name="media"]');

/** Selects files of the library and continues to the form. */
async function chooseFiles(self: BrowserVisit, titles: readonly string[], button: string) {
  for (const title of titles) await findChoice(self, title).check();
  await self.page.getByRole("button", { name: button }).click();
  await self.page.getByLabel(self.t("spaces:name"), { exact: false }).waitFor();
  if (self.js) await waitForHydration(self.page);
}

async function submitSpace(self: BrowserVisit) {
  await submitForm(self, self.page.getByRole("button", { name: self.t("spaces:createSubmit") }));
  await self.page.waitForURL(/\/space\/[0-9a-f-]{36}/);
  createdIds.push(readSpaceId(self));
}

describe("a new space", () => {
  for (const options of EACH_LANGUAGE_AND_WIDTH_ONCE)
    test(`starts with a link, a file or the sample room (${describeVisit(options)})`, () =>
      visit({ ...options, as: owner, reducedMotion: true }, async (self) => {
        const { open, page, t, js } = self;
        const link = page.getByLabel(t("spaces:showcase"), { exact: true });
        const nextButton = page.getByRole("button", { name: t("spaces:start.next"), exact: true });
        await open("/space-list/new");
        await link.fill("https://example.com/show?m=SxQL3iGyoDo");
        await nextButton.click();
        await page.getByText(t("spaces:errors.showcase.invalid")).waitFor();
        expect(await link.inputValue()).toBe("https://example.com/show?m=SxQL3iGyoDo");
        const severalLinks = Array.from(
          { length: 10 },
          () => "https://my.matterport.com/show/?m=SxQL3iGyoDo",
        ).join(" ");
        await link.fill(severalLinks);
        await nextButton.click();
        await page.getByText(t("spaces:errors.showcase.several")).waitFor();
        expect(await link.inputValue()).toBe(severalLinks);
        await link.fill("https://my.matterport.com/show/?m=SxQL3iGyoDo");
        await nextButton.click();
        await page.getByLabel(t("spaces:name"), { exact: false }).waitFor();
        expect(await link.inputValue()).toBe("https://my.matterport.com/show/?m=SxQL3iGyoDo");

        await open("/space-list/new");
        if (js) await waitForHydration(page);
        const file = { name: "小さな部屋.spz", mimeType: "", buffer: Buffer.from(createSplats()) };
        await page.locator("#start-file ~ * input[type=file]").first().setInputFiles(file);
        if (!js) await page.getByRole("button", { name: t("library:uploads.submit"), exact: true }).click();
        await page.waitForURL(/media=/);
        await expect
          .poll(() => page.getByLabel(t("spaces:name"), { exact: false }).inputValue())
          .toBe("小さな部屋");

        // Several panoramas become one space with a viewpoint for each. Scripts order them by name.
        await open("/space-list/new");
        if (js) await waitForHydration(page);
        const image = await sharp({ create: { width: 64, height: 32, channels: 3, background: "#9ab" } })
          .jpeg()
          .toBuffer();
        const panoramas = ["会場 10.jpg", "会場 9.jpg"].map((name, i) => ({
          name,
          mimeType: "image/jpeg",
          buffer: Buffer.concat([image, Buffer.from([i])]),
        }));
        if (!js) panoramas.reverse();
        await page.locator("#start-file ~ * input[type=file]").first().setInputFiles(panoramas);
        if (!js) await page.getByRole("button", { name: t("library:uploads.submit"), exact: true }).click();
        await page.waitForURL(/kind=panorama/);
        await expect.poll(() => page.locator('[name="nodeX"]').count()).toBe(2);
        expect(await page.getByLabel(t("spaces:name"), { exact: false }).inputValue()).toBe("会場 9");
        await submitSpace(self);
        const spaceOfSeveral = await readSpace(self);
        expect(spaceOfSeveral).toMatchObject({ name: "会場 9", source_kind: "panorama" });
        const nodes = spaceOfSeveral.source.nodes as readonly { readonly media_uuid: string }[];
        expect(nodes).toMatchObject([
          { id: "p1", links: ["p2"] },
          { id: "p2", links: ["p1"] },
        ]);
        // The other tests choose from the newest files of this library.
        await owner.api("DELETE", `/api/v1/spaces/${createdIds.pop()}`);
        for (const { media_uuid } of nodes) await owner.api("DELETE", `/api/v1/media/${media_uuid}`);

        await open("/space-list/new");
        await page.getByRole("button", { name: t("spaces:start.sample") }).click();
        await page.waitForURL(/\/space\/[0-9a-f-]{36}/);
        createdIds.push(readSpaceId(self));
        await page.getByRole("heading", { level: 1, name: t("spaces:start.sampleName") }).waitFor();
        expect(await readSpace(self)).toMatchObject({ source: { kind: "model", start: { mode: "walk" } } });
      }));
});

test("a link that is pasted outside a text field of a new space's page goes to its field", () =>
  visit({ lang: "en", as: owner }, async ({ open, page, t }) => {
    const url = "https://my.matterport.com/show/?m=SxQL3iGyoDo";
    await open("/space-list/new");
    await waitForHydration(page);
    const paste = (target: Locator) =>
      target.evaluate((element, text) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData("text/plain", text);
        const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
        element.dispatchEvent(event);
      }, url);
    const field = page.getByLabel(t("spaces:showcase"), { exact: true });
    await paste(page.getByRole("heading", { level: 1 }));
    expect(await field.inputValue()).toBe(url);
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
    // A paste into a text field is left to the browser, which inserts nothing for this synthetic event.
    await field.fill("");
    await paste(field);
    expect(await field.inputValue()).toBe("");
  }));

describe("a space of files", () => {
  test("shows the button that comes next during an upload, and creates the space without scrolling", () =>
    visit({ lang: "en", width: 390, as: owner, reducedMotion: true }, async (self) => {
      const { open, page, t } = self;
      const create = page.getByRole("button", { name: t("spaces:createSubmit"), exact: true });
      const link = page.getByLabel(t("spaces:showcase"), { exact: true });
      const bottom = async () => {
        const box = await create.boundingBox();
        return (box?.y ?? Number.NaN) + (box?.height ?? 0);
      };
      let release = () => {};
      const released = new Promise<void>((done) => {
        release = done;
      });
      await page.route("**/*", async (route) => {
        if (route.request().method() !== "GET") await released;
        await route.fallback();
      });
      await open("/space-list/new");
      await waitForHydration(page);
      expect(await create.count()).toBe(0);
      const file = { name: "Small room.spz", mimeType: "", buffer: Buffer.from(createSplats()) };
      await page.locator("#start-file ~ * input[type=file]").first().setInputFiles(file);
      await create.waitFor();
      expect(await create.isDisabled()).toBe(true);
      expect(await link.isVisible()).toBe(false);
      expect(await bottom()).toBeLessThanOrEqual(800);
      release();
      await page.waitForURL(/media=/);
      await page.getByRole("heading", { name: t("spaces:sources.preview") }).waitFor();
      expect(await bottom()).toBeLessThanOrEqual(page.viewportSize()?.height ?? 0);
      expect(await page.evaluate(() => window.scrollY)).toBe(0);
      await submitSpace(self);
    }));

  test("opens the closed group of a field that the browser rejects", () =>
    visit({ lang: "en", as: owner }, async ({ open, page, t }) => {
      await open(`/space-list/new?kind=model&media=${findItem("showroom").id}`);
      const group = page.locator("summary", { hasText: t("spaces:sources.display") });
      const eyeHeight = page.getByLabel(t("spaces:sources.eyeHeight"));
      await group.click();
      await eyeHeight.fill("1000");
      await group.click();
      await eyeHeight.waitFor({ state: "hidden" });
      await page.getByRole("button", { name: t("spaces:createSubmit") }).click();
      await eyeHeight.waitFor();
    }));

  for (const options of EACH_LANGUAGE_AND_WIDTH_ONCE)
    test(`is created from panoramas on a plan (${describeVisit(options)})`, () =>
      visit({ ...options, as: owner, reducedMotion: true }, async (self) => {
        const { open, page, t, js, expectStatus } = self;
        expectStatus(400);
        await open("/space-list");
        await page
          .getByRole("link", { name: t("spaces:create"), exact: true })
          .first()
          .click();
        await page.waitForURL(/space-list\/new$/);
        if (js) await self.axe("space-start");
        await page.getByRole("link", { name: t("spaces:kind.panorama") }).click();
        await page.waitForURL(/kind=panorama/);
        if (js) await self.axe("source-choice");
        await self.saveScreenshot("source-choice");
        const titles = [findItem("pano-hall").title, findItem("pano-indigo").title];
        await chooseFiles(self, titles, t("spaces:sources.placeThese"));
        const rows = page
          .locator("ol fieldset:has(> legend)")
          .filter({ has: page.locator('[name="nodeX"]') });
        expect(await rows.count()).toBe(2);

        // The form reports the error, and keeps the other values.
        await page.getByLabel(t("spaces:name"), { exact: false }).fill("新しい展示室");
        await page.locator('[name="nodeZ"]').nth(1).fill("-5");
        await page.locator('[name="nodeY"]').nth(1).fill("99999");
        await submitForm(self, page.getByRole("button", { name: t("spaces:createSubmit") }));
        await page.getByRole("alert").getByRole("link").first().waitFor();
        expect(await page.locator('[name="nodeZ"]').nth(1).inputValue()).toBe("-5");
        if (js) await self.axe("source-panorama-wrong");
        await self.saveScreenshot("source-panorama", { fullPage: true });
        await page.locator('[name="nodeY"]').nth(1).fill("1.6");

        // A third node is added and removed.
        await page.locator('[name="addMedia"]').selectOption({ label: "円相" });
        await submitForm(self, page.getByRole("button", { name: t("spaces:sources.add"), exact: true }));
        await expect.poll(() => page.locator('[name="nodeX"]').count()).toBe(3);
        // Its image does not have a panorama's shape, which is reported before the space is created.
        const shapeError = t("spaces:sources.errors.shape", { title: "円相", width: 1067, height: 1600 });
        await rows.nth(2).getByText(shapeError).waitFor();
        await submitForm(self, page.getByRole("button", { name: t("spaces:sources.removeNode") }).last());
        await expect.poll(() => page.locator('[name="nodeX"]').count()).toBe(2);
        if (js) {
          await page.getByRole("button", { name: /^2 / }).focus();
          await page.keyboard.press("Shift+ArrowRight");
          expect(await page.locator('[name="nodeX"]').nth(1).inputValue()).toBe("5");
        }
        await submitSpace(self);
        await openSettings(self);
        await page.getByText(t("spaces:sources.metadata.panoramas")).first().waitFor();
        const space = await readSpace(self);
        expect(space).toMatchObject({ name: "新しい展示室", source_kind: "panorama" });
        expect(space.source.nodes).toMatchObject([
          { id: "p1", position: [0, 1.6, 0], links: ["p2"] },
          { id: "p2", position: [js ? 5 : 4, 1.6, -5], links: ["p1"] },
        ]);
      }));

  for (const js of SCRIPTS)
    test(
      `is created from a model and from a splat, and its file and image are chosen again later (${describeVisit({ js })})`,
      LONG_TIMEOUT,
      () =>
        visit({ lang: "en", js, as: owner, stage: js, reducedMotion: true }, async (self) => {
          const { open, page, t } = self;
          // Software rendering of splats is slow beside other work.
          page.setDefaultTimeout(SPLAT_TIMEOUT_MS);
          // When the page of a model is left during loading, three.js reports each texture that does not load.
          self.expectError(/GLTFLoader: Couldn't load texture blob:/);
          for (const [kind, asset] of [
            ["model", "showroom"],
            ["splat", "splats"],
          ] as const) {
            const item = js ? await uploadWithoutThumbnail(asset) : findItem(asset);
            await open(`/space-list/new?kind=${kind}`);
            await chooseFiles(self, [item.title], t("spaces:sources.useFile"));
            expect(await page.getByLabel(t("spaces:name"), { exact: false }).inputValue()).toBe(item.title);
            // With scripts, the browser remembers that the group was opened.
            if (!js || kind === "model")
              await page.locator("summary", { hasText: t("spaces:sources.display") }).click();
            await page.getByLabel(t("spaces:sources.eyeHeight")).fill("1.5");
            if (js) {
              await waitForStage(self);
              // Opening it created its thumbnail, which its space uses from the start.
              await expect
                .poll(async () => (await readItem(item.id)).picture_url, { timeout: SPLAT_TIMEOUT_MS })
                .not.toBe(null);
              await page.getByRole("button", { name: t("spaces:sources.takeStart") }).click();
              await page.getByText(t("spaces:sources.startTaken")).waitFor();
            }
            await self.saveScreenshot(`source-${kind}`, { fullPage: true });
            if (js) await self.axe(`source-${kind}`);
            await submitSpace(self);
            await openSettings(self);
            await page
              .getByText(t(js ? "spaces:sources.metadata.startChosen" : "spaces:sources.metadata.startFree"))
              .waitFor();
            const space = await readSpace(self);
            expect(await page.locator(`main img[src*="${item.id}"]`).count()).toBe(1);
            expect(space.source).toMatchObject({ kind, media_uuid: item.id, eye_height: 1.5 });
            if (kind === "splat") expect(space.source).toMatchObject({ up: "auto" });
            expect(space.source.start === null).toBe(!js);

            // The same file is chosen again through the library, and checked before it is saved.
            await page.getByRole("link", { name: t("spaces:sources.change"), exact: true }).click();
            await page.getByRole("link", { name: t("spaces:sources.otherFile") }).click();
            await findChoice(self, item.title).check();
            await page.getByRole("button", { name: t("spaces:sources.useFile") }).click();
            await page.getByLabel(t("spaces:sources.eyeHeight")).fill("1.8");
            // One button turns splats that are upside down: in the preview, or in the form without scripts.
            const isTurned = kind === "splat";
            if (isTurned && js)
              await page.getByRole("button", { name: t("spaces:sources.turnOver") }).click();
            if (isTurned && js) expect(await page.locator('[name="up"]').inputValue()).toBe("-y");
            const saveLabel = isTurned && !js ? t("spaces:sources.saveTurned") : t("spaces:sources.save");
            await submitForm(self, page.getByRole("button", { name: saveLabel, exact: true }));
            await page.getByText(t("shared-owners:toasts.sourceSaved")).waitFor();

            await page.getByRole("link", { name: t("spaces:sources.changeImage") }).click();
            await findChoice(self, findItem("poster-showroom").title).check();
            await page.getByRole("button", { name: t("spaces:sources.previewImage") }).click();
            await self.saveScreenshot("source-picture", { fullPage: true });
            await submitForm(self, page.getByRole("button", { name: t("spaces:sources.useImage") }));
            await page.getByText(t("shared-owners:toasts.pictureSaved")).waitFor();
            const changedSpace = await readSpace(self);
            expect(changedSpace).toMatchObject({
              source: { eye_height: 1.8, ...(isTurned && { up: "-y" }) },
              poster_media_uuid: findItem("poster-showroom").id,
              sid: space.sid,
            });
          }
        }),
    );
});
