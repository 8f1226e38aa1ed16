/** Jobs of the threads. Results are written into shared memory; a response only reports that the job is done. */
import type { PrintId } from "../prints/prints";
import type { Camera } from "./camera";
import type { SharedImage } from "./images";
import type { VariantId } from "./light";

/** Memory that all threads share. */
export interface SharedMemory {
  /** Direct light of the fine samples: two numbers for each, daylight and lamplight. */
  readonly fineDirect: SharedArrayBuffer;
  /** The same of the coarse samples. */
  readonly coarseDirect: SharedArrayBuffer;
  /** For each ray of a coarse sample, the number of the coarse sample that it meets, or noHit. */
  readonly hits: SharedArrayBuffer;
  /** All light of the fine samples: six numbers for each (see channels). */
  readonly light: SharedArrayBuffer;
}

/** A job. `from` and `to` are the first row or sample of the job and the one after the last. */
export type Job =
  | { readonly kind: "memory"; readonly memory: SharedMemory }
  | { readonly kind: "images"; readonly images: readonly (readonly [string, SharedImage])[] }
  /** Draws rows of a surface's image. */
  | {
      readonly kind: "surface";
      readonly id: string;
      readonly image: SharedImage;
      readonly from: number;
      readonly to: number;
    }
  /** Prints rows of a woodblock print. `masks` are its blocks, with one byte per pixel. */
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
  /** Computes the direct light of fine samples. The second pass computes the samples between those of the first. */
  | { readonly kind: "direct"; readonly from: number; readonly to: number; readonly isSecondPass: boolean }
  /** Finds what the rays of coarse samples meet. */
  | { readonly kind: "gather"; readonly from: number; readonly to: number }
  | {
      readonly kind: "render";
      readonly camera: Camera;
      readonly variant: VariantId;
      readonly width: number;
      readonly height: number;
      readonly from: number;
      readonly to: number;
      /** Three sRGB bytes per pixel. */
      readonly out: SharedArrayBuffer;
      /** Hides the ceilings, for views from above. */
      readonly open: boolean;
    }
  /** Bakes one face's texture into an image, in sRGB, top row first. */
  | {
      readonly kind: "texture";
      readonly face: number;
      readonly width: number;
      readonly height: number;
      readonly out: SharedArrayBuffer;
      /** Width of the image in pixels, and the texture's position in it. */
      readonly stride: number;
      readonly x: number;
      readonly y: number;
      /** Pixels by which the edge of the face is extended, so that mip levels do not mix in the next face. */
      readonly padding: number;
      /** True if samples are on the face's edges instead of half a pixel inside. */
      readonly inclusive: boolean;
    };
