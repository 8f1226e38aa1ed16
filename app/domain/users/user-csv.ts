import { STORAGE_LIMIT_MAX_GB } from "../shared/limits";

/** The columns that an import reads, in the order of exports. Their names are stable. */
export const IMPORT_COLUMNS = [
  "email",
  "last_name",
  "first_name",
  "company_name",
  "role",
  "status",
  "space_license",
  "storage_limit",
  "language",
  "time_zone",
] as const;
/** The name of a column that an import reads. */
export type ImportColumn = (typeof IMPORT_COLUMNS)[number];

/** The columns that only exports have. An import ignores them. */
export const EXPORT_COLUMNS = ["spaces", "storage_used", "deletion_requested_at", "created_at"] as const;

/** Character encodings of files, including those that Japanese offices use. */
export const CSV_ENCODINGS = ["utf-8", "shift_jis", "euc-jp"] as const;
/** One of the encodings. */
export type CsvEncoding = (typeof CSV_ENCODINGS)[number];

/** Returns the encoding that a form names; null to detect it from the file. */
export function readEncoding(value: unknown): CsvEncoding | null {
  return CSV_ENCODINGS.find((encoding) => encoding === value) ?? null;
}

const UNITS: Readonly<Record<string, number>> = {
  "": 1,
  KB: 1024,
  MB: 1024 ** 2,
  GB: 1024 ** 3,
  TB: 1024 ** 4,
};

/**
 * Parses a size such as "5 GB", "1,5 GB" or "1048576" into bytes; returns null if it is invalid or too large. A comma before three digits
 * is rejected, as it may be a thousands separator.
 */
export function parseSize(text: string): number | null {
  const normalised = text.normalize("NFKC").trim();
  const match = /^(\d{1,15}(?:\.\d{1,6}|,(?!\d{3}(?!\d))\d{1,6})?) ?(KB|MB|GB|TB|)$/i.exec(normalised);
  if (!match) return null;
  const bytes = Math.round(
    Number(match[1]?.replace(",", ".")) * (UNITS[(match[2] ?? "").toUpperCase()] ?? 1),
  );
  return bytes <= STORAGE_LIMIT_MAX_GB * 1024 ** 3 ? bytes : null;
}

/** Texts that a spreadsheet evaluates as formulas, also after spaces and in full-width characters. */
const FORMULA = /^(?:[\t\r]|\s*[=+\-@＝＋－＠])/;

const isEscaped = (text: string) => text.startsWith("'") && FORMULA.test(text.replace(/^'+/, ""));

/** Writes a text as a cell of an export. A text that a spreadsheet would evaluate, or that already looks escaped, gets an apostrophe. */
export function writeCell(text: string): string {
  return FORMULA.test(text) || isEscaped(text) ? `'${text}` : text;
}

/** Returns a cell without the apostrophe of an export. Accepts formulas: use it only for display. */
export const unescapeCell = (cell: string): string => (isEscaped(cell) ? cell.slice(1) : cell);

/** Reads a cell of a file and removes the apostrophe of an export. Returns null for a formula. */
export function readCell(cell: string): string | null {
  if (isEscaped(cell)) return cell.slice(1);
  return FORMULA.test(cell) ? null : cell.trim();
}
