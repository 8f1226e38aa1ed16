/** Image-based light from a built-in environment or from an HDR panorama. */
import {
  CompressedCubeTexture,
  type CompressedTextureMipmap,
  DataTexture,
  DataUtils,
  EquirectangularReflectionMapping,
  HalfFloatType,
  LinearFilter,
  LinearMipmapLinearFilter,
  LinearSRGBColorSpace,
  PMREMGenerator,
  RGBAFormat,
  type Texture,
  type WebGLRenderer,
  type WebGLRenderTarget,
} from "three";
import type { ViewerLight } from "../core/contract";
import { decodeEnvironment } from "./environment-file";
import daylight from "./environments/daylight.bin?url";
import evening from "./environments/evening.bin?url";
import studio from "./environments/studio.bin?url";

const FILES = { daylight, evening, studio } as const;
/** Intensity of the studio as a factor. At its full intensity, white surfaces reflect more than a screen can show, and their shapes disappear. */
const STUDIO_INTENSITY = 0.7;
/** Side of a cube face in the sharpest level, which is the one for the lowest roughness, in pixels. */
const SHARPEST_SIDE = 256;
/**
 * Width to which a larger HDR panorama is reduced, in pixels: the sharpest level has as many around its horizon. Only whole factors are used, so the
 * result can be almost twice as wide.
 */
const PANORAMA_WIDTH = 4 * SHARPEST_SIDE;
/** Maximum pixels of an HDR panorama: 4096 × 2048. */
const PANORAMA_PIXELS_MAX = 4096 * 2048;

/** Light that a scene can use as its `environment`. */
export interface Environment {
  readonly texture: Texture;
  /** Intensity with which a scene uses it, as a factor. */
  readonly intensity: number;
  /** Computes the texture again after a lost graphics context, if the GPU computed it. */
  restore(): void;
  dispose(): void;
}

/**
 * Loads an environment. The built-in ones are already filtered for each roughness.
 * @throws Error for a file that cannot be fetched, is too large or is not an HDR panorama; AbortError
 */
export async function loadEnvironment(
  light: ViewerLight,
  renderer: WebGLRenderer,
  signal: AbortSignal,
): Promise<Environment> {
  const url = light.kind === "file" ? light.url : FILES[light.kind];
  if (!url) throw new Error("There is no HDR panorama.");
  const response = await fetch(url, { signal });
  if (!response.ok || !response.body)
    throw new Error(`The server returned ${response.status} for the light.`);
  if (light.kind === "file") {
    const hdrPanorama = await readHdrPanorama(await response.arrayBuffer());
    signal.throwIfAborted();
    return filterPanorama(hdrPanorama, renderer);
  }
  const unzipped = new Response(response.body.pipeThrough(new DecompressionStream("gzip")));
  const texture = createCubeTexture(new Uint8Array(await unzipped.arrayBuffer()));
  signal.throwIfAborted();
  const intensity = light.kind === "studio" ? STUDIO_INTENSITY : 1;
  return { texture, intensity, restore: () => {}, dispose: () => texture.dispose() };
}

/** Creates a cube texture with one level for each roughness from an environment file. */
function createCubeTexture(bytes: Uint8Array): Texture {
  const levels = decodeEnvironment(bytes);
  const faces = Array.from({ length: 6 }, (_, face) => {
    const mipmaps = levels.map((level, index): CompressedTextureMipmap => {
      const pixels = level[face] ?? new Float32Array();
      const side = SHARPEST_SIDE >> index;
      const half = toHalfFloats(index === 0 ? doubleResolution(pixels, side / 2) : pixels);
      return { data: half, width: side, height: side };
    });
    return {
      mipmaps,
      width: SHARPEST_SIDE,
      height: SHARPEST_SIDE,
      format: RGBAFormat,
      isCompressedTexture: true,
    };
  });
  // three uses this class for textures whose levels are supplied separately. The format itself is not compressed.
  const texture = new CompressedCubeTexture(faces as never, RGBAFormat as never, HalfFloatType);
  texture.colorSpace = LinearSRGBColorSpace;
  texture.minFilter = LinearMipmapLinearFilter;
  texture.magFilter = LinearFilter;
  texture.generateMipmaps = false;
  texture.needsUpdate = true;
  return Object.assign(texture, { isPMREMTexture: true });
}

function toHalfFloats(values: Float32Array): Uint16Array<ArrayBuffer> {
  const half = new Uint16Array(values.length);
  for (let index = 0; index < values.length; index++) half[index] = DataUtils.toHalfFloat(values[index] ?? 0);
  return half;
}

/** Doubles the resolution of a cube face by interpolation. @param side side of the given face, in pixels */
function doubleResolution(face: Float32Array, side: number): Float32Array {
  const large = new Float32Array(face.length * 4);
  for (let y = 0; y < 2 * side; y++) {
    // The centres of the four new pixels are a quarter of an old pixel from its centre.
    const [y0, fy] = findNeighbours((y - 0.5) / 2, side);
    for (let x = 0; x < 2 * side; x++) {
      const [x0, fx] = findNeighbours((x - 0.5) / 2, side);
      for (let channel = 0; channel < 4; channel++) {
        const value = (dx: number, dy: number) => face[((y0 + dy) * side + x0 + dx) * 4 + channel] ?? 0;
        large[(y * 2 * side + x) * 4 + channel] =
          (value(0, 0) * (1 - fx) + value(1, 0) * fx) * (1 - fy) +
          (value(0, 1) * (1 - fx) + value(1, 1) * fx) * fy;
      }
    }
  }
  return large;
}

/** Returns the index of the pixel before a position, and the weight of the next pixel. */
function findNeighbours(position: number, side: number): readonly [number, number] {
  const first = Math.min(side - 2, Math.max(0, Math.floor(position)));
  return [first, Math.min(1, Math.max(0, position - first))];
}

/** Linear RGBA pixels of an HDR panorama, row by row. */
interface HdrPanorama {
  readonly width: number;
  readonly height: number;
  readonly data: Uint16Array<ArrayBuffer>;
}

/** Reads Radiance HDR or OpenEXR, and reduces a large image. */
async function readHdrPanorama(file: ArrayBuffer): Promise<HdrPanorama> {
  // The first four bytes of OpenEXR files.
  const isExr = new DataView(file).getUint32(0, true) === 20000630;
  const loader = isExr
    ? new (await import("three/examples/jsm/loaders/EXRLoader.js")).EXRLoader()
    : new (await import("three/examples/jsm/loaders/HDRLoader.js")).HDRLoader();
  requireSmallPanorama(file, isExr);
  const { width, height, data, format, flipY } = loader.setDataType(HalfFloatType).parse(file) as {
    width: number;
    height: number;
    data: Uint16Array<ArrayBuffer>;
    format?: number;
    flipY?: boolean;
  };
  if (!(width > 0 && height > 0) || width * height > PANORAMA_PIXELS_MAX) throw tooLarge(width, height);
  const channels = data.length / (width * height);
  if ((format !== undefined && format !== RGBAFormat) || channels !== 4)
    throw new Error("An HDR panorama must have colours.");
  return reducePanorama({ width, height, data }, flipY ?? !isExr);
}

const tooLarge = (width: number, height: number) =>
  new Error(`An HDR panorama of ${width} × ${height} pixels is too large.`);

/** Name, type and size of the attribute with the image's bounds in an OpenEXR header (OpenEXR file layout, "Attribute types"). */
const DATA_WINDOW = "dataWindow\0box2i\0\x10\0\0\0";

/** Throws for a file that is too large by its header, before memory is allocated for its pixels. */
function requireSmallPanorama(file: ArrayBuffer, isExr: boolean): void {
  const head = new TextDecoder("latin1").decode(file.slice(0, 64 * 1024));
  if (!isExr) {
    const [, height, width] = /[+-]Y (\d{1,6}) [+-]X (\d{1,6})/.exec(head) ?? [];
    if (Number(width) * Number(height) > PANORAMA_PIXELS_MAX) throw tooLarge(Number(width), Number(height));
    return;
  }
  let index = head.indexOf(DATA_WINDOW);
  if (index < 0) throw new Error("The OpenEXR file has no size.");
  // The loader uses the last of several attributes, so all of them are checked.
  for (; index >= 0; index = head.indexOf(DATA_WINDOW, index + 1)) {
    const view = new DataView(file, index + DATA_WINDOW.length, 16);
    const side = (axis: number) => view.getInt32(8 + axis, true) - view.getInt32(axis, true) + 1;
    const [width, height] = [side(0), side(4)];
    if (width * height > PANORAMA_PIXELS_MAX) throw tooLarge(width, height);
  }
}

/**
 * Averages blocks of pixels, so that the image is less than twice as wide as PANORAMA_WIDTH. The rows are returned from bottom to top, as the GPU
 * expects.
 * @param startsAtTop whether the first row of `data` is the uppermost one
 */
function reducePanorama({ width, height, data }: HdrPanorama, startsAtTop: boolean): HdrPanorama {
  const block = Math.max(1, Math.floor(width / PANORAMA_WIDTH));
  const small = { width: Math.floor(width / block), height: Math.floor(height / block) };
  const reduced = new Uint16Array(small.width * small.height * 4);
  for (let y = 0; y < small.height; y++)
    for (let x = 0; x < small.width; x++)
      for (let channel = 0; channel < 4; channel++) {
        let sum = 0;
        for (let dy = 0; dy < block; dy++)
          for (let dx = 0; dx < block; dx++) {
            const value = DataUtils.fromHalfFloat(
              data[((y * block + dy) * width + x * block + dx) * 4 + channel] ?? 0,
            );
            sum += Number.isFinite(value) ? value : 0;
          }
        const row = startsAtTop ? small.height - 1 - y : y;
        reduced[(row * small.width + x) * 4 + channel] = DataUtils.toHalfFloat(
          Math.min(65504, sum / (block * block)),
        );
      }
  return { ...small, data: reduced };
}

/** Filters an HDR panorama for each roughness on the GPU. This takes milliseconds, or seconds with software rendering. */
function filterPanorama({ width, height, data }: HdrPanorama, renderer: WebGLRenderer): Environment {
  const panorama = new DataTexture(data, width, height, RGBAFormat, HalfFloatType);
  panorama.mapping = EquirectangularReflectionMapping;
  panorama.colorSpace = LinearSRGBColorSpace;
  panorama.minFilter = LinearFilter;
  panorama.magFilter = LinearFilter;
  panorama.needsUpdate = true;
  const filter = (into: WebGLRenderTarget | null) => {
    const generator = new PMREMGenerator(renderer);
    const target = generator.fromEquirectangular(panorama, into as never);
    generator.dispose();
    return target;
  };
  const target = filter(null);
  return {
    texture: target.texture,
    intensity: 1,
    restore: () => void filter(target),
    dispose: () => {
      target.dispose();
      panorama.dispose();
    },
  };
}
