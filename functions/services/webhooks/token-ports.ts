import type { Instant, User, Uuid } from "~/domain/shared/model";
import type { Scope } from "~/domain/webhooks/scopes";

/** An API token in its owner's list. The token itself is shown once and not stored. */
export interface ApiToken {
  readonly id: Uuid;
  readonly name: string;
  /** First characters of the token, after the prefix that all API tokens have. */
  readonly hint: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  readonly lastUsedAt: Instant | null;
  readonly revokedAt: Instant | null;
}

/** A token to add. */
export interface NewApiToken extends Omit<ApiToken, "lastUsedAt" | "revokedAt"> {
  readonly userId: Uuid;
  /** SHA-256 of the token, hex. */
  readonly hash: string;
}

/** A valid token, with its owner and the owner's memberships in groups. */
export interface AuthenticatedToken {
  readonly token: ApiToken;
  readonly user: User;
  readonly groupIds: readonly Uuid[];
}
