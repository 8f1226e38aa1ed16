import * as z from "zod";
import { type Cursor, FIRST_PAGE, parseCursor } from "./cursor";
import { field, formError, isMissing, readInteger, readText } from "./fields.schema";
import { PAGE_SIZE, PAGE_SIZE_MAX, SEARCH_MAX } from "./limits";

/** The requested part of a list. */
export interface ListQuery {
  /** Page number, from 1. */
  readonly page: number;
  readonly limit: number;
  /** The place where the page begins or ends, from an earlier response. */
  readonly cursor: Cursor;
  /** The search text; null for the whole list. */
  readonly q: string | null;
}

/** Returns the schema of a list's query: page, limit, cursor, q and sort, all optional. `sorts` are the orders that the list offers. */
export function createListQuerySchema(sorts: readonly string[] = []) {
  const integer = (fallback: number, max: number) =>
    field<number>((value) => {
      if (isMissing(value)) return { value: fallback };
      const number = readInteger(value, 1, max);
      return number === null ? { error: "shared-owners:errors.list.invalid" } : { value: number };
    });
  return z.object(
    {
      page: integer(1, 1_000_000),
      limit: integer(PAGE_SIZE, PAGE_SIZE_MAX),
      cursor: field<Cursor>((value) => {
        if (isMissing(value)) return { value: FIRST_PAGE };
        const cursor = typeof value === "string" ? parseCursor(value) : null;
        return cursor ? { value: cursor } : { error: "shared-owners:errors.list.invalid" };
      }),
      q: field<string | null>((value) => {
        const text = readText(value, { max: SEARCH_MAX, tooLong: "shared-owners:errors.list.searchTooLong" });
        return "error" in text ? text : { value: text.value === "" ? null : text.value };
      }),
      sort: field<string | null>((value) => {
        if (isMissing(value)) return { value: null };
        return typeof value === "string" && sorts.includes(value)
          ? { value }
          : { error: "shared-owners:errors.list.invalid" };
      }),
    },
    formError,
  );
}

let pageSchema: ReturnType<typeof createListQuerySchema> | undefined;

/** Returns the fields of createListQuerySchema for pages. The schema is created once, at its first use. */
function pageFields() {
  pageSchema ??= createListQuerySchema();
  return pageSchema.shape;
}

/** The content of a list's search field. */
export interface ListSearch {
  /** The typed text. */
  readonly typed: string;
  /** The message key of its error; null for a valid search text. */
  readonly problem: string | null;
}

/** Reads the search text of a page's list. With an invalid search text, the page shows the whole list. */
export function readListSearch(params: URLSearchParams): ListSearch {
  const query = params.get("q") ?? "";
  const { error } = pageFields().q.safeParse(query);
  return { typed: query, problem: error?.issues[0]?.message ?? null };
}

/** Reads the query of a page's list. Invalid parameters count as missing, so that every URL shows a page. */
export function parseListQuery(params: URLSearchParams): ListQuery {
  const shape = pageFields();
  const parseParam = <T>(schema: z.ZodType<T>, name: string): T => {
    const result = schema.safeParse(params.get(name));
    return result.success ? result.data : schema.parse(null);
  };
  return {
    page: parseParam(shape.page, "page"),
    limit: parseParam(shape.limit, "limit"),
    cursor: parseParam(shape.cursor, "cursor"),
    q: parseParam(shape.q, "q"),
  };
}
