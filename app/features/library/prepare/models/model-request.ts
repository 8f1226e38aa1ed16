import type { PreparationNote } from "~/domain/library/prepared";
import type { ConversionInput, ConversionLoss, FileFacts } from "../contract";

/** Input of a model conversion. */
export type ModelRequest = Pick<ConversionInput, "file" | "fileName" | "mimeType" | "companions">;

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
