/**
 * One declaration per API call (decision 029), which states what an API call needs: its method, path, parameters, body, responses and permitted
 * callers. The parsing of requests, the OpenAPI document, the reference page and the tests of these derive from it.
 */
import * as z from "zod";
import type { Services } from "#functions/services";
import type { CurrentSession } from "#functions/services/auth/sessions";
import type { Actor } from "~/domain/auth/actor";
import type { User } from "~/domain/shared/model";
import type { Scope } from "~/domain/webhooks/scopes";
import { optionalCursorParams } from "./fields";
import type { PROBLEMS } from "./problem-codes";
import { type ApiCall, type JsonBody, requireByTicket } from "./request";

/** The methods of calls. In addition, HEAD works like GET, and OPTIONS works at every path. */
export type Method = "GET" | "POST" | "PUT" | "DELETE";
/** user: requires a session or an API token. anyone: needs neither. */
export type CallerKind = "user" | "anyone";
/** The sections of the reference, which are the tags of the OpenAPI document. */
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
/** The type of a response from its schema. */
export type JsonOf<S extends z.ZodType> = Frozen<z.output<S>>;

type Shape = Readonly<Record<string, z.ZodType>>;
type ValuesOf<S> = S extends z.ZodType ? z.output<S> : Readonly<Record<never, never>>;
type ParamsOf<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [K in Name]: string } & ParamsOf<Rest>
  : unknown;

/** Input of a handler. */
export interface CallInput<Path extends string, Caller extends CallerKind, Query, Body> {
  readonly c: ApiCall;
  readonly services: Services;
  /** Parameters from the path. Those whose names end in `uuid` are ids. */
  readonly params: ParamsOf<Path>;
  readonly query: ValuesOf<Query>;
  /** The body after validation by its schema. */
  readonly body: ValuesOf<Body>;
  /** The JSON body before validation, with the version of If-Match as `version`. Empty if the call has no JSON body, or the handler reads it itself. */
  readonly rawBody: JsonBody;
  /** The caller's session or API token; only for calls of "user". */
  readonly session: Caller extends "user" ? CurrentSession : null;
  readonly actor: Caller extends "user" ? Actor : null;
  readonly user: Caller extends "user" ? User : null;
  /** The version from If-Match; null without one. */
  readonly expectedVersion: number | null;
}

/** A body of bytes, such as a file. */
export interface BytesBody {
  readonly bytesDescription: string;
  readonly mediaTypes: readonly string[];
}

/** The schema of a JSON body that the handler reads itself. */
export interface OwnBody {
  readonly documented: z.ZodType;
}

/** A code that a problem document may have. */
export type ProblemCode = keyof typeof PROBLEMS;

/** Problems that every JSON body can have. */
export const BODY_PROBLEMS = [
  "invalid",
  "invalid_json",
  "cut_off",
  "too_large",
  "unsupported_media_type",
] as const satisfies readonly ProblemCode[];

/** The declaration of a call. */
export interface CallDeclaration<
  Path extends string,
  Caller extends CallerKind,
  Query extends z.ZodObject<Shape> | undefined,
  Body extends z.ZodType | BytesBody | OwnBody | undefined,
  ResponseSchema extends z.ZodType,
> {
  /** The operation id. It must not change, because generated clients use it as a name. */
  readonly id: string;
  readonly method: Method;
  /** Path with parameters in braces, below /api unless it begins with /default/. */
  readonly path: Path;
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string;
  readonly who: Caller;
  /** Text about which of these callers have permission. */
  readonly may?: string;
  /** The scope that an API token needs, if it differs from the scope of the call's `tag` (scopes.ts). */
  readonly scope?: Scope;
  readonly query?: Query;
  readonly body?: Body;
  readonly response: ResponseSchema;
  /** Media type of the response, if it is not JSON. */
  readonly produces?: string;
  /** The status of a successful response: 200 by default, 201 for createEvent and for tags and media that are added or copied to an event. */
  readonly status?: 200 | 201;
  /** Problems in addition to those that follow from the other fields of the declaration (listProblemCodes). */
  readonly problems?: readonly ProblemCode[];
  /** Set if the response is one page of a list: "pages" for lists with page numbers and cursors, "cursor" for lists with cursors only. */
  readonly list?: "pages" | "cursor";
  /** Set if the handler returns a whole list: the field that identifies an item, so that the caller can request the list in pages. */
  readonly wholeListKey?: string;
  /** True if the response is one record and therefore has an ETag. A GET also accepts If-None-Match. */
  readonly hasEtag?: boolean;
  /**
   * True for a change that the caller can base on a version, by If-Match or by `version` in the body. Without either it is repeated if the record is
   * saved in between.
   */
  readonly acceptsIfMatch?: boolean;
  /** Schema of `saved` in the problem document of a stale change, if it differs from the call's response. */
  readonly savedSchema?: z.ZodType;
  /** True for a creation, which accepts an Idempotency-Key so that a retry does not create a second record. */
  readonly acceptsIdempotencyKey?: boolean;
  /** Headers of the response, with their descriptions. */
  readonly headers?: Readonly<Record<string, string>>;
  /** True if the handler authenticates the caller itself, in the same round trip as its query. `handle` then gets no session. */
  readonly authenticatesItself?: boolean;
  readonly handle: (
    input: CallInput<Path, Caller, Query, Body>,
  ) => Promise<JsonOf<ResponseSchema> | Response>;
}

/** A read of one record that authenticates the caller in the same round trip. */
export interface AuthenticatedReadDeclaration<Path extends string, ResponseSchema extends z.ZodType>
  extends Omit<
    CallDeclaration<Path, "user", undefined, undefined, ResponseSchema>,
    "handle" | "method" | "who" | "query" | "body" | "hasEtag" | "authenticatesItself"
  > {
  /** Reads the response for the holder of a ticket (the secret of a session, or an API token); null if the ticket is invalid. */
  readonly read: (
    services: Services,
    input: { readonly ticket: string | null; readonly params: ParamsOf<Path> },
  ) => Promise<JsonOf<ResponseSchema> | null>;
}

/** Any call. */
export interface Call
  extends Omit<
    CallDeclaration<
      string,
      CallerKind,
      z.ZodObject<Shape> | undefined,
      z.ZodType | BytesBody | OwnBody | undefined,
      z.ZodType
    >,
    "handle"
  > {
  // biome-ignore lint/suspicious/noExplicitAny: the declaration of each call has the exact type
  readonly handle: (input: any) => Promise<unknown>;
}

/** Declares a call. */
export function call<
  const Path extends string,
  const Caller extends CallerKind,
  ResponseSchema extends z.ZodType,
  Query extends z.ZodObject<Shape> | undefined = undefined,
  Body extends z.ZodType | BytesBody | OwnBody | undefined = undefined,
>(declaration: CallDeclaration<Path, Caller, Query, Body, ResponseSchema>): Call {
  const query = declaration.wholeListKey
    ? z.object({ ...declaration.query?.shape, ...optionalCursorParams })
    : declaration.query;
  return { ...declaration, query } as unknown as Call;
}

/** Declares a read of one record that authenticates the caller itself. */
export const authenticatedRead = <const Path extends string, ResponseSchema extends z.ZodType>({
  read,
  ...declaration
}: AuthenticatedReadDeclaration<Path, ResponseSchema>): Call => ({
  ...declaration,
  method: "GET",
  who: "user",
  hasEtag: true,
  authenticatesItself: true,
  handle: ({ c, services, params }: CallInput<Path, "anyone", undefined, undefined>) =>
    requireByTicket(c, (ticket) => read(services, { ticket, params })),
});

/** Whether a body consists of bytes, not of JSON. */
export const isBytesBody = (body: Call["body"]): body is BytesBody =>
  body !== undefined && "bytesDescription" in body;
/** Whether the handler reads the body itself. */
export const isOwnBody = (body: Call["body"]): body is OwnBody => body !== undefined && "documented" in body;

/** The names of a path's parameters, in order. */
export const listPathParams = (path: string): readonly string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "");
