import { STORAGE_LIMIT_MAX_GB } from "./limits";

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

const UNITS: Readonly<Record<string, number>> = {
  "": 1,
  KB: 1024,
  MB: 1024 ** 2,
  GB: 1024 ** 3,
  TB: 1024 ** 4,
};

/** A size as people write it, "5 GB" or "1048576", in bytes; null when it is none or too large. */
export function parseSize(text: string): number | null {
  const match = /^(\d{1,15}(?:\.\d{1,6})?) ?(KB|MB|GB|TB|)$/i.exec(text.normalize("NFKC").trim());
  if (!match) return null;
  const bytes = Math.round(Number(match[1]) * (UNITS[(match[2] ?? "").toUpperCase()] ?? 1));
  return bytes <= STORAGE_LIMIT_MAX_GB * 1024 ** 3 ? bytes : null;
}

/** What a spreadsheet computes, also after spaces and in full width. */
export const FORMULA = /^(?:[\t\r]|\s*[=+\-@＝＋－＠])/;

/** A cell of a file as the text that was meant: what an export defused is itself again. Null for a formula. */
export function readCell(cell: string): string | null {
  if (cell.startsWith("'") && FORMULA.test(cell.slice(1))) return cell.slice(1);
  return FORMULA.test(cell) ? null : cell.trim();
}
