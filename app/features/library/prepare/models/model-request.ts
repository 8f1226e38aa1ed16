import type { PreparationNote } from "~/domain/library/prepared";
import type { ConversionInput, ConversionLoss, FileFacts } from "../contract";

/** Input of a model conversion. */
export type ModelRequest = Pick<ConversionInput, "file" | "fileName" | "mimeType" | "companions">;

/** A converted model. */
export interface ModelResult {
  /** A GLB file. */
  readonly glb: Blob;
  readonly facts: Omit<FileFacts, "bytes">;
  /** Measurements of the original that differ from those of the result, for example the number of points before thinning. */
  readonly before?: Omit<FileFacts, "bytes">;
  readonly losses: readonly ConversionLoss[];
  readonly notes: readonly PreparationNote[];
}
