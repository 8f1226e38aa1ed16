/** The entry of the product's main Worker: pages, the API, files and the cron trigger. The other Worker contains the event rooms (functions/rooms). */
import type { AppLoadContext } from "@remix-run/cloudflare";
import { referringHost, type VisitedItem } from "~/domain/analytics/visit";
import { LANG_COOKIE, LANG_PARAM } from "~/domain/shared/lang";
import type { Lang } from "~/domain/shared/model";
import { getEventStore, showsProducts } from "~/domain/store/event-store";
import type { Env } from "./http/config";
import { eventAccessCookieName, readCartCookie, readCookie } from "./http/cookies";
import {
  contentSecurityPolicy,
  mayConnectShowcase,
  pageKind,
  securityHeaders,
  strictTransport,
  withPlainHeaders,
} from "./http/csp";
import { CSP_REPORT_PATH, serveCspReport } from "./http/csp-report";
import { errorFields, log, loggedPath } from "./http/log";
import { mediaIdOfFile, readOpenedFile } from "./http/noscript-opened-file";
import { readTrackingSheetRequest, trackingStyleSheet } from "./http/noscript-tracking";
import { PAGE_METHODS, pageRejectionStatus } from "./http/origin";
import { httpsUrl, isMalformedPageRequest, normaliseVisitorUrl } from "./http/pages/page-request";
import {
  createTemplate,
  fillTemplate,
  insertLastSegment,
  insertOpenItem,
  insertReferrer,
  type PageTemplate,
} from "./http/pages/page-template";
import { plainPublicPage } from "./http/pages/public-page";
import {
  getPlainPage,
  plainShopRequest,
  plainViewerRequest,
  separateTag,
  type ViewerRequest,
} from "./http/pages/viewer-page";
import { serveVersion, VERSION_PATH } from "./http/version";
import { serveVisit, VISIT_PATH } from "./http/visit-endpoint";
import { serveWellKnown, WELL_KNOWN_PATH } from "./http/well-known";
import { lazyModule } from "./load-module";
import { notFoundResponse, serveMedia } from "./media/serve-media";
import { isCheckUrl, isMediaHost, sendSigned, serveSignedMedia } from "./media/serve-signed-media";
import { hasRoute, renderPage } from "./pages";
import { languageCookie, pageLanguage, requestLanguage } from "./request-language";
import { createRequestScope, type RequestScope } from "./request-scope";
import { clientNetwork } from "./security/client-network";
import { makeNonce } from "./security/random";
import { RENDER_RETRY_SECONDS } from "./security/render-limit";
import { eventAccess } from "./services/visitors/event-access";
import { resolveWithin } from "./storefront/resolve-within";
import { STORE_IMAGE_PATH } from "./storefront/store-images";

const api = lazyModule("api", () => import("./api"));

/** Options for rendering a page. */
interface RenderOptions {
  readonly nonce: string;
  /** Whether the page is rendered completely, for a cache. */
  readonly isForCache: boolean;
  /** Receives the visit events that a cached page counts for each visitor who receives it. */
  readonly cachedVisitEvents?: VisitedItem[];
  /** Receives the HTML of a cached page. The response then has no body. */
  readonly cachedHtml?: string[];
  /** The HTTP status with which the request is rejected. Without one, its method and origin decide whether it is rejected. */
  readonly rejectedStatus?: number | null;
}

/** Renders a page for one request, with the headers of every page. */
async function servePage(
  request: Request,
  url: URL,
  scope: RequestScope,
  page: RenderOptions,
): Promise<Response> {
  const rejectedStatus = page.rejectedStatus ?? pageRejectionStatus(request);
  const context = scope.pageContext(request, {
    ...page,
    lang: await pageLanguage(request),
    rejectedStatus,
  });
  // A rejected request is replaced by a GET of an error page, so that it never reaches an action.
  const pageRequest =
    rejectedStatus === null
      ? request
      : new Request(new URL("/refused", url), { headers: { cookie: request.headers.get("cookie") ?? "" } });
  const rendered = await renderPage(pageRequest, context as unknown as AppLoadContext);
  const headers = new Headers(rendered.headers);
  const kind = pageKind(url.pathname);
  const { devReloadUrl, showcaseKey, mediaOrigin } = scope.config;
  const connects = mayConnectShowcase(kind, showcaseKey !== null, context.page.gaveShowcaseKey);
  headers.set(
    "content-security-policy",
    contentSecurityPolicy(kind, page.nonce, devReloadUrl, connects, mediaOrigin),
  );
  for (const [name, value] of Object.entries(securityHeaders(kind, strictTransport(url, scope.env))))
    headers.set(name, value);
  if (!headers.has("cache-control")) headers.set("cache-control", "private, no-store");
  if (rejectedStatus === 405) headers.set("allow", PAGE_METHODS.join(", "));
  for (const [name, value] of context.page.outgoing) headers.append(name, value);
  return new Response(rendered.body, { status: rendered.status, statusText: rendered.statusText, headers });
}

/**
 * Renders a visitor's page without data of a single visitor.
 * @returns a template from which the response of each visitor is made; null unless the status is 200
 */
async function renderTemplate(
  url: URL,
  viewer: Pick<ViewerRequest, "eventId" | "token">,
  scope: RequestScope,
  page: { lang: Lang; eventAccessCookie: string | null; cf?: CfProperties },
): Promise<PageTemplate | null> {
  const { eventAccessCookie, cf } = page;
  const noncePlaceholder = makeNonce();
  const pageUrl = new URL(url);
  pageUrl.searchParams.set(LANG_PARAM, page.lang);
  const plainRequest = new Request(pageUrl, {
    headers: {
      cookie: eventAccessCookie ? `${eventAccessCookieName(viewer.eventId)}=${eventAccessCookie}` : "",
    },
    ...(cf && { cf }),
  });
  const cachedVisitEvents: VisitedItem[] = [];
  const cachedHtml: string[] = [];
  const rendered = await servePage(plainRequest, url, scope, {
    nonce: noncePlaceholder,
    isForCache: true,
    cachedVisitEvents,
    cachedHtml,
  });
  if (rendered.status !== 200) return null;
  const headers = new Headers(rendered.headers);
  headers.delete("set-cookie");
  return createTemplate(cachedHtml[0] ?? (await rendered.text()), headers, {
    noncePlaceholder,
    linkable: { path: url.pathname, token: viewer.token },
    visitEvents: cachedVisitEvents,
  });
}

/** Re-render interval for pages that contain store data, in milliseconds. The data may be older (functions/storefront/storefront-cache). */
const SHOP_PAGE_INTERVAL_MS = 10_000;
/** Number of intervals for which a rendered page is served: one minute. From the second interval on, the first request also renders the page again. */
const SHOP_PAGE_INTERVALS = 6;

/**
 * Time that a visitor waits for a shop's page that is not cached yet, in milliseconds. If the store responds within this time, the page is rendered only
 * for the cache. Otherwise it is also rendered for this visitor and streamed, so that its head is visible before the store responds.
 */
const SHOP_WAIT_MS = 150;

/** Returns the cache key of a page with store data in the current interval, and the keys of the earlier intervals, newest first. */
function pageKeysOf(page: string, now: number): { key: string; previous: () => string[] } {
  const interval = Math.floor(now / SHOP_PAGE_INTERVAL_MS);
  const previous = () =>
    Array.from({ length: SHOP_PAGE_INTERVALS - 1 }, (_, age) => `${page} ${interval - age - 1}`);
  return { key: `${page} ${interval}`, previous };
}

/** A request for a visitor's page, of an event or its shop, that the isolate may cache. */
interface CacheablePage extends ViewerRequest {
  readonly isShop: boolean;
}

/**
 * Serves a visitor's page from the isolate's cache (decision 006), and renders it first if it is not cached.
 * A change of an event removes no cached page: the key of a page contains the event's revision (its change counter), so the old page is not used any more.
 * @returns null when no cached page can be served, for example because the event does not exist or is closed, the network has too many renders,
 * or the shop's store is slower than SHOP_WAIT_MS
 */
async function serveCached(
  request: Request,
  requestUrl: URL,
  viewerRequest: CacheablePage,
  scope: RequestScope,
): Promise<Response | null> {
  const { eventId, mode, isShop } = viewerRequest;
  const record = await scope.events.get(eventId);
  if (!record) return null;
  const eventAccessCookie = record.publishPasswordHash && readCookie(request, eventAccessCookieName(eventId));
  const access = eventAccess(
    scope.eventAccessSigner,
    record,
    { ...viewerRequest, eventAccessCookie },
    scope.now,
  );
  if (access.state !== "open") return null;
  const { url, item } = isShop ? { url: requestUrl, item: null } : separateTag(requestUrl, record);
  const pageRequest = url === requestUrl ? viewerRequest : plainViewerRequest(request, url);
  if (!pageRequest) return null;
  const { page, hasSelection } = pageRequest;

  const { lang, isInUrl } = requestLanguage(request, url);
  // The page's links contain the host of the request.
  const pageName = `${url.origin} ${eventId} ${record.revision} ${lang} ${mode} ${access.statusId} ${page}`;
  // An event's page with prices is rendered again as often as the shop's pages.
  const { event } = record;
  const isPriced =
    isShop || (getEventStore(event.spStoreUrl, event.spAccessToken) !== null && showsProducts(record));
  const { cf } = request as Request<unknown, IncomingRequestCfProperties>;
  const { key, previous } = isPriced
    ? pageKeysOf(`${pageName} ${cf?.country ?? ""}`, scope.now)
    : { key: pageName, previous: () => [] };
  const pages = hasSelection ? scope.queryPages : isPriced ? scope.shopPages : scope.pages;
  // Pages of an event without a selection do not count towards the network's limit of renders: an event has few of them, and all visitors share them.
  const isPlain = !hasSelection && !isShop;
  const render = async () =>
    isPlain || (await scope.countRender(request))
      ? renderTemplate(url, pageRequest, scope, { lang, eventAccessCookie, ...(isPriced && { cf }) })
      : null;
  const getTemplate = async () => {
    const rendered = pages.getOrStale(key, render, { previous, defer: scope.defer });
    if (!isShop) return rendered;
    // Logs a failed rendering, although this visitor does not wait for it and gets a separately rendered page.
    scope.defer(rendered);
    return resolveWithin(rendered, SHOP_WAIT_MS, () => null);
  };
  // A cached page needs no timer.
  const template = pages.fresh(key) ?? (await getTemplate());
  if (!template) return null;
  // The router's data of a page does not show which item is open.
  const isData = url.pathname.endsWith(".data");
  const openItemInsertions = item === null || isData ? [] : insertOpenItem(template, item);
  // A page without an entry of the item, which should not occur, is rendered for this visitor.
  if (openItemInsertions === null) return null;
  for (const event of template.visitEvents)
    scope.trackEvent(request, { ...pageRequest, eventAccessCookie }, event);
  const referrer = referringHost(request.headers.get("referer") ?? "", url.hostname);
  const response = fillTemplate(template, {
    insertions: [...openItemInsertions, ...insertReferrer(template, referrer)],
    isHead: request.method === "HEAD",
  });
  if (isInUrl) response.headers.append("set-cookie", languageCookie(lang, scope.config));
  return response;
}

/** Counts the opening of a file, if it belongs to a media item of the event. */
async function trackOpenedFile(
  request: Request,
  { eventId, token, itemId }: NonNullable<ReturnType<typeof readOpenedFile>>,
  scope: RequestScope,
): Promise<void> {
  const record = await scope.events.get(eventId);
  const id = record && mediaIdOfFile(record.media, itemId);
  const eventAccessCookie = readCookie(request, eventAccessCookieName(eventId));
  if (id)
    scope.trackEvent(request, { eventId, mode: "published", token, eventAccessCookie }, { act: "media", id });
}

/**
 * Serves the style sheet with which browsers without scripts report opened tags and media, by requesting a background image for each. The status is 404
 * if the event is not open for the visitor.
 */
async function serveTrackingSheet(
  request: Request,
  sheet: NonNullable<ReturnType<typeof readTrackingSheetRequest>>,
  scope: RequestScope,
): Promise<Response> {
  const record = await scope.events.get(sheet.eventId);
  const eventAccessCookie = readCookie(request, eventAccessCookieName(sheet.eventId));
  const link = { ...sheet, mode: "published" as const, eventAccessCookie };
  const isOpen = record && eventAccess(scope.eventAccessSigner, record, link, scope.now).state === "open";
  return new Response(isOpen ? trackingStyleSheet(sheet, record) : null, {
    status: isOpen ? 200 : 404,
    headers: {
      "content-type": "text/css; charset=utf-8",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
    },
  });
}

/** Responds to a request for anything other than a page, such as the API or a file; null for a page. */
async function serveNonPage(request: Request, url: URL, scope: RequestScope): Promise<Response | null> {
  const { pathname } = url;
  if (pathname === "/api" || pathname.startsWith("/api/") || pathname.startsWith("/default/"))
    return (await api()).handleApi(request, scope);
  if (pathname.startsWith("/media/")) {
    if (isCheckUrl(url)) return (await sendSigned(request, scope)) ?? notFoundResponse();
    const openedFile = readOpenedFile(request, url);
    if (openedFile) scope.defer(trackOpenedFile(request, openedFile, scope));
    return serveMedia(request, scope);
  }
  const sheet = readTrackingSheetRequest(request, url);
  if (sheet) return serveTrackingSheet(request, sheet, scope);
  if (pathname.startsWith(VISIT_PATH)) return serveVisit(request, url, scope);
  if (pathname === VERSION_PATH) return serveVersion(request, scope.config.production);
  if (pathname === CSP_REPORT_PATH)
    return serveCspReport(request, {
      host: url.host,
      network: clientNetwork(request),
      reports: scope.cspReports,
    });
  if (pathname.startsWith(STORE_IMAGE_PATH)) return scope.serveStoreImage(request, scope.defer);
  if (pathname.startsWith(WELL_KNOWN_PATH)) {
    const { securityContact, origin } = scope.config;
    return serveWellKnown(request, pathname, {
      securityContact,
      origin: origin ?? url.origin,
      now: scope.now,
    });
  }
  return null;
}

/** Serves the error page of a request that is rejected before a route handles it. Callers with the same language share the cached page of a status. */
async function serveRejection(
  request: Request,
  url: URL,
  scope: RequestScope,
  status: number,
): Promise<Response> {
  const pageUrl = new URL("/refused", url);
  const key = `${url.origin} ${status} ${requestLanguage(request, url).lang} ${pageKind(url.pathname)}`;
  const render = async () => {
    const noncePlaceholder = makeNonce();
    const plainRequest = new Request(pageUrl, {
      headers: { cookie: `${LANG_COOKIE}=${requestLanguage(request, url).lang}` },
    });
    const page = await servePage(plainRequest, url, scope, {
      nonce: noncePlaceholder,
      isForCache: true,
      rejectedStatus: status,
    });
    return createTemplate(await page.text(), new Headers(page.headers), { noncePlaceholder });
  };
  const template = await scope.queryPages.getOrStale(key, render, { previous: () => [], defer: scope.defer });
  if (!template) throw new Error("The page of a rejected request was not rendered");
  const response = fillTemplate(template, { status, isHead: request.method === "HEAD" });
  if (status === 429) response.headers.set("retry-after", String(RENDER_RETRY_SECONDS));
  return response;
}

/** Serves the log-in page or an error page from the isolate's cache (decision 093); null for a page that must be rendered for this caller. */
async function servePublicPage(request: Request, url: URL, scope: RequestScope): Promise<Response | null> {
  const page = plainPublicPage(request, url, hasRoute);
  if (!page || scope.ticketOf(request) !== null) return null;
  const { lang, isInUrl } = requestLanguage(request, url);
  const render = async () => {
    const [noncePlaceholder, segmentPlaceholder] = [makeNonce(), crypto.randomUUID()];
    const pageUrl = new URL(page.path + (page.segment === null ? "" : segmentPlaceholder), url);
    // Forms post to the page's own URL, so a page with the language in its URL differs from one with the language in the cookie.
    if (isInUrl) pageUrl.searchParams.set(LANG_PARAM, lang);
    const plainRequest = new Request(pageUrl, { headers: { cookie: `${LANG_COOKIE}=${lang}` } });
    const rendered = await servePage(plainRequest, pageUrl, scope, {
      nonce: noncePlaceholder,
      isForCache: true,
    });
    // A failure is not cached.
    if (rendered.status !== 200 && rendered.status !== 404) return null;
    const headers = new Headers(rendered.headers);
    headers.delete("set-cookie");
    return createTemplate(await rendered.text(), headers, {
      noncePlaceholder,
      segmentPlaceholder,
      status: rendered.status,
    });
  };
  const key = `${url.origin} ${page.path} ${lang} ${isInUrl}`;
  const template = await scope.publicPages.getOrStale(key, render, {
    previous: () => [],
    defer: scope.defer,
  });
  if (!template) return null;
  const response = fillTemplate(template, {
    insertions: insertLastSegment(template, page.segment ?? ""),
    isHead: request.method === "HEAD",
  });
  if (isInUrl) response.headers.append("set-cookie", languageCookie(lang, scope.config));
  return response;
}

/**
 * Serves a page that all visitors share instead of the requested one, to a network that has reached the limit of rendered pages (decision 097). An
 * event's page is served without its selection, a shop's page redirects to the event's page, and a public page is served without parameters other than
 * the language.
 * @returns null for other pages
 */
async function servePlainPage(request: Request, url: URL, scope: RequestScope): Promise<Response | null> {
  const plainPage = getPlainPage(url);
  if (!plainPage) {
    const lang = url.searchParams.get(LANG_PARAM);
    return servePublicPage(
      request,
      new URL(url.pathname + (lang === null ? "" : `?${LANG_PARAM}=${lang}`), url),
      scope,
    );
  }
  const pageRequest = plainViewerRequest(request, plainPage.url);
  if (!pageRequest) return null;
  const page = await serveCached(request, plainPage.url, { ...pageRequest, isShop: false }, scope);
  if (!page || !plainPage.isShop) return page;
  // At the shop's URL, Remix's router would reload the event's page, because it was rendered for another URL.
  const location = plainPage.url.pathname + plainPage.url.search;
  return new Response(null, { status: 302, headers: { location, "cache-control": "no-store" } });
}

async function respond(original: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
  const originalUrl = new URL(original.url);
  const scope = createRequestScope(env, ctx, originalUrl.origin);
  if (isMediaHost(originalUrl, scope.config.mediaOrigin))
    return withPlainHeaders(await serveSignedMedia(original, scope), strictTransport(originalUrl, env));
  const secureUrl = httpsUrl(originalUrl, scope.config.development);
  if (secureUrl !== null) return new Response(null, { status: 308, headers: { location: secureUrl } });
  const nonPageResponse = await serveNonPage(original, originalUrl, scope);
  if (nonPageResponse) return withPlainHeaders(nonPageResponse, strictTransport(originalUrl, env));
  if (isMalformedPageRequest(originalUrl)) return serveRejection(original, originalUrl, scope, 400);
  const isRead = original.method === "GET" || original.method === "HEAD";
  const url = isRead ? normaliseVisitorUrl(originalUrl) : originalUrl;
  const viewer = plainViewerRequest(original, url);
  const shop = viewer
    ? null
    : plainShopRequest(original, url, (eventId) => readCartCookie(original, eventId) !== null);
  const cacheablePage = (viewer && { ...viewer, isShop: false }) || (shop && { ...shop, isShop: true });
  const cached = cacheablePage && (await serveCached(original, url, cacheablePage, scope));
  if (cached) return cached;
  const publicPage = cacheablePage ? null : await servePublicPage(original, url, scope);
  if (publicPage) return publicPage;
  const request = url.href === originalUrl.href ? original : new Request(url, original);
  const isCounted = pageKind(url.pathname) === "viewer" || scope.ticketOf(request) === null;
  if (isRead && isCounted && !(await scope.countRender(request)))
    return (await servePlainPage(request, url, scope)) ?? serveRejection(request, url, scope, 429);
  return servePage(request, url, scope, { nonce: makeNonce(), isForCache: false });
}

export default {
  async fetch(request, env, ctx) {
    try {
      return await respond(request, env, ctx);
    } catch (error) {
      const id = crypto.randomUUID();
      log("error", "unexpected", {
        requestId: id,
        path: loggedPath(new URL(request.url).pathname),
        ...errorFields(error),
      });
      return new Response(`500\n${id}\n`, {
        status: 500,
        headers: {
          "content-type": "text/plain; charset=utf-8",
          "cache-control": "no-store",
          ...securityHeaders("app", strictTransport(new URL(request.url), env)),
        },
      });
    }
  },

  async scheduled(_controller, env, ctx) {
    const { services, metadata } = createRequestScope(env, ctx);
    // A failing job must not prevent the others.
    const jobs = {
      startStatusAlarm: () =>
        (env.STATUS_ALARM.getByName("status") as unknown as { start(): Promise<void> }).start(),
      persistDueStatuses: services.events.persistDueStatuses,
      sendStatusMails: services.statusMails.sendStatusMails,
      deleteExpiredSessions: services.sessions.deleteExpiredSessions,
      deleteOldGuesses: services.sessions.deleteOldGuesses,
      deleteExpiredLinks: services.links.deleteExpiredLinks,
      mailSecondFactorResets: services.secondFactor.mailSecondFactorResets,
      deleteExpiredChallenges: services.passkeys.deleteExpiredChallenges,
      deleteExpiredTokens: services.tokens.deleteExpiredTokens,
      deleteExpiredMessages: services.webhooks.deleteExpiredMessages,
      deleteExpiredUserImports: services.users.deleteExpiredUserImports,
      deleteExpiredPackageImports: services.packages.deleteExpiredPackageImports,
      deleteExpiredUploads: services.uploads.deleteExpiredUploads,
      deleteExpiredPreparations: services.preparations.deleteExpiredPreparations,
      inspectOlder: metadata.inspectOlder,
      checkUploads: services.uploads.checkUploads,
      deleteExpiredResponses: services.idempotency.deleteExpiredResponses,
      purgeTrash: services.purge.purgeTrash,
      deleteExpiredVisits: services.visits.deleteExpiredVisits,
      // Last, because its duration depends on the number of messages and on their endpoints.
      deliverDue: services.webhooks.deliverDue,
    };
    for (const [job, run] of Object.entries(jobs)) {
      try {
        await run();
      } catch (error) {
        log("error", "job failed", { job, ...errorFields(error) });
      }
    }
  },
} satisfies ExportedHandler<Env>;
