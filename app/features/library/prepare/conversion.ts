/**
 * The contract of converters. A converter creates files that every browser can show. It runs in the owner's browser. The original was stored before
 * and is kept.
 */
import type { PreparationNote } from "~/domain/library/prepared";
import type { MediaKind } from "~/domain/shared/model";

/** Input of a converter. */
export interface ConversionInput {
  readonly file: Blob;
  readonly fileName: string;
  /** MIME type from sniffMedia. */
  readonly mimeType: string;
  /** Other files of a model, for example textures, by their path relative to the file; or the other faces of a cubemap by their names. */
  readonly companions: ReadonlyMap<string, Blob>;
  /** Quality: 0 for the smallest files, 1 for the best ones. */
  readonly quality: number;
  /** Aborting it ends the conversion, which then rejects with the signal's reason. */
  readonly signal: AbortSignal;
  /** @param share 0…1 of the whole conversion */
  onProgress(share: number, step: ConversionStep): void;
}

/** Current step of a conversion, for the text beside the progress bar. */
export type ConversionStep = "read" | "decode" | "simplify" | "textures" | "compress" | "tiles" | "write";

/** Measurements of a file before or after the conversion. Measurements that do not exist for the kind of file are absent. */
export interface FileMeasurements {
  readonly bytes: number;
  readonly triangles?: number;
  readonly points?: number;
  readonly splats?: number;
  /** Estimated bytes of buffers and textures in graphics memory. */
  readonly graphicsBytes?: number;
  /** Pixels. */
  readonly width?: number;
  readonly height?: number;
  /** Extent in metres along x, y and z, with y up. */
  readonly size?: readonly [number, number, number];
}

/** A file that a converter created. */
export interface ConvertedFile {
  /** display: the file that viewers load. preview: a smaller version that viewers show first. tile: a part of a large image. */
  readonly role: "display" | "preview" | "tile";
  /** Unique in the conversion. Letters, digits, "-", "_", "." and, for tiles, "/". */
  readonly name: string;
  readonly kind: Exclude<MediaKind, "web">;
  readonly mimeType: string;
  readonly blob: Blob;
}

/** Result of a conversion. */
export interface Conversion {
  /** Exactly one file has the role "display". */
  readonly files: readonly ConvertedFile[];
  readonly before: FileMeasurements;
  readonly after: FileMeasurements;
  readonly losses: readonly ConversionLoss[];
  /** Further notes for the owner, with the values that their texts contain. */
  readonly notes?: readonly PreparationNote[];
}

/** Parts of a file that were lost in the conversion. */
export type ConversionLoss = "missing_textures" | "animations" | "materials" | "lights" | "colours" | "sound";

/** Reasons why a file cannot be converted. The text of each code tells the owner what to do. */
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

/** Error of a conversion, with the code that selects the owner's text. */
export class ConversionError extends Error {
  constructor(
    readonly code: ConversionErrorCode,
    /** Message for the log. Users see the text of the code. */
    message: string,
    /** Values for the text, for example the names of missing files. */
    readonly values: Readonly<Record<string, string | number>> = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = "ConversionError";
  }
}

/**
 * A part of the converter could not be loaded, so the conversion may succeed later. It has no code, because it is reported like every other lost
 * connection of a conversion.
 */
export class ConverterLoadError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ConverterLoadError";
  }
}

/** Rejects with ConversionError or ConverterLoadError, or with the signal's reason after an abort. */
export type Converter = (input: ConversionInput) => Promise<Conversion>;
