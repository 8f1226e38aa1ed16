import { InstancedMesh, type Material, type Mesh, type Object3D, type Texture } from "three";

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

/**
 * The bytes of an address, in step with their arrival.
 * @param onProgress the share that has come, 0…1; only where the server says how much there is.
 * @param priority "low" for what may be wanted later.
 * Rejects with AbortError, a TypeError without network, and an Error for answers other than 200.
 */
export async function fetchBytes(
  url: string,
  signal: AbortSignal,
  onProgress?: (share: number) => void,
  priority: RequestPriority = "auto",
): Promise<Blob> {
  const response = await fetch(url, { signal, priority });
  if (!response.ok) throw new Error(`The server answered ${response.status} for the space.`);
  const type = response.headers.get("content-type") ?? "";
  const total = Number(response.headers.get("content-length"));
  if (!onProgress || !response.body || !(total > 0)) return response.blob();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let received = 0;
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    received += value.byteLength;
    // Compressed answers are longer than their content-length.
    onProgress(Math.min(1, received / total));
  }
  return new Blob(parts, { type });
}
