import type { SendToWebhookEndpoint, WebhookResponse } from "#functions/services/webhooks/webhook-ports";
import { ANSWER_MAX, SEND_TIMEOUT_MS } from "~/domain/webhooks/webhooks";

/**
 * Sends messages to receivers of webhooks, which may be anybody's servers: no redirect is followed, nobody is waited for longer than
 * SEND_TIMEOUT_MS, and of an answer only its beginning is read.
 */
export function createWebhookSender(deps: {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly timeoutMs?: number;
}): SendToWebhookEndpoint {
  const { timeoutMs = SEND_TIMEOUT_MS } = deps;
  return async (url, headers, body, answerMax = ANSWER_MAX): Promise<WebhookResponse> => {
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
      const answer = await beginning(response, answerMax);
      if (response.ok) return { outcome: "delivered", status, answer };
      return { outcome: status >= 300 && status < 400 ? "redirect" : "answer", status, answer };
    } catch {
      // Whatever went wrong on the way says nothing that its owner could use, and may name what is behind it.
      return { outcome: signal.aborted ? "timeout" : "network", status: null, answer: "" };
    }
  };
}

/** The beginning of an answer as text that can be shown. What is not read is let go. */
async function beginning(response: Response, answerMax: number): Promise<string> {
  // A character has four bytes at most.
  const bytesMax = answerMax * 4;
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
    // The status has come: a body that breaks off changes nothing about it.
  }
  await reader.cancel().catch(() => {});
  const shown = [...text].filter((sign) => sign >= " " || sign === "\n" || sign === "\t");
  return shown.slice(0, answerMax).join("").trim();
}
