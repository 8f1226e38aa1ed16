import { readFormData } from "./read-body";

/** A small file of a posted form. */
export interface UploadedFile {
  readonly fileName: string;
  readonly bytes: Uint8Array;
}

/** A posted form with a file, which is null if none was selected, and the text fields. */
export interface PostedUpload {
  readonly file: UploadedFile | "too_large" | null;
  /** Empty if the form was too large to be read. */
  readonly texts: Readonly<Record<string, string>>;
}

/** Bytes that a form with one file may contain in addition to the file. */
const OVERHEAD_MAX = 16 * 1024;
/** Maximum number of fields; no form with one file has as many. */
const FIELDS_MAX = 60;

/**
 * Reads a posted form with a file of at most `maxBytes` into memory. A larger file is "too_large". A form that is longer than such a file and its fields
 * is not read to its end, or not at all if it declares its length. Throws a 400 response if the body is not a form or has too many fields.
 */
export async function readUpload(request: Request, field: string, maxBytes: number): Promise<PostedUpload> {
  const formData = await readFormData(request, maxBytes + OVERHEAD_MAX, FIELDS_MAX);
  if (formData === "too_long") return { file: "too_large", texts: {} };
  const texts = Object.fromEntries(
    [...formData].filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
  const file: unknown = formData.get(field);
  if (!(file instanceof File) || file.name === "") return { file: null, texts };
  if (file.size > maxBytes) return { file: "too_large", texts };
  return { file: { fileName: file.name, bytes: new Uint8Array(await file.arrayBuffer()) }, texts };
}
