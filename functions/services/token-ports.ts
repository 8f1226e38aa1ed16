import type { Instant, User, Uuid } from "~/domain/model";
import type { Scope } from "~/domain/scopes";
import type { AuditEntry } from "./ports";

/** An access token for its owner. What it is has been shown once and is kept nowhere. */
export interface AccessToken {
  readonly id: Uuid;
  readonly name: string;
  /** The first characters after the prefix. */
  readonly hint: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  readonly lastUsedAt: Instant | null;
  readonly revokedAt: Instant | null;
}

/** A token to be added. */
export interface NewAccessToken extends Omit<AccessToken, "lastUsedAt" | "revokedAt"> {
  readonly userId: Uuid;
  /** SHA-256 of the token, hex. */
  readonly hash: string;
}

/** A token that works, with its owner and the owner's groups. */
export interface AuthenticatedToken {
  readonly token: AccessToken;
  readonly user: User;
  readonly groupIds: readonly Uuid[];
}

/** Access tokens, by their hashes. */
export interface TokenRepository {
  /** One that is neither revoked nor expired, of an account that is there. One round trip. */
  find(hash: string, now: Instant): Promise<AuthenticatedToken | null>;
  /** An account's tokens, the newest first. */
  list(userId: Uuid, limit: number): Promise<readonly AccessToken[]>;
  /** Adds a token, unless the account has `max` that work, or there is one of that id. */
  add(token: NewAccessToken, max: number, audit: AuditEntry): Promise<"added" | "too_many" | "there">;
  /** False when the account has no such token that works. */
  revoke(userId: Uuid, id: Uuid, now: Instant, audit: AuditEntry): Promise<boolean>;
  touch(id: Uuid, at: Instant): Promise<void>;
  /** Forgets tokens that ended before then. Returns how many. */
  deleteEnded(before: Instant): Promise<number>;
}
