import { type AnimationClip, AnimationMixer, type Mesh, type Object3D, type SkinnedMesh } from "three";
import { MODEL_DISPLAY, type ModelDisplay } from "~/domain/spaces/model-display";

/** The animations of a model. One of them runs or is paused. */
export class ModelMotion {
  private readonly mixer: AnimationMixer;
  /** Whether the animation runs now. */
  isRunning: boolean;
  /** Index of the current animation, from 0. */
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
      // The bounding box belongs to the rest pose. Culling would hide the mesh when the animation moves it out of that box.
      if (isSkinnedMesh || morphTargetInfluences) object.frustumCulled = false;
    });
    this.choose(index);
  }

  /**
   * Selects another animation and shows its first pose.
   * @param index counted from 0; an unknown index is ignored
   */
  choose(index: number): void {
    const clip = this.clips[index];
    if (!clip) return;
    this.index = index;
    // Properties that the previous animation changed are reset.
    this.mixer.stopAllAction();
    this.mixer.clipAction(clip).play();
    this.advance(0);
  }

  /**
   * Selects the animation of the settings and shows its first pose. Returns null when there is no animation, when it has no tracks, and
   * when `moves` is "never".
   * @param startsPaused true with reduced motion: the animation is paused until the visitor starts it
   */
  static create(
    root: Object3D,
    clips: readonly AnimationClip[],
    { animation, moves }: Pick<ModelDisplay, "animation" | "moves"> = MODEL_DISPLAY,
    startsPaused = false,
  ): ModelMotion | null {
    const index = clips[animation ?? 0] ? (animation ?? 0) : 0;
    return clips[index]?.tracks.length && moves !== "never"
      ? new ModelMotion(root, clips, index, moves === "loop" && !startsPaused)
      : null;
  }

  /**
   * Shows poses of the animation one after the other, evenly spread over its duration, and at the end the first one again.
   * @param count number of poses, including the first one, at which the generator does not stop
   */
  *showPoses(count: number): Generator<void> {
    const { duration = 0 } = this.clips[this.index] ?? {};
    for (let pose = 1; pose < count; pose++) {
      this.mixer.setTime((duration * pose) / count);
      this.root.updateMatrixWorld(true);
      yield;
    }
    this.mixer.setTime(0);
    this.root.updateMatrixWorld(true);
  }

  /** Advances the animation. @param elapsed milliseconds @returns whether it continues */
  update(elapsed: number): boolean {
    if (this.isRunning) this.advance(elapsed);
    return this.isRunning;
  }

  private advance(elapsed: number): void {
    this.mixer.update(elapsed / 1000);
    this.root.updateMatrixWorld(true);
  }

  dispose(): void {
    this.mixer.stopAllAction();
    this.mixer.uncacheRoot(this.root);
  }
}
