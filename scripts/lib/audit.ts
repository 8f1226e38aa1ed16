/** Output of `npm audit --json`: a report, or the message of a failed request. */
interface AuditOutput {
  readonly message?: string;
  readonly vulnerabilities?: Readonly<Record<string, { readonly name: string; readonly severity: string }>>;
}

/** Result of an audit. */
export type Audit =
  | { readonly state: "clean" }
  | { readonly state: "vulnerable"; readonly packages: readonly string[] }
  | { readonly state: "unanswered"; readonly reason: string };

/** Severities that fail the check. */
const SERIOUS = new Set(["high", "critical"]);

/** Reads the output of `npm audit --json`. Output without a report, such as that of a registry without audits, is `unanswered`. */
export function readAudit(output: string): Audit {
  let result: AuditOutput | null;
  try {
    result = JSON.parse(output) as AuditOutput | null;
  } catch {
    return { state: "unanswered", reason: output.trim() || "npm wrote nothing" };
  }
  // Keeps the text before the dash: npm puts the registry's URL after it.
  if (!result?.vulnerabilities)
    return { state: "unanswered", reason: (result?.message ?? "no report").split(" - ")[0] ?? "" };
  const packages = Object.values(result.vulnerabilities)
    .filter(({ severity }) => SERIOUS.has(severity))
    .map(({ name, severity }) => `${name} (${severity})`);
  return packages.length === 0 ? { state: "clean" } : { state: "vulnerable", packages };
}
