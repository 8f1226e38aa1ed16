import { randomBytes } from "node:crypto";
import { isbot } from "isbot";
import { LRUCache } from "lru-cache";
import type { VisitSource } from "#functions/services/analytics/visits";
import { firstLanguage, VISIT_BODY_MAX, type VisitReport } from "~/domain/analytics/visit";
import { readTold, readVisitReport } from "~/domain/analytics/visit.schema";
import { type DeviceKind, describeDevice, withoutApp } from "~/domain/auth/user-agent";
import { isUuid } from "~/domain/shared/ids";
import type { LinkMode, Uuid } from "~/domain/shared/model";
import { clientNetwork } from "../security/client-network";
import { eventAccessCookieName, readCookie } from "./cookies";
import { isSameOrigin } from "./origin";
import { drainBody, readBody } from "./read-body";

/** Where pages tell of visits: `/v/{event}?token=…`. */
export const VISIT_PATH = "/v/";
/** Characters of a user agent that are looked at. */
const USER_AGENT_MAX = 400;
/** User agents of which an isolate knows what they say. */
const AGENTS_MAX = 500;

/** Bytes that are read and thrown away of what is too long, so that its connection can be used again. */
const DRAINED_MAX = 1_000_000;

/** What taking visits needs of a request's surroundings. */
export interface VisitEndpoint {
  /** Whether more of them cannot be held just now. */
  readonly isVisitQueueFull: boolean;
  ticketOf(request: Request): string | null;
  defer(work: Promise<unknown>): void;
  readonly services: {
    readonly visits: {
      logVisit(input: {
        readonly link: {
          readonly eventId: Uuid;
          readonly mode: LinkMode;
          readonly token: string | null;
          readonly eventAccessCookie: string | null;
        };
        readonly report: VisitReport;
        readonly source: VisitSource;
      }): Promise<void>;
    };
  };
}

const agents = new LRUCache<string, { readonly device: DeviceKind; readonly isRobot: boolean }>({
  max: AGENTS_MAX,
});

/** What a user agent says of a visitor. Most visitors have one of few, and looking at one takes longer than all else of a visit. */
function readAgent(userAgent: string) {
  const known = agents.get(userAgent);
  if (known) return known;
  const { kind: device } = describeDevice(userAgent);
  const found = { device, isRobot: device === "program" || isbot(withoutApp(userAgent)) };
  agents.set(userAgent, found);
  return found;
}

/** Who makes a visit, as far as a request says. */
export function visitSource(request: Request, ticketOf: VisitEndpoint["ticketOf"]): VisitSource {
  const userAgent = (request.headers.get("user-agent") ?? "").slice(0, USER_AGENT_MAX);
  const { device, isRobot } = readAgent(userAgent);
  const country: unknown = (request as Request<unknown, IncomingRequestCfProperties>).cf?.country;
  return {
    place: clientNetwork(request),
    userAgent,
    isRobot,
    traits: {
      lang: firstLanguage(request.headers.get("accept-language") ?? ""),
      device,
      // XX and T1 stand for no country (Cloudflare's documentation of IP geolocation).
      country: typeof country === "string" && /^[A-Z]{2}$/.test(country) && country !== "XX" ? country : "",
    },
    ticket: ticketOf(request),
  };
}

/** A transparent GIF of one pixel. */
const PIXEL = Uint8Array.from(atob("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"), (letter) =>
  letter.charCodeAt(0),
);
const HEADERS = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  // Nobody's script is told anything, and no other site shows the picture.
  "cross-origin-resource-policy": "same-origin",
};
const taken = () => new Response(null, { status: 204, headers: HEADERS });

/**
 * Takes what pages tell of visits: posted by scripts, or asked for as a picture where there are none. Whatever is sent, the answer is the same, and
 * nothing of it is waited for; only what cannot be held is refused, so that the page tells it again.
 */
export async function serveVisit(request: Request, url: URL, door: VisitEndpoint): Promise<Response> {
  const eventId = url.pathname.slice(VISIT_PATH.length);
  const isPicture = request.method === "GET";
  if (!isPicture && request.method !== "POST")
    return new Response(null, { status: 405, headers: { ...HEADERS, allow: "GET, POST" } });
  const answer = isPicture
    ? () => new Response(PIXEL, { headers: { ...HEADERS, "content-type": "image/gif" } })
    : taken;
  const token = url.searchParams.get("token");
  if (!isUuid(eventId) || !token || !isSameOrigin(request)) {
    await drainBody(request.body, DRAINED_MAX);
    return answer();
  }
  if (door.isVisitQueueFull)
    return new Response(null, { status: 503, headers: { ...HEADERS, "retry-after": "5" } });
  const report = await readReport(request, url);
  if (!report) return answer();
  const eventAccessCookie = readCookie(request, eventAccessCookieName(eventId));
  door.defer(
    door.services.visits.logVisit({
      link: { eventId, mode: "published", token, eventAccessCookie },
      report,
      source: visitSource(request, door.ticketOf),
    }),
  );
  return answer();
}

/** Pictures and pings (HTML §4.6.7) say all in their address. */
async function readReport(request: Request, { searchParams }: URL): Promise<VisitReport | null> {
  // A body that says how long it is comes at once; reading it piece by piece takes ten times as long.
  const length = Number(request.headers.get("content-length") ?? Number.NaN);
  const body = length <= VISIT_BODY_MAX ? await request.bytes() : await readBody(request, VISIT_BODY_MAX);
  if (request.method === "GET" || request.headers.get("content-type") === "text/ping")
    return readTold(searchParams, randomBytes(16).toString("hex"));
  if (body) return readVisitReport(new TextDecoder().decode(body));
  await drainBody(request.body, DRAINED_MAX);
  return null;
}
