/** A complete response: its status and the number of bytes in its body. */
export interface ReceivedResponse {
  readonly status: number;
  readonly bytes: number;
}

const HEAD_END = Buffer.from("\r\n\r\n");
const LINE_END = Buffer.from("\r\n");

/**
 * Reads HTTP/1.1 responses from a connection (RFC 9112), only enough to find where each one ends. It supports bodies with
 * Content-Length and chunked bodies. It does not support responses to HEAD and interim responses.
 */
export class ResponseReader {
  readonly #onResponse: (response: ReceivedResponse) => void;
  /** Bytes of a header section, chunk-size line or trailer line whose end has not arrived yet. */
  #pending: Buffer | null = null;
  #state: "head" | "body" | "size" | "chunk" | "trailer" = "head";
  /** Number of bytes of the body or chunk that have not arrived yet. For a chunk it includes the line end after it. */
  #remaining = 0;
  #status = 0;
  #bytes = 0;

  constructor(onResponse: (response: ReceivedResponse) => void) {
    this.#onResponse = onResponse;
  }

  /** Processes received bytes. The caller may overwrite them afterwards. */
  push(chunk: Buffer): void {
    let unread = chunk;
    if (this.#pending) {
      unread = Buffer.concat([this.#pending, chunk]);
      this.#pending = null;
    }
    while (unread.length > 0) {
      if (this.#state === "body" || this.#state === "chunk") {
        const byteCount = Math.min(this.#remaining, unread.length);
        this.#remaining -= byteCount;
        unread = unread.subarray(byteCount);
        if (this.#remaining > 0) return;
        if (this.#state === "body") this.#finish();
        else this.#state = "size";
        continue;
      }
      const delimiter = this.#state === "head" ? HEAD_END : LINE_END;
      const end = unread.indexOf(delimiter);
      if (end === -1) {
        this.#pending = Buffer.from(unread);
        return;
      }
      const text = unread.toString("latin1", 0, end);
      unread = unread.subarray(end + delimiter.length);
      if (this.#state === "head") this.#readHead(text);
      else if (this.#state === "size") this.#readChunkSize(text);
      else if (text === "") this.#finish();
    }
  }

  #readHead(text: string): void {
    this.#status = Number(text.slice(9, 12));
    this.#bytes = 0;
    const length = /\r\ncontent-length: *(\d+)/i.exec(text);
    if (length) {
      this.#bytes = this.#remaining = Number(length[1]);
      this.#state = "body";
      if (this.#remaining === 0) this.#finish();
    } else if (/\r\ntransfer-encoding: *chunked/i.test(text)) {
      this.#state = "size";
    } else if (this.#status === 204 || this.#status === 304) {
      this.#finish();
    } else {
      throw new Error(`The response does not state where it ends:\n${text}`);
    }
  }

  #readChunkSize(text: string): void {
    const size = Number.parseInt(text, 16);
    if (Number.isNaN(size)) throw new Error(`The size of a chunk is invalid: ${text.slice(0, 40)}`);
    this.#bytes += size;
    this.#remaining = size + LINE_END.length;
    this.#state = size === 0 ? "trailer" : "chunk";
  }

  #finish(): void {
    this.#state = "head";
    this.#onResponse({ status: this.#status, bytes: this.#bytes });
  }
}
