/** Ports of log-ins, sessions, passkeys and links in mails. */

import type { PasskeyRegistration, PasskeySignIn } from "~/domain/auth/passkey.schema";
import type { Instant, Lang, LinkPurpose, Role, User, UserStatus, Uuid } from "~/domain/shared/model";
import type { Scope } from "~/domain/webhooks/scopes";
import type { AuditEntry } from "../shared/ports";

/** Creates and verifies slow password hashes. A hash contains its own parameters, so old hashes stay valid when the parameters are raised. */
export interface PasswordHasher {
  hash(password: string): Promise<string>;
  /** Returns false, and does not throw, for a hash in an unknown format. */
  verify(password: string, hash: string): Promise<boolean>;
  /** A hash that no password matches and that costs as much to verify as a real one. */
  readonly dummyHash: string;
}

/**
 * Counts failed attempts by key; successful attempts are not counted. A key is free again when its window of a minute ends. Keys of three prefixes stand for
 * many users and have higher limits than an account: `place:` for a network; `event:` for all visitors of an event and `site:` for an IPv6 /48, which
 * have the highest limit (ATTEMPT_LIMITS).
 * Counts may be approximate across machines, but are exact within one isolate: an attempt is counted before it is checked, so that simultaneous
 * attempts are not all admitted.
 */
export interface RateLimiter {
  /**
   * Reserves one attempt. Returns false when failed and pending attempts have used up the limit. After each true, the caller calls `fail` or
   * `release`; without either, the attempt counts as a failure.
   */
  reserve(key: string): Promise<boolean>;
  /** Counts the reserved attempt as failed until the window ends. Returns false when that exceeds the limit. */
  fail(key: string): Promise<boolean>;
  /** Gives a reserved attempt back: it succeeded, or was not checked. */
  release(key: string): void;
  /**
   * Records an attempt for the operator's log.
   * @param limitName name of the limit, such as "log-in"
   * @param account the account of the secret; null if there is none
   */
  note(limitName: string, outcome: "wrong" | "rejected", account: Uuid | null): void;
}

/** Stored data for checking a log-in with a password. */
export interface Credentials {
  readonly user: User;
  readonly passwordHash: string;
  /** Whether the account has an authenticator app. */
  readonly hasSecondFactor: boolean;
}

/** A stored session. */
export interface SessionRecord {
  /** SHA-256 of the ticket (the session's secret), hex. The ticket itself is not stored. */
  readonly id: string;
  readonly userId: Uuid;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  /** Time of the last use, written at most once an hour. */
  readonly lastSeenAt: Instant;
  readonly userAgent: string;
  /** Time of the last password or passkey check; null means the beginning of the session. */
  readonly authenticatedAt: Instant | null;
}

/** A live session and its user. */
export interface AuthenticatedSession {
  readonly session: SessionRecord;
  readonly user: User;
  /** The user's groups that are not in the trash. */
  readonly groupIds: readonly Uuid[];
}

/** An audit entry about a session, before the session's user is added. */
export type SessionAuditEntry = Omit<AuditEntry, "actorId" | "resourceId">;

/** A link in a mail. Its token is not stored. */
export interface UserLink {
  /** SHA-256 of the token, hex. */
  readonly id: string;
  readonly userId: Uuid;
  readonly purpose: LinkPurpose;
  /** The address to which it was sent. */
  readonly email: string;
  /** For an invitation: whether accepting it activates the account. */
  readonly activates: boolean;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  readonly usedAt: Instant | null;
}

/** A link and the account to which it was sent. */
export interface LinkWithUser {
  readonly link: UserLink;
  readonly user: User;
}

/** The change that using a link makes to its account, atomically. */
export interface AccountChange {
  /** Also closes the account's other links for a new password. */
  readonly passwordHash?: string;
  /** Also closes the account's other invitations. */
  readonly status?: UserStatus;
  /** The new address. Also closes the account's other links for a new address. */
  readonly email?: string;
  /** Ends all sessions of the account. */
  readonly endSessions: boolean;
}

/** Values of the profile form, without its version. */
export interface ProfileValues {
  readonly firstName: string;
  readonly lastName: string;
  readonly companyName: string;
  readonly language: Lang;
  readonly timeZone: string;
  readonly statusMails: boolean;
}

/** A session as its owner sees it. */
export interface SessionListItem {
  /**
   * The first 64 bits of the ticket's hash, which are enough to identify one of the account's sessions. The rest is not sent to clients.
   */
  readonly handle: string;
  readonly createdAt: Instant;
  readonly lastSeenAt: Instant;
  readonly expiresAt: Instant;
  readonly userAgent: string;
}

/** A passkey in its owner's list. */
export interface Passkey {
  /** Id of the credential, base64url. */
  readonly id: string;
  readonly name: string;
  /** Transports by which the browser reaches the authenticator: "internal", "usb", … (WebAuthn §5.8.4). */
  readonly transports: readonly string[];
  readonly createdAt: Instant;
  readonly lastUsedAt: Instant | null;
}

/** A passkey to add. */
export interface NewPasskey extends Omit<Passkey, "lastUsedAt"> {
  readonly userId: Uuid;
  /** COSE, base64url. */
  readonly publicKey: string;
  /** The authenticator's signature counter; 0 from authenticators without a counter (WebAuthn §6.1.1). */
  readonly counter: number;
}

/** Stored data for checking a log-in with a passkey. The public key is SPKI instead of COSE if it was added before decision 075. */
export interface PasskeyWithUser {
  readonly passkey: { readonly id: string; readonly publicKey: string; readonly counter: number };
  readonly user: User;
}

/** The relying party of passkeys: the origin of the page and its host. */
export interface Site {
  readonly origin: string;
  readonly rpId: string;
}

/** The checks of WebAuthn (§7.1, §7.2). Binary values are base64url. */
export interface PasskeyVerifier {
  /** Returns the challenge in client data; null for invalid client data, and for client data of a frame in another site's page. */
  challengeOf(clientDataJson: string): Promise<string | null>;
  /** Returns the public key (COSE) and the counter of a new credential; null if the response is not valid for the challenge and the site. */
  registration(
    credential: PasskeyRegistration,
    challenge: string,
    site: Site,
  ): Promise<{ readonly publicKey: string; readonly counter: number } | null>;
  /**
   * Returns the authenticator's counter if the passkey's holder, verified by the authenticator, signed the challenge for this site; otherwise null.
   * Also null when the counter does not grow, because the authenticator may be a copy. Many authenticators have no counter and always send 0 (§7.2
   * step 22).
   */
  signIn(
    credential: PasskeySignIn,
    challenge: string,
    passkey: { readonly publicKey: string; readonly counter: number },
    site: Site,
  ): Promise<{ readonly counter: number } | null>;
}

/** The account, browser, network, or address without an account, for which failed attempts are counted. */
export interface GuessSubject {
  /** Key of the row with the counts. Several subjects can use a row one after the other. */
  readonly id: string;
  /** The subject whose counts the row contains. */
  readonly owner: string;
}

/** The caller who reads a record (users/authenticated-reads.ts), for permission checks. */
export interface AuthenticatedReader {
  /** Id of the session or of the API token. */
  readonly sessionId: string;
  /** Time of the last stored use; null for an API token that was not used yet. */
  readonly lastSeenAt: Instant | null;
  readonly userId: Uuid;
  readonly role: Role;
  readonly status: UserStatus;
  readonly groupIds: readonly Uuid[];
  /** Scopes of an API token; null for a session. */
  readonly scopes: readonly Scope[] | null;
}

/** The caller's credential: the hash of a session ticket or of an API token. */
export interface ReadKey {
  readonly kind: "session" | "token";
  readonly hash: string;
}

/** The authenticated reader and the requested record. */
export interface ReadByTicket<T> {
  readonly reader: AuthenticatedReader;
  /** Null if the record does not exist. */
  readonly record: T | null;
}
