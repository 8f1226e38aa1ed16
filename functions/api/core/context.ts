import type { InvalidTokenThrottle } from "#functions/security/invalid-token-throttle";
import type { Services } from "#functions/services";
import type { ErrorMessage } from "#functions/services/shared/errors";
import type { Lang } from "~/domain/shared/model";

/** Dependencies of the API from the request's scope. functions/request-scope.ts provides it. */
export interface ApiContext {
  readonly services: Services;
  readonly config: {
    /** In development, cookies lack the attribute Secure. */
    readonly development: boolean;
    /** Whether a store or a webhook endpoint may have a host that is not public, in development. */
    readonly isAllowedLocalHost?: (host: string) => boolean;
  };
  /** The language in which messagesFor writes. */
  readonly langFor: (request: Request) => Lang;
  /**
   * Returns the function that writes messages for users, in the language of the URL, of the cookie, or of Accept-Language, in this order; otherwise
   * in English.
   */
  readonly messagesFor: (request: Request) => (message: ErrorMessage) => string;
  /** Counts a call against a caller; false when there were too many within a minute. */
  readonly countCall: (caller: string) => Promise<boolean>;
  /** Blocks networks that have sent too many invalid tokens (session tickets or API tokens). */
  readonly invalidTokenThrottle: InvalidTokenThrottle;
  /** Counts a call with an invalid token from a network, across all locations. Resolves to false above the limit. */
  readonly countInvalidToken: (network: string) => Promise<boolean>;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly requestId: string;
}

/** Hono's types for this API. */
export interface ApiEnv {
  readonly Bindings: ApiContext;
  readonly Variables: {
    /** True if the session cookie of the call belongs to no session. */
    isCookieRejected?: boolean;
    /** True if the call's session ticket or API token is valid; absent if it was not checked. */
    hasValidToken?: boolean;
  };
}
