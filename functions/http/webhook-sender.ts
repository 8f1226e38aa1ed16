import type { SendToWebhookEndpoint, WebhookResponse } from "#functions/services/webhooks/webhook-ports";
import { RESPONSE_MAX, SEND_TIMEOUT_MS } from "~/domain/webhooks/webhooks";

/**
 * Sends messages to webhook endpoints, which are untrusted servers: it follows no redirect, waits at most SEND_TIMEOUT_MS, and reads only the
 * beginning of a response.
 */
export function createWebhookSender(deps: {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly timeoutMs?: number;
}): SendToWebhookEndpoint {
  const { timeoutMs = SEND_TIMEOUT_MS } = deps;
  return async (url, headers, body, maxCharacters = RESPONSE_MAX): Promise<WebhookResponse> => {
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const response = await deps.fetch(url, {
        method: "POST",
        headers: {
          ...headers,
          "content-type": "application/json",
          "user-agent": "Hiroba-Webhooks/1",
        },
        body,
        redirect: "manual",
        signal,
      });
      const { status } = response;
      const responseBody = await readBeginning(response, maxCharacters);
      if (response.ok) return { outcome: "delivered", status, answer: responseBody };
      // The outcome "answer" is a response with an error status.
      return { outcome: status >= 300 && status < 400 ? "redirect" : "answer", status, answer: responseBody };
    } catch {
      // Network errors are not shown to the webhook's owner: they could reveal details of internal hosts.
      return { outcome: signal.aborted ? "timeout" : "network", status: null, answer: "" };
    }
  };
}

/** Reads the beginning of a response as printable text and cancels the rest. */
async function readBeginning(response: Response, maxCharacters: number): Promise<string> {
  // A character has at most four bytes in UTF-8.
  const bytesMax = maxCharacters * 4;
  if (!response.body) return "";
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  try {
    while (size < bytesMax) {
      const { done, value } = await reader.read();
      if (done) break;
      text += decoder.decode(value.subarray(0, bytesMax - size), { stream: true });
      size += value.byteLength;
    }
  } catch {
    // The status is known already, so a body that ends early does not matter.
  }
  await reader.cancel().catch(() => {});
  const printable = [...text].filter(
    (character) => character >= " " || character === "\n" || character === "\t",
  );
  return printable.slice(0, maxCharacters).join("").trim();
}
