import { type AnimationClip, AnimationMixer, type Mesh, type Object3D, type SkinnedMesh } from "three";
import { MODEL_DISPLAY, type ModelDisplay } from "~/domain/spaces/model-display";

/** An animated model: one of its animations runs, or waits for a click. */
export class ModelMotion {
  private readonly mixer: AnimationMixer;
  /** Whether it moves now. */
  isRunning: boolean;
  /** Which of the animations it has, counted from 0. */
  index = 0;

  private constructor(
    private readonly root: Object3D,
    private readonly clips: readonly AnimationClip[],
    index: number,
    isRunning: boolean,
  ) {
    this.mixer = new AnimationMixer(root);
    this.isRunning = isRunning;
    root.traverse((object) => {
      const { isSkinnedMesh, morphTargetInfluences } = object as SkinnedMesh & Mesh;
      // Its box is that of the pose at rest: it would vanish where it has moved out of it.
      if (isSkinnedMesh || morphTargetInfluences) object.frustumCulled = false;
    });
    this.choose(index);
  }

  /** Takes another animation, and shows its first pose. @param index counted from 0; there is nothing to do for one that does not exist */
  choose(index: number): void {
    const clip = this.clips[index];
    if (!clip) return;
    this.index = index;
    // What the one before has moved goes back to where it was.
    this.mixer.stopAllAction();
    this.mixer.clipAction(clip).play();
    this.move(0);
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
    const index = clips[animation ?? 0] ? (animation ?? 0) : 0;
    return clips[index]?.tracks.length && moves !== "never"
      ? new ModelMotion(root, clips, index, moves === "loop" && !isCalm)
      : null;
  }

  /** Shows poses of the animation in turn, evenly spread over its duration, and then the first one again. */
  *poses(count: number): Generator<void> {
    const { duration = 0 } = this.clips[this.index] ?? {};
    for (let pose = 1; pose < count; pose++) {
      this.mixer.setTime((duration * pose) / count);
      this.root.updateMatrixWorld(true);
      yield;
    }
    this.mixer.setTime(0);
    this.root.updateMatrixWorld(true);
  }

  /** Moves on. @param elapsed milliseconds. @returns whether it goes on moving */
  update(elapsed: number): boolean {
    if (this.isRunning) this.move(elapsed);
    return this.isRunning;
  }

  private move(elapsed: number): void {
    this.mixer.update(elapsed / 1000);
    this.root.updateMatrixWorld(true);
  }

  dispose(): void {
    this.mixer.stopAllAction();
    this.mixer.uncacheRoot(this.root);
  }
}
