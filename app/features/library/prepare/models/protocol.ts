/** Messages between the page and the worker that converts models. */
import type { PreparationNote } from "~/domain/prepared";
import type { ConversionErrorCode, ConversionLoss, ConversionStep, FileFacts } from "../contract";

/** Input of a model conversion. */
export interface ModelRequest {
  readonly file: Blob;
  readonly fileName: string;
  readonly mimeType: string;
  readonly companions: ReadonlyMap<string, Blob>;
}

/** A finished model. */
export interface ModelResult {
  /** A GLB file. */
  readonly glb: Blob;
  readonly facts: Omit<FileFacts, "bytes">;
  /** Numbers of the file before the conversion, where they differ: points before thinning. */
  readonly before?: Omit<FileFacts, "bytes">;
  readonly losses: readonly ConversionLoss[];
  readonly notes: readonly PreparationNote[];
}

/** Reports progress. @param share 0…1 */
export type Report = (share: number, step: ConversionStep) => void;

/** Messages from the worker to the page. */
export type WorkerMessage =
  | { readonly type: "ready" }
  | { readonly type: "progress"; readonly share: number; readonly step: ConversionStep }
  | { readonly type: "done"; readonly result: ModelResult }
  | {
      readonly type: "failed";
      readonly code: ConversionErrorCode;
      readonly message: string;
      readonly values: Readonly<Record<string, string | number>>;
    };
