import { STORAGE_LIMIT_MAX_GB } from "../shared/limits";

/** The columns that an import reads, in the order in which an export writes them. Their names are stable. */
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

/** The columns that only exports have: an import passes over them. */
export const EXPORT_COLUMNS = ["spaces", "storage_used", "deletion_requested_at", "created_at"] as const;

/** How the characters of a file are written: what files of Japanese offices come in. */
export const CSV_ENCODINGS = ["utf-8", "shift_jis", "euc-jp"] as const;
/** One of the encodings of files. */
export type CsvEncoding = (typeof CSV_ENCODINGS)[number];

/** The encoding that a form names; null for whichever the file turns out to have. */
export function readEncoding(value: unknown): CsvEncoding | null {
  return CSV_ENCODINGS.find((each) => each === value) ?? null;
}

const UNITS: Readonly<Record<string, number>> = {
  "": 1,
  KB: 1024,
  MB: 1024 ** 2,
  GB: 1024 ** 3,
  TB: 1024 ** 4,
};

/**
 * A size as people write it, "5 GB", "1,5 GB" or "1048576", in bytes; null when it is none or too large. Before three digits
 * a comma may as well part the thousands: that is none.
 */
export function parseSize(text: string): number | null {
  const written = text.normalize("NFKC").trim();
  const match = /^(\d{1,15}(?:\.\d{1,6}|,(?!\d{3}\b)\d{1,6})?) ?(KB|MB|GB|TB|)$/i.exec(written);
  if (!match) return null;
  const bytes = Math.round(
    Number(match[1]?.replace(",", ".")) * (UNITS[(match[2] ?? "").toUpperCase()] ?? 1),
  );
  return bytes <= STORAGE_LIMIT_MAX_GB * 1024 ** 3 ? bytes : null;
}

/** What a spreadsheet computes, also after spaces and in full width. */
const FORMULA = /^(?:[\t\r]|\s*[=+\-@＝＋－＠])/;

const isDefused = (text: string) => text.startsWith("'") && FORMULA.test(text.replace(/^'+/, ""));

/** A text as the cell of an export: one that a spreadsheet would compute, or that looks defused itself, gets an apostrophe. */
export function writeCell(text: string): string {
  return FORMULA.test(text) || isDefused(text) ? `'${text}` : text;
}

/** A cell as the text that was meant, where no text is taken for a formula: it is only ever shown. */
export const unguardCell = (cell: string): string => (isDefused(cell) ? cell.slice(1) : cell);

/** A cell of a file as the text that was meant: what an export defused is itself again. Null for a formula. */
export function readCell(cell: string): string | null {
  if (isDefused(cell)) return cell.slice(1);
  return FORMULA.test(cell) ? null : cell.trim();
}
