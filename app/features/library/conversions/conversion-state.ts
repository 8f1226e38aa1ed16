import type { PreparationCode, PreparationNote } from "~/domain/library/prepared";
import type { Uuid } from "~/domain/shared/model";
import type { Conversion, ConversionStep, FileMeasurements } from "../prepare/conversion";

/** A file that this browser is to convert. */
export interface ConversionRequest {
  readonly itemId: Uuid;
  readonly name: string;
  readonly mimeType: string;
  readonly kind: string;
  /** The file if this page has it; null when it must be downloaded. */
  readonly file: Blob | null;
  /** Quality 0…1; null for the quality of the last conversion, or the default. */
  readonly quality: number | null;
  /** Whether the owner compares the result with the original before it is kept. */
  readonly needsComparison: boolean;
  /** Whether a drawing of the result becomes the item's thumbnail. */
  readonly updatesThumbnail: boolean;
}

/**
 * waiting: other files are converted first. busy: another browser is converting the file. reading: the original is being downloaded. converting.
 * drawing: the browser tests whether it can draw the result. asking: the owner compares the result with the original. sending. done. failed.
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

/**
 * Comparison that the owner sees before the result is stored. `original` and `converted` are object URLs of thumbnails; null when none can be drawn.
 */
export interface VersionComparison {
  readonly original: string | null;
  readonly converted: string | null;
  /** Requested quality of the result, 0…1; null for the quality of the last conversion, or the default. */
  readonly quality: number | null;
  /** Measurements of the original and of the result. */
  readonly before: FileMeasurements;
  readonly after: FileMeasurements;
  readonly losses: Conversion["losses"];
  readonly notes: readonly PreparationNote[];
}

/** State of one conversion as it is displayed. */
export interface ConversionRow {
  readonly itemId: Uuid;
  readonly name: string;
  readonly mimeType: string;
  readonly state: ConversionState;
  /** Progress of the current state, 0…1. */
  readonly share: number;
  readonly step: ConversionStep | null;
  /**
   * Reason of a failure. no_webgl: this browser cannot draw the result, so another browser must convert the file. Null in other states, and when the
   * reason is unknown, for example because the connection was lost, the session ended, or the file was assigned to another browser.
   */
  readonly code: PreparationCode | "no_webgl" | null;
  /**
   * The latest result that was shown to the owner for comparison; null for none. It remains while the file is converted again with another quality.
   */
  readonly comparison: VersionComparison | null;
}

/** Whether a conversion in this state has succeeded or failed. */
export const isEndedConversionState = (state: ConversionState): boolean =>
  state === "done" || state === "failed";
