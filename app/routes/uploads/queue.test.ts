import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { UPLOAD_MAX_BYTES } from "~/domain/limits";
import { SLICES_AT_ONCE, TRIES } from "./model";
import {
  alone,
  type FakeServer,
  memoryFiles,
  PART,
  picture,
  queueBefore,
  ROOT,
  startFakeServer,
} from "./test-kit";

let server: FakeServer;
beforeEach(async () => {
  server = await startFakeServer();
});
afterEach(async () => {
  await server.close();
});

const bytesOf = async (file: File) => Buffer.from(await file.arrayBuffer());
const stored = () => [...server.items.values()].map(({ bytes }) => bytes);
const slices = () => server.requests.filter((what) => /^PUT \d+$/.test(what));
/** Holds slices back until `free` is called. */
function holdSlices() {
  let free = () => {};
  const held = new Promise<void>((resolve) => {
    free = resolve;
  });
  server.state.hold = (what) => (what.startsWith("PUT ") ? held : undefined);
  return free;
}
const waitFor = async (is: () => boolean) => {
  for (let turn = 0; turn < 500 && !is(); turn++) await new Promise((done) => setTimeout(done, 5));
  expect(is()).toBe(true);
};

describe("files of the queue", () => {
  it("arrive as they are, the last slice being the rest", async () => {
    const { queue, until, row } = queueBefore(server);
    const file = picture("a.gif", PART * 3 + 5);
    await queue.add(alone(file), ROOT);
    await until("a.gif", "done");
    expect(stored()[0]?.equals(await bytesOf(file))).toBe(true);
    expect(slices()).toHaveLength(4);
    expect(row("a.gif")).toMatchObject({ sent: file.size, size: file.size });
  });

  it("are sent three slices at a time, however many there are", async () => {
    const { queue, until } = queueBefore(server);
    const free = holdSlices();
    await queue.add(alone(...[1, 2, 3, 4].map((n) => picture(`${n}.gif`, PART * 4, n))), ROOT);
    await waitFor(() => server.state.underWay === SLICES_AT_ONCE);
    await new Promise((done) => setTimeout(done, 50));
    free();
    for (const n of [1, 2, 3, 4]) await until(`${n}.gif`, "done");
    expect(server.state.mostUnderWay).toBe(SLICES_AT_ONCE);
    expect(stored()).toHaveLength(4);
  });

  it("tell whoever listens what they have become", async () => {
    const { queue, until } = queueBefore(server);
    const arrived: string[] = [];
    queue.onArrival((item, row) => arrived.push(`${item.uuid} ${row.name} ${row.state}`));
    await queue.add(alone(picture("a.gif", 10)), ROOT);
    await until("a.gif", "done");
    expect(arrived).toEqual(["item-1 a.gif done"]);
  });

  it("bring their still picture, and do without where there is none", async () => {
    const still = new Blob([Buffer.alloc(7)], { type: "image/webp" });
    const makeStill = async (file: File) => {
      if (file.name === "bad.gif") throw new Error("cannot be drawn");
      return still;
    };
    const { queue, until } = queueBefore(server, { makeStill });
    await queue.add(alone(picture("good.gif", 10), picture("bad.gif", 12)), ROOT);
    await until("good.gif", "done");
    await until("bad.gif", "done");
    expect(server.stills).toEqual(["item-1 7"]);
  });

  it("lie in the folders that they came in, each made once, and in those that are there", async () => {
    server.folders.push({ uuid: "known", parent_uuid: "root", name: "known" });
    const { queue, until } = queueBefore(server);
    const at = (name: string, ...path: string[]) => ({ file: picture(name, name.length * 10), path });
    await queue.add(
      [at("a.gif", "known"), at("bb.gif", "new", "in"), at("ccc.gif", "new", "in"), at("dddd.gif", "new")],
      ROOT,
    );
    for (const name of ["a.gif", "bb.gif", "ccc.gif", "dddd.gif"]) await until(name, "done");
    expect(server.folders.map(({ name }) => name)).toEqual(["", "known", "new", "in"]);
    const [, , outer, inner] = server.folders.map(({ uuid }) => uuid);
    const where = [...server.items.values()].map(({ bytes, folder }) => `${bytes.length} ${folder}`);
    expect(where.sort()).toEqual([`50 known`, `60 ${inner}`, `70 ${inner}`, `80 ${outer}`].sort());
  });
});

describe("what cannot be stored", () => {
  it.each([
    ["nothing", () => new File([], "empty.gif"), "errors.upload.empty"],
    [
      "a page that is called a picture",
      () => new File(["<!doctype html><script>"], "a.png"),
      "errors.upload.kind",
    ],
    ["a file over the library's room", () => picture("big.gif", 101), "errors.upload.capacity"],
    [
      "a file over the limit",
      () => Object.defineProperty(picture("huge.gif", 10), "size", { value: UPLOAD_MAX_BYTES + 1 }),
      "errors.upload.tooLarge",
    ],
    [
      "a file that cannot be read",
      () =>
        Object.defineProperty(picture("folder.gif", 10), "slice", {
          value: () => ({ arrayBuffer: () => Promise.reject(new Error("NotReadableError")) }),
        }),
      "uploads.problem.unreadable",
    ],
  ])("is refused without a request: %s", async (_what, make, key) => {
    const { queue } = queueBefore(server);
    queue.setRoom(null, 100);
    if (key === "errors.upload.tooLarge") queue.setRoom(null, UPLOAD_MAX_BYTES * 2);
    await queue.add(alone(make()), ROOT);
    expect(queue.getSnapshot().rows).toMatchObject([{ state: "refused", problem: { key } }]);
    expect(server.requests).toEqual([]);
  });

  it("is whatever is more than the library's room together with what is on its way", async () => {
    const { queue, until, row } = queueBefore(server);
    queue.setRoom(null, 100);
    await queue.add(alone(picture("a.gif", 60, 1), picture("b.gif", 60, 2), picture("c.gif", 40, 3)), ROOT);
    expect(row("b.gif")?.problem?.key).toBe("errors.upload.capacity");
    await until("a.gif", "done");
    await until("c.gif", "done");
    // The page has heard of the two since; nothing counts twice.
    queue.setRoom(null, 60);
    await queue.add(alone(picture("d.gif", 60, 4)), ROOT);
    await until("d.gif", "done");
  });

  it("is a kind that is of no use where it was chosen", async () => {
    const { queue, row } = queueBefore(server);
    await queue.add(alone(picture("a.gif", 10)), ROOT, { kinds: ["model", "splat"] });
    expect(row("a.gif")?.problem?.key).toBe("uploads.problem.notHere");
    expect(server.requests).toEqual([]);
  });

  it.each([
    ["upload_damaged", "errors.upload.damaged", 0],
    ["upload_kind", "errors.upload.kind", 0],
    // What it does not know is given up on the server as well.
    ["upload_part_size", "uploads.problem.refused", 1],
  ])("is told by the server where only it can know: %s", async (code, key, deletions) => {
    const kept = memoryFiles();
    const { queue, until, row } = queueBefore(server, { kept });
    server.state.refuse = (what) => (what === "POST complete" ? { status: 400, code } : undefined);
    await queue.add(alone(picture("a.gif", 10)), ROOT);
    await until("a.gif", "refused");
    expect(row("a.gif")?.problem?.key).toBe(key);
    await waitFor(() => server.requests.filter((what) => what.startsWith("DELETE")).length === deletions);
    expect(kept.files.size).toBe(0);
  });

  it("can be tried again when the library had no room", async () => {
    const { queue, until, idOf } = queueBefore(server);
    server.state.refuse = (what) =>
      what === "POST uploads" ? { status: 403, code: "library_capacity" } : undefined;
    await queue.add(alone(picture("a.gif", 10)), ROOT);
    await until("a.gif", "failed");
    server.state.refuse = () => undefined;
    queue.goOn(idOf("a.gif"));
    await until("a.gif", "done");
  });
});

describe("a slice that fails", () => {
  it.each([
    ["the network", "drop" as const],
    ["the server", { status: 503 }],
    ["too many requests", { status: 429 }],
  ])("is sent again after growing waits, because of %s", async (_what, refusal) => {
    const { queue, until, waits } = queueBefore(server);
    let failures = 0;
    server.state.refuse = (what) => (what === "PUT 2" && failures++ < TRIES - 1 ? refusal : undefined);
    const file = picture("a.gif", PART * 3);
    await queue.add(alone(file), ROOT);
    await until("a.gif", "done");
    expect(slices().filter((what) => what === "PUT 2")).toHaveLength(TRIES);
    expect(stored()[0]?.equals(await bytesOf(file))).toBe(true);
    for (const wait of [1000, 2000, 4000, 8000])
      expect(waits.some((each) => Math.abs(each - wait) <= wait / 4)).toBe(true);
  });

  it("waits as long as the server asks", async () => {
    const { queue, until, waits } = queueBefore(server);
    let failures = 0;
    server.state.refuse = (what) =>
      what === "PUT 1" && failures++ === 0 ? { status: 429, headers: { "retry-after": "30" } } : undefined;
    await queue.add(alone(picture("a.gif", 10)), ROOT);
    await until("a.gif", "done");
    expect(waits.some((wait) => wait > 29_000)).toBe(true);
  });

  it("is no failure while the server is still completing the file", async () => {
    const { queue, until, row, waits } = queueBefore(server);
    let refusals = 0;
    const busy = { status: 409, code: "upload_busy" };
    server.state.refuse = (what) => (what === "POST complete" && refusals++ < 20 ? busy : undefined);
    await queue.add(alone(picture("a.gif", 10)), ROOT);
    await until("a.gif", "done");
    expect(refusals).toBe(21);
    expect(waits.filter((wait) => wait === 5000)).toHaveLength(20);
    server.state.refuse = (what) => (what === "POST complete" ? busy : undefined);
    await queue.add(alone(picture("b.gif", 10, 2)), ROOT);
    await until("b.gif", "failed");
    expect(row("b.gif")?.problem?.key).toBe("uploads.problem.network");
  });

  it("leaves the others alone, and its file can be tried again from where it was", async () => {
    const { queue, until, row, idOf } = queueBefore(server);
    server.state.refuse = (what) => (what === "PUT 3" ? { status: 500 } : undefined);
    await queue.add(alone(picture("bad.gif", PART * 4, 1), picture("good.gif", PART, 2)), ROOT);
    await until("good.gif", "done");
    await until("bad.gif", "failed");
    expect(row("bad.gif")).toMatchObject({ sent: PART * 3, problem: { key: "uploads.problem.network" } });
    expect(slices().filter((what) => what === "PUT 3")).toHaveLength(TRIES);
    server.state.refuse = () => undefined;
    const before = slices().length;
    queue.goOn(idOf("bad.gif"));
    await until("bad.gif", "done");
    expect(slices().slice(before)).toEqual(["PUT 3"]);
  });

  it("asks for its file again when that cannot be read any more", async () => {
    const { queue, until, row } = queueBefore(server);
    const free = holdSlices();
    const file = picture("a.gif", PART * 2);
    await queue.add(alone(file), ROOT);
    await waitFor(() => slices().length === 2);
    Object.defineProperty(file, "slice", {
      value: () => ({ arrayBuffer: () => Promise.reject(new Error("NotReadableError")) }),
    });
    server.state.refuse = (what) => (what === "PUT 2" ? "drop" : undefined);
    free();
    await until("a.gif", "missing");
    server.state.refuse = () => undefined;
    await queue.supply(row("a.gif")?.id ?? "", picture("a.gif", PART * 2));
    await until("a.gif", "done");
  });
});

describe("somebody", () => {
  it("pauses a file, and goes on with what is missing", async () => {
    const { queue, until, row, idOf } = queueBefore(server);
    const file = picture("a.gif", PART * 6);
    server.state.hold = (what) =>
      what === "PUT 1" || what === "PUT 2" ? undefined : new Promise((done) => setTimeout(done, 100));
    await queue.add(alone(file), ROOT);
    await waitFor(() => (row("a.gif")?.sent ?? 0) >= PART * 2);
    queue.pause(idOf("a.gif"));
    await new Promise((done) => setTimeout(done, 200));
    const before = slices().length;
    expect(row("a.gif")?.state).toBe("paused");
    server.state.hold = () => undefined;
    queue.goOnAll(ROOT.group);
    await until("a.gif", "done");
    expect(slices().slice(before)).not.toContain("PUT 1");
    expect(stored()[0]?.equals(await bytesOf(file))).toBe(true);
  });

  it("cancels a file, which the server forgets, also when it is only just being begun", async () => {
    const kept = memoryFiles();
    const { queue, until, idOf } = queueBefore(server, { kept });
    const free = holdSlices();
    await queue.add(alone(picture("a.gif", PART * 2)), ROOT);
    await waitFor(() => slices().length === 2);
    queue.cancel(idOf("a.gif"));
    await until("a.gif", "gone");
    await waitFor(() => server.uploads.size === 0);
    free();
    let open = () => {};
    server.state.hold = (what) =>
      what === "POST uploads" ? new Promise<void>((done) => (open = done)) : undefined;
    const asked = server.requests.length;
    await queue.add(alone(picture("b.gif", PART)), ROOT);
    await waitFor(() => server.requests.length > asked);
    queue.cancel(idOf("b.gif"));
    open();
    await waitFor(() => server.requests.filter((what) => what.startsWith("DELETE")).length === 2);
    expect([server.uploads.size, server.items.size, kept.files.size]).toEqual([0, 0, 0]);
  });

  it("loses the connection and has it again: nothing counts as a failure", async () => {
    const { queue, until, net, row } = queueBefore(server);
    server.state.refuse = (what) => (what.startsWith("PUT") && !net.isOnline ? "drop" : undefined);
    const free = holdSlices();
    await queue.add(alone(picture("a.gif", PART * 3)), ROOT);
    await waitFor(() => slices().length === 3);
    net.isOnline = false;
    queue.setOnline(false);
    free();
    expect(queue.getSnapshot().halted).toBe("offline");
    await new Promise((done) => setTimeout(done, 100));
    expect(row("a.gif")).toMatchObject({ state: "sending", isTroubled: false });
    net.isOnline = true;
    queue.setOnline(true);
    await until("a.gif", "done");
    expect(queue.getSnapshot().halted).toBe(null);
  });

  it("is logged out meanwhile: the queue says so, keeps everything, and goes on after a log-in", async () => {
    const { queue, until, row } = queueBefore(server);
    let isOut = true;
    server.state.refuse = (what) => (isOut && what.startsWith("PUT") ? { status: 401 } : undefined);
    await queue.add(alone(picture("a.gif", PART * 2)), ROOT);
    await waitFor(() => queue.getSnapshot().halted === "signedOut");
    expect(row("a.gif")?.state).toBe("sending");
    queue.tryAgain();
    await waitFor(() => queue.getSnapshot().halted === "signedOut");
    isOut = false;
    queue.tryAgain();
    await until("a.gif", "done");
  });

  it("chooses a file twice and has it once", async () => {
    const { queue, until } = queueBefore(server);
    const free = holdSlices();
    await queue.add(alone(picture("a.gif", PART * 2)), ROOT);
    await queue.add(alone(picture("a.gif", PART * 2)), ROOT);
    expect(queue.getSnapshot().rows).toHaveLength(1);
    free();
    await until("a.gif", "done");
  });

  it("closes the form that asked for a file: the shelf shows it from then on", async () => {
    const { queue, row } = queueBefore(server);
    const free = holdSlices();
    await queue.add(alone(picture("a.gif", 10)), { ...ROOT, group: "form" });
    queue.adopt("form");
    expect(row("a.gif")?.group).toBe(ROOT.group);
    free();
  });
});

describe("after a reload", () => {
  /** A page that goes away in the middle of a file, of which two slices have arrived. */
  async function brokenOff(kept = memoryFiles(), file = picture("a.gif", PART * 5)) {
    const page = queueBefore(server, { kept });
    let held = 0;
    server.state.hold = (what) => {
      if (!/^PUT [345]$/.test(what)) return undefined;
      held += 1;
      return new Promise(() => {});
    };
    await page.queue.add(alone(file), ROOT);
    await waitFor(() => page.row("a.gif")?.sent === PART * 2 && held === 3);
    page.queue.stop();
    server.state.hold = () => undefined;
    server.requests.length = 0;
    return { kept, file };
  }

  it("a file goes on by itself from the slices that are missing", async () => {
    const { kept, file } = await brokenOff();
    const { queue, until } = queueBefore(server, { kept });
    await queue.restore();
    await until("a.gif", "done");
    expect(slices().sort()).toEqual(["PUT 3", "PUT 4", "PUT 5"]);
    expect(stored()[0]?.equals(await bytesOf(file))).toBe(true);
    expect(kept.files.size).toBe(0);
  });

  it("a file that was paused waits, and one whose upload is gone is forgotten", async () => {
    const { kept } = await brokenOff();
    for (const id of kept.files.keys()) await kept.note(id, { isPaused: true });
    const page = queueBefore(server, { kept });
    await page.queue.restore();
    expect(page.row("a.gif")).toMatchObject({ state: "paused", sent: PART * 2 });
    page.queue.stop();
    server.uploads.clear();
    const later = queueBefore(server, { kept });
    await later.queue.restore();
    expect(later.queue.getSnapshot().rows).toEqual([]);
    expect(kept.files.size).toBe(0);
  });

  it("a file that was not kept is asked for: another is refused, the same one goes on", async () => {
    const { file } = await brokenOff();
    const { queue, until, row, idOf } = queueBefore(server);
    await queue.restore();
    expect(row("a.gif")).toMatchObject({ state: "missing", sent: PART * 2 });
    await queue.supply(idOf("a.gif"), picture("a.gif", PART * 5, 9));
    expect(row("a.gif")?.problem?.key).toBe("uploads.problem.otherFile");
    await queue.supply(idOf("a.gif"), file);
    await until("a.gif", "done");
    expect(slices()).toHaveLength(3);
    expect(stored()[0]?.equals(await bytesOf(file))).toBe(true);
  });

  it("a file that is simply added again goes on as well, wherever it is added", async () => {
    const { file } = await brokenOff();
    const { queue, until } = queueBefore(server);
    await queue.restore();
    await queue.add(alone(file), { ...ROOT, folderId: "elsewhere" });
    expect(queue.getSnapshot().rows).toHaveLength(1);
    await until("a.gif", "done");
    expect(slices()).toHaveLength(3);
  });

  it("what another tab has in hand, or another person chose, is left alone", async () => {
    const { kept } = await brokenOff();
    const inOtherTab = queueBefore(server, { kept, claim: async () => null });
    await inOtherTab.queue.restore();
    expect(inOtherTab.queue.getSnapshot().rows).toEqual([]);
    for (const [id, file] of kept.files) kept.files.set(id, { ...file, userId: "another" });
    server.uploads.clear();
    const { queue } = queueBefore(server, { kept });
    await queue.restore();
    expect(queue.getSnapshot().rows).toEqual([]);
    expect(kept.files.size).toBe(1);
  });

  it("a file whose upload the server has forgotten is begun anew once", async () => {
    const { queue, until, row } = queueBefore(server);
    const free = holdSlices();
    const file = picture("a.gif", PART * 2);
    await queue.add(alone(file), ROOT);
    await waitFor(() => slices().length === 2);
    server.uploads.clear();
    free();
    await until("a.gif", "done");
    expect(stored()[0]?.equals(await bytesOf(file))).toBe(true);
    server.state.refuse = (what) => (what === "PUT 1" ? { status: 404, code: "upload_gone" } : undefined);
    await queue.add(alone(picture("b.gif", 10)), ROOT);
    await until("b.gif", "failed");
    expect(row("b.gif")?.problem?.key).toBe("uploads.problem.gone");
  });

  it("a slice that the server lost is sent again, and a lost answer makes no second item", async () => {
    const { queue, until } = queueBefore(server);
    let completions = 0;
    server.state.hold = (what) => {
      if (what === "POST complete" && ++completions === 1)
        for (const { parts } of server.uploads.values()) parts.delete(2);
      return undefined;
    };
    server.state.refuse = (what) => (what === "POST complete" && completions === 2 ? "lose" : undefined);
    const file = picture("a.gif", PART * 3);
    await queue.add(alone(file), ROOT);
    await until("a.gif", "done");
    expect(slices().filter((what) => what === "PUT 2")).toHaveLength(2);
    expect(completions).toBe(3);
    expect(stored()).toHaveLength(1);
    expect(stored()[0]?.equals(await bytesOf(file))).toBe(true);
  });
});
