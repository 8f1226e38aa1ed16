import { DrizzleQueryError, getTableColumns, type Placeholder, type SQL, sql } from "drizzle-orm";
import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1";
import { SQLiteAsyncDialect, type SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Page, PageRequest } from "#functions/services/shared/ports";

export type Db = DrizzleD1Database;

/** The query builder over a D1 binding. */
export const openDb = (binding: D1Database): Db => drizzle(binding);

/** A failed query without its parameters, because errors are logged and parameters may contain secrets. */
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

/** Runs handwritten statements as one atomic batch. Returns the rows of each statement, in order. */
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

/** Whether a write failed because a unique index has the value already. @param column `table.column` */
export const isTaken = (error: unknown, column: string): boolean =>
  error instanceof DataError &&
  error.message.includes("UNIQUE constraint failed") &&
  error.message.includes(column);

/** The first row of a result, or null. */
export const first = <T>(rows: readonly T[]): T | null => rows[0] ?? null;

type Row<T extends SQLiteTable> = T["$inferInsert"];
type Fields<T extends SQLiteTable> = { readonly [K in keyof T["_"]["columns"]]: SQL.Aliased };

/**
 * Returns the fields of a SELECT with one constant row for a table. With FROM and WHERE, the insert is executed only if a condition holds at that
 * moment. D1 has no BEGIN, so this makes the statements of a batch depend on each other.
 */
export function constants<T extends SQLiteTable>(table: T, row: Row<T>): Fields<T> {
  const fields: Record<string, SQL.Aliased> = {};
  for (const [key, column] of Object.entries(getTableColumns(table))) {
    const value: unknown = (row as Record<string, unknown>)[key] ?? column.default ?? null;
    fields[key] = (value === null ? sql`NULL` : sql`${sql.param(value, column)}`).as(column.name);
  }
  return fields as Fields<T>;
}

/** SQL text without values from outside. */
export const rawSql = (text: string): SQL => sql.raw(text);

export const getRowOffset = (page: PageRequest): number => (page.page - 1) * page.pageSize;

export const createPage = <T>(request: PageRequest, items: readonly T[], total: number): Page<T> => ({
  items,
  page: request.page,
  pageSize: request.pageSize,
  total,
});

/** SQL of the rows of a list that is passed as one JSON parameter. */
export const sqlListFromJson = (json: string | Placeholder): SQL =>
  sql`(SELECT value FROM json_each(${json}))`;

/** SQL of a list that is passed as one parameter, however long it is. */
export const sqlList = (values: readonly string[]): SQL => sqlListFromJson(JSON.stringify(values));
