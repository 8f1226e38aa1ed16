import type { Page } from "playwright-core";

interface MockResponse {
  readonly type: string;
  readonly body: string;
}

interface MockRequest {
  readonly url: string;
  readonly method: string;
  /** Whether a frame is to show the answer. */
  readonly isNavigation: boolean;
}

/**
 * Answers for other sites in the frames of a page, and is asked for no other request: with Playwright's own routes each one
 * would wait for this process, and the browser would keep nothing that it has fetched.
 * @param origins what their addresses begin with
 * @param respond the page that is shown, or a file that any site may read; null makes the request fail
 */
export async function mockOrigins(
  page: Page,
  origins: readonly string[],
  respond: (request: MockRequest) => string | MockResponse | null,
): Promise<void> {
  const client = await page.context().newCDPSession(page);
  client.on("Fetch.requestPaused", ({ requestId, request: { url, method }, resourceType }) => {
    const result = respond({ url, method, isNavigation: resourceType === "Document" });
    const { type, body } =
      typeof result === "string" ? { type: "text/html; charset=utf-8", body: result } : (result ?? {});
    const sending =
      type === undefined
        ? client.send("Fetch.failRequest", { requestId, errorReason: "Failed" })
        : client.send("Fetch.fulfillRequest", {
            requestId,
            responseCode: 200,
            responseHeaders: [
              { name: "content-type", value: type },
              { name: "access-control-allow-origin", value: "*" },
              { name: "access-control-allow-headers", value: "*" },
            ],
            body: Buffer.from(body).toString("base64"),
          });
    // The page may be gone.
    sending.catch(() => {});
  });
  await client.send("Fetch.enable", { patterns: origins.map((site) => ({ urlPattern: `${site}*` })) });
}
