import { type Box3, Group, type Material, Mesh, type Object3D, Ray, Vector3 } from "three";
import type { Vec3 } from "../core/contract";
import type { MediaPlane, MediaPlaneHit } from "../core/media-plane";
import type { ModelMotion } from "../model/model-motion.client";
import type { Stage } from "./stage.client";

/** A surface flatter than this carries what stands on it. */
export const FLOOR = 0.7;

/** Something with three dimensions that stands in a space beside others. */
export abstract class HungObject {
  readonly object = new Group();
  /** Whether it takes light, rather than carrying it in itself. */
  readonly isLit: boolean = false;
  /** Its animation; null for what does not move. */
  readonly motion: ModelMotion | null = null;

  /** @param box of the content, in its own frame */
  protected constructor(
    protected readonly content: Object3D,
    protected readonly box: Box3,
  ) {
    this.object.add(content);
  }

  /** Makes what has to be computed by the graphics; again after a lost context. @param order in which it is drawn: see drawAfter */
  abstract prepare(stage: Stage, order: number): void;
  abstract dispose(): void;

  /**
   * Makes it as wide as its place: on a floor it stands, on a ceiling it hangs, and at a wall it has its back to it.
   * The object's own frame is the hanging's: x to the right, y up, z out of the surface.
   */
  fit({ width, normal }: MediaPlane): void {
    const { box, content, object } = this;
    const size = box.getSize(new Vector3());
    const middle = box.getCenter(new Vector3());
    // What is hardly wider than a line is not blown up to fill its width.
    const factor = width / Math.max(1e-6, size.x, size.z * 0.25, size.y * 0.1);
    content.position.copy(middle).negate();
    object.scale.setScalar(factor);
    object.rotation.set(0, 0, 0);
    if (Math.abs(normal[1]) >= FLOOR) {
      // Up is out of the floor; its front looks where the surface's own upright points down to.
      object.rotation.x = normal[1] > 0 ? Math.PI / 2 : -Math.PI / 2;
      object.position.set(0, 0, (size.y / 2) * factor);
    } else object.position.set(0, 0, (size.z / 2) * factor);
  }

  /** Draws it after a space that has no depth of its own. @param order 0 for one that has. */
  drawAfter(order: number): void {
    if (order === 0) return;
    this.content.traverse((object) => {
      object.renderOrder = order;
      for (const material of object instanceof Mesh ? ([object.material].flat() as Material[]) : [])
        material.transparent = true;
    });
  }

  /** The corners of its box in the space. */
  corners(): Vec3[] {
    const { min, max } = this.box;
    this.content.updateWorldMatrix(true, false);
    return [min.x, max.x].flatMap((x) =>
      [min.y, max.y].flatMap((y) =>
        [min.z, max.z].map((z): Vec3 => {
          const corner = new Vector3(x, y, z).applyMatrix4(this.content.matrixWorld);
          return [corner.x, corner.y, corner.z];
        }),
      ),
    );
  }

  /** Where a ray of the space meets its box. */
  meet(origin: Vec3, direction: Vec3): MediaPlaneHit | null {
    const back = this.content.matrixWorld.clone().invert();
    const ray = new Ray(
      new Vector3(...(origin as [number, number, number])),
      new Vector3(...(direction as [number, number, number])),
    );
    const point = ray.clone().applyMatrix4(back).intersectBox(this.box, new Vector3());
    if (!point) return null;
    point.applyMatrix4(this.content.matrixWorld);
    return { position: [point.x, point.y, point.z], distance: point.distanceTo(ray.origin) };
  }
}
