import type { Context } from "hono";
import type * as z from "zod";
import { isAppError } from "#functions/http/http-errors";
import { isSameOrigin } from "#functions/http/origin";
import { readBody as readBytes } from "#functions/http/read-body";
import { readJson } from "#functions/http/read-json";
import { readSessionCookie, sessionCookieHeaders } from "#functions/http/session-cookie";
import { clientNetwork } from "#functions/security/client-network";
import type { CurrentSession } from "#functions/services/auth/sessions";
import {
  InvalidError,
  SecondFactorSetupError,
  UnauthenticatedError,
} from "#functions/services/shared/errors";
import { writeCursor } from "~/domain/shared/cursor";
import { API_BODY_MAX } from "~/domain/shared/limits";
import type { Uuid } from "~/domain/shared/model";
import { isApiToken } from "~/domain/webhooks/tokens";
import type { ApiEnv } from "./context";
import { HttpError } from "./problem";

/** A call of the API: its request, the worker's dependencies, and the headers of the response. */
export type ApiCall = Context<ApiEnv>;

const BEARER = /^Bearer +([A-Za-z0-9_-]+)$/i;
const SAFE_METHODS = new Set(["GET", "HEAD"]);

/** The network of the caller, for which calls and failed attempts are counted. */
export const getClientNetwork = (c: ApiCall): string => clientNetwork(c.req.raw);

const isSecure = (c: ApiCall) => !c.env.config.development;

/** The Set-Cookie values for a ticket that is valid for `maxAge` seconds; 0 removes it. They have the attribute Secure except in development. */
export const sessionCookies = (c: ApiCall, ticket: string, maxAge: number): readonly string[] =>
  sessionCookieHeaders(c.req.raw, { ticket, maxAge, secure: isSecure(c) });

/** Sends the cookie of a session with the response: see sessionCookies. */
export function setSessionCookie(c: ApiCall, ticket: string, maxAge: number): void {
  for (const header of sessionCookies(c, ticket, maxAge)) c.header("set-cookie", header, { append: true });
}

/** The ticket of the call's cookie, or null. */
export const cookieTicket = (c: ApiCall): string | null =>
  readSessionCookie(c.req.raw, isSecure(c))?.ticket ?? null;

/** Rejects a request from another site's page. @throws HttpError 403 */
export function requireSameOrigin(c: ApiCall): void {
  if (!isSameOrigin(c.req.raw)) throw new HttpError(403, "cross_site");
}

/**
 * The ticket (the secret of a session) of a call: from `Authorization: Bearer`, or without this header from the cookie. An API token counts as a ticket
 * in the header only; in the cookie it becomes an empty text, which is no valid ticket.
 */
export function requestTicket(c: ApiCall): {
  readonly ticket: string | null;
  readonly isCookie: boolean;
  /** Whether the ticket came in the cookie without the prefix `__Host-`, which only sessions from before decision 042 may use. */
  readonly isOldCookie: boolean;
} {
  const header = c.req.header("authorization");
  if (header !== undefined)
    return { ticket: BEARER.exec(header)?.[1] ?? null, isCookie: false, isOldCookie: false };
  const cookie = readSessionCookie(c.req.raw, isSecure(c));
  const ticket = cookie?.ticket ?? null;
  return {
    ticket: isApiToken(ticket) ? "" : ticket,
    isCookie: cookie !== null,
    isOldCookie: cookie?.isOldCookie ?? false,
  };
}

/** The ticket of the caller. @throws HttpError 403 when a page of another site uses the cookie for a change */
export function readCallerTicket(c: ApiCall): ReturnType<typeof requestTicket> {
  const credentials = requestTicket(c);
  if (credentials.isCookie && !SAFE_METHODS.has(c.req.method)) requireSameOrigin(c);
  return credentials;
}

/** Calls `read` with the caller's ticket. If the result is null, a 401 response removes the cookie that contained the ticket. */
async function readByTicket<T>(
  c: ApiCall,
  read: (ticket: string | null) => Promise<T | null>,
): Promise<T | null> {
  const { ticket, isCookie, isOldCookie } = readCallerTicket(c);
  // Reads that authenticate in the round trip of their query do not know which cookie contained the ticket. A session of the old cookie is therefore checked here.
  const isAccepted = async () => !isOldCookie || (await authenticateCaller(c, ticket)) !== null;
  const work = async () => ((await isAccepted()) ? read(ticket) : null);
  const result = await work().catch((error: unknown) => {
    // A use case authenticates the caller before it throws other errors.
    if (isAppError(error)) c.set("hasValidToken", true);
    throw error;
  });
  c.set("hasValidToken", result !== null);
  if (isCookie && result === null) c.set("isCookieRejected", true);
  return result;
}

/** The session or token of the caller. @throws SecondFactorSetupError for an account that must set up a second factor first */
async function authenticateCaller(c: ApiCall, bearer: string | null): Promise<CurrentSession | null> {
  const caller = await c.env.services.tokens.authenticateBearer({
    bearer,
    network: getClientNetwork(c),
    isOldCookie: requestTicket(c).isOldCookie,
  });
  if (caller?.mustSetUpFactor) throw new SecondFactorSetupError();
  return caller;
}

/** The session of the caller; null for an unauthenticated one. */
export const readSession = (c: ApiCall): Promise<CurrentSession | null> =>
  readByTicket(c, (bearer) => authenticateCaller(c, bearer));

/** The session of the caller. @throws UnauthenticatedError for an unauthenticated one */
export const requireSession = (c: ApiCall): Promise<CurrentSession> =>
  requireByTicket(c, (bearer) => authenticateCaller(c, bearer));

/** Returns the result of `read` for the caller's ticket. @throws UnauthenticatedError when it is null */
export async function requireByTicket<T>(
  c: ApiCall,
  read: (ticket: string | null) => Promise<T | null>,
): Promise<T> {
  const result = await readByTicket(c, read);
  if (result === null) throw new UnauthenticatedError();
  return result;
}

/** A body before validation. */
export type JsonBody = Readonly<Record<string, unknown>>;

/**
 * Reads the body: a JSON object of at most 1 MB without duplicate names.
 * @throws HttpError 400 invalid_json or cut_off, 413, 415
 * @throws InvalidError at a duplicate name, or at a name with a special meaning such as `__proto__`
 */
export async function readJsonBody(c: ApiCall): Promise<JsonBody> {
  const type = c.req.header("content-type")?.split(";")[0]?.trim().toLowerCase();
  // This also rejects forms of other sites, which cannot send this type.
  if (type !== "application/json")
    throw new HttpError(415, "unsupported_media_type", { accept: "application/json" });
  const readResult = readJson(await readText(c.req.raw));
  if ("wrong" in readResult) {
    if (readResult.wrong === "syntax") throw new HttpError(400, "invalid_json");
    throw new InvalidError({ [readResult.path.join(".")]: [{ key: `api:name_${readResult.wrong}` }] });
  }
  const body = readResult.value;
  if (typeof body !== "object" || body === null || Array.isArray(body))
    throw new HttpError(400, "invalid_json");
  return body as JsonBody;
}

/**
 * Reads the bytes of a body; null when there are more than `maxBytes` (by default API_BODY_MAX).
 * @throws HttpError 400 cut_off if the body is incomplete, because the client may still be connected and receive it
 */
export const readWhole = (
  request: Request,
  maxBytes = API_BODY_MAX,
): Promise<Uint8Array<ArrayBuffer> | null> =>
  readBytes(request, maxBytes).catch(() => {
    throw new HttpError(400, "cut_off");
  });

/** The error of a body of more than `maxBytes`. */
export const bodyTooLargeError = (maxBytes = API_BODY_MAX): HttpError =>
  new HttpError(413, "too_large", {}, { max: maxBytes / 1024 ** 2 });

async function readText(request: Request): Promise<string> {
  const bytes = await readWhole(request);
  if (bytes === null) throw bodyTooLargeError();
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new HttpError(400, "invalid_json");
  }
}

/** Validates a value by a schema. @throws InvalidError with the errors by field */
export async function validate<T>(schema: z.ZodType<T>, value: unknown): Promise<T> {
  const result = await schema.safeParseAsync(value);
  if (result.success) return result.data;
  const fields: Record<string, { key: string }[]> = {};
  for (const { path, message } of result.error.issues) {
    const name = path.join(".");
    fields[name] = [...(fields[name] ?? []), { key: message }];
  }
  throw new InvalidError(fields);
}

/**
 * Awaits a use case, and renames the fields of its errors to the names in this call's body.
 * @param names returns, for an error code, the body's name of each field of the service; an empty name for a field that is not in the body
 */
export async function withBodyFieldNames<T>(
  work: Promise<T>,
  names: (code: string) => Readonly<Record<string, string>>,
): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof InvalidError)) throw error;
    const bodyNames = names(error.code);
    const fields = Object.entries(error.fields).map(([name, messages]) => [
      bodyNames[name] ?? name,
      messages,
    ]);
    throw new InvalidError(Object.fromEntries(fields), error.code);
  }
}

/** Awaits a use case, and reports its errors of a file for the whole call, because the bytes of a file are not a field of a JSON body. */
export const reportFileErrorsForCall = <T>(work: Promise<T>): Promise<T> =>
  withBodyFieldNames(work, () => ({ file: "" }));

/**
 * Returns a list as an array, with the total in a header and links to neighbouring pages (RFC 8288). Without a page number, the link to the next
 * page contains a cursor, so that no item is skipped or repeated while the list changes.
 */
export function listResponse<T extends { readonly id: Uuid }>(
  c: ApiCall,
  page: {
    readonly items: readonly T[];
    readonly page: number;
    readonly pageSize: number;
    readonly total: number;
  },
  shape: (item: T) => unknown,
): Response {
  const url = new URL(c.req.url);
  const link = (number: number, rel: string) => {
    url.searchParams.set("page", String(number));
    return `<${url.pathname}${url.search}>; rel="${rel}"`;
  };
  const [hasNext, last] = [page.page * page.pageSize < page.total, page.items.at(-1)];
  if (c.req.query("page") === undefined && hasNext && last) {
    c.header("x-total-count", String(page.total));
    return sliceResponse(c, { items: page.items, hasNext }, shape);
  }
  const links = [
    ...(page.page > 1 ? [link(page.page - 1, "prev")] : []),
    ...(hasNext ? [link(page.page + 1, "next")] : []),
  ];
  if (links.length > 0) c.header("link", links.join(", "));
  c.header("x-total-count", String(page.total));
  return c.json(page.items.map(shape));
}

/**
 * Returns one page of a completely read list: the items after the cursor, up to the limit. If the item of the cursor was removed, the page is empty.
 * @param key the field that identifies an item
 */
export function partResponse(
  c: ApiCall,
  items: readonly Readonly<Record<string, unknown>>[],
  { cursor, limit = items.length }: { readonly cursor?: string; readonly limit?: number },
  key: string,
): Response {
  const index = cursor === undefined ? -1 : items.findIndex((item) => item[key] === cursor);
  const itemsAfterCursor = cursor !== undefined && index < 0 ? [] : items.slice(index + 1);
  const page = itemsAfterCursor.slice(0, limit);
  if (page.length < itemsAfterCursor.length) {
    const url = new URL(c.req.url);
    url.searchParams.set("cursor", `after~${page.at(-1)?.[key]}`);
    c.header("link", `<${url.pathname}${url.search}>; rel="next"`);
  }
  c.header("x-total-count", String(items.length));
  return c.json(page);
}

/** The error of a list that has only cursors when a page number is requested. */
export const pageNumberError = () =>
  new InvalidError({ page: [{ key: "shared-owners:errors.list.invalid" }] });

/** A page of a list with cursors: an array, a link to the next page, and the total if it is counted. */
export function sliceResponse<T extends { readonly id: Uuid }>(
  c: ApiCall,
  slice: {
    readonly items: readonly T[];
    readonly hasNext: boolean;
    readonly total?: { readonly count: number; readonly hasMore: boolean };
  },
  shape: (item: T) => unknown,
): Response {
  const last = slice.items.at(-1);
  if (slice.hasNext && last) {
    const url = new URL(c.req.url);
    url.searchParams.set("cursor", writeCursor({ position: "after", id: last.id }) ?? "");
    c.header("link", `<${url.pathname}${url.search}>; rel="next"`);
  }
  if (slice.total && !slice.total.hasMore) c.header("x-total-count", String(slice.total.count));
  return c.json(slice.items.map(shape));
}
