/**
 * The contract of converters. A converter makes files that every browser can show from one file that was uploaded. It runs in the
 * owner's browser. The original is stored first and always stays.
 */

import type { PreparationNote } from "~/domain/library/prepared";
import type { MediaKind } from "~/domain/shared/model";

/** Input of a converter. */
export interface ConversionInput {
  readonly file: Blob;
  readonly fileName: string;
  /** MIME type that the server detected (sniffMedia). */
  readonly mimeType: string;
  /** Files that belong to it, for example textures, by their path relative to the file. */
  readonly companions: ReadonlyMap<string, Blob>;
  /** 0 for the smallest files, 1 for the best ones. */
  readonly quality: number;
  /** Ends the conversion. It then rejects with AbortError. */
  readonly signal: AbortSignal;
  /** @param share 0…1 of the whole conversion */
  onProgress(share: number, step: ConversionStep): void;
}

/** Current step of a converter, for the text beside the progress bar. */
export type ConversionStep = "read" | "decode" | "simplify" | "textures" | "compress" | "tiles" | "write";

/** Measurements of a file before or after the conversion. Those that the kind of file does not have are absent. */
export interface FileFacts {
  readonly bytes: number;
  readonly triangles?: number;
  readonly points?: number;
  readonly splats?: number;
  /** Bytes of buffers and textures in a graphics card, estimated. */
  readonly graphicsBytes?: number;
  /** Pixels. */
  readonly width?: number;
  readonly height?: number;
  /** Metres, along x, y, z, y up. */
  readonly size?: readonly [number, number, number];
}

/** A file that a converter made. */
export interface ConvertedFile {
  /** display: the file that viewers load. preview: a smaller version that they show first. tile: a part of a large picture. */
  readonly role: "display" | "preview" | "tile";
  /** Unique in the conversion. Letters, digits, "-", "_", "." and, for tiles, "/". */
  readonly name: string;
  readonly kind: Exclude<MediaKind, "web">;
  readonly mimeType: string;
  readonly blob: Blob;
}

export interface Conversion {
  /** Exactly one of them has the role "display". */
  readonly files: readonly ConvertedFile[];
  readonly before: FileFacts;
  readonly after: FileFacts;
  /** Features that the conversion could not keep, as keys of the library's texts. */
  readonly losses: readonly ConversionLoss[];
  /** Further notes for the owner, with the values of their texts. */
  readonly notes?: readonly PreparationNote[];
}

/** Parts of a file that a conversion left out. */
export type ConversionLoss = "missing_textures" | "animations" | "materials" | "lights" | "colours" | "sound";

/** Why a file cannot be converted. Each code has one text, which says what to do. */
export type ConversionErrorCode =
  | "damaged"
  | "empty"
  | "too_large"
  | "out_of_memory"
  | "unsupported_feature"
  | "unreadable_model"
  | "unreadable_picture"
  | "missing_files"
  | "no_codec"
  | "timeout";

export class ConversionError extends Error {
  constructor(
    readonly code: ConversionErrorCode,
    /** For the log; people read the text of the code. */
    message: string,
    /** Values for the text, for example the names of missing files. */
    readonly values: Readonly<Record<string, string | number>> = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = "ConversionError";
  }
}

/** Rejects with ConversionError, or with AbortError when the signal ended it. */
export type Converter = (input: ConversionInput) => Promise<Conversion>;
