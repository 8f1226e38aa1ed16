import { REJECTED_FORMATS } from "~/domain/library/formats/rejected-formats";
import type { MessageKey, MessageValues } from "~/i18n/messages";
import type { ApiResponse } from "./ports";
import type { UploadProblem } from "./upload-state";

/** Meaning of an API response for the request. `gone`: the record does not exist (404); `incomplete`: the server lacks slices of the file. */
export type ResponseClass =
  | { readonly kind: "ok" | "signedOut" | "gone" | "incomplete" }
  /** The network or the server failed; the request may be repeated. */
  | { readonly kind: "again"; readonly retryAfter: number | null }
  /** The server is still completing the upload, usually because of an earlier request of this tab. */
  | { readonly kind: "busy"; readonly retryAfter: number | null }
  /**
   * cause: "file": the file can never be stored; "request": the server rejects this request but may have stored earlier slices; "capacity": the file can be
   * stored once storage is freed, or other uploads have ended.
   */
  | {
      readonly kind: "rejected";
      readonly problem: UploadProblem;
      readonly cause: "file" | "request" | "capacity";
    };

/** The API's reasons why a file is not stored (docs/api.md). */
const REASONS: Readonly<Record<string, MessageKey>> = {
  upload_empty: "library:errors.upload.empty",
  upload_too_large: "library:errors.upload.tooLarge",
  upload_kind: "library:errors.upload.kind",
  upload_other_kind: "library:errors.upload.otherKind",
  upload_damaged: "library:errors.upload.damaged",
  upload_pixels: "library:errors.upload.pixels",
  upload_model: "library:errors.upload.model",
  upload_model_files: "library:errors.upload.model_files",
  upload_model_splats: "library:errors.upload.model_splats",
  upload_model_zip: "library:errors.upload.model_zip",
  upload_model_empty: "library:errors.upload.model_empty",
  upload_model_loop: "library:errors.upload.model_loop",
  upload_model_extension: "library:errors.upload.model_extension",
  upload_model_positions: "library:errors.upload.model_positions",
  upload_model_pixels: "library:errors.upload.model_pixels",
  upload_misnamed: "library:errors.upload.misnamed",
  upload_splats: "library:errors.upload.splats",
  upload_splat_attributes: "library:errors.upload.splat_attributes",
  upload_splat_parts: "library:errors.upload.splat_parts",
};
/** Error codes that no longer apply once storage is freed, or other uploads have ended. */
const CAPACITY_CODES: Readonly<Record<string, MessageKey>> = {
  library_capacity: "library:errors.upload.capacity",
  too_many_uploads: "library:errors.upload.tooMany",
};
/** Statuses of temporary errors: no response, request timeout, conflict with another request, too early, too many requests. */
const TEMPORARY_STATUSES = new Set([0, 408, 409, 425, 429]);

/** Returns the text for a file format that the server does not accept (code upload_format). It is the text of the check before the upload. */
function formatProblem(body: unknown): UploadProblem {
  const { values = {} } = body as { readonly values?: MessageValues };
  const format = REJECTED_FORMATS.find((candidate) => candidate === values.format);
  return format
    ? { key: `library:errors.upload.format.${format}`, values }
    : { key: "library:errors.upload.kind" };
}

/** Classifies a response. */
export function classifyResponse({ status, body, retryAfter }: ApiResponse): ResponseClass {
  if (status >= 200 && status < 300) return { kind: "ok" };
  const { code = "", values }: { readonly code?: string; readonly values?: MessageValues } =
    typeof body === "object" && body !== null ? body : {};
  if (code === "upload_format") return { kind: "rejected", problem: formatProblem(body), cause: "file" };
  const reason = REASONS[code] ?? CAPACITY_CODES[code];
  if (reason) {
    const problem = { key: reason, ...(values && { values }) };
    return { kind: "rejected", problem, cause: code in REASONS ? "file" : "capacity" };
  }
  if (code === "upload_incomplete") return { kind: "incomplete" };
  if (code === "upload_busy") return { kind: "busy", retryAfter };
  if (status === 401) return { kind: "signedOut" };
  if (status === 404) return { kind: "gone" };
  if (TEMPORARY_STATUSES.has(status) || status >= 500) return { kind: "again", retryAfter };
  return { kind: "rejected", problem: { key: "library:uploads.problem.rejected" }, cause: "request" };
}
