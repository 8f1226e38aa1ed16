import { createHmac } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { emailTemplate } from "#functions/mail/email-template";
import { originalFileStore, visitorFileStore } from "#functions/media/file-metadata";
import { r2FileStore } from "#functions/media/file-store";
import { sendSigned } from "#functions/media/serve-signed-media";
import type { LibraryItem } from "~/domain/library/library-item";
import { type TestUser, useTestApp } from "../../../tests/support/app/test-app";
import { testImages } from "../../../tests/support/app/test-images";
import { pngFile } from "../../../tests/support/files/media-files";
import { checkUploads } from "./upload-checks";

const testApp = useTestApp();
let owner: TestUser;
let eventId: string;

beforeEach(async () => {
  owner = await testApp.addUser();
  ({ eventId } = await testApp.addSpace(owner));
  await testApp.setStatus(eventId, 3);
  testApp.uploadChecks.isEnabled = true;
  testApp.receivers.respond = () => new Response(null, { status: 202 });
});

async function upload(replacesId?: string, fileName = "a.png"): Promise<LibraryItem> {
  const [result] = await testApp.services.uploads.storeFiles({
    actor: owner.actor,
    replacesId,
    declaredBytes: null,
    files: (async function* () {
      yield {
        fileName,
        chunks: (async function* () {
          yield pngFile(8, 4);
        })(),
      };
    })(),
  });
  await Promise.all(testApp.deferred.splice(0));
  if (!result || !("item" in result)) throw new Error("not stored");
  const item = await testApp.data.library.find(result.item.id);
  if (!item) throw new Error("not there");
  return item;
}
const findCheck = async (id: string) => (await testApp.data.library.find(id))?.check;
const respondWith = (body: unknown, status = 200) => {
  testApp.receivers.respond = () => new Response(JSON.stringify(body), { status });
};
/** Whether visitors, and users who may change the item, receive its file. */
const isServed = async (item: LibraryItem) => {
  const stored = r2FileStore(testApp.files);
  const reads = [visitorFileStore, originalFileStore].map((view) =>
    view(stored, testApp.metadata.readOverwritePlan).get(item.fileKey ?? ""),
  );
  const bodies = await Promise.all(reads);
  for (const body of bodies) await body?.body?.cancel();
  return bodies.map((body) => body !== null);
};
const visitorMedia = async () =>
  (await testApp.data.visitors.load(eventId))?.media.map(({ libraryItemId }) => libraryItemId);

describe("an upload that a verdict service (an external scanner) checks", () => {
  it("is checked at once, by a signed request with the URL of the file", async () => {
    const item = await upload();
    const [request] = testApp.receivers.sent;
    expect(request?.url).toBe("https://scan.example.com/check");
    const body = JSON.parse(request?.body ?? "") as { data: { upload: Record<string, unknown> } };
    expect(body).toMatchObject({
      type: "upload.check",
      data: {
        upload: { uuid: item.id, file_name: "a.png", mime_type: "image/png", byte_size: item.byteSize },
      },
    });
    const [id, time] = ["webhook-id", "webhook-timestamp"].map((name) => request?.headers.get(name));
    const expectedSignature = createHmac("sha256", Buffer.from(`${"a".repeat(43)}=`, "base64"))
      .update(`${id}.${time}.${request?.body}`)
      .digest("base64");
    expect(request?.headers.get("webhook-signature")).toBe(`v1,${expectedSignature}`);
    const response = await sendSigned(new Request(String(body.data.upload.file_url)), {
      env: { FILES: testApp.files },
      metadata: testApp.metadata,
      images: testImages(testApp.files).images,
      defer: () => {},
      services: testApp.services,
    });
    expect(new Uint8Array((await response?.arrayBuffer()) ?? new ArrayBuffer(0))).toEqual(pngFile(8, 4));
  });

  it("waits for a verdict: no one receives it, visitors do not see it, and it cannot become a space's source", async () => {
    const item = await upload();
    expect(item.check).toEqual({ state: "waiting", reason: "" });
    await testApp.addMediaItem(eventId, item.id);
    expect(await isServed(item)).toEqual([false, false]);
    expect(await visitorMedia()).toEqual([]);
    await expect(
      testApp.services.spaces.createSpace({
        actor: owner.actor,
        name: "P",
        source: {
          kind: "panorama",
          start: "a",
          eyeHeight: 1.6,
          nodes: [
            { id: "a", mediaId: item.id, name: { ja: "", en: "" }, heading: 0, position: null, links: [] },
          ],
        } as never,
      }),
    ).rejects.toMatchObject({ code: "source_media_check" });

    respondWith({ verdict: "clean" });
    const before = (await testApp.data.events.find(eventId))?.event.revision ?? 0;
    testApp.time.now += 60_000;
    expect(await testApp.services.uploads.checkUploads()).toBe(1);
    expect(await findCheck(item.id)).toBeNull();
    expect(await isServed(item)).toEqual([true, true]);
    expect(await visitorMedia()).toEqual([item.id]);
    expect((await testApp.data.events.find(eventId))?.event.revision).toBeGreaterThan(before);
  });

  it("is admitted at once by an immediate verdict", async () => {
    respondWith({ verdict: "clean" });
    expect((await upload()).check).toBeNull();
  });

  it("stays blocked by a bad verdict with its reason until the file is replaced, and its owner is notified", async () => {
    respondWith({ verdict: "rejected", reason: "EICAR\u0000 <b>test</b>" });
    const item = await upload();
    expect(item.check).toEqual({ state: "rejected", reason: "EICAR  <b>test</b>" });
    await Promise.all(testApp.deferred.splice(0));
    const mails = testApp.mails.filter(({ to }) => to === owner.user.email);
    expect(mails.map(({ subject }) => subject)).toEqual([
      "【Hiroba】ライブラリに使用できないファイルがあります",
    ]);
    expect(mails[0]?.text).toContain("a.png");
    expect(mails[0]?.text).toContain(`/library/items/${item.id}`);
    expect(await isServed(item)).toEqual([false, false]);
    testApp.time.now += 86_400_000;
    expect(await testApp.services.uploads.checkUploads()).toBe(0);
    respondWith({ verdict: "clean" });
    expect((await upload(item.id)).check).toBeNull();
  });

  it("is checked again, but not at once, until there is a valid verdict", async () => {
    const responses = [
      () => new Response("no JSON"),
      () => Response.json({ verdict: "perhaps" }),
      () => Response.json({ verdict: "clean" }, { status: 500 }),
      () => new Response(null, { status: 302, headers: { location: "https://elsewhere.example.com" } }),
      () => {
        throw new TypeError("nobody there");
      },
    ];
    const item = await upload();
    for (const respond of responses) {
      testApp.receivers.respond = respond;
      const requestsBefore = testApp.receivers.sent.length;
      testApp.time.now += 3_600_000;
      expect(await testApp.services.uploads.checkUploads()).toBe(0);
      expect(testApp.receivers.sent.length).toBe(requestsBefore + 1);
      expect(await testApp.services.uploads.checkUploads()).toBe(0);
      expect(testApp.receivers.sent.length).toBe(requestsBefore + 1);
      expect(await findCheck(item.id)).toEqual({ state: "waiting", reason: "" });
    }
    respondWith({ verdict: "clean" });
    testApp.time.now += 3_600_000;
    expect(await testApp.services.uploads.checkUploads()).toBe(1);
  });

  it("hides the item whose file it replaces, and no other item", async () => {
    respondWith({ verdict: "clean" });
    const [item, other] = [await upload(), await upload()];
    for (const { id } of [item, other]) await testApp.addMediaItem(eventId, id);
    testApp.receivers.respond = () => new Response(null, { status: 202 });
    const replaced = await upload(item.id);
    expect(replaced.check?.state).toBe("waiting");
    expect(await visitorMedia()).toEqual([other.id]);
  });

  it("is admitted when the installation no longer checks uploads", async () => {
    const item = await upload();
    testApp.time.now += 3_600_000;
    await checkUploads({
      storedFiles: testApp.data.storedFiles,
      uploadVerdict: null,
      sendToEndpoint: async () => ({ outcome: "network", status: null, answer: "" }),
      mediaSigner: { sign: () => "", verify: () => false },
      fileOrigin: "",
      clock: { now: () => testApp.time.now },
      users: testApp.data.users,
      mailer: { send: async () => {} },
      emailTemplate,
      origin: "",
      defer: () => {},
    });
    expect(await findCheck(item.id)).toBeNull();
  });

  it("is not checked in an installation without a verdict service", async () => {
    testApp.uploadChecks.isEnabled = false;
    expect((await upload()).check).toBeNull();
    expect(testApp.receivers.sent).toEqual([]);
  });
});
