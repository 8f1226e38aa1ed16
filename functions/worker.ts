/** The entry of the worker: pages, the API, files and the clock. */
import type { AppLoadContext } from "@remix-run/cloudflare";
import { referringHost, type VisitThing } from "~/domain/analytics/visit";
import { LANG_COOKIE, LANG_PARAM } from "~/domain/shared/lang";
import type { Lang } from "~/domain/shared/model";
import { showsProducts, storeOf } from "~/domain/store/store-of";
import { type Edge, edgeFor, languageCookie, languageOf, pageLanguage } from "./context";
import { lazyModule } from "./load-module";
import { missing, serveMedia } from "./media/serve";
import { isCheckAddress, isMediaHost, sendSigned, serveSignedMedia } from "./media/serve-signed";
import { renderPage } from "./pages";
import type { Env } from "./platform/config";
import { passwordFlagName, readCartCookie, readCookie } from "./platform/cookies";
import {
  contentSecurityPolicy,
  mayConnectShowcase,
  pageKind,
  securityHeaders,
  strictTransport,
  withPlainHeaders,
} from "./platform/csp";
import { CSP_REPORT_PATH, serveCspReport } from "./platform/csp-report";
import { errorFields, log, loggedPath } from "./platform/log";
import { mediumOf, openedFile } from "./platform/opened-file";
import { openedRules, readRulesRequest } from "./platform/opened-rules";
import { PAGE_METHODS, pageRefusal } from "./platform/origin";
import { httpsAddress, isMalformedPageRequest, normaliseVisitorUrl } from "./platform/page-request";
import { fillTemplate, makeTemplate, type PageTemplate } from "./platform/page-template";
import { placeOf } from "./platform/place";
import { makeNonce } from "./platform/random";
import { RENDER_RETRY_SECONDS } from "./platform/render-limit";
import { serveVersion, VERSION_PATH } from "./platform/version";
import { plainShopRequest, plainViewerRequest, type ViewerRequest } from "./platform/viewer-page";
import { serveVisit, VISIT_PATH } from "./platform/visit-door";
import { serveWellKnown, WELL_KNOWN_PATH } from "./platform/well-known";
import { visitorState } from "./services/visitors/visitors";
import { STORE_PICTURE_PATH } from "./storefront/pictures";

const api = lazyModule("api", () => import("./api"));

/** Options of rendering a page: see PageOptions. */
interface Rendering {
  readonly nonce: string;
  readonly buffered: boolean;
  readonly shown?: VisitThing[];
  /** The HTTP status with which the request is refused; by default what its method and origin say. */
  readonly refused?: number | null;
}

/** Renders a page for one request, with the headers of every page. */
async function servePage(request: Request, url: URL, edge: Edge, page: Rendering): Promise<Response> {
  const refused = page.refused ?? pageRefusal(request);
  const context = edge.pageContext(request, { ...page, lang: await pageLanguage(request), refused });
  // A rejected request is rendered at an address of its own, so that it never reaches an action.
  const asked =
    refused === null
      ? request
      : new Request(new URL("/refused", url), { headers: { cookie: request.headers.get("cookie") ?? "" } });
  const rendered = await renderPage(asked, context as unknown as AppLoadContext);
  const headers = new Headers(rendered.headers);
  const kind = pageKind(url.pathname);
  const { devReloadUrl, showcaseKey, mediaOrigin } = edge.config;
  const connects = mayConnectShowcase(kind, showcaseKey !== null, context.page.gaveShowcaseKey);
  headers.set(
    "content-security-policy",
    contentSecurityPolicy(kind, page.nonce, devReloadUrl, connects, mediaOrigin),
  );
  for (const [name, value] of Object.entries(securityHeaders(kind, strictTransport(url, edge.env))))
    headers.set(name, value);
  if (!headers.has("cache-control")) headers.set("cache-control", "private, no-store");
  if (refused === 405) headers.set("allow", PAGE_METHODS.join(", "));
  for (const [name, value] of context.page.outgoing) headers.append(name, value);
  return new Response(rendered.body, { status: rendered.status, statusText: rendered.statusText, headers });
}

/** Renders a visitor's page for all visitors who may see it; null when the response is not a page. */
async function renderTemplate(
  url: URL,
  viewer: Pick<ViewerRequest, "eventId">,
  edge: Edge,
  page: { lang: Lang; passwordFlag: string | null; cf?: CfProperties },
): Promise<PageTemplate | null> {
  const { passwordFlag, cf } = page;
  const standIn = makeNonce();
  const asked = new URL(url);
  asked.searchParams.set(LANG_PARAM, page.lang);
  const plain = new Request(asked, {
    headers: { cookie: passwordFlag ? `${passwordFlagName(viewer.eventId)}=${passwordFlag}` : "" },
    ...(cf && { cf }),
  });
  const shown: VisitThing[] = [];
  const rendered = await servePage(plain, url, edge, { nonce: standIn, buffered: true, shown });
  if (rendered.status !== 200) return null;
  const headers = new Headers(rendered.headers);
  headers.delete("set-cookie");
  return makeTemplate(await rendered.text(), standIn, headers, shown);
}

/** Re-render interval for pages that contain store data, in milliseconds. The data may be older (functions/storefront/kept). */
const SHOP_PAGE_MS = 10_000;
/** Number of intervals for which a stale page is served while it is rendered again: one minute, the age that store data may have. */
const SHOP_PAGE_TURNS = 6;

/** The cache keys of such a page, newest first: the present interval, then the earlier ones. */
function turnsOf(page: string, now: number): readonly [string, ...string[]] {
  const turn = Math.floor(now / SHOP_PAGE_MS);
  const older = Array.from({ length: SHOP_PAGE_TURNS - 1 }, (_, back) => `${page} ${turn - back - 1}`);
  return [`${page} ${turn}`, ...older];
}

/** A request for a visitor's page, of an event or its shop, that the isolate may cache. */
interface CacheablePage extends ViewerRequest {
  readonly isShop: boolean;
}

/**
 * Serves a visitor's page from the isolate's cache (decision 006). A shop's page that is not cached yet is streamed to this visitor and then
 * rendered for the cache, from the store data that was cached meanwhile.
 * @returns the cached page, or the function that renders it for the cache; null for a page that must be rendered for this visitor alone
 */
async function serveCached(
  request: Request,
  url: URL,
  visited: CacheablePage,
  edge: Edge,
): Promise<Response | (() => void) | null> {
  const { eventId, mode, page, hasSelection, isShop } = visited;
  const record = await edge.events.get(eventId);
  if (!record) return null;
  const passwordFlag = record.publishPasswordHash && readCookie(request, passwordFlagName(eventId));
  const access = visitorState(edge.flags, record, { ...visited, passwordFlag }, edge.now);
  if (access.state !== "open") return null;
  const tag = url.searchParams.get("tag");
  // A tag that the event does not have does not change the page.
  if (tag !== null && ![...record.tags, ...record.media].some(({ id }) => id === tag)) {
    const known = new URL(url);
    known.searchParams.delete("tag");
    const plain = plainViewerRequest(request, known);
    return plain && serveCached(request, known, { ...plain, isShop }, edge);
  }

  const { lang, chosen } = languageOf(request, url);
  // The page's links contain the host of the request.
  const name = `${url.origin} ${eventId} ${record.revision} ${lang} ${mode} ${access.statusId} ${page}`;
  // An event's page with prices is rendered again as often as the shop's pages.
  const { event } = record;
  const isPriced =
    isShop || (storeOf(event.spStoreUrl, event.spAccessToken) !== null && showsProducts(record));
  const { cf } = request as Request<unknown, IncomingRequestCfProperties>;
  const [key, ...previous] = isPriced ? turnsOf(`${name} ${cf?.country ?? ""}`, edge.now) : [name];
  const pages = hasSelection ? edge.askedPages : isPriced ? edge.shopPages : edge.pages;
  const render = async () =>
    (await edge.countRender(request))
      ? renderTemplate(url, visited, edge, { lang, passwordFlag, ...(isPriced && { cf }) })
      : null;
  const find = () => pages.getOrStale(key, render, { previous, defer: edge.defer });
  if (isShop && !pages.firstOf([key, ...previous])) return () => edge.defer(find());
  const template = await find();
  if (!template) return null;
  for (const thing of template.shown) edge.countAct(request, { ...visited, passwordFlag }, thing);
  const { body, headers } = fillTemplate(
    template,
    referringHost(request.headers.get("referer") ?? "", url.hostname),
  );
  if (chosen) headers.push(["set-cookie", languageCookie(lang, edge.config)]);
  return new Response(request.method === "HEAD" ? null : body, { headers });
}

/** Counts the opening of a file, if it belongs to a media item of the event. */
async function countOpened(
  request: Request,
  { eventId, token, itemId }: NonNullable<ReturnType<typeof openedFile>>,
  edge: Edge,
): Promise<void> {
  const record = await edge.events.get(eventId);
  const id = record && mediumOf(record.media, itemId);
  const passwordFlag = readCookie(request, passwordFlagName(eventId));
  if (id) edge.countAct(request, { eventId, mode: "published", token, passwordFlag }, { act: "media", id });
}

/** Serves the CSS rules that count opened entries without scripts (noscript tracking); 404 for a closed event. */
async function serveOpenedRules(
  request: Request,
  asked: NonNullable<ReturnType<typeof readRulesRequest>>,
  edge: Edge,
): Promise<Response> {
  const record = await edge.events.get(asked.eventId);
  const passwordFlag = readCookie(request, passwordFlagName(asked.eventId));
  const link = { ...asked, mode: "published" as const, passwordFlag };
  const isOpen = record && visitorState(edge.flags, record, link, edge.now).state === "open";
  return new Response(isOpen ? openedRules(asked, record) : null, {
    status: isOpen ? 200 : 404,
    headers: {
      "content-type": "text/css; charset=utf-8",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
    },
  });
}

/** The response, with work that begins when all of it was sent. */
function followedBy(response: Response, next: () => void): Response {
  return new Response(response.body?.pipeThrough(new TransformStream({ flush: next })) ?? null, response);
}

/** Serves the API, files, pictures, visit counting and well-known paths; null for a page. */
async function answerPlain(request: Request, url: URL, edge: Edge): Promise<Response | null> {
  const { pathname } = url;
  if (pathname === "/api" || pathname.startsWith("/api/") || pathname.startsWith("/default/"))
    return (await api()).handleApi(request, edge);
  if (pathname.startsWith("/media/")) {
    if (isCheckAddress(url)) return (await sendSigned(request, edge)) ?? missing();
    const opened = openedFile(request, url);
    if (opened) edge.defer(countOpened(request, opened, edge));
    return serveMedia(request, edge);
  }
  const rules = readRulesRequest(request, url);
  if (rules) return serveOpenedRules(request, rules, edge);
  if (pathname.startsWith(VISIT_PATH)) return serveVisit(request, url, edge);
  if (pathname === VERSION_PATH) return serveVersion(request, edge.config.production);
  if (pathname === CSP_REPORT_PATH)
    return serveCspReport(request, { host: url.host, network: placeOf(request), reports: edge.cspReports });
  if (pathname.startsWith(STORE_PICTURE_PATH)) return edge.serveStorePicture(request, edge.defer);
  if (pathname.startsWith(WELL_KNOWN_PATH)) {
    const { securityContact, origin } = edge.config;
    return serveWellKnown(request, pathname, {
      securityContact,
      origin: origin ?? url.origin,
      now: edge.now,
    });
  }
  return null;
}

/** Serves the page of a request that is rejected before any route, in the visitor's language. The page is cached for all. */
async function serveRefusal(request: Request, url: URL, edge: Edge, refused: number): Promise<Response> {
  const address = new URL("/refused", url);
  const key = `${url.origin} ${refused} ${languageOf(request, url).lang} ${pageKind(url.pathname)}`;
  const render = async () => {
    const standIn = makeNonce();
    const plain = new Request(address, {
      headers: { cookie: `${LANG_COOKIE}=${languageOf(request, url).lang}` },
    });
    const page = await servePage(plain, url, edge, { nonce: standIn, buffered: true, refused });
    return makeTemplate(await page.text(), standIn, new Headers(page.headers));
  };
  const template = await edge.askedPages.getOrStale(key, render, { previous: [], defer: edge.defer });
  if (!template) throw new Error("The page of a refused request was not rendered");
  const { body, headers } = fillTemplate(template);
  if (refused === 429) headers.push(["retry-after", String(RENDER_RETRY_SECONDS)]);
  return new Response(request.method === "HEAD" ? null : body, { status: refused, headers });
}

async function answer(original: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
  const sent = new URL(original.url);
  const edge = edgeFor(env, ctx, sent.origin);
  if (isMediaHost(sent, edge.config.mediaOrigin))
    return withPlainHeaders(await serveSignedMedia(original, edge), strictTransport(sent, env));
  const secure = httpsAddress(sent, edge.config.development);
  if (secure !== null) return new Response(null, { status: 308, headers: { location: secure } });
  const plain = await answerPlain(original, sent, edge);
  if (plain) return withPlainHeaders(plain, strictTransport(sent, env));
  if (isMalformedPageRequest(sent)) return serveRefusal(original, sent, edge, 400);
  const isRead = original.method === "GET" || original.method === "HEAD";
  const url = isRead ? normaliseVisitorUrl(sent) : sent;
  const request = url.href === sent.href ? original : new Request(url, original);
  const viewer = plainViewerRequest(request, url);
  const shop = plainShopRequest(request, url, (eventId) => readCartCookie(request, eventId) !== null);
  const visited = (viewer && { ...viewer, isShop: false }) || (shop && { ...shop, isShop: true });
  const kept = visited && (await serveCached(request, url, visited, edge));
  if (kept instanceof Response) return kept;
  const isCounted = pageKind(url.pathname) === "viewer" || edge.ticketOf(request) === null;
  if (isRead && isCounted && !(await edge.countRender(request))) return serveRefusal(request, url, edge, 429);
  const page = await servePage(request, url, edge, { nonce: makeNonce(), buffered: false });
  return kept && page.status === 200 ? followedBy(page, kept) : page;
}

export default {
  async fetch(request, env, ctx) {
    try {
      return await answer(request, env, ctx);
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
    const { services, metadata } = edgeFor(env, ctx);
    // A job that fails does not keep the others from running.
    const jobs = {
      settleStatuses: services.events.settleStatuses,
      sendStatusMails: services.statusMails.sendStatusMails,
      sweepSessions: services.sessions.sweepSessions,
      deleteOldGuesses: services.sessions.deleteOldGuesses,
      sweepLinks: services.links.sweepLinks,
      mailSecondFactorResets: services.secondFactor.mailSecondFactorResets,
      sweepChallenges: services.passkeys.sweepChallenges,
      sweepTokens: services.tokens.sweepTokens,
      sweepMessages: services.webhooks.sweepMessages,
      sweepImports: services.users.sweepImports,
      sweepPackages: services.packages.sweepImports,
      sweepUploads: services.uploads.sweepUploads,
      deleteUnfinishedPreparations: services.preparations.deleteUnfinishedPreparations,
      inspectOlder: metadata.inspectOlder,
      checkUploads: services.uploads.checkUploads,
      sweepAnswers: services.idempotency.sweepAnswers,
      purgeTrash: services.purge.purgeTrash,
      sweepVisits: services.visits.sweepVisits,
      // It is last, because its duration depends on the number of messages and on their receivers.
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
