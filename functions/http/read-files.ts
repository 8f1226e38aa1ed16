import { FormError, parseBoundary, readParts } from "./multipart";

/** A file of a posted form, read as it arrives. */
export interface IncomingFile {
  readonly fileName: string;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** A posted form with files. */
export interface PostedFiles {
  /** Declared size of the whole form in bytes; null if the request does not declare it. */
  readonly declaredBytes: number | null;
  /** The uploaded files, in order. Throws a 400 response if the form is incomplete or malformed, or its other fields exceed a limit. */
  readonly files: AsyncIterable<IncomingFile>;
  /** Text fields that have been read so far. They are complete after the iteration of `files` has ended. */
  readonly texts: Readonly<Record<string, string>>;
}

/** Maximum bytes of all text fields together. */
const TEXT_BYTES_MAX = 64 * 1024;
/** Maximum number of fields other than the files. */
const OTHER_PARTS_MAX = 60;

const badRequest = () => new Response(null, { status: 400, statusText: "Bad Request" });

/**
 * Reads a posted form with files of any size as a stream. Only the current chunk is in memory. Throws a 400 response if the body is not a form with
 * files.
 * @param field name of the file field; other file fields are skipped
 */
export function readPostedFiles(request: Request, field: string): PostedFiles {
  const boundary = parseBoundary(request.headers.get("content-type"));
  const { body } = request;
  if (boundary === null || !body) throw badRequest();
  const texts: Record<string, string> = {};
  const length = request.headers.get("content-length");
  return {
    declaredBytes: length === null ? null : Number(length),
    files: readFileParts(body, boundary, field, texts),
    texts,
  };
}

async function* readFileParts(
  body: ReadableStream<Uint8Array>,
  boundary: string,
  field: string,
  texts: Record<string, string>,
): AsyncGenerator<IncomingFile> {
  let otherParts = 0;
  let textBytesLeft = TEXT_BYTES_MAX;
  try {
    for await (const { name, fileName, chunks } of readParts(body, boundary)) {
      // For a file field without a selected file, browsers send an empty file name.
      if (fileName && name === field) {
        yield { fileName, chunks: withBadRequest(chunks) };
        continue;
      }
      if (++otherParts > OTHER_PARTS_MAX) throw new FormError();
      if (fileName !== null) continue;
      const decoder = new TextDecoder();
      let text = "";
      for await (const chunk of chunks) {
        textBytesLeft -= chunk.length;
        if (textBytesLeft < 0) throw new FormError();
        text += decoder.decode(chunk, { stream: true });
      }
      texts[name] = text + decoder.decode();
    }
  } catch (error) {
    throw toBadRequest(error);
  }
}

const toBadRequest = (error: unknown) => (error instanceof FormError ? badRequest() : error);

/** Passes on a file's bytes. If the form ends early while the consumer reads them, the error is the same 400 response. */
async function* withBadRequest(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (error) {
    throw toBadRequest(error);
  }
}
