/** Creates files of a given size, and sends them. */
import { UPLOAD_PART_BYTES } from "../app/domain/shared/limits";
import { pngFile } from "../tests/support/files/media-files";

/** Number of bytes that the benchmarks call a megabyte. */
export const MEGABYTE = 1024 * 1024;
/** Number of concurrent slices, as in the product's own pages. */
const CONCURRENT_SLICES = 3;

/** A PNG file of exactly that many megabytes: a header and one chunk of padding, without pixel data. */
export function createFile(megabytes: number): Uint8Array {
  const bytes = new Uint8Array(megabytes * MEGABYTE);
  const smallImage = pngFile();
  const [head, lastChunk] = [smallImage.subarray(0, 33), smallImage.subarray(-12)];
  bytes.set(head);
  new DataView(bytes.buffer).setUint32(33, bytes.length - 33 - 12 - 12);
  bytes.set(new TextEncoder().encode("teSt"), 37);
  bytes.set(lastChunk, bytes.length - 12);
  return bytes;
}

/** Sends a request on a connection of its own, because workerd may close an idle connection at the moment of its reuse. */
async function request(url: URL, init: RequestInit): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(url, { ...init, headers: { ...init.headers, connection: "close" } });
  const text = await response.text();
  if (!response.ok) throw new Error(`An upload returned ${response.status}: ${text.slice(0, 200)}`);
  return JSON.parse(text);
}

/** Sends the slices of a file, three at a time. A slice that fails is sent once more. */
async function sendSlices(file: Uint8Array, send: (number: number, slice: Uint8Array) => Promise<void>) {
  const sliceCount = Math.ceil(file.length / UPLOAD_PART_BYTES);
  let nextNumber = 1;
  const sendSlicesInTurn = async () => {
    for (let number = nextNumber++; number <= sliceCount; number = nextNumber++) {
      const slice = file.subarray((number - 1) * UPLOAD_PART_BYTES, number * UPLOAD_PART_BYTES);
      await send(number, slice).catch(() => send(number, slice));
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_SLICES }, sendSlicesInTurn));
}

/** Sends a file to `bareUpload` (bench/bare-workers.ts), a worker that only makes an R2 multipart upload, for comparison with the product. */
export async function sendToBare(origin: URL, file: Uint8Array): Promise<void> {
  const { id } = await request(new URL("/begin", origin), { method: "POST" });
  const query = `id=${encodeURIComponent(String(id))}`;
  const parts: unknown[] = [];
  await sendSlices(file, async (number, body) => {
    const url = new URL(`/part?${query}&number=${number}`, origin);
    parts[number - 1] = await request(url, { method: "PUT", body: body as BodyInit });
  });
  const completeUrl = new URL(`/complete?${query}`, origin);
  const { size } = await request(completeUrl, { method: "POST", body: JSON.stringify(parts) });
  if (size !== file.length) throw new Error(`${size} of ${file.length} bytes arrived`);
}

/**
 * Sends a file to the product over its API, with a session.
 * @returns the id of the library item
 */
export async function sendToProduct(
  origin: URL,
  sessionTicket: string,
  file: Uint8Array,
  name = "bench.png",
): Promise<string> {
  const authorization = `Bearer ${sessionTicket}`;
  const post = (path: string, body: object) =>
    request(new URL(`/api/v1/uploads${path}`, origin), {
      method: "POST",
      headers: { authorization, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const { uuid } = await post("", { file_name: name, byte_size: file.length });
  await sendSlices(file, async (number, body) => {
    const url = new URL(`/api/v1/uploads/${uuid}/parts/${number}`, origin);
    await request(url, { method: "PUT", headers: { authorization }, body: body as BodyInit });
  });
  const item = await post(`/${uuid}/complete`, {});
  if (item.byte_size !== file.length) throw new Error(`${item.byte_size} of ${file.length} bytes arrived`);
  return String(item.uuid);
}
