/** Number of bytes at a file's beginning that decide its type. A shorter file is read completely. */
export const HEAD_BYTES = 16 * 1024;

/** Decodes bytes as Latin-1, one character for each byte. */
export const latin1 = (bytes: Uint8Array): string => {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
};

/** The beginning of a file, with functions that read it. */
export class FileHead {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  /** Lower-case extension of the file name, without the dot; empty without an extension. */
  readonly extension: string;
  /** Size of the whole file in bytes; null if unknown. */
  readonly size: number | null;

  constructor(bytes: Uint8Array, fileName: string, byteSize?: number) {
    this.bytes = bytes.subarray(0, HEAD_BYTES);
    this.view = new DataView(this.bytes.buffer, this.bytes.byteOffset, this.bytes.byteLength);
    this.extension = /\.([a-z0-9]{1,8})$/i.exec(fileName.trim())?.[1]?.toLowerCase() ?? "";
    this.size = byteSize ?? null;
  }
  /** Returns bytes as Latin-1 characters; fewer at the end of the head. */
  text(offset: number, length: number): string {
    return latin1(this.bytes.subarray(offset, offset + length));
  }
  /** Whether the head has these Latin-1 characters at an offset. */
  begins(signature: string, offset = 0): boolean {
    return this.text(offset, signature.length) === signature;
  }
  /** Whether the head has at least `length` bytes. */
  has(length: number): boolean {
    return this.bytes.length >= length;
  }
}
