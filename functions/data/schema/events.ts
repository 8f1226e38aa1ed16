/** Tables of events, their changes and the mails about their statuses. */

import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { ChangeType } from "~/domain/content/content";
import type { EventCheck } from "~/domain/events/publish-checklist";
import type { EventStatusId } from "~/domain/shared/model";
import { IN_TRASH, LIVE, localText, rule, trash } from "./shared";
import { spaces } from "./spaces";

/** Events whose start may still change their status. */
export const AWAITS_START = `${LIVE} AND enable_auto_change_status = 1 AND status_id IN (1, 2)`;

/** Events whose end may still change their status. */
export const AWAITS_END = `${LIVE} AND enable_auto_change_status = 1 AND status_id IN (1, 2, 3)`;

/** Sort order of the trash of a space. */
const EVENT_TRASH_ORDER = "deleted_at || id";

export const events = sqliteTable(
  "events",
  {
    id: text("id").primaryKey(),
    spaceId: text("space_id")
      .notNull()
      .references(() => spaces.id, { onDelete: "cascade" }),
    /** The single name of the specification (specification §3): singleText of the names. */
    eventName: text("event_name").notNull(),
    startDate: text("start_date"),
    endDate: text("end_date"),
    statusId: integer("status_id").$type<EventStatusId>().notNull().default(1),
    enableAutoChangeStatus: integer("enable_auto_change_status", { mode: "boolean" }).notNull().default(true),
    /** Token of the public link. */
    accessToken: text("access_token").notNull(),
    previewAccessToken: text("preview_access_token").notNull(),
    /** Storefront token and URL of the event's Shopify store. */
    spAccessToken: text("sp_access_token"),
    spStoreUrl: text("sp_store_url"),
    detailJa: localText("detail_ja"),
    /** Serialised as in specification §3. Read with deserialiseUrlParams. */
    urlParams: text("url_params").notNull().default("{}"),
    publishPasswordHash: text("publish_password_hash"),
    createdAt: text("created_at").notNull(),
    updatedAt: text("updated_at").notNull(),
    version: integer("version").notNull().default(1),
    /** Written by triggers: increases with every change that a visitor's page could show. */
    revision: integer("revision").notNull().default(1),
    ...trash(),
    /** Start of the stored history; null if it is complete. */
    historyFrom: text("history_from"),
    /** The status that webhooks were last notified of: the result of statusAt at the last save of the event or of its status. */
    announcedStatus: integer("announced_status").$type<EventStatusId>().notNull().default(1),
    /**
     * Written by triggers: bytes of its details, parameters, tags, media, scene and history, with a fixed amount for each row (decision
     * 045).
     */
    contentBytes: integer("content_bytes").notNull().default(0),
    /** Whether visitors see the name and the cover image before they enter the password. */
    showBeforePassword: integer("show_before_password", { mode: "boolean" }).notNull().default(false),
    detailEn: localText("detail_en"),
    nameJa: localText("name_ja"),
    nameEn: localText("name_en"),
    /** Each name, normalised for comparison (nameKey). Names with the same key count as the same (specification §5). */
    nameKeyJa: localText("name_key_ja"),
    nameKeyEn: localText("name_key_en"),
  },
  (t) => [
    index("events_space").on(t.spaceId, t.createdAt, t.id),
    index("events_start").on(t.startDate).where(sql.raw(AWAITS_START)),
    index("events_end").on(t.endDate).where(sql.raw(AWAITS_END)),
    index("events_trash").on(t.spaceId, sql.raw(EVENT_TRASH_ORDER)).where(sql.raw(IN_TRASH)),
    index("events_expired").on(t.deletedAt).where(sql.raw(IN_TRASH)),
    rule("events_status", "status_id IN (1, 2, 3, 4)"),
    rule("events_auto_change", "enable_auto_change_status IN (0, 1)"),
    rule("events_event_name", "length(event_name) BETWEEN 1 AND 32"),
    rule("events_detail", "length(detail_ja) <= 1000"),
    rule("events_detail_en", "length(detail_en) <= 1000"),
    rule("events_name_ja", "length(name_ja) <= 32"),
    rule("events_name_en", "length(name_en) <= 32"),
    rule("events_names", "event_name = iif(name_ja = '', name_en, name_ja)"),
    rule("events_tokens", "length(access_token) >= 43 AND length(preview_access_token) >= 43"),
    rule("events_url_params", "json_valid(url_params)"),
  ],
);

/** Written by triggers: the names of a space's events that are not in the trash. No two events have the same name in any language (specification §5). */
export const eventNames = sqliteTable(
  "event_names",
  {
    spaceId: text("space_id").notNull(),
    nameKey: text("name_key").notNull(),
    eventId: text("event_id")
      .notNull()
      .references(() => events.id, { onDelete: "cascade" }),
  },
  (t) => [primaryKey({ columns: [t.spaceId, t.nameKey] }), index("event_names_event").on(t.eventId)],
);

/** Condition for a change that created or restored the item. An index contains this expression, so queries must repeat it. */
export const CHANGE_ADDS = "before IS NULL";

/** Condition for a change that deleted the item. */
export const CHANGE_REMOVES = "after IS NULL";

/** Changes of events and of their content, with the state of the item before and after each. */
export const eventChanges = sqliteTable(
  "event_changes",
  {
    seq: integer("seq").primaryKey({ autoIncrement: true }),
    eventId: text("event_id")
      .notNull()
      .references(() => events.id, { onDelete: "cascade" }),
    at: text("at").notNull(),
    /** Null for automatic changes. Not a foreign key, because the account may be deleted later. */
    actorId: text("actor_id"),
    /** Id of the call; all of its changes share it. */
    act: text("act").notNull(),
    /** Index of the command within the call. */
    part: integer("part").notNull(),
    itemType: text("item_type").$type<ChangeType>().notNull(),
    itemId: text("item_id").notNull(),
    /** Null if the change created or restored the item. */
    before: text("before"),
    /** Null if the change deleted the item. */
    after: text("after"),
  },
  (t) => [
    index("event_changes_event").on(t.eventId, t.seq),
    // Contains all columns of the list of changes, so that the list does not read the rows.
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

/** Mails about automatic status changes, until they are sent (decision 037). */
export const statusMails = sqliteTable(
  "status_mails",
  {
    /** The audit entry of the change. */
    id: text("id").primaryKey(),
    eventId: text("event_id")
      .notNull()
      .references(() => events.id, { onDelete: "cascade" }),
    /** The event's new status. */
    statusId: integer("status_id").$type<EventStatusId>().notNull(),
    /** The date of the event that caused the status, even if the cron trigger ran later. */
    happenedAt: text("happened_at").notNull(),
    /** Time of the next attempt. Null during an attempt; stays null if the attempt was interrupted, because the mail may have been sent. */
    nextAt: text("next_at"),
    tries: integer("tries").notNull(),
  },
  (t) => [
    index("status_mails_due").on(t.nextAt).where(sql`next_at IS NOT NULL`),
    index("status_mails_event").on(t.eventId),
  ],
);

/** The last time at which an editor checked an event by opening its preview link, its public link or the preview at phone size. */
export const eventChecks = sqliteTable(
  "event_checks",
  {
    eventId: text("event_id")
      .notNull()
      .references(() => events.id, { onDelete: "cascade" }),
    name: text("name").$type<EventCheck>().notNull(),
    at: text("at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.eventId, t.name] }),
    rule("event_checks_name", "name IN ('preview', 'published', 'phone')"),
  ],
);
