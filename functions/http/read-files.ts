import { boundaryOf, FormError, readParts } from "./multipart";

/** A file of a posted form, read as it arrives. */
export interface IncomingFile {
  readonly fileName: string;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** A posted form with files. */
export interface PostedFiles {
  /** Bytes of the whole form; null when it does not say. */
  readonly declared: number | null;
  /** The files that were chosen, one after the other. Throws a 400 answer where the form breaks off. */
  readonly files: AsyncIterable<IncomingFile>;
  /** The texts that stand above the files; complete once the files have been read. */
  readonly texts: Readonly<Record<string, string>>;
}

/** Bytes of all texts beside the files, and how many fields that are no such file. */
const TEXT_MAX = 64 * 1024;
const PARTS_MAX = 60;

const refuse = () => new Response(null, { status: 400, statusText: "Bad Request" });

/**
 * A posted form with files of any size, of which nothing is held but what has just arrived. Throws a 400 answer when the body
 * is no form with files.
 * @param field the field in which files are looked for; others are skipped
 */
export function readFiles(request: Request, field: string): PostedFiles {
  const boundary = boundaryOf(request.headers.get("content-type"));
  const { body } = request;
  if (boundary === null || !body) throw refuse();
  const texts: Record<string, string> = {};
  const length = request.headers.get("content-length");
  return {
    declared: length === null ? null : Number(length),
    files: files(body, boundary, field, texts),
    texts,
  };
}

async function* files(
  body: ReadableStream<Uint8Array>,
  boundary: string,
  field: string,
  texts: Record<string, string>,
): AsyncGenerator<IncomingFile> {
  let parts = 0;
  let left = TEXT_MAX;
  try {
    for await (const { name, fileName, chunks } of readParts(body, boundary)) {
      // A field of files in which none was chosen is sent without a name.
      if (fileName && name === field) {
        yield { fileName, chunks: refusing(chunks) };
        continue;
      }
      if (++parts > PARTS_MAX) throw new FormError();
      if (fileName !== null) continue;
      const decoder = new TextDecoder();
      let text = "";
      for await (const chunk of chunks) {
        left -= chunk.length;
        if (left < 0) throw new FormError();
        text += decoder.decode(chunk, { stream: true });
      }
      texts[name] = text + decoder.decode();
    }
  } catch (error) {
    throw answerTo(error);
  }
}

const answerTo = (error: unknown) => (error instanceof FormError ? refuse() : error);

/** A file's bytes are read by whoever stores them: a form that breaks off there is refused as anywhere else. */
async function* refusing(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (error) {
    throw answerTo(error);
  }
}
