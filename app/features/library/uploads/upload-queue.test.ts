import { describe, expect, it } from "vitest";
import { UnreadableFileError } from "~/domain/library/unreadable-file-error";
import { PART_BYTES } from "../../../../tests/support/external/upload-server";
import {
  createFetchApi,
  createGifFile,
  createMemoryStorage,
  createTestQueue,
  fileBytes,
  ROOT_PLACE,
  startFakeServers,
  waitFor,
  withoutFolders,
} from "./test-kit";
import { ATTEMPTS_MAX, SLICES_AT_ONCE } from "./upload-state";

const kit = startFakeServers();

describe("files of the queue", () => {
  it("arrive unchanged, with the remainder in the last slice", async () => {
    const { queue, waitForState, findRow } = createTestQueue(kit.server);
    const file = createGifFile("a.gif", PART_BYTES * 3 + 5);
    await queue.add(withoutFolders(file), ROOT_PLACE);
    await waitForState("a.gif", "done");
    expect(kit.storedBytes()[0]?.equals(await fileBytes(file))).toBe(true);
    expect(kit.sliceRequests()).toHaveLength(4);
    expect(findRow("a.gif")).toMatchObject({ sent: file.size, size: file.size });
  });

  it("are sent at most three slices at a time, also when there are several files", async () => {
    const { queue, waitForState } = createTestQueue(kit.server);
    const releaseSlices = kit.holdSlices();
    await queue.add(
      withoutFolders(...[1, 2, 3, 4].map((n) => createGifFile(`${n}.gif`, PART_BYTES * 4, n))),
      ROOT_PLACE,
    );
    await waitFor(() => kit.server.state.activeRequests === SLICES_AT_ONCE);
    await new Promise((done) => setTimeout(done, 50));
    releaseSlices();
    for (const n of [1, 2, 3, 4]) await waitForState(`${n}.gif`, "done");
    expect(kit.server.state.maxActiveRequests).toBe(SLICES_AT_ONCE);
    expect(kit.storedBytes()).toHaveLength(4);
  });

  it("report their resulting items to listeners", async () => {
    const { queue, waitForState } = createTestQueue(kit.server);
    const arrived: string[] = [];
    queue.onArrival((item, row) => arrived.push(`${item.uuid} ${row.name} ${row.state}`));
    await queue.add(withoutFolders(createGifFile("a.gif", 10)), ROOT_PLACE);
    await waitForState("a.gif", "done");
    expect(arrived).toEqual(["item-1 a.gif done"]);
  });

  it("send their thumbnail, and are stored without one when it cannot be drawn", async () => {
    const thumbnail = new Blob([Buffer.alloc(7)], { type: "image/webp" });
    const makeThumbnail = async (file: File) => {
      if (file.name === "bad.gif") throw new Error("cannot be drawn");
      return thumbnail;
    };
    const { queue, waitForState } = createTestQueue(kit.server, { makeThumbnail });
    await queue.add(withoutFolders(createGifFile("good.gif", 10), createGifFile("bad.gif", 12)), ROOT_PLACE);
    await waitForState("good.gif", "done");
    await waitForState("bad.gif", "done");
    expect(kit.server.thumbnails).toEqual(["item-1 7"]);
  });

  it("are reported to the user and the server when the browser cannot open them", async () => {
    const requests: string[] = [];
    const api = createFetchApi(kit.server.origin);
    const { queue, waitForState, findRow } = createTestQueue(kit.server, {
      api: {
        ...api,
        json: async (method, path, body) => {
          if (!path.includes("/preparation")) return api.json(method, path, body);
          requests.push(`${path} ${(body as { readonly code?: string }).code ?? ""}`);
          return { status: 200, body: { state: "started", run_uuid: "run" }, retryAfter: null };
        },
      },
      makeThumbnail: async () => {
        throw new UnreadableFileError();
      },
    });
    await queue.add(withoutFolders(createGifFile("bad.gif", 12)), ROOT_PLACE);
    await waitForState("bad.gif", "done");
    expect(findRow("bad.gif")?.problem).toEqual({
      key: "library:conversion.code.not_shown",
      values: { name: "bad.gif" },
    });
    const preparationPath = "/api/v1/media/item-1/preparation";
    expect(requests).toEqual([`${preparationPath} `, `${preparationPath}/fail not_shown`]);
  });

  it("are stored in their folders, which are created once or reused", async () => {
    kit.server.folders.push({ uuid: "known", parent_uuid: "root", name: "known" });
    const { queue, waitForState } = createTestQueue(kit.server);
    const fileAt = (name: string, ...path: string[]) => ({
      file: createGifFile(name, name.length * 10),
      path,
    });
    await queue.add(
      [
        fileAt("a.gif", "known"),
        fileAt("bb.gif", "new", "in"),
        fileAt("ccc.gif", "new", "in"),
        fileAt("dddd.gif", "new"),
      ],
      ROOT_PLACE,
    );
    for (const name of ["a.gif", "bb.gif", "ccc.gif", "dddd.gif"]) await waitForState(name, "done");
    expect(kit.server.folders.map(({ name }) => name)).toEqual(["", "known", "new", "in"]);
    const [, , outer, inner] = kit.server.folders.map(({ uuid }) => uuid);
    const storedPlaces = [...kit.server.items.values()].map(
      ({ bytes, folder }) => `${bytes.length} ${folder}`,
    );
    expect(storedPlaces.sort()).toEqual([`50 known`, `60 ${inner}`, `70 ${inner}`, `80 ${outer}`].sort());
  });
});

describe("a request that fails", () => {
  it.each([
    ["the network", "drop" as const],
    ["the server", { status: 503 }],
    ["too many requests", { status: 429 }],
  ])("is sent again after increasing delays, because of %s", async (_what, rejection) => {
    const { queue, waitForState, scheduledDelays } = createTestQueue(kit.server);
    let failures = 0;
    kit.server.state.replaceResponse = (request) =>
      request === "PUT 2" && failures++ < ATTEMPTS_MAX - 1 ? rejection : undefined;
    const file = createGifFile("a.gif", PART_BYTES * 3);
    await queue.add(withoutFolders(file), ROOT_PLACE);
    await waitForState("a.gif", "done");
    expect(kit.sliceRequests().filter((request) => request === "PUT 2")).toHaveLength(ATTEMPTS_MAX);
    expect(kit.storedBytes()[0]?.equals(await fileBytes(file))).toBe(true);
    for (const wait of [1000, 2000, 4000, 8000])
      expect(scheduledDelays.some((candidate) => Math.abs(candidate - wait) <= wait / 4)).toBe(true);
  });

  it("waits as long as the server requires", async () => {
    const { queue, waitForState, scheduledDelays } = createTestQueue(kit.server);
    let failures = 0;
    kit.server.state.replaceResponse = (request) =>
      request === "PUT 1" && failures++ === 0 ? { status: 429, headers: { "retry-after": "30" } } : undefined;
    await queue.add(withoutFolders(createGifFile("a.gif", 10)), ROOT_PLACE);
    await waitForState("a.gif", "done");
    expect(scheduledDelays.some((wait) => wait > 29_000)).toBe(true);
  });

  it("does not end the upload while the server is completing the file, unless that takes too long", async () => {
    const { queue, waitForState, findRow, scheduledDelays } = createTestQueue(kit.server);
    let rejections = 0;
    const busy = { status: 409, code: "upload_busy" };
    kit.server.state.replaceResponse = (request) =>
      request === "POST complete" && rejections++ < 20 ? busy : undefined;
    await queue.add(withoutFolders(createGifFile("a.gif", 10)), ROOT_PLACE);
    await waitForState("a.gif", "done");
    expect(rejections).toBe(21);
    expect(scheduledDelays.filter((wait) => wait === 5000)).toHaveLength(20);
    kit.server.state.replaceResponse = (request) => (request === "POST complete" ? busy : undefined);
    await queue.add(withoutFolders(createGifFile("b.gif", 10, 2)), ROOT_PLACE);
    await waitForState("b.gif", "failed");
    expect(findRow("b.gif")?.problem?.key).toBe("library:uploads.problem.network");
  });

  it("does not affect other files, and its file can be retried from where it stopped", async () => {
    const { queue, waitForState, findRow, idOf } = createTestQueue(kit.server);
    kit.server.state.replaceResponse = (request) => (request === "PUT 3" ? { status: 500 } : undefined);
    await queue.add(
      withoutFolders(createGifFile("bad.gif", PART_BYTES * 4, 1), createGifFile("good.gif", PART_BYTES, 2)),
      ROOT_PLACE,
    );
    await waitForState("good.gif", "done");
    await waitForState("bad.gif", "failed");
    expect(findRow("bad.gif")).toMatchObject({
      sent: PART_BYTES * 3,
      problem: { key: "library:uploads.problem.network" },
    });
    expect(kit.sliceRequests().filter((request) => request === "PUT 3")).toHaveLength(ATTEMPTS_MAX);
    kit.server.state.replaceResponse = () => undefined;
    const countBefore = kit.sliceRequests().length;
    queue.resume(idOf("bad.gif"));
    await waitForState("bad.gif", "done");
    expect(kit.sliceRequests().slice(countBefore)).toEqual(["PUT 3"]);
  });

  it("asks for its file again when the file can no longer be read", async () => {
    const { queue, waitForState, findRow } = createTestQueue(kit.server);
    const releaseSlices = kit.holdSlices();
    const file = createGifFile("a.gif", PART_BYTES * 2);
    await queue.add(withoutFolders(file), ROOT_PLACE);
    await waitFor(() => kit.sliceRequests().length === 2);
    Object.defineProperty(file, "slice", {
      value: () => ({ arrayBuffer: () => Promise.reject(new Error("NotReadableError")) }),
    });
    kit.server.state.replaceResponse = (request) => (request === "PUT 2" ? "drop" : undefined);
    releaseSlices();
    await waitForState("a.gif", "missing");
    kit.server.state.replaceResponse = () => undefined;
    await queue.supply(findRow("a.gif")?.id ?? "", createGifFile("a.gif", PART_BYTES * 2));
    await waitForState("a.gif", "done");
  });
});

describe("a user or the page", () => {
  it("discards an upload whose file is missing, but not a completed one", async () => {
    const { queue, waitForState, findRow } = createTestQueue(kit.server);
    await queue.add(withoutFolders(createGifFile("b.gif", PART_BYTES * 2)), ROOT_PLACE);
    await waitForState("b.gif", "done");
    const releaseSlices = kit.holdSlices();
    const file = createGifFile("a.gif", PART_BYTES * 2);
    const countBefore = kit.sliceRequests().length;
    await queue.add(withoutFolders(file), ROOT_PLACE);
    await waitFor(() => kit.sliceRequests().length === countBefore + 2);
    Object.defineProperty(file, "slice", {
      value: () => ({ arrayBuffer: () => Promise.reject(new Error("NotReadableError")) }),
    });
    kit.server.state.replaceResponse = (request) => (request === "PUT 2" ? "drop" : undefined);
    releaseSlices();
    await waitForState("a.gif", "missing");
    queue.discardMissing(ROOT_PLACE.group);
    expect(findRow("a.gif")).toBeUndefined();
    expect(findRow("b.gif")?.state).toBe("done");
  });

  it("pauses a file: running requests are completed, none is started, and nothing is sent twice", async () => {
    const { queue, waitForState, findRow, idOf } = createTestQueue(kit.server);
    const file = createGifFile("a.gif", PART_BYTES * 6);
    const releaseSlices = kit.holdSlices();
    await queue.add(withoutFolders(file), ROOT_PLACE);
    await waitFor(() => kit.sliceRequests().length === SLICES_AT_ONCE);
    queue.pause(idOf("a.gif"));
    releaseSlices();
    await waitFor(() => findRow("a.gif")?.sent === PART_BYTES * SLICES_AT_ONCE);
    await new Promise((done) => setTimeout(done, 100));
    expect(findRow("a.gif")?.state).toBe("paused");
    expect(kit.sliceRequests()).toHaveLength(SLICES_AT_ONCE);
    queue.resumeAll(ROOT_PLACE.group);
    await waitForState("a.gif", "done");
    expect(kit.sliceRequests().sort()).toEqual([1, 2, 3, 4, 5, 6].map((number) => `PUT ${number}`));
    expect(kit.storedBytes()[0]?.equals(await fileBytes(file))).toBe(true);
  });

  it("pauses a file whose slice then fails: it waits until it is resumed", async () => {
    const { queue, waitForState, findRow, idOf } = createTestQueue(kit.server);
    kit.server.state.replaceResponse = (request) => (request === "PUT 1" ? { status: 500 } : undefined);
    await queue.add(withoutFolders(createGifFile("a.gif", PART_BYTES)), ROOT_PLACE);
    await waitFor(() => kit.sliceRequests().length === ATTEMPTS_MAX - 1);
    const releaseSlices = kit.holdSlices();
    await waitFor(() => kit.sliceRequests().length === ATTEMPTS_MAX);
    queue.pause(idOf("a.gif"));
    releaseSlices();
    await waitFor(() => kit.server.state.activeRequests === 0);
    await new Promise((done) => setTimeout(done, 20));
    expect(findRow("a.gif")?.state).toBe("paused");
    kit.server.state.replaceResponse = () => undefined;
    queue.resume(idOf("a.gif"));
    await waitForState("a.gif", "done");
  });

  it("cancels a file, which is deleted on the server, even while its upload is being opened", async () => {
    const storedFiles = createMemoryStorage();
    const { queue, waitForState, idOf } = createTestQueue(kit.server, { storage: storedFiles });
    const releaseSlices = kit.holdSlices();
    await queue.add(withoutFolders(createGifFile("a.gif", PART_BYTES * 2)), ROOT_PLACE);
    await waitFor(() => kit.sliceRequests().length === 2);
    queue.cancel(idOf("a.gif"));
    await waitForState("a.gif", "gone");
    await waitFor(() => kit.server.uploads.size === 0);
    releaseSlices();
    let openUpload = () => {};
    kit.server.state.delay = (request) =>
      request === "POST uploads" ? new Promise<void>((done) => (openUpload = done)) : undefined;
    const requestsBefore = kit.server.requests.length;
    await queue.add(withoutFolders(createGifFile("b.gif", PART_BYTES)), ROOT_PLACE);
    await waitFor(() => kit.server.requests.length > requestsBefore);
    queue.cancel(idOf("b.gif"));
    openUpload();
    await waitFor(() => kit.server.requests.filter((request) => request.startsWith("DELETE")).length === 2);
    expect([kit.server.uploads.size, kit.server.items.size, storedFiles.files.size]).toEqual([0, 0, 0]);
  });

  it("loses and regains the connection without counting a failed attempt", async () => {
    const { queue, waitForState, network, findRow } = createTestQueue(kit.server);
    kit.server.state.replaceResponse = (request) =>
      request.startsWith("PUT") && !network.isOnline ? "drop" : undefined;
    const releaseSlices = kit.holdSlices();
    await queue.add(withoutFolders(createGifFile("a.gif", PART_BYTES * 3)), ROOT_PLACE);
    await waitFor(() => kit.sliceRequests().length === 3);
    network.isOnline = false;
    queue.setOnline(false);
    releaseSlices();
    expect(queue.getSnapshot().halted).toBe("offline");
    await new Promise((done) => setTimeout(done, 100));
    expect(findRow("a.gif")).toMatchObject({ state: "sending", isRetrying: false });
    network.isOnline = true;
    queue.setOnline(true);
    await waitForState("a.gif", "done");
    expect(queue.getSnapshot().halted).toBe(null);
  });

  it("is logged out: the queue reports it, keeps the file, and continues after a log-in", async () => {
    const { queue, waitForState, findRow } = createTestQueue(kit.server);
    let isLoggedOut = true;
    kit.server.state.replaceResponse = (request) =>
      isLoggedOut && request.startsWith("PUT") ? { status: 401 } : undefined;
    await queue.add(withoutFolders(createGifFile("a.gif", PART_BYTES * 2)), ROOT_PLACE);
    await waitFor(() => queue.getSnapshot().halted === "signedOut");
    expect(findRow("a.gif")?.state).toBe("sending");
    queue.tryAgain();
    await waitFor(() => queue.getSnapshot().halted === "signedOut");
    isLoggedOut = false;
    queue.tryAgain();
    await waitForState("a.gif", "done");
  });

  it("closes the form that asked for files, which is still notified when each of them arrives", async () => {
    const { queue, waitForState } = createTestQueue(kit.server);
    const releaseSlices = kit.holdSlices();
    const arrived: string[] = [];
    const files = withoutFolders(createGifFile("same.gif", 10), createGifFile("same.gif", 12));
    await queue.add(
      files,
      { ...ROOT_PLACE, group: "form" },
      { onArrived: (item, index) => arrived.push(`${index} ${item.uuid}`) },
    );
    queue.adopt("form");
    releaseSlices();
    await waitForState("same.gif", "done");
    await waitFor(() => arrived.length === 2);
    expect(arrived.sort()).toEqual(["0 item-1", "1 item-2"]);
  });

  it("closes the form that asked for a file, so the upload tray shows it", async () => {
    const { queue, findRow } = createTestQueue(kit.server);
    const releaseSlices = kit.holdSlices();
    await queue.add(withoutFolders(createGifFile("a.gif", 10)), { ...ROOT_PLACE, group: "form" });
    queue.adopt("form");
    expect(findRow("a.gif")?.group).toBe(ROOT_PLACE.group);
    releaseSlices();
  });
});

describe("data that the server has lost", () => {
  it("is sent again once when the whole upload was deleted", async () => {
    const { queue, waitForState, findRow } = createTestQueue(kit.server);
    const releaseSlices = kit.holdSlices();
    const file = createGifFile("a.gif", PART_BYTES * 2);
    await queue.add(withoutFolders(file), ROOT_PLACE);
    await waitFor(() => kit.sliceRequests().length === 2);
    kit.server.uploads.clear();
    releaseSlices();
    await waitForState("a.gif", "done");
    expect(kit.storedBytes()[0]?.equals(await fileBytes(file))).toBe(true);
    kit.server.state.replaceResponse = (request) =>
      request === "PUT 1" ? { status: 404, code: "upload_gone" } : undefined;
    const countBefore = kit.sliceRequests().length;
    await queue.add(withoutFolders(createGifFile("b.gif", 10)), ROOT_PLACE);
    await waitForState("b.gif", "failed");
    expect(kit.sliceRequests().slice(countBefore)).toEqual(["PUT 1", "PUT 1"]);
    expect(findRow("b.gif")?.problem?.key).toBe("library:uploads.problem.gone");
  });

  it("is sent again, but no slice that the server has, and a lost response creates no second item", async () => {
    const { queue, waitForState } = createTestQueue(kit.server);
    let completions = 0;
    kit.server.state.delay = (request) => {
      if (request === "POST complete" && ++completions === 1)
        for (const { parts } of kit.server.uploads.values()) parts.delete(2);
      return undefined;
    };
    kit.server.state.replaceResponse = (request) =>
      request === "POST complete" && completions === 2 ? "lose" : undefined;
    const file = createGifFile("a.gif", PART_BYTES * 3);
    await queue.add(withoutFolders(file), ROOT_PLACE);
    await waitForState("a.gif", "done");
    expect(kit.sliceRequests().sort()).toEqual(["PUT 1", "PUT 2", "PUT 2", "PUT 3"]);
    expect(completions).toBe(3);
    expect(kit.storedBytes()).toHaveLength(1);
    expect(kit.storedBytes()[0]?.equals(await fileBytes(file))).toBe(true);
  });
});
