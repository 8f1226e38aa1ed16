import sharp from "sharp";
import { beforeEach, describe, expect, it } from "vitest";
import type { Actor } from "~/domain/auth/actor";
import { type TestApp, type TestUser, useTestApp } from "../../tests/support/app/test-app";
import { testImages } from "../../tests/support/app/test-images";
import { concatBytes, u16 } from "../../tests/support/files/media-files";
import { fileMetadata, visitorFileStore } from "./file-metadata";
import { r2FileStore } from "./file-store";
import { createRecentReads } from "./recent-reads";
import { serveMedia } from "./serve-media";

const testApp = useTestApp();
let owner: TestUser;
let actor: Actor | null;
let item: Awaited<ReturnType<TestApp["addItem"]>>;
let original: Uint8Array;
let link: string;

const photo = async () => {
  const jpeg = await sharp({ create: { width: 400, height: 300, channels: 3, background: "#789" } })
    .withMetadata({ orientation: 6 })
    .withExifMerge({ IFD0: { Make: "SECRETMAKE" }, IFD3: { GPSMapDatum: "SECRETPLACE" } })
    .jpeg()
    .toBuffer();
  // The note lies far behind the first kilobytes, to test ranges.
  const note = concatBytes([0xff, 0xfe], u16(20_002), "n".repeat(19_000), "SECRETNOTE".repeat(100));
  return concatBytes(jpeg.subarray(0, 2), note, jpeg.subarray(2));
};

beforeEach(async () => {
  owner = await testApp.addUser();
  original = await photo();
  item = await testApp.addItem(owner, {
    fileName: "a.jpg",
    mimeType: "image/jpeg",
    byteSize: original.length,
  });
  await testApp.files.put(item.fileKey, original);
  const { eventId } = await testApp.addSpace(owner);
  await testApp.addMediaItem(eventId, item.id);
  await testApp.setStatus(eventId, 3);
  const token = (await testApp.data.events.find(eventId))?.event.accessToken ?? "";
  link = `?event=${eventId}&mode=published&token=${token}`;
  actor = null;
});

const requestFile = (query: string, headers: Record<string, string> = {}, method = "GET") => {
  const files = visitorFileStore(r2FileStore(testApp.files), testApp.metadata.readOverwritePlan);
  const { images } = testImages(testApp.files, {
    open: async (key) => (await files.get(key))?.body ?? null,
  });
  return serveMedia(new Request(`https://hiroba.test/media/${item.id}${query}`, { headers, method }), {
    env: { FILES: testApp.files },
    metadata: testApp.metadata,
    mediaOrigin: null,
    images,
    recentReads: createRecentReads(() => testApp.time.now),
    ticketOf: () => (actor ? "ticket" : null),
    defer: () => {},
    services: testApp.services,
    pageContext: () => ({
      session: { current: async () => actor && { actor } },
      visitor: { eventAccessCookie: () => null },
    }),
  });
};
const bytes = async (response: Response) => new Uint8Array(await response.arrayBuffer());
const text = (content: Uint8Array) => Buffer.from(content).toString("latin1");

describe("a photo requested by a visitor", () => {
  it("has no data about its author, whole and in ranges, and keeps its length", async () => {
    const response = await requestFile(link);
    expect(response.headers.get("content-length")).toBe(String(original.length));
    const deliveredBytes = await bytes(response);
    expect(deliveredBytes).toHaveLength(original.length);
    expect(text(original)).toMatch(/SECRETPLACE/);
    expect(text(deliveredBytes)).not.toMatch(/SECRET/);
    expect((await sharp(deliveredBytes).metadata()).orientation).toBe(6);
    for (const [first, last] of [
      [0, 99],
      [19_000, 19_200],
      [20_000, 21_000],
      [original.length - 50, original.length - 1],
    ] as const) {
      const rangeResponse = await requestFile(link, { range: `bytes=${first}-${last}` });
      expect([rangeResponse.status, rangeResponse.headers.get("content-range")]).toEqual([
        206,
        `bytes ${first}-${last}/${original.length}`,
      ]);
      expect(Buffer.compare(await bytes(rangeResponse), deliveredBytes.subarray(first, last + 1))).toBe(0);
    }
    expect((await requestFile(link, {}, "HEAD")).headers.get("content-length")).toBe(String(original.length));
  });

  it("has its own etag, so that a browser does not reuse its cached original", async () => {
    actor = owner.actor;
    const originalEtag = (await requestFile("")).headers.get("etag") ?? "";
    const etag = (await requestFile(link)).headers.get("etag") ?? "";
    expect(etag).not.toBe(originalEtag);
    expect((await requestFile(link, { "if-none-match": etag })).status).toBe(304);
    expect((await requestFile(link, { "if-none-match": `W/${etag}` })).status).toBe(304);
    expect((await requestFile(link, { "if-none-match": `"x", ${etag}` })).status).toBe(304);
    expect((await requestFile(link, { "if-none-match": originalEtag })).status).toBe(200);
    expect((await requestFile(link, { range: "bytes=0-9", "if-range": etag })).status).toBe(206);
    expect((await requestFile(link, { range: "bytes=0-9", "if-range": originalEtag })).status).toBe(200);
  });

  it("leaves no metadata in resized images", async () => {
    for (const accept of ["image/webp", "image/avif", "*/*"])
      expect(text(await bytes(await requestFile(`${link}&w=320`, { accept })))).not.toMatch(/SECRET|Exif/);
  });
});

describe("the original", () => {
  it("is sent to those who may change the file: its owner, its group and administrators", async () => {
    const { id, actors } = await testApp.addGroup(await testApp.addUser());
    await testApp.binding
      .prepare("UPDATE library_items SET group_id = ? WHERE id = ?")
      .bind(id, item.id)
      .run();
    const administrator = await testApp.addUser({ role: "admin" });
    for (const reader of [owner.actor, actors[0], administrator.actor]) {
      actor = reader ?? null;
      expect(Buffer.compare(await bytes(await requestFile("")), original)).toBe(0);
    }
  });

  it("is not sent to a group that only uses the file, nor at a visitor's URL", async () => {
    const { id, actors } = await testApp.addGroup(await testApp.addUser());
    await testApp.binding.prepare("UPDATE spaces SET group_id = ?").bind(id).run();
    actor = actors[0] ?? null;
    const groupResponse = await requestFile("");
    expect(groupResponse.status).toBe(200);
    expect(text(await bytes(groupResponse))).not.toMatch(/SECRET/);
    actor = owner.actor;
    expect(text(await bytes(await requestFile(link)))).not.toMatch(/SECRET/);
  });
});

describe("the metadata of a file", () => {
  const record = (key = item.fileKey) => testApp.data.storedFiles.find(key);

  it("is found at the upload and deleted with the file", async () => {
    const slices = async function* () {
      yield original;
    };
    const [stored] = await testApp.services.uploads.storeFiles({
      actor: owner.actor,
      declaredBytes: null,
      files: (async function* () {
        yield { fileName: "b.jpg", chunks: slices() };
      })(),
    });
    const key = stored && "item" in stored ? (stored.item.fileKey ?? "") : "";
    const metadataRecord = await record(key);
    expect(metadataRecord?.edition).toBe(2);
    expect(JSON.parse(metadataRecord?.overwrites ?? "")).not.toEqual([]);
    await r2FileStore(testApp.files, testApp.metadata.forget).delete([key]);
    expect(await record(key)).toBeNull();
  });

  it("is found by the cron job in files that were not inspected yet, and forgotten for missing files", async () => {
    await testApp.binding
      .prepare("INSERT INTO stored_files (file_key) VALUES (?), ('library/gone')")
      .bind(item.fileKey)
      .run();
    expect(await testApp.metadata.inspectOlder()).toBe(2);
    expect((await record())?.edition).toBe(2);
    expect(await record("library/gone")).toBeNull();
    expect(await testApp.metadata.inspectOlder()).toBe(0);
  });

  it("is found by the cron job although another file cannot be read", async () => {
    const bucket = {
      get: testApp.files.get.bind(testApp.files),
      head: async (key: string) => {
        if (key === "library/broken") throw new Error("cannot be read");
        return testApp.files.head(key);
      },
    };
    await testApp.binding
      .prepare("INSERT INTO stored_files (file_key) VALUES ('library/broken'), (?)")
      .bind(item.fileKey)
      .run();
    const records = testApp.data.storedFiles;
    const metadata = fileMetadata({ records, bucket, now: () => testApp.time.now });
    await expect(metadata.inspectOlder()).rejects.toThrow("cannot be read");
    expect((await record())?.edition).toBe(2);
  });

  it("is inspected at the first request, and not at the next two", async () => {
    expect(await record()).toBeNull();
    const countRequest = () => testApp.countRoundTrips(async () => bytes(await requestFile(link)));
    const firstRoundTrips = await countRequest();
    expect((await record())?.edition).toBe(2);
    // Another inspection would create the record again.
    await testApp.data.storedFiles.forget([item.fileKey]);
    const roundTrips = await countRequest();
    expect(roundTrips).toBeLessThan(firstRoundTrips);
    expect(await countRequest()).toBe(roundTrips);
    expect(await record()).toBeNull();
  });

  it("is found again if its record cannot be read", async () => {
    await testApp.binding
      .prepare("INSERT INTO stored_files (file_key, edition, overwrites) VALUES (?, 2, '{\"a\":1}')")
      .bind(item.fileKey)
      .run();
    expect(text(await bytes(await requestFile(link)))).not.toMatch(/SECRET/);
  });
});
