/** The editor's engine in the browser: calls the API, and waits by the browser's clock. */

import { changeFromJson, commandToJson, type Json, resultFromJson } from "~/domain/content-json";
import type { Uuid } from "~/domain/model";
import type { Answer, EditorPorts } from "~/editor/ports";

/** How long a call may take before it counts as lost, in milliseconds. */
const PATIENCE_MS = 20_000;

/** Bytes of a call that can outlive its page: browsers refuse more, and all such calls together have 64 KB. */
const OUTLIVING_BYTES = 60_000;

/** The ports of an event's editor. */
export function browserPorts(eventId: Uuid): EditorPorts {
  const base = `/api/v1/events/${eventId}`;
  async function call<T extends object>(
    path: string,
    init: RequestInit,
    read: (json: Json) => T,
  ): Promise<Answer<T>> {
    try {
      const response = await fetch(base + path, { ...init, signal: AbortSignal.timeout(PATIENCE_MS) });
      // What the server cannot do now it may do later; everything else is its last word.
      if (response.status >= 500 || response.status === 429) return { state: "lost" };
      if (response.status === 413) return { state: "too_large" };
      if (!response.ok) return { state: "refused" };
      return { state: "done", ...read((await response.json()) as Json) };
    } catch {
      return { state: "lost" };
    }
  }
  return {
    send: (commands, { leaving }) => {
      const body = new Blob([JSON.stringify({ commands: commands.map(commandToJson) })], {
        type: "application/json",
      });
      return call(
        "/content",
        { method: "POST", body, keepalive: leaving && body.size <= OUTLIVING_BYTES },
        (json) => ({
          seq: Number(json.seq),
          act: String(json.act),
          results: (json.results as readonly Json[]).map(resultFromJson),
        }),
      );
    },
    changes: (after) =>
      call(`/changes?after=${after}`, {}, (json) => ({
        seq: Number(json.seq),
        changes: (json.changes as readonly Json[]).map(changeFromJson),
        more: json.more === true,
      })),
    later: (ms, run) => {
      const timer = window.setTimeout(run, ms);
      return () => window.clearTimeout(timer);
    },
    now: () => performance.now(),
    visible: () => document.visibilityState === "visible",
  };
}
