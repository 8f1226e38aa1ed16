/** Ports of log-ins, sessions, passkeys and links in mails. */

import type { PasskeyRegistration, PasskeySignIn } from "~/domain/auth/passkey.schema";
import type { Instant, Lang, LinkPurpose, Role, User, UserStatus, Uuid } from "~/domain/shared/model";
import type { Scope } from "~/domain/webhooks/scopes";
import type { AuditEntry } from "../shared/ports";

/** Hashes that are slow on purpose. A hash names its own parameters, so old ones stay good when these are raised. */
export interface PasswordHasher {
  hash(password: string): Promise<string>;
  /** False, never an error, for a hash of unknown form. */
  verify(password: string, hash: string): Promise<boolean>;
  /** A hash that no password matches and that costs as much to verify as a real one. */
  readonly dummyHash: string;
}

/**
 * Counts failed attempts by key; a successful attempt uses up nothing. A key is free again when its window ends. Keys that begin with `place:` stand
 * for a network with many possible users, `event:` for an event that all of its visitors share, `site:` for an IPv6 /48: their limits are higher
 * than an account's, in this order. Implementations may be approximate across machines, but never across calls in one isolate: an attempt is counted
 * before it is checked, so that simultaneous attempts are not all admitted.
 */
export interface RateLimiter {
  /**
   * Takes a place for one guess. False when failures and guesses under way have used the allowance up. `fail` or `release`
   * follows each true; a guess that never came to an end counts as a failure.
   */
  reserve(key: string): Promise<boolean>;
  /** The guess was wrong: its place stays taken until the window is over. False when that went beyond the allowance. */
  fail(key: string): Promise<boolean>;
  /** The guess was right, or was never checked: gives its place back. */
  release(key: string): void;
  /**
   * Notes a guess for the operator's log.
   * @param what the secret that was guessed at, such as "log-in"
   * @param account the account that it belongs to; null for a secret of no account, and for an unknown address
   */
  note(what: string, outcome: "wrong" | "refused", account: Uuid | null): void;
}

/** The data that a log-in with a password is checked against. */
export interface Credentials {
  readonly user: User;
  readonly passwordHash: string;
  /** Whether the account has an authenticator app. */
  readonly hasSecondFactor: boolean;
}

/** A session as it is stored. */
export interface SessionRecord {
  /** SHA-256 of the ticket, hex. The ticket itself is stored nowhere. */
  readonly id: string;
  readonly userId: Uuid;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  /** Exact to an hour. */
  readonly lastSeenAt: Instant;
  readonly userAgent: string;
  /** When the password or a passkey was given last; null means when the session began. */
  readonly authenticatedAt: Instant | null;
}

/** A live session and whose it is. */
export interface AuthenticatedSession {
  readonly session: SessionRecord;
  readonly user: User;
  /** The user's groups that are not in the trash. */
  readonly groupIds: readonly Uuid[];
}

/** An audit entry about the user of a session, who is read from it. */
export type SessionAuditEntry = Omit<AuditEntry, "actorId" | "resourceId">;

/** A link that a mail carries. Its token is stored nowhere. */
export interface UserLink {
  /** SHA-256 of the token, hex. */
  readonly id: string;
  readonly userId: Uuid;
  readonly purpose: LinkPurpose;
  /** The address to which it was sent. */
  readonly email: string;
  /** True for an invitation: accepting it activates the account. */
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
  /** Closes the account's other links to a new password, too. */
  readonly passwordHash?: string;
  /** Closes the account's other invitations. */
  readonly status?: UserStatus;
  /** The new address. */
  readonly email?: string;
  /** Ends all sessions of the account. */
  readonly endSessions: boolean;
}

/** Values of the profile form. */
export interface ProfileValues {
  readonly firstName: string;
  readonly lastName: string;
  readonly companyName: string;
  readonly language: Lang;
  readonly timeZone: string;
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

/** A passkey, as its owner sees it. */
export interface Passkey {
  /** The credential's id, base64url. */
  readonly id: string;
  readonly name: string;
  /** How the browser reaches the authenticator: "internal", "usb", … (WebAuthn §5.8.4). */
  readonly transports: readonly string[];
  readonly createdAt: Instant;
  readonly lastUsedAt: Instant | null;
}

/** A passkey to be added. */
export interface NewPasskey extends Omit<Passkey, "lastUsedAt"> {
  readonly userId: Uuid;
  /** COSE, base64url; SPKI if it was added before decision 075. */
  readonly publicKey: string;
  /** How often it has signed, as the authenticator counts; 0 from those that keep no count (WebAuthn §6.1.1). */
  readonly counter: number;
}

/** The data that a log-in with a passkey is checked against. */
export interface PasskeyWithUser {
  readonly passkey: { readonly id: string; readonly publicKey: string; readonly counter: number };
  readonly user: User;
}

/** Where a passkey is good: the origin of the page and the host that the authenticator knows it by. */
export interface Site {
  readonly origin: string;
  readonly rpId: string;
}

/** The checks of WebAuthn (§7.1, §7.2). Binary values are base64url. */
export interface PasskeyVerifier {
  /** The challenge in client data; null for invalid client data, and for that of a frame in another site's page. */
  challengeOf(clientDataJson: string): Promise<string | null>;
  /** The public key (COSE) and the counter of a new credential; null unless it responds to the challenge as requested. */
  registration(
    credential: PasskeyRegistration,
    challenge: string,
    site: Site,
  ): Promise<{ readonly publicKey: string; readonly counter: number } | null>;
  /**
   * The authenticator's counter when the passkey's holder, verified by the authenticator, signed the challenge for this site; else null. Also
   * null when the counter does not grow: the authenticator may be a copy. Many authenticators have no counter and always send 0 (§7.2 step 22).
   */
  signIn(
    credential: PasskeySignIn,
    challenge: string,
    passkey: { readonly publicKey: string; readonly counter: number },
    site: Site,
  ): Promise<{ readonly counter: number } | null>;
}

/** A row of guess counts, and the owner of its counts. A row may be shared by several owners in turn. */
export interface GuessSubject {
  readonly id: string;
  readonly owner: string;
}

/** The reader, for permission checks. */
export interface AuthenticatedReader {
  /** Id of the session or of the API token. */
  readonly sessionId: string;
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

/** A record and who asks for it; null where there is none. */
export interface ReadByTicket<T> {
  readonly reader: AuthenticatedReader;
  readonly record: T | null;
}
