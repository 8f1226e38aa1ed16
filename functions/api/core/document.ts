/** The OpenAPI document (3.1) of the calls. */
import * as z from "zod";
import {
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
} from "zod-openapi";
import {
  BODY_PROBLEMS,
  type Call,
  isBytesBody,
  isOwnBody,
  listPathParams,
  type ProblemCode,
  type Tag,
} from "./call";
import { IDEMPOTENCY_KEY } from "./idempotency";
import { INTRODUCTION, TAGS } from "./introduction";
import { PERMISSION_TEXTS } from "./permission-texts";
import { PROBLEMS } from "./problem-codes";
import { ProblemSchema } from "./schemas";
import { getCallScope } from "./scopes";

/** Schemas of path parameters, by their names. */
export const PATH_PARAMS: Readonly<Record<string, z.ZodType>> = {
  uuid: z.string().meta({ format: "uuid", description: "The record's id." }),
  ticket: z.string().meta({ description: "The session's ticket." }),
  token: z.string().meta({ description: "The token of the link." }),
  handle: z.string().meta({ description: "The session's handle in the list of sessions." }),
  passkey: z.string().meta({ description: "The passkey's id in the list." }),
  message_uuid: z.string().meta({ format: "uuid", description: "The message's id." }),
  user_uuid: z.string().meta({ format: "uuid", description: "The account's id." }),
  seq: z.int().min(0).meta({ description: "Number of a change; 0 precedes the first." }),
  number: z.int().min(1).meta({ description: "The number of the slice, from 1." }),
};

/** The full path of a call. */
export const fullPath = (path: string): string => (path.startsWith("/default/") ? path : `/api${path}`);

/** Scopes that no token can lack: every API token has `read`, and null means that the call needs no token or accepts none. */
const SCOPES_OF_ALL_TOKENS: ReadonlySet<string | null> = new Set([null, "read"]);

/** The problem codes that a call may return, except for unexpected errors. */
export function listProblemCodes(call: Call): readonly ProblemCode[] {
  const { body } = call;
  const codes: ProblemCode[] = [...(call.problems ?? []), "rate_limited"];
  if (call.who === "user") codes.push("unauthenticated", "second_factor_setup_required");
  if (call.who === "user" && call.method !== "GET") codes.push("cross_site");
  if (!SCOPES_OF_ALL_TOKENS.has(getCallScope(call))) codes.push("insufficient_scope");
  if (listPathParams(call.path).includes("uuid") || call.query || body) codes.push("not_found");
  if (call.query) codes.push("invalid");
  if (isBytesBody(body)) codes.push("cut_off", "too_large", "unsupported_media_type");
  else if (body) codes.push(...BODY_PROBLEMS);
  if (call.acceptsIfMatch) codes.push("stale_version");
  if (call.method !== "GET") codes.push("if_match_refused");
  if (call.acceptsIdempotencyKey)
    codes.push(
      "idempotency_key_invalid",
      "idempotency_key_reused",
      "idempotency_key_busy",
      "idempotency_key_spent",
    );
  return [...new Set(codes)].sort();
}

/** The problem codes of a call by status. 412 occurs only for calls that accept If-Match. */
function problemsByStatus(call: Call): Map<number, ProblemCode[]> {
  const codesByStatus = new Map<number, ProblemCode[]>();
  for (const code of listProblemCodes(call))
    for (const status of PROBLEMS[code] as readonly number[]) {
      if (status === 412 && !call.acceptsIfMatch) continue;
      codesByStatus.set(status, [...(codesByStatus.get(status) ?? []), code]);
    }
  return codesByStatus;
}

const IDEMPOTENCY_KEY_DESCRIPTION =
  "The caller's key for one call. Repeating a completed request within 24 hours executes nothing and returns the first response.";

const header = (description: string, type = "string") => ({ description, schema: { type } as const });

function responseHeaders(call: Call) {
  return {
    ...(call.hasEtag && { ETag: header("The record's version: for If-None-Match and If-Match.") }),
    ...(call.acceptsIdempotencyKey && {
      "Idempotency-Replayed": header("`true` for the stored response to the first request."),
    }),
    ...((call.list || call.wholeListKey) && {
      Link: header("URLs of the next page and, with `page`, of the previous one (RFC 8288), if they exist."),
      "X-Total-Count": header("Total number of items, if they are counted.", "integer"),
    }),
    ...Object.fromEntries(
      Object.entries(call.headers ?? {}).map(([name, description]) => [name, header(description)]),
    ),
  };
}

function createResponses(call: Call): ZodOpenApiOperationObject["responses"] {
  const { status = 200, response: schema, produces = "application/json" } = call;
  const headers = responseHeaders(call);
  const content = { [produces]: { schema } };
  const responses: Record<string, object> = {
    [status]: { description: call.summary, ...(Object.keys(headers).length > 0 && { headers }), content },
  };
  if (call.hasEtag && call.method === "GET")
    responses["304"] = { description: "The caller already has this version (If-None-Match)." };
  for (const [code, codes] of problemsByStatus(call))
    responses[code] = {
      description: codes.map((item) => `\`${item}\``).join(", "),
      "x-codes": codes,
      ...(code === 429 && { headers: { "Retry-After": header("Seconds to wait.", "integer") } }),
      content: {
        "application/problem+json": {
          schema: codes.includes("stale_version")
            ? ProblemSchema.extend({ saved: (call.savedSchema ?? call.response).nullable().optional() })
            : ProblemSchema,
        },
      },
    };
  return responses as ZodOpenApiOperationObject["responses"];
}

/** The required fields of a body. zod considers all custom fields optional, so they are determined here. */
const listRequiredFields = (schema: z.ZodType) =>
  schema instanceof z.ZodObject
    ? Object.keys(schema.shape).filter((name) => !(schema.shape[name] instanceof z.ZodOptional))
    : [];

function createRequestBody({ body, method }: Call): Pick<ZodOpenApiOperationObject, "requestBody"> {
  if (body === undefined || method === "GET") return {};
  if (isBytesBody(body)) {
    const schema = { description: body.bytesDescription };
    const content = Object.fromEntries(body.mediaTypes.map((type) => [type, { schema }]));
    return { requestBody: { required: true, content } };
  }
  const schema = isOwnBody(body) ? body.documented : body;
  const required = listRequiredFields(schema);
  return {
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: required.length === 0 ? schema : schema.meta({ ...schema.meta(), required }),
        },
      },
    },
  };
}

function createParams(call: Call) {
  const path = Object.fromEntries(
    listPathParams(call.path).map((name) => [name, PATH_PARAMS[name] ?? z.string()]),
  );
  const headers = {
    ...(call.acceptsIfMatch && {
      "If-Match": z.string().optional().meta({
        description: "A single ETag, on which the change is based. 412 if the record has another one.",
      }),
    }),
    ...(call.acceptsIdempotencyKey && {
      "Idempotency-Key": z
        .string()
        .regex(IDEMPOTENCY_KEY)
        .optional()
        .meta({ description: IDEMPOTENCY_KEY_DESCRIPTION }),
    }),
    ...(call.hasEtag &&
      call.method === "GET" && {
        "If-None-Match": z
          .string()
          .optional()
          .meta({ description: "The caller's ETag. 304 if it is still current." }),
      }),
  };
  return {
    ...(Object.keys(path).length > 0 && { path: z.object(path) }),
    ...(call.query && { query: call.query }),
    ...(Object.keys(headers).length > 0 && { header: z.object(headers) }),
  };
}

/** The security requirement of a call: a session, or a token with the scope. */
const createSecurity = (call: Call): Record<string, string[]>[] =>
  call.who === "user" ? [{ bearer: [getCallScope(call) ?? []].flat() }, { cookie: [] }] : [];

const scopeDescription = (call: Call) => {
  if (call.who === "anyone") return undefined;
  const scope = getCallScope(call);
  return scope === null ? "Access tokens are not accepted." : `Scope of access tokens: \`${scope}\`.`;
};

function createOperation(call: Call): ZodOpenApiOperationObject {
  const { description, may = call.who === "anyone" ? PERMISSION_TEXTS.anyone : undefined } = call;
  const text = [description, scopeDescription(call), may && `Who may: ${may}`].filter(Boolean).join("\n\n");
  const params = createParams(call);
  return {
    operationId: call.id,
    tags: [call.tag],
    summary: call.summary,
    ...(text && { description: text }),
    security: createSecurity(call),
    ...(Object.keys(params).length > 0 && { requestParams: params }),
    ...createRequestBody(call),
    responses: createResponses(call),
  } as ZodOpenApiOperationObject;
}

/** Allows additional fields in the objects of a schema, so that fields added later do not break clients. */
function allowAdditionalFields<T>(node: T): T {
  if (Array.isArray(node)) return node.map(allowAdditionalFields) as T;
  if (typeof node !== "object" || node === null) return node;
  const entries = Object.entries(node).filter(
    ([key, value]) => key !== "additionalProperties" || value !== false,
  );
  return Object.fromEntries(entries.map(([key, value]) => [key, allowAdditionalFields(value)])) as T;
}

/** The OpenAPI document of these calls. */
export function createApiDocument(calls: readonly Call[]) {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const call of calls) {
    const path = fullPath(call.path);
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: createOperation(call) };
  }
  const usedTags = new Set<Tag>(calls.map(({ tag }) => tag));
  const openApi: ZodOpenApiObject = {
    openapi: "3.1.1",
    info: { title: "Hiroba", version: "1", description: INTRODUCTION },
    servers: [{ url: "/" }],
    tags: Object.entries(TAGS)
      .filter(([name]) => usedTags.has(name as Tag))
      .map(([name, description]) => ({ name, description })),
    paths: paths as ZodOpenApiPathsObject,
    components: {
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          description: "The ticket of a session, or an access token with the stated scope.",
        },
        cookie: {
          type: "apiKey",
          in: "cookie",
          name: "__Host-session-ticket",
          description:
            "The ticket as a cookie (`session-ticket` on a developer's machine). Changes are then accepted only from pages of this host.",
        },
      },
    },
  };
  const document = createDocument(openApi, {
    // A field of app/domain is a function; its metadata contains its JSON Schema.
    allowEmptySchema: { transform: { input: true }, prefault: { input: true } },
    override: ({ jsonSchema, zodSchema, io }) => {
      // Fields added later must not break clients.
      if (io === "output" && jsonSchema.additionalProperties === false)
        delete jsonSchema.additionalProperties;
      // The default is an input value, which can differ from the output value.
      if (zodSchema._zod.def.type !== "prefault") return;
      const { default: defaultInput } = z.globalRegistry.get(zodSchema) ?? {};
      if (defaultInput === undefined) delete jsonSchema.default;
      else jsonSchema.default = defaultInput as never;
    },
  });
  return allowAdditionalFields(document);
}
/** The OpenAPI document as the API serves it. */
export type ApiDocument = ReturnType<typeof createApiDocument>;
