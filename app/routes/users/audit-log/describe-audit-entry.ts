import type { AuditPerson, AuditRow } from "#functions/services/users/user-ports";
import { EVENT_FIELDS, type EventField } from "~/domain/events/event-changes";
import { isRecord } from "~/domain/shared/is-record";
import { textIn } from "~/domain/shared/localized";
import type { Lang } from "~/domain/shared/model";
import { isAuditAction } from "~/domain/users/audit";
import { formatBytes, formatName, formatNumber } from "~/i18n/format";
import type { Translate } from "~/i18n/messages";

/** Text of an audit entry. */
export interface AuditSentence {
  readonly text: string;
  /** Further lines, such as changed fields and the session that the actor used. */
  readonly details: readonly string[];
}

const NON_EVENT_FIELDS = [
  ...(["email", "firstName", "lastName", "companyName", "role", "status", "spaceLicense"] as const),
  ...(["storageLimit", "language", "timeZone", "group", "name", "member"] as const),
  ...(["created", "updated", "refused", "count"] as const),
];
type AuditField = (typeof NON_EVENT_FIELDS)[number] | EventField;

const AUDIT_FIELDS: ReadonlySet<string> = new Set<AuditField>([...NON_EVENT_FIELDS, ...EVENT_FIELDS]);
const isAuditField = (field: string): field is AuditField => AUDIT_FIELDS.has(field);

/**
 * Returns a person's name, with the email address if the reader may see it. Without a name it is the address, or `namelessUser` if the reader may not
 * see addresses.
 */
function personName(person: AuditPerson, t: Translate, showsAddress: boolean): string {
  const name = formatName(person);
  if (name === person.email) return showsAddress ? name : t("users:auditLog.namelessUser");
  const displayName = t("users:auditLog.who", { name });
  return showsAddress ? displayName + t("shared-owners:inBrackets", { text: person.email }) : displayName;
}

/**
 * Describes an entry of the audit log.
 * @param options.showsAddresses whether the reader may see email addresses
 */
export function describeAuditEntry(
  row: AuditRow,
  t: Translate,
  lang: Lang,
  { showsAddresses = true }: { readonly showsAddresses?: boolean } = {},
): AuditSentence {
  const isOwnAccount = row.actorId !== null && row.actorId === row.resourceId;
  const actorText =
    row.actor !== null
      ? personName(row.actor, t, showsAddresses)
      : row.actorId !== null
        ? t("users:auditLog.unknownUser")
        : t("users:auditLog.notLoggedIn");
  const objectText =
    row.resource === null
      ? t(
          row.action === "log_in_failed" && row.resourceId === ""
            ? "users:auditLog.unknownAccount"
            : "users:auditLog.unknown",
        )
      : "person" in row.resource
        ? isOwnAccount
          ? t("users:auditLog.self")
          : personName(row.resource.person, t, showsAddresses)
        : t("users:auditLog.titled", { name: textIn(row.resource.name, lang) });
  const text = isAuditAction(row.action)
    ? t(`users:auditLog.actions.${row.action}`, { who: actorText, what: objectText })
    : row.action;
  return { text, details: [...describeDetail(row, t), ...describeOrigin(row, t)] };
}

const fieldLabel = (field: string, t: Translate) =>
  isAuditField(field) ? t(`users:auditLog.field.${field}`) : field;

function formatValue(field: string, value: unknown, t: Translate): string {
  if (value === null || value === undefined) return t("users:auditLog.noGroup");
  if (field === "status" && typeof value === "number")
    return t(`shared:statuses.${value}` as "shared:statuses.1");
  if (field === "status") return t(`users:people.status.${String(value)}` as "users:people.status.ACTIVATED");
  if (field === "role") return t(`users:people.role.${String(value)}` as "users:people.role.user");
  if (field === "storageLimit") return formatBytes(Number(value));
  return typeof value === "number" ? formatNumber(value) : String(value);
}

/** Changed field by action, for actions whose detail is a single change; `status` for other such actions. */
const FIELD_BY_ACTION: Readonly<Record<string, string>> = {
  user_role_changed: "role",
  user_email_changed: "email",
  email_changed: "email",
};

/** Returns lines about the session or API token, and the network, from which the action was performed. */
function describeOrigin({ credential, network }: AuditRow, t: Translate): string[] {
  const [kind, id = ""] = (credential ?? "").split(":");
  return [
    ...(kind === "session" ? [t("users:auditLog.bySession", { id })] : []),
    ...(kind === "token" ? [t("users:auditLog.byToken", { id })] : []),
    ...(network ? [t("users:auditLog.network", { id: network })] : []),
  ];
}

function describeDetail({ action, detail }: AuditRow, t: Translate): string[] {
  if (action === "log_in_failed")
    return [
      t("users:auditLog.failures", { count: Number(detail.count) }),
      ...("networks" in detail ? [t("users:auditLog.severalNetworks")] : []),
    ];
  const lines: string[] = [];
  const describeChange = (field: string, from: unknown, to: unknown) =>
    t("users:auditLog.change", {
      field: fieldLabel(field, t),
      from: formatValue(field, from, t),
      to: formatValue(field, to, t),
    });
  // The detail of an action that changes one field has no field name.
  if ("from" in detail && "to" in detail)
    lines.push(describeChange(FIELD_BY_ACTION[action] ?? "status", detail.from, detail.to));
  for (const [field, value] of Object.entries(detail)) {
    if (field === "fields" && Array.isArray(value))
      lines.push(
        t("users:auditLog.fields", {
          fields: value.map((name) => fieldLabel(String(name), t)).join(t("shared-owners:listSeparator")),
        }),
      );
    else if (field === "status" && Array.isArray(value))
      lines.push(describeChange(field, value[0], value[1]));
    else if (isRecord(value) && "to" in value) lines.push(describeChange(field, value.from, value.to));
    else if (isAuditField(field) && (typeof value === "string" || typeof value === "number"))
      lines.push(
        t("users:auditLog.value", { field: fieldLabel(field, t), value: formatValue(field, value, t) }),
      );
  }
  return lines;
}
