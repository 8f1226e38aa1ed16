/** The header of a PLY file (Greg Turk, "The PLY Polygon File Format"). */

/** Values of the header. */
export interface PlyHeader {
  readonly isText: boolean;
  /** Offset of the data, in bytes. */
  readonly dataAt: number;
  readonly vertices: number;
  readonly faces: number;
  /**
   * Minimum size of all elements in bytes: a list of corners has at least three entries, other lists may be empty. Only for binary files.
   */
  readonly fixedBytes: number;
}

/** Size of a number in bytes, by PLY's type names. */
export const PLY_NUMBER_BYTES: Readonly<Record<string, number>> = {
  char: 1,
  uchar: 1,
  int8: 1,
  uint8: 1,
  short: 2,
  ushort: 2,
  int16: 2,
  uint16: 2,
  int: 4,
  uint: 4,
  int32: 4,
  uint32: 4,
  float: 4,
  float32: 4,
  double: 8,
  float64: 8,
};

/** Parses the header at a file's beginning; null if it is invalid. */
export function readPlyHeader(head: Uint8Array): PlyHeader | null {
  const text = new TextDecoder("latin1").decode(head);
  const end = /\nend_header[ \t]*\r?\n/.exec(text);
  if (!/^ply[ \t]*\r?\n/.test(text) || !end) return null;
  const lines = text.slice(0, end.index).split(/\r?\n/);
  const counts = new Map<string, number>();
  let element = "";
  let fixedBytes = 0;
  for (const line of lines) {
    const [keyword, ...words] = line.trim().split(/\s+/);
    if (keyword === "element") {
      const [name = "", count = ""] = words;
      element = name;
      counts.set(element, Number(count));
    } else if (keyword === "property") {
      // "property float x", or "property list uchar int vertex_indices": the types of the length and of the entries, then the name.
      const isList = words[0] === "list";
      const [type = "", entryType = "", name = ""] = isList ? words.slice(1) : words;
      const bytes = PLY_NUMBER_BYTES[type];
      const minimumListBytes =
        isList && /^vertex_ind/.test(name) ? 3 * (PLY_NUMBER_BYTES[entryType] ?? Number.NaN) : 0;
      fixedBytes += (counts.get(element) ?? 0) * ((bytes ?? Number.NaN) + minimumListBytes);
    }
  }
  if ([...counts.values(), fixedBytes].some((value) => !Number.isSafeInteger(value) || value < 0))
    return null;
  return {
    isText: lines.some((line) => /^format\s+ascii\b/.test(line)),
    dataAt: end.index + end[0].length,
    vertices: counts.get("vertex") ?? 0,
    faces: counts.get("face") ?? 0,
    fixedBytes,
  };
}
