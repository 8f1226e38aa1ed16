import { singleText } from "~/domain/events/event-texts";
import type { Localized } from "~/domain/shared/model";
import { nameKey } from "~/domain/shared/text";

/** The column by which an error names the index that enforces unique names within a space. */
export const EVENT_NAME_INDEX = "event_names.name_key";

/** The columns of an event's name. */
export const nameColumns = (name: Localized) => ({
  eventName: singleText(name),
  nameJa: name.ja,
  nameEn: name.en,
  nameKeyJa: nameKey(name.ja),
  nameKeyEn: nameKey(name.en),
});

/** Names of these columns, for SQL. nameColumns must have the same order. */
export const NAME_COLUMNS = ["event_name", "name_ja", "name_en", "name_key_ja", "name_key_en"] as const;

/** The values of NAME_COLUMNS. */
export const nameRow = (name: Localized) => Object.values(nameColumns(name));
