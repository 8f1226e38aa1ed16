import { failureHeaders, isAppError, KIND_STATUS } from "#functions/http/http-errors";
import { logFailure } from "#functions/http/log";
import type {
  AppError,
  ConflictError,
  ErrorMessage,
  FieldErrors,
  InvalidError,
} from "#functions/services/shared/errors";
import { fieldName } from "./field-name";

/** An error at the HTTP level, such as an unknown path. Use cases do not throw it. */
export class HttpError extends Error {
  readonly status: 400 | 403 | 404 | 405 | 413 | 415;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Values of the message. */
  readonly values: ErrorMessage["values"];
  constructor(
    status: HttpError["status"],
    code: string,
    headers: Readonly<Record<string, string>> = {},
    values?: ErrorMessage["values"],
  ) {
    super(code);
    this.name = "HttpError";
    this.status = status;
    this.code = code;
    this.headers = headers;
    this.values = values;
  }
}

const TITLES: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  409: "Conflict",
  410: "Gone",
  412: "Precondition Failed",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  422: "Unprocessable Content",
  429: "Too Many Requests",
  500: "Internal Server Error",
  503: "Service Unavailable",
};

/** A problem document (RFC 9457). `extra` contains further members, such as `detail`, the text for users. */
export function problem(
  status: number,
  code: string,
  extra: Readonly<Record<string, unknown>> = {},
  headers: Readonly<Record<string, string>> = {},
): Response {
  const body = { type: "about:blank", title: TITLES[status] ?? "Error", status, code, ...extra };
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      "content-type": "application/problem+json",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      ...headers,
    },
  });
}

/**
 * Converts any error to a problem document. The text of an unexpected error stays in the log, where it has the request id of the response.
 * @param route the pattern of the path, because the path itself may contain a ticket or a link's token
 * @param translate returns a message in the reader's language
 */
export function toProblemResponse(
  error: unknown,
  requestId: string,
  route: string,
  translate: Translate,
  context: { readonly hasIfMatchVersion: boolean } = { hasIfMatchVersion: false },
): Response {
  if (error instanceof HttpError) return httpProblem(error, translate);
  if (isAppError(error)) {
    const extra = { detail: getErrorDetail(error, translate), ...problemMembers(error, translate) };
    // RFC 9110 §13.1.1: the precondition failed.
    const hasFailedPrecondition = context.hasIfMatchVersion && error.code === "stale_version";
    return problem(
      hasFailedPrecondition ? 412 : KIND_STATUS[error.kind],
      error.code,
      extra,
      failureHeaders(error),
    );
  }
  logFailure("unexpected", error, { requestId, path: route });
  const extra = { detail: translate({ key: "api:unexpected" }), request_id: requestId };
  return problem(500, "unexpected", extra);
}

/** Converts an HTTP error to a problem document. */
export function httpProblem(
  { status, code, headers, values }: HttpError,
  translate: Translate,
  extra: Readonly<Record<string, unknown>> = {},
): Response {
  return problem(status, code, { detail: translate({ key: `api:${code}`, values }), ...extra }, headers);
}

/** Translates a message for the response. */
type Translate = (message: ErrorMessage) => string;

/** The message of an error. For invalid input it is the first message about the whole input, if there is one. */
export function getErrorDetail(error: AppError, translate: Translate): string {
  const [formError] = error.kind === "invalid" ? ((error as InvalidError).fields[""] ?? []) : [];
  return translate(formError ?? error.userMessage);
}

/** Members of a problem document in addition to `code` and `detail`. */
export function problemMembers(error: AppError, translate: Translate): Record<string, unknown> {
  if (error.kind === "invalid") {
    const errors = fieldList((error as InvalidError).fields, translate);
    const [formError] = (error as InvalidError).fields[""] ?? [];
    return { ...(errors.length > 0 && { errors }), ...(formError?.values && { values: formError.values }) };
  }
  if (error.kind === "conflict") {
    const { saved, submitted } = error as ConflictError;
    return { saved, submitted };
  }
  return error.userMessage.values ? { values: error.userMessage.values } : {};
}

/** The messages of the fields, each with the field's name in the API. Messages about the whole input are left out. */
const fieldList = (fields: FieldErrors, translate: Translate) =>
  Object.entries(fields).flatMap(([name, messages]) =>
    name === ""
      ? []
      : messages.map((errorMessage) => ({
          field: fieldName(name),
          message: translate(errorMessage),
          ...(errorMessage.values && { values: errorMessage.values }),
        })),
  );
