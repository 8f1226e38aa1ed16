/**
 * Implements the R2 binding in Node on top of a worker, for tests that run edge code in Node. Miniflare's own proxy makes several
 * synchronous requests per call and loses the length of a stream, which R2 requires; and Node has no FixedLengthStream.
 * functions/media/upload-store.worker.test.ts tests streaming in workerd.
 */
import { postTo } from "./post-to-worker";

/** Name of a call that the worker executes on its bucket. */
type Method =
  | "head"
  | "get"
  | "put"
  | "delete"
  | "list"
  | "createMultipartUpload"
  | "uploadPart"
  | "complete"
  | "abort";

/**
 * The part of a worker that executes the calls of `remoteR2`: `respondR2(request, bucket)`. Requests and responses consist of a
 * length in four bytes, that many bytes of JSON, and the content of a file, if any.
 */
export const R2_SCRIPT = `
const date = (value) => value && new Date(value);
const plain = (object) => {
  const { key, version, size, etag, httpEtag, uploaded, httpMetadata, customMetadata, range } = object;
  return { key, version, size, etag, httpEtag, uploaded, httpMetadata, customMetadata, range };
};
const calls = {
  head: (bucket, [key]) => bucket.head(key),
  get: (bucket, [key, options]) => bucket.get(key, options),
  put: (bucket, [key, options], content) => bucket.put(key, content, options),
  delete: (bucket, [keys]) => bucket.delete(keys),
  list: (bucket, [options]) => bucket.list(options),
  createMultipartUpload: (bucket, [key, options]) => bucket.createMultipartUpload(key, options),
  uploadPart: (bucket, [key, id, number], content) => bucket.resumeMultipartUpload(key, id).uploadPart(number, content),
  complete: (bucket, [key, id, parts]) => bucket.resumeMultipartUpload(key, id).complete(parts),
  abort: (bucket, [key, id]) => bucket.resumeMultipartUpload(key, id).abort(),
};
function toJson(value) {
  if (!value) return null;
  if ("objects" in value) return { ...value, objects: value.objects.map(plain) };
  if ("uploadId" in value) return { key: value.key, uploadId: value.uploadId };
  return "httpEtag" in value ? plain(value) : value;
}
async function execute(bytes, bucket) {
  const length = new DataView(bytes).getUint32(0);
  const { method, args } = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, length)));
  const only = args[1]?.onlyIf;
  if (only) Object.assign(only, { uploadedAfter: date(only.uploadedAfter), uploadedBefore: date(only.uploadedBefore) });
  try {
    const value = await calls[method](bucket, args, new Uint8Array(bytes, 4 + length));
    const hasBody = Boolean(value && "body" in value);
    return [{ value: toJson(value), hasBody }, hasBody ? await value.arrayBuffer() : new ArrayBuffer(0)];
  } catch (error) {
    return [{ error: { name: error.name, message: error.message } }, new ArrayBuffer(0)];
  }
}
async function respondR2(request, bucket) {
  const [value, content] = await execute(await request.arrayBuffer(), bucket);
  const json = new TextEncoder().encode(JSON.stringify(value));
  const head = new Uint8Array(4);
  new DataView(head.buffer).setUint32(0, json.length);
  return new Response(await new Blob([head, json, content]).arrayBuffer());
}`;

/** Fails when more or fewer bytes arrive than announced, as workerd's FixedLengthStream does. */
class NodeFixedLengthStream extends TransformStream<Uint8Array, Uint8Array> {
  constructor(length: number) {
    let remainingBytes = length;
    super({
      transform(chunk, controller) {
        remainingBytes -= chunk.byteLength;
        if (remainingBytes < 0)
          throw new TypeError("Attempt to write too many bytes through a FixedLengthStream.");
        controller.enqueue(chunk);
      },
      flush() {
        if (remainingBytes > 0)
          throw new TypeError("FixedLengthStream did not see all expected bytes before close().");
      },
    });
  }
}

type SentBody = string | Uint8Array | ArrayBuffer | ReadableStream;

const bytesOf = async (value: SentBody): Promise<Uint8Array> =>
  value instanceof Uint8Array ? value : new Uint8Array(await new Response(value).arrayBuffer());

interface CallResult {
  readonly value?: unknown;
  readonly hasBody?: boolean;
  readonly error?: { readonly name: string; readonly message: string };
}

/** The R2 object that a call returned, with its content when it was requested; null if there is none. */
function toObject({ value, hasBody }: CallResult, body: Buffer): unknown {
  const metadata = value as { readonly uploaded: string } | null;
  const object = metadata && { ...metadata, uploaded: new Date(metadata.uploaded) };
  if (!object || !hasBody) return object;
  const response = new Response(new Uint8Array(body));
  return {
    ...object,
    get body() {
      return response.body;
    },
    arrayBuffer: () => response.arrayBuffer(),
    text: () => response.text(),
    json: () => response.json(),
  };
}

/** The bucket of a worker that runs R2_SCRIPT. */
export function remoteR2(worker: URL): R2Bucket {
  Object.assign(globalThis, { FixedLengthStream: NodeFixedLengthStream });

  async function send(method: Method, args: readonly unknown[], content: Uint8Array = new Uint8Array()) {
    const json = Buffer.from(JSON.stringify({ method, args }));
    const length = Buffer.alloc(4);
    length.writeUInt32BE(json.byteLength);
    const response = await postTo(worker, Buffer.concat([length, json, content]));
    const jsonEnd = 4 + response.readUInt32BE(0);
    const result = JSON.parse(response.toString("utf8", 4, jsonEnd)) as CallResult;
    if (result.error) throw Object.assign(new Error(result.error.message), { name: result.error.name });
    return { result, body: response.subarray(jsonEnd) };
  }
  const callForObject = async (...call: Parameters<typeof send>) => {
    const { result, body } = await send(...call);
    return toObject(result, body);
  };
  const callForValue = async (...call: Parameters<typeof send>) => (await send(...call)).result.value;

  return {
    head: (key: string) => callForObject("head", [key]),
    get: (key: string, options?: R2GetOptions) => callForObject("get", [key, options]),
    put: async (key: string, content: SentBody, options?: R2PutOptions) =>
      callForObject("put", [key, options], await bytesOf(content)),
    delete: (keys: string | string[]) => callForValue("delete", [keys]),
    list: (options?: R2ListOptions) => callForValue("list", [options]),
    createMultipartUpload: (key: string, options?: R2MultipartOptions) =>
      callForValue("createMultipartUpload", [key, options]),
    resumeMultipartUpload: (key: string, id: string) => ({
      abort: () => callForValue("abort", [key, id]),
      complete: (parts: readonly R2UploadedPart[]) => callForObject("complete", [key, id, parts]),
      uploadPart: async (number: number, content: SentBody) =>
        callForValue("uploadPart", [key, id, number], await bytesOf(content)),
    }),
  } as unknown as R2Bucket;
}
