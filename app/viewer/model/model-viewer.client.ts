import { Box3, Color, Group, Vector3 } from "three";
import { createAbortError } from "../core/abort";
import { lookAt } from "../core/angles";
import type { CreateViewer, Vec3, ViewerChoices, ViewerLight, ViewerSource } from "../core/contract";
import { hasRoomForModel } from "../core/device-capacity";
import { type ModelNames, readModelNames, readModelSummary } from "../core/model-summary";
import { computeScreenRay } from "../core/projection";
import { nextTask, TimeSlicer } from "../core/time-slicer";
import type { Triangles } from "../core/triangles";
import { subtract } from "../core/vec";
import { ViewerError } from "../core/viewer-error";
import { disposeTree } from "../shared/dispose.client";
import { fetchFile } from "../shared/fetch-file.client";
import { isSmallDevice } from "../shared/is-small-device.client";
import { previewFirst } from "../shared/preview-first.client";
import type { Walkable } from "../shared/walkable";
import { WalkableViewer } from "../shared/walkable-viewer.client";
import { arrangeModel, chosenScene } from "./arrange-model.client";
import { ContactShadow, castsShadow } from "./contact-shadow.client";
import type { FirstView } from "./first-view";
import { frameObject } from "./frame-object";
import { readModel, sampleVertices } from "./model-content.client";
import { ModelMotion } from "./model-motion.client";
import type { ModelVariants } from "./model-variants.client";
import { openGltf } from "./open-gltf.client";
import { findPersonPlace, makePerson, PERSON_HEIGHT } from "./person.client";
import { createPointSurfaces, enlargePoints } from "./point-surfaces.client";
import { ProgressiveTextures } from "./progressive-textures.client";
import { excludeUnlitFromToneMapping, hasLights, isLit, SceneLight, STUDIO } from "./scene-light.client";

/** Minimum |normal.y| of a floor or ceiling. */
const HORIZONTAL_NORMAL_Y = 0.7;
/** Background colour of objects: light enough to show the shadow, dark enough to contrast with white. */
const BACKGROUND_COLOR = 0xc6cad0;

/** Number of poses of the animation that the first view of an object considers, and about the maximum number of vertices that are read of each. */
const POSE_COUNT = 8;
const POSE_VERTICES = 3000;
/**
 * Maximum size of the box around all poses, as a multiple of the first pose's size. A model that moves farther would be too small in the first view.
 */
const MOTION_SIZE_MAX = 2;
/** Pitch of the view that compares a model with a person, in radians, and its margins, which keep both clear of the stage's buttons. */
const COMPARISON_PITCH = -0.1;
const COMPARISON_MARGINS = { beside: 0.05, below: 0.17 } as const;

/** Viewer of glTF models with the modes walk, orbit and plan. */
class ModelViewer extends WalkableViewer {
  private readonly content = new Group();
  private readonly textures = new ProgressiveTextures();
  private motion: ModelMotion | null = null;
  private variants: ModelVariants | null = null;
  private names: ModelNames | null = null;
  /** Whether a click on the model starts or stops its animation. */
  private togglesByClick = false;
  private person: Group | null = null;
  private light: SceneLight | null = null;
  private requestedLight: ViewerLight = STUDIO;
  private shadow: ContactShadow | null = null;
  /** Positions of vertices in the other poses of the animation, three numbers each. */
  private poses: Float32Array | undefined;
  /** Resolves when the textures of the first frame are sharp. */
  private texturesSharp: Promise<void> = Promise.resolve();

  protected async build(source: ViewerSource, signal: AbortSignal): Promise<Walkable> {
    if (source.kind !== "model") throw new TypeError(`A model viewer cannot show a ${source.kind}.`);
    const file = await fetchFile(source.url, signal, {
      onProgress: (share) => this.emitter.emit("progress", share),
      inspect: (head) => this.rejectTooLarge(head),
    });
    // A file that is not uploaded yet has no other files beside it.
    const base = source.url.startsWith("blob:")
      ? ""
      : new URL(".", new URL(source.url, document.baseURI)).href;
    const bytes = await file.arrayBuffer();
    this.names = readModelNames(new Uint8Array(bytes));
    const gltf = await openGltf(bytes, {
      renderer: this.stage.renderer,
      base,
      signal,
      prepare: (loader) => this.textures.attach(loader),
      variant: source.display?.variant,
      disposalSignal: this.disposal.signal,
    });
    await nextTask();
    if (signal.aborted) {
      // The loader completes its current work even after an abort, so its result must be freed here.
      for (const scene of gltf.scenes) disposeTree(scene);
      throw createAbortError();
    }
    this.variants = gltf.variants;
    this.emitter.emit("progress", 1);
    arrangeModel(this.content, source.display);
    this.content.add(chosenScene(gltf, source.display?.scene));
    this.content.updateMatrixWorld(true);
    this.motion = ModelMotion.create(
      this.content,
      gltf.animations,
      source.display,
      this.options.prefersReducedMotion(),
    );
    this.togglesByClick = source.display?.moves === "click" || this.options.prefersReducedMotion();
    enlargePoints(this.content);
    const { renderer, scene } = this.stage;
    excludeUnlitFromToneMapping(this.content);
    scene.add(this.content);
    const anisotropy = Math.min(8, renderer.capabilities.getMaxAnisotropy());
    const content = await readModel(this.content, anisotropy, new TimeSlicer(signal));
    // An unlit model has its light in its textures, so it does not wait for an environment.
    this.requestedLight = source.light ?? STUDIO;
    if (content.needsLight) this.light = await SceneLight.addTo(this.stage, this.requestedLight, signal);
    await this.textures.waitForLowResolution(this.content);
    signal.throwIfAborted();
    const { triangles } =
      content.triangles.count > 0
        ? content
        : { triangles: await createPointSurfaces(this.content, new TimeSlicer(signal)) };
    this.poses = await this.samplePoses(triangles, new TimeSlicer(signal));
    await nextTask();
    return { ...content, triangles, eyeHeight: source.eyeHeight, start: source.start };
  }

  protected override async open(source: ViewerSource, signal: AbortSignal): Promise<void> {
    await super.open(source, signal);
    if (source.kind === "model" && source.person) {
      const firstView = { isObject: this.isObject, start: this.detectedStart, walkStart: null };
      this.person = makePerson(this.findInSpace((space) => findPersonPlace(space, firstView)));
      // The first view must be the same as the visitors', so the person is hidden until the comparison starts.
      this.person.visible = false;
      this.stage.scene.add(this.person);
    }
    const { near, far } = this.clippingDistances();
    // The lights are dimmed for the start that the viewer detects, not for the owner's, so that an owner who tries another start in the preview
    // sees the same lights as the visitors.
    this.stage.setCamera(this.poseAt(this.detectedStart), near, far);
    this.light?.dimLights(this.stage.camera);
    this.stage.setCamera(this.pose, near, far);
  }

  protected override dependsOnFirstView(): boolean {
    return hasLights(this.content);
  }

  protected override async findFirstView(signal: AbortSignal): Promise<FirstView> {
    const firstView = await this.chooseFirstView(signal, this.poses);
    if (firstView.isObject) this.showOnFloor();
    return firstView;
  }

  /**
   * Returns positions of vertices in the other poses of the animation. Returns undefined for a model without animation, and for one that moves so far
   * that a view of all poses would show it too small.
   */
  private async samplePoses({ min, max }: Triangles, slicer: TimeSlicer): Promise<Float32Array | undefined> {
    const { motion, content } = this;
    if (!motion) return undefined;
    const vertices: number[] = [];
    for (const _ of motion.showPoses(POSE_COUNT)) {
      vertices.push(...sampleVertices(content, POSE_VERTICES));
      if (slicer.isDue) await slicer.pause();
    }
    const box = new Box3().setFromArray(vertices).union(new Box3(new Vector3(...min), new Vector3(...max)));
    const movesFar =
      box.min.distanceTo(box.max) > MOTION_SIZE_MAX * new Vector3(...min).distanceTo(new Vector3(...max));
    return movesFar ? undefined : Float32Array.from(vertices);
  }

  /** Shows an object before a plain background, with a shadow on the floor unless it is flat. */
  private showOnFloor(): void {
    const { scene, renderer } = this.stage;
    scene.background = new Color(BACKGROUND_COLOR);
    const box = new Box3().setFromObject(this.content);
    if (!castsShadow(box)) return;
    this.shadow = new ContactShadow(box);
    this.shadow.draw(renderer, this.content);
    scene.add(this.shadow.object);
    this.shadow.object.updateMatrixWorld();
  }

  protected override restored(): void {
    super.restored();
    this.light?.restore();
    this.shadow?.draw(this.stage.renderer, this.content);
  }

  /** Throws for a model that is too large. Returns whether enough bytes were received to decide. */
  private rejectTooLarge(bytes: Uint8Array): boolean {
    const summary = readModelSummary(bytes);
    const { maxTextureSize } = this.stage.renderer.capabilities;
    if (summary && !hasRoomForModel(summary, { isSmall: isSmallDevice(), maxTextureSize }))
      throw new ViewerError(
        "too_large",
        `${summary.triangles} triangles with ${summary.bytes} bytes are too much for this device.`,
      );
    return summary !== null;
  }

  async compareWithPerson(): Promise<Vec3 | null> {
    const { person } = this;
    if (!person || !this.isLoaded) return null;
    person.visible = true;
    const { min, max, corners } = this.findInSpace((space) => space);
    const size = subtract(max, min);
    if (!this.isObject) {
      const { position, yaw } = this.detectedStart;
      const { x, y, z } = person.position;
      const { pitch } = lookAt(position, [x, y + PERSON_HEIGHT / 2, z], yaw);
      await this.travel({ ...this.detectedStart, pitch });
      return size;
    }
    const box = new Box3().setFromObject(person).union(new Box3(new Vector3(...min), new Vector3(...max)));
    const space = { min: box.min.toArray(), max: box.max.toArray(), corners };
    const input = {
      space,
      size: this.size,
      orbitFov: this.computeFov("orbit"),
      poses: Float32Array.from(sampleVertices(person, POSE_VERTICES)),
    };
    await this.travel(frameObject(input, this.detectedStart.yaw, COMPARISON_PITCH, COMPARISON_MARGINS));
    return size;
  }

  /** Whether the model or a placed model moves. Null when none can move. */
  override get isMoving(): boolean | null {
    const { motion } = this;
    return motion ? motion.isRunning || super.isMoving === true : super.isMoving;
  }

  override setMoving(on: boolean): void {
    if (this.motion) this.motion.isRunning = on;
    super.setMoving(on);
  }

  get choices(): ViewerChoices | null {
    const { names, motion } = this;
    const listIfSeveral = (list: readonly string[] = []) => (list.length > 1 ? list : []);
    // A single variant is a choice too, because the file's own materials are the alternative.
    const variants = this.variants?.hasVariants ? (names?.variants ?? []) : [];
    const animations = motion ? listIfSeveral(names?.animations) : [];
    if (variants.length === 0 && animations.length === 0) return null;
    return { variants, variant: this.variants?.index ?? null, animations, animation: motion?.index ?? 0 };
  }

  async choose(kind: "variant" | "animation", index: number | null): Promise<void> {
    try {
      if (kind === "animation") this.motion?.choose(index ?? 0);
      else await this.showVariant(index);
    } catch (error) {
      if (!this.disposal.signal.aborted) throw error;
    } finally {
      this.emitter.emit("choices", undefined);
      this.stage.invalidate();
    }
  }

  private async showVariant(index: number | null): Promise<void> {
    const { signal } = this.disposal;
    await this.variants?.choose(index);
    excludeUnlitFromToneMapping(this.content);
    if (!this.light && isLit(this.content))
      this.light = await SceneLight.addTo(this.stage, this.requestedLight, signal);
    await this.textures.waitForLowResolution(this.content);
    this.stage.invalidate();
    await this.textures.sharpen(this.content, this.stage, signal);
  }

  protected override animate(elapsed: number): boolean {
    const isMoving = this.motion?.update(elapsed) ?? false;
    return super.animate(elapsed) || isMoving;
  }

  protected override tap(x: number, y: number): void {
    const { motion } = this;
    if (motion && this.togglesByClick && this.isOnModel(x, y)) {
      motion.isRunning = !motion.isRunning;
      this.emitter.emit("choices", undefined);
    } else super.tap(x, y);
  }

  /** Whether a click is on the model. In walk mode, its floors and ceilings do not count. */
  private isOnModel(x: number, y: number): boolean {
    const hit = this.raycastSpace(this.pose.position, computeScreenRay(this.pose, this.size, x, y));
    return (
      hit !== null && (this.viewpoint().mode !== "walk" || Math.abs(hit.normal[1]) < HORIZONTAL_NORMAL_Y)
    );
  }

  protected override afterFirstFrame(): void {
    this.texturesSharp = this.textures.sharpen(this.content, this.stage, this.disposal.signal);
  }

  /** Waits until the textures of the first frame are sharp, because captured images must not be blurred. */
  protected override prepareCapture(): Promise<void> {
    return this.texturesSharp;
  }

  /** Captures an image without the figure of a person, which only the owner sees. */
  override async captureImage(width: number): Promise<Blob | null> {
    const { person } = this;
    const isVisible = person?.visible ?? false;
    if (person) person.visible = false;
    try {
      return await super.captureImage(width);
    } finally {
      if (person) person.visible = isVisible;
      this.stage.invalidate();
    }
  }

  protected override close(): void {
    this.motion?.dispose();
    this.variants?.dispose();
    if (this.person) disposeTree(this.person);
    disposeTree(this.content);
    this.shadow?.dispose();
    this.light?.dispose();
    super.close();
  }
}

/** Creates the viewer of a glTF model (GLB or glTF). Throws a ViewerError without WebGL. */
export const createModelViewer: CreateViewer = previewFirst(
  (host, options) => new ModelViewer(host, options),
);
