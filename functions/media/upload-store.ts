import { lazyModule } from "#functions/load-module";
import type { SliceOutcome, SlicePlace, UploadStore } from "#functions/services/library/uploads-ports";
import { SNIFF_BYTES } from "~/domain/library/sniff-media";
import { createRanges } from "./range-reader";

const inspection = lazyModule("inspect", () => import("./inspect/inspect-file"));

/** Recognises R2's error message for an upload that does not exist, or no longer. */
const isMissingUpload = (error: unknown) =>
  error instanceof Error && /\b10024\b|multipart upload does not exist/i.test(error.message);

/** Recognises the error message of a FixedLengthStream that received another length. */
const isLengthError = (error: unknown) =>
  error instanceof TypeError && error.message.includes("FixedLengthStream");

/** Recognises R2's error message for slices that cannot be completed. */
const isIncompletable = (error: unknown) =>
  isMissingUpload(error) ||
  (error instanceof Error &&
    /\b(10025|10048|10011|10026)\b|parts? (could not be found|.*size|.*too small)/i.test(error.message));

/** Reads the chunks that are needed to detect a file's type. The caller must still write them. */
async function readHead(body: ReadableStream<Uint8Array>): Promise<readonly Uint8Array[]> {
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  try {
    for (let size = 0; size < SNIFF_BYTES; ) {
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value);
      size += value.byteLength;
    }
  } finally {
    reader.releaseLock();
  }
  return chunks;
}

function joinChunks(chunks: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0));
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}

/** Records of stored files. */
export interface FileRecords {
  /** Records the metadata of a file that has just been stored, and whether it waits for the verdict of the operator's file check. */
  record(fileKey: string, byteSize: number): Promise<void>;
  forget(fileKeys: readonly string[]): Promise<void>;
}

/** Stores uploads as multipart uploads of R2. */
export function r2UploadStore(bucket: R2Bucket, records: FileRecords | null = null): UploadStore {
  const uploadOf = ({ fileKey, multipartId }: Pick<SlicePlace, "fileKey" | "multipartId">) =>
    bucket.resumeMultipartUpload(fileKey, multipartId);

  return {
    async begin(fileKey) {
      return (await bucket.createMultipartUpload(fileKey)).uploadId;
    },

    async putSlice(place, body, byteSize, accepts): Promise<SliceOutcome> {
      if (!body) return "wrong_size";
      let head: readonly Uint8Array[] = [];
      if (accepts) {
        try {
          head = await readHead(body);
        } catch {
          return "wrong_size";
        }
        const bytes = joinChunks(head);
        // A slice that is too short was truncated in transit, so its type need not be checked.
        if (bytes.byteLength < Math.min(SNIFF_BYTES, byteSize)) return "wrong_size";
        if (!(await accepts(bytes))) return "rejected";
      }
      // R2 needs the length beforehand. This stream fails if there is a byte more or less.
      const exactStream = new FixedLengthStream(byteSize);
      const feed = async () => {
        if (head.length > 0) {
          const writer = exactStream.writable.getWriter();
          for (const chunk of head) await writer.write(chunk);
          writer.releaseLock();
        }
        // The caller reads the rest of a rejected body (drainBody).
        await body.pipeTo(exactStream.writable, { preventCancel: true });
      };
      // When one end of the stream fails, the other end then reports the same error.
      const failedEnds: ("sender" | "store")[] = [];
      const [feedResult, storeResult] = await Promise.allSettled([
        feed().catch(async (error) => {
          failedEnds.push("sender");
          // R2 must not wait for the rest, whatever the error was.
          await exactStream.writable.abort(error).catch(() => undefined);
          throw error;
        }),
        uploadOf(place)
          .uploadPart(place.number, exactStream.readable)
          .catch((error) => {
            failedEnds.push("store");
            throw error;
          }),
      ]);
      if (storeResult.status === "rejected" && isMissingUpload(storeResult.reason)) return "gone";
      // Either end may report the stream's error first.
      if (
        failedEnds[0] === "sender" ||
        [feedResult, storeResult].some(
          (result) => result.status === "rejected" && isLengthError(result.reason),
        )
      )
        return "wrong_size";
      if (storeResult.status === "rejected") throw storeResult.reason;
      return { etag: storeResult.value.etag };
    },

    async putBytes(place, bytes) {
      try {
        return { etag: (await uploadOf(place).uploadPart(place.number, bytes)).etag };
      } catch (error) {
        if (isMissingUpload(error)) return "gone";
        throw error;
      }
    },

    async complete(fileKey, multipartId, parts) {
      try {
        const object = await uploadOf({ fileKey, multipartId }).complete(
          parts.map(({ number, etag }) => ({ partNumber: number, etag })),
        );
        return object.size;
      } catch (error) {
        if (!isIncompletable(error)) throw error;
        // An earlier run may have completed the upload and ended before it recorded that.
        return (await bucket.head(fileKey))?.size ?? null;
      }
    },

    async discard(fileKey, multipartId) {
      if (multipartId !== "") {
        try {
          await uploadOf({ fileKey, multipartId }).abort();
        } catch (error) {
          if (!isMissingUpload(error)) throw error;
        }
      }
      await bucket.delete(fileKey);
      await records?.forget([fileKey]);
    },

    async inspect(fileKey, fileName, byteSize) {
      const file = createRanges(byteSize, async (first, length) => {
        const object = await bucket.get(fileKey, { range: { offset: first, length } });
        if (!object) throw new Error("a stored file is missing");
        return new Uint8Array(await object.arrayBuffer());
      });
      const { inspectFile } = await inspection();
      const inspectResult = await inspectFile(file, fileName);
      if ("file" in inspectResult) await records?.record(fileKey, byteSize);
      return inspectResult;
    },

    inspectThumbnail: async (bytes) => (await inspection()).inspectThumbnail(bytes),

    async putFile(fileKey, bytes, mimeType) {
      await bucket.put(fileKey, bytes, { httpMetadata: { contentType: mimeType } });
    },
  };
}
