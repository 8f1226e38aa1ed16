import { referringHost, type VisitedItem } from "~/domain/analytics/visit";
import type { Lang, Uuid } from "~/domain/shared/model";
import { type AppServices, clock, getAppServices } from "./app-services";
import type { EventCache } from "./cache/event-cache";
import type { RevalidatingCache } from "./cache/revalidating-cache";
import type { Config, Env } from "./http/config";
import type { CspReportLog } from "./http/csp-report";
import { logFailure } from "./http/log";
import type { PageTemplate } from "./http/pages/page-template";
import { readSessionCookie } from "./http/session-cookie";
import { visitSource } from "./http/visit-endpoint";
import { errorMessage } from "./mail/error-message";
import type { FileMetadata } from "./media/file-metadata";
import type { ImageResizer } from "./media/images/image-resizer";
import type { RecentReads } from "./media/recent-reads";
import { createRequestContext, type PageOptions, type RequestContext } from "./request-context";
import { apiLanguage } from "./request-language";
import { clientNetwork } from "./security/client-network";
import type { InvalidTokenThrottle } from "./security/invalid-token-throttle";
import type { Services } from "./services";
import type { ErrorMessage } from "./services/shared/errors";
import type { VisitorLink } from "./services/visitors/event-access";
import type { EventAccessSigner } from "./services/visitors/visitor-ports";

type PageCache = RevalidatingCache<PageTemplate>;

/** One request, with the objects that all requests of the isolate share. */
export interface RequestScope {
  readonly env: Env;
  readonly config: Config;
  readonly events: EventCache;
  /** Visitors' pages by event, revision (the event's change counter), language, mode of the link (preview or published) and status. */
  readonly pages: PageCache;
  /** Visitors' pages with prices, in a separate cache because their number is large: they evict only one another, not the events' pages. */
  readonly shopPages: PageCache;
  /** Searches, dialogs and other pages of an event with a query, and pages of rejected requests, in a separate cache for the same reason. */
  readonly queryPages: PageCache;
  /** The log-in page and error pages, by language, for callers without a session. */
  readonly publicPages: PageCache;
  /**
   * Counts a page that will be rendered. Returns false when the request's network has had too many pages rendered. On a developer's machine only
   * requests with the header cf-connecting-ip are counted.
   */
  countRender(request: Request): Promise<boolean>;
  readonly cspReports: CspReportLog;
  readonly eventAccessSigner: EventAccessSigner;
  readonly metadata: FileMetadata;
  /** Origin of the media host (MEDIA_ORIGIN); null if the product's own origin serves files. */
  readonly mediaOrigin: string | null;
  /** The product's origin; null in development. */
  readonly appOrigin: string | null;
  readonly images: ImageResizer;
  readonly recentReads: RecentReads;
  /** Whether so many parts of visits wait for the Durable Objects that store them that further ones are rejected. */
  readonly isVisitQueueFull: boolean;
  /** Serves an image of a store. */
  readonly serveStoreImage: AppServices["serveStoreImage"];
  /** Returns the ticket (the session's secret) in a request's cookie. The session may have ended. Null without one. */
  ticketOf(request: Request): string | null;
  readonly services: Services;
  /** Runs work that the response does not wait for. Failures are logged. */
  defer(work: Promise<unknown>): void;
  /** Logs that a visit was not counted because of an error, at most once a minute for each kind of error. */
  logVisitFailure(eventId: Uuid, error: unknown): void;
  /** Counts an API call. Returns false when its caller has made too many. There is no limit on a developer's machine. */
  countCall(caller: string): Promise<boolean>;
  readonly invalidTokenThrottle: InvalidTokenThrottle;
  /** Counts an API call with an invalid token from a network, across all locations. Returns false above the limit. */
  countInvalidToken(network: string): Promise<boolean>;
  /** Returns the language for callers that do not receive a page. */
  langFor(request: Request): Lang;
  /** Returns the function that writes error messages in that language. */
  messagesFor(request: Request): (message: ErrorMessage) => string;
  /** Epoch milliseconds, the same for the whole request. */
  readonly now: number;
  readonly requestId: string;
  /** Counts a visitor's action after the response, unless the request is a prefetch or a HEAD request. */
  trackEvent(request: Request, link: VisitorLink, item: VisitedItem): void;
  pageContext(request: Request, page: PageOptions): RequestContext;
}

/** @param requestOrigin origin of the request; empty for the cron trigger, whose mails use the configured origin */
export function createRequestScope(env: Env, ctx: ExecutionContext, requestOrigin = ""): RequestScope {
  const appServices = getAppServices(env);
  const { config } = appServices;
  const now = clock.now();
  const isSecure = !config.development;
  const origin = config.origin ?? requestOrigin;
  let services: Services | undefined;
  let requestId: string | undefined;

  const scope: RequestScope = {
    env,
    config,
    events: appServices.events,
    pages: appServices.pages,
    shopPages: appServices.shopPages,
    queryPages: appServices.queryPages,
    publicPages: appServices.publicPages,
    countRender: async (request) =>
      (config.development && !request.headers.has("cf-connecting-ip")) ||
      appServices.renderLimit.admits(clientNetwork(request)),
    cspReports: appServices.cspReports,
    eventAccessSigner: appServices.eventAccessSigner,
    metadata: appServices.metadata,
    mediaOrigin: config.mediaOrigin,
    appOrigin: config.origin,
    images: appServices.images,
    recentReads: appServices.recentReads,
    serveStoreImage: appServices.serveStoreImage,
    get isVisitQueueFull() {
      return appServices.rooms.isFull;
    },
    ticketOf: (request) => readSessionCookie(request, isSecure)?.ticket ?? null,
    defer: (work) =>
      ctx.waitUntil(
        work.catch((error) => logFailure("deferred work failed", error, { requestId: scope.requestId })),
      ),
    logVisitFailure: appServices.logVisitFailure,
    invalidTokenThrottle: appServices.invalidTokenThrottle,
    countCall: async (caller) => config.development || (await env.API_LIMIT.limit({ key: caller })).success,
    countInvalidToken: async (network) =>
      (await appServices.invalidTokenLimit.limit({ key: network })).success,
    langFor: apiLanguage,
    messagesFor: (request) => errorMessage(apiLanguage(request)),
    now,
    // The services and the id are created when they are first read: a cached page needs neither, and creating them takes longer than serving it.
    get services() {
      services ??= appServices.services(origin, scope.defer);
      return services;
    },
    get requestId() {
      requestId ??= crypto.randomUUID();
      return requestId;
    },
    trackEvent(request, link, item) {
      // Prefetched pages (Sec-Purpose) and HEAD requests are not counted, because the visitor may never see them.
      const isPrefetch = /prefetch/.test(request.headers.get("sec-purpose") ?? "");
      if (isPrefetch || request.method === "HEAD") return;
      const source = visitSource(request, scope.ticketOf);
      const referrer = request.headers.get("referer");
      const from = referrer ? referringHost(referrer, new URL(request.url).hostname) : "";
      const tracked = scope.services.visits.trackEvent({ link, item, from, source });
      scope.defer(tracked.catch((error) => scope.logVisitFailure(link.eventId, error)));
    },
    pageContext: (request, page) =>
      createRequestContext(
        {
          config,
          origin,
          now,
          mailbox: appServices.mailbox,
          versionText: appServices.versionText,
          requestId: scope.requestId,
          services: scope.services,
          trackEvent: scope.trackEvent,
        },
        request,
        page,
      ),
  };
  // A worker runs no code between requests, so each request drops the expired data of visitors, such as the salts with which they could be recognised.
  appServices.forgetVisitors(scope.defer);
  return scope;
}
