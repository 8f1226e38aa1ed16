import { expect, it } from "vitest";
import { type Conversion, ConversionError } from "../prepare/conversion";
import { BUSY_RETRY_MS, type ConversionDeps, ConversionQueue } from "./conversion-queue";
import { type ConversionRequest, type ConversionRow, isEndedConversionState } from "./conversion-state";

const REQUEST = {
  itemId: "0190c6a0-0000-7000-8000-000000000001",
  name: "Chair.glb",
  mimeType: "model/gltf-binary",
  kind: "model",
  file: new File(["original"], "Chair.glb"),
  quality: null,
  needsComparison: false,
  updatesThumbnail: false,
} satisfies ConversionRequest;

const RESULT: Conversion = {
  files: [
    {
      role: "display",
      name: "model.glb",
      kind: "model",
      mimeType: "model/gltf-binary",
      blob: new Blob(["display"]),
    },
  ],
  before: { bytes: 8, triangles: 100 },
  after: { bytes: 7, triangles: 10 },
  losses: [],
  notes: [{ key: "unit_guessed", values: { unit: "mm" } }],
};

/** Converts one file, and returns its final row and the calls that the server received. */
async function convert(
  result: Conversion,
  request: Partial<ConversionRequest> = {},
  overrideDeps: (deps: ConversionDeps) => Partial<ConversionDeps> = () => ({}),
  onChange: (queue: ConversionQueue) => void = () => {},
  /** Another item that is queued before the file. */
  earlierItemId?: string,
) {
  const calls: { readonly path: string; readonly body: unknown }[] = [];
  const respond = async (path: string, body: unknown) => {
    calls.push({ path: path.split("?")[0]?.split("/").at(-1) ?? "", body });
    const isStart = path.endsWith("/preparation");
    return {
      status: 200,
      body: isStart ? { state: "started", run_uuid: "run", quality: 0.7, file_url: "" } : {},
    };
  };
  const deps: ConversionDeps = {
    api: { json: (_method, path, body) => respond(path, body), bytes: (path) => respond(path, null) },
    fetchFile: () => Promise.reject(new Error("The page has the file.")),
    getConverter: async () => async () => result,
    canDraw: () => true,
    draw: async () => new Blob(["frame"]),
    createObjectUrl: () => "",
    revokeObjectUrl: () => {},
    holder: "tab",
    attempts: { begin: () => 0, end: () => {} },
    wait: (_milliseconds, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
  };
  const queue = new ConversionQueue({ ...deps, ...overrideDeps(deps) });
  const row = await new Promise<ConversionRow>((resolve) => {
    queue.onEnd(resolve);
    queue.subscribe(() => onChange(queue));
    if (earlierItemId) queue.add({ ...REQUEST, itemId: earlierItemId });
    queue.add({ ...REQUEST, ...request });
  });
  expect(isEndedConversionState(row.state)).toBe(true);
  return { row, calls };
}

it("sends the file of a conversion, its measurements and its notes", async () => {
  const { row, calls } = await convert(RESULT);
  expect(row).toMatchObject({ state: "done", code: null });
  expect(calls.map(({ path }) => path)).toEqual(["preparation", "file", "finish"]);
  expect(calls.at(-1)?.body).toMatchObject({
    before: RESULT.before,
    after: RESULT.after,
    notes: RESULT.notes,
  });
});

it("keeps a file that its conversion does not make smaller", async () => {
  const heavier = { ...RESULT, after: { bytes: 9, triangles: 100 } };
  const { row, calls } = await convert(heavier);
  expect(row).toMatchObject({ state: "failed", code: "not_lighter" });
  expect(calls.at(-1)).toEqual({ path: "fail", body: { run_uuid: "run", code: "not_lighter" } });
  // A file that browsers cannot show is converted in any case.
  expect((await convert(heavier, { mimeType: "model/obj" })).row.state).toBe("done");
  // A smaller version that is shown first is also useful.
  const [display] = heavier.files;
  const preview = { ...display, role: "preview", name: "preview.glb" } as (typeof RESULT.files)[number];
  expect((await convert({ ...heavier, files: [...heavier.files, preview] })).row.state).toBe("done");
});

it("does not send a file that this browser could not draw", async () => {
  const { row, calls } = await convert(RESULT, {}, () => ({ draw: async () => null }));
  expect(row).toMatchObject({ state: "failed", code: "not_drawn" });
  expect(calls.map(({ path }) => path)).toEqual(["preparation", "fail"]);
});

it("leaves a file that this browser could not draw to another browser", async () => {
  const { row, calls } = await convert(RESULT, {}, () => ({ canDraw: () => false }));
  expect(row).toMatchObject({ state: "failed", code: "no_webgl" });
  expect(calls).toEqual([]);
});

it("reports that a conversion ran out of memory", async () => {
  const getConverter = async () => () =>
    Promise.reject(new ConversionError("out_of_memory", "RangeError: Array buffer allocation failed"));
  const { row, calls } = await convert(RESULT, {}, () => ({ getConverter }));
  expect(row).toMatchObject({ state: "failed", code: "out_of_memory" });
  expect(calls.at(-1)).toEqual({ path: "fail", body: { run_uuid: "run", code: "out_of_memory" } });
});

it("converts again in another quality while the owner compares, and sends only the result that is kept", async () => {
  const decisions = [{ quality: 0.3 }, "keep" as const];
  const { row, calls } = await convert(RESULT, { needsComparison: true }, undefined, (queue) => {
    if (queue.getRows()[0]?.state !== "asking") return;
    const decision = decisions.shift();
    if (decision) queueMicrotask(() => queue.decide(REQUEST.itemId, decision));
  });
  expect(row.state).toBe("done");
  expect(calls.map(({ path }) => path)).toEqual(["preparation", "preparation", "file", "finish"]);
  expect(calls[1]?.body).toMatchObject({ quality: 0.3 });
});

it("ends only once when it is cancelled while the server assigns the file", async () => {
  let currentQueue: ConversionQueue | null = null;
  const states: (string | undefined)[] = [];
  const { calls } = await convert(
    RESULT,
    {},
    (deps) => ({
      api: {
        ...deps.api,
        json: async (method, path, body) => {
          if (path.endsWith("/preparation")) currentQueue?.cancel(REQUEST.itemId);
          return deps.api.json(method, path, body);
        },
      },
    }),
    (queue) => {
      currentQueue = queue;
      states.push(queue.getRows()[0]?.state);
    },
  );
  await new Promise((resolve) => setTimeout(resolve));
  expect(states).toEqual(["waiting", "failed"]);
  expect(calls.at(-1)).toEqual({ path: "fail", body: { run_uuid: "run", code: "cancelled" } });
});

it("does not convert a file again after this browser crashed twice during its conversion", async () => {
  const { row } = await convert(RESULT, {}, () => ({ attempts: { begin: () => 2, end: () => {} } }));
  expect(row).toMatchObject({ state: "failed", code: "out_of_memory" });
});

it("continues when the browser that had the file no longer responds", async () => {
  let waitCount = 0;
  const { row, calls } = await convert(RESULT, {}, (deps) => ({
    api: {
      ...deps.api,
      json: async (method, path, body) => {
        if (method === "GET") return { status: 200, body: { state: "waiting" } };
        if (path.endsWith("/preparation") && waitCount < 3) return { status: 200, body: { state: "busy" } };
        return deps.api.json(method, path, body);
      },
    },
    wait: async (milliseconds, signal) => {
      // Renewals of the claim are not counted.
      if (milliseconds !== BUSY_RETRY_MS) return deps.wait(milliseconds, signal);
      waitCount++;
    },
  }));
  expect(waitCount).toBe(3);
  expect(row.state).toBe("done");
  expect(calls.map(({ path }) => path)).toEqual(["preparation", "file", "finish"]);
});

it("converts other files while another browser has one", async () => {
  const BUSY_ITEM_ID = "0190c6a0-0000-7000-8000-000000000002";
  const states: string[] = [];
  const { row } = await convert(
    RESULT,
    {},
    (deps) => ({
      api: {
        ...deps.api,
        json: async (method, path, body) =>
          path.includes(BUSY_ITEM_ID)
            ? { status: 200, body: { state: "busy" } }
            : deps.api.json(method, path, body),
      },
    }),
    (queue) => states.push(queue.getRows().find(({ itemId }) => itemId === BUSY_ITEM_ID)?.state ?? ""),
    BUSY_ITEM_ID,
  );
  expect(row).toMatchObject({ itemId: REQUEST.itemId, state: "done" });
  expect(states.at(-1)).toBe("busy");
});

it.each([
  ["failed", { state: "failed", code: "damaged" }, "damaged"],
  ["was skipped in favour of the original", { state: "skipped", code: null }, "cancelled"],
])(
  "does not report a file as converted when its conversion in another browser %s",
  async (_name, view, code) => {
    const { row } = await convert(RESULT, {}, (deps) => ({
      api: {
        ...deps.api,
        json: async (method) => ({ status: 200, body: method === "GET" ? view : { state: "busy" } }),
      },
      wait: async () => {},
    }));
    expect(row).toMatchObject({ state: "failed", code });
  },
);

it("does not report a file as converted when the session ends while another browser converts it", async () => {
  const { row } = await convert(RESULT, {}, (deps) => ({
    api: {
      ...deps.api,
      json: async (method) =>
        method === "GET"
          ? { status: 401, body: { code: "unauthorized" } }
          : { status: 200, body: { state: "busy" } },
    },
    wait: async () => {},
  }));
  expect(row).toMatchObject({ state: "failed", code: null });
});
