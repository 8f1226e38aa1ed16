/** What one statement of a text answered. */
export interface TextResult {
  readonly results: readonly Readonly<Record<string, unknown>>[];
  readonly meta: Readonly<Record<string, unknown>>;
}

/** Runs statements that are separated by semicolons, all or none, and answers for each. */
export type RunText = (sql: string) => Promise<readonly TextResult[]>;

/**
 * A D1 binding over something that runs plain SQL: from a machine outside Cloudflare a deployed database is reached through
 * wrangler alone, which takes no parameters. Enough of the binding for repositories; no two columns of an answer may share a name.
 */
export function textD1(run: RunText): D1Database {
  const textOf = new WeakMap<object, string>();
  const answer = ({ results, meta }: TextResult) => ({ success: true, results, meta });

  function prepare(sql: string, params: readonly unknown[] = []): D1PreparedStatement {
    const text = withValues(sql, params);
    const one = async () => {
      const [result] = await run(text);
      if (!result) throw new Error("the database did not answer");
      return result;
    };
    const statement = {
      bind: (...values: unknown[]) => prepare(sql, values),
      all: async () => answer(await one()),
      run: async () => answer(await one()),
      raw: async () => (await one()).results.map((row) => Object.values(row)),
      first: async () => (await one()).results[0] ?? null,
    };
    textOf.set(statement, text);
    return statement as unknown as D1PreparedStatement;
  }

  const batch = async (statements: readonly object[]) =>
    (await run(statements.map((statement) => textOf.get(statement)).join(";\n"))).map(answer);
  return { prepare: (sql: string) => prepare(sql), batch } as unknown as D1Database;
}

/** A statement with its values written in. @throws when a value has no form in SQL, or there is no place for it */
export function withValues(sql: string, params: readonly unknown[]): string {
  let next = 0;
  // Names and texts in quotes are stepped over: a question mark in them is none of a parameter.
  const text = sql.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\?/g, (part) => {
    return part === "?" && next < params.length ? literal(params[next++]) : part;
  });
  if (next !== params.length) throw new Error("a statement has fewer places than values");
  return text;
}

function literal(value: unknown): string {
  if (value === null) return "NULL";
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  if (typeof value === "boolean") return value ? "1" : "0";
  // A NUL would end the text where SQLite reads it.
  if (typeof value === "string" && !value.includes("\u0000")) return `'${value.replaceAll("'", "''")}'`;
  throw new Error("a value has no form in SQL");
}
