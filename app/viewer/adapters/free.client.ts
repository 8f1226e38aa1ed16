import { InstancedMesh, type Material, type Mesh, type Object3D, type Texture } from "three";
import { consumePrefetched } from "../core/prefetch";

const isTexture = (value: unknown): value is Texture => (value as Texture | null)?.isTexture === true;

/** Frees a texture and the decoded picture that it holds. */
export function freeTexture(texture: Texture): void {
  const { data } = texture.source as { data: unknown };
  if (typeof ImageBitmap !== "undefined" && data instanceof ImageBitmap) data.close();
  texture.dispose();
}

/** Frees a material with all its textures. */
export function freeMaterial(material: Material): void {
  for (const value of Object.values(material)) if (isTexture(value)) freeTexture(value);
  material.dispose();
}

/** Frees every geometry, material and texture of a tree. */
export function freeTree(root: Object3D): void {
  root.traverse((object) => {
    const mesh = object as Mesh;
    mesh.geometry?.dispose();
    for (const material of mesh.material ? [mesh.material].flat() : []) freeMaterial(material);
    if (object instanceof InstancedMesh) object.dispose();
  });
  root.removeFromParent();
}

/** How an address is fetched. */
export interface FetchOptions {
  /** The share that has come, 0…1; only where the server says how much there is. */
  onProgress?(share: number): void;
  /** Looks at the beginning, each time that twice as much has come, until it answers true; what it throws ends the fetch. */
  look?(head: Uint8Array): boolean | Promise<boolean>;
  /** "low" for what may be wanted later. */
  readonly priority?: RequestPriority;
}

/** Bytes after which nobody looks any more whether this is too much. */
const LOOKED_AT = 32 * 1024 * 1024;

/**
 * The bytes of an address, in step with their arrival.
 * Rejects with AbortError, a TypeError without network, an Error for answers other than 200, and with what `look` throws.
 */
export async function fetchBytes(
  url: string,
  signal: AbortSignal,
  options: FetchOptions = {},
): Promise<Blob> {
  const { onProgress, priority = "auto" } = options;
  let { look } = options;
  const response = await (consumePrefetched(url) ?? fetch(url, { signal, priority }));
  if (!response.ok) throw new Error(`The server answered ${response.status} for the space.`);
  const type = response.headers.get("content-type") ?? "";
  const total = Number(response.headers.get("content-length"));
  if (!response.body || (!look && !(onProgress && total > 0))) return response.blob();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let received = 0;
  let next = 0;
  const reader = response.body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (value) parts.push(value);
      received += value?.byteLength ?? 0;
      if (look && (done || received >= next)) {
        const head = new Uint8Array(await new Blob(parts).arrayBuffer());
        if ((await look(head)) || received > LOOKED_AT) look = undefined;
        next = received * 2;
      }
      if (done) break;
      // Compressed answers are longer than their content-length.
      if (total > 0) onProgress?.(Math.min(1, received / total));
    }
  } catch (error) {
    reader.cancel().catch(() => {});
    throw error;
  }
  return new Blob(parts, { type });
}
