/** The kinds of records in the audit log. */
export const AUDIT_KINDS = ["user", "session", "group", "folder", "space", "event", "media"] as const;
/** One of the kinds. */
export type AuditKind = (typeof AUDIT_KINDS)[number];

/**
 * Every action of the audit log with the kind of record to which it applies. Other actions cannot be written, and an action without a sentence in
 * both languages (app/i18n) fails the type check. In the names, "prepared" means converted, and "settled" means that the dates changed the status.
 */
export const AUDIT_ACTIONS = {
  log_in: "session",
  log_in_failed: "session",
  log_out: "session",
  session_expired: "session",
  reauthenticated: "session",
  session_ended: "user",
  sessions_ended: "user",
  other_sessions_ended: "user",
  password_reset: "user",
  password_changed: "user",
  invitation_accepted: "user",
  reset_link_sent: "user",
  invitation_link_sent: "user",
  email_link_sent: "user",
  email_changed: "user",
  email_change_cancelled: "user",
  profile_updated: "user",
  status_mails_stopped: "user",
  passkey_added: "user",
  passkey_renamed: "user",
  passkey_removed: "user",
  second_factor_added: "user",
  second_factor_removed: "user",
  second_factor_reset: "user",
  recovery_codes_renewed: "user",
  recovery_code_used: "user",
  token_created: "user",
  token_revoked: "user",
  webhook_created: "user",
  webhook_updated: "user",
  webhook_paused: "user",
  webhook_started: "user",
  webhook_secret_renewed: "user",
  webhook_removed: "user",
  webhook_stopped: "user",
  deletion_requested: "user",
  deletion_withdrawn: "user",
  deletion_declined: "user",
  first_administrator_created: "user",
  user_created: "user",
  user_updated: "user",
  user_role_changed: "user",
  user_email_changed: "user",
  user_status_changed: "user",
  user_limits_changed: "user",
  user_deleted: "user",
  user_restored: "user",
  users_exported: "user",
  users_imported: "user",
  group_created: "group",
  group_renamed: "group",
  group_deleted: "group",
  group_restored: "group",
  group_member_added: "group",
  group_member_removed: "group",
  folder_group_changed: "folder",
  folder_created: "folder",
  folder_renamed: "folder",
  folder_moved: "folder",
  folder_deleted: "folder",
  folder_restored: "folder",
  folder_copied: "folder",
  space_group_changed: "space",
  media_group_changed: "media",
  space_created: "space",
  space_renamed: "space",
  space_source_updated: "space",
  space_source_replaced: "space",
  space_picture_changed: "space",
  space_moved: "space",
  space_deleted: "space",
  space_restored: "space",
  media_web_added: "media",
  media_web_replaced: "media",
  media_uploaded: "media",
  media_replaced: "media",
  media_prepared: "media",
  media_preparation_skipped: "media",
  space_copied: "space",
  space_exported: "space",
  space_imported: "space",
  media_renamed: "media",
  media_moved: "media",
  media_deleted: "media",
  media_restored: "media",
  event_created: "event",
  event_updated: "event",
  event_copied: "event",
  event_exported: "event",
  event_link_mailed: "event",
  event_link_copied: "event",
  event_imported: "event",
  event_tags_imported: "event",
  event_content_edited: "event",
  event_content_copied: "event",
  event_content_restored: "event",
  event_deleted: "event",
  event_restored: "event",
  event_status_settled: "event",
  event_visits_deleted: "event",
} as const satisfies Readonly<Record<string, AuditKind>>;

/** The stored name of an action. */
export type AuditAction = keyof typeof AUDIT_ACTIONS;
/** The actions on one kind of record. */
export type ActionOf<Kind extends AuditKind> = {
  [Action in AuditAction]: (typeof AUDIT_ACTIONS)[Action] extends Kind ? Action : never;
}[AuditAction];

/** Whether a value is an action of the audit log. */
export function isAuditAction(value: unknown): value is AuditAction {
  return typeof value === "string" && Object.hasOwn(AUDIT_ACTIONS, value);
}

/** The actions of a kind, in the order of the table. */
export function listAuditActions(kind: AuditKind): readonly AuditAction[] {
  return (Object.keys(AUDIT_ACTIONS) as AuditAction[]).filter((action) => AUDIT_ACTIONS[action] === kind);
}
