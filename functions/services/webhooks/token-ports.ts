import type { Instant, User, Uuid } from "~/domain/shared/model";
import type { Scope } from "~/domain/webhooks/scopes";

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
