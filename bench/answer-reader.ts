/** A whole answer: its status and how many bytes its body had. */
export interface Answer {
  readonly status: number;
  readonly bytes: number;
}

const HEAD_END = Buffer.from("\r\n\r\n");
const LINE_END = Buffer.from("\r\n");

/**
 * Reads HTTP/1.1 answers off a connection (RFC 9112) as far as counting needs it: where each one ends. Bodies by
 * Content-Length or chunked; answers to HEAD and interim answers are not understood.
 */
export class AnswerReader {
  readonly #done: (answer: Answer) => void;
  /** Bytes of a head or a chunk's size line that came without their end. */
  #held: Buffer | null = null;
  #state: "head" | "body" | "size" | "chunk" | "trailer" = "head";
  /** Bytes of the body or chunk still to come; a chunk's include the line end after it. */
  #left = 0;
  #status = 0;
  #bytes = 0;

  constructor(done: (answer: Answer) => void) {
    this.#done = done;
  }

  /** Takes what came. The bytes may be overwritten afterwards. */
  push(chunk: Buffer): void {
    let rest = chunk;
    if (this.#held) {
      rest = Buffer.concat([this.#held, chunk]);
      this.#held = null;
    }
    while (rest.length > 0) {
      if (this.#state === "body" || this.#state === "chunk") {
        const taken = Math.min(this.#left, rest.length);
        this.#left -= taken;
        rest = rest.subarray(taken);
        if (this.#left > 0) return;
        if (this.#state === "body") this.#finish();
        else this.#state = "size";
        continue;
      }
      const mark = this.#state === "head" ? HEAD_END : LINE_END;
      const end = rest.indexOf(mark);
      if (end === -1) {
        this.#held = Buffer.from(rest);
        return;
      }
      const text = rest.toString("latin1", 0, end);
      rest = rest.subarray(end + mark.length);
      if (this.#state === "head") this.#head(text);
      else if (this.#state === "size") this.#size(text);
      else if (text === "") this.#finish();
    }
  }

  #head(text: string): void {
    this.#status = Number(text.slice(9, 12));
    this.#bytes = 0;
    const length = /\r\ncontent-length: *(\d+)/i.exec(text);
    if (length) {
      this.#bytes = this.#left = Number(length[1]);
      this.#state = "body";
      if (this.#left === 0) this.#finish();
    } else if (/\r\ntransfer-encoding: *chunked/i.test(text)) {
      this.#state = "size";
    } else if (this.#status === 204 || this.#status === 304) {
      this.#finish();
    } else {
      throw new Error(`An answer without an end:\n${text}`);
    }
  }

  #size(text: string): void {
    const size = Number.parseInt(text, 16);
    if (Number.isNaN(size)) throw new Error(`Not the size of a chunk: ${text.slice(0, 40)}`);
    this.#bytes += size;
    this.#left = size + LINE_END.length;
    this.#state = size === 0 ? "trailer" : "chunk";
  }

  #finish(): void {
    this.#state = "head";
    this.#done({ status: this.#status, bytes: this.#bytes });
  }
}
