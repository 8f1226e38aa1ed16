/** Messages between the page and the worker that converts pictures. */
import type { ConversionErrorCode, ConversionStep, ConvertedFile, FileFacts } from "../contract";

/** Message from the page to the worker. */
export interface PictureTask {
  /**
   * picture: any picture, which becomes a panorama with tiles when it is twice as wide as high; panorama: it must become an
   * equirectangular panorama, by its metadata or as a cubemap.
   */
  readonly result: "picture" | "panorama";
  readonly file: Blob;
  readonly fileName: string;
  readonly mimeType: string;
  /** The other five faces of a cubemap. */
  readonly companions: readonly (readonly [name: string, file: Blob])[];
  /** 0…1 */
  readonly quality: number;
}

/** Messages from the worker to the page. */
export type PictureAnswer =
  | { readonly is: "ready" }
  | { readonly is: "progress"; readonly share: number; readonly step: ConversionStep }
  | {
      readonly is: "done";
      readonly files: readonly ConvertedFile[];
      readonly before: FileFacts;
      readonly after: FileFacts;
    }
  | {
      readonly is: "failed";
      readonly code: ConversionErrorCode;
      readonly message: string;
      readonly values: Readonly<Record<string, string | number>>;
    };
