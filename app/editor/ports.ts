/** What the editor's engine uses of the world around it: a browser puts it in, and a test its own. */
import type { CommandResult, ContentChange, ContentCommand } from "~/domain/content/content";
import type { Uuid } from "~/domain/shared/model";

/**
 * What became of a call. `lost`: nobody knows whether it arrived, it is worth another try. `refused`: it did, and no other try
 * would change the answer: the session has ended, or the event is not there any more. `too_large`: it did, it was more than a call
 * may carry, and nothing of it was done.
 */
export type Answer<T> =
  | ({ readonly state: "done" } & T)
  | { readonly state: "lost" }
  | { readonly state: "refused" }
  | { readonly state: "too_large" };

/** Bytes of a call that can outlive its page: browsers let all such calls together have 64 KB, and whoever else measures has some of it. */
export const OUTLIVING_BYTES = 58_000;

/** The calls of the content service, and a clock. */
export interface EditorPorts {
  /** Saves commands in their order. `leaving`: the page goes away, the call should outlive it. */
  send(
    commands: readonly ContentCommand[],
    options: { readonly leaving: boolean },
  ): Promise<
    Answer<{ readonly seq: number; readonly act: Uuid; readonly results: readonly CommandResult[] }>
  >;
  /** What was changed after a change. */
  changes(after: number): Promise<
    Answer<{
      readonly seq: number;
      readonly changes: readonly ContentChange[];
      readonly more: boolean;
    }>
  >;
  /** Runs something later; returns what calls that off. */
  later(ms: number, run: () => void): () => void;
  /** Milliseconds of any clock that goes forward. */
  now(): number;
  /** Whether anybody sees the page. */
  visible(): boolean;
}
