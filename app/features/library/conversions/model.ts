import type { Uuid } from "~/domain/model";
import type { PreparationCode } from "~/domain/prepared";
import type { Conversion, ConversionStep, FileFacts } from "../prepare/contract";

/** A file that is to be converted in this browser. */
export interface ConversionRequest {
  readonly itemId: Uuid;
  readonly name: string;
  readonly mimeType: string;
  readonly kind: string;
  /** The file, where this page has uploaded it; null fetches it. */
  readonly file: File | null;
  /** 0…1; null for that of the conversion before, or the usual one. */
  readonly quality: number | null;
  /** Whether the result is shown beside the original before it is kept. */
  readonly asks: boolean;
  /** The item has no picture: the first frame of the result becomes it. */
  readonly takesStill: boolean;
}

/**
 * waiting: others are converted before. busy: another browser converts it. reading: the original is fetched. converting. drawing: the result
 * is drawn for the first time. asking: somebody compares it with the original. sending. done. failed.
 */
export type ConversionState =
  | "waiting"
  | "busy"
  | "reading"
  | "converting"
  | "drawing"
  | "asking"
  | "sending"
  | "done"
  | "failed";

/** Comparison that the owner sees before the result is kept. Pictures are addresses; null when none can be drawn. */
export interface Comparison {
  readonly original: string | null;
  readonly converted: string | null;
  readonly before: FileFacts;
  readonly after: FileFacts;
  readonly losses: Conversion["losses"];
  readonly notes: NonNullable<Conversion["notes"]>;
}

/** A conversion of this tab as it is shown. */
export interface ConversionRow {
  readonly itemId: Uuid;
  readonly name: string;
  readonly mimeType: string;
  readonly state: ConversionState;
  /** 0…1 of the state. */
  readonly share: number;
  readonly step: ConversionStep | null;
  /** Why it failed; null where the connection or the session was lost. */
  readonly code: PreparationCode | null;
  readonly comparison: Comparison | null;
}

/** Whether a conversion that ended without result is nothing to worry about. */
export const isHarmless = (code: PreparationCode | null): boolean =>
  code === "cancelled" || code === "not_smaller";

const ENDED: ReadonlySet<ConversionState> = new Set(["done", "failed"]);
/** Whether nothing more happens to it by itself. */
export const isEnded = ({ state }: Pick<ConversionRow, "state">): boolean => ENDED.has(state);
