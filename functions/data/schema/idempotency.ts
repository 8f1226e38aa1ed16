/** Table of responses to calls with an idempotency key. */

import { index, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { users } from "./users";

/** Responses to calls with an Idempotency-Key, for repeated calls. */
export const idempotentResponses = sqliteTable(
  "kept_answers",
  {
    /** SHA-256 of the caller and the key, in hex. The key itself, without which the response cannot be decrypted, is not stored. */
    id: text("id").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** SHA-256 of the request, in hex. */
    requestHash: text("asked").notNull(),
    beganAt: text("began_at").notNull(),
    expiresAt: text("expires_at").notNull(),
    /** Encrypted (functions/security/seal-text.ts). Null while the call is running. */
    response: text("answer"),
  },
  (t) => [index("kept_answers_expiry").on(t.expiresAt), index("kept_answers_user").on(t.userId)],
);
