import { Mesh, MeshBasicMaterial, RingGeometry } from "three";
import type { SurfaceHit } from "../core/contract";
import { add, scale } from "../core/vec";

/** Creates the ring on the floor under the mouse, which shows where a click leads. */
export function createFloorCursor(): Mesh {
  const material = new MeshBasicMaterial({
    color: 0xffffff,
    transparent: true,
    opacity: 0.85,
    depthWrite: false,
    toneMapped: false,
  });
  const cursor = new Mesh(new RingGeometry(0.17, 0.22, 48), material);
  cursor.visible = false;
  // Splats are drawn without depth, so the render order decides.
  cursor.renderOrder = 1;
  return cursor;
}

/** Lays the cursor on a floor, or hides it with null. */
export function showFloorCursor(cursor: Mesh, floor: Pick<SurfaceHit, "position" | "normal"> | null): void {
  cursor.visible = floor !== null;
  if (!floor) return;
  const { normal } = floor;
  const [x, y, z] = add(floor.position, scale(normal, 0.01));
  cursor.position.set(x, y, z);
  cursor.lookAt(x + normal[0], y + normal[1], z + normal[2]);
  cursor.updateMatrixWorld();
}
