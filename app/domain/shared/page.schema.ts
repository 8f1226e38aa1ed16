import * as z from "zod";
import { type Cursor, FIRST_PAGE, parseCursor } from "./cursor";
import { field, formError, readInteger, readText } from "./fields.schema";
import { PAGE_SIZE, PAGE_SIZE_MAX, SEARCH_MAX } from "./limits";

/** Which part of a list is asked for. */
export interface ListQuery {
  /** From 1. */
  readonly page: number;
  readonly limit: number;
  /** Where to go on, as an earlier answer gave it. */
  readonly cursor: Cursor;
  /** What to search for; null for everything. */
  readonly q: string | null;
  /** One of the orders that the list offers; null for its usual one. */
  readonly sort: string | null;
}

const isMissing = (value: unknown) => value === undefined || value === null || value === "";

/** The query of a list: page, limit, cursor, q and sort, all optional. `sorts` are the orders that the list offers. */
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

/** What stands in a list's search field. */
export interface ListSearch {
  /** As it was typed. */
  readonly typed: string;
  /** The key of what is wrong with it; null for a search that can be made. */
  readonly problem: string | null;
}

/** What was typed into the search of a page's list, which shows all when that cannot be searched for. */
export function readListSearch(params: URLSearchParams): ListSearch {
  const typed = params.get("q") ?? "";
  const { error } = createListQuerySchema().shape.q.safeParse(typed);
  return { typed, problem: error?.issues[0]?.message ?? null };
}

/** The query of a page's list. A page shows something for every address: what is not valid is as if it were missing. */
export function parseListQuery(params: URLSearchParams, sorts: readonly string[] = []): ListQuery {
  const { shape } = createListQuerySchema(sorts);
  const read = <T>(schema: z.ZodType<T>, name: string): T => {
    const result = schema.safeParse(params.get(name));
    return result.success ? result.data : schema.parse(null);
  };
  return {
    page: read(shape.page, "page"),
    limit: read(shape.limit, "limit"),
    cursor: read(shape.cursor, "cursor"),
    q: read(shape.q, "q"),
    sort: read(shape.sort, "sort"),
  };
}
