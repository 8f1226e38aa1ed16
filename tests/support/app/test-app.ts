/** Creates the services on real bindings, with a clock that tests set and a counter of D1 round trips. */
import { randomBytes, randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeAll, beforeEach } from "vitest";
import { webhookEventJson } from "#functions/api/webhooks/webhook-event-json";
import {
  eventMedia,
  events,
  eventTags,
  groupMembers,
  groups,
  libraryItems,
  tagMedia,
  users,
} from "#functions/data/schema";
import { type Db, openDb } from "#functions/data/shared/db";
import { repositories } from "#functions/data/shared/repositories";
import { signEventAccess, verifyEventAccess } from "#functions/http/cookies";
import { csvCodec } from "#functions/http/csv";
import { readResponse } from "#functions/http/read-body";
import { createWebhookSender } from "#functions/http/webhook-sender";
import { copySuffix } from "#functions/mail/copy-suffix";
import { emailTemplate } from "#functions/mail/email-template";
import { fileMetadata } from "#functions/media/file-metadata";
import { r2FileStore } from "#functions/media/file-store";
import { createFisheyeDetector } from "#functions/media/images/fisheye-detector";
import { r2ImageStore } from "#functions/media/images/image-store";
import { createMediaSigner } from "#functions/media/media-signer";
import { oembedLookup } from "#functions/media/oembed";
import { packageArchives } from "#functions/media/package-archive";
import { r2SaltStore } from "#functions/media/salt-store";
import { r2UploadStore } from "#functions/media/upload-store";
import { r2VisitArchives } from "#functions/rooms/visit-archive";
import { hashNetwork } from "#functions/security/client-network";
import { shardedPasswords } from "#functions/security/common-passwords";
import { DailySalts, hashVisitor } from "#functions/security/daily-salts";
import { hashWithSecret } from "#functions/security/hash-with-secret";
import { passkeyVerifier } from "#functions/security/passkey-verifier";
import { openText, sealText } from "#functions/security/seal-text";
import { createServices, type Services } from "#functions/services";
import { toVisitCountingRecord } from "#functions/services/analytics/visit-counting-record";
import { UnwrittenAttempts } from "#functions/services/auth/log-in-limits";
import { toActor } from "#functions/services/auth/sessions";
import { getFirstCheckTime } from "#functions/services/library/upload-checks";
import type { Mail } from "#functions/services/shared/ports";
import type { EventAccessSigner } from "#functions/services/visitors/visitor-ports";
import type { ActingCredential, Actor } from "~/domain/auth/actor";
import type { EventStatusId, SpaceSource, User, Uuid } from "~/domain/shared/model";
import { makeSid, SID_RANDOM_BYTES } from "~/domain/spaces/sid";
import { commonPasswordShards } from "../../../scripts/lib/build/common-passwords";
import { DemoStore } from "../../../seed/store/store";
import { storeDeps } from "../external/demo-store";
import { type ProviderResponse, respondAsProvider } from "../external/web-providers";
import { startBindings, type TestBindings } from "./test-bindings";
import { cheapHasher, countingLimiter, spyOn } from "./test-doubles";
import { testImageTool } from "./test-images";
import { TestRooms } from "./test-rooms";

/** The packaged list of common passwords, read by shard as in the deployed worker. */
const packagedPasswords = () => shardedPasswords(async (shard) => commonPasswordShards().get(shard) ?? null);

export const SECRET = "a-secret-of-the-tests-0123456789-abcdef";
export const PASSWORD = "correct horse battery";
export const START = Date.parse("2026-04-01T00:00:00.000Z");

/** Credential of a session whose user has just entered the password. It does not depend on the test's clock. */
export const INTERACTIVE: ActingCredential = {
  kind: "session",
  id: "0123456789abcdef",
  authenticatedAt: "9999-12-31T00:00:00.000Z",
  network: null,
};

interface ReceivedRequest {
  readonly url: string;
  readonly headers: Headers;
  readonly body: string;
  readonly init: RequestInit;
}

interface WebhookEndpoints {
  readonly sent: ReceivedRequest[];
  respond: (request: ReceivedRequest) => Response | Promise<Response>;
}

interface WebProviders {
  respond: (url: string, signal: AbortSignal | null) => Promise<ProviderResponse | null>;
}

/** Shared by all test apps. Each new test app resets it. */
const store = new DemoStore();

export type TestApp = ReturnType<typeof createTestApp>;

export function createTestApp({ db: binding, files }: TestBindings) {
  const { db: spied, spy } = spyOn(binding);
  const data = repositories(spied);
  const hasher = cheapHasher();
  const limiter = countingLimiter();
  const changedEventIds: Uuid[] = [];
  const deferred: Promise<unknown>[] = [];
  const mails: Mail[] = [];
  const mailTransport = { isFailing: false, isSettingUp: false };
  /** URLs that were requested from web media providers. */
  const requestedUrls: string[] = [];
  const web: WebProviders = { respond: async (url) => respondAsProvider(url) };
  const time = { now: START };
  /** Account rules of the deployment. */
  const policy = { requiresSecondFactor: false };
  /** Whether reported visits are accepted for processing. */
  const visitAdmission = { isOpen: true };
  /** Copies and imports that the limiter counted, and how many of them it accepts. */
  const workLimit = { countedWork: [] as string[], max: Number.POSITIVE_INFINITY };
  const rooms = new TestRooms(data.visits, () => time.now);
  const saltStore = r2SaltStore(files);
  const salts = new DailySalts(saltStore, () => time.now);
  /** Requests that webhook receivers got, and their responses, which a test may replace. */
  const receivers: WebhookEndpoints = { sent: [], respond: () => new Response(null, { status: 204 }) };
  store.reset();
  store.expireCarts();
  /** Milliseconds that the store client would have waited before each retry. */
  const waits: number[] = [];
  /** Log entries of the store services, and errors of the fisheye detector. */
  const logged: unknown[] = [];
  /** Log entries of failed log-ins and failed re-authentications. */
  const failedLogIns: unknown[] = [];
  const eventAccessSigner: EventAccessSigner = {
    sign: (eventId, version, expires) => signEventAccess(SECRET, eventId, version, expires),
    verify: (eventId, version, value, now) => verifyEventAccess(SECRET, eventId, version, value, now),
  };
  /** Whether the upload verdict service, which scans uploaded files, is called. Tests enable it. */
  const uploadChecks = { isEnabled: false };
  const uploadVerdict = { url: "https://scan.example.com/check", secret: `whsec_${"a".repeat(43)}=` };
  const metadata = fileMetadata({ records: data.storedFiles, bucket: files, now: () => time.now });
  const services: Services = createServices({
    ...data,
    hasher,
    limiter,
    eventAccessSigner,
    mediaSigner: createMediaSigner(SECRET),
    verifier: async () => passkeyVerifier,
    clock: { now: () => time.now },
    ids: {
      uuid: () => randomUUID(),
      token: () => randomBytes(32).toString("base64url"),
      sid: () => makeSid(randomBytes(SID_RANDOM_BYTES)),
    },
    hashNetwork: (network) => hashNetwork(SECRET, network),
    logFailedLogIn: (entry) => failedLogIns.push(entry),
    logWrongPassword: (entry) => failedLogIns.push(entry),
    csv: async () => csvCodec,
    unwrittenAttempts: new UnwrittenAttempts(),
    hashWithSecret: (purpose, text) => hashWithSecret(SECRET, purpose, text),
    commonPasswords: packagedPasswords(),
    files: r2FileStore(files, metadata.forget),
    thumbnailStore: r2ImageStore(files),
    isFisheye: createFisheyeDetector({
      tool: testImageTool,
      open: async (key) => (await files.get(key))?.body ?? null,
      onError: (_key, error) => logged.push(error),
    }),
    webLookup: oembedLookup({
      readBody: readResponse,
      now: () => time.now,
      async fetch(url, { signal }) {
        requestedUrls.push(url);
        const response = await web.respond(url, signal ?? null);
        if (!response) throw new TypeError("unreachable host");
        return new Response(response.body, { status: response.status, headers: response.headers });
      },
    }),
    archives: async () => packageArchives(files),
    uploadStore: r2UploadStore(files, {
      record: (fileKey, byteSize) =>
        metadata.record(
          fileKey,
          byteSize,
          getFirstCheckTime(uploadChecks.isEnabled ? uploadVerdict : null, fileKey, time.now),
        ),
      forget: metadata.forget,
    }),
    uploadVerdict,
    fileOrigin: "https://hiroba.test",
    describeEvent: webhookEventJson,
    sendToEndpoint: createWebhookSender({
      async fetch(url, init) {
        const request = { url, headers: new Headers(init.headers), body: String(init.body), init };
        receivers.sent.push(request);
        return receivers.respond(request);
      },
    }),
    ...storeDeps({
      store,
      now: () => time.now,
      secret: SECRET,
      defer: (work) => deferred.push(work),
      waits,
      logged,
      repository: data.storeResponses,
    }),
    defer: (work) => deferred.push(work),
    origin: "https://hiroba.test",
    emailTemplate,
    copySuffix,
    mailer: {
      async send(mail) {
        if (mailTransport.isSettingUp) return;
        if (mailTransport.isFailing) throw new Error("refused");
        mails.push(mail);
      },
    },
    textSealer: {
      seal: (purpose, text, expires) => sealText(SECRET, purpose, text, expires),
      open: (purpose, value, now) => openText(SECRET, purpose, value, now),
    },
    requiresSecondFactor: (role) => policy.requiresSecondFactor && role === "admin",
    onEventChanged: (id) => changedEventIds.push(id),
    readRecord: (id) => data.visitors.load(id),
    async readVisitCountingRecord(id) {
      const record = await data.visitors.load(id);
      return record && toVisitCountingRecord(record);
    },
    salts: saltStore,
    visitArchives: r2VisitArchives(files),
    workLimiter: {
      async take(work, ownerId) {
        workLimit.countedWork.push(`${work} ${ownerId}`);
        return workLimit.countedWork.length <= workLimit.max;
      },
    },
    visitAdmission: { admits: async () => visitAdmission.isOpen },
    saltOf: (day) => salts.getSalt(day),
    onIgnored: () => {},
    hashVisitor,
    rooms,
  });
  const db: Db = openDb(binding);
  const currentInstant = () => new Date(time.now).toISOString();
  const admin: Actor = { userId: randomUUID(), role: "admin", groupIds: [], credential: INTERACTIVE };

  async function addUser(
    fields: Partial<Parameters<Services["users"]["createUser"]>[0]> = {},
  ): Promise<TestUser> {
    // Excludes mails that inform administrators about this new administrator.
    const firstDeferredIndex = deferred.length;
    mailTransport.isSettingUp = true;
    const user = await services.users.createUser({
      actor: admin,
      email: `${randomUUID()}@demo.example`,
      password: PASSWORD,
      firstName: "花子",
      lastName: "山田",
      companyName: "広場",
      role: "user",
      status: "ACTIVATED",
      spaceLicense: 10,
      storageLimit: 1_000_000,
      language: "ja",
      timeZone: "Asia/Tokyo",
      ...fields,
    });
    await Promise.all(deferred.splice(firstDeferredIndex));
    mailTransport.isSettingUp = false;
    return { user, actor: toActor(user, [], INTERACTIVE) };
  }

  /** Adds users to a new group, and returns it with their actors. */
  async function addGroup(...people: TestUser[]) {
    const id = randomUUID();
    await db
      .insert(groups)
      .values({ id, name: "g", createdAt: currentInstant(), updatedAt: currentInstant() });
    for (const { user } of people)
      await db.insert(groupMembers).values({ groupId: id, userId: user.id, createdAt: currentInstant() });
    return { id, actors: people.map(({ user }) => toActor(user, [id], INTERACTIVE)) };
  }

  async function addSpace(owner: TestUser, name = "渋谷ショールーム") {
    const { space, eventId } = await services.spaces.createSpace({
      actor: owner.actor,
      name,
      source: { kind: "showcase", sid: "SxQL3iGyoDo", isDoubtful: false },
    });
    return { space, eventId };
  }

  const readRootFolderId = async (owner: TestUser, type: "space" | "media") =>
    (await data.folders.listByOwner(owner.user.id, type))[0]?.id ?? "";

  async function addItem(owner: TestUser, fields: Partial<typeof libraryItems.$inferInsert> = {}) {
    const id = randomUUID();
    const row = {
      id,
      folderId: await readRootFolderId(owner, "media"),
      ownerId: owner.user.id,
      kind: "image" as const,
      title: "入口",
      searchKey: "入口",
      fileName: "entrance.png",
      mimeType: "image/png",
      byteSize: 100,
      fileKey: `files/${id}`,
      createdAt: currentInstant(),
      updatedAt: currentInstant(),
      ...fields,
    };
    await db.insert(libraryItems).values(row);
    return { ...row, fileKey: row.fileKey ?? "" };
  }

  async function addMediaItem(
    eventId: Uuid,
    libraryItemId: Uuid,
    fields: Partial<typeof eventMedia.$inferInsert> = {},
  ) {
    const id = randomUUID();
    await db.insert(eventMedia).values({
      id,
      eventId,
      libraryItemId,
      createdOn: currentInstant(),
      updatedAt: currentInstant(),
      titleJa: "絵",
      ...fields,
    });
    return id;
  }

  async function addTag(
    eventId: Uuid,
    mediaIds: Uuid[] = [],
    fields: Partial<typeof eventTags.$inferInsert> = {},
  ) {
    const id = randomUUID();
    await db.insert(eventTags).values({
      id,
      eventId,
      titleJa: "受付",
      titleEn: "Reception",
      color: "#223a70",
      icon: "info",
      keywords: ["受付", "desk"],
      stem: [0, 0.3, 0],
      position: [1, 2, 3],
      sortOrder: 0,
      createdAt: currentInstant(),
      updatedAt: currentInstant(),
      ...fields,
    });
    for (const [sortOrder, mediaId] of mediaIds.entries())
      await db.insert(tagMedia).values({ tagId: id, mediaId, sortOrder });
    return id;
  }

  async function setEvent(id: Uuid, fields: Partial<typeof events.$inferInsert>) {
    await db.update(events).set(fields).where(eq(events.id, id));
  }

  const setStatus = (id: Uuid, statusId: EventStatusId) => setEvent(id, { statusId });

  return {
    services,
    data,
    db,
    binding,
    files,
    metadata,
    uploadChecks,
    spy,
    hasher,
    limiter,
    eventAccessSigner,
    changedEventIds,
    deferred,
    mails,
    mailTransport,
    requestedUrls,
    web,
    visitAdmission,
    rooms,
    workLimit,
    time,
    policy,
    receivers,
    admin,
    currentInstant,
    store,
    waits,
    logged,
    failedLogIns,
    addUser,
    addGroup,
    addSpace,
    addItem,
    addMediaItem,
    addTag,
    setEvent,
    setStatus,
    readRootFolderId,
    /** Counts the D1 round trips of a piece of work. */
    async countRoundTrips(work: () => Promise<unknown>): Promise<number> {
      const roundTripsBefore = spy.roundTrips;
      await work();
      return spy.roundTrips - roundTripsBefore;
    },
    async readRevision(eventId: Uuid): Promise<number> {
      const [row] = await db.select({ revision: events.revision }).from(events).where(eq(events.id, eventId));
      return row?.revision ?? -1;
    },
    async readAccount(userId: Uuid) {
      const [row] = await db.select().from(users).where(eq(users.id, userId));
      return row;
    },
  };
}

/** Creates a test app with an empty database before each test of a file. The returned object always refers to the current one. */
export function useTestApp(): TestApp {
  let bindings: TestBindings;
  let currentApp: TestApp;
  beforeAll(async () => {
    bindings = await startBindings();
  });
  beforeEach(async () => {
    await bindings.reset();
    currentApp = createTestApp(bindings);
  });
  return new Proxy({} as TestApp, { get: (_, name) => Reflect.get(currentApp, name) });
}

/** The error code with which a use case rejects; null when it succeeds. */
export const catchErrorCode = (work: Promise<unknown>): Promise<string | null> =>
  work.then(
    () => null,
    (error: { readonly code?: string }) => error.code ?? String(error),
  );

export interface TestUser {
  readonly user: User;
  readonly actor: Actor;
}

/** A panorama source, as stored. */
export const panoramaSpaceSource = (...mediaIds: Uuid[]): SpaceSource => ({
  kind: "panorama",
  start: { position: [0, 1.6, 0], yaw: 0, pitch: 0, mode: "walk" },
  nodes: mediaIds.map((mediaId, i) => ({
    id: `n${i}`,
    mediaId,
    title: { ja: `部屋${i}`, en: `Room ${i}` },
    position: [i * 4, 1.6, 0],
    heading: 0,
    links: [],
  })),
});
