/** Receives browsers' reports about violations of the Content-Security-Policy, and writes a bounded number of log lines. */

import { isRecord } from "~/domain/shared/is-record";
import { readBody } from "./read-body";

/** Path to which pages' policies send reports. */
export const CSP_REPORT_PATH = "/csp-report";
/** Name of the endpoint in the header Reporting-Endpoints. */
export const CSP_REPORT_GROUP = "csp";
/** Maximum bytes that are read of one request. A browser bundles some reports of a few hundred bytes each. */
const BODY_MAX = 16_384;
/** Maximum number of reports that are read of one request. */
const REPORTS_MAX = 10;
const WINDOW_MS = 60_000;
/** Maximum log lines per minute and isolate, from all networks together and from one network (an IPv4 address or an IPv6 /64). */
const LINES_MAX = 30;
const NETWORK_LINES_MAX = 5;
/** Maximum characters of a value in the log. */
const VALUE_MAX = 200;

/** The fields of a violation that are logged. URLs have no query and no fragment, which may hold tokens. */
export interface CspViolation {
  readonly directive: string;
  readonly blocked: string;
  readonly page: string;
  readonly source: string;
  readonly line: number | null;
}

/** Removes user, query, fragment and long path parts from an http URL, and all but the scheme from any other. Keeps keywords such as "inline". */
function withoutSecrets(value: unknown): string {
  if (typeof value !== "string") return "";
  if (/^[a-z-]{1,30}$/.test(value)) return value;
  if (!URL.canParse(value)) return "";
  const { protocol, host, pathname } = new URL(value);
  if (protocol !== "https:" && protocol !== "http:") return protocol.slice(0, VALUE_MAX);
  return `${protocol}//${host}${withoutLongParts(pathname)}`.slice(0, VALUE_MAX);
}

/** Replaces the parts of a path that are longer than a UUID, because they may be tokens. */
const withoutLongParts = (pathname: string): string =>
  pathname
    .split("/")
    .map((part) => (part.length > 36 ? "…" : part))
    .join("/");

/**
 * Reads reports in both formats: `report-uri` (application/csp-report) and `report-to` (application/reports+json).
 * @param host of our pages; reports about pages of other hosts are dropped
 */
export function readCspReports(body: string, host: string): CspViolation[] {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    return [];
  }
  const reports = (Array.isArray(json) ? json : [json]).slice(0, REPORTS_MAX);
  return reports.flatMap((report) => {
    if (!isRecord(report)) return [];
    const legacyBody = report["csp-report"];
    const fields = isRecord(legacyBody) ? legacyBody : report.type === "csp-violation" ? report.body : null;
    if (!isRecord(fields)) return [];
    const findField = (...names: string[]) =>
      names.map((name) => fields[name]).find((value) => value !== undefined);
    const pageUrl = findField("document-uri", "documentURL");
    if (typeof pageUrl !== "string" || !URL.canParse(pageUrl) || new URL(pageUrl).host !== host) return [];
    const directive = findField("effective-directive", "effectiveDirective", "violated-directive");
    const line = findField("line-number", "lineNumber");
    return [
      {
        directive: /^[a-z-]{1,40}/.exec(String(directive))?.[0] ?? "",
        blocked: withoutSecrets(findField("blocked-uri", "blockedURL")),
        page: withoutLongParts(new URL(pageUrl).pathname).slice(0, VALUE_MAX),
        source: withoutSecrets(findField("source-file", "sourceFile")),
        line: typeof line === "number" && Number.isInteger(line) ? line : null,
      },
    ];
  });
}

/** Limits the log lines about violations: per minute, per network, and one a minute for equal violations. Counts only in the isolate's memory. */
export class CspReportLog {
  readonly #now: () => number;
  readonly #write: (violation: CspViolation) => void;
  #window = -1;
  #lines = 0;
  readonly #networks = new Map<string, number>();
  readonly #written = new Set<string>();

  constructor(now: () => number, write: (violation: CspViolation) => void) {
    this.#now = now;
    this.#write = write;
  }

  /** True if this network, or all networks together, have used up the log lines of the current minute. Its reports need not be read then. */
  isFull(network: string): boolean {
    const window = Math.floor(this.#now() / WINDOW_MS);
    if (window !== this.#window) {
      this.#window = window;
      this.#lines = 0;
      this.#networks.clear();
      this.#written.clear();
    }
    return this.#lines >= LINES_MAX || (this.#networks.get(network) ?? 0) >= NETWORK_LINES_MAX;
  }

  /** Logs a violation, unless the same one was logged in this minute or a limit is reached. */
  add(network: string, violation: CspViolation): void {
    const key = JSON.stringify(violation);
    if (this.isFull(network) || this.#written.has(key)) return;
    this.#written.add(key);
    this.#lines += 1;
    this.#networks.set(network, (this.#networks.get(network) ?? 0) + 1);
    this.#write(violation);
  }
}

/** Responds to a request for the report endpoint. The response does not depend on the request's content. */
export async function serveCspReport(
  request: Request,
  { host, network, reports }: { host: string; network: string; reports: CspReportLog },
): Promise<Response> {
  if (request.method !== "POST") return new Response(null, { status: 405, headers: { allow: "POST" } });
  const body = reports.isFull(network) ? null : await readBody(request, BODY_MAX);
  if (body) {
    const violations = readCspReports(new TextDecoder().decode(body), host);
    for (const violation of violations) reports.add(network, violation);
  } else if (!request.body?.locked) await request.body?.cancel();
  return new Response(null, { status: 204, headers: { "cache-control": "no-store" } });
}
