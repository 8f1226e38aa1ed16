/** Tables of visits. */

import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Grain } from "~/domain/analytics/visit";
import type { Lang } from "~/domain/shared/model";
import { events } from "./events";
import { rule } from "./shared";
import { spaces } from "./spaces";
import { users } from "./users";

/** Columns of the numbers of visits (VISIT_NUMBERS), which all tables of totals share. */
const visitNumbers = () => ({
  visits: integer("visits").notNull(),
  /** Sum of the visitors of each day. */
  visitors: integer("visitors").notNull(),
  seconds: integer("seconds").notNull(),
  tags: integer("tags").notNull(),
  media: integer("media").notNull(),
  products: integer("products").notNull(),
  carts: integer("carts").notNull(),
  checkouts: integer("checkouts").notNull(),
  /** Sum of the visitors of each day who opened a tag. The next columns count other actions in the same way. */
  tagVisitors: integer("tag_visitors").notNull(),
  productVisitors: integer("product_visitors").notNull(),
  cartVisitors: integer("cart_visitors").notNull(),
  checkoutVisitors: integer("checkout_visitors").notNull(),
});

/** The last flush of each event's room, which adds sums of visits (decision 095). Written in one batch with these sums, so that each flush is added only once. */
export const visitRooms = sqliteTable("visit_rooms", {
  eventId: text("event_id")
    .primaryKey()
    .references(() => events.id, { onDelete: "cascade" }),
  /** Random name of the room's storage. */
  room: text("room").notNull(),
  /** Number of the flush. A flush that does not follow the stored one sets NULL, so that its batch fails. */
  sequence: integer("sequence").notNull(),
  /** Time until which the flushes contain all visits of the event. */
  flushedAt: text("flushed_at").notNull(),
});

/** Numbers of an event in an hour, day, month or year of its owner's time zone. Flushes of the event's room add to them. */
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
    /** Numbers by part: {"tag:…": 3, "country:JP": 2}. Empty for hours. */
    parts: text("parts").notNull(),
    /** Unused (see visit_ranks). Removing the column would rewrite every list. */
    spaceId: text("space_id"),
  },
  (t) => [
    primaryKey({ columns: [t.eventId, t.grain, t.period] }),
    rule("visit_totals_grain", "grain IN ('hour', 'day', 'month', 'year')"),
    rule("visit_totals_parts", "json_valid(parts)"),
  ],
);

/**
 * The sums of visit_totals over all events of a space that are not in the trash, so that a report of many events reads few rows. Only
 * triggers on visit_totals and events write it.
 */
export const visitSpaceTotals = sqliteTable(
  "visit_space_totals",
  {
    spaceId: text("space_id")
      .notNull()
      .references(() => spaces.id, { onDelete: "cascade" }),
    /** As in visit_totals, like the period and the numbers. */
    grain: text("grain").$type<Grain>().notNull(),
    period: text("period").notNull(),
    /** Number of events with visits. */
    events: integer("events").notNull(),
    ...visitNumbers(),
  },
  (t) => [primaryKey({ columns: [t.spaceId, t.grain, t.period] })],
);

/**
 * The sums of visit_space_totals over all spaces of an account that are not in the trash. Only triggers on visit_space_totals and spaces
 * write it.
 */
export const visitAccountTotals = sqliteTable(
  "visit_account_totals",
  {
    ownerId: text("owner_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** As in visit_totals, like the period and the numbers. */
    grain: text("grain").$type<Grain>().notNull(),
    period: text("period").notNull(),
    /** Number of spaces whose events had visits. */
    spaces: integer("spaces").notNull(),
    ...visitNumbers(),
  },
  (t) => [
    primaryKey({ columns: [t.ownerId, t.grain, t.period] }),
    // For deleting the rows without spaces.
    index("visit_account_totals_none").on(t.ownerId).where(sql`spaces = 0`),
  ],
);

/**
 * The visits of each event by day, month and year, sorted to find the most visited events of a space and of an account. It is separate from
 * visit_totals, whose long lists would be rewritten whenever an event's rank changes. Only triggers on visit_totals, events and spaces write it.
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

/** Visitors by the minute of their last signal. The visitors of the last five minutes count as live. */
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

/** The sums of visit_live over all events of a space that are not in the trash. Triggers on visit_live and events write it; the cron trigger deletes expired minutes. */
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
    // For deleting expired minutes.
    index("visit_space_live_minute").on(t.minute),
  ],
);

/**
 * The sums of visit_space_live over all spaces of an account that are not in the trash. Triggers on visit_space_live and spaces write it; the cron
 * trigger deletes expired minutes.
 */
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

/** Names of the viewed products, so that a report needs no call to the store. */
export const visitProducts = sqliteTable(
  "visit_products",
  {
    eventId: text("event_id")
      .notNull()
      .references(() => events.id, { onDelete: "cascade" }),
    /** The product's id in its store. */
    number: text("number").notNull(),
    lang: text("lang").$type<Lang>().notNull(),
    title: text("title").notNull(),
  },
  (t) => [primaryKey({ columns: [t.eventId, t.number, t.lang] })],
);
