/** Messages between the page and the worker that converts splats. */
import type { ConversionErrorCode, ConversionStep } from "./contract";

export interface SplatRequest {
  readonly file: Blob;
  /** 0…1. */
  readonly quality: number;
}

export interface SplatResult {
  readonly display: Blob;
  /** Null where the whole file is small enough. */
  readonly preview: Blob | null;
  /** How many splats the file had, and its result has. */
  readonly before: number;
  readonly after: number;
}

export type SplatMessage =
  | { readonly type: "progress"; readonly share: number; readonly step: ConversionStep }
  | { readonly type: "done"; readonly result: SplatResult }
  | {
      readonly type: "failed";
      readonly code: ConversionErrorCode;
      readonly message: string;
      readonly values?: Readonly<Record<string, string | number>>;
    };
