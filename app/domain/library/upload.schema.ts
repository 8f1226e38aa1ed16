import * as z from "zod";
import { field, formError, optionalUuidField, readInteger } from "../shared/fields.schema";
import { FILE_NAME_SENT_MAX, FINGERPRINT_MAX } from "../shared/limits";
import { isBlank, normaliseText } from "../shared/text";
import { tidyFileName } from "./file-name";

/** A file's name in its stored form. See tidyFileName. */
const fileNameField = field<string, string>((value) => {
  if (typeof value !== "string" || (value.length <= FILE_NAME_SENT_MAX && isBlank(normaliseText(value))))
    return { error: "library:errors.upload.noFile" };
  if (value.length > FILE_NAME_SENT_MAX) return { error: "library:errors.upload.fileName" };
  return { value: tidyFileName(value) };
});

/** Bytes of a file. uploadProblem checks the limits. */
const byteSizeField = field<number, number>((value) => {
  const size = typeof value === "number" ? readInteger(value, 0, Number.MAX_SAFE_INTEGER) : null;
  return size === null ? { error: "shared-owners:errors.field.invalid" } : { value: size };
});

/** A value by which the sender recognises a file when it is chosen again. */
const fingerprintField = field<string, string | null | undefined>((value) => {
  if (value === undefined || value === null) return { value: "" };
  const isValid = typeof value === "string" && value.length <= FINGERPRINT_MAX && !/[^\x20-\x7e]/.test(value);
  return isValid ? { value } : { error: "shared-owners:errors.field.invalid" };
});

/** Returns the schema of a request that opens an upload: {fileName, byteSize, folderId?, replacesId?, ownerId?, fingerprint?}. */
export function createUploadSchema() {
  return z.object(
    {
      fileName: fileNameField,
      byteSize: byteSizeField,
      folderId: optionalUuidField,
      replacesId: optionalUuidField,
      ownerId: optionalUuidField,
      fingerprint: fingerprintField,
    },
    formError,
  );
}

/** The values of a valid request that opens an upload. */
export type UploadValue = z.output<ReturnType<typeof createUploadSchema>>;

/** Returns the size of a slice, which is a part of an R2 multipart upload, in bytes. All slices have the same size except the last one. Null for a slice that does not exist. */
export function partBytes(
  upload: { readonly byteSize: number; readonly partSize: number },
  number: number,
): number | null {
  const lastPart = partCount(upload);
  if (!Number.isInteger(number) || number < 1 || number > lastPart) return null;
  return number < lastPart ? upload.partSize : upload.byteSize - (lastPart - 1) * upload.partSize;
}

/** Returns the numbers of the slices of a file that are missing or have a wrong size. `received` maps the numbers of received slices to their sizes. */
export const missingParts = (
  upload: { readonly byteSize: number; readonly partSize: number },
  received: ReadonlyMap<number, number>,
): readonly number[] =>
  Array.from({ length: partCount(upload) }, (_, i) => i + 1).filter(
    (number) => received.get(number) !== partBytes(upload, number),
  );

/** Returns the number of slices of a file. */
export const partCount = (upload: { readonly byteSize: number; readonly partSize: number }): number =>
  Math.ceil(upload.byteSize / upload.partSize);
