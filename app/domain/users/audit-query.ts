import { EMAIL_MAX } from "../shared/limits";
import type { Instant } from "../shared/model";
import { readTypedInstant } from "../shared/time-zone";
import { AUDIT_KINDS, type AuditAction, type AuditKind, isAuditAction } from "./audit";

/** The filter fields of the audit log. */
export const AUDIT_FILTERS = ["person", "action", "from", "to"] as const;
/** One of the fields. */
export type AuditFilter = (typeof AUDIT_FILTERS)[number];

/** Filters that a URL selects for the audit log. */
export interface AuditFilters {
  /** Typed values, trimmed and cut to EMAIL_MAX characters. */
  readonly typed: Readonly<Record<AuditFilter, string>>;
  /** Message keys of invalid fields. With any error, no entries are listed. */
  readonly errors: Readonly<Partial<Record<AuditFilter, string>>>;
  readonly action: AuditAction | null;
  readonly kind: AuditKind | null;
  /** Start (inclusive) and end (exclusive) of the range. */
  readonly from: Instant | null;
  readonly to: Instant | null;
}

/**
 * Reads the filters of a URL: ?person, ?action (an action or a kind), ?from and ?to in a time zone. For a day without a time, the range
 * includes the whole day.
 */
export function parseAuditFilters(params: URLSearchParams, timeZone: string): AuditFilters {
  const text = (name: AuditFilter) => (params.get(name) ?? "").trim().slice(0, EMAIL_MAX);
  const texts = { person: text("person"), action: text("action"), from: text("from"), to: text("to") };
  const kind = AUDIT_KINDS.find((auditKind) => auditKind === texts.action) ?? null;
  const action = isAuditAction(texts.action) ? texts.action : null;
  const from = readTypedInstant(texts.from, timeZone);
  const to = readTypedInstant(texts.to, timeZone, { end: true });
  const errors: Partial<Record<AuditFilter, string>> = {};
  if (texts.action !== "" && kind === null && action === null) errors.action = "users:auditLog.badAction";
  if (texts.from !== "" && from === null) errors.from = "users:auditLog.badDate";
  if (texts.to !== "" && to === null) errors.to = "users:auditLog.badDate";
  if (from !== null && to !== null && from >= to) errors.to = "users:auditLog.badOrder";
  return { typed: texts, errors, action, kind, from, to };
}
