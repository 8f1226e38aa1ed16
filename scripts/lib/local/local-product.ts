import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  Miniflare,
  type MiniflareOptions,
  type Request as MiniflareRequest,
  Response as MiniflareResponse,
} from "miniflare";
import { copyBuild } from "../build/build-state";
import { workerModules } from "../build/worker-modules";
import { fromRoot } from "../paths";
import { DataLayoutError } from "./data-layout";
import { localImages } from "./local-images";
import { localMailbox } from "./mailbox";
import { roomOptions, workerOptions } from "./worker-options";

export interface LocalOptions {
  /** 0 lets the system choose a port. */
  readonly port: number;
  readonly host?: string;
  /** Folder of the product's data and of the session secret. Null keeps all state in memory. */
  readonly state: string | null;
  readonly vars?: Readonly<Record<string, string>>;
  /**
   * Handles the worker's outgoing requests: a function, or the host:port of a proxy (scripts/lib/local/network.ts), whose connections can
   * break as real ones do. By default every request is rejected.
   */
  readonly outbound?:
    | ((request: MiniflareRequest) => MiniflareResponse | Promise<MiniflareResponse>)
    | { readonly proxy: string };
  /** The only addresses to which the mail service delivers. By default it accepts every address. */
  readonly mailTo?: readonly string[];
  /** Receives the lines that the worker logs, instead of this process's output. */
  readonly onLog?: (line: string) => void;
}

/** Session secret of this machine's data. It is created once. */
function localSecret(state: string | null): string {
  if (state === null) return randomBytes(32).toString("hex");
  mkdirSync(state, { recursive: true });
  const file = join(state, "session-secret");
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString("hex"), { mode: 0o600 });
  return readFileSync(file, "utf8");
}

/** Variables of the worker that a developer can set in the environment. */
export function developerVars(variables: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const names = [
    ...["MATTERPORT_SDK_KEY", "SECURITY_CONTACT", "REQUIRE_SECOND_FACTOR"],
    ...["MEDIA_ORIGIN", "UPLOAD_VERDICT_URL", "UPLOAD_VERDICT_SECRET"],
  ];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = variables[name];
      return value ? [[name, value]] : [];
    }),
  );
}

/** `ExternalServer.http.style` of workerd: the request line holds the whole URL. */
const PROXY_STYLE = 1;

function outboundService(outbound: LocalOptions["outbound"]) {
  if (typeof outbound === "object")
    return { external: { address: outbound.proxy, http: { style: PROXY_STYLE } } };
  return (
    outbound ??
    ((request: MiniflareRequest) =>
      new MiniflareResponse(`Refused: ${new URL(request.url).host}`, { status: 502 }))
  );
}

/** Name of the web worker in Miniflare. */
const WEB_WORKER = "hiroba";
/** Name of the worker of the rooms (the Durable Objects), as `script_name` in wrangler.toml. */
export const ROOMS_WORKER = "hiroba-rooms";

/** Miniflare's options for the built product: the web worker first, then the worker of the rooms. */
export function localOptions(options: LocalOptions): MiniflareOptions {
  const build = copyBuild();
  const fromToml = workerOptions(join(build, "client"));
  const persist = options.state === null ? false : join(options.state, "v3");
  return {
    // Browsers do not use Miniflare's own server: they connect to `unsafeDirectSockets` below.
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
    durableObjectsPersist: persist && join(persist, "do"),
    workers: [
      {
        ...fromToml,
        name: WEB_WORKER,
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
          PICTURES: localImages,
        },
        unsafeDirectSockets: [{ host: options.host ?? "127.0.0.1", port: options.port }],
        outboundService: outboundService(options.outbound),
      },
      {
        ...roomOptions(),
        name: ROOMS_WORKER,
        ...workerModules(join(build, "rooms")),
        outboundService: outboundService(undefined),
      },
    ],
  } as MiniflareOptions;
}

export interface LocalProduct {
  readonly mf: Miniflare;
  readonly origin: string;
  stop(): Promise<void>;
}

/** Starts the built product on workerd and applies the migrations. */
export async function startLocal(options: LocalOptions): Promise<LocalProduct> {
  const mf = new Miniflare(localOptions(options));
  try {
    await mf.ready;
    await migrate(await mf.getD1Database("DB", WEB_WORKER));
    const url = await mf.unsafeGetDirectURL(WEB_WORKER);
    return { mf, origin: `http://localhost:${url.port}`, stop: () => mf.dispose() };
  } catch (error) {
    await mf.dispose();
    throw error;
  }
}

/**
 * Runs the product's job every minute, as Cloudflare's cron trigger does.
 * @returns a function that stops it
 */
export function startMinuteJob({ mf }: Pick<LocalProduct, "mf">): () => void {
  const run = async () => {
    const worker = await mf.getWorker(WEB_WORKER);
    await worker.scheduled({ cron: "* * * * *" });
  };
  const timer = setInterval(() => {
    run().catch((error) => console.error("The job that runs every minute failed:", error));
  }, 60_000);
  return () => clearInterval(timer);
}

type Database = Awaited<ReturnType<Miniflare["getD1Database"]>>;

/** The statements of a migration. drizzle-kit writes a separator line between them, and wrangler splits at the same line. */
export const splitStatements = (sql: string): string[] =>
  sql
    .split("--> statement-breakpoint")
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "");

/**
 * Applies those files of migrations/ that the database lacks, in order and each atomically, and records them as wrangler does.
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
    const statements = splitStatements(readFileSync(fromRoot("migrations", name), "utf8"));
    await db.batch([
      ...statements.map((sql) => db.prepare(sql)),
      db.prepare("INSERT INTO d1_migrations (name) VALUES (?)").bind(name),
    ]);
  }
  return pending;
}
