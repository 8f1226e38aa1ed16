import {
  type AnimationAction,
  type AnimationClip,
  AnimationMixer,
  type Mesh,
  type Object3D,
  type SkinnedMesh,
} from "three";
import { MODEL_DISPLAY, type ModelDisplay } from "~/domain/model-display";

/** An animated model: one of its animations runs, or waits for a click. */
export class ModelMotion {
  private readonly mixer: AnimationMixer;
  private readonly action: AnimationAction;
  /** Whether it moves now. */
  isRunning: boolean;

  private constructor(
    private readonly root: Object3D,
    clip: AnimationClip,
    isRunning: boolean,
  ) {
    this.mixer = new AnimationMixer(root);
    this.action = this.mixer.clipAction(clip);
    this.action.play();
    this.isRunning = isRunning;
    root.traverse((object) => {
      const { isSkinnedMesh, morphTargetInfluences } = object as SkinnedMesh & Mesh;
      // Its box is that of the pose at rest: it would vanish where it has moved out of it.
      if (isSkinnedMesh || morphTargetInfluences) object.frustumCulled = false;
    });
    this.update(0);
  }

  /**
   * Takes the animation that the settings choose, and shows its first pose. Null for a model that does not move.
   * @param isCalm motion is unwanted: nothing moves before it is asked for
   */
  static of(
    root: Object3D,
    clips: readonly AnimationClip[],
    { animation, moves }: Pick<ModelDisplay, "animation" | "moves"> = MODEL_DISPLAY,
    isCalm = false,
  ): ModelMotion | null {
    const clip = clips[animation ?? 0] ?? clips[0];
    if (!clip?.tracks.length || moves === "never") return null;
    return new ModelMotion(root, clip, moves === "loop" && !isCalm);
  }

  /** Moves on. @param elapsed milliseconds. @returns whether it goes on moving */
  update(elapsed: number): boolean {
    if (!this.isRunning && elapsed > 0) return false;
    this.mixer.update(elapsed / 1000);
    this.root.updateMatrixWorld(true);
    return this.isRunning;
  }

  dispose(): void {
    this.mixer.stopAllAction();
    this.mixer.uncacheRoot(this.root);
  }
}
