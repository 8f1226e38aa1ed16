/**
 * The composition root: the one place where bindings become services. Objects that live as long as the isolate are created once per set of bindings,
 * all others once per request.
 */
import type { Uuid } from "~/domain/shared/model";
import { StoreFailure } from "~/domain/store/store-failure";
import { storeTokens } from "~/domain/store/store-token";
import { readStoreUrl } from "~/domain/store/store-url";
import { webhookEventJson } from "./api/webhooks/webhook-event-json";
import { eventCache } from "./cache/event-cache";
import { RevalidatingCache } from "./cache/revalidating-cache";
import { SingleFlight } from "./cache/single-flight";
import { repositories } from "./data/shared/repositories";
import { type Config, type Env, readConfig } from "./http/config";
import { signEventAccess, verifyEventAccess } from "./http/cookies";
import { CspReportLog } from "./http/csp-report";
import { errorFields, LimitedLog, log } from "./http/log";
import { createMailbox, createMailer } from "./http/mailer";
import type { PageTemplate } from "./http/pages/page-template";
import { readResponse } from "./http/read-body";
import { builtVersion } from "./http/version";
import { createWebhookSender } from "./http/webhook-sender";
import { lazyModule } from "./load-module";
import { copySuffix } from "./mail/copy-suffix";
import { emailTemplate, SENDER_NAME } from "./mail/email-template";
import { fileMetadata, visitorFileStore } from "./media/file-metadata";
import { r2FileStore } from "./media/file-store";
import { createFisheyeDetector } from "./media/images/fisheye-detector";
import { cloudflareImageConverter, localImageConverter } from "./media/images/image-converter";
import { ImageResizer } from "./media/images/image-resizer";
import { r2ImageStore } from "./media/images/image-store";
import { createMediaSigner } from "./media/media-signer";
import { oembedLookup } from "./media/oembed";
import { createRecentReads } from "./media/recent-reads";
import { r2SaltStore } from "./media/salt-store";
import { r2UploadStore } from "./media/upload-store";
import { RoomCaller } from "./rooms/room-caller";
import { r2VisitArchives } from "./rooms/visit-archive";
import { ATTEMPT_LIMITS, AttemptLimiter } from "./security/attempt-limiter";
import { hashNetwork } from "./security/client-network";
import { shardedPasswords, shardPath } from "./security/common-passwords";
import { DailySalts, hashVisitor } from "./security/daily-salts";
import { hashWithSecret } from "./security/hash-with-secret";
import { INVALID_TOKENS_MAX, InvalidTokenThrottle } from "./security/invalid-token-throttle";
import { passwordHasher } from "./security/password";
import { type PublicFetchDeps, publicFetch, resolveHost } from "./security/public-fetch";
import { idSource } from "./security/random";
import { NETWORK_RENDERS, RenderLimit } from "./security/render-limit";
import { openText, sealText } from "./security/seal-text";
import { SharedLimit, type SharedLimitOptions } from "./security/shared-limit";
import { NETWORK_VISITS, VisitRateLimiter } from "./security/visit-rate-limiter";
import { createServices } from "./services";
import { toVisitCountingRecord, type VisitCountingRecord } from "./services/analytics/visit-counting-record";
import type { ZoneDay } from "./services/analytics/visit-ports";
import type { FailedLogInLine } from "./services/auth/failed-log-ins";
import { UnwrittenAttempts } from "./services/auth/log-in-limits";
import { getFirstCheckTime } from "./services/library/upload-checks";
import type { LimitedWork } from "./services/shared/work-limit";
import type { StoreStatusRepository } from "./services/store/shop-ports";
import type { EventAccessSigner, EventRecord } from "./services/visitors/visitor-ports";
import { CircuitBreaker } from "./storefront/circuit-breaker";
import { createStoreClient, StoreClients } from "./storefront/client";
import { isStoreUrl, serveStoreImage, storeImagePath } from "./storefront/store-images";
import { StoreReports } from "./storefront/store-reports";
import { createStorefront } from "./storefront/storefront";
import { edgeResponseStore, STORE_QUERY_WAIT_MS, StorefrontCache } from "./storefront/storefront-cache";

/** The clock of the isolate. */
export const clock = { now: () => Date.now() };
// Every visit needs a timer while its batch is collected. scheduler.wait costs much less than Node's setTimeout, which is the global one here.
const sleep = (ms: number) => scheduler.wait(ms);
/** Time for which an isolate uses a network's counts of renders and visits before it asks the shared limit again, in milliseconds. */
const LIMIT_FRESH_MS = 1_000;
/** Bytes of event records that an isolate caches. A record with 500 tags is well below 1 MB, and most have a few kilobytes. */
const CACHED_EVENT_BYTES = 24 * 1024 * 1024;
/** Bytes of visit-counting records (what counting a visit needs of an event) that an isolate caches for events whose whole record it does not have. The demo's largest event takes 8 KB, and most take less than 2 KB. */
const CACHED_VISIT_COUNTING_BYTES = 8 * 1024 * 1024;
/** Bytes of rendered pages that an isolate caches, of its 128 MB. */
const CACHED_PAGE_BYTES = 32 * 1024 * 1024;
/** Bytes of rendered pages with prices, of shops and of events with products, that an isolate caches. */
const CACHED_SHOP_PAGE_BYTES = 8 * 1024 * 1024;
/** Bytes of rendered searches, dialogs, posters (still images in place of the 3D view), linked tags, further pages of lists and pages of rejected requests that an isolate caches. */
const CACHED_QUERY_PAGE_BYTES = 8 * 1024 * 1024;
/** Bytes of the log-in page and error pages that an isolate caches. */
const CACHED_PUBLIC_PAGE_BYTES = 1024 * 1024;
/** Time that visitors wait for a page that another request renders, in milliseconds, before one of them renders it again. */
const RENDER_WAIT_MS = 10_000;

const packageArchive = lazyModule("package-archive", () => import("./media/package-archive"));
const csvCodec = lazyModule("csv", async () => (await import("./http/csv")).csvCodec);
const passkeyVerifier = lazyModule(
  "webauthn",
  async () => (await import("./security/passkey-verifier")).passkeyVerifier,
);

function createAppServices(env: Env) {
  const config = readConfig(env);
  const data = repositories(env.DB);
  const sharedLimit = (fallback: RateLimit, options: SharedLimitOptions) =>
    new SharedLimit(
      {
        counters: env.LIMIT_COUNTERS,
        fallback,
        hashKey: (key) => hashWithSecret(config.sessionSecret, "limit", key),
        now: clock.now,
        sleep,
      },
      options,
    );
  const attemptLimiter = new AttemptLimiter(
    {
      subject: sharedLimit(env.GUESS_LIMIT, { name: "subject", max: ATTEMPT_LIMITS.subject }),
      place: sharedLimit(env.PLACE_LIMIT, { name: "place", max: ATTEMPT_LIMITS.place }),
      event: sharedLimit(env.EVENT_LIMIT, { name: "event", max: ATTEMPT_LIMITS.event }),
    },
    clock.now,
    // The log says "refused", as operators may search for it.
    ({ secretKind, outcome, account, before: { wrong, rejected } }) =>
      log("warn", outcome === "wrong" ? "guess wrong" : "guess refused", {
        what: secretKind,
        account,
        before: { wrong, refused: rejected },
      }),
  );
  const eventAccessSigner: EventAccessSigner = {
    sign: (eventId, version, expires) => signEventAccess(config.sessionSecret, eventId, version, expires),
    verify: (eventId, version, value, now) =>
      verifyEventAccess(config.sessionSecret, eventId, version, value, now),
  };
  const saltStore = r2SaltStore(env.FILES);
  const salts = new DailySalts(saltStore, clock.now);
  const visitRateLimiter = new VisitRateLimiter(
    sharedLimit(env.VISIT_LIMIT, { name: "visit", ...NETWORK_VISITS, freshMs: LIMIT_FRESH_MS }),
    clock.now,
  );
  const limitedLog = new LimitedLog(clock.now);
  const rooms = new RoomCaller({
    namespace: env.EVENT_ROOMS,
    now: clock.now,
    sleep,
    createName: () => crypto.randomUUID(),
    readRevision: (id) => data.visitors.revision(id),
    onRevisionError: (error) => limitedLog.writeError("revision not read", error),
    onError: (error, parts, isOver) =>
      log(isOver ? "error" : "warn", "visits not stored", { parts, isOver, ...errorFields(error) }),
  });
  const events = eventCache<EventRecord>(
    { load: data.visitors.load, revision: (id) => rooms.revision(id) },
    {
      now: clock.now,
      sleep,
      maxSize: CACHED_EVENT_BYTES,
      // A character takes up to two bytes.
      sizeOf: (record) => 2 * JSON.stringify(record).length,
    },
  );
  // For visits to events whose pages are not requested from this isolate, or whose records were evicted.
  const visitCountingRecords = eventCache<VisitCountingRecord>(
    {
      async load(id) {
        const record = await data.visitors.load(id);
        return record && toVisitCountingRecord(record);
      },
      revision: (id) => rooms.revision(id),
    },
    {
      now: clock.now,
      sleep,
      maxSize: CACHED_VISIT_COUNTING_BYTES,
      // Names of panoramas may need two bytes for a character.
      sizeOf: (record) => 2 * JSON.stringify(record).length,
    },
  );
  const metadata = fileMetadata({ records: data.storedFiles, bucket: env.FILES, now: clock.now });
  const mailbox = config.development && env.MAILBOX ? createMailbox(env.MAILBOX) : null;
  const shared = {
    ...data,
    mailer: createMailer({ binding: env.MAIL, from: { email: config.mailFrom, name: SENDER_NAME }, mailbox }),
    emailTemplate,
    copySuffix,
    hasher: passwordHasher(config.passwordCost),
    limiter: attemptLimiter,
    unwrittenAttempts: new UnwrittenAttempts(),
    hashWithSecret: (purpose: string, text: string) => hashWithSecret(config.sessionSecret, purpose, text),
    commonPasswords: shardedPasswords((shard) => readAsset(env, shardPath(shard))),
    eventAccessSigner,
    mediaSigner: createMediaSigner(config.sessionSecret),
    verifier: passkeyVerifier,
    clock,
    ids: idSource,
    hashNetwork: (network: string) => hashNetwork(config.sessionSecret, network),
    logFailedLogIn: (line: FailedLogInLine) => log("warn", "log-in failed", { ...line }),
    logWrongPassword: (line: { account: Uuid; network: string | null }) =>
      log("warn", "wrong current password", line),
    csv: csvCodec,
    files: r2FileStore(env.FILES, metadata.forget),
    thumbnailStore: r2ImageStore(env.FILES),
    webLookup: oembedLookup({ fetch: createOutboundFetch(config), readBody: readResponse, now: clock.now }),
    uploadStore: r2UploadStore(env.FILES, {
      record: (fileKey, byteSize) =>
        metadata.record(fileKey, byteSize, getFirstCheckTime(config.uploadVerdict, fileKey, clock.now())),
      forget: metadata.forget,
    }),
    archives: async () => (await packageArchive()).packageArchives(env.FILES),
    sendToEndpoint: createWebhookSender({ fetch: createOutboundFetch(config) }),
    uploadVerdict: config.uploadVerdict,
    describeEvent: webhookEventJson,
    textSealer: {
      seal: (purpose: string, text: string, expires: number) =>
        sealText(config.sessionSecret, purpose, text, expires),
      open: (purpose: string, value: string, now: number) =>
        openText(config.sessionSecret, purpose, value, now),
    },
    requiresSecondFactor: config.requiresSecondFactor,
    // This does not empty the cache of visitors' pages: their keys contain the event's revision, its change counter (serveCached in worker.ts).
    onEventChanged: (id: Uuid) => {
      events.drop(id);
      visitCountingRecords.drop(id);
    },
    readRecord: (id: Uuid) => events.get(id),
    readVisitCountingRecord: (id: Uuid) => (events.has(id) ? events.get(id) : visitCountingRecords.get(id)),
    workLimiter: {
      take: async (work: LimitedWork, ownerId: Uuid) =>
        (await { copy: env.COPY_LIMIT, import: env.IMPORT_LIMIT }[work].limit({ key: ownerId })).success,
    },
    visitAdmission: visitRateLimiter,
    salts: saltStore,
    visitArchives: r2VisitArchives(env.FILES),
    saltOf: (day: ZoneDay) => salts.getSalt(day),
    hashVisitor,
    rooms,
    onIgnored: (eventId: Uuid, state: string) =>
      limitedLog.write("warn", "visit ignored", { eventId, state }),
  };
  const files = visitorFileStore(shared.files, metadata.readOverwritePlan);
  const storefront = createStorefrontDeps(config, data.storeResponses);
  const imageConverter =
    config.development && env.PICTURES
      ? localImageConverter(env.PICTURES)
      : cloudflareImageConverter(env.IMAGES);
  const openFile = async (key: string) => (await files.get(key))?.body ?? null;
  const isFisheye = createFisheyeDetector({
    tool: imageConverter,
    open: openFile,
    onError: (key, error) => log("warn", "panorama not inspected", { key, ...errorFields(error) }),
  });
  const imageResizer = new ImageResizer({
    tool: imageConverter,
    open: openFile,
    cache: () => caches.open("pictures"),
    now: clock.now,
    sleep,
    onError: ({ key, width, type }, error) =>
      log("warn", "image not resized", { key, width, type, ...errorFields(error) }),
  });
  return {
    config,
    events,
    metadata,
    images: imageResizer,
    rooms,
    logVisitFailure: (eventId: Uuid, error: unknown) =>
      limitedLog.writeError("visit not counted", error, { eventId }),
    /** Drops the data of visitors of past days, hours and minutes. */
    forgetVisitors(defer: (work: Promise<unknown>) => void) {
      visitRateLimiter.forget();
      const cleaning = salts.dropExpired();
      if (cleaning) defer(cleaning.catch((error) => limitedLog.writeError("salts not deleted", error)));
    },
    recentReads: createRecentReads(clock.now),
    invalidTokenThrottle: new InvalidTokenThrottle(clock.now),
    invalidTokenLimit: sharedLimit(env.API_LIMIT, { name: "token", max: INVALID_TOKENS_MAX }),
    pages: createPageCache(CACHED_PAGE_BYTES),
    shopPages: createPageCache(CACHED_SHOP_PAGE_BYTES),
    queryPages: createPageCache(CACHED_QUERY_PAGE_BYTES),
    publicPages: createPageCache(CACHED_PUBLIC_PAGE_BYTES),
    renderLimit: new RenderLimit(
      sharedLimit(env.PAGE_LIMIT, { name: "render", ...NETWORK_RENDERS, freshMs: LIMIT_FRESH_MS }),
      clock.now,
    ),
    cspReports: new CspReportLog(clock.now, (violation) => log("warn", "csp violation", { ...violation })),
    eventAccessSigner,
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
    serveStoreImage: storefront.serveImage,
    /** The version text (specification §1), empty in production and when there is none. */
    versionText: async () => (config.production ? "" : builtVersion),
  };
}

const createPageCache = (maxSize: number) =>
  new RevalidatingCache<PageTemplate>({
    now: clock.now,
    sleep,
    waitMs: RENDER_WAIT_MS,
    maxSize,
    sizeOf: ({ bytes }) => bytes.length,
  });

/**
 * Creates the function that fetches URLs that users enter. On a developer's machine the proxy checks the URLs (scripts/lib/local/network.ts),
 * because DNS is not available.
 */
const createOutboundFetch = ({ development }: Config): PublicFetchDeps["fetch"] =>
  development
    ? (url, init) => fetch(url, init)
    : publicFetch({ fetch: (url, init) => fetch(url, init), resolve: resolveHost, now: clock.now });

/** The text of a static file. Null if it cannot be read, which is logged. */
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

/** The connection to stores, one for each isolate. */
function createStorefrontDeps(config: Config, repository: StoreStatusRepository) {
  const { sessionSecret, isAllowedLocalHost } = config;
  const random = () => Math.random();
  const storeFetch = { fetch: createOutboundFetch(config), now: clock.now, sleep, random };
  const breaker = new CircuitBreaker({ now: clock.now, random });
  const reports = new StoreReports({
    repository,
    log: (message, fields) => log("warn", message, { ...fields }),
  });
  const clients = new StoreClients(({ origin, token }) =>
    createStoreClient({
      ...storeFetch,
      storeDomain: origin,
      ...storeTokens(token),
      log: (entry) => log("info", "store", { ...entry }),
    }),
  );
  const flights = new SingleFlight({ now: clock.now, sleep, waitMs: STORE_QUERY_WAIT_MS });
  const storefrontCache = new StorefrontCache({
    store: edgeResponseStore(() => caches.open("storefront")),
    now: clock.now,
    once: (key, readCached, work) => flights.run(key, readCached, work),
  });
  const urls = {
    image: (url: string) => storeImagePath(sessionSecret, url, isAllowedLocalHost),
    checkout: (url: string) => (isStoreUrl(url, isAllowedLocalHost) ? url : null),
  };
  const checkOrigin = (origin: string) => {
    if ("error" in readStoreUrl(origin, isAllowedLocalHost))
      throw new StoreFailure("network", "The store's address may not be called");
  };
  return {
    deps: (defer: (work: Promise<unknown>) => void) => ({
      storefront: createStorefront({
        clients,
        cache: storefrontCache,
        urls,
        checkOrigin,
        defer,
        breaker,
        now: clock.now,
        report: (report) => reports.record(report, defer),
      }),
      isAllowedLocalHost,
      storeStatusOf: (eventId: Uuid, origin: string) => reports.statusOf(eventId, origin),
    }),
    serveImage: (request: Request, defer: (work: Promise<unknown>) => void) =>
      serveStoreImage(request, {
        secret: sessionSecret,
        fetch: storeFetch.fetch,
        readBody: readResponse,
        isAllowedHost: isAllowedLocalHost,
        cache: () => caches.open("storefront"),
        defer,
      }),
  };
}

/** Objects that live as long as the isolate. */
export type AppServices = ReturnType<typeof createAppServices>;

const appServicesByDatabase = new WeakMap<D1Database, AppServices>();

/** Returns the objects of the isolate for a set of bindings. */
export function getAppServices(env: Env): AppServices {
  const cachedServices = appServicesByDatabase.get(env.DB);
  if (cachedServices) return cachedServices;
  const services = createAppServices(env);
  appServicesByDatabase.set(env.DB, services);
  return services;
}
