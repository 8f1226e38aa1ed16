/** The fields of bodies and queries: the rules of app/domain, with what the document says of them, as it cannot see into rules. */
import * as z from "zod";
import { optionalVersionField } from "~/domain/folders/tree.schema";
import { field, readInteger } from "~/domain/shared/fields.schema";
import { toUuid } from "~/domain/shared/ids";
import { PAGE_SIZE, PAGE_SIZE_MAX, SEARCH_MAX } from "~/domain/shared/limits";
import type { FolderType, Uuid } from "~/domain/shared/model";
import { createListQuerySchema } from "~/domain/shared/page.schema";
import { readMoment } from "~/domain/shared/time-zone";

/** JSON Schema, as the document holds it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A rule, and what it takes in the words of JSON Schema. */
export const described = <T>(rule: z.ZodType<T>, json: JsonSchema) => rule.meta(json);

/** The same where nothing may be sent at all, and means just that. */
export const optional = <T>(rule: z.ZodType<T>, json: JsonSchema) => rule.optional().meta(json);

/** A part of a body that a rule checks which knows more than the body. */
export const checkedLater = (json: JsonSchema) => field<unknown>((value) => ({ value })).meta(json);
/** The same where nothing may be sent. */
export const optionalLater = (json: JsonSchema) => z.unknown().optional().meta(json);

const WRONG = { error: "shared-owners:errors.field.invalid" } as const;
const isMissing = (value: unknown) => value === undefined || value === null || value === "";

/** An id that a body may name, beside nothing or an empty text. */
export const optionalId = (description: string) =>
  optional(
    field<Uuid | undefined>((value) => {
      if (isMissing(value)) return { value: undefined };
      const id = toUuid(value);
      return id === null ? WRONG : { value: id };
    }),
    { type: ["string", "null"], format: "uuid", description },
  );

/** The same where an empty one takes away what is there. */
export const removableId = (description: string) =>
  optional(
    field<Uuid | null>((value) => {
      if (isMissing(value)) return { value: null };
      const id = toUuid(value);
      return id === null ? WRONG : { value: id };
    }),
    { type: ["string", "null"], format: "uuid", description },
  );

/** An id that a body must name, or say that there is none. */
export const idOrNone = (description: string) =>
  described(
    field<Uuid | null>((value) => {
      if (value === undefined) return { error: "shared-owners:errors.field.required" };
      if (isMissing(value)) return { value: null };
      const id = toUuid(value);
      return id === null ? WRONG : { value: id };
    }),
    { type: ["string", "null"], format: "uuid", description },
  );

/** An id that a body must name. */
export const requiredId = (description: string) =>
  described(
    field<Uuid>((value) => {
      if (isMissing(value)) return { error: "shared-owners:errors.field.required" };
      const id = toUuid(value);
      return id === null ? WRONG : { value: id };
    }),
    { type: "string", format: "uuid", description },
  );

/** The message of an id in an address that is none: it names nothing. */
export const NAMES_NOTHING = "names-nothing";

/** An id that an address may name; one that is none names nothing, and answers 404. */
export const queryId = (description: string) =>
  optional(
    field<Uuid>((value) => {
      const id = toUuid(value);
      return id === null ? { error: NAMES_NOTHING } : { value: id };
    }),
    { type: "string", format: "uuid", description },
  );

/** The version from which a change starts. */
export const optionalVersion = optional(optionalVersionField, {
  type: ["integer", "null"],
  minimum: 0,
  description:
    "The version that the caller has seen. Something else is saved by now: 409, and nothing is written.",
});

/** A flag of an address: `true` or `false`, which is what it is without it. */
export const optionalFlag = (description: string) =>
  optional(
    field<boolean>((value) =>
      value === "true" || value === "false"
        ? { value: value === "true" }
        : { error: "shared-owners:errors.field.invalid" },
    ),
    { type: "boolean", default: false, description },
  );

/** A text of an address. */
export const optionalText = (json: JsonSchema) =>
  optional(
    field<string>((value) =>
      typeof value === "string" ? { value } : { error: "shared-owners:errors.field.invalid" },
    ),
    json,
  );

const ZONED = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/;

/** The instant that a text names: with a zone, or as the clocks of one show it; a day from its beginning, or to its end. Null for none. */
export function readInstant(text: string, timeZone: string, options?: { readonly end: boolean }) {
  if (!ZONED.test(text)) return readMoment(text, timeZone, options);
  const ms = Date.parse(text);
  return Number.isFinite(ms) ? new Date(ms).toISOString() : null;
}

/** A text that readInstant reads. */
export const instantText = (description: string) =>
  optional(
    field<string>((value) =>
      typeof value === "string" && readInstant(value, "UTC") !== null ? { value } : WRONG,
    ),
    {
      type: "string",
      description: `${description} ISO 8601 with a zone, or a day or a time of the account's zone without one.`,
      examples: ["2027-04-01T01:00:00Z", "2027-04-01"],
    },
  );

/** One of some words; the first one is what nothing means. */
export const choice = <T extends string>(names: readonly T[], description: string) =>
  optional(
    field<T>((value) => {
      const named = names.find((name) => name === value);
      return named ? { value: named } : WRONG;
    }),
    { type: "string", enum: names, default: names[0], description },
  );

/** One of the two trees. */
export const optionalFolderType = optional(
  field<FolderType | undefined>((value) => {
    if (value === undefined || value === null) return { value: undefined };
    return value === "space" || value === "media" ? { value } : WRONG;
  }),
  { type: ["string", "null"], enum: ["space", "media", null], description: "Which of the two trees." },
);

const LIST = createListQuerySchema().shape;

const limit = LIST.limit.prefault("" as never).meta({
  type: "integer",
  minimum: 1,
  maximum: PAGE_SIZE_MAX,
  default: PAGE_SIZE,
  description: "How many at once.",
});
const page = LIST.page.prefault("" as never).meta({
  type: "integer",
  minimum: 1,
  maximum: 1_000_000,
  default: 1,
  description: "Which page.",
});
const cursor = LIST.cursor.prefault("" as never).meta({
  type: "string",
  description: "Where to go on: out of the Link header of the answer before.",
});
const q = LIST.q.prefault("" as never).meta({
  type: "string",
  maxLength: SEARCH_MAX,
  description: "Words that the name must have, all of them, in any kana, width and case.",
});

/** The parameters of a list by pages. */
export const pages = { page, limit };
/** The parameters of a list that goes on from a cursor. */
export const slices = { cursor, limit };
/** Parameters of a list that is streamed whole unless the caller names a limit, a page or a cursor. */
export const streamed = {
  page,
  cursor,
  limit: limit.meta({
    type: "integer",
    minimum: 1,
    maximum: PAGE_SIZE_MAX,
    description: `How many at once. All without it; ${PAGE_SIZE} from a page or a cursor.`,
  }),
};

const PART = /^after~(.{1,300})$/s;
/** Parameters of a list that is returned whole unless the caller sets a limit. All of these lists are short. */
export const parts = {
  cursor: optional(
    field<string | undefined>((value) => {
      if (isMissing(value)) return { value: undefined };
      const [, key] = (typeof value === "string" && PART.exec(value)) || [];
      return key === undefined ? { error: "shared-owners:errors.list.invalid" } : { value: key };
    }),
    { type: "string", description: "Where to go on: out of the Link header of the answer before." },
  ),
  limit: optional(
    field<number | undefined>((value) => {
      if (isMissing(value)) return { value: undefined };
      const number = readInteger(value, 1, PAGE_SIZE_MAX);
      return number === null ? { error: "shared-owners:errors.list.invalid" } : { value: number };
    }),
    { type: "integer", minimum: 1, maximum: PAGE_SIZE_MAX, description: "How many at once; all without it." },
  ),
};
/** The page of a list that has none by number. */
export const noPage = field<1>((value) =>
  isMissing(value) || value === "1" ? { value: 1 } : { error: "shared-owners:errors.list.invalid" },
)
  .prefault("" as never)
  .meta({ type: "integer", const: 1, description: "There are no pages by number." });
/** The parameter of a search. */
export const search = { q };
/** The parameter of an order. */
export const sortedBy = (sorts: readonly string[]) => ({
  sort: createListQuerySchema(sorts)
    .shape.sort.prefault("" as never)
    .meta({
      type: "string",
      enum: sorts,
      description: "The order; with `-` from its end.",
    }),
});
