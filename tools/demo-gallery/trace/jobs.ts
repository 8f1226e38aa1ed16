/** What the threads can be asked to do. Results go into shared memory; an answer only says that it is done. */
import type { PrintId } from "../prints/prints";
import type { Camera } from "./camera";
import type { SharedImage } from "./images";
import type { VariantId } from "./light";

/** Memory that all threads see. */
export interface SharedMemory {
  readonly fineDirect: SharedArrayBuffer;
  readonly coarseDirect: SharedArrayBuffer;
  readonly hits: SharedArrayBuffer;
  readonly light: SharedArrayBuffer;
}

export type Job =
  | { readonly kind: "memory"; readonly memory: SharedMemory }
  | { readonly kind: "images"; readonly images: readonly (readonly [string, SharedImage])[] }
  /** Rows of a surface's picture. */
  | {
      readonly kind: "surface";
      readonly id: string;
      readonly image: SharedImage;
      readonly from: number;
      readonly to: number;
    }
  /** Rows of a print; its blocks are masks of one byte a pixel. */
  | {
      readonly kind: "print";
      readonly id: PrintId;
      readonly width: number;
      readonly height: number;
      readonly masks: readonly SharedArrayBuffer[];
      readonly from: number;
      readonly to: number;
      readonly out: SharedArrayBuffer;
    }
  | { readonly kind: "direct"; readonly from: number; readonly to: number; readonly between: boolean }
  | { readonly kind: "gather"; readonly from: number; readonly to: number }
  | {
      readonly kind: "render";
      readonly camera: Camera;
      readonly variant: VariantId;
      readonly width: number;
      readonly height: number;
      readonly from: number;
      readonly to: number;
      /** Three sRGB bytes a pixel. */
      readonly out: SharedArrayBuffer;
      /** Hides what lies above the cut of the walls, for views from above. */
      readonly open: boolean;
    }
  /** Bakes rows of one face's texture, sRGB, first row on top, into a larger picture. */
  | {
      readonly kind: "texture";
      readonly face: number;
      readonly width: number;
      readonly height: number;
      readonly out: SharedArrayBuffer;
      readonly stride: number;
      readonly x: number;
      readonly y: number;
      /** Pixels repeated around it, so that smaller levels do not take in the neighbours. */
      readonly padding: number;
      /** Samples lie on the face's edges rather than half a pixel inside. */
      readonly inclusive: boolean;
    };
