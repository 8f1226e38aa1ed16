import { createHash } from "node:crypto";
import { createReadStream, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import type { Page, Request } from "playwright-core";
import sharp from "sharp";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { UPLOAD_MAX_BYTES, UPLOAD_PART_BYTES } from "~/domain/shared/limits";
import { SLICES_AT_ONCE } from "~/features/library/uploads/upload-state";
import { formatBytes } from "~/i18n/format";
import { type Caller, signIn } from "../../support/api/caller";
import { demoEvent } from "../../support/app/demo";
import { type BrowserVisit, describeVisit, LANGUAGES, visit, WIDTHS } from "../../support/browser/visit";
import { pngChunk } from "../../support/files/media-files";

/** An account whose library no other test changes. */
let person: Caller;
let folder: string;
beforeAll(async () => {
  person = await signIn("mori");
  folder = mkdtempSync(join(tmpdir(), "uploads-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A square image in one shade of grey. */
function createImage(grey: number, side = 64): Buffer {
  const header = Buffer.from([0, 0, 0, side, 0, 0, 0, side, 8, 0, 0, 0, 0]);
  const lines = Buffer.alloc((side + 1) * side, grey);
  for (let line = 0; line < side; line++) lines[line * (side + 1)] = 0;
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    pngChunk("IHDR", header),
    pngChunk("IDAT", deflateSync(lines)),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
}

const HTML = Buffer.from("<!doctype html><title>x</title><script>alert(1)</script>");

/** A sound file of the given size in bytes. All megabytes differ, so that swapped slices are detected. */
async function createSound(name: string, size: number): Promise<string> {
  const path = join(folder, name);
  const header = Buffer.alloc(44);
  header.write("RIFF", 0);
  header.writeUInt32LE(size - 8, 4);
  header.write("WAVEfmt ", 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(8000, 24);
  header.writeUInt32LE(8000, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write("data", 36);
  header.writeUInt32LE(size - 44, 40);
  const file = await open(path, "w");
  const megabyte = Buffer.alloc(1024 * 1024);
  for (let offset = 0, index = 0; offset < size; offset += megabyte.length, index++) {
    megabyte.fill(`${index} `);
    await file.write(megabyte, 0, Math.min(megabyte.length, size - offset), offset);
  }
  await file.write(header, 0, header.length, 0);
  await file.close();
  return path;
}

async function computeHash(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of chunks) hash.update(chunk);
  return hash.digest("hex");
}

/** Hash of the stored file. */
async function computeStoredHash(mediaId: string): Promise<string> {
  const { body, status } = await person.fetch(`/media/${mediaId}`);
  if (status !== 200 || !body) throw new Error(`/media/${mediaId} returned ${status}`);
  return computeHash(body as unknown as AsyncIterable<Uint8Array>);
}

interface OpenUpload {
  readonly uuid: string;
  readonly media_uuid: string;
  readonly file_name: string;
  readonly parts: readonly unknown[];
}
const listOpenUploads = () => person.api<OpenUpload[]>("GET", "/api/v1/uploads");

interface FolderJson {
  readonly uuid: string;
  readonly parent_uuid: string;
  readonly name: string;
}
const listFolders = () => person.api<FolderJson[]>("GET", "/api/v1/folders?folder_type=media");
async function findFolder(name: string): Promise<FolderJson> {
  const folderJson = (await listFolders()).find((candidate) => candidate.name === name);
  if (!folderJson) throw new Error(`No folder ${name}`);
  return folderJson;
}

/** Number of files in the browser's storage. Runs in the page. */
const countStoredFiles = () =>
  new Promise<number>((resolve, reject) => {
    const opening = indexedDB.open("hiroba-uploads");
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const counting = opening.result.transaction("files").objectStore("files").count();
      counting.onsuccess = () => resolve(counting.result);
      counting.onerror = () => reject(counting.error);
    };
  });

/** Deletes unfinished uploads of a failed test, which the next test's page would continue. */
afterEach(async () => {
  for (const { uuid } of await listOpenUploads()) await person.api("DELETE", `/api/v1/uploads/${uuid}`);
});

const findFilesInput = ({ page, t }: BrowserVisit) =>
  page.locator(`input[type=file][aria-label="${t("library:uploads.choose")}"]`);
const findTray = ({ page, t }: BrowserVisit) =>
  page.getByRole("region", { name: t("library:uploads.title") });
const findRow = (self: BrowserVisit, name: string) =>
  findTray(self).getByRole("listitem").filter({ hasText: name });
const findButton = ({ page, t }: BrowserVisit, action: Parameters<BrowserVisit["t"]>[0], name: string) =>
  page.getByRole("button", {
    name: t("library:uploads.actionFor", { action: t(action), name }),
    exact: true,
  });
const waitUntilDone = async (self: BrowserVisit, name: string, timeout = 15_000) =>
  findRow(self, name).getByText(self.t("library:uploads.state.done"), { exact: true }).waitFor({ timeout });
const findInList = ({ page }: BrowserVisit, title: string) =>
  page.locator("main").getByText(title, { exact: true }).first();

const SLICES = "**/api/v1/uploads/*/parts/*";
/** Holds back the slices from the given number on, until the returned function is called. */
async function holdSlices(page: Page, first = 1) {
  let releaseSlices = () => {};
  const released = new Promise<void>((resolve) => {
    releaseSlices = resolve;
  });
  await page.route(SLICES, async (route) => {
    const number = Number(new URL(route.request().url()).pathname.split("/").at(-1));
    if (number >= first) await released;
    await route.continue().catch(() => {});
  });
  return releaseSlices;
}

/** Records the numbers of the slices that a page begins to send, and how many it sends at once at most. */
function watchSlices(page: Page) {
  const sentNumbers: number[] = [];
  const runningRequests = new Set<Request>();
  let maxRunning = 0;
  page.on("request", (request) => {
    if (!/\/parts\/\d+$/.test(request.url())) return;
    sentNumbers.push(Number(request.url().split("/").at(-1)));
    runningRequests.add(request);
    maxRunning = Math.max(maxRunning, runningRequests.size);
  });
  // A response counts when its header arrives: the next slice may start before the browser reports the end.
  page.on("response", (response) => runningRequests.delete(response.request()));
  page.on("requestfailed", (request) => runningRequests.delete(request));
  return { sent: sentNumbers, most: () => maxRunning };
}

const createImages = (lang: string) =>
  [60, 120, 180].map((grey, index) => ({
    name: `写真 ${lang} ${index + 1}.png`,
    mimeType: "image/png",
    buffer: createImage(grey + (lang === "en" ? 30 : 0)),
  }));

describe("files that are uploaded", () => {
  for (const [index, lang] of LANGUAGES.entries()) {
    const width = WIDTHS[index];
    test(`arrive several at once; invalid files are rejected before a byte is sent (${describeVisit({ lang, width })})`, () =>
      visit({ lang, width, as: person, reducedMotion: true }, async (self) => {
        const { open, page, t, axe, saveScreenshot } = self;
        await open("/library");
        const hugeFile = join(folder, `huge-${lang}.wav`);
        writeFileSync(hugeFile, "");
        truncateSync(hugeFile, UPLOAD_MAX_BYTES + 1);
        const requests: string[] = [];
        page.on("request", (request) => {
          if (request.method() === "POST" && request.url().endsWith("/api/v1/uploads"))
            requests.push(String(JSON.parse(request.postData() ?? "{}").file_name));
        });
        const images = createImages(lang);
        await findFilesInput(self).setInputFiles([
          ...images,
          { name: `page-${lang}.png`, mimeType: "image/png", buffer: HTML },
          { name: `empty-${lang}.png`, mimeType: "image/png", buffer: Buffer.alloc(0) },
        ]);
        await findFilesInput(self).setInputFiles(hugeFile);
        for (const { name } of images) await waitUntilDone(self, name);
        await findRow(self, `page-${lang}.png`).getByText(t("library:errors.upload.kind")).waitFor();
        await findRow(self, `empty-${lang}.png`).getByText(t("library:errors.upload.empty")).waitFor();
        await findRow(self, `huge-${lang}.wav`).getByText(t("library:errors.upload.tooLarge")).waitFor();
        expect(requests.sort()).toEqual(images.map(({ name }) => name));
        // Rejected files are listed before stored ones, and the list covers less than half of the window.
        const rowTexts = await findTray(self).getByRole("listitem").allInnerTexts();
        expect(rowTexts.map((text) => text.split("\n")[0]).slice(0, 3)).toEqual([
          `page-${lang}.png`,
          `empty-${lang}.png`,
          `huge-${lang}.wav`,
        ]);
        const { height = 0 } = (await findTray(self).boundingBox()) ?? {};
        expect(height).toBeLessThan((page.viewportSize()?.height ?? 0) * 0.45);
        // The list shows them without a reload.
        for (const number of [1, 2, 3]) await findInList(self, `写真 ${lang} ${number}`).waitFor();
        const status = findTray(self).getByRole("status");
        await expect.poll(() => status.textContent()).toContain(t("library:uploads.say.done", { count: 3 }));
        expect(await status.textContent()).toContain(t("library:uploads.say.stuck", { count: 3 }));
        await axe("uploads");
        await saveScreenshot("uploads");
        await page.getByRole("button", { name: t("library:uploads.hide") }).click();
        await findRow(self, `page-${lang}.png`).waitFor({ state: "hidden" });
        await page.getByRole("button", { name: t("library:uploads.clear") }).click();
        await findTray(self).waitFor({ state: "detached" });
      }));
  }

  test("are paused, resumed and cancelled, and survive the loss of connection and session", () =>
    visit({ lang: "ja", width: 390, as: person, reducedMotion: true }, async (self) => {
      const { open, page, t, axe, saveScreenshot, context, origin, expectStatus, expectError } = self;
      expectStatus(401);
      expectError(/ERR_INTERNET_DISCONNECTED|Failed to fetch manifest patches/);
      const [longName, shortName] = ["音 一.wav", "音 二.wav"];
      const longFile = await createSound(longName, UPLOAD_PART_BYTES * 3);
      const shortFile = await createSound(shortName, UPLOAD_PART_BYTES + 1);
      await open("/library");
      const releaseSlices = await holdSlices(page, 2);
      const slices = watchSlices(page);
      await findFilesInput(self).setInputFiles([longFile, shortFile]);
      const bytes = { sent: formatBytes(UPLOAD_PART_BYTES), size: formatBytes(UPLOAD_PART_BYTES * 3) };
      await findRow(self, longName).getByText(t("library:uploads.state.sending", bytes)).waitFor();
      const isAsked = await page.evaluate(
        () => !window.dispatchEvent(new Event("beforeunload", { cancelable: true })),
      );
      expect(isAsked).toBe(true);
      await axe("uploads under way");
      await saveScreenshot("uploads-under-way");

      await findButton(self, "library:uploads.pause", longName).click();
      await findRow(self, longName).getByText(t("library:uploads.state.paused", bytes)).waitFor();
      await findButton(self, "library:uploads.cancel", shortName).click();
      await findRow(self, shortName).waitFor({ state: "detached" });
      await expect
        .poll(async () => (await listOpenUploads()).map(({ file_name }) => file_name))
        .toEqual([longName]);
      // Slices under way arrive and are not sent again.
      releaseSlices();
      const fullSize = formatBytes(UPLOAD_PART_BYTES * 3);
      await findRow(self, longName)
        .getByText(t("library:uploads.state.paused", { sent: fullSize, size: fullSize }))
        .waitFor();
      await page.unroute(SLICES);

      // The rows of the tray stay when the user navigates to another screen.
      await page.getByRole("banner").getByRole("link", { name: "Hiroba" }).click();
      await page.waitForURL((url) => !url.pathname.startsWith("/library"));
      await context.setOffline(true);
      await findTray(self).getByText(t("library:uploads.offline")).last().waitFor();
      await findButton(self, "library:uploads.resume", longName).click();
      const [cookie] = (await context.cookies(origin)).filter(({ name }) => name === "session-ticket");
      await context.clearCookies({ name: "session-ticket" });
      await context.setOffline(false);
      await findTray(self).getByText(t("library:uploads.signedOut")).last().waitFor();
      await axe("uploads without a session");
      if (cookie) await context.addCookies([cookie]);
      await findTray(self)
        .getByRole("button", { name: t("library:uploads.resume"), exact: true })
        .click();
      await waitUntilDone(self, longName);
      expect(slices.most()).toBe(SLICES_AT_ONCE);
      expect(slices.sent.filter((number) => number === 1)).toHaveLength(2);
      expect(slices.sent.filter((number) => number === 3)).toHaveLength(1);
    }));

  test("are dropped, also in folders, pasted, and chosen as folders; videos get a thumbnail", () =>
    visit({ lang: "en", as: person, reducedMotion: true }, async (self) => {
      const { open, page, t, saveScreenshot } = self;
      const outerFolder = join(folder, "夏の旅");
      mkdirSync(join(outerFolder, "海辺"), { recursive: true });
      writeFileSync(join(outerFolder, "海辺", "波.png"), createImage(5));
      writeFileSync(join(outerFolder, ".DS_Store"), "ignored");
      const imagePath = join(folder, "空.png");
      writeFileSync(imagePath, createImage(6));
      await open("/library");

      const cdp = await page.context().newCDPSession(page);
      const data = { items: [], files: [outerFolder, imagePath], dragOperationsMask: 1 };
      const drag = (
        type: "dragEnter" | "dragOver" | "drop",
        point = { x: 640, y: 600 },
        files = data.files,
      ) => cdp.send("Input.dispatchDragEvent", { type, ...point, data: { ...data, files } });
      await drag("dragEnter");
      await drag("dragOver");
      await page.getByText(t("library:uploads.drop")).waitFor();
      await saveScreenshot("uploads-drop");
      await drag("dragOver");
      await drag("drop");
      await page.getByText(t("library:uploads.drop")).waitFor({ state: "detached" });
      for (const name of ["波.png", "空.png"]) await waitUntilDone(self, name);
      expect(await findTray(self).getByRole("listitem").count()).toBe(2);
      const summer = await findFolder("夏の旅");
      const sea = await findFolder("海辺");
      expect(sea.parent_uuid).toBe(summer.uuid);

      // A file that is dropped onto a folder's tile is added to that folder.
      const tile = page.locator(`[data-folder="${summer.uuid}"]`).first();
      await tile.scrollIntoViewIfNeeded();
      const box = await tile.boundingBox();
      const point = { x: (box?.x ?? 0) + 30, y: (box?.y ?? 0) + 20 };
      const innerImage = join(folder, "雲.png");
      writeFileSync(innerImage, createImage(8));
      await drag("dragEnter", point, [innerImage]);
      await drag("dragOver", point, [innerImage]);
      expect(await tile.getAttribute("data-over")).toBe("");
      await saveScreenshot("uploads-drop-folder");
      await drag("drop", point, [innerImage]);
      await waitUntilDone(self, "雲.png");
      const filesOfFolder = await person.api<{ title: string }[]>(
        "GET",
        `/api/v1/media?folder_uuid=${summer.uuid}`,
      );
      expect(filesOfFolder.map(({ title }) => title)).toEqual(["雲"]);

      // Choosing the same folder with the button reuses its existing folders, and adds its file again.
      await page
        .locator(`input[type=file][aria-label="${t("library:uploads.chooseFolder")}"]`)
        .setInputFiles(outerFolder);
      await expect
        .poll(() => findTray(self).getByText(t("library:uploads.state.done"), { exact: true }).count())
        .toBe(4);
      expect((await listFolders()).filter(({ name }) => name === "海辺")).toHaveLength(1);

      await page.evaluate((base64) => {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        const transfer = new DataTransfer();
        transfer.items.add(new File([bytes], "image.png", { type: "image/png" }));
        document.body.dispatchEvent(
          new ClipboardEvent("paste", { clipboardData: transfer, bubbles: true, cancelable: true }),
        );
      }, createImage(7).toString("base64"));
      const pasted = t("library:uploads.pasted", { time: String(new Date().getFullYear()) });
      await findRow(self, pasted).getByText(t("library:uploads.state.done"), { exact: true }).waitFor();

      const owner = await signIn("owner");
      const video = demoEvent().media.find(({ kind }) => kind === "video");
      const bytes = await (await owner.fetch(`/media/${video?.libraryItemId}`)).arrayBuffer();
      const [thumbnailResponse] = await Promise.all([
        page.waitForResponse((response) => response.url().endsWith("/thumbnail")),
        findFilesInput(self).setInputFiles({
          name: "海.webm",
          mimeType: "video/webm",
          buffer: Buffer.from(bytes),
        }),
      ]);
      await waitUntilDone(self, "海.webm");
      expect(thumbnailResponse.status()).toBe(200);
      expect((await thumbnailResponse.json()).picture_url).toMatch(/^\/media\/.+\?w=320$/);

      // Uploads another file into one of the created folders.
      await open(`/library/folders/${sea.uuid}`);
      await findFilesInput(self).setInputFiles({
        name: "砂.png",
        mimeType: "image/png",
        buffer: createImage(8),
      });
      await waitUntilDone(self, "砂.png");
      for (const title of ["波", "砂"]) await findInList(self, title).waitFor();
    }));

  test("of many slices that were interrupted continue automatically, and in another browser after the file is chosen again", {
    timeout: 240_000,
  }, async () => {
    const name = "長い音.wav";
    // Three rounds of concurrent slices and one more. uploads.worker.test.ts tests the largest file.
    const size = 9.5 * UPLOAD_PART_BYTES;
    const path = await createSound(name, size);
    const expectedHash = await computeHash(createReadStream(path));
    const count = Math.ceil(size / UPLOAD_PART_BYTES);
    const countArrivedSlices = async () =>
      (await listOpenUploads()).find(({ file_name }) => file_name === name)?.parts.length;
    await visit({ lang: "ja", as: person }, async (self) => {
      const { open, page, context } = self;
      await open("/library");
      await holdSlices(page, 4);
      await findFilesInput(self).setInputFiles(path);
      await expect.poll(countArrivedSlices, { timeout: 60_000 }).toBe(3);
      // Waits until the browser has stored its copy of the file.
      await expect.poll(() => page.evaluate(countStoredFiles), { timeout: 60_000 }).toBe(1);
      await page.close();

      // Opens the page again, and closes it during the upload again.
      const secondPage = await context.newPage();
      await holdSlices(secondPage, 7);
      const slices = watchSlices(secondPage);
      await secondPage.goto(new URL("/library", self.origin).href);
      await expect.poll(countArrivedSlices, { timeout: 60_000 }).toBe(6);
      expect(slices.sent.sort((a, b) => a - b).slice(0, 3)).toEqual([4, 5, 6]);
      await secondPage.close();
    });

    // Another browser has no copy of the file.
    const mediaId = await visit({ lang: "ja", as: person, reducedMotion: true }, async (self) => {
      const { open, page, t, axe, saveScreenshot } = self;
      await open("/library");
      const bytes = { sent: formatBytes(UPLOAD_PART_BYTES * 6), size: formatBytes(size) };
      await findTray(self)
        .getByText(t("library:uploads.stopped", { count: 1 }))
        .waitFor();
      expect(await findTray(self).getByRole("progressbar").count()).toBe(0);
      await page.getByRole("button", { name: t("library:uploads.show") }).click();
      await findRow(self, name).getByText(t("library:uploads.state.missing", bytes)).waitFor();
      await axe("uploads to be chosen again");
      await saveScreenshot("uploads-choose-again");
      const [upload] = (await listOpenUploads()).filter(({ file_name }) => file_name === name);
      const fileInput = findRow(self, name).locator("input[type=file]");
      await fileInput.setInputFiles({ name, mimeType: "audio/wav", buffer: Buffer.from("RIFF") });
      await findRow(self, name).getByText(t("library:uploads.problem.otherFile", { name })).waitFor();
      const slices = watchSlices(page);
      await fileInput.setInputFiles(path);
      await waitUntilDone(self, name, 120_000);
      expect(slices.sent).toHaveLength(count - 6);
      expect(Math.min(...slices.sent)).toBe(7);
      expect(slices.most()).toBe(SLICES_AT_ONCE);
      return upload?.media_uuid ?? "";
    });
    expect(await computeStoredHash(mediaId)).toBe(expectedHash);
    expect((await listOpenUploads()).map(({ file_name }) => file_name)).not.toContain(name);
  });

  test("wait while there is no connection, and are sent when it is back", () =>
    visit({ lang: "en", as: person }, async (self) => {
      const { open, t, context, expectError } = self;
      expectError(/ERR_INTERNET_DISCONNECTED|Failed to fetch manifest patches/);
      const image = { name: `Offline ${Date.now()}.png`, mimeType: "image/png", buffer: createImage(75) };
      await open("/library");
      // The script that sends files is loaded with the first one.
      const firstImage = { ...image, name: `Online ${Date.now()}.png`, buffer: createImage(76) };
      await findFilesInput(self).setInputFiles([firstImage]);
      await waitUntilDone(self, firstImage.name);
      await context.setOffline(true);
      await findFilesInput(self).setInputFiles([image]);
      await findTray(self).getByText(t("library:uploads.offline")).last().waitFor();
      await findRow(self, image.name).waitFor();
      await context.setOffline(false);
      await waitUntilDone(self, image.name);
      await findInList(self, image.name.replace(".png", "")).waitFor();
    }));

  test("begin with files that were chosen before the page's scripts were loaded", () =>
    visit({ lang: "en", as: person }, async (self) => {
      const { page, t } = self;
      const name = `Early ${Date.now()}.png`;
      const scripts = /\/assets\/entry\.client-[\w-]+\.js$/;
      let releaseScripts = () => {};
      const released = new Promise<void>((resolve) => {
        releaseScripts = resolve;
      });
      await page.route(scripts, async (route) => {
        await released;
        await route.continue();
      });
      await page.goto(`${self.origin}/library`, { waitUntil: "commit" });
      await page.getByLabel(t("library:uploads.files")).setInputFiles({
        name,
        mimeType: "image/png",
        buffer: await sharp({ create: { width: 40, height: 30, channels: 3, background: "#357" } })
          .png()
          .toBuffer(),
      });
      releaseScripts();
      await waitUntilDone(self, name, 60_000);
    }));

  for (const lang of LANGUAGES)
    test(`have a plain form without scripts (${lang})`, () =>
      visit({ lang, width: 390, js: false, as: person, reducedMotion: true }, async (self) => {
        const { open, page, t, saveScreenshot } = self;
        await open("/library");
        const field = page.getByLabel(t("library:uploads.files"));
        const form = page.locator("form", { has: field });
        expect(await field.getAttribute("name")).toBe("file");
        expect(await form.getAttribute("enctype")).toBe("multipart/form-data");
        expect(await form.getAttribute("method")).toBe("post");
        expect(await form.locator("input[name=intent]").getAttribute("value")).toBe("upload");
        await saveScreenshot("uploads");
      }));
});
