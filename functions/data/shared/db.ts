import { DrizzleQueryError, getTableColumns, type Placeholder, type SQL, sql } from "drizzle-orm";
import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1";
import { SQLiteAsyncDialect, type SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Page, PageRequest } from "#functions/services/shared/ports";

export type Db = DrizzleD1Database;

/** The query builder over a D1 binding. */
export const openDb = (binding: D1Database): Db => drizzle(binding);

/** A failed query, without its parameters: they may hold secrets, and errors are logged. */
export class DataError extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : "query failed");
    this.name = "DataError";
  }
}

/** Runs a query or a batch. Every access to D1 goes through here. */
export async function run<T>(query: PromiseLike<T>): Promise<T> {
  try {
    return await query;
  } catch (error) {
    throw new DataError(error instanceof DrizzleQueryError ? error.cause : error);
  }
}

const dialect = new SQLiteAsyncDialect();

/** Runs statements that are written by hand as one batch, which happens whole or not at all; the rows of each, in order. */
export async function runTogether(
  db: Db,
  statements: readonly SQL[],
): Promise<readonly (readonly unknown[])[]> {
  if (statements.length === 0) return [];
  const client = (db as Db & { readonly $client: D1Database }).$client;
  const prepared = statements.map((statement) => {
    const { sql: text, params } = dialect.sqlToQuery(statement);
    return client.prepare(text).bind(...params);
  });
  return (await run(client.batch(prepared))).map(({ results }) => results);
}

/** Whether a write failed because a unique index has the value already. `column` is table.column. */
export const isTaken = (error: unknown, column: string): boolean =>
  error instanceof DataError &&
  error.message.includes("UNIQUE constraint failed") &&
  error.message.includes(column);

/** The first row of an answer, or null. */
export const first = <T>(rows: readonly T[]): T | null => rows[0] ?? null;

type Row<T extends SQLiteTable> = T["$inferInsert"];
type Fields<T extends SQLiteTable> = { readonly [K in keyof T["_"]["columns"]]: SQL.Aliased };

/**
 * The fields of a SELECT that yields one constant row for a table: with a FROM and a WHERE, an insert that happens only
 * if something holds at that moment. D1 has no BEGIN, so this is how a batch keeps its promise.
 */
export function constants<T extends SQLiteTable>(table: T, row: Row<T>): Fields<T> {
  const fields: Record<string, SQL.Aliased> = {};
  for (const [key, column] of Object.entries(getTableColumns(table))) {
    const value: unknown = (row as Record<string, unknown>)[key] ?? column.default ?? null;
    fields[key] = (value === null ? sql`NULL` : sql`${sql.param(value, column)}`).as(column.name);
  }
  return fields as Fields<T>;
}

/** A condition written as text that holds no value from outside. */
export const plain = (condition: string): SQL => sql.raw(condition);

export const offsetOf = (page: PageRequest): number => (page.page - 1) * page.pageSize;

export const pageOf = <T>(request: PageRequest, items: readonly T[], total: number): Page<T> => ({
  items,
  page: request.page,
  pageSize: request.pageSize,
  total,
});

/** The rows of a list that is one parameter as JSON. */
export const listOfJson = (json: string | Placeholder): SQL => sql`(SELECT value FROM json_each(${json}))`;

/** A list as one parameter, however long it is. */
export const listOf = (values: readonly string[]): SQL => listOfJson(JSON.stringify(values));
