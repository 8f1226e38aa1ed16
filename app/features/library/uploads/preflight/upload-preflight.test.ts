import { describe, expect, it } from "vitest";
import { UPLOAD_MAX_BYTES } from "~/domain/shared/limits";
import { PART_BYTES } from "../../../../../tests/support/external/upload-server";
import { heifFile, jpegFile, pngFile, tiffFile } from "../../../../../tests/support/files/media-files";
import {
  createGifFile,
  createMemoryStorage,
  createTestQueue,
  fileBytes,
  ROOT_PLACE,
  startFakeServers,
  waitFor,
  withoutFolders,
} from "../test-kit";

const kit = startFakeServers();

describe("a file that cannot be stored", () => {
  it.each([
    ["an empty file", () => new File([], "empty.gif"), "library:errors.upload.empty"],
    [
      "an HTML page with the name of an image",
      () => new File(["<!doctype html><script>"], "a.png"),
      "library:errors.upload.kind",
    ],
    [
      "a file that is larger than the library's free space",
      () => createGifFile("big.gif", 101),
      "library:errors.upload.capacity",
    ],
    [
      "a file over the upload limit",
      () => Object.defineProperty(createGifFile("huge.gif", 10), "size", { value: UPLOAD_MAX_BYTES + 1 }),
      "library:errors.upload.tooLarge",
    ],
    [
      "a PNG of 30,000 × 30,000 pixels, by its header",
      () => new File([pngFile(30_000, 30_000) as Uint8Array<ArrayBuffer>], "plan.png"),
      "library:errors.upload.pixels",
    ],
    [
      "a HEIC of 30,000 × 30,000 pixels",
      () => new File([heifFile("heic", [[30_000, 30_000]]) as Uint8Array<ArrayBuffer>], "plan.heic"),
      "library:errors.upload.pixels",
    ],
    [
      "a TIFF of 30,000 × 30,000 pixels whose directory is at its end",
      () => new File([tiffFile(30_000, 30_000) as Uint8Array<ArrayBuffer>], "plan.tif"),
      "library:errors.upload.pixels",
    ],
    [
      "a JPEG that is too wide",
      () => new File([jpegFile(16_385, 10, 6) as Uint8Array<ArrayBuffer>], "wall.jpg"),
      "library:errors.upload.pixels",
    ],
    [
      "a file that cannot be read",
      () =>
        Object.defineProperty(createGifFile("folder.gif", 10), "slice", {
          value: () => ({ arrayBuffer: () => Promise.reject(new Error("NotReadableError")) }),
        }),
      "library:uploads.problem.unreadable",
    ],
  ])("is rejected without a request: %s", async (_what, createFile, key) => {
    const { queue } = createTestQueue(kit.server);
    queue.setFreeBytes(null, key === "library:errors.upload.pixels" ? UPLOAD_MAX_BYTES : 100);
    if (key === "library:errors.upload.tooLarge") queue.setFreeBytes(null, UPLOAD_MAX_BYTES * 2);
    await queue.add(withoutFolders(createFile()), ROOT_PLACE);
    expect(queue.getSnapshot().rows).toMatchObject([{ state: "rejected", problem: { key } }]);
    expect(kit.server.requests).toEqual([]);
  });

  it("is rejected as surplus in a form for one file, of which the first is used", async () => {
    const { queue, findRow } = createTestQueue(kit.server);
    queue.setFreeBytes(null, 100);
    const files = withoutFolders(createGifFile("a.gif", 60, 1), createGifFile("b.gif", 60, 2));
    await queue.add(files, ROOT_PLACE, { isSingle: true });
    expect(findRow("a.gif")?.state).not.toBe("rejected");
    expect(findRow("b.gif")).toMatchObject({
      state: "rejected",
      problem: { key: "library:errors.upload.oneFile" },
    });
  });

  it("is rejected when it exceeds the library's free space, including uploads in progress", async () => {
    const { queue, waitForState, findRow } = createTestQueue(kit.server);
    queue.setFreeBytes(null, 100);
    await queue.add(
      withoutFolders(
        createGifFile("a.gif", 60, 1),
        createGifFile("b.gif", 60, 2),
        createGifFile("c.gif", 40, 3),
      ),
      ROOT_PLACE,
    );
    expect(findRow("b.gif")?.problem?.key).toBe("library:errors.upload.capacity");
    await waitForState("a.gif", "done");
    await waitForState("c.gif", "done");
    // The page has received the two files since, so they must not be counted twice.
    queue.setFreeBytes(null, 60);
    await queue.add(withoutFolders(createGifFile("d.gif", 60, 4)), ROOT_PLACE);
    await waitForState("d.gif", "done");
  });

  it("is rejected when its kind is not accepted at this place", async () => {
    const { queue, findRow } = createTestQueue(kit.server);
    await queue.add(withoutFolders(createGifFile("a.gif", 10)), ROOT_PLACE, { kinds: ["model", "splat"] });
    expect(findRow("a.gif")?.problem?.key).toBe("library:uploads.problem.notHere");
    expect(kit.server.requests).toEqual([]);
  });

  it.each([
    ["upload_damaged", "library:errors.upload.damaged", 0],
    ["upload_kind", "library:errors.upload.kind", 0],
    // The server may have kept the upload, so the queue deletes it there.
    ["upload_part_size", "library:uploads.problem.rejected", 1],
  ])("is rejected by the server when only the server can check it: %s", async (code, key, deletions) => {
    const storedFiles = createMemoryStorage();
    const { queue, waitForState, findRow } = createTestQueue(kit.server, { storage: storedFiles });
    kit.server.state.replaceResponse = (request) =>
      request === "POST complete" ? { status: 400, code } : undefined;
    await queue.add(withoutFolders(createGifFile("a.gif", 10)), ROOT_PLACE);
    await waitForState("a.gif", "rejected");
    expect(findRow("a.gif")?.problem?.key).toBe(key);
    await waitFor(
      () => kit.server.requests.filter((request) => request.startsWith("DELETE")).length === deletions,
    );
    expect(storedFiles.files.size).toBe(0);
  });

  it("can be retried after the library had no free space", async () => {
    const { queue, waitForState, idOf } = createTestQueue(kit.server);
    kit.server.state.replaceResponse = (request) =>
      request === "POST uploads" ? { status: 403, code: "library_capacity" } : undefined;
    await queue.add(withoutFolders(createGifFile("a.gif", 10)), ROOT_PLACE);
    await waitForState("a.gif", "failed");
    kit.server.state.replaceResponse = () => undefined;
    queue.resume(idOf("a.gif"));
    await waitForState("a.gif", "done");
  });
});

describe("a file", () => {
  it("is added only once when it is chosen twice", async () => {
    const { queue, waitForState } = createTestQueue(kit.server);
    const releaseSlices = kit.holdSlices();
    await queue.add(withoutFolders(createGifFile("a.gif", PART_BYTES * 2)), ROOT_PLACE);
    await queue.add(withoutFolders(createGifFile("a.gif", PART_BYTES * 2)), ROOT_PLACE);
    expect(queue.getSnapshot().rows).toHaveLength(1);
    releaseSlices();
    await waitForState("a.gif", "done");
  });

  it.each([
    ["an item whose file it replaces", { replacesId: "item-1", group: "replace" }],
    ["the root of another owner's library", { ownerId: "owner-2" }],
  ])("that is queued for the user's own root is added again for %s", async (_target, change) => {
    const { queue } = createTestQueue(kit.server, { isOnline: () => false });
    const place = { ...ROOT_PLACE, ...change };
    await queue.add(withoutFolders(createGifFile("a.gif", 10)), ROOT_PLACE);
    await queue.add(withoutFolders(createGifFile("a.gif", 10)), place);
    expect(queue.getSnapshot().rows.map(({ group }) => group)).toEqual([ROOT_PLACE.group, place.group]);
    // A third addition finds the row of its own target, although another row of this file is first.
    await queue.add(withoutFolders(createGifFile("a.gif", 10)), place);
    expect(queue.getSnapshot().rows).toHaveLength(2);
  });
});

describe("after a reload", () => {
  /** Simulates a page that closes in the middle of a file after two slices have arrived. */
  async function interruptUpload(
    storedFiles = createMemoryStorage(),
    file = createGifFile("a.gif", PART_BYTES * 5),
    place = ROOT_PLACE,
  ) {
    const page = createTestQueue(kit.server, { storage: storedFiles });
    let heldSlices = 0;
    kit.server.state.delay = (request) => {
      if (!/^PUT [345]$/.test(request)) return undefined;
      heldSlices += 1;
      return new Promise(() => {});
    };
    await page.queue.add(withoutFolders(file), place);
    await waitFor(() => page.findRow("a.gif")?.sent === PART_BYTES * 2 && heldSlices === 3);
    page.queue.stop();
    kit.server.state.delay = () => undefined;
    kit.server.requests.length = 0;
    return { storedFiles, file };
  }

  it("a cached file continues automatically with the missing slices", async () => {
    const { storedFiles, file } = await interruptUpload();
    const { queue, waitForState } = createTestQueue(kit.server, { storage: storedFiles });
    await queue.restore();
    await waitForState("a.gif", "done");
    expect(kit.sliceRequests().sort()).toEqual(["PUT 3", "PUT 4", "PUT 5"]);
    expect(kit.storedBytes()[0]?.equals(await fileBytes(file))).toBe(true);
    expect(storedFiles.files.size).toBe(0);
  });

  it("a paused file waits, and a file whose upload was deleted is removed", async () => {
    const { storedFiles } = await interruptUpload();
    for (const id of storedFiles.files.keys()) await storedFiles.update(id, { isPaused: true });
    const page = createTestQueue(kit.server, { storage: storedFiles });
    await page.queue.restore();
    expect(page.findRow("a.gif")).toMatchObject({ state: "paused", sent: PART_BYTES * 2 });
    page.queue.stop();
    kit.server.uploads.clear();
    const laterPage = createTestQueue(kit.server, { storage: storedFiles });
    await laterPage.queue.restore();
    expect(laterPage.queue.getSnapshot().rows).toEqual([]);
    expect(storedFiles.files.size).toBe(0);
  });

  it("a file that is not cached must be chosen again: another file is rejected, the same one continues", async () => {
    const { file } = await interruptUpload();
    const { queue, waitForState, findRow, idOf } = createTestQueue(kit.server);
    await queue.restore();
    expect(findRow("a.gif")).toMatchObject({ state: "missing", sent: PART_BYTES * 2 });
    await queue.supply(idOf("a.gif"), createGifFile("a.gif", PART_BYTES * 5, 9));
    expect(findRow("a.gif")?.problem?.key).toBe("library:uploads.problem.otherFile");
    await queue.supply(idOf("a.gif"), file);
    await waitForState("a.gif", "done");
    expect(kit.sliceRequests()).toHaveLength(3);
    expect(kit.storedBytes()[0]?.equals(await fileBytes(file))).toBe(true);
  });

  it("a file that is added again continues, even when it is added to another folder", async () => {
    const { file } = await interruptUpload();
    const { queue, waitForState } = createTestQueue(kit.server);
    await queue.restore();
    await queue.add(withoutFolders(file), { ...ROOT_PLACE, folderId: "elsewhere" });
    expect(queue.getSnapshot().rows).toHaveLength(1);
    await waitForState("a.gif", "done");
    expect(kit.sliceRequests()).toHaveLength(3);
  });

  it.each([
    ["an item's replacement", { replacesId: "item-1" }],
    ["another owner's library", { ownerId: "owner-2" }],
  ])(
    "an upload whose file is missing does not continue when the file is added for %s",
    async (_target, change) => {
      const { file } = await interruptUpload();
      const { queue } = createTestQueue(kit.server);
      await queue.restore();
      await queue.add(withoutFolders(file), { ...ROOT_PLACE, ...change });
      const states = queue.getSnapshot().rows.map(({ state }) => state);
      expect(states).toHaveLength(2);
      expect(states[0]).toBe("missing");
    },
  );

  it("an upload to another owner's library continues there, but not in the user's own library", async () => {
    const othersPlace = { ...ROOT_PLACE, ownerId: "owner-2" };
    const { file } = await interruptUpload(undefined, undefined, othersPlace);
    const { queue, waitForState } = createTestQueue(kit.server);
    await queue.restore();
    await queue.add(withoutFolders(file), { ...ROOT_PLACE, group: "own" });
    expect(queue.getSnapshot().rows.map(({ state }) => state)).toEqual(["missing", expect.anything()]);
    await waitFor(() => queue.getSnapshot().rows.some(({ state }) => state === "done"));
    await queue.add(withoutFolders(file), othersPlace);
    await waitForState("a.gif", "done");
    expect(queue.getSnapshot().rows).toHaveLength(2);
    expect(kit.sliceRequests()).toHaveLength(5 + 3);
  });

  it("a file whose upload was not confirmed does not continue an upload for another item", async () => {
    const { storedFiles } = await interruptUpload();
    for (const [id, file] of storedFiles.files)
      storedFiles.files.set(id, {
        ...file,
        uploadId: null,
        place: { ...file.place, replacesId: "item-1" },
        isPaused: true,
      });
    const { queue } = createTestQueue(kit.server, { storage: storedFiles });
    await queue.restore();
    expect(queue.getSnapshot().rows.map(({ state, sent }) => [state, sent])).toEqual([
      ["paused", 0],
      ["missing", PART_BYTES * 2],
    ]);
  });

  it("files that another tab uploads, or that another user chose, are not touched", async () => {
    const { storedFiles } = await interruptUpload();
    const otherTabPage = createTestQueue(kit.server, { storage: storedFiles, lock: async () => null });
    await otherTabPage.queue.restore();
    expect(otherTabPage.queue.getSnapshot().rows).toEqual([]);
    for (const [id, file] of storedFiles.files) storedFiles.files.set(id, { ...file, userId: "another" });
    kit.server.uploads.clear();
    const { queue } = createTestQueue(kit.server, { storage: storedFiles });
    await queue.restore();
    expect(queue.getSnapshot().rows).toEqual([]);
    expect(storedFiles.files.size).toBe(1);
  });
});
