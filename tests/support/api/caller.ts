import { randomInt } from "node:crypto";
import { inject } from "vitest";
import { sessionCookieName } from "../../../app/domain/auth/session";
import type { Localized } from "../../../app/domain/shared/model";
import { demoPassword } from "../../../seed/demo";

/** A random network address of the documentation range (RFC 3849), so that failed attempts of one test do not count in another. */
export function freshAddress(): string {
  const group = () => randomInt(0x10000).toString(16);
  return `2001:db8:${group()}:${group()}::${group()}`;
}

/** Sends requests without a browser, as an API client or to read the plain responses. */
export interface Caller {
  readonly origin: string;
  readonly ipAddress: string;
  /** The session ticket; null for a visitor. */
  readonly ticket: string | null;
  /** Sends a request to the product and does not follow redirects. Throws if a response of the API contradicts the OpenAPI document. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  get(path: string): Promise<TextResponse>;
  /** Posts a form with the Origin header that a browser sends from the product's own pages. */
  post(path: string, fields: Fields, init?: RequestInit): Promise<TextResponse>;
  /** Calls the API and returns its JSON. Throws on any status that is not a success. */
  api<T>(method: string, path: string, body?: unknown): Promise<T>;
}

/** Fields of a form. A list repeats the field. */
export type Fields = Readonly<Record<string, string | readonly string[]>>;

/** A response with its whole body. */
export interface TextResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The text that a browser would show: without tags, with decoded entities and single spaces. */
  readonly visibleText: string;
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  "#x27": "'",
  "#39": "'",
  nbsp: " ",
};

/** Decodes the HTML entities in ENTITIES. */
export const unescapeHtml = (html: string) =>
  html.replace(/&(\w+|#x?\w+);/g, (reference, name: string) => ENTITIES[name] ?? reference);

async function readPage(response: Response): Promise<TextResponse> {
  const text = await response.text();
  const body = text
    // The deferred part of a page, which is appended for browsers without scripts.
    .replace(/<noscript>(<div data-late="">.*<\/div>)<\/noscript>/s, "$1")
    .replace(/<(script|style|noscript|template)\b[\s\S]*?<\/\1>/g, " ")
    .replace(/<[^>]+>/g, " ");
  return {
    status: response.status,
    headers: response.headers,
    text,
    visibleText: unescapeHtml(body).replace(/\s+/g, " "),
  };
}

export function formBody(fields: Fields): URLSearchParams {
  const body = new URLSearchParams();
  for (const [name, value] of Object.entries(fields))
    for (const item of typeof value === "string" ? [value] : value) body.append(name, item);
  return body;
}

/** Paths of the API. /default is its old prefix, which earlier clients still use. */
const API = /^\/(api|default)\//;

/** Checks a response of the built product against the OpenAPI document. */
async function checkContract(url: URL, { method = "GET" }: RequestInit, response: Response): Promise<void> {
  const { contractProblem } = await import("./api-contract");
  const problem = await contractProblem(new Request(url, { method }), response);
  if (problem !== null) throw new Error(problem);
}

/** Creates a caller with a session ticket, or without a session. */
export function caller(
  ticket: string | null = null,
  origin = inject("origin"),
  ipAddress = freshAddress(),
  /** True when the product is deployed. See sessionCookieName. */
  isSecure = false,
): Caller {
  const self: Caller = {
    origin,
    ipAddress,
    ticket,
    async fetch(path, init = {}) {
      const headers = new Headers(init.headers);
      if (!headers.has("cf-connecting-ip")) headers.set("cf-connecting-ip", ipAddress);
      if (ticket && !headers.has("cookie")) headers.set("cookie", `${sessionCookieName(isSecure)}=${ticket}`);
      const url = new URL(path, origin);
      const isApi = url.origin === origin && API.test(url.pathname);
      // Imported only for API calls, because many tests make none; and before the request, because the server would end the idle connection during the import.
      if (isApi) await import("./api-contract");
      const response = await fetch(url, { redirect: "manual", ...init, headers });
      if (isApi) await checkContract(url, init, response);
      return response;
    },
    async get(path) {
      return readPage(await self.fetch(path));
    },
    async post(path, fields, init = {}) {
      const headers = new Headers(init.headers);
      if (!headers.has("origin")) headers.set("origin", origin);
      return readPage(await self.fetch(path, { method: "POST", body: formBody(fields), ...init, headers }));
    },
    async api<T>(method: string, path: string, body?: unknown) {
      const response = await self.fetch(path, {
        method,
        headers: {
          ...(ticket && { authorization: `Bearer ${ticket}` }),
          ...(body !== undefined && { "content-type": "application/json" }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
      return (await response.json()) as T;
    },
  };
  return self;
}

const tickets = new Map<string, Promise<string>>();

/** Logs a demo account in through the API, once for all test files of a process, for tests that do not test the log-in itself. */
export async function signIn(name: string): Promise<Caller> {
  let ticket = tickets.get(name);
  if (!ticket) {
    ticket = caller()
      .api<{ ticket: string }>("POST", "/api/cas/tickets.json/", {
        email: `${name}@demo.example`,
        password: demoPassword,
      })
      .then((response) => response.ticket);
    tickets.set(name, ticket);
  }
  return caller(await ticket);
}

/** An event in the API's response to its owner. */
export interface EventJson {
  readonly uuid: string;
  readonly space_uuid: string;
  readonly event_name: string;
  readonly names: Localized;
  readonly start_date: string | null;
  readonly end_date: string | null;
  /** The current status. It differs from the saved one if a date of the event has passed since. */
  readonly status_id: number;
  readonly saved_status_id: number;
  readonly enable_auto_change_status: boolean;
  readonly access_token: string;
  readonly preview_access_token: string;
  /** Token for the event's Shopify store. */
  readonly sp_access_token: string | null;
  readonly sp_store_url: string | null;
  readonly event_detail: string;
  readonly url_params: string;
  readonly has_publish_password: boolean;
  readonly version: number;
}

let eventCount = 0;

/** Creates an event for one test. */
export function postEvent(
  owner: Caller,
  spaceId: string,
  values: Readonly<Record<string, unknown>> = {},
): Promise<EventJson> {
  eventCount += 1;
  return owner.api("POST", "/api/v1/events.json/", {
    space_uuid: spaceId,
    event_name: `試し ${eventCount}-${Date.now().toString(36)}`,
    ...values,
  });
}

export async function fetchEvent(owner: Caller, id: string): Promise<EventJson> {
  const [event] = await owner.api<EventJson[]>("GET", `/api/v1/events/uuid/${id}.json`);
  if (!event) throw new Error(`No event ${id}`);
  return event;
}

export const changeEvent = (owner: Caller, id: string, values: Readonly<Record<string, unknown>>) =>
  owner.api<EventJson>("PUT", `/api/v1/events/${id}.json`, values);

/** Path of an event's link for visitors. */
export const linkPath = (event: EventJson, mode: "published" | "preview") =>
  `/event/${mode}/${event.uuid}?token=${mode === "preview" ? event.preview_access_token : event.access_token}`;
