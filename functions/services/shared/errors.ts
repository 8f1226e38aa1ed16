import type { Scope } from "~/domain/webhooks/scopes";

/** The kinds of expected failures. Each failure has a code for programs, a message for the log, and a message key for people. */
export type ErrorKind =
  | "not_found"
  | "invalid"
  | "conflict"
  | "unauthenticated"
  | "forbidden"
  | "rate_limited"
  | "limit"
  | "gone"
  | "unprocessable"
  | "unavailable";

/** A message for users: a key of app/i18n with its namespace (`api:services.notFound`), and the values of its placeholders. */
export interface ErrorMessage {
  readonly key: string;
  readonly values?: Readonly<Record<string, string | number>>;
}

/** Messages by field name. Several messages of one field are shown below each other. */
export type FieldErrors = Readonly<Record<string, readonly ErrorMessage[]>>;

/** Arguments of an AppError. */
export interface AppErrorInit {
  readonly kind: ErrorKind;
  /** Stable, snake_case. API clients may rely on it. */
  readonly code: string;
  /** For the log only. Must not contain secrets. */
  readonly message: string;
  readonly userMessage: ErrorMessage;
  readonly cause?: unknown;
}

/** An expected failure of a use case. Only functions/http and functions/api turn it into HTTP. */
export class AppError extends Error {
  override readonly name: string = "AppError";
  readonly kind: ErrorKind;
  readonly code: string;
  readonly userMessage: ErrorMessage;

  constructor(init: AppErrorInit) {
    super(init.message, { cause: init.cause });
    this.kind = init.kind;
    this.code = init.code;
    this.userMessage = init.userMessage;
  }
}

/** The record does not exist, or the actor may not know that it exists. */
export class NotFoundError extends AppError {
  override readonly name: string = "NotFoundError";
  constructor(subject: string) {
    super({
      kind: "not_found",
      code: "not_found",
      message: `${subject} not found or not visible`,
      userMessage: { key: "api:services.notFound" },
    });
  }
}

/** Invalid input. `fields` may be empty if no single field is the cause. */
export class InvalidError extends AppError {
  override readonly name: string = "InvalidError";
  readonly fields: FieldErrors;
  constructor(fields: FieldErrors, code = "invalid") {
    super({
      kind: "invalid",
      code,
      message: `invalid input: ${Object.keys(fields).join(", ") || code}`,
      userMessage: { key: "api:services.invalid" },
    });
    this.fields = fields;
  }
}

/** The record was saved after the caller read it. Contains the saved values, and in some cases the submitted ones, so that both can be shown. */
export class ConflictError<Saved = unknown, Submitted = unknown> extends AppError {
  override readonly name: string = "ConflictError";
  readonly saved: Saved;
  readonly submitted: Submitted;
  constructor(saved: Saved, submitted: Submitted) {
    super({
      kind: "conflict",
      code: "stale_version",
      message: "the record was changed since it was read",
      userMessage: { key: "api:services.conflict" },
    });
    this.saved = saved;
    this.submitted = submitted;
  }
}

/** The caller is not logged in, or the log-in failed. `code` is the reason, such as bad_credentials. */
export class UnauthenticatedError extends AppError {
  override readonly name: string = "UnauthenticatedError";
  constructor(code = "unauthenticated", userMessage: ErrorMessage = { key: "api:services.unauthenticated" }) {
    super({ kind: "unauthenticated", code, message: `rejected: ${code}`, userMessage });
  }
}

/** The password was correct, and the account also requires a code of its second factor. */
export class SecondFactorRequiredError extends UnauthenticatedError {
  override readonly name: string = "SecondFactorRequiredError";
  /** The state for the second step of the log-in: sealed (encrypted), and valid for a few minutes. */
  readonly pending: string;
  constructor(pending: string) {
    super("second_factor_required", { key: "api:services.secondFactorRequired" });
    this.pending = pending;
  }
}

/** The account must set up a second factor before it may do anything else. */
export class SecondFactorSetupError extends AppError {
  override readonly name: string = "SecondFactorSetupError";
  constructor() {
    super({
      kind: "forbidden",
      code: "second_factor_setup_required",
      message: "the account has no second factor",
      userMessage: { key: "api:services.secondFactorSetup" },
    });
  }
}

/** The actor may see the record, but may not make this change. */
export class ForbiddenError extends AppError {
  override readonly name: string = "ForbiddenError";
  constructor(action: string) {
    super({
      kind: "forbidden",
      code: "forbidden",
      message: `not allowed: ${action}`,
      userMessage: { key: "api:services.forbidden" },
    });
  }
}

/** The caller uses an API token, but this action requires an interactive session. */
export class InteractiveSessionRequiredError extends AppError {
  override readonly name: string = "InteractiveSessionRequiredError";
  constructor() {
    super({
      kind: "forbidden",
      code: "session_required",
      message: "not allowed by a token",
      userMessage: { key: "api:services.sessionRequired" },
    });
  }
}

/** An API token was used for a privileged change, for example to appoint an administrator; no token may make such changes (decision 042). */
export class TokenNotAllowedError extends AppError {
  override readonly name: string = "TokenNotAllowedError";
  constructor() {
    super({
      kind: "forbidden",
      code: "token_not_allowed",
      message: "privileged change by a token",
      userMessage: { key: "api:services.tokenNotAllowed" },
    });
  }
}

/** The last password or passkey check of the session is too old for this action. */
export class ReauthenticationError extends AppError {
  override readonly name: string = "ReauthenticationError";
  constructor() {
    super({
      kind: "forbidden",
      code: "reauthentication_required",
      message: "not allowed without reauthentication",
      userMessage: { key: "api:services.reauthenticationRequired" },
    });
  }
}

/** The API token lacks the scope of the call. */
export class ScopeError extends AppError {
  override readonly name: string = "ScopeError";
  readonly scope: Scope;
  constructor(scope: Scope) {
    super({
      kind: "forbidden",
      code: "insufficient_scope",
      message: `the token lacks the scope ${scope}`,
      userMessage: { key: "api:services.insufficientScope", values: { scope } },
    });
    this.scope = scope;
  }
}

/** Too many attempts or calls of one network, account or owner. */
export class RateLimitedError extends AppError {
  override readonly name: string = "RateLimitedError";
  /** Seconds after which the caller may try again. */
  readonly retryAfter: number;
  constructor(
    subject: string,
    userMessage: ErrorMessage = { key: "api:services.rateLimited" },
    retryAfter = 60,
  ) {
    super({
      kind: "rate_limited",
      code: "rate_limited",
      message: `too many attempts: ${subject}`,
      userMessage,
    });
    this.retryAfter = retryAfter;
  }
}

/** Codes of limits. */
export type LimitCode =
  | "space_license"
  | "library_capacity"
  | "content_full"
  | "trash_full"
  | "too_many_events"
  | "too_many_space_events"
  | "too_many_media"
  | "too_many_imports"
  | "too_many_uploads"
  | "too_deep"
  | "too_many_folders"
  | "too_many_items";

/** A limit of the account is reached (specification §8: space license, library capacity), or a limit that applies to all accounts. */
export class LimitError extends AppError {
  override readonly name: string = "LimitError";
  constructor(code: LimitCode, userMessage: ErrorMessage) {
    super({ kind: "limit", code, message: `limit reached: ${code}`, userMessage });
  }
}

/** Message keys of limits that several use cases check. Each message except that of the library's capacity contains the limit. */
const LIMIT_MESSAGE_KEYS = {
  content_full: "content:errors.limits.content",
  trash_full: "api:errors.limits.trash",
  too_many_events: "api:errors.limits.events",
  too_many_space_events: "api:errors.limits.spaceEvents",
  too_many_media: "api:errors.limits.media",
  too_many_imports: "api:errors.limits.imports",
  library_capacity: "library:errors.upload.capacity",
} as const satisfies Partial<Record<LimitCode, string>>;

/** Creates the error for one of these limits. */
export const limitReached = (code: keyof typeof LIMIT_MESSAGE_KEYS): LimitError =>
  new LimitError(code, { key: LIMIT_MESSAGE_KEYS[code] });

/** The caller has no such upload: it was completed, cancelled, or has expired, or it is another user's. */
export class UploadGoneError extends AppError {
  override readonly name: string = "UploadGoneError";
  constructor() {
    super({
      kind: "not_found",
      code: "upload_gone",
      message: "upload not found",
      userMessage: { key: "library:errors.upload.gone" },
    });
  }
}

/** Another call is completing or cancelling the upload now. */
export class UploadBusyError extends AppError {
  override readonly name: string = "UploadBusyError";
  constructor() {
    super({
      kind: "conflict",
      code: "upload_busy",
      message: "the upload is being completed or cancelled",
      userMessage: { key: "library:errors.upload.busy" },
    });
  }
}

/** The conversion has ended, for example because another one began or the file was replaced. */
export class PreparationGoneError extends AppError {
  override readonly name: string = "PreparationGoneError";
  constructor() {
    super({
      kind: "conflict",
      code: "preparation_gone",
      message: "the conversion has ended",
      userMessage: { key: "library:errors.preparation.gone" },
    });
  }
}

/**
 * A problem with an idempotency key. reused: the key was used for a different request. busy: the call is running. spent: the call has finished, and
 * its response was too long to store, or the account's stored responses left no room.
 */
export class KeyError extends AppError {
  override readonly name: string = "KeyError";
  constructor(state: "reused" | "busy" | "spent") {
    const messageKeys = { reused: "api:key_reused", busy: "api:key_busy", spent: "api:key_spent" };
    super({
      kind: state === "reused" ? "unprocessable" : "conflict",
      code: `idempotency_key_${state}`,
      message: `the key of the call is ${state}`,
      userMessage: { key: messageKeys[state] },
    });
  }
}

/** A link in a mail is not valid (any more). `code` is the reason. */
export class LinkError extends AppError {
  override readonly name: string = "LinkError";
  constructor(state: "unknown" | "used" | "expired") {
    const messageKeys = {
      unknown: "api:services.linkUnknown",
      used: "api:services.linkUsed",
      expired: "api:services.linkExpired",
    };
    super({
      kind: state === "unknown" ? "not_found" : "gone",
      code: `link_${state}`,
      message: `the link is ${state}`,
      userMessage: { key: messageKeys[state] },
    });
  }
}

/** The mail service rejected a mail. It was not sent. */
export class MailError extends AppError {
  override readonly name: string = "MailError";
  constructor(cause: unknown) {
    super({
      kind: "unavailable",
      code: "mail_not_sent",
      message: "the mail could not be sent",
      userMessage: { key: "auth:services.mailNotSent" },
      cause,
    });
  }
}
