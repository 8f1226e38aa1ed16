/** Tables of an event's content. */

import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { StoredPlacement } from "~/domain/content/placement";
import type { FloorPlan, TagProduct, TourStop, Vec3, Viewpoint } from "~/domain/shared/model";
import { events } from "./events";
import { libraryItems } from "./library";
import { IN_TRASH, localText, rule, trash } from "./shared";

export const eventTags = sqliteTable(
  "event_tags",
  {
    id: text("id").primaryKey(),
    eventId: text("event_id")
      .notNull()
      .references(() => events.id, { onDelete: "cascade" }),
    titleJa: localText("title_ja"),
    titleEn: localText("title_en"),
    bodyJa: localText("body_ja"),
    bodyEn: localText("body_en"),
    color: text("color").notNull(),
    icon: text("icon").notNull(),
    keywords: text("keywords", { mode: "json" }).$type<readonly string[]>().notNull(),
    linkUrl: text("link_url"),
    position: text("position", { mode: "json" }).$type<Vec3>(),
    /** Vector from the position to the marker, in metres. */
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
    titleJa: localText("title_ja"),
    titleEn: localText("title_en"),
    descriptionJa: localText("description_ja"),
    descriptionEn: localText("description_en"),
    /** Old placements lack newer fields. Read them with storedPlacement. */
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

/** The parts of an event's scene other than tags and media. An event whose scene was never saved has no row. */
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
