/** Tables of users, groups and the audit log. */

import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { ImportLineResult, ImportPlan } from "#functions/services/users/user-import-ports";
import { NO_PASSWORD } from "~/domain/auth/no-password";
import type { Lang, Role, UserStatus } from "~/domain/shared/model";
import { IN_TRASH, LIVE, live, rule, trash } from "./shared";

/** Condition for an account: its owner has set a password. */
export const HAS_PASSWORD = `password_hash <> '${NO_PASSWORD}'`;

/** Accounts that may log in. */
export const MAY_LOG_IN = `users.status = 'ACTIVATED' AND users.${LIVE}`;

/** Sort orders of lists of users. Each ends in a unique value, so that a page can begin after any row. */
export const USER_ORDERS = {
  created: "created_at || id",
  name: "search_key || char(1) || id",
  company: "lower(company_name) || char(1) || id",
  email: "email_key || id",
  asked: "deletion_requested_at || id",
  trash: "deleted_at || id",
} as const;

export const GROUP_ORDERS = { live: "created_at || id", trash: "deleted_at || id" } as const;

export const MEMBER_ORDER = "created_at || user_id";

export const AUDIT_ORDER = "at || id";

/** Condition for an account whose owner requested its deletion. */
export const DELETION_REQUESTED = `${LIVE} AND deletion_requested_at IS NOT NULL`;

const orders = ["created", "name", "company", "email"] as const satisfies (keyof typeof USER_ORDERS)[];

export const users = sqliteTable(
  "users",
  {
    id: text("id").primaryKey(),
    email: text("email").notNull(),
    /** The address, normalised for comparison (nameKey). Addresses with the same key count as the same. */
    emailKey: text("email_key").notNull(),
    passwordHash: text("password_hash").notNull(),
    firstName: text("first_name").notNull(),
    lastName: text("last_name").notNull(),
    companyName: text("company_name").notNull(),
    /** nameKey of names, company and address. */
    searchKey: text("search_key").notNull(),
    role: text("role").$type<Role>().notNull(),
    status: text("status").$type<UserStatus>().notNull(),
    spaceLicense: integer("space_license").notNull(),
    /** Written by triggers: number of own spaces not in the trash. */
    spaceCount: integer("space_count").notNull().default(0),
    storageLimit: integer("storage_limit").notNull(),
    /** Written by triggers: bytes of own library items not in the trash, and of the content of events (content_used). */
    storageUsed: integer("storage_used").notNull().default(0),
    language: text("language").$type<Lang>().notNull(),
    timeZone: text("time_zone").notNull(),
    createdAt: text("created_at").notNull(),
    updatedAt: text("updated_at").notNull(),
    version: integer("version").notNull().default(1),
    ...trash(),
    /** Time at which the user requested the deletion of the account and its data. */
    deletionRequestedAt: text("deletion_requested_at"),
    /** Status mails are sent only to users who turned them on (decision 037). */
    statusMails: integer("status_mails", { mode: "boolean" }).notNull().default(false),
    /** Written by triggers: bytes of the content of all events that are not purged, which storage_used includes (decision 045). */
    contentUsed: integer("content_used").notNull().default(0),
    /** Written by triggers: bytes of library items in the trash. */
    trashUsed: integer("trash_used").notNull().default(0),
    /** Written by triggers: number of events that are not purged, including those in the trash. */
    eventCount: integer("event_count").notNull().default(0),
    /** Written by triggers: number of library items that are not purged, including those in the trash. */
    mediaCount: integer("media_count").notNull().default(0),
    /** Whether the first steps are done or were dismissed. They are never shown again. */
    firstStepsClosed: integer("first_steps_closed", { mode: "boolean" }).notNull().default(false),
  },
  (t) => [
    uniqueIndex("users_email").on(t.emailKey).where(live()),
    // The list of all users uses the first four; a list by role and status uses the others (decision 013).
    ...orders.map((order) => index(`users_by_${order}`).on(sql.raw(USER_ORDERS[order])).where(live())),
    ...orders.map((order) =>
      index(`users_of_${order}`).on(t.role, t.status, sql.raw(USER_ORDERS[order])).where(live()),
    ),
    index("users_asked").on(sql.raw(USER_ORDERS.asked)).where(sql.raw(DELETION_REQUESTED)),
    index("users_trash").on(sql.raw(USER_ORDERS.trash)).where(sql.raw(IN_TRASH)),
    rule("users_role", "role IN ('admin', 'user')"),
    rule(
      "users_status",
      "status IN ('BLOCKED', 'DISAPPROVED', 'EMAIL_UNVERIFIED', 'EMAIL_VERIFIED', 'ACTIVATED')",
    ),
    rule("users_language", "language IN ('ja', 'en')"),
    rule("users_limits", "space_license >= 0 AND storage_limit >= 0"),
    rule("users_counters", "space_count >= 0 AND storage_used >= 0"),
  ],
);

/** Written by triggers: number of users of each role and status, excluding those in the trash. */
export const userCounts = sqliteTable(
  "user_counts",
  {
    role: text("role").$type<Role>().notNull(),
    status: text("status").$type<UserStatus>().notNull(),
    total: integer("total").notNull(),
  },
  (t) => [primaryKey({ columns: [t.role, t.status] }), rule("user_counts_total", "total >= 0")],
);

/**
 * Written by triggers: the number of each user in the full-text table user_search (migrations/0000_initial.sql), in the order of creation.
 * Not the rowid of users, which may change when a database is dumped and restored.
 */
export const userDocs = sqliteTable(
  "user_docs",
  {
    doc: integer("doc").primaryKey({ autoIncrement: true }),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
  },
  (t) => [uniqueIndex("user_docs_user").on(t.userId)],
);

/** CSV files of accounts that administrators have uploaded. Exactly the checked content is written after the confirmation. */
export const userImports = sqliteTable(
  "user_imports",
  {
    id: text("id").primaryKey(),
    actorId: text("actor_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    fileName: text("file_name").notNull(),
    plan: text("plan", { mode: "json" }).$type<ImportPlan>().notNull(),
    createdAt: text("created_at").notNull(),
    expiresAt: text("expires_at").notNull(),
    /** Time of completion. */
    doneAt: text("done_at"),
    /** Time until which the call that is writing keeps other calls out; null before the confirmation. */
    claimedUntil: text("claimed_until"),
    /** Results of lines, one array for each batch that was written. */
    results: text("results", { mode: "json" })
      .$type<readonly (readonly ImportLineResult[])[]>()
      .notNull()
      .default([]),
  },
  (t) => [
    index("user_imports_actor").on(t.actorId),
    index("user_imports_expiry").on(t.expiresAt),
    rule("user_imports_json", "json_valid(plan)"),
  ],
);

export const groups = sqliteTable(
  "groups",
  {
    id: text("id").primaryKey(),
    name: text("name").notNull(),
    createdAt: text("created_at").notNull(),
    updatedAt: text("updated_at").notNull(),
    version: integer("version").notNull().default(1),
    ...trash(),
    /** Written by triggers: number of members not in the trash. */
    memberCount: integer("member_count").notNull().default(0),
    /** nameKey(name). Names with the same key count as the same. It has no unique index, because older groups may share a name. */
    nameKey: text("name_key").notNull().default(""),
  },
  (t) => [
    index("groups_name").on(t.nameKey).where(live()),
    index("groups_newest").on(sql.raw(GROUP_ORDERS.live)).where(live()),
    index("groups_trash").on(sql.raw(GROUP_ORDERS.trash)).where(sql.raw(IN_TRASH)),
  ],
);

export const groupMembers = sqliteTable(
  "group_members",
  {
    groupId: text("group_id")
      .notNull()
      .references(() => groups.id, { onDelete: "cascade" }),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: text("created_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.groupId, t.userId] }),
    index("group_members_user").on(t.userId),
    index("group_members_newest").on(t.groupId, sql.raw(MEMBER_ORDER)),
  ],
);

export const audit = sqliteTable(
  "audit",
  {
    id: text("id").primaryKey(),
    at: text("at").notNull(),
    /** Null for automatic actions and for callers who are not logged in. Not a foreign key, because entries outlive accounts. */
    actorId: text("actor_id"),
    action: text("action").notNull(),
    resourceType: text("resource_type").notNull(),
    resourceId: text("resource_id").notNull(),
    detail: text("detail", { mode: "json" }).$type<Readonly<Record<string, unknown>>>().notNull(),
    /** User whom an entry about another resource also concerns, such as a group's member. */
    subjectId: text("subject_id"),
    /** The session or API token of the action: `session:` and a handle, or `token:` and an id. Neither grants access. */
    credential: text("credential"),
    /** Keyed hash of the network of the action. */
    network: text("network"),
  },
  (t) => [
    index("audit_resource").on(t.resourceType, t.resourceId, sql.raw(AUDIT_ORDER)),
    index("audit_actor").on(t.actorId, sql.raw(AUDIT_ORDER)),
    index("audit_subject").on(t.subjectId, sql.raw(AUDIT_ORDER)).where(sql.raw("subject_id IS NOT NULL")),
    index("audit_action").on(t.action, sql.raw(AUDIT_ORDER)),
    index("audit_kind").on(t.resourceType, sql.raw(AUDIT_ORDER)),
    index("audit_newest").on(sql.raw(AUDIT_ORDER)),
    rule("audit_detail", "json_valid(detail)"),
  ],
);
