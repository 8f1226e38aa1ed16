/**
 * One declaration per call (decision 029): its method, path, parameters, body, answers and who may call it. From it come the
 * parsing of what was sent, the OpenAPI document, the reference page and the tests of both.
 */
import * as z from "zod";
import { isAppError } from "#functions/http/http-errors";
import { drainBody } from "#functions/http/read-body";
import type { Services } from "#functions/services";
import type { CurrentSession } from "#functions/services/auth/sessions";
import { InvalidError, NotFoundError } from "#functions/services/shared/errors";
import type { Actor } from "~/domain/auth/actor";
import { toUuid } from "~/domain/shared/ids";
import { UPLOAD_PART_BYTES } from "~/domain/shared/limits";
import type { User } from "~/domain/shared/model";
import type { Scope } from "~/domain/webhooks/scopes";
import { NAMES_NOTHING, parts } from "./fields";
import { runIdempotently } from "./idempotency";
import { HttpError } from "./problem";
import type { PROBLEMS } from "./problem-codes";
import {
  type ApiCall,
  check,
  type JsonBody,
  partResponse,
  readJsonBody,
  requireByTicket,
  requireSession,
} from "./request";
import { requireScope } from "./scopes";
import { readExpected, rejectExpectedVersion, tagged } from "./versions";

/** The methods of calls; HEAD and OPTIONS are answered for all of them. */
export type Method = "GET" | "POST" | "PUT" | "DELETE";
/** user: requires a session. anyone: visitors too. */
export type Who = "user" | "anyone";
/** The parts of the reference. */
export type Tag =
  | "account"
  | "users"
  | "groups"
  | "audit"
  | "spaces"
  | "folders"
  | "media"
  | "uploads"
  | "packages"
  | "batches"
  | "trash"
  | "events"
  | "content"
  | "history"
  | "store"
  | "reports"
  | "webhooks"
  | "visitors"
  | "about";

/** The read-only type of a value that a schema describes. */
export type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T;
/** An answer as its schema describes it. */
export type JsonOf<S extends z.ZodType> = Frozen<z.output<S>>;

type Shape = Readonly<Record<string, z.ZodType>>;
type ValuesOf<S> = S extends z.ZodType ? z.output<S> : Readonly<Record<never, never>>;
type ParamsOf<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [K in Name]: string } & ParamsOf<Rest>
  : unknown;

/** Input of a handler. */
export interface CallQuery<Path extends string, W extends Who, Query, Sent> {
  readonly c: ApiCall;
  readonly services: Services;
  /** Out of the path. Those that end in `uuid` are ids. */
  readonly params: ParamsOf<Path>;
  readonly query: ValuesOf<Query>;
  /** The body as its schema reads it. */
  readonly body: ValuesOf<Sent>;
  /** The body as it was sent. */
  readonly sent: JsonBody;
  /** The caller's session; only for calls of "user". */
  readonly session: W extends "user" ? CurrentSession : null;
  readonly actor: W extends "user" ? Actor : null;
  readonly user: W extends "user" ? User : null;
  /** The version that If-Match asks for; null when it asks for none. */
  readonly expected: number | null;
}

/** A body of bytes: its description, and its allowed types. */
export interface BytesBody {
  readonly bytes: string;
  readonly types: readonly string[];
}

/** A JSON body that the handler reads itself, and as what. */
export interface OwnBody {
  readonly documented: z.ZodType;
}

/** A code that a problem document may have. */
export type ProblemCode = keyof typeof PROBLEMS;

/** Problems that every JSON body can have. */
export const BODY_PROBLEMS = [
  ...(["invalid", "invalid_json", "cut_off", "too_large", "unsupported_media_type"] as const),
] satisfies ProblemCode[];

/** A call as it is declared. */
export interface CallPlan<
  Path extends string,
  W extends Who,
  Query extends z.ZodObject<Shape> | undefined,
  Sent extends z.ZodType | BytesBody | OwnBody | undefined,
  Answer extends z.ZodType,
> {
  /** Stable: programs that are made from the document call it by this name. */
  readonly id: string;
  readonly method: Method;
  /** Below the base, parameters in braces. */
  readonly path: Path;
  /** Where it lives: below /api unless it is named whole. */
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string;
  readonly who: W;
  /** Text about which of these callers have permission. */
  readonly may?: string;
  /** The scope that a token needs, where it is not that of the part (neededScope). */
  readonly scope?: Scope;
  readonly query?: Query;
  readonly body?: Sent;
  readonly answer: Answer;
  /** Media type of the response, if it is not JSON. */
  readonly produces?: string;
  /** The status of the answer: 200 unless something is made. */
  readonly status?: 200 | 201;
  /** Another status with the same answer. */
  readonly also?: Readonly<Record<number, string>>;
  /** Problems in addition to those of every call of its kind. */
  readonly problems?: readonly ProblemCode[];
  /** A list: by pages, or from a cursor. */
  readonly list?: "pages" | "cursor";
  /** Key field of a list that the handler reads completely, so that the caller can request it in pages. */
  readonly whole?: string;
  /** The answer is one record: ETag, and If-None-Match on reads. */
  readonly tagged?: boolean;
  /** True for a change that If-Match, or `version` in the body, ties to a version. Without either it is repeated if another user saves in between. */
  readonly guarded?: boolean;
  /** Schema of `saved` in the problem document of a stale change, if it differs from the call's response. */
  readonly saved?: z.ZodType;
  /** A creation: to send it twice would make two things, unless it has an Idempotency-Key. */
  readonly repeatable?: boolean;
  /** Headers that the answer has, and what they say. */
  readonly headers?: Readonly<Record<string, string>>;
  /** It asks by itself who calls, so that both come in one round trip: `handle` gets no session. */
  readonly ownSession?: boolean;
  readonly handle: (asked: CallQuery<Path, W, Query, Sent>) => Promise<JsonOf<Answer> | Response>;
}

/** A read of one record that knows by itself who asks, so that both come in one round trip. */
export interface AuthenticatedReadPlan<Path extends string, Answer extends z.ZodType>
  extends Omit<
    CallPlan<Path, "user", undefined, undefined, Answer>,
    "handle" | "method" | "who" | "query" | "body" | "tagged" | "ownSession"
  > {
  /** Reads the response for the ticket's holder; null if the ticket is invalid. */
  readonly read: (
    services: Services,
    asked: { readonly ticket: string | null; readonly params: ParamsOf<Path> },
  ) => Promise<JsonOf<Answer> | null>;
}

/** Any call. */
export interface Call
  extends Omit<
    CallPlan<
      string,
      Who,
      z.ZodObject<Shape> | undefined,
      z.ZodType | BytesBody | OwnBody | undefined,
      z.ZodType
    >,
    "handle"
  > {
  // biome-ignore lint/suspicious/noExplicitAny: what a handler asks for is known where it is declared
  readonly handle: (asked: any) => Promise<unknown>;
}

/** Declares a call. */
export function call<
  const Path extends string,
  const W extends Who,
  Answer extends z.ZodType,
  Query extends z.ZodObject<Shape> | undefined = undefined,
  Sent extends z.ZodType | BytesBody | OwnBody | undefined = undefined,
>(plan: CallPlan<Path, W, Query, Sent, Answer>): Call {
  const query = plan.whole ? z.object({ ...plan.query?.shape, ...parts }) : plan.query;
  return { ...plan, query } as unknown as Call;
}

/** Declares a read of one record. */
export const authenticatedRead = <const Path extends string, Answer extends z.ZodType>({
  read,
  ...plan
}: AuthenticatedReadPlan<Path, Answer>): Call => ({
  ...plan,
  method: "GET",
  who: "user",
  tagged: true,
  ownSession: true,
  handle: ({ c, services, params }: CallQuery<Path, "anyone", undefined, undefined>) =>
    requireByTicket(c, (ticket) => read(services, { ticket, params })),
});

/** Whether a body is bytes and not JSON. */
export const isBytes = (body: Call["body"]): body is BytesBody => body !== undefined && "bytes" in body;
/** Whether the handler reads the body itself. */
export const isOwn = (body: Call["body"]): body is OwnBody => body !== undefined && "documented" in body;

/**
 * application/octet-stream is accepted for any of the types; another type must be one of them.
 * @throws HttpError 415
 */
function requireType(c: ApiCall, types: readonly string[]): void {
  const type =
    c.req.header("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "application/octet-stream";
  if (type !== "application/octet-stream" && !types.includes(type))
    throw new HttpError(415, "unsupported_media_type", { accept: types.join(", ") });
}

/** The names of a path's parameters, in order. */
export const paramsOf = (path: string): readonly string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "");

function readParams(c: ApiCall, names: readonly string[]): Readonly<Record<string, string>> {
  const params: Record<string, string> = {};
  for (const name of names) {
    const text = c.req.param(name) ?? "";
    // An id that is none names no record.
    const value = name.endsWith("uuid") ? toUuid(text) : text;
    if (value === null) throw new NotFoundError(name);
    params[name] = value;
  }
  return params;
}

/** A parameter that comes once as a text, one that comes several times as a list of texts: only a schema that takes lists takes that. */
function readQuery(c: ApiCall, schema: z.ZodObject<Shape>): Promise<Record<string, unknown>> {
  const sent: Record<string, unknown> = {};
  for (const name of Object.keys(schema.shape)) {
    const values = c.req.queries(name);
    if (values !== undefined) sent[name] = values.length > 1 ? values : values[0];
  }
  return check(schema, sent).catch((error: unknown) => {
    const isWrongId =
      error instanceof InvalidError &&
      Object.values(error.fields).some((words) => words.some(({ key }) => key === NAMES_NOTHING));
    throw isWrongId ? new NotFoundError("query") : error;
  });
}

/** Creates the handler of a call: it authenticates the caller, reads the input, runs the call and responds. */
export function toResponse(plan: Call): (c: ApiCall) => Promise<Response> {
  const names = paramsOf(plan.path);
  const { query: querySchema, body: bodySchema, status = 200 } = plan;
  const needsSession = plan.who === "user" && plan.ownSession !== true;
  const answer = async (c: ApiCall, session: CurrentSession | null): Promise<Response> => {
    try {
      if (isBytes(bodySchema)) requireType(c, bodySchema.types);
      const params = readParams(c, names);
      const query = querySchema ? await readQuery(c, querySchema) : {};
      const expected = plan.method === "GET" ? null : readExpected(c);
      if (expected !== null && !plan.guarded) rejectExpectedVersion();
      let sent: JsonBody = {};
      let body: unknown = {};
      if (bodySchema && !isBytes(bodySchema) && !isOwn(bodySchema)) {
        sent = withVersion(await readJsonBody(c), expected);
        body = await check(bodySchema, sent);
      }
      const handle = () =>
        plan.handle({
          c,
          params,
          query,
          sent,
          body,
          session,
          expected,
          services: c.env.services,
          actor: session?.actor ?? null,
          user: session?.user ?? null,
        });
      const value = await (plan.guarded && sent.version == null ? overWhateverIsSaved(handle) : handle());
      if (value instanceof Response) return value;
      if (plan.whole) return partResponse(c, value as [], query, plan.whole);
      return plan.tagged ? tagged(c, value, status) : c.json(value as object, status);
    } catch (error) {
      // So that the sender hears why.
      if (isBytes(bodySchema)) await drainBody(c.req.raw.body, UPLOAD_PART_BYTES * 2);
      throw error;
    }
  };
  return async (c) => {
    const session = needsSession ? await requireSession(c) : null;
    if (session) requireScope(plan, session);
    return plan.repeatable && session
      ? runIdempotently(c, session.actor, () => answer(c, session))
      : answer(c, session);
  };
}

/** Maximum number of attempts of a change without a version when another user saves between its read and its write. */
const TRIES = 5;

/** A change without a version is repeated on the newly saved values. A failed attempt has written nothing. */
async function overWhateverIsSaved<T>(work: () => Promise<T>): Promise<T> {
  for (let left = TRIES; ; left--) {
    try {
      return await work();
    } catch (error) {
      if (left === 1 || !isAppError(error) || error.code !== "stale_version") throw error;
    }
  }
}

/** If-Match says the same as `version` in the body; a body that names another one means neither. */
function withVersion(sent: JsonBody, expected: number | null): JsonBody {
  if (expected === null) return sent;
  if (sent.version != null && String(sent.version) !== String(expected))
    throw new InvalidError({ version: [{ key: "shared-owners:errors.field.invalid" }] });
  return { ...sent, version: expected };
}
