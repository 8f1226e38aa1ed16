/**
 * The composition root: the one place where bindings become services. Objects that live as long as the isolate are created once per set of bindings,
 * all others once per request.
 */
import { RemixI18Next } from "remix-i18next/server";
import { referringHost, type VisitSign, type VisitThing } from "~/domain/analytics/visit";
import { loginPath, secondFactorPath } from "~/domain/auth/redirect";
import { BROWSER_SECONDS, browserCookieName, OLD_BROWSER_COOKIE } from "~/domain/auth/session";
import type { UrlParamDefinitions } from "~/domain/events/url-params";
import {
  acceptedLang,
  DEFAULT_LANG,
  isLang,
  LANG_COOKIE,
  LANG_PARAM,
  LANGS,
  resolveLang,
} from "~/domain/shared/lang";
import type { Lang, Uuid } from "~/domain/shared/model";
import type { KeptCart } from "~/domain/store/store";
import { StoreFailure } from "~/domain/store/store-failure";
import { cartIdOf } from "~/domain/store/store-ids";
import { storeTokens } from "~/domain/store/store-token";
import { readStoreUrl } from "~/domain/store/store-url";
import urlParams from "../public/url_params.json";
import { webhookEventJson } from "./api/webhooks/webhook-event-json";
import { type EventCache, eventCache } from "./cache/event-cache";
import { RevalidatingCache } from "./cache/revalidating-cache";
import { SingleFlight } from "./cache/single-flight";
import { WriteBatcher } from "./cache/write-batcher";
import { repositories } from "./data/shared/repositories";
import { type Config, type Env, readConfig } from "./http/config";
import {
  cartCookie,
  cookieHeader,
  eventAccessCookieName,
  formatEventAccessCookie,
  readCartCookie,
  readCookie,
  signEventAccess,
  verifyEventAccess,
} from "./http/cookies";
import { pageKind } from "./http/csp";
import { CspReportLog } from "./http/csp-report";
import { type Attempt, attempt, type FailureMessage, withHttpErrors } from "./http/http-errors";
import { errorFields, log, logFailure } from "./http/log";
import { createMailbox, createMailer, type Mailbox } from "./http/mailer";
import type { PageTemplate } from "./http/page-template";
import { readResponse } from "./http/read-body";
import { type PostedFiles, readFiles } from "./http/read-files";
import { readForm } from "./http/read-form";
import { readUpload, type Upload } from "./http/read-upload";
import { readSessionCookie, sessionCookieHeaders } from "./http/session-cookie";
import { builtVersion } from "./http/version";
import { visitSource } from "./http/visit-endpoint";
import { createWebhookSender } from "./http/webhook-sender";
import { lazyModule } from "./load-module";
import { copySuffix } from "./mail/copy-suffix";
import { emailTemplate, SENDER_NAME } from "./mail/email-template";
import { errorMessage } from "./mail/error-message";
import { type FileMetadata, fileMetadata, visitorFileStore } from "./media/file-metadata";
import { r2FileStore } from "./media/file-store";
import { createFisheyeDetector } from "./media/images/fisheye-detector";
import { cloudflareImageConverter, localImageConverter } from "./media/images/image-converter";
import { ImageResizer } from "./media/images/image-resizer";
import { r2ImageStore } from "./media/images/image-store";
import { createMediaSigner } from "./media/media-signer";
import { webLookup } from "./media/oembed";
import { type RecentReads, recentReads } from "./media/recent-reads";
import { r2SaltStore } from "./media/salt-store";
import { r2UploadStore } from "./media/upload-store";
import { AttemptLimiter } from "./security/attempt-limiter";
import { clientNetwork, hashNetwork, isLocalHostname } from "./security/client-network";
import { shardedPasswords, shardPath } from "./security/common-passwords";
import { DailySalts, hashVisitor } from "./security/daily-salts";
import { InvalidTokenThrottle } from "./security/invalid-token-throttle";
import { hashWithSecret } from "./security/keyed-hash";
import { passwordHasher } from "./security/password";
import { type PublicFetchDeps, publicFetch, resolveHost } from "./security/public-fetch";
import { idSource } from "./security/random";
import { RenderLimit } from "./security/render-limit";
import { openText, sealText } from "./security/seal-text";
import { VisitRateLimiter } from "./security/visit-rate-limiter";
import { createServices, type Services } from "./services";
import type { ZoneDay } from "./services/analytics/visit-ports";
import { writeVisits } from "./services/analytics/visits";
import type { FailedLogInLine } from "./services/auth/failed-log-ins";
import { GuessMemory } from "./services/auth/log-in-limits";
import type { CurrentSession, IssuedSession } from "./services/auth/sessions";
import { checkTimeOf } from "./services/library/upload-checks";
import type { ErrorMessage } from "./services/shared/errors";
import type { EventAccessSigner } from "./services/shared/ports";
import type { LimitedWork } from "./services/shared/work-limit";
import type { StoreStatusRepository } from "./services/store/shop-ports";
import type { VisitorLink } from "./services/visitors/event-access";
import { CircuitBreaker } from "./storefront/circuit-breaker";
import { createStoreClient, StoreClients } from "./storefront/client";
import { isStoreAddress, serveStoreImage, storeImagePath } from "./storefront/store-images";
import { StoreReports } from "./storefront/store-reports";
import { createStorefront } from "./storefront/storefront";
import { edgeResponseStore, STORE_PATIENCE_MS, StorefrontCache } from "./storefront/storefront-cache";

const clock = { now: () => Date.now() };
// Every visit waits before it is written. The platform's timer costs a fraction of setTimeout, which is Node's here.
const sleep = (ms: number) => scheduler.wait(ms);
/** Paths to which the log-in forms post, without and with scripts. A cookie path matches only one of them (RFC 6265 §5.1.4). */
const LOGIN_PATHS = ["/login", "/login.data"];
/** Number of event records that an isolate caches. A record with 500 tags is well below 1 MB. */
const CACHED_EVENTS_MAX = 100;
/** Bytes of rendered pages that an isolate caches, of its 128 MB. */
const CACHED_PAGE_BYTES = 32 * 1024 * 1024;
/** The same for pages of shops. */
const CACHED_SHOP_PAGE_BYTES = 8 * 1024 * 1024;
/** The same for searches, dialogs, posters, linked tags and further pages of lists. */
const CACHED_QUERY_PAGE_BYTES = 8 * 1024 * 1024;
/** How long visitors wait for a page that another request renders, in milliseconds, before one of them renders it again. */
const RENDER_PATIENCE_MS = 10_000;

const packageArchive = lazyModule("package-archive", () => import("./media/package-archive"));
const csvCodec = lazyModule("csv", async () => (await import("./http/csv")).csvCodec);
const passkeyVerifier = lazyModule(
  "webauthn",
  async () => (await import("./security/webauthn")).passkeyVerifier,
);

function createAppServices(env: Env) {
  const config = readConfig(env);
  const data = repositories(env.DB);
  const attemptLimiter = new AttemptLimiter(
    { subject: env.GUESS_LIMIT, place: env.PLACE_LIMIT, event: env.EVENT_LIMIT },
    clock.now,
    ({ what, outcome, account, before }) => log("warn", `guess ${outcome}`, { what, account, before }),
  );
  const eventAccessSigner: EventAccessSigner = {
    sign: (eventId, version, expires) => signEventAccess(config.sessionSecret, eventId, version, expires),
    verify: (eventId, version, value, now) =>
      verifyEventAccess(config.sessionSecret, eventId, version, value, now),
  };
  const events = eventCache(data.visitors, { now: clock.now, sleep, maxEntries: CACHED_EVENTS_MAX });
  const saltStore = r2SaltStore(env.FILES);
  const salts = new DailySalts(saltStore, clock.now);
  const visitRateLimiter = new VisitRateLimiter(env.VISIT_LIMIT, clock.now);
  const visitBatcher = new WriteBatcher<VisitSign>({
    write: (signs) => writeVisits(data, signs),
    now: clock.now,
    sleep,
    onError: (error, signs, isOver) =>
      log(isOver ? "error" : "warn", "visits not written", { signs, isOver, ...errorFields(error) }),
  });
  const metadata = fileMetadata({ records: data.storedFiles, bucket: env.FILES, now: clock.now });
  const mailbox = config.development && env.MAILBOX ? createMailbox(env.MAILBOX) : null;
  const shared = {
    ...data,
    mailer: createMailer({ binding: env.MAIL, from: { email: config.mailFrom, name: SENDER_NAME }, mailbox }),
    emailTemplate,
    copyEnding: copySuffix,
    hasher: passwordHasher(config.passwordCost),
    limiter: attemptLimiter,
    guessMemory: new GuessMemory(),
    hashWithSecret: (about: string, text: string) => hashWithSecret(config.sessionSecret, about, text),
    commonPasswords: shardedPasswords((shard) => readAsset(env, shardPath(shard))),
    flags: eventAccessSigner,
    mediaSigner: createMediaSigner(config.sessionSecret),
    verifier: passkeyVerifier,
    clock,
    ids: idSource,
    hashNetwork: (place: string) => hashNetwork(config.sessionSecret, place),
    logFailedLogIn: (line: FailedLogInLine) => log("warn", "log-in failed", { ...line }),
    logFailedProof: (line: { account: Uuid; network: string | null }) =>
      log("warn", "own password wrong", line),
    csv: csvCodec,
    files: r2FileStore(env.FILES, metadata.forget),
    thumbnailStore: r2ImageStore(env.FILES),
    webLookup: webLookup({ fetch: createOutboundFetch(config), readAnswer: readResponse, now: clock.now }),
    uploadStore: r2UploadStore(env.FILES, {
      record: (fileKey, byteSize) =>
        metadata.record(fileKey, byteSize, checkTimeOf(config.uploadVerdict, fileKey, clock.now())),
      forget: metadata.forget,
    }),
    archives: async () => (await packageArchive()).packageArchives(env.FILES),
    sendToReceiver: createWebhookSender({ fetch: createOutboundFetch(config) }),
    uploadVerdict: config.uploadVerdict,
    describeEvent: webhookEventJson,
    textSealer: {
      seal: (about: string, text: string, expires: number) =>
        sealText(config.sessionSecret, about, text, expires),
      open: (about: string, value: string, now: number) => openText(config.sessionSecret, about, value, now),
    },
    requiresSecondFactor: config.requiresSecondFactor,
    onEventChanged: (id: Uuid) => events.drop(id),
    readRecord: (id: Uuid) => events.get(id),
    workLimiter: {
      take: async (work: LimitedWork, ownerId: Uuid) =>
        (await { copy: env.COPY_LIMIT, import: env.IMPORT_LIMIT }[work].limit({ key: ownerId })).success,
    },
    visitGate: visitRateLimiter,
    salts: saltStore,
    saltOf: (day: ZoneDay) => salts.of(day),
    hashVisitor,
    gather: (sign: VisitSign) => visitBatcher.add(sign),
  };
  const files = visitorFileStore(shared.files, metadata.overwritesOf);
  const storefront = createStorefrontDeps(config, data.storeResponses);
  const imageConverter =
    config.development && env.PICTURES
      ? localImageConverter(env.PICTURES)
      : cloudflareImageConverter(env.IMAGES);
  const openFile = async (key: string) => (await files.get(key))?.body ?? null;
  const isFisheye = createFisheyeDetector({
    tool: imageConverter,
    open: openFile,
    onError: (key, error) => log("warn", "panorama not looked at", { key, ...errorFields(error) }),
  });
  const imageResizer = new ImageResizer({
    tool: imageConverter,
    open: openFile,
    cache: () => caches.open("pictures"),
    now: clock.now,
    sleep,
    onError: ({ key, width, type }, error) =>
      log("warn", "no picture made", { key, width, type, ...errorFields(error) }),
  });
  return {
    config,
    events,
    metadata,
    images: imageResizer,
    visits: visitBatcher,
    /** Drops the data of visitors of past days and minutes. */
    forgetVisitors(defer: (work: Promise<unknown>) => void) {
      visitRateLimiter.forget();
      const forgotten = salts.forget();
      if (forgotten) defer(forgotten);
    },
    reads: recentReads(clock.now),
    floods: new InvalidTokenThrottle(clock.now),
    pages: createPageCache(CACHED_PAGE_BYTES),
    shopPages: createPageCache(CACHED_SHOP_PAGE_BYTES),
    askedPages: createPageCache(CACHED_QUERY_PAGE_BYTES),
    renderLimit: new RenderLimit(env.PAGE_LIMIT, clock.now),
    cspReports: new CspReportLog(clock.now, (violation) => log("warn", "csp violation", { ...violation })),
    flags: eventAccessSigner,
    mailbox,
    services: (origin: string, defer: (work: Promise<unknown>) => void) =>
      createServices({
        ...shared,
        isFisheye,
        ...storefront.deps(defer),
        origin,
        fileOrigin: config.mediaOrigin ?? origin,
        defer,
      }),
    serveStorePicture: storefront.servePicture,
    /** The version text (§1), empty in production and when there is none. */
    versionText: async () => (config.production ? "" : builtVersion),
  };
}

const createPageCache = (maxSize: number) =>
  new RevalidatingCache<PageTemplate>({
    now: clock.now,
    sleep,
    patienceMs: RENDER_PATIENCE_MS,
    maxSize,
    sizeOf: ({ bytes }) => bytes.length,
  });

/** The way to addresses that people type. On a developer's machine the proxy checks them (scripts/lib/network.ts), and DNS is out of reach. */
const createOutboundFetch = ({ development }: Config): PublicFetchDeps["fetch"] =>
  development
    ? (url, init) => fetch(url, init)
    : publicFetch({ fetch: (url, init) => fetch(url, init), resolve: resolveHost, now: clock.now });

/** The text of a static file; null, with a line in the log, when it cannot be read. */
async function readAsset(env: Env, path: string): Promise<string | null> {
  try {
    const response = await env.ASSETS.fetch(`https://assets.invalid${path}`);
    if (response.ok) return await response.text();
    log("error", "static file not read", { path, status: response.status });
  } catch (error) {
    log("error", "static file not read", { path, ...errorFields(error) });
  }
  return null;
}

/** The way to stores, which an isolate has one of. */
function createStorefrontDeps(config: Config, repository: StoreStatusRepository) {
  const { sessionSecret, isAllowedStoreHost } = config;
  const random = () => Math.random();
  const send = { fetch: createOutboundFetch(config), now: clock.now, sleep, random };
  const breaker = new CircuitBreaker({ now: clock.now, random });
  const reports = new StoreReports({
    repository,
    log: (message, fields) => log("warn", message, { ...fields }),
  });
  const clients = new StoreClients(({ origin, token }) =>
    createStoreClient({
      ...send,
      storeDomain: origin,
      ...storeTokens(token),
      log: (entry) => log("info", "store", { ...entry }),
    }),
  );
  const flights = new SingleFlight({ now: clock.now, sleep, patienceMs: STORE_PATIENCE_MS });
  const storefrontCache = new StorefrontCache({
    store: edgeResponseStore(() => caches.open("storefront")),
    now: clock.now,
    once: (key, look, work) => flights.run(key, look, work),
  });
  const addresses = {
    picture: (address: string) => storeImagePath(sessionSecret, address, isAllowedStoreHost),
    checkout: (address: string) => (isStoreAddress(address, isAllowedStoreHost) ? address : null),
  };
  const checkOrigin = (origin: string) => {
    if ("error" in readStoreUrl(origin, isAllowedStoreHost))
      throw new StoreFailure("network", "The store's address may not be called");
  };
  return {
    deps: (defer: (work: Promise<unknown>) => void) => ({
      storefront: createStorefront({
        clients,
        kept: storefrontCache,
        addresses,
        checkOrigin,
        defer,
        breaker,
        now: clock.now,
        report: (report) => reports.take(report, defer),
      }),
      isAllowedStoreHost,
      storeStatusOf: (eventId: Uuid, origin: string) => reports.statusOf(eventId, origin),
    }),
    servePicture: (request: Request, defer: (work: Promise<unknown>) => void) =>
      serveStoreImage(request, {
        secret: sessionSecret,
        fetch: send.fetch,
        readAnswer: readResponse,
        isAllowedHost: isAllowedStoreHost,
        cache: () => caches.open("storefront"),
        defer,
      }),
  };
}

type AppServices = ReturnType<typeof createAppServices>;

const appServicesByDatabase = new WeakMap<D1Database, AppServices>();

function appServicesOf(env: Env): AppServices {
  const known = appServicesByDatabase.get(env.DB);
  if (known) return known;
  const made = createAppServices(env);
  appServicesByDatabase.set(env.DB, made);
  return made;
}

/** The session of a page's request. */
export interface PageSession {
  /** Session of the logged-in account, or null. Reads D1 at most once a request, and never without a ticket. */
  current(): Promise<CurrentSession | null>;
  /**
   * Session of the logged-in account. Throws a redirect to /login, which leads back here, for an unauthenticated visitor, and a
   * redirect to the set-up of a second factor for an account that must do this first.
   * @param options.withoutFactor true on the pages on which the second factor is set up
   */
  require(options?: { readonly withoutFactor: boolean }): Promise<CurrentSession>;
  /** Sends the cookie of a new session with this response. */
  start(issued: IssuedSession): void;
  /** Ends the session. This response removes its cookie and the browser's stored data. */
  end(): Promise<void>;
  ticket(): string | null;
  /** The sealed cookie by which the log-in page recognizes this browser, or null. */
  knownBrowser(): string | null;
}

/** The visitor's cookies, and the counting of visit events. */
export interface PageVisitor {
  /** The event access cookie of this visitor, or null. */
  eventAccessCookie(eventId: Uuid): string | null;
  /** Sets the event access cookie with this response. It opens the pages and files of this event only. */
  setEventAccessCookie(eventId: Uuid, flag: string, maxAgeSeconds: number): void;
  /**
   * The visitor's cart of an event's store, from the cookie or from a handle (cartHandle) that the address carries where cookies do not work. Null
   * on cached pages.
   */
  storedCart(eventId: Uuid, handle?: string | null): KeptCart | null;
  /** Stores the cart in a cookie of this response; null removes the cookie. */
  storeCart(eventId: Uuid, cart: KeptCart | null): void;
  /** Counts a visit event of this visitor (decision 030). The response does not wait for it. On a cached page it is counted for each visitor who receives the page. */
  trackEvent(link: VisitorLink, thing: VisitThing): void;
}

/** The sender of a request. */
export interface PageClient {
  /** The network that failed guesses are counted against: see clientNetwork. */
  readonly ip: string;
  /** The visitor's country as the edge reports it: ISO 3166-1 alpha-2, or another code for places that are no country; null when unknown. */
  readonly country: string | null;
  /** The visitor's IP address for calls about a cart (Shopify-Storefront-Buyer-IP); null when unknown. */
  readonly buyerIp: string | null;
}

/** Readers of the posted form. Each throws a 400 response when the body is not such a form. */
export interface PostedForm {
  read(): Promise<FormData>;
  /** A form with a file. */
  readUpload(field: string, maxBytes: number): Promise<Upload>;
  /** A form with files of any size, read as it arrives. */
  readFiles(field: string): PostedFiles;
}

/** The page that responds to a request, and its headers. */
export interface PageResponse {
  readonly nonce: string;
  readonly requestId: string;
  /** True for a page that is cached: it must be complete, and the same for every visitor. */
  readonly buffered: boolean;
  /** True for an HTML document; false for the data that a loaded page fetches. */
  readonly isDocument: boolean;
  /** True for the response to a posted form. Loaders need it, because they always run with a GET request. */
  readonly posted: boolean;
  /** The HTTP status with which this request was rejected before routing, or null. */
  readonly rejectedStatus: number | null;
  /** Headers that the worker adds to the response. */
  readonly outgoing: Headers;
  /** Sends the language cookie with this response. */
  rememberLanguage(lang: Lang): void;
  /** The SDK key of a page with a showcase, or null. Call it only for such a page: the browser receives the key, and the CSP then allows the SDK's script. */
  showcaseKey(): string | null;
  /** True after showcaseKey was called. */
  readonly gaveShowcaseKey: boolean;
}

/** The installation's configuration for pages. */
export interface Site {
  /** The product's origin, without a slash at the end. Links that are shared or mailed begin with it. */
  readonly origin: string;
  readonly versionText: () => Promise<string>;
  readonly devReloadUrl: string | null;
  /** The mails of a developer's machine, readable only there; null anywhere else. */
  readonly mailbox: Mailbox | null;
  /** The definitions in /url_params.json. */
  readonly urlParams: UrlParamDefinitions;
  /** Hosts of local runs that are allowed as stores although they are not public. */
  readonly storeHosts: readonly string[];
}

/** The context of loaders and actions. */
export interface RequestContext {
  readonly services: Services;
  readonly lang: Lang;
  /** Epoch milliseconds, the same for the whole request. */
  readonly now: number;
  readonly session: PageSession;
  readonly visitor: PageVisitor;
  readonly client: PageClient;
  readonly form: PostedForm;
  readonly page: PageResponse;
  readonly site: Site;
  /** Seals texts that pages and URLs carry unreadably, for `lifeMs` milliseconds, and opens them: see security/seal-text. */
  readonly textSealer: {
    seal(about: string, text: string, lifeMs: number): string;
    open(about: string, value: string): string | null;
  };
  /** Returns the value of a service call, or its expected failure. */
  attempt<T>(work: Promise<T>): Promise<Attempt<T>>;
  /** Adds the text of a service's message, in the language of the request. */
  withText(words: ErrorMessage): FailureMessage;
  reportError(error: unknown): void;
}

/** Options for rendering a page. */
export interface PageOptions {
  /** See pageLanguage. Files have none. */
  readonly lang?: Lang;
  readonly nonce: string;
  readonly buffered: boolean;
  readonly rejectedStatus?: number | null;
  /** Receives the visit events that a cached page counts for each visitor who receives it. */
  readonly cachedVisitEvents?: VisitThing[];
}

type PageCache = RevalidatingCache<PageTemplate>;

/** One request, with what the isolate shares. */
export interface RequestScope {
  readonly env: Env;
  readonly config: Config;
  readonly events: EventCache;
  /** Visitors' pages by event, revision, language, mode and status. */
  readonly pages: PageCache;
  /** Visitors' shop pages, cached apart because their number is large: they evict only one another, not the events' pages. */
  readonly shopPages: PageCache;
  /** Pages with queries beyond the event itself, cached apart because their number is large: they evict only one another. */
  readonly queryPages: PageCache;
  /** Counts a page that is about to be rendered; false when its network had too many. On a developer's machine only networks that the request names are counted. */
  countRender(request: Request): Promise<boolean>;
  readonly cspReports: CspReportLog;
  readonly flags: EventAccessSigner;
  readonly metadata: FileMetadata;
  readonly mediaOrigin: string | null;
  /** The product's origin; null in development. */
  readonly appOrigin: string | null;
  readonly images: ImageResizer;
  readonly recentReads: RecentReads;
  /** True if the queue of visits is full. */
  readonly isVisitQueueFull: boolean;
  /** Serves an image of a store. */
  readonly serveStoreImage: AppServices["serveStorePicture"];
  /** The ticket of a request's session, which may have ended; null for visitors. */
  ticketOf(request: Request): string | null;
  readonly services: Services;
  /** Runs work that the response does not wait for. Failures are logged. */
  defer(work: Promise<unknown>): void;
  /** Counts a call of the API; false when its caller has made too many. There is no limit on a developer's machine. */
  countCall(caller: string): Promise<boolean>;
  readonly invalidTokenThrottle: InvalidTokenThrottle;
  /** The language and the error messages for callers that do not receive a page. */
  langFor(request: Request): Lang;
  messagesFor(request: Request): (words: ErrorMessage) => string;
  readonly now: number;
  readonly requestId: string;
  /** Counts a visit event, unless the browser only prefetched the page. */
  trackEvent(request: Request, link: VisitorLink, thing: VisitThing): void;
  pageContext(request: Request, page: PageOptions): RequestContext;
}

/** The language of a request, and whether its URL selects it. */
export function languageOf(request: Request, url = new URL(request.url)): { lang: Lang; chosen: boolean } {
  const param = url.searchParams.get(LANG_PARAM);
  return { lang: resolveLang(param, readCookie(request, LANG_COOKIE)), chosen: param !== null };
}

/** Finds the language of a rendered page: only by languageOf, not by Accept-Language (DESIGN §4). */
const pageLanguages = new RemixI18Next({
  detection: {
    supportedLanguages: [...LANGS],
    fallbackLanguage: DEFAULT_LANG,
    order: ["custom"],
    findLocale: async (request) => languageOf(request).lang,
  },
});

/** The language in which a page is rendered. */
export async function pageLanguage(request: Request): Promise<Lang> {
  const lang = await pageLanguages.getLocale(request);
  return isLang(lang) ? lang : DEFAULT_LANG;
}

/** The language of error messages for API callers: from the URL, the language cookie, Accept-Language, or English, in this order. */
function apiLanguageOf(request: Request): Lang {
  const { lang, chosen } = languageOf(request);
  if (chosen || readCookie(request, LANG_COOKIE) !== null) return lang;
  return acceptedLang(request.headers.get("accept-language")) ?? "en";
}

/** Remembers the language for a year. */
export const languageCookie = (lang: Lang, config: Config) =>
  cookieHeader(LANG_COOKIE, lang, { maxAge: 31_536_000, secure: !config.development, httpOnly: true });

/** @param requestOrigin the origin to which the request was sent; the clock has no request, and its mails lead to the configured one: in development to none */
export function createRequestScope(env: Env, ctx: ExecutionContext, requestOrigin = ""): RequestScope {
  const appServices = appServicesOf(env);
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
    queryPages: appServices.askedPages,
    countRender: async (request) =>
      (config.development && !request.headers.has("cf-connecting-ip")) ||
      appServices.renderLimit.admits(clientNetwork(request)),
    cspReports: appServices.cspReports,
    flags: appServices.flags,
    metadata: appServices.metadata,
    mediaOrigin: config.mediaOrigin,
    appOrigin: config.origin,
    images: appServices.images,
    recentReads: appServices.reads,
    serveStoreImage: appServices.serveStorePicture,
    get isVisitQueueFull() {
      return appServices.visits.isFull;
    },
    ticketOf: (request) => readSessionCookie(request, isSecure)?.ticket ?? null,
    defer: (work) =>
      ctx.waitUntil(
        work.catch((error) => logFailure("deferred work failed", error, { requestId: scope.requestId })),
      ),
    invalidTokenThrottle: appServices.floods,
    countCall: async (caller) => config.development || (await env.API_LIMIT.limit({ key: caller })).success,
    langFor: apiLanguageOf,
    messagesFor: (request) => errorMessage(apiLanguageOf(request)),
    now,
    // A cached page needs neither, and creating them takes longer than serving it.
    get services() {
      services ??= appServices.services(origin, scope.defer);
      return services;
    },
    get requestId() {
      requestId ??= crypto.randomUUID();
      return requestId;
    },
    trackEvent(request, link, thing) {
      // Prefetched pages (Sec-Purpose) and HEAD requests are not counted, because the visitor may never see them.
      const isAhead = /prefetch/.test(request.headers.get("sec-purpose") ?? "");
      if (isAhead || request.method === "HEAD") return;
      const source = visitSource(request, scope.ticketOf);
      const from = referringHost(request.headers.get("referer") ?? "", new URL(request.url).hostname);
      scope.defer(scope.services.visits.trackEvent({ link, thing, from, source }));
    },
    pageContext(request, { lang = DEFAULT_LANG, nonce, buffered, rejectedStatus = null, cachedVisitEvents }) {
      const { chosen: asked } = languageOf(request);
      // An owner's preview frame in the other language must not change the owner's language.
      const chosen = asked && pageKind(new URL(request.url).pathname) !== "framed";
      const outgoing = new Headers();
      if (chosen) outgoing.append("set-cookie", languageCookie(lang, config));
      const sessionCookie = readSessionCookie(request, isSecure);
      const ticket = () => sessionCookie?.ticket ?? null;
      const ip = clientNetwork(request);
      const setCookie = (fresh: string, maxAge: number) => {
        for (const header of sessionCookieHeaders(request, { ticket: fresh, maxAge, secure: isSecure }))
          outgoing.append("set-cookie", header);
      };
      const dropCookie = () => setCookie("", 0);
      const authenticateSession = async () => {
        const found = await scope.services.sessions.authenticate({
          ticket: ticket(),
          ip,
          isOldCookie: sessionCookie?.isOldCookie,
        });
        // A session from before decision 042 gets the cookie's current name.
        if (found && sessionCookie?.isOldCookie)
          setCookie(sessionCookie.ticket, secondsUntil(found.expiresAt));
        return found;
      };
      const secondsUntil = (instant: string) => Math.floor((Date.parse(instant) - now) / 1000);
      let session: Promise<CurrentSession | null> | undefined;
      let gaveShowcaseKey = false;
      const withText = (words: ErrorMessage): FailureMessage => ({
        ...words,
        text: errorMessage(lang)(words),
      });
      const currentSession = () => {
        session ??= buffered ? Promise.resolve(null) : authenticateSession();
        return session;
      };
      return {
        services: withHttpErrors(scope.services),
        lang,
        now,
        session: {
          current: currentSession,
          async require(options) {
            const found = await currentSession();
            if (found?.mustSetUpFactor && !options?.withoutFactor)
              throw new Response(null, {
                status: 302,
                headers: { location: secondFactorPath(request.method === "GET" ? pagePathOf(request) : "") },
              });
            if (found) return found;
            if (ticket() !== null) dropCookie();
            throw new Response(null, { status: 302, headers: { location: loginPath(pagePathOf(request)) } });
          },
          start(issued) {
            const { ticket: fresh, user, expiresAt } = issued;
            // If this browser has no language cookie, the account's language applies.
            if (!chosen && readCookie(request, LANG_COOKIE) === null)
              outgoing.append("set-cookie", languageCookie(user.language, config));
            setCookie(fresh, secondsUntil(expiresAt));
            const browserCookie = browserCookieName(isSecure);
            for (const path of issued.browser ? LOGIN_PATHS : [])
              outgoing.append(
                "set-cookie",
                cookieHeader(browserCookie, issued.browser ?? "", {
                  maxAge: BROWSER_SECONDS,
                  secure: isSecure,
                  path,
                }),
              );
          },
          async end() {
            await scope.services.sessions.logOut({ ticket: ticket(), ip });
            dropCookie();
            // Files in the browser's upload tray belong to the account that logs out.
            outgoing.append("clear-site-data", '"storage"');
          },
          ticket,
          // The value is sealed for its account, so an attacker who sets the cookie of the old name gains nothing.
          knownBrowser: () =>
            readCookie(request, browserCookieName(isSecure)) ?? readCookie(request, OLD_BROWSER_COOKIE),
        },
        visitor: {
          eventAccessCookie: (eventId) => readCookie(request, eventAccessCookieName(eventId)),
          setEventAccessCookie(eventId, flag, maxAge) {
            outgoing.append("set-cookie", formatEventAccessCookie(eventId, flag, maxAge, isSecure));
          },
          storedCart(eventId, handle = null) {
            if (buffered) return null;
            const kept = readCartCookie(request, eventId);
            const id = kept ? null : cartIdOf(handle);
            return id === null ? kept : { id, quantity: null };
          },
          storeCart: (eventId, cart) => outgoing.append("set-cookie", cartCookie(eventId, cart, isSecure)),
          trackEvent(link, thing) {
            if (buffered) cachedVisitEvents?.push(thing);
            else scope.trackEvent(request, link, thing);
          },
        },
        client: {
          ip,
          country: countryOf(request),
          buyerIp: request.headers.get("cf-connecting-ip"),
        },
        form: {
          read: () => readForm(request),
          readUpload: (field, maxBytes) => readUpload(request, field, maxBytes),
          readFiles: (field) => readFiles(request, field),
        },
        page: {
          nonce,
          requestId: scope.requestId,
          buffered,
          isDocument: !new URL(request.url).pathname.endsWith(".data"),
          posted: request.method === "POST",
          rejectedStatus,
          outgoing,
          rememberLanguage: (chosenLang) => outgoing.append("set-cookie", languageCookie(chosenLang, config)),
          showcaseKey() {
            gaveShowcaseKey = true;
            return config.showcaseKey;
          },
          get gaveShowcaseKey() {
            return gaveShowcaseKey;
          },
        },
        site: {
          origin,
          versionText: appServices.versionText,
          devReloadUrl: config.devReloadUrl,
          mailbox: isLocalHostname(new URL(request.url).hostname) ? appServices.mailbox : null,
          urlParams: urlParams as UrlParamDefinitions,
          storeHosts: config.storeHosts,
        },
        textSealer: {
          seal: (about, text, lifeMs) => sealText(config.sessionSecret, about, text, now + lifeMs),
          open: (about, value) => openText(config.sessionSecret, about, value, now),
        },
        attempt: (work) => attempt(work, withText),
        withText,
        reportError(error) {
          log("error", "unexpected", {
            requestId: scope.requestId,
            path: new URL(request.url).pathname,
            ...errorFields(error),
          });
        },
      };
    },
  };
  // No isolate can do anything between requests.
  appServices.forgetVisitors(scope.defer);
  return scope;
}

/** The visitor's country as Cloudflare reports it. */
function countryOf(request: Request): string | null {
  const { country } = (request as Request<unknown, IncomingRequestCfProperties>).cf ?? {};
  return typeof country === "string" ? country : null;
}

/** The path and query of the requested page, without the parameter that the router adds to data requests. */
function pagePathOf(request: Request): string {
  const { pathname, searchParams } = new URL(request.url);
  searchParams.delete("_routes");
  const query = searchParams.size > 0 ? `?${searchParams}` : "";
  return pathname.replace(/\.data$/, "") + query;
}
