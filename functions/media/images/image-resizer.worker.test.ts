import { eq } from "drizzle-orm";
import { Miniflare } from "miniflare";
import sharp from "sharp";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { libraryItems, spaces } from "#functions/data/schema";
import { atWidth, IMAGE_WIDTHS, imageUrl, spacePosterUrl } from "~/domain/library/media-url";
import { type TestApp, type TestUser, useTestApp } from "../../../tests/support/app/test-app";
import { testImages, testImageTool } from "../../../tests/support/app/test-images";
import { createRecentReads, type RecentReads } from "../recent-reads";
import { type MediaRequestContext, serveMedia } from "../serve-media";
import { cloudflareImageConverter } from "./image-converter";

const CHROME = "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8";
const testApp = useTestApp();
let reads: RecentReads;
let owner: TestUser;
let images: ReturnType<typeof testImages>;
let deferred: Promise<unknown>[];

beforeEach(async () => {
  owner = await testApp.addUser();
  reads = createRecentReads(() => testApp.time.now);
  images = testImages(testApp.files);
  deferred = [];
});

const mediaContext = (): MediaRequestContext => ({
  env: { FILES: testApp.files },
  metadata: testApp.metadata,
  mediaOrigin: null,
  images: images.images,
  recentReads: reads,
  ticketOf: () => "ticket",
  defer: (work) => deferred.push(work),
  services: testApp.services,
  pageContext: () => ({
    session: { current: async () => ({ actor: owner.actor }) },
    visitor: { eventAccessCookie: () => null },
  }),
});
const fetchPath = async (
  path: string,
  headers: Record<string, string> = { accept: CHROME },
  method = "GET",
) => {
  const response = await serveMedia(
    new Request(`https://hiroba.test${path}`, { headers, method }),
    mediaContext(),
  );
  await Promise.all(deferred);
  return response;
};
type Item = Awaited<ReturnType<TestApp["addItem"]>>;
const requestImage = (item: Item, query: string, headers?: Record<string, string>, method?: string) =>
  fetchPath(`/media/${item.id}${query}`, headers, method);

/** An image that does not compress well. */
const noise = (width: number, height: number) =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: "#888",
      noise: { type: "gaussian", mean: 128, sigma: 40 },
    },
  });

async function addImage(bytes: Buffer, fields: Parameters<TestApp["addItem"]>[1] = {}): Promise<Item> {
  const item = await testApp.addItem(owner, { byteSize: bytes.length, ...fields });
  await testApp.files.put(item.fileKey, bytes);
  return item;
}
const read = async (response: Response) => {
  const bytes = Buffer.from(await response.arrayBuffer());
  return { bytes, image: await sharp(bytes).metadata() };
};

describe("a resized image", () => {
  it("has the requested width and the best type that the client accepts", async () => {
    const photo = await noise(1600, 900).jpeg().toBuffer();
    const item = await addImage(photo, {
      mimeType: "image/jpeg",
      fileName: "会場.jpeg",
      width: 1600,
      height: 900,
    });
    const plain = { accept: "image/*,*/*;q=0.8" };
    for (const [width, headers, type, name] of [
      [160, { accept: CHROME }, "image/avif", "avif"],
      [640, { accept: CHROME }, "image/avif", "avif"],
      [1280, { accept: CHROME }, "image/webp", "webp"],
      [320, { accept: "image/avif;q=0, image/webp" }, "image/webp", "webp"],
      [320, plain, "image/jpeg", "jpg"],
      [320, {}, "image/jpeg", "jpg"],
    ] as [number, Record<string, string>, string, string][]) {
      const response = await requestImage(item, `?w=${width}`, headers);
      const { bytes, image } = await read(response);
      expect([response.status, response.headers.get("content-type"), image.width]).toEqual([
        200,
        type,
        width,
      ]);
      expect(response.headers.get("content-length")).toBe(String(bytes.length));
      expect(response.headers.get("vary")).toContain("Accept");
      expect(response.headers.get("content-disposition")).toContain(`%E4%BC%9A%E5%A0%B4.${name}`);
      expect(response.headers.get("content-security-policy")).toMatch(/^sandbox; default-src 'none'/);
      expect(response.headers.get("x-content-type-options")).toBe("nosniff");
      expect(bytes.length).toBeLessThan(photo.length);
    }
    // Images are never enlarged.
    expect((await read(await requestImage(item, "?w=2560"))).image.width).toBe(1600);
  });

  it("keeps transparency for clients that accept neither AVIF nor WebP", async () => {
    const drawing = await sharp({ create: { width: 400, height: 400, channels: 4, background: "#f000" } })
      .png()
      .toBuffer();
    const item = await addImage(drawing, { width: 400, height: 400 });
    const { image } = await read(await requestImage(item, "?w=160", {}));
    expect([image.format, image.hasAlpha]).toEqual(["png", true]);
  });

  it("is upright, and contains no data about the camera and the location", async () => {
    const photo = await noise(600, 400)
      .jpeg()
      .withExif({ IFD0: { Make: "Camera" }, IFD3: { GPSLatitudeRef: "N", GPSLatitude: "35/1 0/1 0/1" } })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    expect((await sharp(photo).metadata()).orientation).toBe(6);
    const item = await addImage(photo, { mimeType: "image/jpeg", width: 400, height: 600 });
    for (const accept of [CHROME, "image/webp", ""]) {
      const { image } = await read(await requestImage(item, "?w=160", { accept }));
      expect([image.width, image.height, image.orientation, image.exif]).toEqual([
        160,
        240,
        undefined,
        undefined,
      ]);
    }
  });

  it("is resized once and then served from the cache, for authorized readers", async () => {
    const item = await addImage(await noise(400, 300).png().toBuffer(), { width: 400, height: 300 });
    const response = await requestImage(item, "?w=160");
    const second = await requestImage(item, "?w=160");
    expect(images.counts.created).toBe(1);
    expect(Buffer.from(await second.arrayBuffer()).equals(Buffer.from(await response.arrayBuffer()))).toBe(
      true,
    );
    expect(second.headers.get("content-type")).toBe("image/avif");
    const stranger = await testApp.addUser();
    const asStranger = {
      ...mediaContext(),
      pageContext: () => ({
        session: { current: async () => ({ actor: stranger.actor }) },
        visitor: { eventAccessCookie: () => null },
      }),
    };
    expect(
      (await serveMedia(new Request(`https://hiroba.test/media/${item.id}?w=160`), asStranger)).status,
    ).toBe(404);
    // A client with the current etag causes neither a read nor a conversion.
    await testApp.files.delete(item.fileKey);
    const etag = response.headers.get("etag") ?? "";
    const unchangedResponse = await requestImage(item, "?w=160", { accept: CHROME, "if-none-match": etag });
    expect([
      unchangedResponse.status,
      unchangedResponse.headers.get("etag"),
      unchangedResponse.headers.get("vary"),
    ]).toEqual([304, etag, "Accept"]);
    expect(
      (await requestImage(item, "?w=160", { accept: "image/webp", "if-none-match": etag })).status,
    ).not.toBe(304);
    expect(images.counts.created).toBe(1);
  });

  it("responds to HEAD with the same headers and no bytes", async () => {
    const item = await addImage(await noise(400, 300).png().toBuffer(), { width: 400, height: 300 });
    const [get, head] = [
      await requestImage(item, "?w=160"),
      await requestImage(item, "?w=160", { accept: CHROME }, "HEAD"),
    ];
    expect(Object.fromEntries(head.headers)).toEqual(Object.fromEntries(get.headers));
    expect((await head.arrayBuffer()).byteLength).toBe(0);
  });

  it("is cached permanently by its owner's browser, at a URL with its version", async () => {
    const item = await addImage(await noise(400, 300).png().toBuffer(), { width: 400, height: 300 });
    const url = imageUrl({ ...item, thumbKey: null }, 320) ?? "";
    const response = await fetchPath(url);
    expect([response.status, response.headers.get("cache-control"), response.headers.get("vary")]).toEqual([
      200,
      "private, max-age=31536000, immutable",
      "Cookie, Accept",
    ]);
    const redirect = await fetchPath(url.replace(/\/[^/]+\?/, "/00000000?"));
    expect([redirect.status, redirect.headers.get("location")]).toEqual([302, url]);
  });

  it("stays within its share of the 400 KB of a list of twenty, although it does not compress well", async () => {
    const photo = await noise(1600, 900).png().toBuffer();
    const item = await addImage(photo, { width: 1600, height: 900 });
    const tallItem = await addImage(await noise(200, 4000).png().toBuffer(), { width: 200, height: 4000 });
    for (const [file, width, accept] of [
      [item, 640, CHROME],
      [item, 320, "image/webp"],
      [item, 320, ""],
      [tallItem, 320, CHROME],
    ] as const) {
      const { bytes, image } = await read(await requestImage(file, `?w=${width}`, { accept }));
      expect(bytes.length, `${width} ${accept}`).toBeLessThanOrEqual(13_000);
      expect(image.width, `${width} ${accept}`).toBeGreaterThan(15);
    }
  });

  it("has only the widths that pages use", async () => {
    const item = await addImage(await noise(400, 300).png().toBuffer());
    for (const query of [
      "?w=321",
      "?w=0",
      "?w=",
      "?w=-1",
      "?w=1e3",
      "?w=160&format=vtt",
      "?format=webp",
      "?w=99999999",
    ])
      expect([query, (await requestImage(item, query)).status]).toEqual([query, 400]);
    for (const width of IMAGE_WIDTHS) expect((await requestImage(item, `?w=${width}`)).status).toBe(200);
  });
});

describe("a list of twenty spaces", () => {
  it("transfers at most 400 KB of images, at URLs that browsers cache", async () => {
    owner = await testApp.addUser({ spaceLicense: 20, storageLimit: 1e9 });
    const folderId = await testApp.readRootFolderId(owner, "space");
    // Three images are used repeatedly, because twenty different ones would take too long to create.
    const posters: Item[] = [];
    for (const blur of [1, 2, 4]) {
      const detail = await noise(960, 540).blur(blur).webp({ quality: 90 }).toBuffer();
      posters.push(await addImage(detail, { mimeType: "image/webp", width: 960, height: 540 }));
    }
    for (let i = 0; i < 20; i++) {
      const { space } = await testApp.addSpace(owner);
      const posterMediaId = posters[i % posters.length]?.id;
      await testApp.db.update(spaces).set({ posterMediaId }).where(eq(spaces.id, space.id));
    }
    const { spaces: list } = await testApp.services.spaces.listSpaces({ actor: owner.actor, folderId });
    const urls = list.items.map(spacePosterUrl);
    expect(urls.length).toBe(20);
    let bytes = 0;
    for (const url of urls) {
      const response = await fetchPath(atWidth(url ?? "", 640));
      expect(response.headers.get("cache-control")).toContain("immutable");
      bytes += (await response.arrayBuffer()).byteLength;
    }
    expect(bytes).toBeGreaterThan(20_000);
    expect(bytes).toBeLessThan(400_000);
    // Spaces whose image is in the trash have no image.
    await testApp.db
      .update(libraryItems)
      .set({ deletedAt: testApp.currentInstant(), deletedWith: libraryItems.id });
    const listWithoutImages = await testApp.services.spaces.listSpaces({ actor: owner.actor, folderId });
    expect(listWithoutImages.spaces.items.map(spacePosterUrl)).toEqual(Array(20).fill(null));
  });
});

describe("the image of an item that is not an image", () => {
  it("is its thumbnail, with the thumbnail's version in the URL", async () => {
    const video = await addImage(Buffer.from("film"), {
      kind: "video",
      mimeType: "video/mp4",
      fileName: "a.mp4",
      thumbKey: "library/x/0c9d7f10-thumb",
    });
    await testApp.files.put("library/x/0c9d7f10-thumb", await noise(480, 270).webp().toBuffer());
    const url = imageUrl({ ...video, thumbKey: "library/x/0c9d7f10-thumb" }, 160) ?? "";
    const response = await fetchPath(url);
    expect((await read(response)).image).toMatchObject({ format: "heif", width: 160, height: 90 });
    expect((await requestImage(video, "")).headers.get("content-type")).toBe("video/mp4");
  });

  it("is served as stored if it cannot be resized, unless it is an SVG file or not an image", async () => {
    images = testImages(testApp.files, {
      tool: { ...testImageTool, convert: () => Promise.reject(new Error("No Images")) },
    });
    const thumbKey = "library/x/0c9d7f10-thumb";
    const video = await addImage(Buffer.from("film"), { kind: "video", mimeType: "video/mp4", thumbKey });
    const thumbnail = await noise(160, 90).webp().toBuffer();
    for (const [bytes, type] of [
      [thumbnail, "image/webp"],
      [Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"), "image/svg+xml"],
      [Buffer.from("<!doctype html><script>1</script>"), "image/svg+xml"],
    ] as const) {
      await testApp.files.put(thumbKey, bytes);
      const response = await requestImage(video, "?w=320");
      expect([response.status, response.headers.get("content-type")]).toEqual([200, type]);
      expect(response.headers.get("cache-control")).toBe("private, no-cache");
      expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(type === "image/webp");
    }
    await testApp.files.delete(thumbKey);
    expect((await requestImage(video, "?w=320")).status).toBe(404);
  });

  it("does not exist without a thumbnail", async () => {
    const soundItem = await addImage(Buffer.from("sound"), { kind: "audio", mimeType: "audio/mpeg" });
    expect((await requestImage(soundItem, "?w=160")).status).toBe(404);
  });
});

describe("an image that may not be resizable", () => {
  const expectGreyImage = async (response: Response) => {
    expect([
      response.status,
      response.headers.get("content-type"),
      response.headers.get("cache-control"),
    ]).toEqual([200, "image/svg+xml", "private, no-cache"]);
    expect(await response.text()).toContain("M0 0h32v24H0z");
  };

  it("is served unchanged if it is small, and replaced by a grey image otherwise", async () => {
    const broken = Buffer.concat([
      (await noise(400, 300).png().toBuffer()).subarray(0, 60),
      Buffer.alloc(10_000),
    ]);
    const large = await addImage(Buffer.concat([broken, Buffer.alloc(3000)]), { width: 400, height: 300 });
    for (const width of [160, 320, 640]) await expectGreyImage(await requestImage(large, `?w=${width}`));
    expect((await requestImage(large, "?w=1280")).headers.get("content-type")).toBe("image/png");
    expect(images.counts.errors).toBe(4);
    const item = await addImage(broken, { width: 400, height: 300 });
    const small = await requestImage(item, "?w=320");
    expect([small.status, small.headers.get("content-type"), small.headers.get("cache-control")]).toEqual([
      200,
      "image/png",
      "private, no-cache",
    ]);
    expect(images.counts.errors).toBe(5);
  });

  it("is not resized again at every request", async () => {
    const item = await addImage(Buffer.alloc(300_000), { width: 400, height: 300 });
    await expectGreyImage(await requestImage(item, "?w=320"));
    const [failure] = images.counts.cache.values();
    expect(failure?.headers.get("cache-control")).toBe("public, max-age=3600");
    await expectGreyImage(await requestImage(item, "?w=320"));
    expect([images.counts.created, images.counts.errors]).toEqual([1, 1]);
    // A failure is cached for an hour and then tried again.
    images.counts.cache.clear();
    await requestImage(item, "?w=320");
    expect(images.counts.created).toBe(2);
  });

  it("is not opened if the converter cannot read its type", async () => {
    const { canRead } = cloudflareImageConverter(undefined as unknown as ImagesBinding);
    let openCount = 0;
    images = testImages(testApp.files, {
      tool: { ...testImageTool, canRead },
      open: async () => {
        openCount++;
        return null;
      },
    });
    for (const mimeType of ["image/tiff", "image/bmp"])
      await expectGreyImage(
        await requestImage(await addImage(Buffer.alloc(300_000), { mimeType }), "?w=320"),
      );
    expect(openCount).toBe(0);
    await requestImage(await addImage(Buffer.alloc(300_000), { mimeType: "image/heic" }), "?w=320");
    expect(openCount).toBe(1);
    // The development converter supports TIFF.
    images = testImages(testApp.files);
    const scan = await noise(400, 300).tiff().toBuffer();
    const { image } = await read(
      await requestImage(await addImage(scan, { mimeType: "image/tiff" }), "?w=160", {
        accept: "image/webp",
      }),
    );
    expect([image.format, image.width]).toEqual(["webp", 160]);
  });

  it("is not even opened when it is huge", async () => {
    let openCount = 0;
    images = testImages(testApp.files, {
      open: async (key) => {
        openCount++;
        return (await testApp.files.get(key))?.body ?? null;
      },
    });
    const item = await addImage(Buffer.alloc(300_000), { width: 20_000, height: 20_000 });
    await expectGreyImage(await requestImage(item, "?w=160"));
    expect([openCount, images.counts.created]).toEqual([0, 0]);
  });

  it("is recognised as too large although its size was unknown", async () => {
    const bomb = await sharp({ create: { width: 12_000, height: 12_000, channels: 3, background: "#888" } })
      .png()
      .toBuffer();
    const item = await addImage(Buffer.concat([bomb, Buffer.alloc(200_000)]));
    await expectGreyImage(await requestImage(item, "?w=160"));
    expect(images.counts.errors).toBe(1);
  });

  it("is served unchanged if it is a small SVG file, with its scripts disabled", async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    const item = await addImage(Buffer.from(svg), { mimeType: "image/svg+xml", fileName: "a.svg" });
    const response = await requestImage(item, "?w=320");
    expect(await response.text()).toBe(svg);
    expect(response.headers.get("content-security-policy")).toMatch(/^sandbox; default-src 'none'/);
    const large = await addImage(Buffer.from(svg), { mimeType: "image/svg+xml", byteSize: 3_000_000 });
    await expectGreyImage(await requestImage(large, "?w=320"));
    const detailed = await addImage(Buffer.from(svg.padEnd(256 * 1024)), { mimeType: "image/svg+xml" });
    for (const width of [160, 640])
      expect(await (await requestImage(detailed, `?w=${width}`)).text()).toContain("alert");
    await expectGreyImage(
      await requestImage(
        await addImage(Buffer.from(svg.padEnd(256 * 1024 + 1)), { mimeType: "image/svg+xml" }),
        "?w=640",
      ),
    );
  });

  it("is replaced by its thumbnail in lists if it is an SVG file, and served unchanged at larger widths", async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><rect width="9" height="9"/></svg>'.padEnd(700_000);
    const item = await addImage(Buffer.from(svg), { mimeType: "image/svg+xml", fileName: "a.svg" });
    const bytes = new Uint8Array(await noise(64, 64).webp().toBuffer());
    await testApp.services.uploads.setThumbnail({ actor: owner.actor, itemId: item.id, bytes });
    const listImage = await requestImage(item, "?w=320");
    expect([listImage.status, listImage.headers.get("content-type")]).toEqual([200, "image/avif"]);
    expect(await (await requestImage(item, "?w=1280")).text()).toBe(svg);
  });

  it("is animated only at large widths if it is a GIF", async () => {
    const frames = await sharp([await noise(64, 64).png().toBuffer(), await noise(64, 64).png().toBuffer()], {
      join: { animated: true },
    })
      .gif({ delay: [100, 100] })
      .toBuffer();
    const item = await addImage(frames, {
      mimeType: "image/gif",
      fileName: "a.gif",
      width: 64,
      height: 64,
    });
    expect((await read(await requestImage(item, "?w=1280"))).bytes.equals(frames)).toBe(true);
    const { image } = await read(await requestImage(item, "?w=320", { accept: "image/webp" }));
    expect([image.format, image.pages ?? 1]).toEqual(["webp", 1]);
  });

  it("is replaced by a grey image if browsers cannot show its type", async () => {
    const item = await addImage(Buffer.from("....ftypheic"), {
      mimeType: "image/heic",
      fileName: "a.heic",
    });
    await expectGreyImage(await requestImage(item, "?w=320"));
  });

  it("waits in a queue, but not forever, and not for requests that were cancelled", async () => {
    let now = 0;
    let startedConversions = 0;
    images = testImages(testApp.files, {
      now: () => now,
      sleep: async () => {
        now += 3000;
      },
      // workerd drops the work of a cancelled request, so its conversion never ends.
      tool: {
        ...testImageTool,
        convert: (file, image) =>
          startedConversions++ < 4 ? new Promise(() => {}) : testImageTool.convert(file, image),
      },
    });
    const item = await addImage(await noise(400, 300).png().toBuffer(), { width: 400, height: 300 });
    for (let i = 0; i < 4; i++) void requestImage(item, "?w=160");
    await vi.waitFor(() => expect(startedConversions).toBe(4));
    await expectGreyImage(await requestImage(item, "?w=160"));
    expect(now).toBe(12_000);
    expect((await requestImage(item, "?w=160")).headers.get("content-type")).toBe("image/avif");
    expect(now).toBeLessThan(20_000);
  });

  it("returns 404 if its file is missing in the store", async () => {
    const item = await testApp.addItem(owner, { byteSize: 10 });
    expect((await requestImage(item, "?w=160")).status).toBe(404);
  });
});

describe("the converter of Cloudflare Images", () => {
  it("makes images of the requested type and width, and a grey image replaces those that it cannot read", async () => {
    const mf = new Miniflare({ modules: true, script: "export default {}", images: { binding: "IMAGES" } });
    try {
      const { IMAGES } = await mf.getBindings<{ IMAGES: ImagesBinding }>();
      images = testImages(testApp.files, { tool: cloudflareImageConverter(IMAGES) });
      const plain = sharp({ create: { width: 800, height: 600, channels: 3, background: "#369" } });
      const item = await addImage(await plain.png().toBuffer(), { width: 800, height: 600 });
      for (const [accept, format] of [
        ["image/avif", "heif"],
        ["image/webp", "webp"],
        ["", "png"],
      ] as const) {
        const response = await requestImage(item, "?w=320", { accept });
        expect((await read(response)).image).toMatchObject({ format, width: 320, height: 240 });
      }
      const broken = await addImage(Buffer.alloc(400_000), { width: 800, height: 600 });
      expect((await requestImage(broken, "?w=320")).headers.get("content-type")).toBe("image/svg+xml");
      expect(images.counts.errors).toBe(1);
    } finally {
      await mf.dispose();
    }
    images = testImages(testApp.files, {
      tool: cloudflareImageConverter(undefined as unknown as ImagesBinding),
    });
    const small = await addImage(await noise(100, 75).jpeg().toBuffer(), { mimeType: "image/jpeg" });
    expect((await requestImage(small, "?w=320")).headers.get("content-type")).toBe("image/jpeg");
  });
});
