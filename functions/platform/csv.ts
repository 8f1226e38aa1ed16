import Papa from "papaparse";
import type { CsvCodec, CsvRecord } from "#functions/services/people-ports";
import { FORMULA } from "~/domain/user-csv";

function decodeAs(encoding: "utf-8" | "shift_jis", bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    // No file of text has this: it is UTF-16, or no text at all.
    return text.includes("\0") ? null : text;
  } catch {
    return null;
  }
}

/** CSV files (RFC 4180) as spreadsheets write and read them. */
export const csvCodec: CsvCodec = {
  decode(bytes) {
    for (const encoding of ["utf-8", "shift_jis"] as const) {
      const text = decodeAs(encoding, bytes);
      if (text !== null) return { text, encoding };
    }
    return null;
  },

  parse(text, limit) {
    const records: CsvRecord[] = [];
    let line = 1;
    let from = 0;
    Papa.parse<string[]>(text, {
      delimitersToGuess: [",", "\t", ";"],
      step({ data: cells, errors, meta }, parser) {
        const broken = errors.some(({ type }) => type === "Quotes");
        if (broken || cells.some((cell) => cell.trim() !== "")) records.push({ line, cells, broken });
        line += text.slice(from, meta.cursor).match(/\r\n|\r|\n/g)?.length ?? 0;
        from = meta.cursor;
        if (broken || records.length >= limit) parser.abort();
      },
    });
    return records;
  },

  line(cells) {
    const defused = cells.map((cell) =>
      typeof cell === "string" && FORMULA.test(cell) ? `'${cell}` : (cell ?? ""),
    );
    return `${Papa.unparse([defused], { newline: "\r\n" })}\r\n`;
  },
};
