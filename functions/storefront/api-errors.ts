/** Reads the GraphQL errors of a response by their code (extensions.code). */
import * as z from "zod";
import type { StoreFailureCode } from "~/domain/store/store";

/** The failure of each error code of the API; every other code is `graphql`. If a response has several, the first of this list applies. */
const FAILURE_CODES: Readonly<Record<string, StoreFailureCode>> = {
  THROTTLED: "throttled",
  ACCESS_DENIED: "access_denied",
  UNAUTHORIZED: "unauthorized",
  FORBIDDEN: "forbidden",
  SHOP_INACTIVE: "inactive",
  SHOP_FROZEN: "inactive",
  SHOP_LOCKED: "inactive",
  PAYMENT_REQUIRED: "payment",
  MAX_COST_EXCEEDED: "too_costly",
  MAX_COMPLEXITY_EXCEEDED: "too_costly",
  INTERNAL_SERVER_ERROR: "server",
  SERVICE_UNAVAILABLE: "server",
  TIMEOUT: "timeout",
};

const ErrorSchema = z.object({
  message: z.string().catch(""),
  extensions: z.object({ code: z.string().catch(""), requiredAccess: z.string().catch("") }).catch({
    code: "",
    requiredAccess: "",
  }),
});

/** The errors of a response, converted to a failure. */
export interface ApiErrors {
  readonly code: StoreFailureCode;
  /** The first non-empty message; null without one. */
  readonly message: string | null;
  /** The access scope that the token lacks; null if the store names none. */
  readonly scope: string | null;
}

/** Reads the `errors` of a response. The value is untrusted and may have any shape. */
export function readApiErrors(errors: unknown): ApiErrors {
  const apiErrors = (Array.isArray(errors) ? errors : [errors]).flatMap((error) => {
    const parsedError = ErrorSchema.safeParse(error);
    return parsedError.success ? [parsedError.data] : [];
  });
  const codes = new Set(apiErrors.map(({ extensions }) => extensions.code.toUpperCase()));
  const knownCode = Object.keys(FAILURE_CODES).find((code) => codes.has(code));
  // "Access denied for products field. Required access: `unauthenticated_read_product_listings` access scope."
  const text = apiErrors
    .map(({ message, extensions }) => `${extensions.requiredAccess} ${message}`)
    .join(" ");
  const scope = /\bunauthenticated_[a-z_]+/.exec(text)?.[0] ?? null;
  return {
    code: (knownCode && FAILURE_CODES[knownCode]) || "graphql",
    message: apiErrors.find(({ message }) => message !== "")?.message ?? null,
    scope,
  };
}
