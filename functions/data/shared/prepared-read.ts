/** SELECTs whose SQL text is built once. SELECTs that are requested together are sent to D1 together (decision 096). */
import { Column, type DriverValueDecoder, fillPlaceholders, is, type Query, SQL } from "drizzle-orm";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import { type Db, run } from "./db";

/** Values of the placeholders (`sql.placeholder`) of a query. */
type Values = Readonly<Record<string, unknown>>;

/** A SELECT of Drizzle before it is prepared. */
interface Select<Row> {
  prepare(): {
    all(values?: Record<string, unknown>): Promise<readonly Row[]>;
    getQuery(): Query;
  };
}

interface WaitingRead {
  readonly statement: D1PreparedStatement;
  readonly resolve: (result: D1Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Number of microtask turns without another read after which the waiting reads are sent. All of these turns end before the isolate continues with
 * another request, so the reads that are sent together belong to one request.
 */
const QUIET_TURNS = 40;

const waitingReads = new WeakMap<D1Database, WaitingRead[]>();

async function sendTogether(client: D1Database, reads: readonly WaitingRead[]): Promise<void> {
  let readCount = 0;
  for (let turn = 0; turn < QUIET_TURNS; turn++) {
    if (reads.length > readCount) turn = 0;
    readCount = reads.length;
    await null;
  }
  waitingReads.delete(client);
  try {
    const results = await run(client.batch(reads.map(({ statement }) => statement)));
    for (const [index, { resolve }] of reads.entries()) resolve(results[index] as D1Result);
  } catch (error) {
    for (const { reject } of reads) reject(error);
  }
}

/** Sends a statement in one round trip with all others that are requested before it is sent. */
function sendRead(client: D1Database, statement: D1PreparedStatement): Promise<D1Result> {
  return new Promise((resolve, reject) => {
    const read = { statement, resolve, reject };
    const waiting = waitingReads.get(client);
    if (waiting) {
      waiting.push(read);
      return;
    }
    const reads = [read];
    waitingReads.set(client, reads);
    void sendTogether(client, reads);
  });
}

function prepareStatement(db: Db, { sql, params }: Query) {
  const client = (db as Db & { readonly $client: D1Database }).$client;
  const statement = client.prepare(sql);
  return (values: Values) => sendRead(client, statement.bind(...fillPlaceholders(params, { ...values })));
}

/** A selected column: its path in the row that the SELECT returns, which may contain objects of columns, and what it reads. */
interface Field {
  readonly path: readonly string[];
  readonly field: unknown;
}

/** Returns the decoder of a column's values. An expression with a name (SQL.Aliased) has the decoder of its SQL. */
function decoderOf(field: unknown): DriverValueDecoder<unknown, unknown> {
  if (is(field, Column)) return field;
  const { decoder } = (is(field, SQL) ? field : (field as SQL.Aliased).sql) as unknown as {
    readonly decoder: DriverValueDecoder<unknown, unknown>;
  };
  return decoder;
}

/** Returns a function that converts rows as Drizzle does, but faster: Drizzle looks up the decoder of each column again for each row. */
function rowMapper(fields: readonly Field[]) {
  const columns = fields.map(({ path: [name = "", key], field }) => ({
    name,
    key,
    decoder: decoderOf(field),
  }));
  return (row: Record<string, unknown>): Record<string, unknown> => {
    const values = Object.values(row);
    const mapped: Record<string, unknown> = {};
    for (const [index, { name, key, decoder }] of columns.entries()) {
      const driverValue = values[index];
      const value = driverValue === null ? null : decoder.mapFromDriverValue(driverValue);
      if (key === undefined) mapped[name] = value;
      else {
        mapped[name] ??= {};
        (mapped[name] as Record<string, unknown>)[key] = value;
      }
    }
    return mapped;
  };
}

/**
 * Prepares a SELECT at its first call. The columns need different names, because a batch of D1 returns objects. An object of columns contains no other
 * object, and all joins are inner joins.
 * @param build creates the SELECT; it contains a placeholder for each value
 * @returns a function that reads the rows for the given values
 */
export function prepareRead<V extends Values, Row>(db: Db, build: () => Select<Row>) {
  let read: ((values: V) => Promise<readonly Row[]>) | undefined;
  return (values: V): Promise<readonly Row[]> => {
    if (!read) {
      const prepared = build().prepare();
      const { fields, joinsNotNullableMap = {} } = prepared as unknown as {
        readonly fields: readonly Field[];
        /** Whether each joined table always has a row. */
        readonly joinsNotNullableMap?: Readonly<Record<string, boolean>>;
      };
      if (fields.some(({ path }) => path.length > 2) || Object.values(joinsNotNullableMap).includes(false))
        throw new TypeError("A prepared read has an outer join or an object in an object");
      const mapRow = rowMapper(fields);
      const query = prepareStatement(db, prepared.getQuery());
      read = async (values) => {
        const { results } = await query(values);
        const [row] = results;
        if (row && Object.keys(row).length !== fields.length)
          throw new TypeError("Two columns of a prepared read have the same name");
        return results.map((item) => mapRow(item as Record<string, unknown>)) as readonly Row[];
      };
    }
    return read(values);
  };
}

const dialect = new SQLiteAsyncDialect();

/** Prepares a handwritten SELECT in the same way. Its rows are returned as D1 sends them. */
export function prepareSql<V extends Values, Row>(db: Db, build: () => SQL) {
  let query: ((values: Values) => Promise<D1Result>) | undefined;
  return async (values: V): Promise<readonly Row[]> => {
    query ??= prepareStatement(db, dialect.sqlToQuery(build()));
    return (await query(values)).results as readonly Row[];
  };
}

/**
 * Creates a function that returns the read for a shape. Shapes differ in their SQL text, and each read is prepared at its first use.
 * @param prepare creates the read of a shape
 */
export function readsByShape<Shape extends object, Read>(prepare: (shape: Shape) => Read) {
  const reads = new Map<string, Read>();
  return (shape: Shape): Read => {
    const key = JSON.stringify(shape);
    const read = reads.get(key) ?? prepare(shape);
    reads.set(key, read);
    return read;
  };
}
