import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  Miniflare,
  type MiniflareOptions,
  type Request as MiniflareRequest,
  Response as MiniflareResponse,
} from "miniflare";
import { keepBuild } from "./build-state";
import { localMailbox } from "./mailbox";
import { fromRoot } from "./paths";
import { localPictures } from "./pictures";
import { workerModules } from "./worker-modules";
import { workerOptions } from "./worker-options";

export interface LocalOptions {
  /** 0 lets the system choose. */
  readonly port: number;
  readonly host?: string;
  /** Folder for D1, R2 and the secret; null keeps everything in memory. */
  readonly state: string | null;
  readonly vars?: Readonly<Record<string, string>>;
  /**
   * Answers requests that the worker sends out: a function, or the host:port of a proxy (scripts/lib/network.ts), whose connections can break as those
   * of a network do. By default every one is refused: nothing local needs another machine but web media and stores.
   */
  readonly outbound?:
    | ((request: MiniflareRequest) => MiniflareResponse | Promise<MiniflareResponse>)
    | { readonly proxy: string };
  /** The only addresses that the mail service takes mails for; by default it takes any. */
  readonly mailTo?: readonly string[];
  /** Takes the lines that the worker logs, instead of this process's own output. */
  readonly onLog?: (line: string) => void;
  /** Another built worker than the product's, for measurements. */
  readonly extraWorkers?: MiniflareOptions extends { workers: infer W } ? W : never;
}

/** The secret of this machine's local state, made once. */
function localSecret(state: string | null): string {
  if (state === null) return randomBytes(32).toString("hex");
  mkdirSync(state, { recursive: true });
  const file = join(state, "session-secret");
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString("hex"), { mode: 0o600 });
  return readFileSync(file, "utf8");
}

/** Variables of the worker that somebody sets for their own machine. */
export function ownVars(from: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const names = [
    ...["MATTERPORT_SDK_KEY", "SECURITY_CONTACT", "REQUIRE_SECOND_FACTOR"],
    ...["MEDIA_ORIGIN", "UPLOAD_VERDICT_URL", "UPLOAD_VERDICT_SECRET"],
  ];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = from[name];
      return value ? [[name, value]] : [];
    }),
  );
}

/** `ExternalServer.http.style` of workerd: the whole address stands in the request line. */
const PROXY_STYLE = 1;

function outboundOf(outbound: LocalOptions["outbound"]) {
  if (typeof outbound === "object")
    return { external: { address: outbound.proxy, http: { style: PROXY_STYLE } } };
  return (
    outbound ??
    ((request: MiniflareRequest) =>
      new MiniflareResponse(`Refused: ${new URL(request.url).host}`, { status: 502 }))
  );
}

/** Miniflare's options for the built product, from wrangler.toml. */
export function localOptions(options: LocalOptions): MiniflareOptions {
  const build = keepBuild();
  const fromToml = workerOptions(join(build, "client"));
  const persist = options.state === null ? false : join(options.state, "v3");
  return {
    // The worker's own socket: nothing stands between it and the browser.
    host: "127.0.0.1",
    port: 0,
    cf: false,
    ...(options.onLog && {
      handleStructuredLogs({ message }: { readonly message: string }) {
        options.onLog?.(message);
      },
    }),
    d1Persist: persist && join(persist, "d1"),
    r2Persist: persist && join(persist, "r2"),
    kvPersist: false,
    cachePersist: false,
    durableObjectsPersist: false,
    workers: [
      {
        ...fromToml,
        name: "hiroba",
        ...workerModules(join(build, "worker")),
        bindings: {
          ...fromToml.bindings,
          APP_ENV: "development",
          SESSION_SECRET: localSecret(options.state),
          ...options.vars,
        },
        ...(options.mailTo && {
          email: { send_email: [{ name: "MAIL", allowed_destination_addresses: [...options.mailTo] }] },
        }),
        serviceBindings: {
          ...fromToml.serviceBindings,
          MAILBOX: localMailbox(options.state),
          PICTURES: localPictures,
        },
        unsafeDirectSockets: [{ host: options.host ?? "127.0.0.1", port: options.port }],
        outboundService: outboundOf(options.outbound),
      },
    ],
  } as MiniflareOptions;
}

export interface Local {
  readonly mf: Miniflare;
  readonly origin: string;
  stop(): Promise<void>;
}

/** Starts the built product on workerd and applies the migrations. */
export async function startLocal(options: LocalOptions): Promise<Local> {
  const mf = new Miniflare(localOptions(options));
  try {
    await mf.ready;
    await migrate(await mf.getD1Database("DB", "hiroba"));
    const address = await mf.unsafeGetDirectURL("hiroba");
    return { mf, origin: `http://localhost:${address.port}`, stop: () => mf.dispose() };
  } catch (error) {
    await mf.dispose();
    throw error;
  }
}

/** Runs the product's job every minute, as Cloudflare's cron trigger does. @returns what ends it */
export function everyMinute({ mf }: Pick<Local, "mf">): () => void {
  const run = async () => {
    const worker = await mf.getWorker("hiroba");
    await worker.scheduled({ cron: "* * * * *" });
  };
  const timer = setInterval(() => {
    run().catch((error) => console.error("The job of the minute failed:", error));
  }, 60_000);
  return () => clearInterval(timer);
}

type Database = Awaited<ReturnType<Miniflare["getD1Database"]>>;

/** The statements of a migration: drizzle-kit writes a line between them, which is where wrangler finds them as well. */
export const statementsOf = (sql: string): string[] =>
  sql
    .split("--> statement-breakpoint")
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "");

/** A migration of the databases that were made before the one initial migration. */
const OLDER_LAYOUT = "0001_triggers.sql";

/** The database was migrated by another version of the product. */
export class DataLayoutError extends Error {
  constructor(applied: ReadonlySet<string>) {
    const layout = applied.has(OLDER_LAYOUT) ? "an older layout" : "the layout of a newer version";
    super(
      `The data in .wrangler/state has ${layout}, which this version cannot open. Nothing was changed. ` +
        "To start again with the demo, run `npm start -- --fresh`, which deletes this data; move the folder away first to keep it.",
    );
  }
}

/** For commands: prints the reason when the data has another layout, and exits with 1. */
export function exitOnDataLayout(error: unknown): never {
  if (!(error instanceof DataLayoutError)) throw error;
  console.error(error.message);
  throw process.exit(1);
}

/**
 * Applies the files of migrations/ that the database does not have, in order, each file atomically, and lists them as wrangler does.
 * @returns the names of these files
 * @throws DataLayoutError when the database has migrations that are not in the folder; nothing is changed then
 */
export async function migrate(db: Database): Promise<string[]> {
  await db
    .prepare(
      "CREATE TABLE IF NOT EXISTS d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)",
    )
    .run();
  const { results } = await db.prepare("SELECT name FROM d1_migrations").all<{ name: string }>();
  const applied = new Set(results.map((row) => row.name));
  const files = readdirSync(fromRoot("migrations"))
    .filter((name) => name.endsWith(".sql"))
    .sort();
  if ([...applied].some((name) => !files.includes(name))) throw new DataLayoutError(applied);
  const pending = files.filter((name) => !applied.has(name));
  for (const name of pending) {
    const statements = statementsOf(readFileSync(fromRoot("migrations", name), "utf8"));
    await db.batch([
      ...statements.map((sql) => db.prepare(sql)),
      db.prepare("INSERT INTO d1_migrations (name) VALUES (?)").bind(name),
    ]);
  }
  return pending;
}
