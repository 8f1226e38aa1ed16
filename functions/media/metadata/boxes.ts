import { decodeLatin1 } from "~/domain/library/formats/decode-text";
import { type Ranges, ReadBudgetError } from "../range-reader";

/** A box of ISO 14496-12 §4.2. It spans `offset` to `end`, and its content spans `start` to `end`. */
export interface MediaBox {
  readonly type: string;
  readonly offset: number;
  readonly start: number;
  readonly end: number;
}

/** Maximum number of boxes that are read on one level. A fragmented video has thousands. */
const BOXES_MAX = 20_000;

/** Reads a four-character code as text. */
export const fourCc = (view: DataView, position: number): string =>
  decodeLatin1(new Uint8Array(view.buffer, view.byteOffset + position, 4));

/** Reads `length` bytes of a file; null if the file ends before the last of them. */
export async function readView(file: Ranges, position: number, length: number): Promise<DataView | null> {
  const bytes = await file.read(position, length);
  return bytes.byteLength < length ? null : new DataView(bytes.buffer, bytes.byteOffset, length);
}

/** Maximum size of a table that is read, in bytes. */
const TABLE_MAX = 8 * 1024 * 1024;

/** Reads the content of a box; null if the file ends before its end. @throws ReadBudgetError for a large box */
export async function readTable(file: Ranges, { start, end }: MediaBox): Promise<DataView | null> {
  if (end - start > TABLE_MAX) throw new ReadBudgetError();
  return readView(file, start, end - start);
}

/**
 * Reads the boxes between two offsets one after the other. A box that claims to be longer than its parent is cut at the
 * parent's end; bytes that are not a box end the list.
 * @throws ReadBudgetError after BOXES_MAX boxes
 */
export async function* readBoxes(file: Ranges, from: number, to: number): AsyncGenerator<MediaBox> {
  let count = 0;
  for (let offset = from; offset + 8 <= to; count++) {
    if (count === BOXES_MAX) throw new ReadBudgetError();
    const head = await readView(file, offset, 8);
    if (!head) break;
    let [length, headerLength] = [head.getUint32(0), 8];
    if (length === 1) {
      const longSize = await readView(file, offset + 8, 8);
      if (!longSize) break;
      [length, headerLength] = [Number(longSize.getBigUint64(0)), 16];
    } else if (length === 0) length = to - offset;
    if (length < headerLength) break;
    const end = Math.min(offset + length, to);
    yield { type: fourCc(head, 4), offset, start: Math.min(offset + headerLength, end), end };
    offset = end;
  }
}

/** Returns all boxes between two offsets: see readBoxes. */
export async function listBoxes(file: Ranges, from: number, to: number): Promise<readonly MediaBox[]> {
  const boxes: MediaBox[] = [];
  for await (const box of readBoxes(file, from, to)) boxes.push(box);
  return boxes;
}
