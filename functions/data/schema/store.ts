/** Table of the stores' last responses. */

import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { StoreFailureCode, StoreOperation } from "~/domain/store/store";
import { events } from "./events";

/** The last successful response (`answer`) and the last failure of each event's store (decision 048). */
export const storeResponses = sqliteTable(
  "store_responses",
  {
    eventId: text("event_id")
      .notNull()
      .references(() => events.id, { onDelete: "cascade" }),
    kind: text("kind").$type<"answer" | "failure">().notNull(),
    /** Origin of the store at that time. The event may have another store now. */
    origin: text("origin").notNull(),
    at: text("at").notNull(),
    operation: text("operation").$type<StoreOperation>().notNull(),
    code: text("code").$type<StoreFailureCode>(),
    status: integer("status"),
    message: text("message").notNull(),
    /** The access scope that the token lacks; null for other responses. */
    scope: text("scope"),
    /** The API version that responded; null if the store does not state it. */
    version: text("version"),
    /** Duration of the call with all its attempts, in milliseconds. */
    ms: integer("ms").notNull(),
    attempts: integer("attempts").notNull(),
  },
  (t) => [primaryKey({ columns: [t.eventId, t.kind] })],
);
