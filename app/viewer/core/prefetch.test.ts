import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ViewerSource } from "./contract";
import { consumePrefetched, prefetch } from "./prefetch";

let requestCount = 0;
const server = createServer((_request, response) => {
  requestCount++;
  response.end("space");
});
let url = "";
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/space.glb`;
});
afterAll(() => {
  server.close();
});
const model = (): ViewerSource => ({ kind: "model", url, eyeHeight: 1.6, start: null });

test("a prefetched response is requested once and returned to the first caller only", async () => {
  prefetch(model(), new AbortController().signal);
  const response = consumePrefetched(url);
  expect(consumePrefetched(url)).toBeNull();
  expect(await (await response)?.text()).toBe("space");
  expect(requestCount).toBe(1);
});

test("an aborted prefetch is removed", async () => {
  const abort = new AbortController();
  prefetch(model(), abort.signal);
  abort.abort();
  expect(consumePrefetched(url)).toBeNull();
});
