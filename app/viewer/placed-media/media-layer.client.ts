import { BufferAttribute, BufferGeometry, Group } from "three";
import { direction } from "../core/angles";
import type { PlacedMediaItem, SurfaceHit, Vec3 } from "../core/contract";
import type { Pose } from "../core/flight";
import { clampAspect, estimateScreenPixels, type MediaPlane, placeMedia } from "../core/media-plane";
import type { Size } from "../core/projection";
import { dot, subtract } from "../core/vec";
import { disposeTree } from "../shared/dispose.client";
import { isSmallDevice } from "../shared/is-small-device.client";
import type { Stage } from "../shared/stage.client";
import { fetchImage } from "./fetch-image.client";
import { MediaObject, type MediaSurroundings } from "./media-object.client";
import { AudioOutput, MediaPlayer } from "./media-player.client";
import type { PlacedObject } from "./placed-object.client";
import { choosePlayingMedia, computeVolume } from "./spatial-audio";
import { chooseTextureSides, imagePixelBudget } from "./texture-budget";

/** Maximum number of images that are loaded at the same time. */
const LOADS_MAX = 3;
/** Maximum number of videos and sounds that play at the same time, and of animated images, in general and on devices with little memory. */
const PLAYERS_MAX = 4;
const PLAYERS_MAX_SMALL = 2;
/** Size on the screen from which placed models and splats are loaded, in CSS pixels. */
const MODEL_PIXELS_MIN = 40;
/** Tolerance in metres within which a media plane counts as in front of its surface. */
const DEPTH_TOLERANCE = 0.06;

/** The media that are placed in a space. */
export class MediaLayer {
  private readonly stage: Stage;
  private readonly surroundings: MediaSurroundings;
  private readonly root = new Group();
  private readonly square = createSquare();
  private readonly audioOutput: AudioOutput;
  private readonly disposal = new AbortController();
  private readonly pendingUploads: (() => void)[] = [];
  private entries: MediaObject[] = [];
  /** Whether media with automatic playback may play. */
  private isAutoplayOn: boolean;
  /** Whether models are animated. */
  private isModelMotionOn: boolean;
  /** Number of images that are being loaded. */
  private loadingCount = 0;
  private lastView: { pose: Pose; size: Size } | null = null;
  private isDirty = true;

  constructor(stage: Stage, surroundings: MediaSurroundings) {
    this.stage = stage;
    this.surroundings = surroundings;
    // Automatic playback is off for visitors who prefer reduced motion.
    this.isAutoplayOn = !surroundings.prefersReducedMotion();
    this.isModelMotionOn = this.isAutoplayOn;
    this.audioOutput = new AudioOutput(() => this.markChanged());
    stage.scene.add(this.root);
  }

  /**
   * Replaces all media. An item whose file and image are the same stays loaded, and a video keeps its time.
   * @param pinnedIds ids of media with a pin: a sound with a pin has no other visible object
   */
  setMedia(media: readonly PlacedMediaItem[], pinnedIds: ReadonlySet<string>): void {
    const previousEntries = new Map(this.entries.map((entry) => [entry.mediaItem.id, entry]));
    const seenIds = new Set<string>();
    this.entries = [];
    for (const mediaItem of media) {
      if (seenIds.has(mediaItem.id)) continue;
      seenIds.add(mediaItem.id);
      const order = this.entries.length;
      const previousEntry = previousEntries.get(mediaItem.id);
      const isSame =
        previousEntry &&
        previousEntry.mediaItem.url === mediaItem.url &&
        previousEntry.mediaItem.imageUrl === mediaItem.imageUrl;
      const aspect = mediaItem.aspect ?? (isSame ? previousEntry.aspect : null);
      const plane = placeMedia(mediaItem.placement, aspect, order);
      if (!plane) continue;
      const entry = isSame
        ? previousEntry
        : new MediaObject(mediaItem, plane, this.square, this.surroundings);
      if (isSame) previousEntries.delete(mediaItem.id);
      else this.root.add(entry.object);
      Object.assign(entry, { mediaItem, aspect });
      entry.setPlane(plane);
      entry.isPinOnly = mediaItem.kind === "audio" && pinnedIds.has(mediaItem.id);
      this.entries.push(entry);
    }
    const hasLostMotion = [...previousEntries.values()].some(({ loadedObject }) => loadedObject?.motion);
    for (const entry of previousEntries.values()) this.disposeEntry(entry);
    this.markChanged();
    if (hasLostMotion) this.surroundings.animatedObjectsChanged();
  }

  find(id: string): MediaObject | undefined {
    return this.entries.find(({ mediaItem }) => mediaItem.id === id);
  }

  /** Shows a media item at another position until the next call of setMedia. */
  move(id: string, { position, normal }: SurfaceHit): void {
    const order = this.entries.findIndex(({ mediaItem }) => mediaItem.id === id);
    const entry = this.entries[order];
    if (!entry) return;
    const plane = placeMedia({ ...entry.mediaItem.placement, position, normal }, entry.aspect, order);
    if (plane) entry.setPlane(plane);
    this.markChanged();
  }

  /**
   * Finds the nearest media item that a ray meets, up to the distance of the space's own surface.
   * @param towards unit vector
   */
  raycast(origin: Vec3, towards: Vec3, farthest: number): { id: string; hit: SurfaceHit } | null {
    let nearestHit: { id: string; hit: SurfaceHit } | null = null;
    let nearestDistance = farthest + DEPTH_TOLERANCE + this.surroundings.surfaceOffset;
    for (const entry of this.entries) {
      const { mediaItem, plane } = entry;
      const hit = entry.raycast(origin, towards);
      if (!hit || hit.distance >= nearestDistance) continue;
      nearestDistance = hit.distance;
      nearestHit = {
        id: mediaItem.id,
        hit: { position: hit.position, normal: plane.normal, pinId: mediaItem.id },
      };
    }
    return nearestHit;
  }

  /** Starts or stops a video or a sound because the visitor pressed it. */
  togglePlayback(id: string): void {
    const entry = this.entries.find(({ mediaItem }) => mediaItem.id === id);
    if (!entry?.isPlayable || entry.hasFailed) return;
    entry.chosenPlayback = this.shouldPlay(entry) ? "stop" : "play";
    this.audioOutput.allow();
    this.markChanged();
  }

  /** Sets whether videos, sounds and animated images start automatically. What the visitor started or stopped before no longer counts. */
  setPlaying(on: boolean): void {
    this.isAutoplayOn = on;
    for (const entry of this.entries) entry.chosenPlayback = null;
    this.markChanged();
  }

  /** Whether models are animated. Null when no loaded model has an animation. */
  get isMoving(): boolean | null {
    return this.entries.some(({ loadedObject }) => loadedObject?.motion) ? this.isModelMotionOn : null;
  }

  /** Starts or stops the animations of models. */
  setMoving(on: boolean): void {
    this.isModelMotionOn = on;
    for (const { loadedObject } of this.entries) if (loadedObject?.motion) loadedObject.motion.isRunning = on;
    this.markChanged();
  }

  /**
   * Advances the animations of visible models.
   * @param elapsed milliseconds
   * @returns whether they continue
   */
  animate(elapsed: number): boolean {
    let continues = false;
    for (const { loadedObject, object, isAhead } of this.entries)
      if (isAhead && object.visible && loadedObject?.motion?.update(elapsed)) continues = true;
    return continues;
  }

  /**
   * Loads, plays and unloads media for the camera's position. Returns whether another frame is needed.
   * @param occludes whether the space hides a media plane in another way than by depth; null when it hides none
   */
  update(pose: Pose, size: Size, occludes: ((plane: MediaPlane) => boolean) | null): boolean {
    // One image per frame: uploading several to graphics memory at once causes a visible pause.
    this.pendingUploads.shift()?.();
    const hasChanged = this.isDirty || this.lastView?.pose !== pose || this.lastView.size !== size;
    if (hasChanged) {
      this.isDirty = false;
      this.lastView = { pose, size };
      this.updateMedia(pose, size, occludes);
    }
    return this.pendingUploads.length > 0;
  }

  dispose(): void {
    this.disposal.abort();
    for (const entry of this.entries) this.disposeEntry(entry);
    this.entries = [];
    this.pendingUploads.length = 0;
    this.audioOutput.dispose();
    this.square.dispose();
    disposeTree(this.root);
  }

  private updateMedia(pose: Pose, size: Size, occludes: ((plane: MediaPlane) => boolean) | null): void {
    const focal = size.height / 2 / Math.tan(pose.fov / 2);
    const ahead = direction(pose.yaw, pose.pitch);
    const right: Vec3 = [Math.cos(pose.yaw), 0, -Math.sin(pose.yaw)];
    const views = this.entries.map((entry) => {
      const { plane } = entry;
      entry.object.visible = !entry.isPinOnly && !occludes?.(plane);
      const offset = subtract(plane.centre, pose.position);
      const mediaDistance = Math.hypot(...offset);
      // Media just outside of the screen are loaded before the visitor turns. Media behind the visitor can wait.
      const isAhead =
        mediaDistance < 2 * Math.max(plane.width, plane.height) || dot(offset, ahead) > -0.2 * mediaDistance;
      entry.isAhead = isAhead;
      const screenPixels =
        entry.object.visible && isAhead ? estimateScreenPixels(plane, pose.position, focal) : 0;
      const isOnScreen =
        mediaDistance < Math.max(plane.width, plane.height) || dot(offset, ahead) > 0.3 * mediaDistance;
      return {
        entry,
        screenPixels,
        distance: mediaDistance,
        isOnScreen,
        pan: mediaDistance > 0.01 ? dot(offset, right) / mediaDistance : 0,
      };
    });
    this.loadImages(views);
    this.playMedia(views);
    this.playAnimatedImages(
      views.map(({ entry, screenPixels, isOnScreen }) => ({
        entry,
        screenPixels: isOnScreen ? screenPixels : 0,
      })),
    );
    for (const { entry, screenPixels } of views) if (screenPixels >= MODEL_PIXELS_MIN) this.loadObject(entry);
  }

  private loadImages(views: readonly { entry: MediaObject; screenPixels: number }[]): void {
    const isSmall = isSmallDevice();
    const entriesWithImage = views.filter(
      ({ entry }) => entry.imageUrl !== null && !entry.hasFailed && !entry.player?.hasFrame,
    );
    const chosenSides = chooseTextureSides(
      entriesWithImage.map(({ entry, screenPixels }) => ({
        id: entry.mediaItem.id,
        screenPixels,
        aspect: clampAspect(entry.aspect),
        loadedSide: entry.loadedSide,
      })),
      imagePixelBudget(isSmall) * Math.min(1, window.devicePixelRatio || 1),
      this.stage.renderer.capabilities.maxTextureSize,
    );
    const entriesById = new Map(entriesWithImage.map(({ entry }) => [entry.mediaItem.id, entry]));
    for (const [id, entry] of entriesById) if (!chosenSides.has(id)) entry.unload();
    for (const [id, side] of chosenSides) {
      const entry = entriesById.get(id);
      if (!entry || entry.loadedSide === side || entry.loading || this.loadingCount >= LOADS_MAX) continue;
      void this.loadImage(entry, side);
    }
  }

  private async loadImage(entry: MediaObject, side: number): Promise<void> {
    const url = entry.imageUrl;
    if (url === null) return;
    const loading = new AbortController();
    entry.loading = loading;
    this.loadingCount++;
    try {
      let file: Blob | null = null;
      const bitmap = await fetchImage(url, side, entry.aspect, loading.signal, (downloaded) => {
        file = downloaded;
      });
      const show = () => {
        // The item was unloaded before the frame in which the image would be uploaded.
        if (entry.loading !== loading) {
          bitmap.close();
          return;
        }
        entry.loading = null;
        if (entry.player?.hasFrame) bitmap.close();
        else {
          this.applyAspect(entry, bitmap.height / bitmap.width);
          entry.showImage(bitmap, side);
          if (file && entry.mediaItem.kind === "image") void this.openAnimatedImage(entry, file, side);
        }
        this.markChanged();
      };
      this.pendingUploads.push(show);
    } catch {
      if (loading.signal.aborted) return;
      entry.loading = null;
      this.showFailure(entry);
    } finally {
      this.loadingCount--;
      this.markChanged();
    }
  }

  /** Prepares an image that has several frames for playback. With reduced motion, only the first frame is shown. */
  private async openAnimatedImage(entry: MediaObject, file: Blob, side: number): Promise<void> {
    if (!/^image\/(gif|webp|a?png)$/.test(file.type) || this.surroundings.prefersReducedMotion()) return;
    try {
      const { AnimatedImage } = await import("./animated-image.client");
      const animatedImage = await AnimatedImage.open(file, side, entry.animationPosition, () =>
        entry.updateTexture(),
      );
      // The item was unloaded in the meantime, or its image is now loaded in another size.
      if (!animatedImage || entry.loadedSide !== side || entry.animatedImage || this.disposal.signal.aborted)
        return animatedImage?.dispose();
      entry.showAnimatedImage(animatedImage, side);
      this.markChanged();
    } catch {
      // The module could not be loaded. The first frame stays.
    }
  }

  /** Plays the largest of the visible animated images. */
  private playAnimatedImages(views: readonly { entry: MediaObject; screenPixels: number }[]): void {
    const animatedViews = views
      .filter(({ entry }) => entry.animatedImage)
      .sort((a, b) => b.screenPixels - a.screenPixels);
    const maxCount = isSmallDevice() ? PLAYERS_MAX_SMALL : PLAYERS_MAX;
    for (const [index, { entry, screenPixels }] of animatedViews.entries()) {
      if (index < maxCount && screenPixels > 0 && this.isAutoplayOn && !document.hidden)
        entry.animatedImage?.play();
      else entry.animatedImage?.pause();
    }
  }

  private playMedia(
    views: readonly { entry: MediaObject; screenPixels: number; distance: number; pan: number }[],
  ): void {
    const players = views.filter(({ entry }) => entry.isPlayable && !entry.hasFailed);
    if (players.length === 0) return;
    const requested = players.filter(({ entry }) => this.shouldPlay(entry) && !document.hidden);
    const runningIds = choosePlayingMedia(
      requested.map(({ entry, screenPixels, distance }) => ({
        id: entry.mediaItem.id,
        volume: computeVolume(distance, entry.mediaItem.placement.reach),
        screenPixels: entry.mediaItem.kind === "audio" ? 0 : screenPixels,
      })),
      isSmallDevice() ? PLAYERS_MAX_SMALL : PLAYERS_MAX,
    );
    for (const { entry, screenPixels, distance, pan } of players) {
      const { mediaItem } = entry;
      const isRunning =
        runningIds.has(mediaItem.id) && (mediaItem.kind === "video" || this.audioOutput.isAllowed);
      if (isRunning && !entry.player)
        entry.player = new MediaPlayer(mediaItem.url, mediaItem.kind === "video", this.audioOutput, {
          frame: () => this.showVideoFrame(entry),
          ended: () => {
            entry.chosenPlayback = "stop";
            this.markChanged();
          },
          failed: () => this.showFailure(entry),
        });
      if (isRunning) entry.player?.play(computeVolume(distance, mediaItem.placement.reach), pan);
      else entry.player?.pause();
      // A video or sound that neither runs nor is visible releases its decoder, unless it has ended, or the visitor started or stopped it.
      if (!isRunning && entry.player && screenPixels === 0 && !entry.chosenPlayback) this.endPlayer(entry);
      entry.showPlayMark(!isRunning);
    }
  }

  /** Shows a new frame of a video. */
  private showVideoFrame(entry: MediaObject): void {
    const { player } = entry;
    if (!player) return;
    if (player.texture && entry.showVideoFrame(player.texture)) this.applyAspect(entry, player.aspect);
    this.surroundings.invalidate();
  }

  private shouldPlay({ mediaItem, chosenPlayback }: MediaObject): boolean {
    return chosenPlayback
      ? chosenPlayback === "play"
      : this.isAutoplayOn && mediaItem.placement.play === "auto";
  }

  /** Loads a placed model or splats once. */
  private loadObject(entry: MediaObject): void {
    if (!entry.isStaged || entry.placedObject || entry.hasFailed) return;
    entry.placedObject = "loading";
    const { signal } = this.disposal;
    const load = async () => {
      const object = await this.fetchObject(entry.mediaItem, signal);
      if (object.motion) object.motion.isRunning = this.isModelMotionOn;
      if (object.isLit && !signal.aborted) await this.addLight().catch(() => {});
      const isUnneeded = signal.aborted || entry.placedObject !== "loading";
      if (isUnneeded) return object.dispose();
      object.prepare(this.stage, this.surroundings.renderOrder);
      entry.showObject(object);
      this.markChanged();
      if (object.motion) this.surroundings.animatedObjectsChanged();
    };
    load().catch(() => !signal.aborted && this.showFailure(entry));
  }

  private async fetchObject({ kind, url }: PlacedMediaItem, signal: AbortSignal): Promise<PlacedObject> {
    if (kind === "splat") {
      const { PlacedSplat } = await import("./placed-splat.client");
      return PlacedSplat.load(url, signal);
    }
    const { PlacedModel } = await import("./placed-model.client");
    return PlacedModel.load(url, signal, this.stage.renderer);
  }

  /** Prepares the placed models and splats again after a lost graphics context. */
  restore(): void {
    for (const { loadedObject } of this.entries)
      loadedObject?.prepare(this.stage, this.surroundings.renderOrder);
  }

  /** Lights the scene for models. Panoramas and splats have no light, and this light does not change them. */
  private async addLight(): Promise<void> {
    const { SceneLight, STUDIO } = await import("../model/scene-light.client");
    await SceneLight.addTo(this.stage, STUDIO, this.disposal.signal);
  }

  /** Sets the aspect (height divided by width) of the loaded file when the record has none. */
  private applyAspect(entry: MediaObject, aspect: number): void {
    if (entry.mediaItem.aspect !== null) return;
    entry.aspect = aspect;
    const order = this.entries.indexOf(entry);
    const plane = placeMedia(entry.mediaItem.placement, aspect, Math.max(0, order));
    if (plane) entry.setPlane(plane);
  }

  private showFailure(entry: MediaObject): void {
    this.endPlayer(entry);
    entry.showFailure();
    this.markChanged();
  }

  private endPlayer(entry: MediaObject): void {
    const { player } = entry;
    if (!player) return;
    entry.player = null;
    entry.showCard();
    player.dispose();
    this.markChanged();
  }

  private disposeEntry(entry: MediaObject): void {
    entry.dispose();
    entry.player?.dispose();
    entry.player = null;
    this.surroundings.invalidate();
  }

  private markChanged(): void {
    this.isDirty = true;
    this.surroundings.invalidate();
  }
}

/** Creates a square with sides of one metre. Its texture coordinates count from the top. */
function createSquare(): BufferGeometry {
  const square = new BufferGeometry();
  const corners = [-0.5, -0.5, 0, 0.5, -0.5, 0, 0.5, 0.5, 0, -0.5, 0.5, 0];
  square.setAttribute("position", new BufferAttribute(Float32Array.from(corners), 3));
  square.setAttribute("uv", new BufferAttribute(Float32Array.from([0, 1, 1, 1, 1, 0, 0, 0]), 2));
  square.setIndex([0, 1, 2, 0, 2, 3]);
  return square;
}
