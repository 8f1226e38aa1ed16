/**
 * The tables (§3 and what the design adds). Columns are snake_case, instants ISO text with milliseconds, structured values
 * JSON text. Kept counters, events.revision and space_files are written by triggers (migrations/0000_initial.sql) and by
 * nothing else, so that no writer can forget them.
 */
import { sql } from "drizzle-orm";
import {
  type AnySQLiteColumn,
  check,
  index,
  integer,
  primaryKey,
  real,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import type { ImportDetail, ImportKind } from "#functions/services/transfer/transfer-ports";
import type { ImportPlan, ImportResult } from "#functions/services/users/user-import-plan";
import type { Grain } from "~/domain/analytics/visit";
import { NO_PASSWORD } from "~/domain/auth/no-password";
import type { ChangeType } from "~/domain/content/content";
import type { StoredPlacement } from "~/domain/content/placement";
import type { PreparationState, PreparedRole } from "~/domain/library/prepared";
import type { CheckState } from "~/domain/library/upload-check";
import type {
  EventStatusId,
  FloorPlan,
  FolderType,
  Instant,
  Lang,
  LinkPurpose,
  MediaKind,
  Role,
  SpaceSource,
  TagProduct,
  TourStop,
  UserStatus,
  Vec3,
  Viewpoint,
} from "~/domain/shared/model";
import type { StoreFailureCode, StoreOperation } from "~/domain/store/store";
import type { Scope } from "~/domain/webhooks/scopes";
import type {
  Attempt,
  DisabledWhy,
  EventMessage,
  MessageState,
  MessageType,
} from "~/domain/webhooks/webhooks";

/** Spelled the same in every index and query: SQLite uses a partial index only when the query repeats its condition. */
export const LIVE = "deleted_at IS NULL";
/** Of an account: its owner has set a password. */
export const HAS_PASSWORD = `password_hash <> '${NO_PASSWORD}'`;
/** Accounts that may log in. */
export const MAY_LOG_IN = `users.status = 'ACTIVATED' AND users.${LIVE}`;
/** Events whose start may still change their status. */
export const AWAITS_START = `${LIVE} AND enable_auto_change_status = 1 AND status_id IN (1, 2)`;
/** Events whose end may still change their status. */
export const AWAITS_END = `${LIVE} AND enable_auto_change_status = 1 AND status_id IN (1, 2, 3)`;

/** What lists of users are sorted by. Each ends in something unique, so that a page can begin right after any row. */
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
export const TOKEN_ORDER = "created_at || id";
export const WEBHOOK_ORDER = "created_at || id";
export const MESSAGE_ORDER = "at || id";
/** Of a message that is still to be sent. */
export const WAITING = "state = 'waiting'";
/** Whoever asked for the account to be deleted and was not heard yet. */
export const ASKED_DELETION = `${LIVE} AND deletion_requested_at IS NOT NULL`;
export const IN_TRASH = "deleted_at IS NOT NULL";
/** What a folder's content is sorted by. */
export const TREE_ORDERS = {
  name: "search_key || char(1) || id",
  created: "created_at || id",
  updated: "updated_at || id",
} as const;
/** What was deleted itself, and not with a folder around it. */
/** After every text in an order. */
export const GREATEST = "\u{10ffff}";
export const TREE_TRASHED = "deleted_at IS NOT NULL AND deleted_with = id";
export const TREE_TRASH_ORDER = "deleted_at || id";
/** What the trash of a space is sorted by. */
export const EVENT_TRASH_ORDER = "deleted_at || id";

// Indexes that lists use are whole: references and triggers look up rows in the trash as well, which a partial index hides.
const live = () => sql.raw(LIVE);
const rule = (name: string, condition: string) => check(name, sql.raw(condition));

/** The trash (DESIGN §4): what is deleted stays for 30 days. */
const trash = () => ({
  deletedAt: text("deleted_at"),
  deletedBy: text("deleted_by"),
});

/** The same for what lies in folders, which go to the trash and come back with what they hold. */
const treeTrash = () => ({
  ...trash(),
  /** The thing that was deleted: this one, or the folder that held it. */
  deletedWith: text("deleted_with"),
});

const treeOrders = Object.keys(TREE_ORDERS) as (keyof typeof TREE_ORDERS)[];
/** What is shared is a small part of most tables: rows that are not are in none of these indexes. */
const shared = () => sql.raw(`${LIVE} AND group_id IS NOT NULL`);

/**
 * Reads of a folder's content in each order, the whole of it and what is shared with one group, of an owner's trash, and of
 * what went there together.
 */
const treeIndexes = (
  table: string,
  folder: AnySQLiteColumn,
  t: Readonly<Record<"ownerId" | "groupId" | "deletedAt" | "deletedWith", AnySQLiteColumn>>,
) => [
  ...treeOrders.flatMap((order) => [
    index(`${table}_in_folder_by_${order}`).on(folder, sql.raw(TREE_ORDERS[order])).where(live()),
    index(`${table}_shared_by_${order}`).on(folder, t.groupId, sql.raw(TREE_ORDERS[order])).where(shared()),
  ]),
  index(`${table}_folder`).on(folder),
  index(`${table}_trash`).on(t.ownerId, sql.raw(TREE_TRASH_ORDER)).where(sql.raw(TREE_TRASHED)),
  index(`${table}_expired`).on(t.deletedAt).where(sql.raw(IN_TRASH)),
  index(`${table}_deleted_with`).on(t.deletedWith).where(sql.raw("deleted_with IS NOT NULL")),
];

/** A text in one language; empty when that language is missing. */
const words = (name: string) => text(name).notNull().default("");

const orders = ["created", "name", "company", "email"] as const satisfies (keyof typeof USER_ORDERS)[];

export const users = sqliteTable(
  "users",
  {
    id: text("id").primaryKey(),
    email: text("email").notNull(),
    /** nameKey(email): what makes two addresses the same. */
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
    /** Kept: spaces owned and not in the trash. */
    spaceCount: integer("space_count").notNull().default(0),
    storageLimit: integer("storage_limit").notNull(),
    /** Kept: bytes of library items owned and not in the trash, and of the content of events (content_used). */
    storageUsed: integer("storage_used").notNull().default(0),
    language: text("language").$type<Lang>().notNull(),
    timeZone: text("time_zone").notNull(),
    createdAt: text("created_at").notNull(),
    updatedAt: text("updated_at").notNull(),
    version: integer("version").notNull().default(1),
    ...trash(),
    /** When the person asked for the account and its data to be deleted. */
    deletionRequestedAt: text("deletion_requested_at"),
    /** Nobody is written to who has not asked for it (decision 037). */
    statusMails: integer("status_mails", { mode: "boolean" }).notNull().default(false),
    /** Kept: bytes of the content of all events that are not purged, which storage_used includes (decision 045). */
    contentUsed: integer("content_used").notNull().default(0),
    /** Kept: bytes of library items in the trash. */
    trashUsed: integer("trash_used").notNull().default(0),
    /** Kept: events that are not purged, those in the trash included. */
    eventCount: integer("event_count").notNull().default(0),
    /** Kept: library items that are not purged, those in the trash included. */
    mediaCount: integer("media_count").notNull().default(0),
  },
  (t) => [
    uniqueIndex("users_email").on(t.emailKey).where(live()),
    // A list of all is read from the first four; one of a role and a status from the others (decision 013).
    ...orders.map((order) => index(`users_by_${order}`).on(sql.raw(USER_ORDERS[order])).where(live())),
    ...orders.map((order) =>
      index(`users_of_${order}`).on(t.role, t.status, sql.raw(USER_ORDERS[order])).where(live()),
    ),
    index("users_asked").on(sql.raw(USER_ORDERS.asked)).where(sql.raw(ASKED_DELETION)),
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

/** Kept: how many users there are of each role and status, those in the trash aside. */
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
 * Kept: the number of each user in the full-text table user_search (migrations/0000_initial.sql), in the order in which they came.
 * Not the rowid of users, which may change when a database is dumped and read back.
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

/** A file of users that an administrator has uploaded and not yet confirmed: what was checked is what will be written. */
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
    /** When all of it was written. */
    doneAt: text("done_at"),
    /** Until when somebody is writing it; null before it was confirmed. */
    claimedUntil: text("claimed_until"),
    /** What became of lines, one array for each batch that was written. */
    results: text("results", { mode: "json" })
      .$type<readonly (readonly ImportResult[])[]>()
      .notNull()
      .default([]),
  },
  (t) => [
    index("user_imports_actor").on(t.actorId),
    index("user_imports_expiry").on(t.expiresAt),
    rule("user_imports_json", "json_valid(plan)"),
  ],
);

/** Files that are to become content: tags of an event (CSV), an event or a space (decision 036). */
export const imports = sqliteTable(
  "imports",
  {
    id: text("id").primaryKey(),
    actorId: text("actor_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    kind: text("kind").$type<ImportKind>().notNull(),
    /** Where it is to go: the event of tags, the space of an event, the folder of a space. */
    targetId: text("target_id").notNull(),
    fileName: text("file_name").notNull(),
    /** As the sender has declared it; of a form what has arrived. */
    byteSize: integer("byte_size").notNull(),
    fileKey: text("file_key").notNull(),
    /** R2's name for the multipart upload; empty once all of the file is there. */
    multipartId: text("multipart_id").notNull().default(""),
    /** Slices that have arrived, by number: {etag, byteSize}. */
    parts: text("parts", { mode: "json" })
      .$type<Readonly<Record<string, { readonly etag: string; readonly byteSize: number }>>>()
      .notNull()
      .default({}),
    /** What was said beside the file, and what of it is being stored. */
    detail: text("detail", { mode: "json" }).$type<ImportDetail>().notNull().default({}),
    /** What came of it. */
    report: text("report", { mode: "json" }).$type<unknown>(),
    createdAt: text("created_at").notNull(),
    expiresAt: text("expires_at").notNull(),
    /** Until when somebody is at it; null for nobody. */
    claimedUntil: text("claimed_until"),
    /** When all of it was written. */
    doneAt: text("done_at"),
    /** The account whose storage holds the declared bytes until the import is done or gone. */
    ownerId: text("owner_id").references(() => users.id, { onDelete: "cascade" }),
  },
  (t) => [
    index("imports_owner").on(t.ownerId),
    index("imports_actor").on(t.actorId, t.createdAt),
    index("imports_expiry").on(t.expiresAt),
    rule("imports_kind", "kind IN ('tags', 'package')"),
    rule("imports_json", "json_valid(parts) AND json_valid(detail)"),
  ],
);

export const sessions = sqliteTable(
  "sessions",
  {
    /** SHA-256 of the ticket, hex. */
    id: text("id").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: text("created_at").notNull(),
    expiresAt: text("expires_at").notNull(),
    lastSeenAt: text("last_seen_at").notNull(),
    userAgent: text("user_agent").notNull(),
    /** When the password or a passkey was given last; null means when the session began. */
    authenticatedAt: text("authenticated_at"),
  },
  (t) => [index("sessions_user").on(t.userId), index("sessions_expiry").on(t.expiresAt)],
);

/** The links that mail carries: to set a password, to accept an invitation, to confirm a new address. Each works once. */
export const userLinks = sqliteTable(
  "user_links",
  {
    /** SHA-256 of the link's token, hex. */
    id: text("id").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    purpose: text("purpose").$type<LinkPurpose>().notNull(),
    /** The address to which it was sent: using the link proves it. */
    email: text("email").notNull(),
    createdAt: text("created_at").notNull(),
    expiresAt: text("expires_at").notNull(),
    usedAt: text("used_at"),
    /** Of an invitation: an administrator has approved the account in advance, so that accepting it activates it. */
    activates: integer("activates", { mode: "boolean" }).notNull().default(false),
  },
  (t) => [
    index("user_links_user").on(t.userId, t.purpose),
    index("user_links_expiry").on(t.expiresAt),
    rule("user_links_purpose", "purpose IN ('reset', 'invitation', 'email')"),
  ],
);

/** WebAuthn credentials: a second way to log in. */
export const passkeys = sqliteTable(
  "passkeys",
  {
    /** The credential's id, base64url. */
    id: text("id").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** COSE, base64url; SPKI if it was added before decision 075. */
    publicKey: text("public_key").notNull(),
    /** The authenticator's signature counter, 0 where it keeps none. */
    counter: integer("counter").notNull(),
    transports: text("transports", { mode: "json" }).$type<readonly string[]>().notNull(),
    name: text("name").notNull(),
    createdAt: text("created_at").notNull(),
    lastUsedAt: text("last_used_at"),
  },
  (t) => [
    index("passkeys_user").on(t.userId),
    rule("passkeys_name", "length(name) BETWEEN 1 AND 64"),
    rule("passkeys_json", "json_valid(transports)"),
  ],
);

/** WebAuthn challenges under way; each is taken out when it is answered. */
export const passkeyChallenges = sqliteTable(
  "passkey_challenges",
  {
    /** The challenge, base64url. */
    id: text("id").primaryKey(),
    /** Who adds a passkey; null when somebody logs in. */
    userId: text("user_id").references(() => users.id, { onDelete: "cascade" }),
    expiresAt: text("expires_at").notNull(),
  },
  (t) => [index("passkey_challenges_expiry").on(t.expiresAt), index("passkey_challenges_user").on(t.userId)],
);

/** Authenticator apps that people have set up as a second factor: one an account. */
export const secondFactors = sqliteTable(
  "second_factors",
  {
    userId: text("user_id")
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The secret of RFC 6238, sealed for this account (security/seal-text.ts). */
    secret: text("secret").notNull(),
    /** The counter of the last code that was used: no code works twice. */
    lastCounter: integer("last_counter").notNull(),
    /** SHA-256 of the recovery codes that are left, hex. */
    recoveryCodes: text("recovery_codes", { mode: "json" }).$type<readonly string[]>().notNull(),
    createdAt: text("created_at").notNull(),
    /** Wrong codes since the last right one. */
    failures: integer("failures").notNull().default(0),
    /** Until when no code is checked, after too many wrong ones. */
    blockedUntil: text("blocked_until"),
  },
  () => [rule("second_factors_json", "json_valid(recovery_codes)")],
);

/** Resets by `npm run admin`, which sends no mail: the job mails the owner and deletes the row. */
export const secondFactorResets = sqliteTable("second_factor_resets", {
  userId: text("user_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  at: text("at").notNull(),
});

/** What programs show instead of a log-in. They end with a new password, and when the account may no longer log in. */
export const accessTokens = sqliteTable(
  "access_tokens",
  {
    id: text("id").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    /** SHA-256 of the token, hex. */
    hash: text("hash").notNull(),
    /** The first characters after the prefix: by which its owner knows it again. */
    hint: text("hint").notNull(),
    scopes: text("scopes", { mode: "json" }).$type<readonly Scope[]>().notNull(),
    createdAt: text("created_at").notNull(),
    expiresAt: text("expires_at").notNull(),
    lastUsedAt: text("last_used_at"),
    revokedAt: text("revoked_at"),
  },
  (t) => [
    uniqueIndex("access_tokens_hash").on(t.hash),
    index("access_tokens_user").on(t.userId, sql.raw(TOKEN_ORDER)),
    index("access_tokens_expiry").on(t.expiresAt),
    rule("access_tokens_name", "length(name) BETWEEN 1 AND 64"),
    rule("access_tokens_json", "json_valid(scopes)"),
  ],
);

/** Addresses that are told what happens to an owner's events. */
export const webhooks = sqliteTable(
  "webhooks",
  {
    id: text("id").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    url: text("url").notNull(),
    /** Types of messages that it wants. */
    types: text("types", { mode: "json" }).$type<readonly EventMessage[]>().notNull(),
    /** Only what happens to events of this space. */
    spaceId: text("space_id").references(() => spaces.id, { onDelete: "cascade" }),
    /** Only what happens to this event. */
    eventId: text("event_id").references(() => events.id, { onDelete: "cascade" }),
    /** Locked (services/webhook-secrets). What is sent has to be signed with it, so it cannot be kept as a hash. */
    secret: text("secret").notNull(),
    /** The one before it, with which messages are signed as well until `previousUntil`. */
    previousSecret: text("previous_secret"),
    previousUntil: text("previous_until"),
    createdAt: text("created_at").notNull(),
    updatedAt: text("updated_at").notNull(),
    version: integer("version").notNull().default(1),
    /** Since when nothing is sent. */
    disabledAt: text("disabled_at"),
    disabledWhy: text("disabled_why").$type<DisabledWhy>(),
    /** Since when nothing has arrived; null when the last message did. */
    failingSince: text("failing_since"),
    /** Those before `previousSecret` whose day is not over. */
    olderSecrets: text("older_secrets", { mode: "json" })
      .$type<readonly { readonly secret: string; readonly until: Instant }[]>()
      .notNull()
      .default([]),
  },
  (t) => [
    index("webhooks_user").on(t.userId, sql.raw(WEBHOOK_ORDER)),
    index("webhooks_space").on(t.spaceId).where(sql.raw("space_id IS NOT NULL")),
    index("webhooks_event").on(t.eventId).where(sql.raw("event_id IS NOT NULL")),
    rule("webhooks_json", "json_valid(types)"),
    rule("webhooks_disabled", "(disabled_at IS NULL) = (disabled_why IS NULL)"),
    rule("webhooks_why", "disabled_why IS NULL OR disabled_why IN ('paused', 'failing', 'gone')"),
  ],
);

/**
 * Messages to receivers, waiting or sent. Those about events are written by triggers in the batch of what they tell
 *, so that nothing happens without them.
 */
export const webhookMessages = sqliteTable(
  "webhook_messages",
  {
    id: text("id").primaryKey(),
    webhookId: text("webhook_id")
      .notNull()
      .references(() => webhooks.id, { onDelete: "cascade" }),
    /** What it is about; null for a test. Not a reference: messages tell of events that are gone. */
    eventId: text("event_id"),
    type: text("type").$type<MessageType>().notNull(),
    /** When it happened. */
    at: text("at").notNull(),
    state: text("state").$type<MessageState>().notNull().default("waiting"),
    /** What is sent, each time the same: written before it is sent first. */
    body: text("body"),
    /** Of this round: sending it again by hand begins another. */
    attempts: integer("attempts").notNull().default(0),
    /** When it is to be sent next. */
    nextAt: text("next_at").notNull(),
    /** Until when somebody is sending it. */
    claimedUntil: text("claimed_until"),
    /** The last attempts, the oldest first. */
    log: text("log", { mode: "json" }).$type<readonly Attempt[]>().notNull().default([]),
  },
  (t) => [
    index("webhook_messages_next").on(t.webhookId, t.nextAt).where(sql.raw(WAITING)),
    index("webhook_messages_held").on(t.webhookId).where(sql.raw("claimed_until IS NOT NULL")),
    index("webhook_messages_last").on(t.webhookId, t.eventId, t.type, t.at),
    index("webhook_messages_webhook").on(t.webhookId, sql.raw(MESSAGE_ORDER)),
    index("webhook_messages_age").on(t.at),
    rule("webhook_messages_state", "state IN ('waiting', 'delivered', 'failed')"),
    rule("webhook_messages_log", "json_valid(log)"),
  ],
);

/** Wrong guesses of passwords by what they are counted against (functions/services/auth/log-in-limits.ts). Times are epoch milliseconds. */
export const logInGuesses = sqliteTable(
  "log_in_guesses",
  {
    id: text("id").primaryKey(),
    /** The subject of the counts: addresses without an account share a bounded number of rows. */
    owner: text("owner").notNull(),
    /** Wrong guesses in the hour and in the day (UTC) of the last one. */
    hour: integer("hour").notNull(),
    day: integer("day").notNull(),
    lastAt: integer("last_at").notNull(),
  },
  (t) => [index("log_in_guesses_age").on(t.lastAt)],
);

/** The networks from which an account has logged in. */
export const logInNetworks = sqliteTable(
  "log_in_networks",
  {
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** Hash of the network's address with the server's secret. */
    network: text("network").notNull(),
    /** When the last log-in was, exact to a day, in epoch milliseconds. */
    lastAt: integer("last_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.network] }), index("log_in_networks_age").on(t.lastAt)],
);

/** What calls with an Idempotency-Key were answered, for whoever sends them again. */
export const idempotentResponses = sqliteTable(
  "kept_answers",
  {
    /** SHA-256 of the caller and the key, in hex: the key itself, without which the answer cannot be read, is nowhere. */
    id: text("id").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** SHA-256 of what was asked, in hex. */
    asked: text("asked").notNull(),
    beganAt: text("began_at").notNull(),
    expiresAt: text("expires_at").notNull(),
    /** Locked (functions/security/seal-text.ts). Null while the call is under way. */
    answer: text("answer"),
  },
  (t) => [index("kept_answers_expiry").on(t.expiresAt), index("kept_answers_user").on(t.userId)],
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
    /** Kept: members who are not in the trash. */
    memberCount: integer("member_count").notNull().default(0),
    /** nameKey(name): what makes two names the same. Not unique: there may be twins from before this was looked at. */
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

export const folders = sqliteTable(
  "folders",
  {
    id: text("id").primaryKey(),
    parentId: text("parent_id").references((): AnySQLiteColumn => folders.id),
    ownerId: text("owner_id")
      .notNull()
      .references(() => users.id),
    folderType: text("folder_type").$type<FolderType>().notNull(),
    /** Empty for a root folder, whose label is a word of the interface. */
    name: text("name").notNull(),
    groupId: text("group_id").references(() => groups.id, { onDelete: "set null" }),
    createdAt: text("created_at").notNull(),
    updatedAt: text("updated_at").notNull(),
    version: integer("version").notNull().default(1),
    ...treeTrash(),
    /** nameKey(name). */
    searchKey: text("search_key").notNull().default(""),
  },
  (t) => [
    // §1: one root folder of each type.
    uniqueIndex("folders_root")
      .on(t.ownerId, t.folderType)
      .where(sql.raw(`parent_id IS NULL AND ${LIVE}`)),
    index("folders_owner").on(t.ownerId, t.folderType),
    ...treeIndexes("folders", t.parentId, t),
    index("folders_group").on(t.groupId),
    rule("folders_type", "folder_type IN ('space', 'media')"),
    rule("folders_name", "length(name) <= 64 AND (parent_id IS NULL) = (name = '')"),
  ],
);

export const spaces = sqliteTable(
  "spaces",
  {
    id: text("id").primaryKey(),
    folderId: text("folder_id")
      .notNull()
      .references(() => folders.id),
    ownerId: text("owner_id")
      .notNull()
      .references(() => users.id),
    groupId: text("group_id").references(() => groups.id, { onDelete: "set null" }),
    name: text("name").notNull(),
    /** nameKey(name). */
    searchKey: text("search_key").notNull(),
    sid: text("sid").notNull(),
    source: text("source", { mode: "json" }).$type<SpaceSource>().notNull(),
    posterMediaId: text("poster_media_id").references(() => libraryItems.id),
    /** Kept: events not in the trash. */
    eventCount: integer("event_count").notNull().default(0),
    createdAt: text("created_at").notNull(),
    updatedAt: text("updated_at").notNull(),
    version: integer("version").notNull().default(1),
    ...treeTrash(),
  },
  (t) => [
    index("spaces_owner").on(t.ownerId, t.createdAt, t.id),
    ...treeIndexes("spaces", t.folderId, t),
    index("spaces_group").on(t.groupId).where(sql.raw(`group_id IS NOT NULL`)),
    index("spaces_poster").on(t.posterMediaId).where(sql.raw("poster_media_id IS NOT NULL")),
    rule("spaces_name", "length(name) BETWEEN 1 AND 64"),
    rule("spaces_sid", "length(sid) = 11"),
    rule("spaces_source", "json_valid(source)"),
    rule("spaces_counter", "event_count >= 0"),
  ],
);

/**
 * Kept: the number of each folder, space and library item in the full-text table tree_search (migrations/0000_initial.sql), in
 * the order in which they came. No reference, since it is to one of three tables.
 */
export const treeDocs = sqliteTable(
  "tree_docs",
  {
    doc: integer("doc").primaryKey({ autoIncrement: true }),
    itemId: text("item_id").notNull(),
  },
  (t) => [uniqueIndex("tree_docs_item").on(t.itemId)],
);

/** Kept from spaces.source and spaces.poster_media_id: which files a space is made of. */
export const spaceFiles = sqliteTable(
  "space_files",
  {
    spaceId: text("space_id")
      .notNull()
      .references(() => spaces.id, { onDelete: "cascade" }),
    libraryItemId: text("library_item_id")
      .notNull()
      .references(() => libraryItems.id),
  },
  (t) => [
    primaryKey({ columns: [t.spaceId, t.libraryItemId] }),
    index("space_files_item").on(t.libraryItemId),
  ],
);

export const events = sqliteTable(
  "events",
  {
    id: text("id").primaryKey(),
    spaceId: text("space_id")
      .notNull()
      .references(() => spaces.id, { onDelete: "cascade" }),
    eventName: text("event_name").notNull(),
    /** nameKey(event_name): what makes two names the same (§5). */
    nameKey: text("name_key").notNull(),
    startDate: text("start_date"),
    endDate: text("end_date"),
    statusId: integer("status_id").$type<EventStatusId>().notNull().default(1),
    enableAutoChangeStatus: integer("enable_auto_change_status", { mode: "boolean" }).notNull().default(true),
    accessToken: text("access_token").notNull(),
    previewAccessToken: text("preview_access_token").notNull(),
    spAccessToken: text("sp_access_token"),
    spStoreUrl: text("sp_store_url"),
    eventDetail: text("event_detail").notNull().default(""),
    /** Serialised as §3 says; read through deserialiseUrlParams. */
    urlParams: text("url_params").notNull().default("{}"),
    publishPasswordHash: text("publish_password_hash"),
    createdAt: text("created_at").notNull(),
    updatedAt: text("updated_at").notNull(),
    version: integer("version").notNull().default(1),
    /** Kept: grows with every change that a visitor's page could show. */
    revision: integer("revision").notNull().default(1),
    ...trash(),
    /** From when on its changes are kept; null: since it was made. */
    historyFrom: text("history_from"),
    /** The status of which receivers were last told (webhooks): what statusAt said when the row was last written. */
    announcedStatus: integer("announced_status").$type<EventStatusId>().notNull().default(1),
    /** Kept: bytes of its details, parameters, tags, media, scene and history, with what a row of each takes (decision 045). */
    contentBytes: integer("content_bytes").notNull().default(0),
  },
  (t) => [
    uniqueIndex("events_name").on(t.spaceId, t.nameKey).where(live()),
    index("events_space").on(t.spaceId, t.createdAt, t.id),
    index("events_start").on(t.startDate).where(sql.raw(AWAITS_START)),
    index("events_end").on(t.endDate).where(sql.raw(AWAITS_END)),
    index("events_trash").on(t.spaceId, sql.raw(EVENT_TRASH_ORDER)).where(sql.raw(IN_TRASH)),
    index("events_expired").on(t.deletedAt).where(sql.raw(IN_TRASH)),
    rule("events_status", "status_id IN (1, 2, 3, 4)"),
    rule("events_auto_change", "enable_auto_change_status IN (0, 1)"),
    rule("events_event_name", "length(event_name) BETWEEN 1 AND 32"),
    rule("events_detail", "length(event_detail) <= 1000"),
    rule("events_tokens", "length(access_token) >= 43 AND length(preview_access_token) >= 43"),
    rule("events_url_params", "json_valid(url_params)"),
  ],
);

export const eventTags = sqliteTable(
  "event_tags",
  {
    id: text("id").primaryKey(),
    eventId: text("event_id")
      .notNull()
      .references(() => events.id, { onDelete: "cascade" }),
    titleJa: words("title_ja"),
    titleEn: words("title_en"),
    bodyJa: words("body_ja"),
    bodyEn: words("body_en"),
    color: text("color").notNull(),
    icon: text("icon").notNull(),
    keywords: text("keywords", { mode: "json" }).$type<readonly string[]>().notNull(),
    linkUrl: text("link_url"),
    position: text("position", { mode: "json" }).$type<Vec3>(),
    stem: text("stem", { mode: "json" }).$type<Vec3>().notNull(),
    viewpoint: text("viewpoint", { mode: "json" }).$type<Viewpoint>(),
    sortOrder: integer("sort_order").notNull(),
    createdAt: text("created_at").notNull(),
    updatedAt: text("updated_at").notNull(),
    version: integer("version").notNull().default(1),
    ...trash(),
    /** Not shown to visitors. */
    hidden: integer("hidden", { mode: "boolean" }).notNull().default(false),
    product: text("product", { mode: "json" }).$type<TagProduct>(),
  },
  (t) => [
    index("event_tags_event").on(t.eventId, t.sortOrder, t.id),
    index("event_tags_shown").on(t.eventId, sql`product ->> 'id'`).where(sql`product IS NOT NULL`),
    index("event_tags_expired").on(t.deletedAt).where(sql.raw(IN_TRASH)),
    rule("event_tags_color", "color GLOB '#[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]'"),
    rule("event_tags_hidden", "hidden IN (0, 1)"),
    rule("event_tags_product", "product IS NULL OR json_valid(product)"),
    rule(
      "event_tags_json",
      "json_valid(keywords) AND json_valid(stem) AND (position IS NULL OR json_valid(position)) AND (viewpoint IS NULL OR json_valid(viewpoint))",
    ),
  ],
);

export const eventMedia = sqliteTable(
  "event_media",
  {
    id: text("id").primaryKey(),
    eventId: text("event_id")
      .notNull()
      .references(() => events.id, { onDelete: "cascade" }),
    libraryItemId: text("library_item_id")
      .notNull()
      .references(() => libraryItems.id),
    titleJa: words("title_ja"),
    titleEn: words("title_en"),
    descriptionJa: words("description_ja"),
    descriptionEn: words("description_en"),
    /** Older ones lack what was added later: read through fullPlacement. */
    placement: text("placement", { mode: "json" }).$type<StoredPlacement>(),
    createdOn: text("created_on").notNull(),
    updatedAt: text("updated_at").notNull(),
    version: integer("version").notNull().default(1),
    ...trash(),
    /** Not shown to visitors. */
    hidden: integer("hidden", { mode: "boolean" }).notNull().default(false),
  },
  (t) => [
    rule("event_media_hidden", "hidden IN (0, 1)"),
    index("event_media_event").on(t.eventId, t.createdOn, t.id),
    index("event_media_item").on(t.libraryItemId),
    index("event_media_expired").on(t.deletedAt).where(sql.raw(IN_TRASH)),
    rule("event_media_placement", "placement IS NULL OR json_valid(placement)"),
  ],
);

export const tagMedia = sqliteTable(
  "tag_media",
  {
    tagId: text("tag_id")
      .notNull()
      .references(() => eventTags.id, { onDelete: "cascade" }),
    mediaId: text("media_id")
      .notNull()
      .references(() => eventMedia.id, { onDelete: "cascade" }),
    sortOrder: integer("sort_order").notNull(),
  },
  (t) => [primaryKey({ columns: [t.tagId, t.mediaId] }), index("tag_media_media").on(t.mediaId)],
);

/** What an event's space shows beside tags and media. There is a row once something of it was saved. */
export const eventScenes = sqliteTable(
  "event_scenes",
  {
    eventId: text("event_id")
      .primaryKey()
      .references(() => events.id, { onDelete: "cascade" }),
    startView: text("start_view", { mode: "json" }).$type<Viewpoint>(),
    tour: text("tour", { mode: "json" }).$type<readonly TourStop[]>().notNull().default([]),
    plan: text("plan", { mode: "json" }).$type<FloorPlan>(),
    updatedAt: text("updated_at").notNull(),
    version: integer("version").notNull().default(1),
    products: text("products", { mode: "json" }).$type<readonly TagProduct[]>().notNull().default([]),
  },
  () => [
    rule(
      "event_scenes_json",
      "json_valid(tour) AND (start_view IS NULL OR json_valid(start_view)) AND (plan IS NULL OR json_valid(plan))",
    ),
    rule("event_scenes_products", "json_valid(products)"),
  ],
);

/** The thing of a change was not there before it: part of an index, so queries must say it just so. */
export const CHANGE_ADDS = "before IS NULL";
/** It is not there any more. */
export const CHANGE_REMOVES = "after IS NULL";

/** Every change of an event and of its content, with how the thing was before and after it. */
export const eventChanges = sqliteTable(
  "event_changes",
  {
    seq: integer("seq").primaryKey({ autoIncrement: true }),
    eventId: text("event_id")
      .notNull()
      .references(() => events.id, { onDelete: "cascade" }),
    at: text("at").notNull(),
    /** Null for what the clock has done. No reference: the account may be gone one day. */
    actorId: text("actor_id"),
    /** Of all changes of one call. */
    act: text("act").notNull(),
    /** Which command of the call it was. */
    part: integer("part").notNull(),
    itemType: text("item_type").$type<ChangeType>().notNull(),
    itemId: text("item_id").notNull(),
    /** Null: it was not there. */
    before: text("before"),
    /** Null: it is not there any more. */
    after: text("after"),
  },
  (t) => [
    index("event_changes_event").on(t.eventId, t.seq),
    // All that a list of changes tells, so that none of what they changed is read for it.
    index("event_changes_marks").on(
      ...[t.eventId, t.seq, t.itemType, t.itemId, t.at, t.actorId, t.act],
      ...[sql.raw(CHANGE_ADDS), sql.raw(CHANGE_REMOVES)],
    ),
    index("event_changes_fields").on(t.eventId, t.seq).where(sql.raw("item_type = 'event'")),
    uniqueIndex("event_changes_act").on(t.act, t.part),
    rule("event_changes_type", "item_type IN ('tag', 'media', 'scene', 'order', 'event')"),
    rule(
      "event_changes_json",
      "(before IS NULL OR json_valid(before)) AND (after IS NULL OR json_valid(after))",
    ),
  ],
);

export const libraryItems = sqliteTable(
  "library_items",
  {
    id: text("id").primaryKey(),
    folderId: text("folder_id")
      .notNull()
      .references(() => folders.id),
    ownerId: text("owner_id")
      .notNull()
      .references(() => users.id),
    groupId: text("group_id").references(() => groups.id, { onDelete: "set null" }),
    kind: text("kind").$type<MediaKind>().notNull(),
    title: text("title").notNull(),
    /** nameKey(title). */
    searchKey: text("search_key").notNull(),
    fileName: text("file_name").notNull(),
    mimeType: text("mime_type").notNull(),
    byteSize: integer("byte_size").notNull(),
    width: integer("width"),
    height: integer("height"),
    /** Seconds. */
    duration: real("duration"),
    /** Key in R2, another one for every file that was uploaded; null for web media. */
    fileKey: text("file_key"),
    /** Key in R2 of a small still picture: of a film's moment, a model from outside, a web medium's own. */
    thumbKey: text("thumb_key"),
    /** The address of a web medium. */
    webUrl: text("web_url"),
    /** What its oEmbed endpoint answered. */
    webEmbed: text("web_embed", { mode: "json" }).$type<Readonly<Record<string, unknown>>>(),
    createdAt: text("created_at").notNull(),
    updatedAt: text("updated_at").notNull(),
    version: integer("version").notNull().default(1),
    ...treeTrash(),
    /** Bytes of the still picture that somebody's browser has made: they count as the file does. 0 for a web medium's own, which is its byte_size. */
    stillSize: integer("still_size").notNull().default(0),
    /** Bytes of the files that were made of the file for visitors: they count as the file does. */
    preparedSize: integer("prepared_size").notNull().default(0),
  },
  (t) => [
    index("library_items_owner").on(t.ownerId, t.createdAt, t.id),
    ...treeIndexes("library_items", t.folderId, t),
    // A folder's content kept to some kinds is read from these.
    ...treeOrders.flatMap((order) => [
      index(`library_items_of_kind_by_${order}`)
        .on(t.folderId, t.kind, sql.raw(TREE_ORDERS[order]))
        .where(live()),
      index(`library_items_shared_of_kind_by_${order}`)
        .on(t.folderId, t.groupId, t.kind, sql.raw(TREE_ORDERS[order]))
        .where(shared()),
    ]),
    index("library_items_group").on(t.groupId).where(sql.raw(`group_id IS NOT NULL`)),
    uniqueIndex("library_items_file").on(t.fileKey),
    rule(
      "library_items_kind",
      "kind IN ('image', 'video', 'audio', 'pdf', 'model', 'splat', 'subtitle', 'web')",
    ),
    rule(
      "library_items_file_or_web",
      "(kind = 'web') = (file_key IS NULL) AND (kind = 'web') = (web_url IS NOT NULL)",
    ),
    rule("library_items_size", "byte_size >= 0"),
    rule("library_items_embed", "web_embed IS NULL OR json_valid(web_embed)"),
  ],
);

/** Stored files by their keys: what visitors receive other bytes in place of, and whether they have been checked. */
export const storedFiles = sqliteTable(
  "stored_files",
  {
    fileKey: text("file_key").primaryKey(),
    /** Edition of the rules by which the file was looked at (functions/media/metadata); 0 before that. */
    edition: integer("edition").notNull().default(0),
    /** JSON: see functions/media/overwrites. */
    overwrites: text("overwrites").notNull().default("[]"),
    /** 'waiting' for a verdict, or 'rejected'; null for files that may be used. */
    checkState: text("check_state").$type<CheckState>(),
    /** Reason that the verdict gave. */
    checkReason: text("check_reason").notNull().default(""),
    checkAttempts: integer("check_attempts").notNull().default(0),
    /** When the verdict is asked for next. */
    checkAt: text("check_at"),
  },
  (t) => [
    index("stored_files_edition").on(t.edition),
    index("stored_files_check").on(t.checkAt).where(sql.raw("check_state = 'waiting'")),
    rule("stored_files_overwrites", "json_valid(overwrites)"),
    rule("stored_files_check_state", "check_state IS NULL OR check_state IN ('waiting', 'rejected')"),
  ],
);

/** Conversions of library items' files in owners' browsers (decision 054). A row is about one version of the file. */
export const preparations = sqliteTable(
  "preparations",
  {
    itemId: text("item_id")
      .primaryKey()
      .references(() => libraryItems.id, { onDelete: "cascade" }),
    /** The version of the file. A row about another version means nothing. */
    fileKey: text("file_key").notNull(),
    state: text("state").$type<PreparationState>().notNull(),
    /** Why it failed; empty otherwise. */
    code: text("code").notNull().default(""),
    /** The conversion whose files visitors receive; null for none. */
    runId: text("run_id"),
    /** 0…1, of that conversion. */
    quality: real("quality"),
    /** JSON of that conversion: facts before and after, and losses. */
    facts: text("facts").notNull().default("{}"),
    /** JSON of the shape of its tiles (TileShape); null for none. */
    tiles: text("tiles"),
    /** The conversion under way, the browser that does it, and until when it has the file alone. */
    leaseId: text("lease_id"),
    leaseHolder: text("lease_holder"),
    leaseActorId: text("lease_actor_id"),
    leasedUntil: text("leased_until"),
    leaseQuality: real("lease_quality"),
    updatedAt: text("updated_at").notNull(),
  },
  (t) => [
    index("preparations_lease").on(t.leasedUntil).where(sql.raw("leased_until IS NOT NULL")),
    rule("preparations_state", "state IN ('waiting', 'done', 'failed', 'skipped')"),
    rule("preparations_facts", "json_valid(facts)"),
  ],
);

/** Files that conversions made: those of the conversion in use, and those that arrive for the one under way. */
export const preparedFiles = sqliteTable(
  "prepared_files",
  {
    /** library/{item}/prepared/{name}/{conversion} */
    fileKey: text("file_key").primaryKey(),
    itemId: text("item_id")
      .notNull()
      .references(() => libraryItems.id, { onDelete: "cascade" }),
    runId: text("run_id").notNull(),
    role: text("role").$type<PreparedRole>().notNull(),
    name: text("name").notNull(),
    mimeType: text("mime_type").notNull(),
    byteSize: integer("byte_size").notNull(),
    width: integer("width"),
    height: integer("height"),
    /** Seconds. */
    duration: real("duration"),
    /** R2 id of the multipart upload of a file that is sent in slices; empty for a complete file. */
    multipartId: text("multipart_id").notNull().default(""),
    /** JSON object: etags of the slices by their numbers. */
    parts: text("parts").notNull().default("{}"),
    /** Owner whose storage the file uses until its conversion is finished; null afterwards, when prepared_size includes it. */
    stagedFor: text("staged_for"),
  },
  (t) => [
    index("prepared_files_run").on(t.itemId, t.runId, t.role),
    index("prepared_files_staged").on(t.stagedFor).where(sql.raw("staged_for IS NOT NULL")),
    rule("prepared_files_role", "role IN ('display', 'preview', 'tile')"),
    rule("prepared_files_size", "byte_size > 0"),
  ],
);

/** Files on their way into a library, slice by slice. Each becomes a library item, or the new file of one that is there. */
export const uploads = sqliteTable(
  "uploads",
  {
    id: text("id").primaryKey(),
    /** Who sends it. */
    actorId: text("actor_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** Whose library it goes to. */
    ownerId: text("owner_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    folderId: text("folder_id")
      .notNull()
      .references(() => folders.id, { onDelete: "cascade" }),
    /** The item whose file it replaces; null for a new one. */
    replacesId: text("replaces_id").references(() => libraryItems.id, { onDelete: "cascade" }),
    fileName: text("file_name").notNull(),
    /** As the sender has declared it. */
    byteSize: integer("byte_size").notNull(),
    /** Bytes of each slice but the last. */
    partSize: integer("part_size").notNull(),
    /** What the sender knows the same file by when it is chosen again; empty when it has not said. */
    fingerprint: text("fingerprint").notNull().default(""),
    fileKey: text("file_key").notNull(),
    /** R2's name for the multipart upload. */
    multipartId: text("multipart_id").notNull(),
    createdAt: text("created_at").notNull(),
    /** When the job may clean it up; moves on with each slice. */
    expiresAt: text("expires_at").notNull(),
    /** Until when somebody is putting the slices together; null before. */
    claimedUntil: text("claimed_until"),
  },
  (t) => [
    uniqueIndex("uploads_file").on(t.fileKey),
    index("uploads_actor").on(t.actorId, t.createdAt, t.id),
    index("uploads_owner").on(t.ownerId),
    index("uploads_folder").on(t.folderId),
    index("uploads_replaces").on(t.replacesId).where(sql.raw("replaces_id IS NOT NULL")),
    index("uploads_expiry").on(t.expiresAt),
    rule("uploads_size", "byte_size > 0 AND part_size > 0"),
  ],
);

/** Slices that have arrived. */
export const uploadParts = sqliteTable(
  "upload_parts",
  {
    uploadId: text("upload_id")
      .notNull()
      .references(() => uploads.id, { onDelete: "cascade" }),
    /** From 1. */
    number: integer("number").notNull(),
    etag: text("etag").notNull(),
    byteSize: integer("byte_size").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.uploadId, t.number] }),
    rule("upload_parts_number", "number BETWEEN 1 AND 10000"),
  ],
);

/** What pages of Published events told (§4, §9), as it came, for 90 days. Nothing but writes and their guard reads it: reports read visit_totals. */
export const visitBatches = sqliteTable(
  "visit_batches",
  {
    /** In the order in which they were written, by which the oldest are found. */
    id: integer("id").primaryKey(),
    eventId: text("event_id")
      .notNull()
      .references(() => events.id, { onDelete: "cascade" }),
    /** A visit to a page, as the page calls itself: random. */
    visit: text("visit").notNull(),
    /** Which part of what that page tells. */
    part: integer("part").notNull(),
    at: text("at").notNull(),
    /** See visitor_days. */
    visitor: text("visitor").notNull(),
    /** The validated report of a page (domain/visit VisitSign). */
    detail: text("detail").notNull(),
  },
  (t) => [
    // Told twice, counted once.
    uniqueIndex("visit_batches_once").on(t.eventId, t.visit, t.part),
    rule("visit_batches_detail", "json_valid(detail)"),
  ],
);

/**
 * Visitors of a day of an event's time zone: what was counted of each, so that nothing is counted twice. No reference, and the day
 * first: a day goes as a whole when nobody can be recognised any more.
 */
export const visitorDays = sqliteTable(
  "visitor_days",
  {
    /** YYYY-MM-DD in the event's zone. */
    day: text("day").notNull(),
    eventId: text("event_id").notNull(),
    /** A hash under the day's salt: counts visitors, names nobody. */
    visitor: text("visitor").notNull(),
    /** Instants in milliseconds since 1970: of the last sign, and of the visit's first. */
    lastAt: integer("last_at").notNull(),
    startedAt: integer("started_at").notNull(),
    /** Of the visit, counted. */
    seconds: integer("seconds").notNull(),
    /** What the visitor has done on that day: a list of kinds. */
    did: text("did").notNull(),
    /** What was counted of the visit: a list of keys. */
    seen: text("seen").notNull(),
    /** Counts writes. A write that does not follow the one that it has read gives none, and fails. */
    version: integer("version").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.day, t.eventId, t.visitor] }),
    rule("visitor_days_lists", "json_valid(did) AND json_valid(seen)"),
  ],
);

/** Columns of the numbers of visits (VISIT_NUMBERS), which all tables of totals share. */
const visitNumbers = () => ({
  visits: integer("visits").notNull(),
  /** Visitors of each day, added up. */
  visitors: integer("visitors").notNull(),
  seconds: integer("seconds").notNull(),
  tags: integer("tags").notNull(),
  media: integer("media").notNull(),
  products: integer("products").notNull(),
  carts: integer("carts").notNull(),
  checkouts: integer("checkouts").notNull(),
  /** Visitors of each day who did it at least once, added up. */
  tagVisitors: integer("tag_visitors").notNull(),
  productVisitors: integer("product_visitors").notNull(),
  cartVisitors: integer("cart_visitors").notNull(),
  checkoutVisitors: integer("checkout_visitors").notNull(),
});

/** What was counted of an event in an hour, day, month or year of its time zone. Written with what it counts, in one batch. */
export const visitTotals = sqliteTable(
  "visit_totals",
  {
    eventId: text("event_id")
      .notNull()
      .references(() => events.id, { onDelete: "cascade" }),
    /** hour, day, month, year. */
    grain: text("grain").$type<Grain>().notNull(),
    /** 2026-04-01T09, 2026-04-01, 2026-04, 2026. */
    period: text("period").notNull(),
    ...visitNumbers(),
    /** Numbers by what they are about: {"tag:…": 3, "country:JP": 2}. Empty for hours. */
    parts: text("parts").notNull(),
    /** Says nothing any more (see visit_ranks), and stays: without it every list would have to be written anew. */
    spaceId: text("space_id"),
  },
  (t) => [
    primaryKey({ columns: [t.eventId, t.grain, t.period] }),
    rule("visit_totals_grain", "grain IN ('hour', 'day', 'month', 'year')"),
    rule("visit_totals_parts", "json_valid(parts)"),
  ],
);

/**
 * The same of all events of a space that are not in the trash, so that a report of many events reads few rows. Kept by triggers on visit_totals and
 * events alone.
 */
export const visitSpaceTotals = sqliteTable(
  "visit_space_totals",
  {
    spaceId: text("space_id")
      .notNull()
      .references(() => spaces.id, { onDelete: "cascade" }),
    /** As of visit_totals, like the period and the numbers. */
    grain: text("grain").$type<Grain>().notNull(),
    period: text("period").notNull(),
    /** Events that had visits. */
    events: integer("events").notNull(),
    ...visitNumbers(),
  },
  (t) => [primaryKey({ columns: [t.spaceId, t.grain, t.period] })],
);

/** The same of all spaces of an account that are not in the trash. Kept by triggers on visit_space_totals and spaces alone. */
export const visitAccountTotals = sqliteTable(
  "visit_account_totals",
  {
    ownerId: text("owner_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** As of visit_totals, like the period and the numbers. */
    grain: text("grain").$type<Grain>().notNull(),
    period: text("period").notNull(),
    /** Spaces whose events had visits. */
    spaces: integer("spaces").notNull(),
    ...visitNumbers(),
  },
  (t) => [
    primaryKey({ columns: [t.ownerId, t.grain, t.period] }),
    // What is left of spaces that went to the trash goes.
    index("visit_account_totals_none").on(t.ownerId).where(sql`spaces = 0`),
  ],
);

/**
 * The visits of each event by day, month and year once more, by which the most visited ones of a space and of an account are found: beside visit_totals,
 * whose long lists would be written anew with every event that moves. Kept by triggers on visit_totals, events and spaces alone.
 */
export const visitRanks = sqliteTable(
  "visit_ranks",
  {
    eventId: text("event_id").notNull(),
    grain: text("grain").$type<Exclude<Grain, "hour">>().notNull(),
    period: text("period").notNull(),
    visits: integer("visits").notNull(),
    /** Null while the event is in the trash. */
    spaceId: text("space_id"),
    /** Null while the event or its space is in the trash. */
    ownerId: text("owner_id"),
  },
  (t) => [
    primaryKey({ columns: [t.eventId, t.grain, t.period] }),
    index("visit_ranks_of_space")
      .on(t.spaceId, t.grain, t.period, t.visits, t.eventId)
      .where(sql`space_id IS NOT NULL`),
    index("visit_ranks_of_account")
      .on(t.ownerId, t.grain, t.period, t.visits, t.eventId)
      .where(sql`owner_id IS NOT NULL`),
  ],
);

/** Visitors by the minute of their last sign: the last five minutes say how many are there now. */
export const visitLive = sqliteTable(
  "visit_live",
  {
    /** Minutes since 1970. */
    minute: integer("minute").notNull(),
    eventId: text("event_id").notNull(),
    visitors: integer("visitors").notNull(),
  },
  (t) => [primaryKey({ columns: [t.minute, t.eventId] })],
);

/** The same of all events of a space that are not in the trash. Kept by triggers on visit_live and events alone. */
export const visitSpaceLive = sqliteTable(
  "visit_space_live",
  {
    spaceId: text("space_id")
      .notNull()
      .references(() => spaces.id, { onDelete: "cascade" }),
    minute: integer("minute").notNull(),
    visitors: integer("visitors").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.spaceId, t.minute] }),
    // What nobody asks for any more goes.
    index("visit_space_live_minute").on(t.minute),
  ],
);

/** The same of all spaces of an account that are not in the trash. Kept by triggers on visit_space_live and spaces alone. */
export const visitAccountLive = sqliteTable(
  "visit_account_live",
  {
    ownerId: text("owner_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    minute: integer("minute").notNull(),
    visitors: integer("visitors").notNull(),
  },
  (t) => [primaryKey({ columns: [t.ownerId, t.minute] }), index("visit_account_live_minute").on(t.minute)],
);

/** What stores call the products that visitors looked at, so that a report can name them without asking anybody. */
export const visitProducts = sqliteTable(
  "visit_products",
  {
    eventId: text("event_id")
      .notNull()
      .references(() => events.id, { onDelete: "cascade" }),
    /** The product's in its store. */
    number: text("number").notNull(),
    lang: text("lang").$type<Lang>().notNull(),
    title: text("title").notNull(),
  },
  (t) => [primaryKey({ columns: [t.eventId, t.number, t.lang] })],
);

/** The last response of each event's store that could be used (`answer`), and its last failure (decision 048). */
export const storeResponses = sqliteTable(
  "store_responses",
  {
    eventId: text("event_id")
      .notNull()
      .references(() => events.id, { onDelete: "cascade" }),
    kind: text("kind").$type<"answer" | "failure">().notNull(),
    /** The store at that time: an event may have another one now. */
    origin: text("origin").notNull(),
    at: text("at").notNull(),
    operation: text("operation").$type<StoreOperation>().notNull(),
    code: text("code").$type<StoreFailureCode>(),
    status: integer("status"),
    message: text("message").notNull(),
    scope: text("scope"),
    version: text("version"),
    ms: integer("ms").notNull(),
    attempts: integer("attempts").notNull(),
  },
  (t) => [primaryKey({ columns: [t.eventId, t.kind] })],
);

/** Mails about statuses that the clock has changed, until they are sent (decision 037). */
export const statusMails = sqliteTable(
  "status_mails",
  {
    /** The audit entry of the change. */
    id: text("id").primaryKey(),
    eventId: text("event_id")
      .notNull()
      .references(() => events.id, { onDelete: "cascade" }),
    /** What the event became. */
    statusId: integer("status_id").$type<EventStatusId>().notNull(),
    /** When: the event's own date, however late the job was. */
    happenedAt: text("happened_at").notNull(),
    /** When it may be sent; null while somebody does, and for ever where that was cut off: it may have gone out. */
    nextAt: text("next_at"),
    tries: integer("tries").notNull(),
  },
  (t) => [
    index("status_mails_due").on(t.nextAt).where(sql`next_at IS NOT NULL`),
    index("status_mails_event").on(t.eventId),
  ],
);

/** Events whose visits are deleted: what came before that counts no more, and goes in parts. */
export const visitErasures = sqliteTable("visit_erasures", {
  eventId: text("event_id")
    .primaryKey()
    .references(() => events.id, { onDelete: "cascade" }),
  before: text("before").notNull(),
});

export const audit = sqliteTable(
  "audit",
  {
    id: text("id").primaryKey(),
    at: text("at").notNull(),
    /** Null for the clock and for visitors. Not a reference: entries outlive accounts. */
    actorId: text("actor_id"),
    action: text("action").notNull(),
    resourceType: text("resource_type").notNull(),
    resourceId: text("resource_id").notNull(),
    detail: text("detail", { mode: "json" }).$type<Readonly<Record<string, unknown>>>().notNull(),
    /** Whom an entry about something else is about as well: the member of a group. */
    subjectId: text("subject_id"),
    /** By which session or access token it was done: `session:` and a handle, or `token:` and an id. Neither opens anything. */
    credential: text("credential"),
    /** Keyed hash of the network from which it was done. */
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

/** Every table by its name in the code. */
export const tables = {
  users,
  userCounts,
  userDocs,
  userImports,
  imports,
  sessions,
  userLinks,
  passkeys,
  passkeyChallenges,
  secondFactors,
  secondFactorResets,
  accessTokens,
  webhooks,
  webhookMessages,
  logInGuesses,
  logInNetworks,
  idempotentResponses: idempotentResponses,
  groups,
  groupMembers,
  folders,
  spaces,
  spaceFiles,
  events,
  eventTags,
  eventMedia,
  tagMedia,
  eventScenes,
  eventChanges,
  libraryItems,
  // After what it numbers, whose triggers look up their numbers.
  treeDocs,
  storedFiles,
  preparations,
  preparedFiles,
  uploads,
  uploadParts,
  visitBatches,
  visitorDays,
  visitTotals,
  visitSpaceTotals,
  visitAccountTotals,
  visitRanks,
  visitLive,
  visitSpaceLive,
  visitAccountLive,
  visitProducts,
  storeResponses,
  statusMails,
  visitErasures,
  audit,
};
