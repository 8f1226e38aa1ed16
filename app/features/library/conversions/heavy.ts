import { sniffMedia } from "~/domain/media-kind";
import { type PictureBytes, pictureSize } from "~/domain/picture-size";
import { HEAVY_TEXTURE_BYTES, HEAVY_TRIANGLES } from "~/domain/prepared";

/** Largest JSON of a model that is read, in bytes. */
const JSON_MAX = 4 * 1024 * 1024;
/** Bytes of a picture's beginning by which its type is recognised. */
const SNIFF_BYTES = 4096;
/** Bytes of a pixel in a graphics card, with its share of the smaller versions. */
const PIXEL_BYTES = 4 * (4 / 3);

interface Scene {
  readonly meshes?: readonly {
    readonly primitives?: readonly {
      readonly indices?: number;
      readonly attributes?: { readonly POSITION?: number };
    }[];
  }[];
  readonly accessors?: readonly { readonly count?: number }[];
  readonly images?: readonly { readonly bufferView?: number }[];
  readonly bufferViews?: readonly { readonly byteOffset?: number; readonly byteLength?: number }[];
}

/**
 * Whether a GLB file has more than HEAVY_TRIANGLES triangles, counted from its JSON (glTF 2.0 §4.4), or textures of more than
 * HEAVY_TEXTURE_BYTES, by their headers. False for other files.
 */
export async function isHeavyModel(file: Blob): Promise<boolean> {
  const head = new DataView(await file.slice(0, 20).arrayBuffer());
  if (head.byteLength < 20 || head.getUint32(0, true) !== 0x46546c67) return false;
  const length = head.getUint32(12, true);
  if (length > JSON_MAX) return false;
  try {
    const scene = JSON.parse(await file.slice(20, 20 + length).text()) as Scene;
    const vertices = (scene.meshes ?? [])
      .flatMap(({ primitives }) => primitives ?? [])
      .reduce(
        (sum, { indices, attributes }) =>
          sum + (scene.accessors?.[indices ?? attributes?.POSITION ?? -1]?.count ?? 0),
        0,
      );
    if (vertices / 3 > HEAVY_TRIANGLES) return true;
    let pixels = 0;
    for (const { bufferView } of scene.images ?? []) {
      const { byteOffset = 0, byteLength = 0 } = scene.bufferViews?.[bufferView ?? -1] ?? {};
      const start = 28 + length + byteOffset;
      pixels += await pixelsOf(file.slice(start, start + byteLength));
    }
    return pixels * PIXEL_BYTES > HEAVY_TEXTURE_BYTES;
  } catch {
    return false;
  }
}

/** Pixels of a picture by its header; 0 where it states none. */
async function pixelsOf(file: Blob): Promise<number> {
  const bytes: PictureBytes = {
    size: file.size,
    read: async (first, length) => new Uint8Array(await file.slice(first, first + length).arrayBuffer()),
  };
  const type = (await sniffMedia(await bytes.read(0, SNIFF_BYTES), ""))?.mimeType ?? "";
  const size = await pictureSize(bytes, type, false);
  return size === null || size === "damaged" ? 0 : size.width * size.height;
}
