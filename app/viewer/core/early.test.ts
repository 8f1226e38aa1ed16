import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ViewerSource } from "./contract";
import { askEarly, takeEarly } from "./early";

let asked = 0;
const server = createServer((_request, response) => {
  asked++;
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

test("what was asked for early is answered to the first who takes it, and asked for once", async () => {
  askEarly(model(), new AbortController().signal);
  const answer = takeEarly(url);
  expect(takeEarly(url)).toBeNull();
  expect(await (await answer)?.text()).toBe("space");
  expect(asked).toBe(1);
});

test("nothing is left of what nobody wants any more", async () => {
  const abort = new AbortController();
  askEarly(model(), abort.signal);
  abort.abort();
  expect(takeEarly(url)).toBeNull();
});
