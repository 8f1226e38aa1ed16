/** Writes one log entry as a line of JSON. Callers pass single values, never whole requests, headers or records. */
export function log(
  level: "info" | "warn" | "error",
  message: string,
  fields: Record<string, unknown> = {},
): void {
  const line = JSON.stringify({ level, message, ...fields });
  if (level === "error") console.error(line);
  else console.log(line);
}

/**
 * Fields of an unexpected error for the log: name, message and stack, without query strings (they contain tokens) and without mail addresses
 * (personal data).
 */
export function errorFields(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: typeof error };
  const redact = (text: string) =>
    text.replace(/\?[^\s)"']+/g, "?…").replace(/[\p{L}\p{N}._%+-]+@[\p{L}\p{N}.-]+/gu, "…@…");
  return { error: error.name, detail: redact(error.message), stack: redact(error.stack ?? "") };
}

/** Minimum time between lines with the same key in a LimitedLog, in milliseconds. */
const REPEAT_MS = 60_000;

/** A log of lines that one cause may repeat many times. Lines with the same key are written at most once a minute. */
export class LimitedLog {
  readonly #writtenAt = new Map<string, number>();
  readonly #now: () => number;

  /** @param now epoch milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  write(
    level: "info" | "warn" | "error",
    message: string,
    fields: Record<string, unknown> = {},
    key: string = message,
  ): void {
    const now = this.#now();
    // A clock that was set back must not silence the log.
    if (Math.abs(now - (this.#writtenAt.get(key) ?? 0)) < REPEAT_MS) return;
    this.#writtenAt.set(key, now);
    log(level, message, fields);
  }

  /** Writes an error. Its key is the message and the kind of the error, because the texts of errors may contain ids and times. */
  writeError(message: string, error: unknown, fields: Record<string, unknown> = {}): void {
    const details = errorFields(error);
    this.write("error", message, { ...fields, ...details }, `${message} ${details.error}`);
  }
}

const loggedErrors = new WeakSet<object>();

/**
 * Logs an unexpected error together with fields of its request. Each error is logged only once, because deferred work and its awaiting caller both
 * throw it.
 */
export function logFailure(message: string, error: unknown, fields: Record<string, unknown>): void {
  if (typeof error === "object" && error !== null) {
    if (loggedErrors.has(error)) return;
    loggedErrors.add(error);
  }
  log("error", message, { ...fields, ...errorFields(error) });
}

/**
 * Shortens a path for the log. A later segment of an API path (/api, or /default, the older prefix) may be a session ticket or a link's token, so only
 * the first three stay.
 */
export function loggedPath(pathname: string): string {
  const [, base, ...rest] = pathname.split("/");
  return base === "api" || base === "default"
    ? ["", base, ...rest.slice(0, 2), ...(rest.length > 2 ? ["…"] : [])].join("/")
    : pathname;
}
