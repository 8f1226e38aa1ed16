import { Box3, Color, Group, Vector3 } from "three";
import { createAbortError } from "../core/abort";
import {
  type CreateViewer,
  type ViewerChoices,
  ViewerError,
  type ViewerLight,
  type ViewerSource,
} from "../core/contract";
import { hasRoomForModel } from "../core/device-room";
import { type ModelNames, readModelNames, readModelSummary } from "../core/model-summary";
import { computeScreenRay } from "../core/projection";
import { TimeSlicer } from "../core/time-slicer";
import type { Triangles } from "../core/triangles";
import { arrangeModel, chosenScene } from "../model/arrange-model.client";
import { ContactShadow, throwsShadow } from "../model/contact-shadow.client";
import type { FirstView } from "../model/first-view";
import { enlargePoints, looseSurfaces } from "../model/loose-surfaces.client";
import { ModelMotion } from "../model/model-motion.client";
import type { ModelVariants } from "../model/model-variants.client";
import { openGltf } from "../model/open-gltf.client";
import { makePerson } from "../model/person.client";
import { isLit, keepUnlit, SceneLight, STUDIO } from "../model/scene-light.client";
import { previewFirst } from "../shared/preview-first.client";
import { isSmallDevice } from "./device.client";
import { fetchBytes, freeTree } from "./free.client";
import { readModel, sampleVertices } from "./model-content.client";
import { SoftTextures } from "./soft-textures.client";
import { type Walkable, WalkableViewer } from "./walkable.client";

/** Minimum vertical component of a floor's unit normal. */
const FLOOR = 0.7;
/** Background colour of objects: light enough to show the shadow, dark enough to contrast with white. */
const BACKDROP = 0xc6cad0;

/** Number of an animation's poses that the first view of an object considers, and of vertices in each. */
const POSES = 8;
const POSE_VERTICES = 3000;
/** Maximum size of the box around all poses, as a multiple of the first pose's size. */
const FAR_MOTION = 2;

/** A glTF model that one walks through, sees as a whole, or from above. */
class ModelViewer extends WalkableViewer {
  private readonly content = new Group();
  private readonly textures = new SoftTextures();
  private motion: ModelMotion | null = null;
  private variants: ModelVariants | null = null;
  private names: ModelNames | null = null;
  private startsByClick = false;
  private person: Group | null = null;
  private light: SceneLight | null = null;
  private wantedLight: ViewerLight = STUDIO;
  private shadow: ContactShadow | null = null;
  /** Positions of vertices in the other poses of the animation, three numbers each. */
  private poses: Float32Array | undefined;
  /** Everything is as sharp as it will be. */
  private sharp: Promise<void> = Promise.resolve();

  protected async build(source: ViewerSource, signal: AbortSignal): Promise<Walkable> {
    if (source.kind !== "model") throw new TypeError(`A model viewer cannot show a ${source.kind}.`);
    const file = await fetchBytes(source.url, signal, {
      onProgress: (share) => this.emitter.emit("progress", share),
      look: (head) => this.refuseTooLarge(head),
    });
    // A file that is not uploaded yet has nothing beside it.
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
      ended: this.ended.signal,
    });
    if (signal.aborted) {
      // The loader finishes what it has begun: nobody else will free it.
      for (const scene of gltf.scenes) freeTree(scene);
      throw createAbortError();
    }
    this.variants = gltf.variants;
    this.emitter.emit("progress", 1);
    arrangeModel(this.content, source.display);
    this.content.add(chosenScene(gltf, source.display?.scene));
    this.content.updateMatrixWorld(true);
    this.motion = ModelMotion.of(
      this.content,
      gltf.animations,
      source.display,
      this.options.prefersReducedMotion(),
    );
    this.startsByClick = source.display?.moves === "click" || this.options.prefersReducedMotion();
    enlargePoints(this.content);
    const { renderer, scene } = this.stage;
    keepUnlit(this.content);
    scene.add(this.content);
    const anisotropy = Math.min(8, renderer.capabilities.getMaxAnisotropy());
    const content = await readModel(this.content, anisotropy, new TimeSlicer(signal));
    // An unlit model has its light in its textures, so it does not wait for an environment.
    this.wantedLight = source.light ?? STUDIO;
    if (content.lit) this.light = await SceneLight.light(this.stage, this.wantedLight, signal);
    await this.textures.soft(this.content);
    signal.throwIfAborted();
    const { triangles } =
      content.triangles.count > 0
        ? content
        : { triangles: await looseSurfaces(this.content, new TimeSlicer(signal)) };
    this.poses = await this.otherPoses(triangles, new TimeSlicer(signal));
    if (source.person) this.addPerson(triangles);
    return { ...content, triangles, eyeHeight: source.eyeHeight, start: source.start };
  }

  protected override async open(source: ViewerSource, signal: AbortSignal): Promise<void> {
    await super.open(source, signal);
    const { near, far } = this.range();
    this.stage.look(this.pose, near, far);
    this.light?.dimLights(this.stage.camera);
  }

  protected override async firstView(signal: AbortSignal): Promise<FirstView> {
    const first = await this.tryViews(signal, this.poses);
    if (first.isObject) this.presentObject();
    return first;
  }

  /**
   * Positions of vertices in the other poses of the animation; none for a model that does not move, or that moves so far that a view
   * of the whole way would show it small.
   */
  private async otherPoses({ min, max }: Triangles, breath: TimeSlicer): Promise<Float32Array | undefined> {
    const { motion, content } = this;
    if (!motion) return undefined;
    const vertices: number[] = [];
    for (const _ of motion.poses(POSES)) {
      vertices.push(...sampleVertices(content, POSE_VERTICES));
      if (breath.isDue) await breath.pause();
    }
    const box = new Box3().setFromArray(vertices).union(new Box3(new Vector3(...min), new Vector3(...max)));
    const isFar =
      box.min.distanceTo(box.max) > FAR_MOTION * new Vector3(...min).distanceTo(new Vector3(...max));
    return isFar ? undefined : Float32Array.from(vertices);
  }

  /** An object stands on a floor of its own before a quiet wall. */
  private presentObject(): void {
    const { scene, renderer } = this.stage;
    scene.background = new Color(BACKDROP);
    const box = new Box3().setFromObject(this.content);
    if (!throwsShadow(box)) return;
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

  /** Answers whether enough has come to know. */
  private refuseTooLarge(bytes: Uint8Array): boolean {
    const head = readModelSummary(bytes);
    const { maxTextureSize } = this.stage.renderer.capabilities;
    if (head && !hasRoomForModel(head, { isSmall: isSmallDevice(), maxTextureSize }))
      throw new ViewerError("too_large", `${head.triangles} triangles are too many for this device.`);
    return head !== null;
  }

  /** Beside the model, where its size can be compared. */
  private addPerson({ min, max }: Triangles): void {
    const person = makePerson(new Vector3(...min), new Vector3(...max));
    this.content.parent?.add(person);
    person.updateMatrixWorld(true);
    this.person = person;
  }

  /** Whether something of the model, or of those placed in it, moves; null when nothing can. */
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
    const several = (list: readonly string[] = []) => (list.length > 1 ? list : []);
    // The file's own materials are another choice beside its only variant.
    const variants = this.variants?.isChoice ? (names?.variants ?? []) : [];
    const animations = motion ? several(names?.animations) : [];
    if (variants.length === 0 && animations.length === 0) return null;
    return { variants, variant: this.variants?.index ?? null, animations, animation: motion?.index ?? 0 };
  }

  async choose(what: "variant" | "animation", index: number | null): Promise<void> {
    try {
      if (what === "animation") this.motion?.choose(index ?? 0);
      else await this.wearVariant(index);
    } catch {
      if (!this.ended.signal.aborted) this.emitter.emit("error", "load_failed");
    }
    this.emitter.emit("choices", undefined);
    this.stage.invalidate();
  }

  private async wearVariant(index: number | null): Promise<void> {
    const { signal } = this.ended;
    await this.variants?.choose(index);
    keepUnlit(this.content);
    if (!this.light && isLit(this.content))
      this.light = await SceneLight.light(this.stage, this.wantedLight, signal);
    await this.textures.soft(this.content);
    this.stage.invalidate();
    await this.textures.sharpen(this.content, this.stage, signal);
  }

  protected override animate(elapsed: number): boolean {
    const isMoving = this.motion?.update(elapsed) ?? false;
    return super.animate(elapsed) || isMoving;
  }

  protected override tap(x: number, y: number): void {
    const { motion } = this;
    if (motion && this.startsByClick && this.touches(x, y)) {
      motion.isRunning = !motion.isRunning;
      this.emitter.emit("choices", undefined);
    } else super.tap(x, y);
  }

  /** Whether a click means the model, rather than a floor to walk on. */
  private touches(x: number, y: number): boolean {
    const hit = this.meet(this.pose.position, computeScreenRay(this.pose, this.size, x, y));
    return hit !== null && (this.viewpoint().mode !== "walk" || Math.abs(hit.normal[1]) < FLOOR);
  }

  protected override begun(): void {
    this.sharp = this.textures.sharpen(this.content, this.stage, this.ended.signal);
  }

  /** A picture that is taken of the space is a sharp one. */
  protected override arrange(): Promise<void> {
    return this.sharp;
  }

  /** A picture without the person, whom only the owner sees. */
  override async captureImage(width: number): Promise<Blob | null> {
    const { person } = this;
    if (person) person.visible = false;
    try {
      return await super.captureImage(width);
    } finally {
      if (person) person.visible = true;
      this.stage.invalidate();
    }
  }

  protected override close(): void {
    this.motion?.dispose();
    this.variants?.dispose();
    if (this.person) freeTree(this.person);
    freeTree(this.content);
    this.shadow?.dispose();
    this.light?.dispose();
    super.close();
  }
}

/** A glTF model (GLB or glTF). Throws a ViewerError without WebGL. */
export const createModelViewer: CreateViewer = previewFirst(
  (host, options) => new ModelViewer(host, options),
);
