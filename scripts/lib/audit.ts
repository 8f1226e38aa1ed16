/** What `npm audit --json` writes: a report, or what went wrong while it asked the registry. */
interface AuditOutput {
  readonly message?: string;
  readonly vulnerabilities?: Readonly<Record<string, { readonly name: string; readonly severity: string }>>;
}

/** What became of an audit. */
export type Audit =
  | { readonly state: "clean" }
  | { readonly state: "vulnerable"; readonly packages: readonly string[] }
  | { readonly state: "unanswered"; readonly reason: string };

/** Severities that stop a change. */
const STOPPING = new Set(["high", "critical"]);

/** Reads what `npm audit --json` wrote. An answer that is no report, such as that of a registry without audits, is `unanswered`. */
export function readAudit(output: string): Audit {
  let found: AuditOutput;
  try {
    found = JSON.parse(output) as AuditOutput;
  } catch {
    return { state: "unanswered", reason: output.trim() || "npm wrote nothing" };
  }
  // The first line alone: npm's messages name the registry's address behind it.
  if (!found.vulnerabilities)
    return { state: "unanswered", reason: (found.message ?? "no report").split(" - ")[0] ?? "" };
  const packages = Object.values(found.vulnerabilities)
    .filter(({ severity }) => STOPPING.has(severity))
    .map(({ name, severity }) => `${name} (${severity})`);
  return packages.length === 0 ? { state: "clean" } : { state: "vulnerable", packages };
}
