import { type AnimationClip, Box3, type Object3D, type WebGLRenderer } from "three";
import type { MediaPlane } from "../core/media-plane";
import { readModelSummary } from "../core/model-summary";
import { ContactShadow, castsShadow } from "../model/contact-shadow.client";
import { ModelMotion } from "../model/model-motion.client";
import { openGltf } from "../model/open-gltf.client";
import { disableLights, excludeUnlitFromToneMapping, isLit } from "../model/scene-light.client";
import { disposeTree } from "../shared/dispose.client";
import { fetchFile } from "../shared/fetch-file.client";
import type { Stage } from "../shared/stage.client";
import { HORIZONTAL_NORMAL_Y, PlacedObject } from "./placed-object.client";

/** Maximum number of triangles of a placed model. */
const TRIANGLES_MAX = 500_000;

/** A model that is placed in a space. */
export class PlacedModel extends PlacedObject {
  override readonly isLit: boolean;
  override readonly motion: ModelMotion | null;
  private readonly shadow: ContactShadow;

  private constructor(content: Object3D, clips: readonly AnimationClip[]) {
    content.updateMatrixWorld(true);
    // The first pose of the animation defines the model's size.
    const motion = ModelMotion.create(content, clips);
    super(content, new Box3().setFromObject(content));
    this.motion = motion;
    this.isLit = isLit(content);
    excludeUnlitFromToneMapping(content);
    disableLights(content);
    this.shadow = new ContactShadow(this.box);
    content.add(this.shadow.object);
  }

  /** Draws the model's shadow on the floor. */
  override prepare({ renderer }: Pick<Stage, "renderer">): void {
    const { content, shadow } = this;
    const position = content.position.clone();
    shadow.object.removeFromParent();
    content.position.set(0, 0, 0);
    shadow.draw(renderer, content);
    content.position.copy(position);
    content.add(shadow.object);
    content.updateMatrixWorld(true);
  }

  /** Downloads a model. Rejects for files that are missing, not models, empty or too large to be placed. */
  static async load(url: string, signal: AbortSignal, renderer: WebGLRenderer): Promise<PlacedModel> {
    const file = await fetchFile(url, signal, { priority: "low" });
    const bytes = await file.arrayBuffer();
    const summary = readModelSummary(new Uint8Array(bytes));
    if (summary && summary.triangles > TRIANGLES_MAX)
      throw new Error("The model is too large to be placed in a space.");
    const base = new URL(".", new URL(url, document.baseURI)).href;
    const { scene, animations } = await openGltf(bytes, { renderer, base, signal });
    const model = new PlacedModel(scene, animations);
    if (model.box.isEmpty() || ![...model.box.min, ...model.box.max].every(Number.isFinite)) {
      model.dispose();
      throw new Error("The model has no size.");
    }
    return model;
  }

  override fit(plane: MediaPlane): void {
    super.fit(plane);
    this.shadow.object.visible = plane.normal[1] >= HORIZONTAL_NORMAL_Y && castsShadow(this.box);
  }

  override dispose(): void {
    this.motion?.dispose();
    this.shadow.dispose();
    disposeTree(this.object);
  }
}
