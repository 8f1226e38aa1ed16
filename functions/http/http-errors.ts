import type {
  AppError,
  ConflictError,
  ErrorKind,
  ErrorMessage,
  InvalidError,
  RateLimitedError,
  ScopeError,
  SecondFactorRequiredError,
} from "#functions/services/shared/errors";

/** HTTP status of an expected failure, for pages and the API. */
export const KIND_STATUS: Readonly<Record<ErrorKind, number>> = {
  not_found: 404,
  invalid: 400,
  conflict: 409,
  unauthenticated: 401,
  forbidden: 403,
  rate_limited: 429,
  limit: 403,
  gone: 410,
  unprocessable: 422,
  unavailable: 503,
};

/** An error message for users, with its text in the language of the request. */
export interface FailureMessage extends ErrorMessage {
  readonly text: string;
}

/** The part of an expected failure that an action may show: its texts for users, never the log message. */
export interface Failure {
  readonly status: number;
  readonly kind: ErrorKind;
  readonly code: string;
  readonly userMessage: FailureMessage;
  readonly fields: Readonly<Record<string, readonly FailureMessage[]>>;
  /** The saved record if another user saved it meanwhile. */
  readonly saved: unknown;
  /** The sealed (encrypted) state with which the browser continues a log-in that needs a second factor. */
  readonly pending?: string;
}

/** Result of a call: its value, or an expected failure. */
export type ServiceResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: Failure };

/**
 * True if an error is an expected failure of a use case, and not a defect. Checks the kind and not the class, because a bundle may contain two copies of
 * a class.
 */
export function isAppError(error: unknown): error is AppError {
  return (
    error instanceof Error &&
    "kind" in error &&
    "userMessage" in error &&
    (error.kind as string) in KIND_STATUS
  );
}

/** Converts an expected failure to the part that may be shown. */
export function toFailure(
  error: AppError,
  translateMessage: (message: ErrorMessage) => FailureMessage,
): Failure {
  const fields = error.kind === "invalid" ? (error as InvalidError).fields : {};
  return {
    status: KIND_STATUS[error.kind],
    kind: error.kind,
    code: error.code,
    userMessage: translateMessage(error.userMessage),
    fields: Object.fromEntries(
      Object.entries(fields).map(([name, messages]) => [name, messages.map(translateMessage)]),
    ),
    saved: error.kind === "conflict" ? (error as ConflictError).saved : undefined,
    ...(error.code === "second_factor_required" && { pending: (error as SecondFactorRequiredError).pending }),
  };
}

/** Headers that go with an expected failure. */
export function failureHeaders(error: AppError): Record<string, string> {
  if (error.kind === "rate_limited") return { "retry-after": String((error as RateLimitedError).retryAfter) };
  // RFC 6750 §3.
  if (error.code === "insufficient_scope")
    return {
      "www-authenticate": `Bearer error="insufficient_scope", scope="${(error as ScopeError).scope}"`,
    };
  return {};
}

const failures = new WeakMap<Response, AppError>();

function failureResponse(error: AppError): Response {
  const { kind, code, userMessage } = error;
  const response = Response.json(
    { code, words: userMessage },
    { status: KIND_STATUS[kind], headers: failureHeaders(error) },
  );
  failures.set(response, error);
  return response;
}

type Service = Readonly<Record<string, (input: never) => Promise<unknown>>>;

/**
 * Wraps the services for pages: an expected failure rejects with a Response (`{code, words}` and its status), which Remix passes to the route's
 * error boundary. A route that handles the failure itself passes the call to `attempt`.
 */
export function withHttpErrors<T extends object>(services: T): T {
  const wrapCall =
    (call: Service[string]) =>
    async (input: never): Promise<unknown> => {
      try {
        return await call(input);
      } catch (error) {
        throw isAppError(error) ? failureResponse(error) : error;
      }
    };
  // A page uses few of the services, so they are wrapped when they are used.
  const wrapArea = (area: Service) =>
    new Proxy(area, {
      get(target, name) {
        const call = target[name as string];
        return call && wrapCall(call);
      },
    });
  return new Proxy(services, {
    get(target, name) {
      const area = (target as Readonly<Record<string, Service>>)[name as string];
      return area && wrapArea(area);
    },
  });
}

/** The value of a wrapped service call, or its expected failure. Rethrows every other error. */
export async function attempt<T>(
  work: Promise<T>,
  translateMessage: (message: ErrorMessage) => FailureMessage,
): Promise<ServiceResult<T>> {
  try {
    return { ok: true, value: await work };
  } catch (error) {
    const failure = error instanceof Response ? failures.get(error) : undefined;
    if (failure) return { ok: false, failure: toFailure(failure, translateMessage) };
    throw error;
  }
}
