/** Fields of bodies and queries. They validate by functions of app/domain and state their JSON Schema for the OpenAPI document themselves. */
import * as z from "zod";
import { optionalVersionField } from "~/domain/folders/tree-batch.schema";
import { field, isMissing, readInteger } from "~/domain/shared/fields.schema";
import { toUuid } from "~/domain/shared/ids";
import { PAGE_SIZE, PAGE_SIZE_MAX, PASSKEY_ID_MAX, SEARCH_MAX } from "~/domain/shared/limits";
import { createListQuerySchema } from "~/domain/shared/list-query.schema";
import type { FolderType, Uuid } from "~/domain/shared/model";
import { readTypedInstant } from "~/domain/shared/time-zone";

/** JSON Schema for the OpenAPI document. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A schema with the JSON Schema of its input. */
export const describe = <T>(rule: z.ZodType<T>, json: JsonSchema) => rule.meta(json);

/** An optional schema with the JSON Schema of its input. A missing value stays undefined. */
export const optional = <T>(rule: z.ZodType<T>, json: JsonSchema) => rule.optional().meta(json);

/** A required field that the handler or the use case validates. */
export const uncheckedField = (json: JsonSchema) => field<unknown>((value) => ({ value })).meta(json);
/** An optional field that the handler or the use case validates. */
export const uncheckedOptionalField = (json: JsonSchema) => z.unknown().optional().meta(json);

const INVALID_RESULT = { error: "shared-owners:errors.field.invalid" } as const;

/** An optional id of a body. An empty text and null count as missing. */
export const optionalId = (description: string) =>
  optional(
    field<Uuid | undefined>((value) => {
      if (isMissing(value)) return { value: undefined };
      const id = toUuid(value);
      return id === null ? INVALID_RESULT : { value: id };
    }),
    { type: ["string", "null"], format: "uuid", description },
  );

/** An optional id of a body. An empty text or null removes the saved value. */
export const removableId = (description: string) =>
  optional(
    field<Uuid | null>((value) => {
      if (isMissing(value)) return { value: null };
      const id = toUuid(value);
      return id === null ? INVALID_RESULT : { value: id };
    }),
    { type: ["string", "null"], format: "uuid", description },
  );

/** An id of a body, or null or an empty text for none. A missing field is an error. */
export const idOrNone = (description: string) =>
  describe(
    field<Uuid | null>((value) => {
      if (value === undefined) return { error: "shared-owners:errors.field.required" };
      if (isMissing(value)) return { value: null };
      const id = toUuid(value);
      return id === null ? INVALID_RESULT : { value: id };
    }),
    { type: ["string", "null"], format: "uuid", description },
  );

/** A required id of a body. */
export const requiredId = (description: string) =>
  describe(
    field<Uuid>((value) => {
      if (isMissing(value)) return { error: "shared-owners:errors.field.required" };
      const id = toUuid(value);
      return id === null ? INVALID_RESULT : { value: id };
    }),
    { type: "string", format: "uuid", description },
  );

/** Error of an invalid id in a URL. */
export const INVALID_ID = "invalid_id";

/** An optional id in a URL. An invalid one results in 404. */
export const queryId = (description: string) =>
  optional(
    field<Uuid>((value) => {
      const id = toUuid(value);
      return id === null ? { error: INVALID_ID } : { value: id };
    }),
    { type: "string", format: "uuid", description },
  );

/** The version on which a change is based. */
export const optionalVersion = optional(optionalVersionField, {
  type: ["integer", "null"],
  minimum: 0,
  description:
    "The version on which the change is based. If another version is saved, the response is 409 and nothing is written.",
});

/** A flag in a URL: `true` or `false`. A missing one stays undefined, which handlers treat as false. */
export const optionalFlag = (description: string) =>
  optional(
    field<boolean>((value) =>
      value === "true" || value === "false"
        ? { value: value === "true" }
        : { error: "shared-owners:errors.field.invalid" },
    ),
    { type: "boolean", default: false, description },
  );

/** An optional text. */
export const optionalText = (json: JsonSchema) =>
  optional(
    field<string>((value) =>
      typeof value === "string" ? { value } : { error: "shared-owners:errors.field.invalid" },
    ),
    json,
  );

const ZONED_INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/;

/**
 * Returns the instant of a text with a zone, or of a local time or a day in `timeZone`; null for any other text. A day stands for its start, or with
 * `end` for the start of the next day.
 */
export function readInstant(text: string, timeZone: string, options?: { readonly end: boolean }) {
  if (!ZONED_INSTANT.test(text)) return readTypedInstant(text, timeZone, options);
  const ms = Date.parse(text);
  return Number.isFinite(ms) ? new Date(ms).toISOString() : null;
}

/** An optional text that readInstant reads. */
export const instantText = (description: string) =>
  optional(
    field<string>((value) =>
      typeof value === "string" && readInstant(value, "UTC") !== null ? { value } : INVALID_RESULT,
    ),
    {
      type: "string",
      description: `${description} ISO 8601; a day, or a time without a zone, is in the account's time zone.`,
      examples: ["2027-04-01T01:00:00Z", "2027-04-01"],
    },
  );

/** One of several words. A missing one stays undefined, for which handlers use the first one. */
export const choice = <T extends string>(names: readonly T[], description: string) =>
  optional(
    field<T>((value) => {
      const match = names.find((name) => name === value);
      return match ? { value: match } : INVALID_RESULT;
    }),
    { type: "string", enum: names, default: names[0], description },
  );

/** The optional type of a folder tree. */
export const optionalFolderType = optional(
  field<FolderType | undefined>((value) => {
    if (value === undefined || value === null) return { value: undefined };
    return value === "space" || value === "media" ? { value } : INVALID_RESULT;
  }),
  { type: ["string", "null"], enum: ["space", "media", null], description: "The folder tree." },
);

const LIST_FIELDS = createListQuerySchema().shape;

const limit = LIST_FIELDS.limit.prefault("" as never).meta({
  type: "integer",
  minimum: 1,
  maximum: PAGE_SIZE_MAX,
  default: PAGE_SIZE,
  description: "Number of items per page.",
});
const page = LIST_FIELDS.page.prefault("" as never).meta({
  type: "integer",
  minimum: 1,
  maximum: 1_000_000,
  default: 1,
  description: "Number of the page.",
});
const cursor = LIST_FIELDS.cursor.prefault("" as never).meta({
  type: "string",
  description: "Start of the page, from the Link header of the previous response.",
});
const q = LIST_FIELDS.q.prefault("" as never).meta({
  type: "string",
  maxLength: SEARCH_MAX,
  description: "Words that must all occur in the name, in any case, width and kana (hiragana or katakana).",
});

/** The parameters of a list with page numbers. */
export const pageParams = { page, limit };
/** The parameters of a list with cursors. */
export const cursorParams = { cursor, limit };
/** Parameters of a list that is streamed completely unless the caller sets a limit, a page or a cursor. */
export const streamParams = {
  page,
  cursor,
  limit: limit.meta({
    type: "integer",
    minimum: 1,
    maximum: PAGE_SIZE_MAX,
    description: `Number of items per page. Default: all items, or ${PAGE_SIZE} if \`page\` or \`cursor\` is given.`,
  }),
};

/** A cursor of partResponse: the key of the last item of the previous page. The longest keys are ids of passkeys. */
const CURSOR_PATTERN = new RegExp(`^after~(.{1,${PASSKEY_ID_MAX}})$`, "s");
/** Parameters of a list that is returned completely unless the caller sets a limit or a cursor. All of these lists are short. */
export const optionalCursorParams = {
  cursor: optional(
    field<string | undefined>((value) => {
      if (isMissing(value)) return { value: undefined };
      const [, key] = (typeof value === "string" && CURSOR_PATTERN.exec(value)) || [];
      return key === undefined ? { error: "shared-owners:errors.list.invalid" } : { value: key };
    }),
    { type: "string", description: "Start of the page, from the Link header of the previous response." },
  ),
  limit: optional(
    field<number | undefined>((value) => {
      if (isMissing(value)) return { value: undefined };
      const number = readInteger(value, 1, PAGE_SIZE_MAX);
      return number === null ? { error: "shared-owners:errors.list.invalid" } : { value: number };
    }),
    {
      type: "integer",
      minimum: 1,
      maximum: PAGE_SIZE_MAX,
      description: "Number of items per page; all if missing.",
    },
  ),
};
/** The page number of a list that supports only cursors. */
export const cursorOnlyPage = field<1>((value) =>
  isMissing(value) || value === "1" ? { value: 1 } : { error: "shared-owners:errors.list.invalid" },
)
  .prefault("" as never)
  .meta({ type: "integer", const: 1, description: "The list has no page numbers." });
/** The search parameter. */
export const searchParam = { q };
/** The search parameter of lists of accounts. */
export const accountSearchParam = {
  q: q.meta({
    type: "string",
    maxLength: SEARCH_MAX,
    description: "Words that must all occur in the names, company or email address, in any width and case.",
  }),
};
/** The sort parameter. */
export const createSortParam = (sorts: readonly string[]) => ({
  sort: createListQuerySchema(sorts)
    .shape.sort.prefault("" as never)
    .meta({
      type: "string",
      enum: sorts,
      description: "The sort order; `-` reverses it.",
    }),
});
