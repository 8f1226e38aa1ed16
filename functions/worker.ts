/** The entry of the worker: pages, the API, files and the clock. */
import { type AppLoadContext, createRequestHandler, type ServerBuild } from "@remix-run/cloudflare";
// The pages, as Vite built them (scripts/lib/build.ts).
import * as build from "#build";
import { LANG_PARAM } from "~/domain/lang";
import type { Lang } from "~/domain/model";
import { showsProducts, storeOf } from "~/domain/store-of";
import { referringHost, type VisitThing } from "~/domain/visit";
import { handleApi } from "./api";
import { type Edge, edgeFor, languageCookie, languageOf } from "./context";
import { serveMedia } from "./media/serve";
import type { Env } from "./platform/config";
import { passwordFlagName, readCartCookie, readCookie } from "./platform/cookies";
import {
  contentSecurityPolicy,
  mayConnectShowcase,
  pageKind,
  securityHeaders,
  withPlainHeaders,
} from "./platform/csp";
import { errorFields, log, loggedPath } from "./platform/log";
import { mediumOf, openedFile } from "./platform/opened-file";
import { openedRules, readRulesRequest } from "./platform/opened-rules";
import { PAGE_METHODS, pageRefusal } from "./platform/origin";
import { keptPage } from "./platform/page-shelf";
import { fillTemplate, makeTemplate, type PageTemplate } from "./platform/page-template";
import { makeNonce } from "./platform/random";
import {
  plainShopRequest,
  plainViewerRequest,
  type ShopRequest,
  type ViewerRequest,
} from "./platform/viewer-page";
import { serveVisit, VISIT_PATH } from "./platform/visit-door";
import { serveWellKnown, WELL_KNOWN_PATH } from "./platform/well-known";
import { visitorState } from "./services/visitors";
import { STORE_PICTURE_PATH } from "./storefront/pictures";

const renderPage = createRequestHandler(build as unknown as ServerBuild, "production");

/** Renders a page for one request, with the headers that every page carries. */
async function servePage(
  request: Request,
  url: URL,
  edge: Edge,
  page: { nonce: string; buffered: boolean; shown?: VisitThing[] },
): Promise<Response> {
  const refused = pageRefusal(request);
  const context = edge.pageContext(request, { ...page, refused });
  // A refused request is shown as a page of its own, at an address that leads nowhere else; it never reaches an action.
  const asked =
    refused === null
      ? request
      : new Request(new URL("/refused", url), { headers: { cookie: request.headers.get("cookie") ?? "" } });
  const rendered = await renderPage(asked, context as unknown as AppLoadContext);
  const headers = new Headers(rendered.headers);
  const kind = pageKind(url.pathname);
  const { devReloadUrl, showcaseKey } = edge.config;
  const connects = mayConnectShowcase(kind, showcaseKey !== null, context.gaveShowcaseKey);
  headers.set("content-security-policy", contentSecurityPolicy(kind, page.nonce, devReloadUrl, connects));
  for (const [name, value] of Object.entries(securityHeaders(kind, edge.config.development)))
    headers.set(name, value);
  if (!headers.has("cache-control")) headers.set("cache-control", "private, no-store");
  if (refused === 405) headers.set("allow", PAGE_METHODS.join(", "));
  for (const [name, value] of context.outgoing) headers.append(name, value);
  return new Response(rendered.body, { status: rendered.status, statusText: rendered.statusText, headers });
}

/** Renders a visitor's page for everybody who may see it; null when it turned out to be no page. */
async function renderTemplate(
  url: URL,
  viewer: ViewerRequest,
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

/** A page that shows what the store has said is rendered anew after so long, in milliseconds; that may be older (functions/storefront/kept). */
const SHOP_PAGE_MS = 10_000;
/** So many turns of that length, a minute, the last one is served while it is rendered anew: as old as the store's answers may be. */
const SHOP_PAGE_TURNS = 6;

/** The names of such a page, the newest first: the one that is to be served, and those in whose place it comes. */
function turnsOf(page: string, now: number): readonly [string, ...string[]] {
  const turn = Math.floor(now / SHOP_PAGE_MS);
  const older = Array.from({ length: SHOP_PAGE_TURNS - 1 }, (_, back) => `${page} ${turn - back - 1}`);
  return [`${page} ${turn}`, ...older];
}

/** Answers a visitor's plain read from the isolate where it can (decision 006); null when the long way must be taken. */
async function serveKeptPage(
  request: Request,
  url: URL,
  viewer: ViewerRequest,
  edge: Edge,
): Promise<Response | null> {
  const { eventId, mode } = viewer;
  const record = await edge.events.get(eventId);
  if (!record) return null;
  const passwordFlag = record.publishPasswordHash && readCookie(request, passwordFlagName(eventId));
  const access = visitorState(edge.flags, record, { ...viewer, passwordFlag }, edge.now);
  if (access.state !== "open") return null;

  const { lang, chosen } = languageOf(request, url);
  // Its links name the host at which it was asked for.
  const plain = `${url.origin} ${eventId} ${record.revision} ${lang} ${mode} ${access.statusId}`;
  // What costs something says what it costs, as far as that is at hand, and so is drawn anew as the shop's own pages are.
  const { event } = record;
  const isPriced = storeOf(event.spStoreUrl, event.spAccessToken) !== null && showsProducts(record);
  const { cf } = request as Request<unknown, IncomingRequestCfProperties>;
  const [key, ...previous] = isPriced ? turnsOf(`${plain} ${cf?.country ?? ""}`, edge.now) : [plain];
  const template = await keptPage({
    shelf: isPriced ? edge.shopPages : edge.pages,
    rendering: edge.rendering,
    key,
    previous,
    render: () => renderTemplate(url, viewer, edge, { lang, passwordFlag, ...(isPriced && { cf }) }),
    defer: edge.defer,
  });
  if (!template) return null;
  const { body, headers } = fillTemplate(
    template,
    referringHost(request.headers.get("referer") ?? "", url.hostname),
  );
  if (chosen) headers.push(["set-cookie", languageCookie(lang, edge.config)]);
  return new Response(body, { headers });
}

/**
 * Answers a plain read of a shop's page from the isolate where it can. Where it cannot, nobody waits for the whole of it: the visitor gets the
 * page as it arrives, and once it has come it is made for those who follow, out of what the store has just said.
 * @returns the page, or what makes it for others; null where it cannot be kept
 */
async function serveKeptShop(
  request: Request,
  url: URL,
  viewer: ShopRequest,
  edge: Edge,
): Promise<Response | (() => void) | null> {
  const { eventId, mode, page } = viewer;
  const record = await edge.events.get(eventId);
  if (!record) return null;
  const passwordFlag = record.publishPasswordHash && readCookie(request, passwordFlagName(eventId));
  const access = visitorState(edge.flags, record, { ...viewer, passwordFlag }, edge.now);
  if (access.state !== "open") return null;

  const { lang, chosen } = languageOf(request, url);
  const { cf } = request as Request<unknown, IncomingRequestCfProperties>;
  const name = [url.origin, eventId, record.revision, lang, mode, access.statusId, page, cf?.country ?? ""];
  const [key, ...previous] = turnsOf(name.join(" "), edge.now);
  const find = () =>
    keptPage({
      shelf: edge.shopPages,
      rendering: edge.rendering,
      ...{ key, previous, defer: edge.defer },
      render: () => renderTemplate(url, viewer, edge, { lang, passwordFlag, cf }),
    });
  const template = edge.shopPages.first([key, ...previous]) && (await find());
  if (!template) return () => edge.defer(find());
  for (const thing of template.shown) edge.countAct(request, { ...viewer, passwordFlag }, thing);
  const { body, headers } = fillTemplate(
    template,
    referringHost(request.headers.get("referer") ?? "", url.hostname),
  );
  if (chosen) headers.push(["set-cookie", languageCookie(lang, edge.config)]);
  return new Response(body, { headers });
}

/** Counts a medium whose file somebody opens, if that is one of the event's. */
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

/** The rules by which an event's page tells without scripts what is opened; nothing of an event that this visitor does not see. */
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

/** The answer, with something to be done when all of it has gone out. */
function followedBy(response: Response, next: () => void): Response {
  return new Response(response.body?.pipeThrough(new TransformStream({ flush: next })) ?? null, response);
}

/** Answers what is asked of the API, files, pictures, the counting of visits and by programs that every site is asked by; null for a page. */
async function answerPlain(request: Request, url: URL, edge: Edge): Promise<Response | null> {
  const { pathname } = url;
  if (pathname === "/api" || pathname.startsWith("/api/") || pathname.startsWith("/default/"))
    return handleApi(request, edge);
  if (pathname.startsWith("/media/")) {
    const opened = openedFile(request, url);
    if (opened) edge.defer(countOpened(request, opened, edge));
    return serveMedia(request, edge);
  }
  const rules = readRulesRequest(request, url);
  if (rules) return serveOpenedRules(request, rules, edge);
  if (pathname.startsWith(VISIT_PATH)) return serveVisit(request, url, edge);
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

async function answer(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
  const url = new URL(request.url);
  const edge = edgeFor(env, ctx, url.origin);
  const plain = await answerPlain(request, url, edge);
  if (plain) return withPlainHeaders(plain, edge.config.development);
  const viewer = plainViewerRequest(request, url);
  const shop = plainShopRequest(request, url, (eventId) => readCartCookie(request, eventId) !== null);
  const kept =
    (viewer && (await serveKeptPage(request, url, viewer, edge))) ||
    (shop && (await serveKeptShop(request, url, shop, edge)));
  if (kept instanceof Response) return kept;
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
          ...securityHeaders("app", env.APP_ENV === "development"),
        },
      });
    }
  },

  async scheduled(_controller, env, ctx) {
    const { services } = edgeFor(env, ctx);
    // Nobody waits for these: they only write down what already holds. One that fails does not keep the others from it.
    const jobs = {
      settleStatuses: services.events.settleStatuses,
      sendStatusMails: services.statusMails.sendStatusMails,
      sweepSessions: services.sessions.sweepSessions,
      sweepLinks: services.links.sweepLinks,
      sweepChallenges: services.passkeys.sweepChallenges,
      sweepTokens: services.tokens.sweepTokens,
      sweepMessages: services.webhooks.sweepMessages,
      sweepImports: services.users.sweepImports,
      sweepPackages: services.packages.sweepImports,
      sweepUploads: services.uploads.sweepUploads,
      sweepAnswers: services.idempotency.sweepAnswers,
      purgeTrash: services.purge.purgeTrash,
      sweepVisits: services.visits.sweepVisits,
      // The last: what it asks of D1 depends on how much there is to send, and how long it takes on who receives it.
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
