import type { MediaKind } from "~/domain/model";

/** A generated file of the demo. Lengths in bytes, pixels and seconds. */
export interface DemoAsset {
  /** Stable name by which seed/demo.ts refers to the file. */
  readonly key: string;
  /** Absolute path in the cache. */
  readonly file: string;
  readonly mimeType: string;
  /** The name shown in the library and used for downloads. */
  readonly fileName: string;
  readonly kind: MediaKind;
  readonly width?: number;
  readonly height?: number;
  readonly duration?: number;
  readonly byteSize: number;
}
