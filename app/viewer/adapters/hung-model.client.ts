import { type AnimationClip, Box3, type Object3D, type WebGLRenderer } from "three";
import type { MediaPlane } from "../core/media-plane";
import { readModelSummary } from "../core/model-summary";
import { ContactShadow, throwsShadow } from "../model/contact-shadow.client";
import { ModelMotion } from "../model/model-motion.client";
import { openGltf } from "../model/open-gltf.client";
import { isLit, keepUnlit, leaveLightsOut } from "../model/scene-light.client";
import { fetchBytes, freeTree } from "./free.client";
import { FLOOR, HungObject } from "./hung-object.client";
import type { Stage } from "./stage.client";

/** What stands in a space beside others is not a space itself. */
const TRIANGLES_MAX = 500_000;
/** A model that stands in a space. */
export class HungModel extends HungObject {
  override readonly isLit: boolean;
  override readonly motion: ModelMotion | null;
  private readonly shadow: ContactShadow;

  private constructor(content: Object3D, clips: readonly AnimationClip[]) {
    content.updateMatrixWorld(true);
    // Its first pose says how large it is.
    const motion = ModelMotion.of(content, clips);
    super(content, new Box3().setFromObject(content));
    this.motion = motion;
    this.isLit = isLit(content);
    keepUnlit(content);
    leaveLightsOut(content);
    this.shadow = new ContactShadow(this.box);
    content.add(this.shadow.object);
  }

  /** Draws the shadow that it throws on a floor. */
  override prepare({ renderer }: Pick<Stage, "renderer">): void {
    const { content, shadow } = this;
    const place = content.position.clone();
    shadow.object.removeFromParent();
    content.position.set(0, 0, 0);
    shadow.draw(renderer, content);
    content.position.copy(place);
    content.add(shadow.object);
    content.updateMatrixWorld(true);
  }

  /** Fetches one. Rejects for what is missing, no model, empty or too much to stand beside others. */
  static async load(url: string, signal: AbortSignal, renderer: WebGLRenderer): Promise<HungModel> {
    const file = await fetchBytes(url, signal, { priority: "low" });
    const bytes = await file.arrayBuffer();
    const head = readModelSummary(new Uint8Array(bytes));
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

  override fit(frame: MediaPlane): void {
    super.fit(frame);
    this.shadow.object.visible = frame.normal[1] >= FLOOR && throwsShadow(this.box);
  }

  override dispose(): void {
    this.motion?.dispose();
    this.shadow.dispose();
    freeTree(this.object);
  }
}
