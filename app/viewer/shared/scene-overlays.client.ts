import { isStaged } from "~/domain/library/media-kinds";
import type { AdapterOptions, Pin, PlacedMediaItem, SurfaceHit, Vec3, ViewerTool } from "../core/contract";
import type { Emitter } from "../core/emitter";
import type { Pose } from "../core/flight";
import { cubeCorners, type MediaPlane, placeMedia, planeCorners } from "../core/media-plane";
import { computeScreenRay, type Size } from "../core/projection";
import { add, distance, isFinitePoint, length, normalize, scale } from "../core/vec";
import type { MediaLayer } from "../placed-media/media-layer.client";
import type { PinLayer } from "./pin-layer.client";
import type { Stage } from "./stage.client";
import type { ToolLayer } from "./tool-layer.client";

/** Distance in metres from the plane of a media item to the point at which the camera looks. */
const STEM_LENGTH = 0.12;

/** The space to which the overlays are added. */
export interface OverlaySpace {
  readonly host: HTMLElement;
  readonly stage: Stage;
  readonly pins: PinLayer;
  readonly emitter: Emitter;
  readonly options: AdapterOptions;
  /** Additional distance in metres between placed media and the surfaces. */
  readonly surfaceOffset: number;
  /** Render order of placed media. 0 when the depth buffer alone decides. */
  readonly renderOrder: number;
  /** Whether the surface that a ray meets hides objects behind it. In a panorama, surfaces are only estimated. */
  readonly hasDepth: boolean;
  pose(): Pose;
  /** Returns the point where a ray meets the space itself. */
  raycastSpace(origin: Vec3, direction: Vec3): SurfaceHit | null;
}

interface DraggedObject {
  readonly id: string;
  readonly startHit: SurfaceHit;
  currentHit: SurfaceHit;
}

/**
 * Overlays of every space that is drawn on a canvas of the page: pins, placed media, and the tools that place and measure. The code of media and
 * of tools is loaded when it is first needed.
 */
export class SceneOverlays {
  private readonly space: OverlaySpace;
  private pins: readonly Pin[] = [];
  private media: readonly PlacedMediaItem[] = [];
  private mediaLayer: MediaLayer | null = null;
  private toolLayer: ToolLayer | null = null;
  private toolLayerPromise: Promise<ToolLayer | null> | null = null;
  private tool: ViewerTool = "look";
  private isEditable = false;
  /** Last value of setPlaying. Null before its first call. */
  private isPlaying: boolean | null = null;
  private dragged: DraggedObject | null = null;
  private isStarted = false;
  private isDisposed = false;

  constructor(space: OverlaySpace) {
    this.space = space;
  }

  /** Starts the overlays when the space is loaded: sets the tool that was chosen before. The caller sets the media again. */
  start(): void {
    this.isStarted = true;
    this.setTool(this.tool);
  }

  setPins(pins: readonly Pin[]): void {
    // A pin with an invalid position is only in the page's list.
    this.pins = pins.filter(({ position, stem }) => isFinitePoint(position) && isFinitePoint(stem));
    this.updatePins();
  }

  /** Positions of the pins that were set. */
  get pinPositions(): readonly Vec3[] {
    return this.pins.map(({ position }) => position);
  }

  /** The media items that were set. */
  get placedMedia(): readonly PlacedMediaItem[] {
    return this.media;
  }

  setMedia(media: readonly PlacedMediaItem[]): void {
    this.media = media;
    this.updatePins();
    if (!this.isStarted || this.isDisposed || (media.length === 0 && !this.mediaLayer)) return;
    const applyMedia = () => {
      const pinnedIds = new Set(this.pins.map(({ id }) => id));
      this.mediaLayer?.setMedia(this.media, pinnedIds);
      this.moveDragged();
    };
    if (this.mediaLayer) {
      applyMedia();
      return;
    }
    const { stage, emitter, options, surfaceOffset, renderOrder } = this.space;
    const load = async () => {
      const { MediaLayer } = await import("../placed-media/media-layer.client");
      if (this.isDisposed) return;
      this.mediaLayer ??= new MediaLayer(stage, {
        surfaceOffset,
        renderOrder,
        anisotropy: Math.min(8, stage.renderer.capabilities.getMaxAnisotropy()),
        prefersReducedMotion: () => options.prefersReducedMotion(),
        invalidate: () => stage.invalidate(),
        animatedObjectsChanged: () => emitter.emit("choices", undefined),
      });
      if (this.isPlaying !== null) this.mediaLayer.setPlaying(this.isPlaying);
      applyMedia();
    };
    // After a new deployment, the script may no longer exist. The media are still in the page's list.
    load().catch(() => {});
  }

  setTool(tool: ViewerTool): void {
    this.tool = tool;
    if (!this.isStarted || (tool === "look" && !this.toolLayerPromise)) return;
    // After a new deployment, the script may no longer exist. The viewer then works without tools.
    this.loadToolLayer().then(
      (layer) => layer?.setTool(this.tool),
      () => {},
    );
  }

  /** Loads the tool layer when it is first needed. Resolves to null after disposal. */
  private loadToolLayer(): Promise<ToolLayer | null> {
    const { host, stage, options } = this.space;
    this.toolLayerPromise ??= import("./tool-layer.client").then(({ ToolLayer }) => {
      if (!this.isDisposed) this.toolLayer = new ToolLayer(host, stage, options.messages);
      return this.toolLayer;
    });
    return this.toolLayerPromise;
  }

  setEditable(on: boolean): void {
    this.isEditable = on;
    if (!on) this.releaseObject("back");
  }

  setPlaying(on: boolean): void {
    this.isPlaying = on;
    this.mediaLayer?.setPlaying(on);
  }

  /** Whether placed models move. Null when none has an animation. */
  get isMoving(): boolean | null {
    return this.mediaLayer?.isMoving ?? null;
  }

  setMoving(on: boolean): void {
    this.mediaLayer?.setMoving(on);
  }

  /**
   * Advances the animations of placed models.
   * @param elapsed milliseconds
   * @returns whether they continue
   */
  animate(elapsed: number): boolean {
    return this.mediaLayer?.animate(elapsed) ?? false;
  }

  /** Handles the return of the graphics context. */
  restore(): void {
    this.mediaLayer?.restore();
  }

  /** Pins and media of the space with their names, for visitors in a headset, who cannot see the page. */
  get pinsAndMedia(): readonly Pin[] {
    const ids = new Set(this.pins.map(({ id }) => id));
    const media = this.media.flatMap(({ id }) => (ids.has(id) ? [] : (this.findAnchor(id) ?? [])));
    return [...this.pins, ...media];
  }

  /** Returns a pin, or a substitute at the position of a media item that has no pin. */
  findAnchor(id: string): Pin | undefined {
    const pin = this.pins.find((candidate) => candidate.id === id);
    if (pin) return pin;
    const mediaItem = this.media.find((item) => item.id === id);
    const plane = mediaItem && placeMedia(mediaItem.placement, mediaItem.aspect);
    if (!mediaItem || !plane) return undefined;
    return {
      id,
      type: "media",
      label: mediaItem.title,
      color: "",
      icon: "",
      position: mediaItem.placement.position,
      stem: scale(plane.normal, STEM_LENGTH),
      viewpoint: null,
    };
  }

  /** Returns the corners and the centre of a visible media item, or null for a sound and for an item with a pin. */
  findOutline(id: string): { readonly points: readonly Vec3[]; readonly middle: Vec3 } | null {
    const mediaItem = this.media.find((item) => item.id === id);
    if (!mediaItem || mediaItem.kind === "audio" || this.pins.some((pin) => pin.id === id)) return null;
    const object = this.mediaLayer?.find(id);
    const plane = object?.plane ?? placeMedia(mediaItem.placement, mediaItem.aspect);
    if (!plane) return null;
    // The points are slightly in front of the surface, because a rough surface, such as one of splats, may hide them.
    const offsetCorners = () =>
      planeCorners({ ...plane, centre: add(plane.centre, scale(plane.normal, STEM_LENGTH)) });
    const points = isStaged(mediaItem.kind) ? (object?.corners() ?? cubeCorners(plane)) : offsetCorners();
    const middle = scale(
      points.reduce((sum, point) => add(sum, point), [0, 0, 0] as Vec3),
      1 / points.length,
    );
    return { points, middle };
  }

  /** Returns the plane of a placed media item. */
  findPlane(id: string): MediaPlane | undefined {
    return this.mediaLayer?.find(id)?.plane;
  }

  /** Returns the pin or the media item that is visible at a point of the canvas. */
  findAt(x: number, y: number): { id: string; hit: SurfaceHit } | null {
    const { pins, stage, raycastSpace, hasDepth } = this.space;
    const pose = this.space.pose();
    const ray = computeScreenRay(pose, stage.size, x, y);
    const hit = raycastSpace(pose.position, ray);
    const pin = pins.findAt(x, y);
    if (pin) {
      const surfaceHit = hit ?? { position: pin.position, normal: scale(ray, -1) };
      return { id: pin.id, hit: { ...surfaceHit, pinId: pin.id } };
    }
    const farthest = hit && hasDepth ? distance(pose.position, hit.position) : Number.POSITIVE_INFINITY;
    return this.mediaLayer?.raycast(pose.position, ray, farthest) ?? null;
  }

  /** Opens a pin or a media item. Outside of the editor, a video or a sound also starts or stops. */
  open(id: string): void {
    if (!this.isEditable) this.mediaLayer?.togglePlayback(id);
    this.space.emitter.emit("pinopen", id);
  }

  /** Handles a click on the canvas. Returns whether it was used. */
  tap(x: number, y: number): boolean {
    if (this.tool !== "look") {
      this.choosePoint(x, y);
      return true;
    }
    const target = this.findAt(x, y);
    if (target) this.open(target.id);
    return target !== null;
  }

  /** Handles the mouse over a point of the canvas, or its leaving (null). Returns whether the space itself must ignore it. */
  hover(point: { x: number; y: number } | null): boolean {
    if (this.tool === "look") {
      const hovered = point && this.media.length > 0 ? this.findAt(point.x, point.y) : null;
      this.space.stage.canvas.style.cursor = hovered ? "pointer" : "";
      return hovered !== null;
    }
    this.toolLayer?.hover(point && this.pick(point.x, point.y));
    return true;
  }

  /** Handles a key: Enter acts like a click in the centre, also Space with a tool; Escape removes the measured points. Returns whether the key was used. */
  press(key: string): boolean {
    const { width, height } = this.space.stage.size;
    if (key === "Enter" || (key === " " && this.tool !== "look")) return this.tap(width / 2, height / 2);
    if (key !== "Escape" || !this.toolLayer?.removePoints()) return false;
    this.space.emitter.emit("measured", null);
    return true;
  }

  grabObject(x: number, y: number): boolean {
    if (!this.isEditable || this.tool !== "look") return false;
    const id = this.findAt(x, y)?.id;
    const pin = id === undefined ? undefined : this.pins.find((candidate) => candidate.id === id);
    const mediaItem = this.media.find((item) => item.id === id);
    if (id === undefined || (!pin && !mediaItem)) return false;
    const startHit: SurfaceHit = mediaItem
      ? { position: mediaItem.placement.position, normal: normalize(mediaItem.placement.normal) }
      : { position: pin?.position ?? [0, 0, 0], normal: normalize(pin?.stem ?? [0, 1, 0]) };
    this.dragged = { id, startHit, currentHit: startHit };
    return true;
  }

  dragObject(x: number, y: number): void {
    const hit = this.dragged && this.pick(x, y);
    if (!this.dragged || !hit) return;
    this.dragged.currentHit = hit;
    this.moveDragged();
    this.space.emitter.emit("drag", { id: this.dragged.id, hit, done: false });
  }

  /** Releases the dragged object: "put" at its current position, "back" at its start. */
  releaseObject(how: "put" | "back"): void {
    const { dragged } = this;
    if (!dragged) return;
    if (how === "back") dragged.currentHit = dragged.startHit;
    this.moveDragged();
    this.dragged = null;
    this.space.emitter.emit("drag", { id: dragged.id, hit: dragged.currentHit, done: true });
  }

  /**
   * Called for each frame. Returns whether another frame is needed.
   * @param occludes whether the space hides a media plane in another way than by depth
   */
  update(pose: Pose, size: Size, occludes: ((plane: MediaPlane) => boolean) | null): boolean {
    this.toolLayer?.update(pose, size);
    return this.mediaLayer?.update(pose, size, occludes) ?? false;
  }

  dispose(): void {
    this.isDisposed = true;
    this.mediaLayer?.dispose();
    this.mediaLayer = null;
    this.toolLayer?.dispose();
    this.toolLayer = null;
  }

  /** Shows the pins, except those of media items that are visible themselves. A sound with a pin is visible only as the pin. */
  private updatePins(): void {
    const visibleMediaIds = new Set(
      this.media.flatMap(({ id, kind, placement }) =>
        kind !== "audio" && placeMedia(placement, 1) ? id : [],
      ),
    );
    this.space.pins.set(this.pins.filter(({ id }) => !visibleMediaIds.has(id)));
    this.moveDragged();
  }

  /** Shows a dragged object at its current position, also after the page has set new lists. */
  private moveDragged(): void {
    if (!this.dragged) return;
    const { id, currentHit } = this.dragged;
    const stem = this.pins.find((pin) => pin.id === id)?.stem ?? [0, 0, 0];
    this.space.pins.move(id, currentHit.position, scale(currentHit.normal, length(stem)));
    this.mediaLayer?.move(id, currentHit);
  }

  private pick(x: number, y: number): SurfaceHit | null {
    const pose = this.space.pose();
    return this.space.raycastSpace(pose.position, computeScreenRay(pose, this.space.stage.size, x, y));
  }

  private choosePoint(x: number, y: number): void {
    const hit = this.pick(x, y);
    if (!hit) return;
    if (this.tool === "place") this.space.emitter.emit("place", hit);
    if (this.tool !== "measure") return;
    // The first click may happen before the layer is loaded.
    const addPoint = (layer: ToolLayer | null) => {
      if (layer) this.space.emitter.emit("measured", layer.addPoint(hit.position));
    };
    this.loadToolLayer().then(addPoint, () => {});
  }
}
