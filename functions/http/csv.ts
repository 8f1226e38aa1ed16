import Papa from "papaparse";
import type { CsvCodec, CsvRecord } from "#functions/services/users/user-ports";
import { type CsvEncoding, writeCell } from "~/domain/users/user-csv";

function decodeAs(encoding: CsvEncoding, bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    // A NUL character means that the file is UTF-16 or not text.
    return text.includes("\0") ? null : text;
  } catch {
    return null;
  }
}

/**
 * Number of characters that are unusual in Japanese text. Most bytes of EUC-JP are half-width katakana in Shift_JIS, so the encoding with fewer of
 * them is the right one if both decode. Private-use and control characters count as well.
 */
function countUnusualCharacters(text: string): number {
  return text.match(/[\uff61-\uff9f\ue000-\uf8ff\u0080-\u009f]/g)?.length ?? 0;
}

/**
 * Decodes a file of unknown encoding. Valid UTF-8 is recognised directly; of Shift_JIS and EUC-JP, the one with fewer unusual characters is used.
 */
function decodeUnknown(bytes: Uint8Array): ReturnType<CsvCodec["decode"]> {
  const unicode = decodeAs("utf-8", bytes);
  if (unicode !== null) return { text: unicode, encoding: "utf-8" };
  const [best] = (["shift_jis", "euc-jp"] as const)
    .flatMap((encoding) => {
      const text = decodeAs(encoding, bytes);
      return text === null ? [] : [{ text, encoding }];
    })
    .sort((a, b) => countUnusualCharacters(a.text) - countUnusualCharacters(b.text));
  return best ?? null;
}

const DELIMITERS = [",", ";", "\t"] as const;

/** The delimiter: the candidate that occurs most often in the header line, outside quotation marks. */
function findDelimiter(text: string): string {
  const header = text.split(/[\r\n]+/).find((line) => line.trim() !== "") ?? "";
  const unquoted = header.replace(/"[^"]*"/g, "");
  const count = (delimiter: string) => unquoted.split(delimiter).length;
  return DELIMITERS.reduce((best, delimiter) => (count(delimiter) > count(best) ? delimiter : best));
}

/** CSV files (RFC 4180) in the forms that spreadsheets write and read. */
export const csvCodec: CsvCodec = {
  decode(bytes, encoding) {
    if (encoding === null) return decodeUnknown(bytes);
    const text = decodeAs(encoding, bytes);
    return text === null ? null : { text, encoding };
  },

  parse(text, limit) {
    const records: CsvRecord[] = [];
    let line = 1;
    let parsedUntil = 0;
    Papa.parse<string[]>(text, {
      delimiter: findDelimiter(text),
      step({ data: cells, errors, meta }, parser) {
        const isBroken = errors.some(({ type }) => type === "Quotes");
        if (isBroken || cells.some((cell) => cell.trim() !== "")) records.push({ line, cells, isBroken });
        line += text.slice(parsedUntil, meta.cursor).match(/\r\n|\r|\n/g)?.length ?? 0;
        parsedUntil = meta.cursor;
        if (isBroken || records.length >= limit) parser.abort();
      },
    });
    return records;
  },

  line(cells) {
    const escapedCells = cells.map((cell) => (typeof cell === "string" ? writeCell(cell) : (cell ?? "")));
    return `${Papa.unparse([escapedCells], { newline: "\r\n" })}\r\n`;
  },
};
