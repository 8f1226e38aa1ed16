/** Tests the bytes that visitors receive, in workerd: only its streams declare a length. */
import type { Miniflare } from "miniflare";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startBundledWorker } from "../../tests/support/bundled-worker";
import { concatBytes, jpegFile, u16 } from "../../tests/support/files/media-files";

const SCRIPT = `
import { fileMetadata, visitorFileStore } from "#functions/media/file-metadata";
import { r2FileStore } from "#functions/media/file-store";
import { sendFile } from "#functions/media/send-file";
const records = { find: async () => null, saveOverwrites: async () => {}, forget: async () => {}, listOlder: async () => [] };
export default {
  async fetch(request, env) {
    if (request.method === "PUT") return Response.json((await env.FILES.put("k", await request.arrayBuffer())).size);
    const metadata = fileMetadata({ records, bucket: env.FILES, now: Date.now });
    const store = visitorFileStore(r2FileStore(env.FILES), metadata.readOverwritePlan);
    const { size } = await env.FILES.head("k");
    return sendFile(store, { fileKey: "k", fileName: "a.jpg", mimeType: "image/jpeg", byteSize: size }, request);
  },
};`;

let mf: Miniflare;
let origin: URL;

beforeAll(async () => {
  mf = await startBundledWorker(SCRIPT, { r2Buckets: ["FILES"] });
  origin = await mf.ready;
});
afterAll(() => mf.dispose());

it("a file whose metadata is overwritten keeps its length, whole and in ranges, also after a reader disconnected", async () => {
  const jpeg = jpegFile(8, 4);
  const notes = Array.from({ length: 30 }, () =>
    concatBytes([0xff, 0xfe], u16(60_002), "SECRET".repeat(10_000)),
  );
  const original = concatBytes(jpeg.subarray(0, 2), ...notes, jpeg.subarray(2));
  await fetch(origin, { method: "PUT", body: original as Uint8Array<ArrayBuffer> });

  const response = await fetch(origin);
  expect(response.headers.get("content-length")).toBe(String(original.length));
  const body = new Uint8Array(await response.arrayBuffer());
  expect(body).toHaveLength(original.length);
  expect(Buffer.from(body).includes("SECRET")).toBe(false);
  expect(body.subarray(-60)).toEqual(original.subarray(-60));

  const rangeResponse = await fetch(origin, { headers: { range: "bytes=100000-900000" } });
  expect([rangeResponse.status, rangeResponse.headers.get("content-length")]).toEqual([206, "800001"]);
  // Comparing so many numbers one by one takes half a minute.
  expect(Buffer.from(await rangeResponse.arrayBuffer()).equals(body.subarray(100_000, 900_001))).toBe(true);

  const abortedResponse = await fetch(origin);
  await abortedResponse.body?.cancel();
  const head = await fetch(origin, { method: "HEAD" });
  expect([head.status, head.headers.get("content-length")]).toEqual([200, String(original.length)]);
});
