/** Tags as a table: one row for each tag, and one or more columns for each field. An import reads what an export writes. */

import { viewpointToJson } from "../content/content-json";
import { TAG_FIELD_NAMES, TAG_FIELDS, type TagFieldName } from "../content/tag-fields";
import { readNumber } from "../shared/fields.schema";
import type { EventTag, Uuid } from "../shared/model";

/** The name of a column. */
export type TagColumn = "id" | "order" | (typeof TAG_FIELDS)[TagFieldName]["csv"][number];
/** The columns in the order of exports. Their names are stable. */
export const TAG_COLUMNS: readonly TagColumn[] = [
  "id",
  "order",
  ...TAG_FIELDS.hidden.csv,
  ...TAG_FIELD_NAMES.filter((name) => name !== "hidden").flatMap((name) => TAG_FIELDS[name].csv),
];

/** The columns of a field ("title") or of one of its languages ("title.ja"), by the name that the errors of a command use. */
export const COLUMNS_BY_FIELD: Readonly<Record<string, readonly TagColumn[]>> = Object.fromEntries(
  TAG_FIELD_NAMES.flatMap((name): [string, readonly TagColumn[]][] => {
    const { csv, form, sql } = TAG_FIELDS[name];
    const languageColumns =
      sql === "localized" ? csv.map((column, i) => [form[i] ?? "", [column]] as [string, TagColumn[]]) : [];
    return [[name, csv], ...languageColumns];
  }),
);

const SEPARATOR = /[,、，\n]/;

/** Writes keywords as a cell: separated by commas, or as JSON if a keyword contains a separator or the first one starts with "[". */
const keywordsCell = (keywords: readonly string[]) =>
  keywords.some((keyword) => SEPARATOR.test(keyword)) || keywords[0]?.startsWith("[")
    ? JSON.stringify(keywords)
    : keywords.join(", ");

/** Reads the keywords of a cell, for the schema that checks them. */
export function readKeywordsCell(cell: string): unknown {
  if (!cell.startsWith("[")) return cell;
  try {
    return JSON.parse(cell);
  } catch {
    return cell;
  }
}

/** Returns the cells of a tag. @param mediaName returns the name of a media item: its library item's id, or the URL of a web media item */
export function tagCells(
  tag: EventTag,
  order: number,
  mediaName: (id: Uuid) => string,
): readonly (string | number | null)[] {
  const { title, body, product, position, stem, viewpoint } = tag;
  return [
    ...[
      tag.id,
      order,
      tag.hidden ? "true" : "false",
      title.ja,
      title.en,
      body.ja,
      body.en,
      tag.color,
      tag.icon,
    ],
    ...[keywordsCell(tag.keywords), tag.linkUrl, tag.mediaIds.map(mediaName).join("\n")],
    ...[product?.id ?? null, product?.title ?? null],
    ...[position?.[0] ?? null, position?.[1] ?? null, position?.[2] ?? null, ...stem],
    viewpoint && JSON.stringify(viewpointToJson(viewpoint)),
  ];
}

/** Reads a number as people and spreadsheets write it, in any character width, also with a decimal comma; null for anything else. */
export function readNumberCell(cell: string): number | null {
  const text = cell.normalize("NFKC").replace(/[−‐]/g, "-").trim();
  return readNumber(/^[+-]?\d+,\d+$/.test(text) ? text.replace(",", ".") : text);
}

/** Reads a yes or no as people and spreadsheets write it, for the schema that reads flags. */
export function readFlagCell(cell: string): string {
  const text = cell.normalize("NFKC").trim().toLowerCase();
  if (["yes", "y", "1"].includes(text)) return "true";
  return ["no", "n", "0"].includes(text) ? "false" : text;
}

/** Whether two numbers are equal apart from the rounding of spreadsheets, which keep 15 digits. */
export const isNear = (a: number, b: number): boolean =>
  Math.abs(a - b) <= 1e-12 * Math.max(1, Math.abs(a), Math.abs(b));

/** Returns the names of media in a cell, separated by line breaks, spaces, commas (also Japanese ones) or semicolons. */
export const mediaNames = (cell: string): readonly string[] =>
  cell.split(/[\s,;、]+/).filter((name) => name !== "");

const FILE_URL = /^(?:https?:\/\/[^/\s]+)?\/media\/([0-9a-f]{8}-[0-9a-f-]{27})(?:[/?#]|$)/i;

/** Returns the id of the library item that a name identifies by this id or by the URL of its file; null for any other name. */
export function readItemId(name: string): Uuid | null {
  const id = FILE_URL.exec(name)?.[1] ?? name;
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(id) ? id.toLowerCase() : null;
}
