import { afterEach, expect, test, vi } from "vitest";
import { requestPreview } from "./preview-request";

afterEach(() => vi.unstubAllGlobals());

test("a request for a preview returns the parsed texts, or null if it fails", async () => {
  const { signal } = new AbortController();
  const responses = [
    () => Response.json({ ja: [], en: [{ p: ["Come in"] }] }),
    () => new Response(null, { status: 503 }),
    () => new Response("<!doctype html>"),
    // Without a connection, and when the response redirects to the login page.
    () => Promise.reject(new TypeError("Failed to fetch")),
  ];
  const fetchMock = vi.fn(async (_path: string, _init: RequestInit) => responses.shift()?.());
  vi.stubGlobal("fetch", fetchMock);
  const request = () => requestPreview("e", { ja: "", en: "Come in" }, signal);
  expect([await request(), await request(), await request(), await request()]).toEqual([
    { ja: [], en: [{ p: ["Come in"] }] },
    null,
    null,
    null,
  ]);
  expect(fetchMock.mock.calls[0]).toMatchObject(["/event/e/texts", { redirect: "error", signal }]);
});
