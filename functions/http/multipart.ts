/** One field of a form. Its content is read as it arrives; unread content is skipped when the next field is requested. */
export interface FormPart {
  readonly name: string;
  /** Null for a text field. */
  readonly fileName: string | null;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** Thrown for a body that is not a complete form, or that exceeds a limit. */
export class FormError extends Error {
  constructor() {
    super("the body is not a complete multipart/form-data form");
    this.name = "FormError";
  }
}

/** Maximum bytes of the header lines of a field. Browsers send fewer. */
const HEADERS_MAX = 16 * 1024;
const CRLF = "\r\n";

/** The boundary in a Content-Type; null if it is not a form with files (RFC 7578, RFC 2046 §5.1.1). */
export function parseBoundary(contentType: string | null): string | null {
  const match =
    /^multipart\/form-data\s*;.*?\bboundary=(?:"([^"\r\n]{1,70})"|([^\s;"]{1,70})(?=[\s;]|$))/i.exec(
      contentType ?? "",
    );
  return match?.[1] ?? match?.[2] ?? null;
}

const encodeLatin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

/** A byte stream that buffers only as much as it needs to find a delimiter that spans two chunks. */
class ByteStream {
  private buffered: Uint8Array = new Uint8Array();
  constructor(private readonly reader: ReadableStreamDefaultReader<Uint8Array>) {}

  private async readMore(): Promise<void> {
    const { done, value } = await this.reader.read();
    if (done) throw new FormError();
    if (this.buffered.length === 0) {
      this.buffered = value;
      return;
    }
    const joined = new Uint8Array(this.buffered.length + value.length);
    joined.set(this.buffered);
    joined.set(value, this.buffered.length);
    this.buffered = joined;
  }

  /**
   * Yields the bytes before a delimiter and consumes the delimiter.
   * @throws FormError if the delimiter is missing
   */
  async *until(delimiter: Uint8Array): AsyncGenerator<Uint8Array> {
    for (;;) {
      const offset = findBytes(this.buffered, delimiter);
      if (offset >= 0) {
        const content = this.buffered.subarray(0, offset);
        this.buffered = this.buffered.subarray(offset + delimiter.length);
        if (content.length > 0) yield content;
        return;
      }
      // The last bytes are kept back, because they may be the beginning of the delimiter.
      const yieldable = this.buffered.length - delimiter.length + 1;
      if (yieldable > 0) {
        const content = this.buffered.subarray(0, yieldable);
        this.buffered = this.buffered.subarray(yieldable);
        yield content;
      }
      await this.readMore();
    }
  }

  async take(count: number): Promise<Uint8Array> {
    while (this.buffered.length < count) await this.readMore();
    const takenBytes = this.buffered.subarray(0, count);
    this.buffered = this.buffered.subarray(count);
    return takenBytes;
  }
}

/** Index of a byte sequence in bytes, searched from `from`; -1 if it does not occur. */
export function findBytes(bytes: Uint8Array, delimiter: Uint8Array, from = 0): number {
  const [first = 0] = delimiter;
  for (let offset = bytes.indexOf(first, from); offset >= 0; offset = bytes.indexOf(first, offset + 1)) {
    if (offset + delimiter.length > bytes.length) return -1;
    let i = 1;
    while (i < delimiter.length && bytes[offset + i] === delimiter[i]) i++;
    if (i === delimiter.length) return offset;
  }
  return -1;
}

/**
 * Yields the fields of a multipart form in order, without buffering more than one chunk.
 * @throws FormError if the body ends early or is malformed
 */
export async function* readParts(
  body: ReadableStream<Uint8Array>,
  boundary: string,
): AsyncGenerator<FormPart> {
  const reader = body.getReader();
  try {
    const incoming = new ByteStream(reader);
    const firstDelimiter = encodeLatin1(`--${boundary}`);
    const delimiter = encodeLatin1(`${CRLF}--${boundary}`);
    for await (const _ of incoming.until(firstDelimiter));
    for (;;) {
      const afterBoundary = decode(await incoming.take(2));
      if (afterBoundary === "--") return;
      if (afterBoundary !== CRLF) throw new FormError();
      const { name, fileName } = await readHeaders(incoming);
      const content = incoming.until(delimiter);
      yield { name, fileName, chunks: { [Symbol.asyncIterator]: () => ({ next: () => content.next() }) } };
      for await (const _ of content);
    }
  } finally {
    // The rest of the body is not needed.
    await reader.cancel().catch(() => undefined);
  }
}

const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

async function readHeaders(incoming: ByteStream): Promise<{ name: string; fileName: string | null }> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of incoming.until(encodeLatin1(CRLF + CRLF))) {
    chunks.push(chunk.slice());
    size += chunk.length;
    if (size > HEADERS_MAX) throw new FormError();
  }
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  const disposition = decode(bytes)
    .split(CRLF)
    .find((line) => /^content-disposition\s*:\s*form-data\b/i.test(line));
  // Browsers write a quote, and the ends of lines, as %22, %0D and %0A (HTML, "multipart/form-data").
  const parameter = (name: string) =>
    new RegExp(`;\\s*${name}="([^"]*)"`, "i")
      .exec(disposition ?? "")?.[1]
      ?.replace(/%(22|0D|0A)/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  const name = parameter("name");
  if (name === undefined) throw new FormError();
  return { name, fileName: parameter("filename") ?? null };
}
