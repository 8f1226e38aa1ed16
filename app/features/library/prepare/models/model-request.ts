import type { PreparationNote } from "~/domain/library/prepared";
import type { ConversionInput, ConversionLoss, FileMeasurements } from "../conversion";

/** Input of a model conversion: the file, and `companions`, the other files that belong to the model, for example textures. */
export type ModelRequest = Pick<ConversionInput, "file" | "fileName" | "mimeType" | "companions">;

/** A converted model. */
export interface ModelResult {
  /** A GLB file. */
  readonly glb: Blob;
  readonly measurements: Omit<FileMeasurements, "bytes">;
  /** Measurements of the original, for example the number of points before thinning. */
  readonly before?: Omit<FileMeasurements, "bytes">;
  readonly losses: readonly ConversionLoss[];
  readonly notes: readonly PreparationNote[];
}
