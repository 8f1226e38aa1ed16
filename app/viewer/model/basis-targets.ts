/**
 * Chooses the GPU format into which a Basis texture is transcoded. The order is that of three's KTX2Loader (MIT), after Khronos'
 * KTX developer guide: high quality before low quality before uncompressed.
 */

/** Compressed texture formats of a GPU, as KTX2Loader.detectSupport names them. */
export interface GraphicsFormats {
  readonly astcSupported?: boolean;
  readonly etc1Supported?: boolean;
  readonly etc2Supported?: boolean;
  readonly dxtSupported?: boolean;
  readonly bptcSupported?: boolean;
  readonly pvrtcSupported?: boolean;
}

/** Format numbers of the Basis transcoder and of three. */
export interface BasisTarget {
  readonly transcoderFormat: number;
  readonly engineFormat: number;
  readonly engineType: number;
}

/** A choice of formats: the GPU feature that it needs, and the format numbers for textures without and with transparency. */
interface Option {
  readonly needs: keyof GraphicsFormats | null;
  readonly opaque: readonly [transcoder: number, engine: number];
  /** Null when the format does not support transparency. */
  readonly transparent: readonly [transcoder: number, engine: number] | null;
}

/** three's constants, copied so that the worker does not include three. */
const ENGINE = {
  unsignedByte: 1009,
  rgba: 1023,
  dxt1: 33777,
  dxt5: 33779,
  pvrtc: 35842,
  etc1: 36196,
  etc2: 37492,
  etc2Alpha: 37496,
  astc: 37808,
  bptc: 36492,
} as const;

const astc: Option = { needs: "astcSupported", opaque: [10, ENGINE.astc], transparent: [10, ENGINE.astc] };
const bptc: Option = { needs: "bptcSupported", opaque: [7, ENGINE.bptc], transparent: [7, ENGINE.bptc] };
const dxt: Option = { needs: "dxtSupported", opaque: [2, ENGINE.dxt1], transparent: [3, ENGINE.dxt5] };
const etc2: Option = { needs: "etc2Supported", opaque: [0, ENGINE.etc2], transparent: [1, ENGINE.etc2Alpha] };
const etc1: Option = { needs: "etc1Supported", opaque: [0, ENGINE.etc1], transparent: null };
const pvrtc: Option = { needs: "pvrtcSupported", opaque: [8, ENGINE.pvrtc], transparent: [9, ENGINE.pvrtc] };
const uncompressed: Option = { needs: null, opaque: [13, ENGINE.rgba], transparent: [13, ENGINE.rgba] };

/** Options for the two encodings of Basis textures, the best first. */
const FOR_ETC1S = [etc2, etc1, bptc, dxt, pvrtc, uncompressed];
const FOR_UASTC = [astc, bptc, etc2, etc1, dxt, pvrtc, uncompressed];

const isPowerOfTwo = (value: number) => value > 0 && (value & (value - 1)) === 0;

/** Returns the best format that a GPU supports for a texture. Sizes in pixels. */
export function chooseBasisTarget(
  texture: {
    readonly isUastc: boolean;
    readonly width: number;
    readonly height: number;
    readonly hasAlpha: boolean;
  },
  formats: GraphicsFormats,
): BasisTarget {
  const { isUastc, width, height, hasAlpha } = texture;
  for (const option of isUastc ? FOR_UASTC : FOR_ETC1S) {
    if (option.needs && !formats[option.needs]) continue;
    if (option === pvrtc && !(isPowerOfTwo(width) && isPowerOfTwo(height))) continue;
    const chosen = hasAlpha ? option.transparent : option.opaque;
    if (chosen)
      return { transcoderFormat: chosen[0], engineFormat: chosen[1], engineType: ENGINE.unsignedByte };
  }
  throw new Error("The GPU supports no format for this texture.");
}
