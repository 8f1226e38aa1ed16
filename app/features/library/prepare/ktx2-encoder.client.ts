/** Encodes KTX2 textures of Basis Universal. The encoder is loaded with the first texture that needs it, in the worker that optimizes models. */
import { BrowserBasisEncoder } from "ktx2-encoder";
import { allowEmbind } from "./embind-invokers";

/** Pixels of a texture: RGBA, without premultiplied alpha. Its sides are multiples of four (KHR_texture_basisu). */
export interface TexturePixels {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Options for encoding a texture. */
export interface Ktx2Options {
  /** Normal maps are stored as UASTC, because the blocks of ETC1S are visible on shiny surfaces. All other textures are ETC1S, which is smaller. */
  readonly isNormalMap: boolean;
  /** Whether the texture contains sRGB colours. Other textures contain numbers. */
  readonly isColour: boolean;
  /** Quality, 0…1. */
  readonly quality: number;
}

let startedEncoder: BrowserBasisEncoder | null = null;

async function startEncoder(): Promise<BrowserBasisEncoder> {
  if (startedEncoder) return startedEncoder;
  allowEmbind();
  const encoder = new BrowserBasisEncoder();
  const { log } = console;
  // The encoder stores the console's function when it starts, and would log every level of every texture.
  console.log = () => {};
  try {
    await encoder.init();
  } finally {
    console.log = log;
  }
  startedEncoder = encoder;
  return encoder;
}

/** Encodes a texture with all its mipmaps. Rejects with an Error when the encoder cannot be fetched or has no memory. */
export async function encodeKtx2(pixels: TexturePixels, options: Ktx2Options): Promise<Uint8Array> {
  const { isNormalMap, isColour, quality } = options;
  const encoder = await startEncoder();
  // The encoder passes its input to imageDecoder, which ignores it and returns the pixels.
  return encoder.encode(new Uint8Array(1), {
    imageDecoder: async () => ({ ...pixels }),
    isUASTC: isNormalMap,
    isNormalMap,
    needSupercompression: isNormalMap,
    uastcLDRQualityLevel: 0,
    qualityLevel: Math.round(100 + 155 * quality),
    compressionLevel: 1,
    isPerceptual: isColour,
    isSetKTX2SRGBTransferFunc: isColour,
    generateMipmap: true,
  });
}
