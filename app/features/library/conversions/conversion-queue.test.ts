import { expect, it } from "vitest";
import type { Conversion, FileFacts } from "../prepare/contract";
import { ConversionQueue } from "./conversion-queue";
import type { ConversionRow } from "./model";

/** Converts a file of 1,000 bytes to one of other facts. @returns how it ended, and the addresses that were called */
async function convert(mimeType: string, after: FileFacts, notes: Conversion["notes"] = []) {
  const calls: { path: string; body: unknown }[] = [];
  const blob = new Blob([new Uint8Array(after.bytes)]);
  const answer = async (path: string, body?: unknown) => {
    calls.push({ path: path.split("/preparation")[1] ?? "", body });
    return {
      status: path.endsWith("preparation") ? 201 : 200,
      body: { run_uuid: "run", quality: 1, file_url: "/f" },
    };
  };
  const queue = new ConversionQueue({
    api: { json: (_method, path, body) => answer(path, body), bytes: (path) => answer(path) },
    fetchFile: async () => new Blob([new Uint8Array(1000)]),
    converterOf: async () => async () => ({
      files: [{ role: "display", name: "a.glb", kind: "model", mimeType: "model/gltf-binary", blob }],
      before: { bytes: 1000, triangles: 900_000 },
      after,
      losses: [],
      notes,
    }),
    draw: async () => new Blob(),
    urlOf: () => "",
    revoke() {},
    holder: "tab",
    attempts: { begin: () => 0, end() {} },
    wait: (_milliseconds, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
  });
  const request = { itemId: "i", name: "a", mimeType, kind: "model", file: null, quality: null } as const;
  const row = await new Promise<ConversionRow>((resolve) => {
    queue.onEnd(resolve);
    queue.add({ ...request, asks: false, takesStill: false });
  });
  return { row, calls };
}

it("a result that is larger than the original is not sent, and the server hears why", async () => {
  const { row, calls } = await convert("model/gltf-binary", { bytes: 1200, triangles: 900_000 });
  expect([row.state, row.code]).toEqual(["failed", "not_smaller"]);
  expect(calls.map(({ path }) => path)).toEqual(["", "/fail"]);
  expect(calls[1]?.body).toMatchObject({ code: "not_smaller" });
});

it.each([
  ["it has far fewer triangles", "model/gltf-binary", 400_000],
  ["browsers cannot show the original", "model/obj", 900_000],
])("a larger result is kept where %s", async (_why, mimeType, triangles) => {
  const { row } = await convert(mimeType, { bytes: 1200, triangles });
  expect(row.state).toBe("done");
});

it("the report that is sent holds the notes", async () => {
  const notes = [{ key: "unit_guessed", values: { unit: "mm" } }] as const;
  const { calls } = await convert("model/obj", { bytes: 10 }, notes);
  expect(calls.find(({ path }) => path === "/finish")?.body).toMatchObject({ notes });
});
