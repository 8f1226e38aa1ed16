import { beforeAll, describe, expect, test } from "vitest";
import type { MediaKind } from "~/domain/shared/model";
import { type Caller, signIn, unescapeHtml } from "../../support/api/caller";
import { demoEvent, demoIds } from "../../support/app/demo";
import { chooseInMenu, chooseOne, openMenu } from "../../support/browser/controls";
import {
  type BrowserVisit,
  describeVisit,
  submitForm,
  visit,
  waitForHydration,
} from "../../support/browser/visit";
import { concatBytes, documentFile, HTML, pngFile, wavFile } from "../../support/files/media-files";
import { translateIn } from "../../support/translate";

/** An account whose library no other test uses. These tests change it. */
let libraryOwner: Caller;
/** The account of the demo's owner. */
let owner: Caller;
beforeAll(async () => {
  [libraryOwner, owner] = await Promise.all([signIn("garcia"), signIn("owner")]);
});

const LIST_MAX_BYTES = 400_000;
const VTT = concatBytes("WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nHello\n");
let createdCount = 0;

interface ItemJson {
  readonly uuid: string;
  readonly title: string;
  readonly kind: string;
}

/** Uploads files with a form, as a page without scripts does. */
async function upload(uploader: Caller, path: string, files: Readonly<Record<string, Uint8Array>>) {
  const body = new FormData();
  body.append("intent", "upload");
  for (const [name, bytes] of Object.entries(files)) body.append("file", new Blob([bytes as BlobPart]), name);
  return uploader.fetch(path, { method: "POST", body, headers: { origin: uploader.origin } });
}

/** Creates a folder with four files. */
async function createFolder(name: string) {
  const folder = await libraryOwner.api<{ uuid: string }>("POST", "/api/v1/folders", {
    name,
    folder_type: "media",
  });
  const path = `/library/folders/${folder.uuid}`;
  const uploadResponse = await upload(libraryOwner, path, {
    "wall.png": pngFile(60, 40),
    "plan.pdf": documentFile(),
    "bell.wav": wavFile(),
    "words.vtt": VTT,
  });
  expect(uploadResponse.status).toBe(302);
  const items = await libraryOwner.api<ItemJson[]>("GET", `/api/v1/media?folder_uuid=${folder.uuid}`);
  return { path, items };
}

const findMain = ({ page }: BrowserVisit) => page.locator("main");
const findLink = (self: BrowserVisit, name: string) =>
  findMain(self).getByRole("link", { name, exact: true });
const readTitles = (self: BrowserVisit) => findMain(self).locator("article h2").allTextContents();

describe("a library", () => {
  for (const { lang, js } of [
    { lang: "en", js: true },
    { lang: "ja", js: false },
  ] as const)
    test(`shows its folders, the media of selected kinds, all media, and search results (${describeVisit({ lang, js })})`, () =>
      visit({ lang, js, as: libraryOwner }, async (self) => {
        const { open, page, t } = self;
        const name = `展示 ${lang} ${++createdCount}`;
        const { path, items } = await createFolder(name);
        expect(items.map(({ kind, title }) => [kind, title])).toEqual([
          ["audio", "bell"],
          ["pdf", "plan"],
          ["image", "wall"],
          ["subtitle", "words"],
        ]);
        await open("/library");
        await findMain(self).getByText(t("shared-owners:people.storage")).waitFor();
        await findLink(self, name).click();
        await page.getByRole("heading", { level: 1, name }).waitFor();
        await expect.poll(() => readTitles(self)).toEqual(["bell", "plan", "wall", "words"]);
        /** Chooses an entry of the menu. The menu's button is labelled with the current filter. */
        const chooseInViewMenu = async (kinds: readonly MediaKind[], entry: string) => {
          const filter = kinds.map((kind) => t(`library:kindName.${kind}`));
          const label = filter.join(t("shared-owners:listSeparator")) || t("folders:view");
          await chooseInMenu(self, label, entry);
        };
        await chooseInViewMenu([], t("library:kindName.subtitle"));
        await expect.poll(() => readTitles(self)).toEqual(["words"]);
        await chooseInViewMenu(["subtitle"], t("library:kindName.image"));
        await expect.poll(() => readTitles(self)).toEqual(["wall", "words"]);
        // Switching to rows keeps the filter.
        await chooseInViewMenu(["image", "subtitle"], t("folders:rows"));
        await page.getByRole("row").nth(2).waitFor();
        expect(await page.getByRole("row").count()).toBe(3);
        // Each entry adds its kind to the filter, or removes it.
        for (const [kind, filterKinds] of [
          ["image", ["image", "subtitle"]],
          ["web", ["subtitle"]],
          ["subtitle", ["subtitle", "web"]],
        ] as const)
          await chooseInViewMenu(filterKinds, t(`library:kindName.${kind}`));
        await page.getByText(t("library:noKindTitle")).waitFor();

        await open(path);
        await page.getByRole("searchbox").fill("BELL");
        await page.getByRole("button", { name: t("library:searchSubmit") }).click();
        await expect.poll(async () => new Set(await readTitles(self))).toEqual(new Set(["bell"]));
        await findMain(self).getByRole("link", { name }).first().waitFor();

        await open("/library?show=all");
        await page.waitForLoadState("networkidle");
        expect((await readTitles(self)).slice(0, 4)).toEqual(["words", "bell", "plan", "wall"]);
        // Sums the full sizes, including images from the browser's cache.
        const bytes = await page.evaluate(() =>
          [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
            .filter(({ name }) => !/\.(js|css|woff2)$/.test(new URL(name).pathname))
            .reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).encodedBodySize, 0),
        );
        expect(bytes).toBeGreaterThan(1000);
        expect(bytes).toBeLessThan(LIST_MAX_BYTES);
      }));

  test("with more than ten images on its page transfers less than 400 KB", () =>
    visit({ lang: "ja", as: owner }, async ({ open, page }) => {
      const bodies: Promise<{ readonly length: number }>[] = [];
      page.on("response", (response) => {
        const { pathname } = new URL(response.url());
        if (pathname.startsWith("/media/") || pathname === "/library")
          bodies.push(response.body().catch(() => ""));
      });
      await open("/library?show=all");
      for (const image of await page.locator("main img").all()) await image.scrollIntoViewIfNeeded();
      await page.waitForLoadState("networkidle");
      expect(await page.locator("main img").count()).toBeGreaterThan(10);
      const bytes = (await Promise.all(bodies)).reduce((sum, { length }) => sum + length, 0);
      expect(bytes).toBeGreaterThan(50_000);
      expect(bytes).toBeLessThan(LIST_MAX_BYTES);
    }));

  test("and its content are accessible only to its owner and administrators", async () => {
    const admin = await signIn("admin");
    const { items, path } = await createFolder(`他人 ${++createdCount}`);
    const itemPath = `/library/items/${items[0]?.uuid}`;
    const { user } = await libraryOwner.api<{ user: { uuid: string } }>(
      "GET",
      `/api/cas/validate/${libraryOwner.ticket}`,
    );
    const ownerPath = path.replace("/library", `/library/${user.uuid}`);
    for (const pagePath of [`/library/${user.uuid}`, ownerPath, path, itemPath]) {
      expect([pagePath, (await admin.get(pagePath)).status]).toEqual([pagePath, 200]);
      expect([pagePath, (await owner.get(pagePath)).status]).toEqual([pagePath, 404]);
    }
    for (const unknownPath of ["/library/items/x", `${itemPath}x`, `/library/${owner.ticket}`])
      expect((await admin.get(unknownPath)).status).toBe(404);
    expect((await owner.post(itemPath, { intent: "rename", name: "x", version: "1" })).status).toBe(404);
    expect((await owner.post(itemPath, { intent: "delete" })).status).toBe(404);
    expect((await upload(owner, path, { "a.png": pngFile() })).status).toBe(404);
    expect((await upload(owner, itemPath, { "a.wav": wavFile() })).status).toBe(404);
    expect((await libraryOwner.post("/library", { intent: "unknown" })).status).toBe(400);
  });
});

describe("a media item", () => {
  for (const js of [true, false])
    test(`has a page from which it is renamed, replaced, moved and deleted, and is restored from the trash (${describeVisit({ js })})`, () =>
      visit({ lang: "en", js, as: libraryOwner }, async (self) => {
        const { open, page, t, expectStatus } = self;
        expectStatus(400);
        const { path, items } = await createFolder(`一点 ${++createdCount}`);
        const [sound, document, image, subtitles] = items.map(({ uuid }) => `/library/items/${uuid}`);
        await open(sound ?? "");
        await page.locator("audio[controls]").waitFor();
        await findMain(self).getByText("0:01", { exact: true }).waitFor();
        await open(subtitles ?? "");
        await page.getByText("00:00:01.000 --> 00:00:02.000").waitFor();
        await open(document ?? "");
        expect(
          await findLink(self, `${t("library:item.openFile")} (${t("shared:opensNewTab")})`).count(),
        ).toBe(1);
        const readLink = findLink(self, `${t("visitors:document.read")} plan`);
        if (!js) expect(await readLink.getAttribute("href")).toMatch(/^\/media\//);
        else {
          // The document has no thumbnail yet, so the page opens it and creates a thumbnail of its first page.
          await page.getByText(t("visitors:document.page", { number: 1, pages: 2 })).waitFor();
          await page.getByText("Plan of the gallery").waitFor();
          await self.saveScreenshot("library-document");
          const readImageUrl = async () =>
            (await libraryOwner.api<{ picture_url: string | null }>("GET", `/api/v1/media/${items[1]?.uuid}`))
              .picture_url;
          await expect.poll(readImageUrl, { timeout: 15_000 }).toMatch(/^\/media\/.+\?w=320$/);
          await page.reload();
          await waitForHydration(page);
          await self.axe("library document");
          await readLink.click();
          await page.getByRole("button", { name: t("visitors:document.next") }).click();
          await page.getByText(t("visitors:document.page", { number: 2, pages: 2 })).waitFor();
          await findMain(self).getByText("広場").waitFor();
          expect(await page.getByRole("button", { name: t("visitors:document.next") }).isDisabled()).toBe(
            true,
          );
          await self.axe("library document being read");
        }

        await open(path);
        await findLink(self, "wall").click();
        await page.getByRole("heading", { level: 1, name: "wall" }).waitFor();
        await page.getByText(t("library:item.pixels", { width: 60, height: 40 })).waitFor();
        await page.getByText(t("library:item.unused")).waitFor();
        await page.getByRole("img", { name: "wall" }).waitFor();
        const dialog = page.getByRole("dialog");
        await findLink(self, t("folders:rename")).click();
        await dialog.getByLabel(t("folders:name"), { exact: true }).fill("north wall");
        await submitForm(self, dialog.getByRole("button", { name: t("folders:save") }));
        await page.getByRole("heading", { level: 1, name: "north wall" }).waitFor();

        if (!js) {
          const file = page.getByLabel(t("library:uploads.file"), { exact: true });
          await file.setInputFiles({ name: "b.png", mimeType: "", buffer: Buffer.from(HTML) });
          await submitForm(
            self,
            page.getByRole("button", { name: t("library:uploads.submit"), exact: true }),
          );
          await page.getByText("b.png –").waitFor();
          await file.setInputFiles({ name: "b.png", mimeType: "", buffer: Buffer.from(pngFile(30, 20)) });
          await submitForm(
            self,
            page.getByRole("button", { name: t("library:uploads.submit"), exact: true }),
          );
          await page.getByText(t("shared-owners:toasts.fileReplaced")).waitFor();
        } else {
          const fileInput = page.locator('main input[type="file"]').first();
          await fileInput.setInputFiles({
            name: "b.png",
            mimeType: "",
            buffer: Buffer.from(pngFile(30, 20)),
          });
        }
        await page.getByText(t("library:item.pixels", { width: 30, height: 20 })).waitFor();

        await findLink(self, t("folders:move")).click();
        await chooseOne(self, t("folders:moveTo"), t("library:title"));
        await submitForm(self, dialog.getByRole("button", { name: t("folders:moveSubmit") }));
        await page
          .getByText(
            t("shared-owners:toasts.namedMoved", {
              name: t("shared-owners:toasts.name", { name: "north wall" }),
            }),
          )
          .waitFor();
        await findLink(self, t("folders:delete")).click();
        await submitForm(self, dialog.getByRole("button", { name: t("folders:deleteSubmit") }));
        await page.getByRole("heading", { level: 1, name: t("library:title") }).waitFor();
        expect((await libraryOwner.get(image ?? "")).status).toBe(404);
        await chooseInMenu(self, t("shared-owners:moreActions"), t("folders:trash"));
        if (js) await waitForHydration(page);
        await submitForm(
          self,
          page
            .getByRole("row")
            .filter({ hasText: "north wall" })
            .first()
            .getByRole("button", { name: t("folders:restoreOf", { name: "north wall" }) }),
        );
        await page
          .getByText(
            t("shared-owners:toasts.namedRestored", {
              name: t("shared-owners:toasts.name", { name: "north wall" }),
            }),
            { exact: true },
          )
          .waitFor();
        expect((await libraryOwner.get(image ?? "")).status).toBe(200);
      }));

  test("lists the events that use it on its page and in the delete dialog, and cannot be deleted while a space uses it", () =>
    visit({ lang: "en", js: false, as: owner }, async (self) => {
      const { open, page, t } = self;
      const { event, media } = demoEvent(demoIds.mainEvent);
      const video = media.find(({ kind }) => kind === "video");
      await open(`/library/items/${video?.libraryItemId}`);
      const uses = page.getByRole("region", { name: t("library:item.uses") });
      const match = uses.getByRole("link", { name: event.eventName.en });
      expect(await match.getAttribute("href")).toBe(`/event/${event.id}`);
      await findLink(self, t("folders:delete")).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByText(t("folders:usedOne")).waitFor();
      await dialog.getByText(event.eventName.en, { exact: true }).waitFor();
      await dialog.getByText(t("folders:usedText")).waitFor();

      // Opens the dialog that deletes two items. A space uses one of them.
      const [space] = await owner.api<{ source: { media_uuid: string } }[]>(
        "GET",
        `/api/v1/spaces/uuid/${demoIds.showroom}`,
      );
      const model = space?.source.media_uuid;
      const itemRefs = [`media~${video?.libraryItemId}`, `media~${model}`];
      await open(`/library?dialog=delete&${itemRefs.map((ref) => `item=${ref}`).join("&")}`);
      await dialog.getByText(t("folders:used", { count: 2 })).waitFor();
      await dialog.getByText(t("folders:source", { count: 1 })).waitFor();
      const response = await owner.post("/library?lang=en", { intent: "delete", item: itemRefs[1] ?? "" });
      expect([
        response.status,
        response.visibleText.includes(unescapeHtml(t("folders:rejected.in_use"))),
      ]).toEqual([400, true]);
      await open(`/library/items/${model}?dialog=delete`);
      expect(await dialog.getByRole("button", { name: t("folders:deleteSubmit") }).isDisabled()).toBe(true);
    }));
});

test("each file of a form without scripts is stored or rejected separately, and a form without a file is rejected", async () => {
  const t = translateIn("en");
  const { path } = await createFolder(`別々 ${++createdCount}`);
  const response = await upload(libraryOwner, `${path}?lang=en`, { "good.png": pngFile(), "page.png": HTML });
  const pageText = unescapeHtml((await response.text()).replace(/<[^>]+>/g, " ")).replace(/\s+/g, " ");
  expect(response.status).toBe(400);
  expect(pageText).toContain(t("library:upload.someFailed", { count: 1 }));
  expect(pageText).toContain("page.png –");
  expect(pageText).toContain(`${t("library:upload.stored", { count: 1 })} good`);
  const emptyResponse = await upload(libraryOwner, `${path}?lang=en`, {});
  expect(emptyResponse.status).toBe(400);
});

test("the groups of an open menu keep their names for screen readers", () =>
  visit({ lang: "en", as: owner }, async (self) => {
    const { axe, open, page, t } = self;
    await open("/library");
    await waitForHydration(page);
    await openMenu(self, t("folders:view"));
    for (const name of [t("folders:orderBy"), t("folders:layout")])
      await page.getByRole("group", { name, exact: true }).waitFor();
    await axe("library-menu");
  }));
