import { afterEach, expect, test, vi } from "vitest";
import { requestPreview } from "./preview-request";

afterEach(() => vi.unstubAllGlobals());

test("texts that cannot be parsed at the moment have no preview, without any other effect", async () => {
  const { signal } = new AbortController();
  const answers = [
    () => Response.json({ ja: [], en: [{ p: ["Come in"] }] }),
    () => new Response(null, { status: 503 }),
    () => new Response("<!doctype html>"),
    // Without a connection, and when the response redirects to the login page.
    () => Promise.reject(new TypeError("Failed to fetch")),
  ];
  const asked = vi.fn(async (_path: string, _init: RequestInit) => answers.shift()?.());
  vi.stubGlobal("fetch", asked);
  const ask = () => requestPreview("e", { ja: "", en: "Come in" }, signal);
  expect([await ask(), await ask(), await ask(), await ask()]).toEqual([
    { ja: [], en: [{ p: ["Come in"] }] },
    null,
    null,
    null,
  ]);
  expect(asked.mock.calls[0]).toMatchObject(["/event/e/texts", { redirect: "error", signal }]);
});
