/** Tables of sessions, links, passkeys, second factors, wrong passwords and known networks. */

import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { LinkPurpose } from "~/domain/shared/model";
import { rule } from "./shared";
import { users } from "./users";

export const sessions = sqliteTable(
  "sessions",
  {
    /** SHA-256 of the ticket (the secret in the browser's cookie), hex. */
    id: text("id").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: text("created_at").notNull(),
    expiresAt: text("expires_at").notNull(),
    lastSeenAt: text("last_seen_at").notNull(),
    userAgent: text("user_agent").notNull(),
    /** Time of the last password or passkey check; null means the start of the session. */
    authenticatedAt: text("authenticated_at"),
  },
  (t) => [index("sessions_user").on(t.userId), index("sessions_expiry").on(t.expiresAt)],
);

/** Links in mails: to set a password, to accept an invitation, to confirm a new address. Each works once. */
export const userLinks = sqliteTable(
  "user_links",
  {
    /** SHA-256 of the link's token, hex. */
    id: text("id").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    purpose: text("purpose").$type<LinkPurpose>().notNull(),
    /** The recipient's address, which using the link verifies. */
    email: text("email").notNull(),
    createdAt: text("created_at").notNull(),
    expiresAt: text("expires_at").notNull(),
    usedAt: text("used_at"),
    /** For an invitation: an administrator has approved the account in advance, so that accepting it activates the account. */
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
    /** The authenticator's signature counter; 0 if it has none. */
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

/** Pending WebAuthn challenges. Each is deleted when it is used. */
export const passkeyChallenges = sqliteTable(
  "passkey_challenges",
  {
    /** The challenge, base64url. */
    id: text("id").primaryKey(),
    /** The user who adds a passkey; null for a log-in or a reauthentication. */
    userId: text("user_id").references(() => users.id, { onDelete: "cascade" }),
    expiresAt: text("expires_at").notNull(),
  },
  (t) => [index("passkey_challenges_expiry").on(t.expiresAt), index("passkey_challenges_user").on(t.userId)],
);

/** Authenticator apps as second factors, one for each account. */
export const secondFactors = sqliteTable(
  "second_factors",
  {
    userId: text("user_id")
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The secret of RFC 6238, sealed for this account (security/seal-text.ts). */
    secret: text("secret").notNull(),
    /** Time step (RFC 6238) of the last used code, so that no code works twice. */
    lastCounter: integer("last_counter").notNull(),
    /** SHA-256 of the remaining recovery codes, hex. */
    recoveryCodes: text("recovery_codes", { mode: "json" }).$type<readonly string[]>().notNull(),
    createdAt: text("created_at").notNull(),
    /** Wrong codes since the last correct one. */
    failures: integer("failures").notNull().default(0),
    /** Codes are not checked before this time, after too many wrong ones. */
    blockedUntil: text("blocked_until"),
  },
  () => [rule("second_factors_json", "json_valid(recovery_codes)")],
);

/** Resets by `npm run admin`, which sends no mail. The cron trigger notifies the owner and deletes the row. */
export const secondFactorResets = sqliteTable("second_factor_resets", {
  userId: text("user_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  at: text("at").notNull(),
});

/** Wrong passwords by subject: an account, browser, network or unknown address (functions/services/auth/log-in-limits.ts), and times of warnings about them. Times are epoch milliseconds. */
export const logInGuesses = sqliteTable(
  "log_in_guesses",
  {
    id: text("id").primaryKey(),
    /** The subject of the counts. Addresses without an account share a limited number of rows. */
    owner: text("owner").notNull(),
    /** Wrong passwords in the hour and in the day (UTC) of the last one. */
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
    /** Time of the last noted log-in, in epoch milliseconds. At most one log-in in 24 hours is noted. */
    lastAt: integer("last_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.network] }), index("log_in_networks_age").on(t.lastAt)],
);
