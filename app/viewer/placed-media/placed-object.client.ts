import { type Box3, Group, type Material, Mesh, type Object3D, Ray, Vector3 } from "three";
import type { Vec3 } from "../core/contract";
import type { MediaPlane, MediaPlaneHit } from "../core/media-plane";
import type { ModelMotion } from "../model/model-motion.client";
import type { Stage } from "../shared/stage.client";

/** Minimum |normal.y| of a floor or ceiling. */
export const HORIZONTAL_NORMAL_Y = 0.7;

/** A three-dimensional object that is placed in a space. */
export abstract class PlacedObject {
  readonly object = new Group();
  /** Whether the object has lit materials. */
  readonly isLit: boolean = false;
  /** Animation of the object, or null. */
  readonly motion: ModelMotion | null = null;

  /** @param box bounding box of the content, in its own frame */
  protected constructor(
    protected readonly content: Object3D,
    protected readonly box: Box3,
  ) {
    this.object.add(content);
  }

  /**
   * Prepares what three.js does not restore itself. Called before the object is shown, and again after a lost graphics context.
   * @param order render order: see drawAfter
   */
  abstract prepare(stage: Stage, order: number): void;
  abstract dispose(): void;

  /**
   * Scales the object to the width of its placement. The object stands on a floor, hangs from a ceiling, or touches a wall with its back. Its frame
   * is that of the media plane: x to the right, y up, z out of the surface.
   */
  fit({ width, normal }: MediaPlane): void {
    const { box, content, object } = this;
    const size = box.getSize(new Vector3());
    const middle = box.getCenter(new Vector3());
    // A very thin object is not enlarged to the full width.
    const factor = width / Math.max(1e-6, size.x, size.z * 0.25, size.y * 0.1);
    content.position.copy(middle).negate();
    object.scale.setScalar(factor);
    object.rotation.set(0, 0, 0);
    if (Math.abs(normal[1]) >= HORIZONTAL_NORMAL_Y) {
      // On a floor, the object's up axis points out of it, and its front faces the plane's downward direction. On a ceiling, both are reversed.
      object.rotation.x = normal[1] > 0 ? Math.PI / 2 : -Math.PI / 2;
      object.position.set(0, 0, (size.y / 2) * factor);
    } else object.position.set(0, 0, (size.z / 2) * factor);
  }

  /**
   * Draws the object after a space without depth.
   * @param order render order; 0 for a space with depth
   */
  drawAfter(order: number): void {
    if (order === 0) return;
    this.content.traverse((object) => {
      object.renderOrder = order;
      for (const material of object instanceof Mesh ? ([object.material].flat() as Material[]) : [])
        material.transparent = true;
    });
  }

  /** Returns the corners of its box in the space. */
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

  /** Returns the point where a ray of the space meets its box. */
  raycast(origin: Vec3, direction: Vec3): MediaPlaneHit | null {
    const toContent = this.content.matrixWorld.clone().invert();
    const ray = new Ray(
      new Vector3(...(origin as [number, number, number])),
      new Vector3(...(direction as [number, number, number])),
    );
    const point = ray.clone().applyMatrix4(toContent).intersectBox(this.box, new Vector3());
    if (!point) return null;
    point.applyMatrix4(this.content.matrixWorld);
    return { position: [point.x, point.y, point.z], distance: point.distanceTo(ray.origin) };
  }
}
