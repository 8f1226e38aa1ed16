import { afterEach, expect, it, vi } from "vitest";
import { glbFile, triangle, zeros } from "../../../../tests/support/files/media-files";
import type { WorkerMessage } from "./run-worker";

afterEach(() => void vi.unstubAllGlobals());

it.each([
  ["no response", () => Promise.reject(new TypeError("Failed to fetch"))],
  ["an error of the server", async () => new Response(null, { status: 503 })],
])("does not report a file as damaged when its Draco decoder gets %s", async (_reason, fetchDecoder) => {
  const messages: WorkerMessage<unknown>[] = [];
  const scope = Object.assign(new EventTarget(), {
    postMessage: (message: WorkerMessage<unknown>) => messages.push(message),
  });
  vi.stubGlobal("self", scope);
  vi.stubGlobal("fetch", fetchDecoder);
  vi.resetModules();
  await import("./glb.worker");
  const json = { ...triangle, extensionsUsed: ["KHR_draco_mesh_compression"] };
  const file = new Blob([glbFile({ ...json, buffers: [{ byteLength: 36 }] }, zeros(36)) as BlobPart]);
  scope.dispatchEvent(new MessageEvent("message", { data: { file, quality: 0.7 } }));
  await vi.waitFor(() => expect(messages.at(-1)?.type).toBe("failed"));
  expect(messages.at(-1)).toMatchObject({ code: null });
});
