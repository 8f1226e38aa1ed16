/** Tables of API tokens and webhooks. */

import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "~/domain/shared/model";
import type { Scope } from "~/domain/webhooks/scopes";
import type {
  DeliveryAttempt,
  DisabledReason,
  EventMessageType,
  MessageState,
  MessageType,
} from "~/domain/webhooks/webhooks";
import { events } from "./events";
import { rule } from "./shared";
import { spaces } from "./spaces";
import { users } from "./users";

export const TOKEN_ORDER = "created_at || id";

export const WEBHOOK_ORDER = "created_at || id";

export const MESSAGE_ORDER = "at || id";

/** Condition for a message that is neither delivered nor failed. */
export const WAITING = "state = 'waiting'";

/** API tokens. They end when the password changes, and when the account may no longer log in. */
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
    /** First characters after the prefix, by which the owner recognises the token. */
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

/** URLs that receive messages about an owner's events. */
export const webhooks = sqliteTable(
  "webhooks",
  {
    id: text("id").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    url: text("url").notNull(),
    /** Types of messages that it receives. */
    types: text("types", { mode: "json" }).$type<readonly EventMessageType[]>().notNull(),
    /** Limits it to events of this space. */
    spaceId: text("space_id").references(() => spaces.id, { onDelete: "cascade" }),
    /** Limits it to this event. */
    eventId: text("event_id").references(() => events.id, { onDelete: "cascade" }),
    /** Encrypted (services/webhooks/webhook-secrets.ts). Messages are signed with it, so a hash would not be enough. */
    secret: text("secret").notNull(),
    /** The previous secret, with which messages are also signed until `previousUntil`. */
    previousSecret: text("previous_secret"),
    previousUntil: text("previous_until"),
    createdAt: text("created_at").notNull(),
    updatedAt: text("updated_at").notNull(),
    version: integer("version").notNull().default(1),
    /** Time at which sending was stopped. */
    disabledAt: text("disabled_at"),
    disabledWhy: text("disabled_why").$type<DisabledReason>(),
    /** Start of the current series of failures; null if there is none. */
    failingSince: text("failing_since"),
    /** Earlier secrets than `previousSecret`. Messages are also signed with each of them until its `until`. */
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
 * Messages to endpoints: waiting, delivered or failed. Triggers write those about events in the batch of the change that they report, so that no
 * change lacks its message.
 */
export const webhookMessages = sqliteTable(
  "webhook_messages",
  {
    id: text("id").primaryKey(),
    webhookId: text("webhook_id")
      .notNull()
      .references(() => webhooks.id, { onDelete: "cascade" }),
    /** The event; null for a test. Not a reference, because messages also report deleted events. */
    eventId: text("event_id"),
    type: text("type").$type<MessageType>().notNull(),
    /** Time of the reported change. */
    at: text("at").notNull(),
    state: text("state").$type<MessageState>().notNull().default("waiting"),
    /** The message's body, written before the first attempt and unchanged after it. */
    body: text("body"),
    /** Attempts of the current round; a manual resend begins another round. */
    attempts: integer("attempts").notNull().default(0),
    /** Time of the next attempt. */
    nextAt: text("next_at").notNull(),
    /** Time until which the call that is sending it keeps other calls out. */
    claimedUntil: text("claimed_until"),
    /** The last attempts, oldest first. */
    log: text("log", { mode: "json" }).$type<readonly DeliveryAttempt[]>().notNull().default([]),
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
