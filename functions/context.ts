/**
 * The composition root: the one place where bindings become services. Everything that lives as long as the isolate is made
 * once a binding set; everything else once a request.
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
import { eventForReceivers } from "./api/webhooks/webhook-event";
import { type EventCache, eventCache } from "./cache/event-cache";
import { RevalidatingCache } from "./cache/revalidating-cache";
import { SingleFlight } from "./cache/single-flight";
import { repositories } from "./data/shared/repositories";
import { lazyModule } from "./load-module";
import { copyEnding } from "./mail/copy-ending";
import { errorWords } from "./mail/error-words";
import { SENDER_NAME, writeLetter } from "./mail/letters";
import { type FileMetadata, fileMetadata, visitorFileStore } from "./media/file-metadata";
import { r2FileStore } from "./media/file-store";
import { fisheyeCheck } from "./media/fisheye-pictures";
import { webLookup } from "./media/oembed";
import { r2PictureStore } from "./media/picture-store";
import { imagesTool, localTool } from "./media/picture-tools";
import { Pictures } from "./media/pictures";
import { type RecentReads, recentReads } from "./media/recent-reads";
import { r2SaltStore } from "./media/salt-store";
import { mediaSigner } from "./media/signer";
import { r2UploadStore } from "./media/upload-store";
import { type Attempt, attempt, type FailureWords, pageDoor } from "./platform/attempt";
import { shardedPasswords, shardPath } from "./platform/common-passwords";
import { type Config, type Env, readConfig } from "./platform/config";
import {
  cartCookie,
  cookieHeader,
  passwordFlagCookie,
  passwordFlagName,
  readCartCookie,
  readCookie,
  signPasswordFlag,
  verifyPasswordFlag,
} from "./platform/cookies";
import { pageKind } from "./platform/csp";
import { CspReportLog } from "./platform/csp-report";
import { Floods } from "./platform/floods";
import { Gather } from "./platform/gather";
import { GuessLimit } from "./platform/guess-limit";
import { hashWithSecret } from "./platform/keyed-hash";
import { lock, unlock } from "./platform/lock";
import { errorFields, log, logFailure } from "./platform/log";
import { type Mailbox, mailboxOf, mailer } from "./platform/mail";
import type { PageTemplate } from "./platform/page-template";
import { passwordHasher } from "./platform/password";
import { hashNetwork, isOwnName, placeOf } from "./platform/place";
import { type PublicFetchDeps, publicFetch, resolveHost } from "./platform/public-fetch";
import { idSource } from "./platform/random";
import { readAnswer } from "./platform/read-body";
import { type PostedFiles, readFiles } from "./platform/read-files";
import { readForm } from "./platform/read-form";
import { readUpload, type Upload } from "./platform/read-upload";
import { receiverSender } from "./platform/receiver";
import { RenderLimit } from "./platform/render-limit";
import { readSessionCookie, sessionCookieHeaders } from "./platform/session-cookie";
import { builtVersion } from "./platform/version";
import { visitSource } from "./platform/visit-door";
import { FloodGate, hashVisitor, Salts } from "./platform/visitors";
import { createServices, type Services } from "./services";
import type { ZoneDay } from "./services/analytics/visit-ports";
import { writeVisits } from "./services/analytics/visits";
import type { FailedLogInLine } from "./services/auth/failed-log-ins";
import { GuessMemory } from "./services/auth/log-in-limits";
import type { CurrentSession, IssuedSession } from "./services/auth/sessions";
import { checkTimeOf } from "./services/library/upload-checks";
import type { ErrorWords } from "./services/shared/errors";
import type { PasswordFlags } from "./services/shared/ports";
import type { LimitedWork } from "./services/shared/work-limit";
import type { StoreStatusRepository } from "./services/store/shop-ports";
import type { VisitorLink } from "./services/visitors/visitors";
import { CircuitBreaker } from "./storefront/circuit-breaker";
import { createStoreClient, StoreClients } from "./storefront/client";
import { edgeAnswers, KeptAnswers, STORE_PATIENCE_MS } from "./storefront/kept";
import { isStoreAddress, picturePath, serveStorePicture } from "./storefront/pictures";
import { StoreReports } from "./storefront/store-reports";
import { createStorefront } from "./storefront/storefront";

const clock = { now: () => Date.now() };
// Every visit waits a moment to be written: the platform's own timer costs a fraction of Node's, which setTimeout is here.
const sleep = (ms: number) => scheduler.wait(ms);
/** Where forms are posted with which one logs in, without scripts and with them: no path of a cookie is both (RFC 6265 §5.1.4). */
const LOGIN_PATHS = ["/login", "/login.data"];
/** Events whose record an isolate keeps. A record with 500 tags is well below 1 MB. */
const KEPT_EVENTS = 100;
/** Bytes of rendered pages that an isolate keeps, of the 128 MB that it has. */
const KEPT_PAGES = 32 * 1024 * 1024;
/** The same for pages of shops. */
const KEPT_SHOP_PAGES = 8 * 1024 * 1024;
/** The same for searches, dialogs, posters, linked tags and further pages of lists. */
const KEPT_ASKED_PAGES = 8 * 1024 * 1024;
/** How long visitors wait for a page that another request renders, in milliseconds, before one of them renders it again. */
const RENDER_PATIENCE_MS = 10_000;

const packageArchive = lazyModule("package-archive", () => import("./media/package-archive"));
const csvCodec = lazyModule("csv", async () => (await import("./platform/csv")).csvCodec);
const passkeyVerifier = lazyModule(
  "webauthn",
  async () => (await import("./platform/webauthn")).passkeyVerifier,
);

function makeHouse(env: Env) {
  const config = readConfig(env);
  const data = repositories(env.DB);
  const limiter = new GuessLimit(
    { subject: env.GUESS_LIMIT, place: env.PLACE_LIMIT, event: env.EVENT_LIMIT },
    clock.now,
    ({ what, outcome, account, before }) => log("warn", `guess ${outcome}`, { what, account, before }),
  );
  const flags: PasswordFlags = {
    sign: (eventId, version, expires) => signPasswordFlag(config.sessionSecret, eventId, version, expires),
    verify: (eventId, version, value, now) =>
      verifyPasswordFlag(config.sessionSecret, eventId, version, value, now),
  };
  const events = eventCache(data.visitors, { now: clock.now, sleep, maxEntries: KEPT_EVENTS });
  const saltStore = r2SaltStore(env.FILES);
  const salts = new Salts(saltStore, clock.now);
  const visitGate = new FloodGate(env.VISIT_LIMIT, clock.now);
  const visits = new Gather<VisitSign>({
    write: (signs) => writeVisits(data, signs),
    now: clock.now,
    sleep,
    onError: (error, signs, isOver) =>
      log(isOver ? "error" : "warn", "visits not written", { signs, isOver, ...errorFields(error) }),
  });
  const metadata = fileMetadata({ records: data.storedFiles, bucket: env.FILES, now: clock.now });
  const mailbox = config.development && env.MAILBOX ? mailboxOf(env.MAILBOX) : null;
  const shared = {
    ...data,
    mailer: mailer({ binding: env.MAIL, from: { email: config.mailFrom, name: SENDER_NAME }, mailbox }),
    writeLetter,
    copyEnding,
    hasher: passwordHasher(config.passwordCost),
    limiter,
    guessMemory: new GuessMemory(),
    hashWithSecret: (about: string, text: string) => hashWithSecret(config.sessionSecret, about, text),
    commonPasswords: shardedPasswords((shard) => readAsset(env, shardPath(shard))),
    flags,
    mediaSigner: mediaSigner(config.sessionSecret),
    verifier: passkeyVerifier,
    clock,
    ids: idSource,
    hashNetwork: (place: string) => hashNetwork(config.sessionSecret, place),
    logFailedLogIn: (line: FailedLogInLine) => log("warn", "log-in failed", { ...line }),
    logFailedProof: (line: { account: Uuid; network: string | null }) =>
      log("warn", "own password wrong", line),
    csv: csvCodec,
    files: r2FileStore(env.FILES, metadata.forget),
    pictures: r2PictureStore(env.FILES),
    webLookup: webLookup({ fetch: fetchOutside(config), readAnswer, now: clock.now }),
    uploadStore: r2UploadStore(env.FILES, {
      record: (fileKey, byteSize) =>
        metadata.record(fileKey, byteSize, checkTimeOf(config.uploadVerdict, fileKey, clock.now())),
      forget: metadata.forget,
    }),
    archives: async () => (await packageArchive()).packageArchives(env.FILES),
    sendToReceiver: receiverSender({ fetch: fetchOutside(config) }),
    uploadVerdict: config.uploadVerdict,
    describeEvent: eventForReceivers,
    textLock: {
      lock: (about: string, text: string, expires: number) =>
        lock(config.sessionSecret, about, text, expires),
      unlock: (about: string, value: string, now: number) => unlock(config.sessionSecret, about, value, now),
    },
    requiresSecondFactor: config.requiresSecondFactor,
    onEventChanged: (id: Uuid) => events.drop(id),
    readRecord: (id: Uuid) => events.get(id),
    workLimiter: {
      take: async (work: LimitedWork, ownerId: Uuid) =>
        (await { copy: env.COPY_LIMIT, import: env.IMPORT_LIMIT }[work].limit({ key: ownerId })).success,
    },
    visitGate,
    salts: saltStore,
    saltOf: (day: ZoneDay) => salts.of(day),
    hashVisitor,
    gather: (sign: VisitSign) => visits.add(sign),
  };
  const files = visitorFileStore(shared.files, metadata.overwritesOf);
  const storefront = storefrontFor(config, data.storeResponses);
  const tool = config.development && env.PICTURES ? localTool(env.PICTURES) : imagesTool(env.IMAGES);
  const open = async (key: string) => (await files.get(key))?.body ?? null;
  const isFisheye = fisheyeCheck({
    tool,
    open,
    onError: (key, error) => log("warn", "panorama not looked at", { key, ...errorFields(error) }),
  });
  const pictures = new Pictures({
    tool,
    open,
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
    pictures,
    visits,
    /** Forgets who came on days and in minutes that are over. */
    forgetVisitors(defer: (work: Promise<unknown>) => void) {
      visitGate.forget();
      const forgotten = salts.forget();
      if (forgotten) defer(forgotten);
    },
    reads: recentReads(clock.now),
    floods: new Floods(clock.now),
    pages: pageCache(KEPT_PAGES),
    shopPages: pageCache(KEPT_SHOP_PAGES),
    askedPages: pageCache(KEPT_ASKED_PAGES),
    renderLimit: new RenderLimit(env.PAGE_LIMIT, clock.now),
    cspReports: new CspReportLog(clock.now, (violation) => log("warn", "csp violation", { ...violation })),
    flags,
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

const pageCache = (maxSize: number) =>
  new RevalidatingCache<PageTemplate>({
    now: clock.now,
    sleep,
    patienceMs: RENDER_PATIENCE_MS,
    maxSize,
    sizeOf: ({ bytes }) => bytes.length,
  });

/** The way to addresses that people type. On a developer's machine the proxy checks them (scripts/lib/network.ts), and DNS is out of reach. */
const fetchOutside = ({ development }: Config): PublicFetchDeps["fetch"] =>
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
function storefrontFor(config: Config, repository: StoreStatusRepository) {
  const { sessionSecret, isAllowedStoreHost } = config;
  const random = () => Math.random();
  const send = { fetch: fetchOutside(config), now: clock.now, sleep, random };
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
  const kept = new KeptAnswers({
    store: edgeAnswers(() => caches.open("storefront")),
    now: clock.now,
    once: (key, look, work) => flights.run(key, look, work),
  });
  const addresses = {
    picture: (address: string) => picturePath(sessionSecret, address, isAllowedStoreHost),
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
        kept,
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
      serveStorePicture(request, {
        secret: sessionSecret,
        fetch: send.fetch,
        readAnswer,
        isAllowedHost: isAllowedStoreHost,
        cache: () => caches.open("storefront"),
        defer,
      }),
  };
}

type House = ReturnType<typeof makeHouse>;

const houses = new WeakMap<D1Database, House>();

function houseOf(env: Env): House {
  const known = houses.get(env.DB);
  if (known) return known;
  const made = makeHouse(env);
  houses.set(env.DB, made);
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
  /** The flag that this visitor was given for an event, or null. */
  passwordFlag(eventId: Uuid): string | null;
  /** Sends the flag with this response; it opens that event's pages and files and no other's. */
  keepPasswordFlag(eventId: Uuid, flag: string, maxAgeSeconds: number): void;
  /**
   * The visitor's cart of an event's store: of its cookie, or of a handle (cartHandle) that the address carries where no cookie comes back.
   * Not on pages that are kept for all.
   */
  keptCart(eventId: Uuid, handle?: string | null): KeptCart | null;
  /** Stores the cart in a cookie of this response; null removes the cookie. */
  keepCart(eventId: Uuid, cart: KeptCart | null): void;
  /** Counts a visit event of this visitor (decision 030). The response does not wait for it. On a cached page it is counted for each visitor who receives the page. */
  countAct(link: VisitorLink, thing: VisitThing): void;
}

/** The sender of a request. */
export interface PageClient {
  /** The network that failed guesses are counted against: see placeOf. */
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
export interface PageAnswer {
  readonly nonce: string;
  readonly requestId: string;
  /** True for a page that is cached: it must be complete, and the same for every visitor. */
  readonly buffered: boolean;
  /** True for an HTML document; false for the data that a loaded page fetches. */
  readonly isDocument: boolean;
  /** True for the response to a posted form. Loaders need it, because they always run with a GET request. */
  readonly posted: boolean;
  /** The HTTP status with which this request was rejected before routing, or null. */
  readonly refused: number | null;
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
  readonly page: PageAnswer;
  readonly site: Site;
  /** Seals texts that pages and URLs carry unreadably, for `lifeMs` milliseconds, and opens them: see platform/lock. */
  readonly textLock: {
    lock(about: string, text: string, lifeMs: number): string;
    unlock(about: string, value: string): string | null;
  };
  /** Returns the value of a service call, or its expected failure. */
  attempt<T>(work: Promise<T>): Promise<Attempt<T>>;
  /** Adds the text of a service's message, in the language of the request. */
  withText(words: ErrorWords): FailureWords;
  reportError(error: unknown): void;
}

/** How a page is to be rendered. */
export interface PageOptions {
  /** See pageLanguage. Files have none. */
  readonly lang?: Lang;
  readonly nonce: string;
  readonly buffered: boolean;
  readonly refused?: number | null;
  /** Takes what whoever gets a page that is kept looks at by that. */
  readonly shown?: VisitThing[];
}

type PageCache = RevalidatingCache<PageTemplate>;

/** One request, with what the isolate shares. */
export interface Edge {
  readonly env: Env;
  readonly config: Config;
  readonly events: EventCache;
  /** Visitors' pages by event, revision, language, mode and status. */
  readonly pages: PageCache;
  /** The same of their shops, where there are as many as there are choices: they push out one another and not the events'. */
  readonly shopPages: PageCache;
  /** Pages that an address asks more of than the event: they are many, and push out one another alone. */
  readonly askedPages: PageCache;
  /** Counts a page that is about to be rendered; false when its network had too many. On a developer's machine only networks that the request names are counted. */
  countRender(request: Request): Promise<boolean>;
  readonly cspReports: CspReportLog;
  readonly flags: PasswordFlags;
  readonly metadata: FileMetadata;
  readonly mediaOrigin: string | null;
  /** Where the product's pages are; null in development. */
  readonly appOrigin: string | null;
  readonly pictures: Pictures;
  readonly reads: RecentReads;
  /** Whether no more visits can be held just now. */
  readonly visitsAreFull: boolean;
  /** Answers a request for a picture of a store. */
  readonly serveStorePicture: House["serveStorePicture"];
  /** The ticket of a request's session, which may have ended; null for visitors. */
  ticketOf(request: Request): string | null;
  readonly services: Services;
  /** Work that the answer does not wait for; the log tells when it fails. */
  defer(work: Promise<unknown>): void;
  /** Counts a call of the API; false when its caller has made too many. On a developer's machine nobody makes too many. */
  countCall(caller: string): Promise<boolean>;
  readonly floods: Floods;
  /** The language of callers whom no page tells what went wrong, and the words in it. */
  langFor(request: Request): Lang;
  wordsFor(request: Request): (words: ErrorWords) => string;
  readonly now: number;
  readonly requestId: string;
  /** Counts what a visitor has just done, unless a browser asked for it ahead. */
  countAct(request: Request, link: VisitorLink, thing: VisitThing): void;
  pageContext(request: Request, page: PageOptions): RequestContext;
}

/** The language of a request and whether its address asked for it. */
export function languageOf(request: Request, url = new URL(request.url)): { lang: Lang; chosen: boolean } {
  const param = url.searchParams.get(LANG_PARAM);
  return { lang: resolveLang(param, readCookie(request, LANG_COOKIE)), chosen: param !== null };
}

/** Finds the language of a page that is rendered: by languageOf alone, whatever the browser accepts (DESIGN §4). */
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

/** The language in which a caller of the API is told what went wrong: that of the address, that which the browser remembers, that of Accept-Language, English. */
function apiLanguageOf(request: Request): Lang {
  const { lang, chosen } = languageOf(request);
  if (chosen || readCookie(request, LANG_COOKIE) !== null) return lang;
  return acceptedLang(request.headers.get("accept-language")) ?? "en";
}

/** Remembers the language for a year. */
export const languageCookie = (lang: Lang, config: Config) =>
  cookieHeader(LANG_COOKIE, lang, { maxAge: 31_536_000, secure: !config.development, httpOnly: true });

/** @param asked the origin to which the request was sent; the clock has no request, and its mails lead to the configured one: in development to none */
export function edgeFor(env: Env, ctx: ExecutionContext, asked = ""): Edge {
  const house = houseOf(env);
  const { config } = house;
  const now = clock.now();
  const secure = !config.development;
  const origin = config.origin ?? asked;
  let services: Services | undefined;
  let requestId: string | undefined;

  const edge: Edge = {
    env,
    config,
    events: house.events,
    pages: house.pages,
    shopPages: house.shopPages,
    askedPages: house.askedPages,
    countRender: async (request) =>
      (config.development && !request.headers.has("cf-connecting-ip")) ||
      house.renderLimit.admits(placeOf(request)),
    cspReports: house.cspReports,
    flags: house.flags,
    metadata: house.metadata,
    mediaOrigin: config.mediaOrigin,
    appOrigin: config.origin,
    pictures: house.pictures,
    reads: house.reads,
    serveStorePicture: house.serveStorePicture,
    get visitsAreFull() {
      return house.visits.isFull;
    },
    ticketOf: (request) => readSessionCookie(request, secure)?.ticket ?? null,
    defer: (work) =>
      ctx.waitUntil(
        work.catch((error) => logFailure("deferred work failed", error, { requestId: edge.requestId })),
      ),
    floods: house.floods,
    countCall: async (caller) => config.development || (await env.API_LIMIT.limit({ key: caller })).success,
    langFor: apiLanguageOf,
    wordsFor: (request) => errorWords(apiLanguageOf(request)),
    now,
    // A kept page needs neither, and making them takes longer than serving it.
    get services() {
      services ??= house.services(origin, edge.defer);
      return services;
    },
    get requestId() {
      requestId ??= crypto.randomUUID();
      return requestId;
    },
    countAct(request, link, thing) {
      // Whether anybody sees what was fetched ahead (Sec-Purpose), or asked about (HEAD), nobody knows.
      const isAhead = /prefetch/.test(request.headers.get("sec-purpose") ?? "");
      if (isAhead || request.method === "HEAD") return;
      const source = visitSource(request, edge.ticketOf);
      const from = referringHost(request.headers.get("referer") ?? "", new URL(request.url).hostname);
      edge.defer(edge.services.visits.logAct({ link, thing, from, source }));
    },
    pageContext(request, { lang = DEFAULT_LANG, nonce, buffered, refused = null, shown }) {
      const { chosen: asked } = languageOf(request);
      // An owner who looks at the other language in a frame keeps his own.
      const chosen = asked && pageKind(new URL(request.url).pathname) !== "framed";
      const outgoing = new Headers();
      if (chosen) outgoing.append("set-cookie", languageCookie(lang, config));
      const held = readSessionCookie(request, secure);
      const ticket = () => held?.ticket ?? null;
      const ip = placeOf(request);
      const setCookie = (fresh: string, maxAge: number) => {
        for (const header of sessionCookieHeaders(request, { ticket: fresh, maxAge, secure }))
          outgoing.append("set-cookie", header);
      };
      const dropCookie = () => setCookie("", 0);
      const authenticate = async () => {
        const found = await edge.services.sessions.authenticate({
          ticket: ticket(),
          ip,
          isOldCookie: held?.isOldCookie,
        });
        // A session of before decision 042 goes on under the cookie's present name.
        if (found && held?.isOldCookie) setCookie(held.ticket, secondsUntil(found.expiresAt));
        return found;
      };
      const secondsUntil = (instant: string) => Math.floor((Date.parse(instant) - now) / 1000);
      let session: Promise<CurrentSession | null> | undefined;
      let gaveShowcaseKey = false;
      const withText = (words: ErrorWords): FailureWords => ({ ...words, text: errorWords(lang)(words) });
      const currentSession = () => {
        session ??= buffered ? Promise.resolve(null) : authenticate();
        return session;
      };
      return {
        services: pageDoor(edge.services),
        lang,
        now,
        session: {
          current: currentSession,
          async require(options) {
            const found = await currentSession();
            if (found?.mustSetUpFactor && !options?.withoutFactor)
              throw new Response(null, {
                status: 302,
                headers: { location: secondFactorPath(request.method === "GET" ? pagePath(request) : "") },
              });
            if (found) return found;
            if (ticket() !== null) dropCookie();
            throw new Response(null, { status: 302, headers: { location: loginPath(pagePath(request)) } });
          },
          start(issued) {
            const { ticket: fresh, user, expiresAt } = issued;
            // Without a choice in this browser, the account's language applies.
            if (!chosen && readCookie(request, LANG_COOKIE) === null)
              outgoing.append("set-cookie", languageCookie(user.language, config));
            setCookie(fresh, secondsUntil(expiresAt));
            const browserCookie = browserCookieName(secure);
            for (const path of issued.browser ? LOGIN_PATHS : [])
              outgoing.append(
                "set-cookie",
                cookieHeader(browserCookie, issued.browser ?? "", { maxAge: BROWSER_SECONDS, secure, path }),
              );
          },
          async end() {
            await edge.services.sessions.logOut({ ticket: ticket(), ip });
            dropCookie();
            // Files that wait in the browser for their upload belong to the account that logs out.
            outgoing.append("clear-site-data", '"storage"');
          },
          ticket,
          // The value is sealed for its account, so an attacker who sets the cookie of the old name gains nothing.
          knownBrowser: () =>
            readCookie(request, browserCookieName(secure)) ?? readCookie(request, OLD_BROWSER_COOKIE),
        },
        visitor: {
          passwordFlag: (eventId) => readCookie(request, passwordFlagName(eventId)),
          keepPasswordFlag(eventId, flag, maxAge) {
            outgoing.append("set-cookie", passwordFlagCookie(eventId, flag, maxAge, secure));
          },
          keptCart(eventId, handle = null) {
            if (buffered) return null;
            const kept = readCartCookie(request, eventId);
            const id = kept ? null : cartIdOf(handle);
            return id === null ? kept : { id, quantity: null };
          },
          keepCart: (eventId, cart) => outgoing.append("set-cookie", cartCookie(eventId, cart, secure)),
          countAct(link, thing) {
            if (buffered) shown?.push(thing);
            else edge.countAct(request, link, thing);
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
          requestId: edge.requestId,
          buffered,
          isDocument: !new URL(request.url).pathname.endsWith(".data"),
          posted: request.method === "POST",
          refused,
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
          versionText: house.versionText,
          devReloadUrl: config.devReloadUrl,
          mailbox: isOwnName(new URL(request.url).hostname) ? house.mailbox : null,
          urlParams: urlParams as UrlParamDefinitions,
          storeHosts: config.storeHosts,
        },
        textLock: {
          lock: (about, text, lifeMs) => lock(config.sessionSecret, about, text, now + lifeMs),
          unlock: (about, value) => unlock(config.sessionSecret, about, value, now),
        },
        attempt: (work) => attempt(work, withText),
        withText,
        reportError(error) {
          log("error", "unexpected", {
            requestId: edge.requestId,
            path: new URL(request.url).pathname,
            ...errorFields(error),
          });
        },
      };
    },
  };
  // No isolate can do anything between requests.
  house.forgetVisitors(edge.defer);
  return edge;
}

/** What the edge says of where a request comes from. */
function countryOf(request: Request): string | null {
  const { country } = (request as Request<unknown, IncomingRequestCfProperties>).cf ?? {};
  return typeof country === "string" ? country : null;
}

/** The path and query of the page that a request is for, without what the router adds when it asks for data alone. */
function pagePath(request: Request): string {
  const { pathname, searchParams } = new URL(request.url);
  searchParams.delete("_routes");
  const query = searchParams.size > 0 ? `?${searchParams}` : "";
  return pathname.replace(/\.data$/, "") + query;
}
