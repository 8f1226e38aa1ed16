/** The browser's implementation of the editor's ports: API requests and timers. */

import type { EventContent } from "~/domain/content/content";
import { changeFromJson, commandToJson, type Json, resultFromJson } from "~/domain/content/content-json";
import { LEAVING_CALL_BYTES_MAX } from "~/domain/shared/limits";
import type { Uuid } from "~/domain/shared/model";
import { createEditor, type Editor } from "~/features/content/editor/editor";
import type { CallResult, EditorPorts } from "~/features/content/editor/ports";

/** Time without response data after which a request is lost, in milliseconds. The upload of the request gets more time. */
const REQUEST_TIMEOUT_MS = 20_000;
/** Lowest supported upload rate: a request of one megabyte gets two more minutes. */
const SLOWEST_BYTES_PER_MS = 8;

/** Timeout until the response to a request of this many bytes begins, in milliseconds. */
export const requestTimeout = (bytes: number): number => REQUEST_TIMEOUT_MS + bytes / SLOWEST_BYTES_PER_MS;

/** Reads a response's text. There is no time limit while data keeps arriving. @param onProgress called with every chunk */
async function readText(response: Response, onProgress: () => void): Promise<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const chunk = await reader?.read();
    if (!chunk || chunk.done) return text;
    text += chunk.value;
    onProgress();
  }
}

/**
 * Sends a request and reads its JSON response.
 * @param bytes size of the request's body
 */
async function requestJson<T extends object>(
  url: string,
  init: RequestInit,
  read: (json: Json) => T,
  bytes = 0,
): Promise<CallResult<T>> {
  const timeout = new AbortController();
  const abort = () => timeout.abort();
  let timer = setTimeout(abort, requestTimeout(bytes));
  const onProgress = () => {
    clearTimeout(timer);
    timer = setTimeout(abort, REQUEST_TIMEOUT_MS);
  };
  try {
    const response = await fetch(url, { ...init, signal: timeout.signal });
    onProgress();
    // Server errors and rate limits are temporary; any other status is final.
    if (response.status >= 500 || response.status === 429) return { state: "lost" };
    if (response.status === 413) return { state: "too_large" };
    if (!response.ok) return { state: "rejected" };
    return { state: "done", ...read(JSON.parse(await readText(response, onProgress)) as Json) };
  } catch {
    return { state: "lost" };
  } finally {
    clearTimeout(timer);
  }
}

/** Creates the ports of an event's editor. */
export function createBrowserPorts(eventId: Uuid): EditorPorts {
  const baseUrl = `/api/v1/events/${eventId}`;
  return {
    send: (commands, { isPageLeaving }) => {
      const body = new Blob([JSON.stringify({ commands: commands.map(commandToJson) })], {
        type: "application/json",
      });
      return requestJson(
        `${baseUrl}/content`,
        { method: "POST", body, keepalive: isPageLeaving && body.size <= LEAVING_CALL_BYTES_MAX },
        // `seq` is the number of the last change of the event, and `callId` the id that all changes of this request share.
        (json) => ({
          seq: Number(json.seq),
          callId: String(json.act),
          results: (json.results as readonly Json[]).map(resultFromJson),
        }),
        body.size,
      );
    },
    changes: (after) =>
      requestJson(`${baseUrl}/changes?after=${after}`, {}, (json) => ({
        seq: Number(json.seq),
        changes: (json.changes as readonly Json[]).map(changeFromJson),
        more: json.more === true,
      })),
    schedule: (ms, run) => {
      const timer = window.setTimeout(run, ms);
      return () => window.clearTimeout(timer);
    },
    now: () => performance.now(),
    isVisible: () => document.visibilityState === "visible",
  };
}

/** Creates the editor of an event's content in a browser. */
export const createBrowserEditor = (eventId: Uuid, userId: Uuid, content: EventContent): Editor =>
  createEditor({ eventId, userId, content, ports: createBrowserPorts(eventId) });
