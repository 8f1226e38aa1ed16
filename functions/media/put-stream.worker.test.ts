import type { Miniflare } from "miniflare";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startBundledWorker } from "../../tests/support/bundled-worker";

/** Stores a stream of `?bytes=` bytes, which fails at its end with `?fails`. Returns the error and whether R2 then has these bytes. */
const SCRIPT = `
import { putStream } from "#functions/media/put-stream";
const PIECE = 100_000;
export default {
  async fetch(request, env) {
    const { searchParams } = new URL(request.url);
    const length = Number(searchParams.get("bytes"));
    let sent = 0;
    const stream = new ReadableStream({
      pull(controller) {
        if (sent >= length) return searchParams.has("fails") ? controller.error(new Error("broken")) : controller.close();
        const size = Math.min(PIECE, length - sent);
        controller.enqueue(new Uint8Array(size).map((_, index) => (sent + index) % 251));
        sent += size;
      },
    });
    const key = crypto.randomUUID();
    const error = await putStream(env.FILES, key, stream).then(() => null, String);
    const object = await env.FILES.get(key);
    const bytes = object && new Uint8Array(await object.arrayBuffer());
    const isSame = bytes?.length === length && bytes.every((byte, index) => byte === index % 251);
    return Response.json({ error, isStored: bytes !== null, isSame });
  },
};`;

let mf: Miniflare;
let origin: URL;
beforeAll(async () => {
  mf = await startBundledWorker(SCRIPT, { r2Buckets: ["FILES"] });
  origin = await mf.ready;
});
afterAll(() => mf.dispose());

const put = async (query: string) => (await fetch(new URL(`/?${query}`, origin))).json();

it.each([0, 1, 8_388_608, 20_000_000])("stores a stream of %i bytes", async (length) => {
  expect(await put(`bytes=${length}`)).toEqual({ error: null, isStored: true, isSame: true });
});

it.each([1, 20_000_000])("stores nothing of a stream that fails after %i bytes", async (length) => {
  expect(await put(`bytes=${length}&fails`)).toMatchObject({ error: "Error: broken", isStored: false });
});
