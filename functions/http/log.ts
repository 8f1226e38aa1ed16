/** One line of JSON a thing that happened. Values are given one by one: whole requests, headers or records never go in. */
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
  const clean = (text: string) =>
    text.replace(/\?[^\s)"']+/g, "?…").replace(/[\p{L}\p{N}._%+-]+@[\p{L}\p{N}.-]+/gu, "…@…");
  return { error: error.name, detail: clean(error.message), stack: clean(error.stack ?? "") };
}

const logged = new WeakSet<object>();

/**
 * Logs an unexpected error together with fields of its request. Each error is logged only once, because deferred work and its awaiting caller both
 * throw it.
 */
export function logFailure(message: string, error: unknown, fields: Record<string, unknown>): void {
  if (typeof error === "object" && error !== null) {
    if (logged.has(error)) return;
    logged.add(error);
  }
  log("error", message, { ...fields, ...errorFields(error) });
}

/** A path as the log may hold it: of an API path, which may carry a ticket or a link's token, only what names the call. */
export function loggedPath(pathname: string): string {
  const [, base, ...rest] = pathname.split("/");
  return base === "api" || base === "default"
    ? ["", base, ...rest.slice(0, 2), ...(rest.length > 2 ? ["…"] : [])].join("/")
    : pathname;
}
