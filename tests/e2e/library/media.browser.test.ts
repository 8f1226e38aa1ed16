import { beforeAll, describe, expect, test } from "vitest";
import { caller, changeEvent, linkPath, postEvent, signIn, unescapeHtml } from "../../support/api/caller";
import { demoEvent, demoIds, demoPath } from "../../support/app/demo";
import { useTestApp } from "../../support/app/test-app";
import { visit } from "../../support/browser/visit";
import { startMediaServer } from "../../support/external/media-server";

const visitor = caller();
/** The URL of a library item's file under an event's public link. */
const createFileUrl = (eventId: string, itemId: string, mode: "published" | "preview" = "published") => {
  const { event } = demoEvent(eventId);
  const token = mode === "preview" ? event.previewAccessToken : event.accessToken;
  return `/media/${itemId}?event=${eventId}&mode=${mode}&token=${token}`;
};
const findItemId = (eventId: string, kind: string) => {
  const mediaItem = demoEvent(eventId).media.find((candidate) => candidate.kind === kind);
  if (!mediaItem) throw new Error(`The demo event has no ${kind}`);
  return mediaItem.libraryItemId;
};

let soundUrl: string;
let imageUrl: string;
let leafletUrl: string;
beforeAll(() => {
  soundUrl = createFileUrl(demoIds.mainEvent, findItemId(demoIds.mainEvent, "audio"));
  imageUrl = createFileUrl(demoIds.mainEvent, findItemId(demoIds.mainEvent, "image"));
  leafletUrl = createFileUrl(demoIds.mainEvent, findItemId(demoIds.mainEvent, "pdf"));
});

const readBytes = async (response: Response) => new Uint8Array(await response.arrayBuffer());

describe("a file of an event", () => {
  test("is served whole, in ranges, or as headers only", async () => {
    const whole = await visitor.fetch(soundUrl);
    const fileBytes = await readBytes(whole);
    expect(whole.status).toBe(200);
    expect(whole.headers.get("accept-ranges")).toBe("bytes");
    expect(whole.headers.get("content-length")).toBe(String(fileBytes.length));
    const head = await visitor.fetch(soundUrl, { method: "HEAD" });
    expect([head.status, head.headers.get("content-length"), (await readBytes(head)).length]).toEqual([
      200,
      String(fileBytes.length),
      0,
    ]);

    const requestRange = async (range: string) => {
      const response = await visitor.fetch(soundUrl, { headers: { range } });
      return {
        status: response.status,
        range: response.headers.get("content-range"),
        body: await readBytes(response),
      };
    };
    const lastByte = fileBytes.length - 1;
    for (const [range, from, to] of [
      ["bytes=0-99", 0, 99],
      ["bytes=100-", 100, lastByte],
      ["bytes=-50", lastByte - 49, lastByte],
      [`bytes=10-${fileBytes.length * 2}`, 10, lastByte],
      ["bytes=0-0", 0, 0],
    ] as const) {
      const { status, range: contentRange, body } = await requestRange(range);
      expect([range, status, contentRange]).toEqual([range, 206, `bytes ${from}-${to}/${fileBytes.length}`]);
      expect(Buffer.compare(body, fileBytes.subarray(from, to + 1))).toBe(0);
    }
    const rangeBeyondEnd = await requestRange(`bytes=${fileBytes.length}-`);
    expect([rangeBeyondEnd.status, rangeBeyondEnd.range, rangeBeyondEnd.body.length]).toEqual([
      416,
      `bytes */${fileBytes.length}`,
      0,
    ]);
    // An invalid range returns the whole file.
    expect((await requestRange("bytes=9-1")).status).toBe(200);
    expect((await requestRange("lines=1-2")).status).toBe(200);
  });

  test("is not sent again when the browser has it", async () => {
    const firstResponse = await visitor.fetch(imageUrl);
    const etag = firstResponse.headers.get("etag") ?? "";
    const modified = firstResponse.headers.get("last-modified") ?? "";
    await firstResponse.arrayBuffer();
    expect(etag).toMatch(/^(W\/)?"[^"]+"$/);
    const requestAgain = async (headers: Record<string, string>) => {
      const response = await visitor.fetch(imageUrl, { headers });
      return [response.status, (await readBytes(response)).length > 0];
    };
    expect(await requestAgain({ "if-none-match": etag })).toEqual([304, false]);
    expect(await requestAgain({ "if-none-match": `"other", ${etag}` })).toEqual([304, false]);
    expect(await requestAgain({ "if-none-match": "*" })).toEqual([304, false]);
    expect(await requestAgain({ "if-none-match": '"other"' })).toEqual([200, true]);
    expect(await requestAgain({ "if-modified-since": modified })).toEqual([304, false]);
    expect(await requestAgain({ range: "bytes=0-9", "if-range": etag })).toEqual([206, true]);
    expect(await requestAgain({ range: "bytes=0-9", "if-range": '"other"' })).toEqual([200, true]);
  });

  test("cannot run scripts or be embedded by other sites", async () => {
    for (const [file, type] of [
      [imageUrl, "image/webp"],
      [soundUrl, "audio/mp4"],
      [leafletUrl, "application/pdf"],
    ] as const) {
      const { headers } = await visitor.fetch(file, { method: "HEAD" });
      expect(headers.get("content-type")).toBe(type);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("content-security-policy")).toMatch(
        type === "application/pdf" ? /default-src 'none'/ : /^sandbox; default-src 'none'/,
      );
      expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
      expect(headers.get("content-disposition")).toMatch(/^inline; filename="[^"]+"; filename\*=UTF-8''/);
      // Caches must revalidate, so that a closed link is closed everywhere.
      expect(headers.get("cache-control")).toMatch(/no-cache|no-store/);
    }
  });

  test("cannot be changed through its URL", async () => {
    for (const method of ["POST", "PUT", "DELETE", "PATCH"])
      expect([method, (await visitor.fetch(imageUrl, { method })).status]).toEqual([method, 405]);
  });
});

describe("access to a file", () => {
  test("is denied with status 404 without permission", async () => {
    const item = findItemId(demoIds.mainEvent, "image");
    const { event } = demoEvent(demoIds.mainEvent);
    const mediaPath = unescapeHtml((await visitor.get(demoPath(demoIds.mainEvent))).text).match(
      /\/media\/[0-9a-f-]{36}/,
    )?.[0];
    expect(mediaPath).toBeDefined();
    const rejectedPaths: Record<string, string> = {
      "no link": `/media/${item}`,
      "no token": `/media/${item}?event=${event.id}&mode=published`,
      "a wrong token": `/media/${item}?event=${event.id}&mode=published&token=wrong`,
      "the other link's token": `/media/${item}?event=${event.id}&mode=published&token=${event.previewAccessToken}`,
      "an unknown mode": `/media/${item}?event=${event.id}&mode=3d&token=${event.accessToken}`,
      "another event's link": createFileUrl(demoIds.showcaseEvent, item),
      "an unknown item": createFileUrl(demoIds.mainEvent, "00000000-0000-4000-8000-000000000000"),
      "a path as the id": `/media/..%2f..%2fsecrets?event=${event.id}&mode=published&token=${event.accessToken}`,
    };
    for (const [name, path] of Object.entries(rejectedPaths)) {
      const response = await visitor.fetch(path);
      expect([name, response.status, await response.text()]).toEqual([name, 404, ""]);
      expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    }
    expect((await (await signIn("owner")).fetch(`/media/${item}`)).status).toBe(200);
    expect((await (await signIn("suzuki")).fetch(`/media/${item}`)).status).toBe(404);
  });

  test("opens and closes with its event, at the next request", async () => {
    const owner = await signIn("curator");
    const event = await postEvent(owner, demoIds.tearoom, {
      status_id: 3,
      enable_auto_change_status: false,
    });
    const page = unescapeHtml((await visitor.get(linkPath(event, "published"))).text);
    const files = [
      ...new Set([...page.matchAll(/(?:src|href)="(\/media\/[^"]+)"/g)].map(([, file = ""]) => file)),
    ];
    expect(files.length).toBeGreaterThan(0);
    const readStatuses = () =>
      Promise.all(files.map(async (file) => (await visitor.fetch(file, { method: "HEAD" })).status));
    const repeatStatus = (status: number) => files.map(() => status);
    expect(await readStatuses()).toEqual(repeatStatus(200));
    for (const [status, open] of [
      [1, 404],
      [3, 200],
      [2, 404],
      // The page of an ended event shows its cover, which is the only file that stays open.
      [4, 200],
      [3, 200],
    ] as const) {
      await changeEvent(owner, event.uuid, { status_id: status });
      expect([status, await readStatuses()]).toEqual([status, repeatStatus(open)]);
    }
    // With a password, files are protected like the page.
    await changeEvent(owner, event.uuid, { publish_password: "password-1" });
    expect(await readStatuses()).toEqual(repeatStatus(404));
    const passwordResponse = await visitor.post(linkPath(event, "published"), { password: "password-1" });
    const accessCookie =
      passwordResponse.headers
        .getSetCookie()
        .find((cookie) => cookie.startsWith("event-auth-"))
        ?.split(";")[0] ?? "";
    for (const file of files)
      expect((await visitor.fetch(file, { method: "HEAD", headers: { cookie: accessCookie } })).status).toBe(
        200,
      );
    // A new password revokes the access of the old one.
    await changeEvent(owner, event.uuid, { publish_password: "password-2" });
    for (const file of files)
      expect((await visitor.fetch(file, { method: "HEAD", headers: { cookie: accessCookie } })).status).toBe(
        404,
      );
  });
});

describe("in a browser", () => {
  test("the demo's sound lasts ten seconds and does not clip", () =>
    visit({ lang: "en" }, async ({ open, page }) => {
      await open(demoPath(demoIds.mainEvent));
      const { duration, peak } = await page.evaluate(async (url) => {
        const file = await (await fetch(url)).arrayBuffer();
        const decoded = await new OfflineAudioContext(1, 1, 22_050).decodeAudioData(file);
        const samples = decoded.getChannelData(0);
        return {
          duration: decoded.duration,
          peak: samples.reduce((max, sample) => Math.max(max, Math.abs(sample)), 0),
        };
      }, soundUrl);
      expect(duration).toBeCloseTo(10, 0);
      expect(peak).toBeGreaterThan(0.25);
      expect(peak).toBeLessThan(0.98);
    }));

  test("the images and players of an event load, and its document can be opened", () =>
    visit({ lang: "en" }, async ({ open, page, t }) => {
      await open(demoPath(demoIds.mainEvent));
      await page.evaluate(() => {
        for (const details of document.querySelectorAll("details")) details.open = true;
      });
      const broken = await page.evaluate(async () => {
        const brokenUrls: string[] = [];
        for (const image of document.querySelectorAll<HTMLImageElement>("main img")) {
          image.loading = "eager";
          await image.decode().catch(() => brokenUrls.push(image.src));
        }
        for (const player of document.querySelectorAll<HTMLMediaElement>("audio, video")) {
          const loadingEnd = new Promise((resolve) => {
            player.addEventListener("loadedmetadata", resolve, { once: true });
            player.addEventListener("error", resolve, { once: true });
          });
          player.preload = "metadata";
          if (player.readyState === 0) {
            player.load();
            await loadingEnd;
          }
          if (!(player.duration > 0)) brokenUrls.push(player.src);
        }
        return brokenUrls;
      });
      expect(broken).toEqual([]);
      const link = await page
        .getByRole("link", { name: t("library:webMedia.openDocument") })
        .first()
        .getAttribute("href");
      const documentResponse = await visitor.fetch(link ?? "");
      expect(
        Buffer.from(await documentResponse.arrayBuffer())
          .subarray(0, 5)
          .toString(),
      ).toBe("%PDF-");
    }));
});

describe("a list of items with thumbnails", () => {
  for (const [list, width, scale] of [
    ["/space-list", 1280, 1],
    ["/space-list", 390, 3],
    ["/library?show=all", 1280, 2],
  ] as const)
    test(`${list} transfers less than 400 KB in a window of ${width} CSS pixels, at a device scale of ${scale}`, async () => {
      const client = await signIn("owner");
      await visit(
        { as: client, lang: "en", width, context: { deviceScaleFactor: scale } },
        async ({ page, open }) => {
          const transfers: { path: string; bytes: number; type: string; cache: string }[] = [];
          const bodyReads: Promise<void>[] = [];
          page.on("response", (response) => {
            if (!["document", "image"].includes(response.request().resourceType())) return;
            const { pathname, search } = new URL(response.url());
            if (!/^\/(media|space-list|library)/.test(pathname)) return;
            const { "content-type": type = "", "cache-control": cache = "" } = response.headers();
            bodyReads.push(
              response
                .body()
                .then(
                  (body) => void transfers.push({ path: pathname + search, bytes: body.length, type, cache }),
                ),
            );
          });
          await open(list);
          for (const image of await page.locator("main img").all()) await image.scrollIntoViewIfNeeded();
          const broken = await page.locator("main img").evaluateAll((images) =>
            Promise.all(
              (images as HTMLImageElement[]).map((image) =>
                image.decode().then(
                  () => [],
                  () => [image.currentSrc],
                ),
              ),
            ),
          );
          expect(broken.flat()).toEqual([]);
          await Promise.all(bodyReads);
          const imageTransfers = transfers.filter(({ path }) => path.startsWith("/media/"));
          expect(imageTransfers.length).toBeGreaterThan(1);
          for (const { path, bytes, type, cache } of imageTransfers) {
            expect(path).toMatch(/^\/media\/[0-9a-f-]{36}\/[^/?]{8}\?w=(320|640)$/);
            expect([type, cache]).toEqual(["image/avif", "private, max-age=31536000, immutable"]);
            // A page of the list holds twenty images.
            expect(bytes).toBeLessThanOrEqual(13_000);
          }
          const [pageTransfer] = transfers.filter(({ path }) => path === list);
          expect((pageTransfer?.bytes ?? Number.NaN) + 20 * 13_000).toBeLessThan(400_000);
        },
      );
    });

  test("has thumbnails that the browser caches, and that are not served without a session", () =>
    visit({ lang: "en" }, async ({ origin, context }) => {
      // Request interception disables the browser's cache, so this page is opened without it.
      const browser = context.browser();
      if (!browser) throw new Error("The visit has no browser");
      const cachingContext = await browser.newContext();
      try {
        const ticket = (await signIn("owner")).ticket ?? "";
        const login = { name: "session-ticket", value: ticket, url: origin };
        await cachingContext.addCookies([login, { name: "lang", value: "en", url: origin }]);
        const page = await cachingContext.newPage();
        const readImage = async () => {
          await page.goto(`${origin}/space-list`);
          const image = page.locator("main img").first();
          await image.evaluate((element: HTMLImageElement) => element.decode());
          return image.evaluate((element: HTMLImageElement) => {
            const [entry] = performance.getEntriesByName(element.currentSrc) as PerformanceResourceTiming[];
            return { src: element.currentSrc, transferSize: entry?.transferSize };
          });
        };
        const { src } = await readImage();
        expect(await readImage()).toEqual({ src, transferSize: 0 });
        await cachingContext.clearCookies();
        expect((await page.goto(src))?.status()).toBe(404);
      } finally {
        await cachingContext.close();
      }
    }));
});

describe("a malicious file in a browser", () => {
  const testApp = useTestApp();
  const CALL = "fetch('/called-by-a-script'); new Image().src = '/called-by-a-script';";
  const PAGE = `<!doctype html><title>page</title><script>${CALL}</script><img src=x onerror="${CALL}"><form action="/called-by-a-form"></form><script>document.forms[0].submit()</script>`;
  const DRAWING = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" onload="${CALL}"><script>${CALL}</script><rect width="9" height="9"/><foreignObject width="9" height="9"><iframe xmlns="http://www.w3.org/1999/xhtml" src="/called-by-a-frame"></iframe></foreignObject></svg>`;
  const SCRIPT_IN_GIF = `GIF89a/*${"\0".repeat(40)}*/=1;${CALL}`;

  test("runs no script when it is opened, framed, embedded, or used as a script of another page", async () => {
    const owner = await testApp.addUser();
    const addFile = async (mimeType: string, content: string) => {
      const item = await testApp.addItem(owner, { mimeType, byteSize: content.length, fileName: "a" });
      await testApp.files.put(item.fileKey, content);
      return `/media/${item.id}`;
    };
    const files = [
      await addFile("image/svg+xml", DRAWING),
      await addFile("image/png", PAGE),
      await addFile("image/gif", SCRIPT_IN_GIF),
      await addFile("text/vtt", PAGE),
      await addFile("application/pdf", PAGE),
      await addFile("text/html", PAGE),
      await addFile("text/javascript", CALL),
    ];
    const embeddings = files
      .map(
        (file) =>
          `<img src="${file}"><img src="${file}?w=320"><iframe src="${file}"></iframe><object data="${file}"></object><embed src="${file}"><script src="${file}"></script><link rel="stylesheet" href="${file}">`,
      )
      .join("");
    const server = await startMediaServer(testApp, owner.actor, embeddings);
    try {
      await visit({ origin: server.origin }, async ({ page, expectError }) => {
        expectError(/MIME type|sandbox|Content Security Policy|Refused|violates|Failed to load resource/i);
        for (const file of files) {
          // A download is not a page that the browser can navigate to.
          await page.goto(server.origin + file).catch((error: Error) => {
            if (!/Download is starting|ERR_ABORTED/.test(error.message)) throw error;
          });
          await page.waitForTimeout(150);
          expect([file, server.requestedPaths]).toEqual([file, []]);
        }
        await page.goto(`${server.origin}/page`);
        await page.waitForTimeout(500);
        expect(server.requestedPaths).toEqual([]);
        // Checks that the server would have noticed a script.
        await page.evaluate("fetch('/called-by-a-script')");
        expect(server.requestedPaths).toEqual(["/called-by-a-script"]);
      });
    } finally {
      await server.close();
    }
  });
});
