/** Connects an upload queue to a fake server for tests. */
import { afterEach, beforeEach, expect } from "vitest";
import { type FakeServer, startFakeServer } from "../../../../tests/support/external/upload-server";
import { computeFingerprint } from "./fingerprint";
import type { ApiResponse, CachedFile, FileStorage, UploadApi, UploadQueueDeps } from "./ports";
import { checkImage } from "./preflight/check-image";
import { readRetryAfter } from "./slices";
import { UploadQueue } from "./upload-queue";
import { UPLOAD_TRAY_GROUP, type UploadPlace, type UploadState } from "./upload-state";

/** Starts a new fake server before each test of the calling file. Returns the server, and functions that read or change its state. */
export function startFakeServers() {
  let server: FakeServer;
  beforeEach(async () => {
    server = await startFakeServer();
  });
  afterEach(async () => {
    await server.close();
  });
  return {
    get server(): FakeServer {
      return server;
    },
    storedBytes: () => [...server.items.values()].map(({ bytes }) => bytes),
    sliceRequests: () => server.requests.filter((request) => /^PUT \d+$/.test(request)),
    /** Delays the responses to slices until the returned function is called. */
    holdSlices() {
      let release = () => {};
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      server.state.delay = (request) => (request.startsWith("PUT ") ? released : undefined);
      return release;
    },
  };
}

/** Waits until a condition is true. */
export const waitFor = async (condition: () => boolean) => {
  for (let attempt = 0; attempt < 500 && !condition(); attempt++)
    await new Promise((done) => setTimeout(done, 5));
  expect(condition()).toBe(true);
};

/** Returns a file's bytes for comparisons. */
export const fileBytes = async (file: File) => Buffer.from(await file.arrayBuffer());

/** Creates the upload API with fetch, because Node has no XMLHttpRequest. */
export function createFetchApi(origin: string): UploadApi {
  const request = async (path: string, init: RequestInit): Promise<ApiResponse> => {
    try {
      const response = await fetch(origin + path, init);
      return {
        status: response.status,
        body: await response.json(),
        retryAfter: readRetryAfter(response.headers.get("retry-after"), Date.now()),
      };
    } catch {
      return { status: 0, body: null, retryAfter: null };
    }
  };
  return {
    json: (method, path, body) =>
      request(path, { method, body: body === undefined ? undefined : JSON.stringify(body) }),
    bytes: async (path, bytes, { signal, onSent } = {}) => {
      const response = await request(path, { method: "PUT", body: await bytes.arrayBuffer(), signal });
      if (response.status === 200) onSent?.(bytes.size);
      return response;
    },
  };
}

/** Creates a storage in memory. Like a browser's database, it can outlive a queue. */
export function createMemoryStorage(): FileStorage & { readonly files: Map<string, CachedFile> } {
  const files = new Map<string, CachedFile>();
  return {
    files,
    all: async () => [...files.values()],
    store: async (file) => void files.set(file.id, file),
    update: async (id, change) => {
      const stored = files.get(id);
      if (stored) files.set(id, { ...stored, ...change });
    },
    drop: async (id) => void files.delete(id),
  };
}

/** Factor by which delays are shortened in these tests. */
const SPEED_FACTOR = 200;

/** Creates a queue that is connected to a server. `scheduledDelays` lists the delays of retries and progress updates, in milliseconds. */
export function createTestQueue(server: Pick<FakeServer, "origin">, changes: Partial<UploadQueueDeps> = {}) {
  const scheduledDelays: number[] = [];
  const network = { isOnline: true };
  let lastId = 0;
  // The clock advances only with the delays, so that a busy machine does not change them.
  let clock = 0;
  const queue = new UploadQueue(
    {
      api: createFetchApi(server.origin),
      storage: createMemoryStorage(),
      lock: async () => () => {},
      fingerprint: computeFingerprint,
      gatherModels: async (chosen) => ({ files: chosen, rejected: [] }),
      checkModel: async () => null,
      checkImage,
      checkVideo: async () => null,
      makeThumbnail: async () => null,
      isOnline: () => network.isOnline,
      now: () => clock,
      schedule: (run, milliseconds) => {
        scheduledDelays.push(milliseconds);
        const dueAt = clock + milliseconds;
        const timer = setTimeout(() => {
          clock = Math.max(clock, dueAt);
          run();
        }, milliseconds / SPEED_FACTOR);
        return () => clearTimeout(timer);
      },
      random: () => 0,
      newId: () => `row-${++lastId}`,
      ...changes,
    },
    "user-1",
  );
  const findRow = (name: string) => findRowByName(queue, name);
  const waitForState = (name: string, state: UploadState | "gone") => waitForRowState(queue, name, state);
  const idOf = (name: string) => findRow(name)?.id ?? "";
  return { queue, findRow, waitForState, idOf, scheduledDelays, network };
}

const findRowByName = (queue: UploadQueue, name: string) =>
  queue.getSnapshot().rows.find((row) => row.name === name);

/** Resolves when a file reaches a state. */
function waitForRowState(queue: UploadQueue, name: string, state: UploadState | "gone"): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`${name} is ${JSON.stringify(findRowByName(queue, name))} and not ${state}`)),
      10_000,
    );
    const check = () => {
      if ((findRowByName(queue, name)?.state ?? "gone") !== state) return;
      clearTimeout(timer);
      stop();
      resolve();
    };
    const stop = queue.subscribe(check);
    check();
  });
}

const GIF = Buffer.from("GIF89a");
/** Creates a file that starts like a GIF image. @param seed value of all other bytes */
export function createGifFile(name: string, size: number, seed = 1): File {
  const bytes = Buffer.alloc(size, seed);
  GIF.copy(bytes);
  return new File([bytes], name, { lastModified: 1 });
}

/** The root of the user's own library. */
export const ROOT_PLACE: UploadPlace = {
  folderId: null,
  ownerId: null,
  replacesId: null,
  path: [],
  group: UPLOAD_TRAY_GROUP,
};
/** Returns files as if the user had chosen them outside of folders. */
export const withoutFolders = (...files: readonly File[]) => files.map((file) => ({ file, path: [] }));
