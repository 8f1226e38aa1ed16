/** The table of a tag's fields and of their names in the API's JSON, SQL, CSV and forms. */
import type { EventTag } from "../shared/model";

/** A field that a tag's editor can change. */
export type TagFieldName = Exclude<keyof EventTag, "id" | "eventId" | "sortOrder" | "version">;

interface FieldNames {
  /** Name in the API's JSON, and of the column in event_tags. */
  readonly api: string;
  /** Type of the column: `localized` means two columns, `_ja` and `_en`; null means a separate table. */
  readonly sql: "text" | "localized" | "json" | "flag" | null;
  /** Columns of the exported and imported CSV file. */
  readonly csv: readonly string[];
  /** Fields of the form; empty for media, which the form posts as a list. */
  readonly form: readonly string[];
}

/** The names of each field, and the type of its column. */
export const TAG_FIELDS = {
  title: {
    api: "title",
    sql: "localized",
    csv: ["title_ja", "title_en"],
    form: ["title.ja", "title.en"],
  },
  body: { api: "body", sql: "localized", csv: ["body_ja", "body_en"], form: ["body.ja", "body.en"] },
  color: { api: "color", sql: "text", csv: ["color"], form: ["color"] },
  icon: { api: "icon", sql: "text", csv: ["icon"], form: ["icon"] },
  keywords: { api: "keywords", sql: "json", csv: ["keywords"], form: ["keywords"] },
  linkUrl: { api: "link_url", sql: "text", csv: ["link_url"], form: ["linkUrl"] },
  mediaIds: { api: "media_uuids", sql: null, csv: ["media"], form: [] },
  product: {
    api: "product",
    sql: "json",
    csv: ["product_id", "product_title"],
    form: ["product.id", "product.title"],
  },
  position: {
    api: "position",
    sql: "json",
    csv: ["position_x", "position_y", "position_z"],
    form: ["position.x", "position.y", "position.z"],
  },
  stem: {
    api: "stem",
    sql: "json",
    csv: ["stem_x", "stem_y", "stem_z"],
    form: ["length", "normal.x", "normal.y", "normal.z"],
  },
  viewpoint: {
    api: "viewpoint",
    sql: "json",
    csv: ["viewpoint"],
    form: ["view.mode", "view.x", "view.y", "view.z", "view.yaw", "view.pitch", "view.node"],
  },
  hidden: { api: "hidden", sql: "flag", csv: ["hidden"], form: ["hidden"] },
} as const satisfies Readonly<Record<TagFieldName, FieldNames>>;

/** Returns a field's entry in the table. */
export const tagField = (name: TagFieldName): FieldNames => TAG_FIELDS[name];
/** The names of all fields, in the order of the table. */
export const TAG_FIELD_NAMES = Object.keys(TAG_FIELDS) as readonly TagFieldName[];

/** Picks the given fields of a tag. */
export const pickTagFields = <Name extends TagFieldName>(
  tag: Pick<EventTag, Name>,
  names: readonly Name[],
): Pick<EventTag, Name> =>
  Object.fromEntries(names.map((name) => [name, tag[name]])) as unknown as Pick<EventTag, Name>;
