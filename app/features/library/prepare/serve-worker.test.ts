import { afterEach, expect, it, vi } from "vitest";
import { ConversionError } from "./conversion";
import type { WorkerMessage } from "./run-worker";
import { serveWorker } from "./serve-worker";

afterEach(() => void vi.unstubAllGlobals());

it.each([
  ["Failed to fetch dynamically imported module: https://hiroba.test/assets/load-ifc.js", null],
  ["error loading dynamically imported module: https://hiroba.test/assets/load-ifc.js", null],
  ["Importing a module script failed.", null],
  ["Cannot read properties of undefined", "damaged"],
])("reports the error %j with the code %s", async (text, code) => {
  const messages: WorkerMessage<unknown>[] = [];
  const scope = Object.assign(new EventTarget(), {
    postMessage: (message: WorkerMessage<unknown>) => messages.push(message),
  });
  vi.stubGlobal("self", scope);
  serveWorker(
    () => Promise.reject(new TypeError(text)),
    (error) => new ConversionError("damaged", String(error)),
  );
  scope.dispatchEvent(new MessageEvent("message", { data: null }));
  await vi.waitFor(() => expect(messages.at(-1)?.type).toBe("failed"));
  expect(messages.at(-1)).toMatchObject({ code });
});
