import {
  type AnimationClip,
  Box3,
  Group,
  type Material,
  Mesh,
  type Object3D,
  Ray,
  Vector3,
  type WebGLRenderer,
} from "three";
import type { Vec3 } from "../core/contract";
import type { Hanging, HangingHit } from "../core/hang";
import { readModelHead } from "../core/model-head";
import { ContactShadow, throwsShadow } from "../model/contact-shadow.client";
import { ModelMotion } from "../model/model-motion.client";
import { openGltf } from "../model/open-gltf.client";
import { isLit, keepUnlit, leaveLightsOut } from "../model/scene-light.client";
import { fetchBytes, freeTree } from "./free.client";

/** What stands in a space beside others is not a space itself. */
const TRIANGLES_MAX = 500_000;
/** A surface flatter than this carries what stands on it. */
const FLOOR = 0.7;

/** A model that stands in a space. */
export class HungModel {
  readonly object = new Group();
  private readonly content: Object3D;
  private readonly box: Box3;
  /** Whether it takes light, rather than carrying it in its textures. */
  readonly isLit: boolean;
  /** Its animation; null for a model that does not move. */
  readonly motion: ModelMotion | null;
  private readonly shadow: ContactShadow;

  private constructor(content: Object3D, clips: readonly AnimationClip[]) {
    this.content = content;
    this.object.add(content);
    content.updateMatrixWorld(true);
    // Its first pose says how large it is.
    this.motion = ModelMotion.of(content, clips);
    this.box = new Box3().setFromObject(content);
    this.isLit = isLit(content);
    keepUnlit(content);
    leaveLightsOut(content);
    this.shadow = new ContactShadow(this.box);
    content.add(this.shadow.object);
  }

  /** Draws the shadow that it throws on a floor; again after a lost graphics context. */
  shade(renderer: WebGLRenderer): void {
    const { content, shadow } = this;
    const place = content.position.clone();
    shadow.object.removeFromParent();
    content.position.set(0, 0, 0);
    shadow.draw(renderer, content);
    content.position.copy(place);
    content.add(shadow.object);
  }

  /** Fetches one. Rejects for what is missing, no model, empty or too much to stand beside others. */
  static async load(url: string, signal: AbortSignal, renderer: WebGLRenderer): Promise<HungModel> {
    const file = await fetchBytes(url, signal, { priority: "low" });
    const bytes = await file.arrayBuffer();
    const head = readModelHead(new Uint8Array(bytes));
    if (head && head.triangles > TRIANGLES_MAX)
      throw new Error("The model is too large to stand in a space.");
    const base = new URL(".", new URL(url, document.baseURI)).href;
    const { scene, animations } = await openGltf(bytes, { renderer, base, signal });
    const model = new HungModel(scene, animations);
    if (model.box.isEmpty() || ![...model.box.min, ...model.box.max].every(Number.isFinite)) {
      model.dispose();
      throw new Error("The model has no size.");
    }
    return model;
  }

  /**
   * Makes it as wide as its place: on a floor it stands, on a ceiling it hangs, and at a wall it has its back to it.
   * The object's own frame is the hanging's: x to the right, y up, z out of the surface.
   */
  fit({ width, normal }: Hanging): void {
    const { box, content, object } = this;
    const size = box.getSize(new Vector3());
    const middle = box.getCenter(new Vector3());
    // What is hardly wider than a line is not blown up to fill its width.
    const factor = width / Math.max(1e-6, size.x, size.z * 0.25, size.y * 0.1);
    this.shadow.object.visible = normal[1] >= FLOOR && throwsShadow(box);
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
  meet(origin: Vec3, direction: Vec3): HangingHit | null {
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

  dispose(): void {
    this.motion?.dispose();
    this.shadow.dispose();
    freeTree(this.object);
  }
}
