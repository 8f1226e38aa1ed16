import type { Instant, Role, Uuid } from "../shared/model";
import type { Scope } from "../webhooks/scopes";

/** The session or API token of an actor. */
export interface ActingCredential {
  readonly kind: "session" | "token";
  /** The handle of a session or the id of a token. It identifies the credential but grants no access. */
  readonly id: string;
  /** The time of the latest password or passkey check in this session; for a token, the time of its creation. */
  readonly authenticatedAt: Instant;
  /** Keyed hash of the request's network; null without a request. */
  readonly network: string | null;
}

/** The person on whose behalf a call is made. `groupIds` are the groups that the person belongs to. */
export interface Actor {
  readonly userId: Uuid;
  readonly role: Role;
  readonly groupIds: readonly Uuid[];
  /** The scopes of the actor's API token; absent for a logged-in person. */
  readonly scopes?: readonly Scope[];
  /** Absent for an actor without a log-in, such as the reader of a mail's link. */
  readonly credential?: ActingCredential;
}
