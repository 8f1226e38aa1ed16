import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { eventCache } from "#functions/cache/event-cache";
import { libraryItems } from "#functions/data/schema";
import { NotFoundError } from "#functions/services/shared/errors";

import { visitorFile } from "#functions/services/visitors/event-access";
import type { EventRecord } from "#functions/services/visitors/visitor-ports";
import type { Actor } from "~/domain/auth/actor";
import { type TestApp, type TestUser, useTestApp } from "../../tests/support/app/test-app";
import { testImages } from "../../tests/support/app/test-images";
import { createRecentReads, type RecentReads } from "./recent-reads";
import { type MediaRequestContext, serveMedia } from "./serve-media";

const CONTENT = "0123456789".repeat(10);

const testApp = useTestApp();
let reads: RecentReads;
let owner: TestUser;
let item: Awaited<ReturnType<TestApp["addItem"]>>;
let eventId: string;
let token: string;
let loggedIn: Actor | null;

beforeEach(async () => {
  owner = await testApp.addUser();
  reads = createRecentReads(() => testApp.time.now);
  item = await testApp.addItem(owner, { fileName: "会場図.png" });
  await testApp.files.put(item.fileKey, CONTENT);
  ({ eventId } = await testApp.addSpace(owner));
  await testApp.addMediaItem(eventId, item.id);
  await testApp.setStatus(eventId, 3);
  token = (await testApp.data.events.find(eventId))?.event.accessToken ?? "";
  loggedIn = null;
});

const createContext = (): MediaRequestContext => ({
  env: { FILES: testApp.files },
  metadata: testApp.metadata,
  mediaOrigin: null,
  images: testImages(testApp.files).images,
  recentReads: reads,
  ticketOf: () => "ticket",
  defer: () => {},
  services: testApp.services,
  pageContext: () => ({
    session: { current: async () => loggedIn && { actor: loggedIn } },
    visitor: { eventAccessCookie: () => null },
  }),
});
const get = (
  headers: Record<string, string> = {},
  query = `?event=${eventId}&mode=published&token=${token}`,
  method = "GET",
) =>
  serveMedia(
    new Request(`https://hiroba.test/media/${item.id}${query}`, { method, headers }),
    createContext(),
  );

describe("a file", () => {
  it("is sent to a visitor with its type, its size and a policy that runs nothing", async () => {
    const response = await get();
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(CONTENT);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "image/png",
      "content-length": "100",
      "accept-ranges": "bytes",
      "cache-control": "private, no-cache",
      "x-content-type-options": "nosniff",
      "content-security-policy": expect.stringContaining("sandbox") as string,
      etag: expect.stringMatching(/^".+"$/) as string,
    });
  });

  it.each([
    ["bytes=0-9", "bytes 0-9/100", "0123456789"],
    ["bytes=95-", "bytes 95-99/100", "56789"],
    ["bytes=-3", "bytes 97-99/100", "789"],
    ["bytes=98-500", "bytes 98-99/100", "89"],
  ])("is sent in part for %s", async (range, contentRange, text) => {
    const response = await get({ range });
    expect([response.status, response.headers.get("content-range")]).toEqual([206, contentRange]);
    expect(response.headers.get("content-length")).toBe(String(text.length));
    expect(await response.text()).toBe(text);
  });

  it("is answered with 416 for a range after its end", async () => {
    const response = await get({ range: "bytes=100-" });
    expect([response.status, response.headers.get("content-range")]).toEqual([416, "bytes */100"]);
  });

  it("is sent whole for several ranges, and for a range of an older file", async () => {
    const etag = (await get()).headers.get("etag") ?? "";
    for (const headers of [{ range: "bytes=0-1,4-5" }, { range: "bytes=0-1", "if-range": '"old"' }]) {
      const response = await get(headers as Record<string, string>);
      expect([response.status, await response.text()]).toEqual([200, CONTENT]);
    }
    expect((await get({ range: "bytes=0-1", "if-range": etag })).status).toBe(206);
  });

  it("is answered with 304 while it is unchanged, and with the new file after a change", async () => {
    const etag = (await get()).headers.get("etag") ?? "";
    const unchanged = await get({ "if-none-match": etag });
    expect([unchanged.status, await unchanged.text(), unchanged.headers.get("etag")]).toEqual([
      304,
      "",
      etag,
    ]);
    await testApp.files.put(item.fileKey, "new");
    const changedResponse = await get({ "if-none-match": etag });
    expect([changedResponse.status, await changedResponse.text()]).toEqual([200, "new"]);
  });

  it("is sent whole for invalid conditions, and answered with 304 for a matching etag among several and for a wildcard", async () => {
    for (const headers of [
      { "if-none-match": "x" },
      { "if-none-match": '"' },
      { "if-none-match": "," },
      { "if-modified-since": "yesterday" },
      { range: "bytes=0-9", "if-range": "yesterday" },
    ] as Record<string, string>[]) {
      const response = await get(headers);
      expect([headers, response.status, await response.text()]).toEqual([headers, 200, CONTENT]);
    }
    expect((await get({ "if-none-match": '"a", "b"' })).status).toBe(200);
    const etag = (await get()).headers.get("etag") ?? "";
    expect((await get({ "if-none-match": `"a", ${etag}` })).status).toBe(304);
    expect((await get({ "if-none-match": "*" })).status).toBe(304);
  });

  it("supports HEAD and rejects POST", async () => {
    const response = await get({}, undefined, "HEAD");
    expect([response.status, response.headers.get("content-length"), await response.text()]).toEqual([
      200,
      "100",
      "",
    ]);
    const rejected = await get({}, undefined, "POST");
    expect([rejected.status, rejected.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  it("is answered with 404 after its link is closed, even if the client has cached it", async () => {
    const etag = (await get()).headers.get("etag") ?? "";
    await testApp.setStatus(eventId, 4);
    expect((await get({ "if-none-match": etag })).status).toBe(404);
  });
});

describe("a URL with the file's version", () => {
  const version = () => item.fileKey.slice(-8);
  const serve = (path: string, headers: Record<string, string> = {}) =>
    serveMedia(new Request(`https://hiroba.test/media/${item.id}${path}`, { headers }), createContext());

  it("is cached permanently by its owner's browser, until another account logs in there", async () => {
    loggedIn = owner.actor;
    const response = await serve(`/${version()}`);
    expect([response.status, await response.text()]).toEqual([200, CONTENT]);
    expect(response.headers.get("cache-control")).toBe("private, max-age=31536000, immutable");
    expect(response.headers.get("vary")).toBe("Cookie");
    const etag = response.headers.get("etag") ?? "";
    const revalidated = await serve(`/${version()}`, { "if-none-match": etag });
    expect([revalidated.status, revalidated.headers.get("cache-control")]).toEqual([
      304,
      "private, max-age=31536000, immutable",
    ]);
    expect((await serve("")).headers.get("cache-control")).toBe("private, no-cache");
    expect((await serve(`/${version()}`, { range: "bytes=200-" })).headers.get("cache-control")).toBe(
      "no-store",
    );
  });

  it("is revalidated by visitors, whose link may have closed, and by users who look at the visitors' page", async () => {
    const link = `/${version()}?event=${eventId}&mode=published&token=${token}`;
    expect((await serve(link)).headers.get("cache-control")).toBe("private, no-cache");
    loggedIn = owner.actor;
    expect((await serve(link)).headers.get("cache-control")).toBe("private, no-cache");
    await testApp.setStatus(eventId, 4);
    expect((await serve(link)).headers.get("cache-control")).toBe("private, no-cache");
    loggedIn = null;
    expect((await serve(link)).status).toBe(404);
  });

  it("redirects to the file that has replaced it, for authorized readers", async () => {
    const link = `?event=${eventId}&mode=published&token=${token}`;
    const response = await serve(`/00000000${link}`);
    expect([
      response.status,
      response.headers.get("location"),
      response.headers.get("cache-control"),
    ]).toEqual([302, `/media/${item.id}/${version()}${link}`, "private, no-cache"]);
    expect((await serve("/00000000")).status).toBe(404);
  });

  it("returns 404 for invalid paths", async () => {
    loggedIn = owner.actor;
    for (const path of ["/", `/${version()}/`, `/${version()}/x`, `/${"x".repeat(65)}`])
      expect([path, (await serve(path)).status]).toEqual([path, 404]);
  });
});

describe("one request to the store", () => {
  const countStoreCalls = () => {
    const calls: string[] = [];
    const files = new Proxy(testApp.files, {
      get: (target, name) => {
        const value = Reflect.get(target, name) as unknown;
        return typeof value !== "function"
          ? value
          : (...args: unknown[]) => {
              calls.push(String(name));
              return (value as (...params: unknown[]) => unknown).apply(target, args);
            };
      },
    });
    const requestFile = (headers: Record<string, string>) =>
      serveMedia(
        new Request(`https://hiroba.test/media/${item.id}?event=${eventId}&mode=published&token=${token}`, {
          headers,
        }),
        { ...createContext(), env: { FILES: files } },
      );
    return { calls, requestFile };
  };

  it("is enough for a file, a range, or a file that the client has cached", async () => {
    const etag = (await get()).headers.get("etag") ?? "";
    const modified = (await get()).headers.get("last-modified") ?? "";
    for (const [headers, status] of [
      [{}, 200],
      [{ range: "bytes=0-9" }, 206],
      [{ range: "bytes=0-9", "if-range": etag }, 206],
      [{ range: "bytes=0-9", "if-range": modified }, 206],
      [{ "if-none-match": etag }, 304],
      [{ "if-none-match": `W/${etag}` }, 304],
      [{ "if-modified-since": modified }, 304],
      [{ "if-none-match": '"other"', "if-modified-since": modified }, 200],
    ] as [Record<string, string>, number][]) {
      const { calls, requestFile } = countStoreCalls();
      const response = await requestFile(headers);
      await response.arrayBuffer();
      expect([headers, response.status, calls]).toEqual([headers, status, ["get"]]);
    }
  });

  it("is not enough if the record has a wrong length, but the range is still right", async () => {
    await testApp.files.put(item.fileKey, "short");
    for (const [range, status, text] of [
      ["bytes=1-50", 206, "hort"],
      ["bytes=50-", 416, ""],
      ["bytes=-2", 206, "rt"],
    ] as const) {
      const { calls, requestFile } = countStoreCalls();
      const response = await requestFile({ range });
      expect([range, response.status, await response.text()]).toEqual([range, status, text]);
      expect(calls.length).toBeGreaterThan(1);
    }
    await testApp.files.put(item.fileKey, CONTENT.repeat(2));
    const rangeResponse = await get({ range: "bytes=150-151" });
    expect([rangeResponse.status, rangeResponse.headers.get("content-range")]).toEqual([
      206,
      "bytes 150-151/200",
    ]);
  });
});

describe("a player that requests one range after the other", () => {
  const requestRange = (path = "") =>
    serveMedia(
      new Request(`https://hiroba.test/media/${item.id}${path}`, { headers: { range: "bytes=0-9" } }),
      createContext(),
    );

  it("is authorized once a second", async () => {
    loggedIn = owner.actor;
    // The first reader of an isolate also causes a read of the file's record.
    await get({}, "");
    expect(await testApp.countRoundTrips(() => get({}, ""))).toBe(1);
    for (const path of ["", `/${item.fileKey.slice(-8)}`, ""]) {
      let status = 0;
      expect(await testApp.countRoundTrips(async () => ({ status } = await requestRange(path)))).toBe(0);
      expect(status).toBe(206);
    }
    // Whole files, and ranges after a second, are authorized again.
    expect(await testApp.countRoundTrips(() => get({}, ""))).toBe(1);
    testApp.time.now += 1000;
    expect(await testApp.countRoundTrips(() => requestRange())).toBe(1);
    loggedIn = null;
    expect((await get({}, "")).status).toBe(404);
    testApp.time.now += 1000;
    expect((await requestRange()).status).toBe(404);
  });

  it("receives the new file after the old one was replaced", async () => {
    loggedIn = owner.actor;
    await requestRange();
    const fileKey = `library/${item.id}/0c9d7f10`;
    await testApp.files.put(fileKey, "the new file");
    await testApp.files.delete(item.fileKey);
    await testApp.db.update(libraryItems).set({ fileKey, byteSize: 12 }).where(eq(libraryItems.id, item.id));
    expect(await (await requestRange()).text()).toBe("the new fi");
    await testApp.files.put(item.fileKey, CONTENT);
    expect(await (await requestRange("/0c9d7f10")).text()).toBe("the new fi");
  });
});

describe("a range of a file that the reader was authorized for before", () => {
  const range = { range: "bytes=0-9" };
  const link = () => `?event=${eventId}&mode=published&token=${token}`;

  /** Returns a promise and the function that resolves it. */
  function gate() {
    let open = () => {};
    const promise = new Promise<void>((resolve) => {
      open = resolve;
    });
    return { promise, resolve: () => open() };
  }

  /** Returns a media handler whose store and access checks continue only when the test opens their gates. */
  function createPausedHandler() {
    const counts = { calls: 0, sent: 0, cancelled: 0 };
    const deferred: Promise<unknown>[] = [];
    const store = gate();
    const authorization = gate();
    const storeRead = gate();
    const get = async (...args: Parameters<R2Bucket["get"]>) => {
      counts.calls += 1;
      await store.promise;
      const object = (await testApp.files.get(...args)) as R2ObjectBody | null;
      storeRead.resolve();
      return (
        object &&
        new Proxy(object, {
          has: (target, name) => Reflect.has(target, name),
          get: (target, name) =>
            name !== "body"
              ? Reflect.get(target, name)
              : new ReadableStream(
                  {
                    pull(controller) {
                      counts.sent += 1;
                      controller.enqueue(new TextEncoder().encode(CONTENT.slice(0, 10)));
                      controller.close();
                    },
                    async cancel() {
                      counts.cancelled += 1;
                      await target.body.cancel();
                    },
                  },
                  { highWaterMark: 0 },
                ),
        })
      );
    };
    const files = new Proxy(testApp.files, {
      get: (target, name) => (name === "get" ? get : Reflect.get(target, name)),
    });
    const openFile: MediaRequestContext["services"]["library"]["openFile"] = async (input) => {
      await authorization.promise;
      return testApp.services.library.openFile(input);
    };
    const respond = (query: string) =>
      serveMedia(new Request(`https://hiroba.test/media/${item.id}${query}`, { headers: range }), {
        ...createContext(),
        env: { FILES: files },
        services: { library: { ...testApp.services.library, openFile } },
        defer: (work) => void deferred.push(work),
      });
    const finish = async () => {
      store.resolve();
      await Promise.all(deferred);
      return counts;
    };
    return {
      counts,
      storeRead,
      respond,
      finish,
      resume: { store: store.resolve, authorization: authorization.resolve },
    };
  }

  const viewerCases = [
    { who: "a visitor", query: link, letIn: () => {}, refuse: () => testApp.setStatus(eventId, 4) },
    {
      who: "the owner",
      query: () => "",
      letIn: () => {
        loggedIn = owner.actor;
      },
      refuse: async () => {
        loggedIn = null;
      },
    },
  ];

  it.each(viewerCases)(
    "is requested from the store while $who is authorized, and sent afterwards",
    async (viewerCase) => {
      viewerCase.letIn();
      expect((await get(range, viewerCase.query())).status).toBe(206);
      testApp.time.now += 1000;
      const { counts, storeRead, respond, finish, resume } = createPausedHandler();
      let hasResponded = false;
      const response = respond(viewerCase.query()).finally(() => {
        hasResponded = true;
      });
      resume.store();
      await storeRead.promise;
      expect([hasResponded, counts.sent]).toEqual([false, 0]);
      resume.authorization();
      expect([(await response).status, await (await response).text()]).toEqual([206, "0123456789"]);
      expect(await finish()).toEqual({ calls: 1, sent: 1, cancelled: 0 });
    },
  );

  it.each(viewerCases)(
    "is not sent to $who who is no longer authorized, and the rejection does not wait for the store",
    async (viewerCase) => {
      viewerCase.letIn();
      expect((await get(range, viewerCase.query())).status).toBe(206);
      await viewerCase.refuse();
      testApp.time.now += 1000;
      const { respond, finish, resume } = createPausedHandler();
      resume.authorization();
      const response = await respond(viewerCase.query());
      expect([response.status, await response.text()]).toEqual([404, ""]);
      expect(await finish()).toEqual({ calls: 1, sent: 0, cancelled: 1 });
      // The next request does not read the store either.
      const nextHandler = createPausedHandler();
      nextHandler.resume.authorization();
      expect((await nextHandler.respond(viewerCase.query())).status).toBe(404);
      expect(await nextHandler.finish()).toEqual({ calls: 0, sent: 0, cancelled: 0 });
    },
  );

  it("is not read from the store for an unauthorized reader", async () => {
    expect((await get(range)).status).toBe(206);
    for (const query of ["", `?event=${eventId}&mode=preview&token=${token}`, `${link()}x`]) {
      const { respond, finish, resume } = createPausedHandler();
      resume.authorization();
      expect((await respond(query)).status).toBe(404);
      expect(await finish()).toEqual({ calls: 0, sent: 0, cancelled: 0 });
    }
  });

  it("comes from the new file after a replacement", async () => {
    expect((await get(range)).status).toBe(206);
    const fileKey = `library/${item.id}/0c9d7f10`;
    await testApp.files.put(fileKey, "the new file");
    await testApp.db.update(libraryItems).set({ fileKey, byteSize: 12 }).where(eq(libraryItems.id, item.id));
    testApp.time.now += 1000;
    expect(await (await get(range)).text()).toBe("the new fi");
  });

  it("is rejected within a second after the event is closed, and at once after its end", async () => {
    // This isolate's cache does not know about the change.
    const events = eventCache<EventRecord>(testApp.data.visitors, {
      now: () => testApp.time.now,
      sleep: () => Promise.resolve(),
      maxEntries: 1,
    });
    const deps = {
      ...testApp,
      clock: { now: () => testApp.time.now },
      readRecord: (id: string) => events.get(id),
    };
    const openFile: MediaRequestContext["services"]["library"]["openFile"] = async ({ id, viewer }) => {
      const file = viewer.kind === "link" && (await visitorFile(deps, viewer, id));
      if (!file) throw new NotFoundError("file");
      return file;
    };
    const status = async () => {
      const request = new Request(`https://hiroba.test/media/${item.id}${link()}`, { headers: range });
      const response = await serveMedia(request, {
        ...createContext(),
        services: { library: { ...testApp.services.library, openFile } },
      });
      await response.body?.cancel();
      return response.status;
    };
    const endDate = new Date(testApp.time.now + 5_000).toISOString();
    await testApp.setEvent(eventId, { endDate, enableAutoChangeStatus: true });
    for (let read = 0; read < 4; read++) {
      expect(await status()).toBe(206);
      testApp.time.now += 300;
    }
    await testApp.setStatus(eventId, 1);
    testApp.time.now += 999;
    expect(await status()).toBe(404);
    await testApp.setStatus(eventId, 3);
    testApp.time.now += 1_000;
    expect(await status()).toBe(206);
    testApp.time.now = Date.parse(endDate) - 1;
    expect(await status()).toBe(206);
    testApp.time.now += 1;
    expect(await status()).toBe(404);
  });
});

describe("subtitles", () => {
  const SUBRIP =
    "\uFEFF1\r\n00:00:01,500 --> 00:00:04,000\r\nようこそ, 広場へ\r\n\r\n2\r\n00:00:05,000 --> 00:00:06,250\r\nおわり\r\n";
  const WEBVTT =
    "WEBVTT\n\n1\n00:00:01.500 --> 00:00:04.000\nようこそ, 広場へ\n\n2\n00:00:05.000 --> 00:00:06.250\nおわり\n";
  async function addSubtitles(bytes: string | Uint8Array, mimeType: string) {
    loggedIn = owner.actor;
    const file = await testApp.addItem(owner, { kind: "subtitle", mimeType, fileName: "字幕.srt" });
    await testApp.files.put(file.fileKey, bytes);
    return (query: string, headers: Record<string, string> = {}) =>
      serveMedia(new Request(`https://hiroba.test/media/${file.id}${query}`, { headers }), createContext());
  }

  it("are sent as stored, and as WebVTT for players that read nothing else", async () => {
    const requestFile = await addSubtitles(SUBRIP, "application/x-subrip");
    const unconverted = await requestFile("");
    expect(unconverted.headers.get("content-type")).toBe("application/octet-stream");
    expect(unconverted.headers.get("content-disposition")).toMatch(/^attachment;/);
    expect(Buffer.from(await unconverted.arrayBuffer()).toString()).toBe(SUBRIP);
    const response = await requestFile("?format=vtt");
    expect(await response.text()).toBe(WEBVTT);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "text/vtt; charset=utf-8",
      "x-content-type-options": "nosniff",
      "content-security-policy": expect.stringMatching(/^sandbox;/) as string,
    });
    expect(
      (await requestFile("?format=vtt", { "if-none-match": response.headers.get("etag") ?? "" })).status,
    ).toBe(304);
  });

  it("that are already WebVTT stay unchanged", async () => {
    const requestFile = await addSubtitles(WEBVTT, "text/vtt");
    for (const query of ["", "?format=vtt"]) {
      const response = await requestFile(query);
      expect([await response.text(), response.headers.get("content-type")]).toEqual([
        WEBVTT,
        "text/vtt; charset=utf-8",
      ]);
    }
  });

  it("in Shift_JIS are converted too", async () => {
    const line = [0x82, 0xd3, 0x82, 0xbd, 0x82, 0xe8];
    const bytes = new Uint8Array([
      ...new TextEncoder().encode("1\n00:00:01,000 --> 00:00:02,000\n"),
      ...line,
    ]);
    const requestFile = await addSubtitles(bytes, "application/x-subrip");
    expect(await (await requestFile("?format=vtt")).text()).toContain("ふたり");
  });

  it("are not made from other files", async () => {
    loggedIn = owner.actor;
    expect((await get({}, "?format=vtt")).status).toBe(404);
  });
});

describe("a malicious file", () => {
  const PAGE = "<!doctype html><script>fetch('/api/v1/me')</script>";
  it.each([
    ["a page that is called a picture", "image/png", "image/png", "inline"],
    ["a page that is called a page", "text/html", "application/octet-stream", "attachment"],
    ["a page in XML", "application/xhtml+xml", "application/octet-stream", "attachment"],
    ["a script", "text/javascript", "application/octet-stream", "attachment"],
    ["a program for workers", "application/wasm", "application/octet-stream", "attachment"],
    ["a page that is called a document", "application/pdf", "application/pdf", "inline"],
    ["a page that is called subtitles", "text/vtt", "text/vtt; charset=utf-8", "inline"],
    ["a page that is called a model", "model/gltf-binary", "model/gltf-binary", "attachment"],
    ["a page that is called a splat", "application/x-gaussian-ply", "application/octet-stream", "attachment"],
    [
      "a type with a page behind it",
      "image/png\r\nx: y; text/html",
      "application/octet-stream",
      "attachment",
    ],
    ["no type", "", "application/octet-stream", "attachment"],
  ])("%s is never a page of this origin", async (_what, mimeType, type, disposition) => {
    loggedIn = owner.actor;
    const file = await testApp.addItem(owner, { mimeType, fileName: "a.html", byteSize: PAGE.length });
    await testApp.files.put(file.fileKey, PAGE);
    for (const query of ["", `/${file.fileKey.slice(-8)}`, "?w=320"]) {
      const request = new Request(`https://hiroba.test/media/${file.id}${query}`);
      const { headers, status } = await serveMedia(request, createContext());
      expect(status).toBe(200);
      const policy = headers.get("content-security-policy") ?? "";
      expect(policy).toMatch(
        mimeType === "application/pdf" && query !== "?w=320"
          ? /^default-src 'none'/
          : /^sandbox; default-src 'none'/,
      );
      expect(policy).not.toMatch(/script-src|allow-scripts|allow-same-origin/);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
      if (query === "?w=320") continue;
      expect(headers.get("content-type")).toBe(type);
      expect(headers.get("content-disposition")).toMatch(new RegExp(`^${disposition};`));
    }
  });
});

describe("access to a file", () => {
  it("is refused without information about the file", async () => {
    for (const query of [
      "",
      "?event=x",
      `?event=${eventId}&mode=published&token=wrong`,
      `?event=${eventId}&mode=admin&token=${token}`,
    ]) {
      const response = await get({}, query);
      expect([response.status, await response.text()]).toEqual([404, ""]);
    }
    const request = new Request("https://hiroba.test/media/..%2f..%2fetc");
    expect((await serveMedia(request, createContext())).status).toBe(404);
  });

  it("is granted to the owner's session, whatever the link is, and not to another user's", async () => {
    loggedIn = owner.actor;
    expect((await get({}, "")).status).toBe(200);
    expect((await get({}, `?event=${eventId}&mode=published&token=wrong`)).status).toBe(200);
    loggedIn = (await testApp.addUser()).actor;
    expect((await get({}, "")).status).toBe(404);
  });

  it("results in 404 if the store has lost the file", async () => {
    await testApp.files.delete(item.fileKey);
    expect((await get()).status).toBe(404);
    expect((await get({ range: "bytes=0-1" })).status).toBe(404);
  });
});
