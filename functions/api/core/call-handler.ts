/** Handles a declared call: authenticates the caller, reads its input, and responds. */

import type * as z from "zod";
import { isAppError } from "#functions/http/http-errors";
import { drainBody } from "#functions/http/read-body";
import type { CurrentSession } from "#functions/services/auth/sessions";
import { InvalidError, NotFoundError } from "#functions/services/shared/errors";
import { toUuid } from "~/domain/shared/ids";
import { UPLOAD_PART_BYTES } from "~/domain/shared/limits";
import { type Call, isBytesBody, isOwnBody, listPathParams } from "./call";
import { INVALID_ID } from "./fields";
import { runIdempotently } from "./idempotency";
import { HttpError } from "./problem";
import { type ApiCall, type JsonBody, partResponse, readJsonBody, requireSession, validate } from "./request";
import { requireScope } from "./scopes";
import { readExpectedVersion, rejectExpectedVersion, respondWithEtag } from "./versions";

/** Checks that the Content-Type is one of `types`, application/octet-stream or missing. @throws HttpError 415 */
function requireType(c: ApiCall, types: readonly string[]): void {
  const type =
    c.req.header("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "application/octet-stream";
  if (type !== "application/octet-stream" && !types.includes(type))
    throw new HttpError(415, "unsupported_media_type", { accept: types.join(", ") });
}

function readParams(c: ApiCall, names: readonly string[]): Readonly<Record<string, string>> {
  const params: Record<string, string> = {};
  for (const name of names) {
    const text = c.req.param(name) ?? "";
    // An invalid id is treated like an unknown one.
    const value = name.endsWith("uuid") ? toUuid(text) : text;
    if (value === null) throw new NotFoundError(name);
    params[name] = value;
  }
  return params;
}

/** Reads the query. A parameter that occurs several times becomes a list of texts, which only a schema of lists accepts. */
function readQuery(c: ApiCall, schema: z.ZodObject): Promise<Record<string, unknown>> {
  const sent: Record<string, unknown> = {};
  for (const name of Object.keys(schema.shape)) {
    const values = c.req.queries(name);
    if (values !== undefined) sent[name] = values.length > 1 ? values : values[0];
  }
  return validate(schema, sent).catch((error: unknown) => {
    const isWrongId =
      error instanceof InvalidError &&
      Object.values(error.fields).some((messages) => messages.some(({ key }) => key === INVALID_ID));
    throw isWrongId ? new NotFoundError("query") : error;
  });
}

/** Creates the handler of a call: it authenticates the caller, reads the input, runs the call and responds. */
export function createCallHandler(declaration: Call): (c: ApiCall) => Promise<Response> {
  const paramNames = listPathParams(declaration.path);
  const needsSession = declaration.who === "user" && declaration.authenticatesItself !== true;
  return async (c) => {
    const session = needsSession ? await requireSession(c) : null;
    if (session) requireScope(declaration, session);
    return declaration.acceptsIdempotencyKey && session
      ? runIdempotently(c, session.actor, () => respond(c, declaration, paramNames, session))
      : respond(c, declaration, paramNames, session);
  };
}

/** Reads the input of a call, runs the call and responds. */
async function respond(
  c: ApiCall,
  declaration: Call,
  paramNames: ReturnType<typeof listPathParams>,
  session: CurrentSession | null,
): Promise<Response> {
  const { query: querySchema, body: bodySchema, status = 200 } = declaration;
  try {
    if (isBytesBody(bodySchema)) requireType(c, bodySchema.mediaTypes);
    const params = readParams(c, paramNames);
    const query = querySchema ? await readQuery(c, querySchema) : {};
    const expectedVersion = declaration.method === "GET" ? null : readExpectedVersion(c);
    if (expectedVersion !== null && !declaration.acceptsIfMatch) rejectExpectedVersion();
    let rawBody: JsonBody = {};
    let body: unknown = {};
    if (bodySchema && !isBytesBody(bodySchema) && !isOwnBody(bodySchema)) {
      rawBody = withVersion(await readJsonBody(c), expectedVersion);
      body = await validate(bodySchema, rawBody);
    }
    const handle = () =>
      declaration.handle({
        c,
        params,
        query,
        rawBody,
        body,
        session,
        expectedVersion,
        services: c.env.services,
        actor: session?.actor ?? null,
        user: session?.user ?? null,
      });
    const value = await (declaration.acceptsIfMatch && expectedVersion === null && rawBody.version == null
      ? retryStaleChange(handle)
      : handle());
    if (value instanceof Response) return value;
    // The handler has read the whole list. The caller gets the requested page of it.
    if (declaration.wholeListKey) return partResponse(c, value as [], query, declaration.wholeListKey);
    return declaration.hasEtag ? respondWithEtag(c, value, status) : c.json(value as object, status);
  } catch (error) {
    // Reads up to two slices of the rest of the body, because a client receives the response only after it has sent the body.
    if (isBytesBody(bodySchema)) await drainBody(c.req.raw.body, UPLOAD_PART_BYTES * 2);
    throw error;
  }
}

/** Maximum number of attempts of a change without a version. An attempt fails if the record is saved between its read and its write. */
const CHANGE_ATTEMPTS = 5;

/** Repeats a change without a version on the newly saved values. A failed attempt has written nothing. */
async function retryStaleChange<T>(work: () => Promise<T>): Promise<T> {
  for (let attemptsLeft = CHANGE_ATTEMPTS; ; attemptsLeft--) {
    try {
      return await work();
    } catch (error) {
      if (attemptsLeft === 1 || !isAppError(error) || error.code !== "stale_version") throw error;
    }
  }
}

/** Adds the version of If-Match to the body. @throws InvalidError if `version` in the body differs from it */
function withVersion(rawBody: JsonBody, expectedVersion: number | null): JsonBody {
  if (expectedVersion === null) return rawBody;
  if (rawBody.version != null && String(rawBody.version) !== String(expectedVersion))
    throw new InvalidError({ version: [{ key: "shared-owners:errors.field.invalid" }] });
  return { ...rawBody, version: expectedVersion };
}
