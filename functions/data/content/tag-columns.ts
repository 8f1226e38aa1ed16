/** The columns of event_tags, derived from the table of a tag's fields. */
import type { TagValues } from "~/domain/content/content";
import { TAG_FIELD_NAMES, type TagFieldName, tagField } from "~/domain/content/tag-fields";
import type { Localized } from "~/domain/shared/model";

interface Column {
  readonly column: string;
  /** The language of a localized text's column; null for other columns. */
  readonly lang: keyof Localized | null;
}

/** The columns of a field: two for a localized text, none for a field with a table of its own. */
export function tagFieldColumns(name: TagFieldName): readonly Column[] {
  // `api` is the name of the field in the API and of its column.
  const { api, sql } = tagField(name);
  if (sql === null) return [];
  if (sql !== "localized") return [{ column: api, lang: null }];
  return (["ja", "en"] as const).map((lang) => ({ column: `${api}_${lang}`, lang }));
}

/** The names of the columns of all fields. */
export const TAG_COLUMN_NAMES = TAG_FIELD_NAMES.flatMap(tagFieldColumns).map(({ column }) => column);

/** A tag's values for TAG_COLUMN_NAMES, in their order. */
export const tagRow = (tag: TagValues): readonly (string | number | null)[] =>
  TAG_FIELD_NAMES.flatMap((name) => {
    const value = tag[name];
    const isJson = tagField(name).sql === "json" && value !== null;
    return tagFieldColumns(name).map(({ lang }) => {
      if (lang) return (value as Localized)[lang];
      if (isJson) return JSON.stringify(value);
      return typeof value === "boolean" ? Number(value) : (value as string | null);
    });
  });
