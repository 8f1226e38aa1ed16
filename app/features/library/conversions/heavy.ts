import { HEAVY_TRIANGLES } from "~/domain/prepared";

/** Largest JSON of a model that is read, in bytes. */
const JSON_MAX = 4 * 1024 * 1024;

/** Whether a GLB file has more than HEAVY_TRIANGLES triangles, counted from its JSON (glTF 2.0 §4.4). False for other files. */
export async function isHeavyModel(file: Blob): Promise<boolean> {
  const head = new DataView(await file.slice(0, 20).arrayBuffer());
  if (head.byteLength < 20 || head.getUint32(0, true) !== 0x46546c67) return false;
  const length = head.getUint32(12, true);
  if (length > JSON_MAX) return false;
  try {
    const scene = JSON.parse(await file.slice(20, 20 + length).text()) as {
      readonly meshes?: readonly {
        readonly primitives?: readonly {
          readonly indices?: number;
          readonly attributes?: { readonly POSITION?: number };
        }[];
      }[];
      readonly accessors?: readonly { readonly count?: number }[];
    };
    const vertices = (scene.meshes ?? [])
      .flatMap(({ primitives }) => primitives ?? [])
      .reduce(
        (sum, { indices, attributes }) =>
          sum + (scene.accessors?.[indices ?? attributes?.POSITION ?? -1]?.count ?? 0),
        0,
      );
    return vertices / 3 > HEAVY_TRIANGLES;
  } catch {
    return false;
  }
}
