import type { InvalidTokenThrottle } from "#functions/security/invalid-token-throttle";
import type { Services } from "#functions/services";
import type { ErrorMessage } from "#functions/services/shared/errors";
import type { Lang } from "~/domain/shared/model";

/** Dependencies of the API from the request's scope. functions/request-scope.ts provides it. */
export interface ApiContext {
  readonly services: Services;
  readonly config: {
    /** Cookies go without Secure in development only. */
    readonly development: boolean;
    /** Store hosts that may be called although they are not public. */
    readonly isAllowedStoreHost?: (host: string) => boolean;
  };
  /** The language in which wordsFor answers it. */
  readonly langFor: (request: Request) => Lang;
  /** Words for people, in the language that a request asks for or its browser remembers (§1), and else in English. */
  readonly messagesFor: (request: Request) => (words: ErrorMessage) => string;
  /** Counts a call against a caller; false when there were too many within a minute. */
  readonly countCall: (caller: string) => Promise<boolean>;
  /** Blocks networks that have sent too many invalid tickets. */
  readonly invalidTokenThrottle: InvalidTokenThrottle;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly requestId: string;
}

/** Hono's types for this API. */
export interface ApiEnv {
  readonly Bindings: ApiContext;
  readonly Variables: {
    /** The session cookie that came with the call belongs to no session. */
    cookieRefused?: boolean;
    /** True if the call's ticket is valid; absent if it was not checked. */
    isSomebody?: boolean;
  };
}
