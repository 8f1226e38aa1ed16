import type { Page } from "playwright-core";

interface MockResponse {
  readonly type: string;
  readonly body: string;
}

interface MockRequest {
  readonly url: string;
  readonly method: string;
  /** Whether the request loads a page into a frame. */
  readonly isNavigation: boolean;
}

/**
 * Responds for other origins in the frames of a page, and intercepts no other request. With Playwright's own routes every request
 * would wait for this process, and the browser's cache would be off.
 * @param origins prefixes of the intercepted URLs
 * @param respond returns the page that is shown, or a file that any origin may read; null makes the request fail
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
    // The page may already be closed.
    sending.catch(() => {});
  });
  await client.send("Fetch.enable", { patterns: origins.map((site) => ({ urlPattern: `${site}*` })) });
}
