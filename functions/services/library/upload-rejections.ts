import { findRejectedFormat } from "~/domain/library/formats/rejected-formats";
import { sniffMedia } from "~/domain/library/sniff-media";
import { uploadProblem } from "~/domain/shared/limits";
import { type AppError, InvalidError, LimitError } from "../shared/errors";
import type { FileRejectionReason } from "./uploads-ports";

/** Creates an error about the field `file`. */
export const createUploadError = (
  code: string,
  key: string,
  values?: Readonly<Record<string, string | number>>,
) => new InvalidError({ file: [values ? { key, values } : { key }] }, code);

/**
 * Creates the error for a file that was rejected for its content. All unsupported formats (`format.…`) share a code; `values.format` names the format.
 */
export const createInspectionError = ({ rejection, values }: FileRejectionReason): InvalidError => {
  const key = `library:errors.upload.${rejection}`;
  const format = /^format\.(.*)$/.exec(rejection)?.[1];
  if (format === undefined) return createUploadError(`upload_${rejection}`, key, values);
  return createUploadError("upload_format", key, { ...values, format });
};

/** Returns the reason why a file is rejected by its first bytes alone; null if it may be stored. */
export const findHeadRejection = async (
  head: Uint8Array,
  fileName: string,
  byteSize?: number,
): Promise<FileRejectionReason | null> => {
  const rejectedFormat = findRejectedFormat(head, fileName, byteSize);
  if (rejectedFormat) return { rejection: `format.${rejectedFormat.format}`, values: rejectedFormat.values };
  return (await sniffMedia(head, fileName, byteSize)) === null ? { rejection: "kind" } : null;
};

/** Creates the error for a file of another kind than the item that it replaces. */
export const otherKindError = () => createUploadError("upload_other_kind", "library:errors.upload.otherKind");
/** Creates the error for a file for which the library has no space left. */
export const libraryFullError = () =>
  new LimitError("library_capacity", { key: "library:errors.upload.capacity" });

const SIZE_CODES = {
  "library:errors.upload.empty": "upload_empty",
  "library:errors.upload.tooLarge": "upload_too_large",
} as const;

/** Returns the error for a file of this size; null if it can be stored. @param freeBytes bytes of the library that are not reserved */
export function findSizeError(byteSize: number, freeBytes = Number.POSITIVE_INFINITY): AppError | null {
  const key = uploadProblem({ storageLimit: freeBytes, storageUsed: 0 }, byteSize);
  if (key === null) return null;
  return key === "library:errors.upload.capacity"
    ? libraryFullError()
    : createUploadError(SIZE_CODES[key], key);
}

/**
 * Checks the size of an upload: not empty, at most UPLOAD_MAX_BYTES, and not larger than the library's free bytes.
 * @throws InvalidError upload_empty, upload_too_large; LimitError library_capacity
 */
export function checkSize(byteSize: number, freeBytes?: number): void {
  const problem = findSizeError(byteSize, freeBytes);
  if (problem) throw problem;
}

/** Creates the error for a slice of a wrong size. */
export const partSizeError = () => createUploadError("upload_part_size", "library:errors.upload.partSize");
