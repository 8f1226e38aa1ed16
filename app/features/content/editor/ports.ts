/** Ports of the event editor (editor.ts). The browser and the tests have their own implementations. */
import type { CommandResult, ContentChange, ContentCommand } from "~/domain/content/content";
import type { Uuid } from "~/domain/shared/model";

/**
 * Result of a call. `lost`: it is unknown whether the call was applied, so it may be repeated. `rejected`: the server rejected it permanently, for
 * example because the session has ended or the event was deleted. `too_large`: it exceeded the size limit and was not applied.
 */
export type CallResult<T> =
  | ({ readonly state: "done" } & T)
  | { readonly state: "lost" }
  | { readonly state: "rejected" }
  | { readonly state: "too_large" };

/** Access to the content service, and a clock. */
export interface EditorPorts {
  /**
   * Saves commands in their order. With `isPageLeaving`, the call must continue after the page has closed. `callId` is the id of the call, which the
   * resulting changes repeat; `seq` is the sequence number of the latest change.
   */
  send(
    commands: readonly ContentCommand[],
    options: { readonly isPageLeaving: boolean },
  ): Promise<
    CallResult<{ readonly seq: number; readonly callId: Uuid; readonly results: readonly CommandResult[] }>
  >;
  /** Returns the changes after a sequence number. */
  changes(after: number): Promise<
    CallResult<{
      readonly seq: number;
      readonly changes: readonly ContentChange[];
      /** Whether there are further changes after these. */
      readonly more: boolean;
    }>
  >;
  /** Runs a function later. Returns a function that cancels it. */
  schedule(ms: number, run: () => void): () => void;
  /** Milliseconds of a monotonic clock. */
  now(): number;
  /** Whether the page is visible. */
  isVisible(): boolean;
}
