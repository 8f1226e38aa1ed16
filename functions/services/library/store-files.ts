import type { Actor } from "~/domain/auth/actor";
import { tidyFileName } from "~/domain/library/file-name";
import type { LibraryItem } from "~/domain/library/library-item";
import {
  FILE_NAME_SENT_MAX,
  FORM_FILES_MAX,
  UPLOAD_MAX_BYTES,
  UPLOAD_PART_BYTES,
} from "~/domain/shared/limits";
import { AppError, NotFoundError, UploadGoneError } from "../shared/errors";
import { toInstant } from "../shared/instant";
import {
  type AdmitUploadDeps,
  admitUpload,
  CLAIM_MS,
  dropUpload,
  endUpload,
  RejectedFileError,
} from "./admit-upload";
import {
  beginUpload,
  ensureUploadDestination,
  freeBytes,
  type UploadDestination,
  type UploadTarget,
} from "./begin-upload";
import {
  checkSize,
  createInspectionError,
  createUploadError,
  findHeadRejection,
  findSizeError,
  libraryFullError,
} from "./upload-rejections";
import { uploadSlices } from "./upload-slices";
import type { Upload, UploadPart, UploadWithParts } from "./uploads-ports";

/** Maximum size of a rejected form that is read to its end, in bytes. */
const DRAIN_MAX_BYTES = 2 * UPLOAD_MAX_BYTES;

/** Bytes that a form may contain in addition to its files. */
const FORM_OVERHEAD_BYTES = 64 * 1024;

/** A file of a posted form, read as it arrives. */
export interface PostedFile {
  readonly fileName: string;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** Result for one file of a form: the item, or the reason for its rejection. */
export type StoredFileResult =
  | { readonly fileName: string; readonly item: LibraryItem }
  | { readonly fileName: string; readonly rejection: AppError };

/**
 * Stores the files of a posted form one after the other as they arrive. A rejected file is deleted, and does not
 * prevent the others. If there are more than FORM_FILES_MAX files, the result has one rejection for all files beyond them.
 * @param input.declaredBytes Content-Length of the form, if present. If it exceeds the limits, no file is stored.
 * @throws InvalidError upload_empty when no file was sent; upload_too_large when the only file replaces another and is too large; upload_other_kind
 *   when it is to replace a web media item
 * @throws LimitError library_capacity; NotFoundError, ForbiddenError as startUpload
 */
export async function storeFiles(
  deps: AdmitUploadDeps,
  input: UploadTarget & { readonly declaredBytes: number | null; readonly files: AsyncIterable<PostedFile> },
): Promise<readonly StoredFileResult[]> {
  const { actor, declaredBytes, files } = input;
  const destination = await ensureUploadDestination(deps, input);
  const capacity = await deps.uploads.findCapacity(destination.ownerId);
  if (!capacity) throw new NotFoundError("owner");
  let remainingBytes = freeBytes(capacity, destination.replaces);
  // The form may be larger than one file may be, except with a single file that replaces another.
  const minimalSize = Math.max(1, (declaredBytes ?? 0) - FORM_OVERHEAD_BYTES);
  const problem = destination.replaces
    ? findSizeError(minimalSize, remainingBytes)
    : minimalSize > remainingBytes
      ? libraryFullError()
      : null;
  if (problem) {
    await drainForm(files, declaredBytes);
    throw problem;
  }
  const results: StoredFileResult[] = [];
  const buffer = new Uint8Array(UPLOAD_PART_BYTES);
  for await (const file of files) {
    // The uploaded name may have any length, and the form has no field for a shorter one.
    const fileName = tidyFileName(file.fileName.slice(0, FILE_NAME_SENT_MAX));
    if (results.length >= FORM_FILES_MAX) {
      results.push({
        fileName,
        rejection: createUploadError("too_many_files", "library:errors.upload.tooManyFiles"),
      });
      await drainForm(files, declaredBytes);
      break;
    }
    try {
      if (destination.replaces && results.length > 0)
        throw createUploadError("too_many_files", "library:errors.upload.oneFile");
      const item = await storeFile(deps, actor, destination, {
        fileName,
        chunks: file.chunks,
        remainingBytes,
        buffer,
      });
      remainingBytes -= item.byteSize;
      results.push({ fileName, item });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      results.push({ fileName, rejection: error });
    }
  }
  if (results.length === 0) throw createUploadError("upload_empty", "library:errors.upload.noFile");
  return results;
}

/** Reads the rest of a form, because browsers show the response only after they have sent it. A much too long form, or one of unknown length, is not read. */
async function drainForm(files: AsyncIterable<PostedFile>, declaredBytes: number | null): Promise<void> {
  if (declaredBytes !== null && declaredBytes <= DRAIN_MAX_BYTES) for await (const _ of files);
}

async function storeFile(
  deps: AdmitUploadDeps,
  actor: Actor,
  destination: UploadDestination,
  file: PostedFile & {
    /** Free bytes of the library. */
    readonly remainingBytes: number;
    /** Buffer for one slice, used for one file after the other. */
    readonly buffer: Uint8Array<ArrayBuffer>;
  },
): Promise<LibraryItem> {
  const { fileName, chunks, remainingBytes, buffer } = file;
  let byteSize = 0;
  const parts: UploadPart[] = [];
  let upload: UploadWithParts | null = null;
  async function* checkedChunks() {
    for await (const chunk of chunks) {
      byteSize += chunk.byteLength;
      if (chunk.byteLength > 0) checkSize(byteSize, remainingBytes);
      yield chunk;
    }
  }
  const beginWithSlice = async (slice: Uint8Array) => {
    const { byteLength } = slice;
    // A file that fills the first slice may be longer.
    const reason = await findHeadRejection(
      slice,
      fileName,
      byteLength < UPLOAD_PART_BYTES ? byteLength : undefined,
    );
    if (reason) throw createInspectionError(reason);
    // The size of the file is still unknown. The library's capacity is checked again after the last byte.
    return beginUpload(deps, actor, destination, { fileName, byteSize: byteLength, fingerprint: "" });
  };
  try {
    for await (const slice of uploadSlices(checkedChunks(), buffer)) {
      upload ??= await beginWithSlice(slice);
      const number = parts.length + 1;
      const stored = await deps.uploadStore.putBytes({ ...upload, number }, slice);
      if (typeof stored === "string") throw new UploadGoneError();
      parts.push({ number, byteSize: slice.byteLength, etag: stored.etag });
    }
  } catch (error) {
    if (upload !== null) await endUpload(deps, upload);
    throw error;
  }
  if (upload === null) throw createUploadError("upload_empty", "library:errors.upload.empty");
  return completeStoredUpload(deps, actor, upload, parts);
}

async function completeStoredUpload(
  deps: AdmitUploadDeps,
  actor: Actor,
  { id }: Pick<Upload, "id">,
  parts: readonly UploadPart[],
): Promise<LibraryItem> {
  const now = deps.clock.now();
  const until = toInstant(now + CLAIM_MS);
  const upload = await deps.uploads.claim(id, toInstant(now), until);
  if (!upload) throw new UploadGoneError();
  try {
    const byteSize = await deps.uploadStore.complete(upload.fileKey, upload.multipartId, parts);
    if (byteSize === null) throw new UploadGoneError();
    return await admitUpload(deps, actor, upload, until, byteSize);
  } catch (error) {
    if (error instanceof RejectedFileError) throw error.cause;
    // An upload from a form cannot be continued later.
    await dropUpload(deps, upload, until);
    throw error;
  }
}
