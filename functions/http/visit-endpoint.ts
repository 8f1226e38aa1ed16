import { randomBytes } from "node:crypto";
import { isbot } from "isbot";
import { LRUCache } from "lru-cache";
import type { VisitSource } from "#functions/services/analytics/visits";
import { firstLanguage, VISIT_BODY_MAX, type VisitReport } from "~/domain/analytics/visit";
import { parseTrackingQuery, readVisitReport } from "~/domain/analytics/visit.schema";
import { type DeviceKind, describeDevice, withoutApp } from "~/domain/auth/user-agent";
import { isUuid } from "~/domain/shared/ids";
import type { LinkMode, Uuid } from "~/domain/shared/model";
import { clientNetwork } from "../security/client-network";
import { eventAccessCookieName, readCookie } from "./cookies";
import { isSameOrigin } from "./origin";
import { drainBody, readBody } from "./read-body";

/** Path at which pages report visits: `/v/{event}?token=…`. */
export const VISIT_PATH = "/v/";
/** Maximum number of characters of a user agent that are parsed. */
const USER_AGENT_MAX = 400;
/** Number of parsed user agents that an isolate caches. */
const AGENTS_MAX = 500;

/** Maximum bytes of an ignored body that are read and discarded, so that the client receives the response. */
const DRAINED_MAX = 1_000_000;

/** Dependencies of the visit endpoint. */
export interface VisitEndpoint {
  /** True if the queue of visits is full. */
  readonly isVisitQueueFull: boolean;
  /** Returns the ticket (the session's secret) in the request's cookie; null without one. */
  ticketOf(request: Request): string | null;
  defer(work: Promise<unknown>): void;
  /** Logs that a visit was not counted because of an error. */
  logVisitFailure(eventId: Uuid, error: unknown): void;
  readonly services: {
    readonly visits: {
      /** Counts or ignores a report. Resolves to false if it must be sent again. */
      logVisit(input: {
        readonly link: {
          readonly eventId: Uuid;
          readonly mode: LinkMode;
          readonly token: string | null;
          readonly eventAccessCookie: string | null;
        };
        readonly report: VisitReport;
        readonly source: VisitSource;
      }): Promise<boolean>;
    };
  };
}

const agents = new LRUCache<string, { readonly device: DeviceKind; readonly isRobot: boolean }>({
  max: AGENTS_MAX,
});

/** Parses a user agent, with a cache. Visitors share few user agents, and parsing one takes longer than the rest of the request. */
function readAgent(userAgent: string) {
  const cachedAgent = agents.get(userAgent);
  if (cachedAgent) return cachedAgent;
  const { kind: device } = describeDevice(userAgent);
  const agent = { device, isRobot: device === "program" || isbot(withoutApp(userAgent)) };
  agents.set(userAgent, agent);
  return agent;
}

/** Derives the source of a visit from a request. */
export function visitSource(request: Request, ticketOf: VisitEndpoint["ticketOf"]): VisitSource {
  const userAgent = (request.headers.get("user-agent") ?? "").slice(0, USER_AGENT_MAX);
  const { device, isRobot } = readAgent(userAgent);
  const country: unknown = (request as Request<unknown, IncomingRequestCfProperties>).cf?.country;
  return {
    network: clientNetwork(request),
    userAgent,
    isRobot,
    traits: {
      lang: firstLanguage(request.headers.get("accept-language") ?? ""),
      device,
      // XX and T1 are not countries (Cloudflare's documentation of IP geolocation).
      country: typeof country === "string" && /^[A-Z]{2}$/.test(country) && country !== "XX" ? country : "",
    },
    ticket: ticketOf(request),
  };
}

/** A transparent GIF of one pixel. */
const PIXEL = Uint8Array.from(atob("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"), (character) =>
  character.charCodeAt(0),
);
const VISIT_HEADERS = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  // No page of another origin may embed the image.
  "cross-origin-resource-policy": "same-origin",
};
const tryAgainResponse = () =>
  new Response(null, { status: 503, headers: { ...VISIT_HEADERS, "retry-after": "5" } });
const acceptedResponse = () => new Response(null, { status: 204, headers: VISIT_HEADERS });

/**
 * Receives visit reports: posted by scripts, or sent as image requests or pings where scripts do not run. Counted and ignored reports get the same response.
 * If the queue of visits is full or the event's room (its Durable Object) did not store the report, the response is 503, and scripts repeat the report.
 */
export async function serveVisit(request: Request, url: URL, endpoint: VisitEndpoint): Promise<Response> {
  const eventId = url.pathname.slice(VISIT_PATH.length);
  const isImageRequest = request.method === "GET";
  if (!isImageRequest && request.method !== "POST")
    return new Response(null, { status: 405, headers: { ...VISIT_HEADERS, allow: "GET, POST" } });
  const respond = isImageRequest
    ? () => new Response(PIXEL, { headers: { ...VISIT_HEADERS, "content-type": "image/gif" } })
    : acceptedResponse;
  const token = url.searchParams.get("token");
  if (!isUuid(eventId) || !token || !isSameOrigin(request)) {
    await drainBody(request.body, DRAINED_MAX);
    return respond();
  }
  if (endpoint.isVisitQueueFull) return tryAgainResponse();
  const report = await readReport(request, url);
  if (!report) return respond();
  const eventAccessCookie = readCookie(request, eventAccessCookieName(eventId));
  const storing = endpoint.services.visits
    .logVisit({
      link: { eventId, mode: "published", token, eventAccessCookie },
      report,
      source: visitSource(request, endpoint.ticketOf),
    })
    .catch((error) => {
      endpoint.logVisitFailure(eventId, error);
      return false;
    });
  // The work continues when the page is closed before the response.
  endpoint.defer(storing);
  return (await storing) ? respond() : tryAgainResponse();
}

/** Image requests and pings (HTML §4.6.7) carry the report in their URL. */
async function readReport(request: Request, { searchParams }: URL): Promise<VisitReport | null> {
  // A body with a known length is read at once. Reading it in chunks takes ten times as long.
  const length = Number(request.headers.get("content-length") ?? Number.NaN);
  const body = length <= VISIT_BODY_MAX ? await request.bytes() : await readBody(request, VISIT_BODY_MAX);
  if (request.method === "GET" || request.headers.get("content-type") === "text/ping")
    return parseTrackingQuery(searchParams, randomBytes(16).toString("hex"));
  if (body) return readVisitReport(new TextDecoder().decode(body));
  await drainBody(request.body, DRAINED_MAX);
  return null;
}
