/**
 * R2 as code for the edge meets it, for tests that run that code in Node: Miniflare's bridge loses the length of a stream,
 * without which R2 takes none, and Node has no stream of a fixed length. That the store streams is tried in workerd
 * (functions/media/upload-store.worker.test.ts).
 */

/** As workerd's: fails with a byte more or less than was announced. */
class NodeFixedLengthStream extends TransformStream<Uint8Array, Uint8Array> {
  constructor(length: number) {
    let left = length;
    super({
      transform(chunk, controller) {
        left -= chunk.byteLength;
        if (left < 0) throw new TypeError("Attempt to write too many bytes through a FixedLengthStream.");
        controller.enqueue(chunk);
      },
      flush() {
        if (left > 0) throw new TypeError("FixedLengthStream did not see all expected bytes before close().");
      },
    });
  }
}

/** The bucket with slices that are sent as streams. */
export function r2FromNode(bucket: R2Bucket): R2Bucket {
  Object.assign(globalThis, { FixedLengthStream: NodeFixedLengthStream });
  return {
    head: (key: string) => bucket.head(key),
    get: (key: string, options?: R2GetOptions) => bucket.get(key, options),
    put: (key: string, value: Uint8Array, options?: R2PutOptions) => bucket.put(key, value, options),
    delete: (keys: string | string[]) => bucket.delete(keys),
    createMultipartUpload: (key: string) => bucket.createMultipartUpload(key),
    resumeMultipartUpload(key: string, uploadId: string) {
      const upload = bucket.resumeMultipartUpload(key, uploadId);
      return {
        abort: () => upload.abort(),
        complete: (parts: R2UploadedPart[]) => upload.complete(parts),
        async uploadPart(number: number, value: ReadableStream | Uint8Array) {
          const bytes = value instanceof Uint8Array ? value : await new Response(value).arrayBuffer();
          return upload.uploadPart(number, bytes);
        },
      };
    },
  } as unknown as R2Bucket;
}
