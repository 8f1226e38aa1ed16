import { EMAIL_MAX } from "../shared/limits";
import type { Instant } from "../shared/model";
import { readMoment } from "../shared/time-zone";
import { AUDIT_KINDS, type AuditAction, type AuditKind, isAuditAction } from "./audit";

/** The fields of the filters of the audit trail. */
export const AUDIT_FILTERS = ["person", "action", "from", "to"] as const;
/** One of the fields. */
export type AuditFilter = (typeof AUDIT_FILTERS)[number];

/** Which entries an address asks for. */
export interface AuditFilters {
  /** As they were typed, cut to what may have a meaning. */
  readonly typed: Readonly<Record<AuditFilter, string>>;
  /** What is wrong with a field: then nothing is to be listed. */
  readonly errors: Readonly<Partial<Record<AuditFilter, string>>>;
  readonly action: AuditAction | null;
  readonly kind: AuditKind | null;
  /** From that instant on, and up to but without that one. */
  readonly from: Instant | null;
  readonly to: Instant | null;
}

/**
 * The entries that an address asks for: ?person, ?action (an action or a kind), ?from and ?to in a time zone. A day without a
 * time is meant from its beginning, or to its end.
 */
export function parseAuditFilters(params: URLSearchParams, timeZone: string): AuditFilters {
  const text = (name: AuditFilter) => (params.get(name) ?? "").trim().slice(0, EMAIL_MAX);
  const typed = { person: text("person"), action: text("action"), from: text("from"), to: text("to") };
  const kind = AUDIT_KINDS.find((each) => each === typed.action) ?? null;
  const action = isAuditAction(typed.action) ? typed.action : null;
  const from = readMoment(typed.from, timeZone);
  const to = readMoment(typed.to, timeZone, { end: true });
  const errors: Partial<Record<AuditFilter, string>> = {};
  if (typed.action !== "" && kind === null && action === null) errors.action = "users:trail.badAction";
  if (typed.from !== "" && from === null) errors.from = "users:trail.badDate";
  if (typed.to !== "" && to === null) errors.to = "users:trail.badDate";
  if (from !== null && to !== null && from >= to) errors.to = "users:trail.badOrder";
  return { typed, errors, action, kind, from, to };
}
