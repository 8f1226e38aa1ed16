import type { Camera } from "three";
import { combineSignals, createAbortError } from "../core/abort";
import { clampPitch } from "../core/angles";
import type {
  AdapterOptions,
  GoToOptions,
  Pin,
  PlacedMediaItem,
  PlanImage,
  SpaceViewer,
  SurfaceHit,
  Vec3,
  ViewerEvents,
  ViewerQuality,
  ViewerSource,
  ViewerTool,
  Viewpoint,
} from "../core/contract";
import { Emitter } from "../core/emitter";
import { createFlight, type Flight, type Pose } from "../core/flight";
import type { MediaPlane } from "../core/media-plane";
import { type Box, computeScreenRay, type Size } from "../core/projection";
import { TimeSlicer } from "../core/time-slicer";
import { ViewerError } from "../core/viewer-error";
import { Gestures, type HeldKeys } from "./gestures.client";
import { PinLayer } from "./pin-layer.client";
import { type OverlaySpace, SceneOverlays } from "./scene-overlays.client";
import { Stage } from "./stage.client";

/** Time in which the rotation of a released view slows to about a third (1/e), in milliseconds. */
const INERTIA_MS = 110;
/** Speeds of turning and tilting by held keys, in radians per second, and factor of a key that zooms. */
const TURN_SPEED = 1.7;
const TILT_SPEED = 1.1;
const KEY_ZOOM = 1.2;
/** Maximum pitch of the view, up and down, in radians. */
export const LOOK_LIMIT = (85 * Math.PI) / 180;

interface ActiveFlight {
  readonly flight: Flight;
  readonly done: () => void;
  elapsed: number;
}

/**
 * Base class of the adapters with a canvas. It handles the stage, pins, gestures, flights, events and disposal. A subclass loads its source, and
 * decides what a gesture does and where a ray hits the space.
 */
export abstract class SpatialViewer implements SpaceViewer {
  abstract readonly modes: SpaceViewer["modes"];
  readonly tools: SpaceViewer["tools"] = ["place", "measure"];
  readonly connection: SpaceViewer["connection"] = null;
  quality: SpaceViewer["quality"] = null;
  protected readonly stage: Stage;
  protected readonly options: AdapterOptions;
  protected readonly emitter = new Emitter();
  protected readonly pins: PinLayer;
  protected readonly overlays: SceneOverlays;
  protected readonly gestures: Gestures;
  /** Aborted by dispose, to cancel all downloads. */
  protected readonly disposal = new AbortController();
  protected pose: Pose = { position: [0, 1.6, 0], yaw: 0, pitch: 0, fov: 1 };
  private activeFlight: ActiveFlight | null = null;
  /** Speed of the released view, in CSS pixels per millisecond. */
  private inertia = { x: 0, y: 0 };
  private loaded = false;
  private isSettled = true;
  /** Yaw of the last frame, in radians. */
  private lastYaw = Number.NaN;
  /** Counts moves, so that a pending move can detect that a newer one has started. */
  private moveCount = 0;

  constructor(host: HTMLElement, options: AdapterOptions) {
    this.options = options;
    this.stage = new Stage(host, options.messages.canvas, {
      frame: (elapsed, sinceDrawn) => this.frame(elapsed, sinceDrawn),
      advance: (elapsed) => this.advance(elapsed),
      resize: () => {
        if (!this.loaded) return;
        this.pins.forgetSizes();
        this.resized();
      },
      lost: () => this.emitter.emit("error", "context_lost"),
      interrupted: () => {
        this.interrupted();
        this.stage.setLayersHidden(true);
        this.emitter.emit("interrupted", true);
      },
      restored: () => {
        this.restored();
        this.overlays.restore();
        this.stage.setLayersHidden(false);
        this.emitter.emit("interrupted", false);
      },
    });
    this.pins = new PinLayer(host, options, {
      open: (id) => this.overlays.open(id),
      close: () => this.emitter.emit("pinclose", undefined),
      invalidate: () => this.stage.invalidate(),
    });
    const { stage, pins, emitter } = this;
    this.overlays = new SceneOverlays({
      host,
      stage,
      pins,
      emitter,
      options,
      ...this.overlayOptions,
      pose: () => this.pose,
      raycastSpace: (origin, direction) => this.raycastSpace(origin, direction),
    });
    this.gestures = new Gestures(host, this.stage.canvas, {
      drag: (dx, dy) => this.runWhenLoaded(() => this.drag(dx, dy)),
      slide: (dx, dy) => this.runWhenLoaded(() => this.slide(dx, dy)),
      pinch: (factor) => this.runWhenLoaded(() => this.pinch(factor)),
      wheel: (factor) => this.runWhenLoaded(() => this.zoomBy(factor)),
      tap: (x, y) => this.runWhenLoaded(() => this.handleTap(x, y)),
      hover: (point) => this.loaded && this.hover(this.overlays.hover(point) ? null : point),
      press: (key) => this.loaded && (this.overlays.press(key) || this.press(key)),
      heldKeysChange: () => this.stage.invalidate(),
      takeControl: () => this.takeControl(),
      release: (vx, vy) => {
        if (!this.options.prefersReducedMotion()) this.inertia = { x: vx, y: vy };
        this.stage.invalidate();
      },
      grabObject: (x, y) => this.loaded && this.overlays.grabObject(x, y),
      dragObject: (x, y) => this.runWhenLoaded(() => this.overlays.dragObject(x, y)),
      releaseObject: (how) => this.runWhenLoaded(() => this.overlays.releaseObject(how)),
    });
  }

  /** Additional distance of placed media from the surfaces, their render order, and whether a surface hides what is behind it. */
  protected get overlayOptions(): Pick<OverlaySpace, "surfaceOffset" | "renderOrder" | "hasDepth"> {
    return { surfaceOffset: 0, renderOrder: 0, hasDepth: true };
  }

  /** Returns a function that tests whether the space hides a media plane in another way than by depth, or null. */
  protected getMediaOcclusionTest(): ((plane: MediaPlane) => boolean) | null {
    return null;
  }

  /** Loads and builds the source, and sets the camera's first pose. */
  protected abstract open(source: ViewerSource, signal: AbortSignal): Promise<void>;
  /** Frees the resources of open. */
  protected abstract close(): void;
  /** Returns the distances of the near and far planes, in metres. */
  protected abstract clippingDistances(): { near: number; far: number };
  /** Returns the point where a ray meets the space. */
  protected abstract raycastSpace(origin: Vec3, direction: Vec3): SurfaceHit | null;
  /** Returns a function that tests whether the space hides a pin's disc, or null. */
  protected abstract getPinOcclusionTest(): ((pin: Pin, disc: Vec3) => boolean) | null;
  protected abstract drag(dx: number, dy: number): void;
  protected abstract slide(dx: number, dy: number): void;
  protected abstract pinch(factor: number): void;
  protected abstract tap(x: number, y: number): void;
  protected abstract hover(point: { x: number; y: number } | null): void;
  /** Moves the camera by the held keys for some milliseconds. Returns whether the movement continues. */
  protected abstract step(keys: HeldKeys, elapsed: number): boolean;
  /** Called after the canvas has changed its size. */
  protected abstract resized(): void;
  /** Called before each frame with the final pose. Returns whether something besides the camera moves. */
  protected beforeDraw(_elapsed: number): boolean {
    return false;
  }

  /**
   * Advances animations.
   * @param elapsed milliseconds
   * @returns whether they continue; the camera may already have settled
   */
  protected animate(elapsed: number): boolean {
    return this.overlays.animate(elapsed);
  }

  /** Prepares the content for an image that is captured with this camera: resolves when everything in view is sharp and sorted. */
  protected async prepareCapture(_camera: Camera): Promise<void> {}

  /** Called after the first frame was drawn. */
  protected afterFirstFrame(): void {}

  /** Called when the graphics context is lost. three.js restores geometry and textures itself; everything else in the context is lost. */
  protected interrupted(): void {}

  /** Called when the graphics context has returned. */
  protected restored(): void {}

  /** Returns boxes that the space's own pins must not cover in this frame. */
  protected listReservedBoxes(): readonly Box[] {
    return [];
  }

  abstract viewpoint(): Viewpoint;
  abstract goTo(target: Viewpoint | { readonly pinId: string }, options?: GoToOptions): Promise<void>;
  abstract setMode(mode: Viewpoint["mode"]): void;
  abstract zoomBy(factor: number): void;

  async load(source: ViewerSource, signal: AbortSignal): Promise<void> {
    const stopSignal = combineSignals(signal, this.disposal.signal);
    try {
      if (stopSignal.aborted) throw createAbortError();
      await this.open(source, stopSignal);
      if (stopSignal.aborted) throw createAbortError();
      this.loaded = true;
      this.overlays.start();
      this.setMedia(this.overlays.placedMedia);
      this.pins.requestChecks();
      this.frame(0);
      await new TimeSlicer(stopSignal).pause();
    } catch (cause) {
      const isAborted = stopSignal.aborted;
      this.dispose();
      if (isAborted) throw createAbortError();
      if (cause instanceof ViewerError) throw cause;
      throw new ViewerError("load_failed", "The space could not be loaded.", { cause });
    }
    this.stage.drawNow();
    this.stage.invalidate();
    this.emitter.emit("ready", undefined);
    this.afterFirstFrame();
  }

  setPins(pins: readonly Pin[]): void {
    this.overlays.setPins(pins);
  }

  setOpenPin(id: string | null): void {
    this.pins.setOpen(id);
  }

  setMedia(media: readonly PlacedMediaItem[]): void {
    this.overlays.setMedia(media);
  }

  setTool(tool: ViewerTool): void {
    this.overlays.setTool(this.tools.includes(tool) ? tool : "look");
  }

  setEditable(on: boolean): void {
    this.overlays.setEditable(on);
  }

  setPlaying(on: boolean): void {
    this.overlays.setPlaying(on);
  }

  setQuality(_quality: ViewerQuality): void {}

  /** Whether an object in the space moves. Null when none can. */
  get isMoving(): boolean | null {
    return this.overlays.isMoving;
  }

  setMoving(on: boolean): void {
    this.overlays.setMoving(on);
    this.emitter.emit("choices", undefined);
    this.stage.invalidate();
  }

  async xrSupported(): Promise<boolean> {
    // The query rejects in a frame whose parent page does not allow WebXR.
    return (await navigator.xr?.isSessionSupported("immersive-vr").catch(() => false)) ?? false;
  }

  async enterXR(): Promise<void> {
    const { xr } = navigator;
    if (!xr || !this.loaded || !(await this.xrSupported()))
      throw new ViewerError("rejected", "There is no headset for this space.");
    const { startXrSession } = await import("./xr-session.client");
    this.takeControl();
    try {
      await startXrSession(xr, {
        stage: this.stage,
        pins: this.overlays.pinsAndMedia,
        pose: () => this.pose,
        eyeHeight: () => this.eyeHeight(),
        moveTowards: (from, towards) => this.moveTowards(from, towards),
        tick: () => this.loaded && this.overlays.update(this.pose, this.size, this.getMediaOcclusionTest()),
        ended: () => this.emitter.emit("xr", false),
      });
    } catch (cause) {
      throw new ViewerError("rejected", "The headset did not begin a session.", { cause });
    }
    this.emitter.emit("xr", true);
  }

  /** Returns the height of the eyes above the floor, in metres. */
  protected abstract eyeHeight(): number;
  /** Moves to the point to which a visitor in a headset points. @param towards unit vector */
  protected abstract moveTowards(from: Vec3, towards: Vec3): void;

  async capturePlanImage(): Promise<PlanImage | null> {
    return null;
  }

  setReservedBoxes(boxes: readonly Box[]): void {
    this.pins.setReservedBoxes(boxes);
  }

  pick(x: number, y: number): SurfaceHit | null {
    if (!this.loaded) return null;
    const target = this.overlays.findAt(x, y);
    return target?.hit ?? this.raycastSpace(this.pose.position, computeScreenRay(this.pose, this.size, x, y));
  }

  async captureImage(width: number): Promise<Blob | null> {
    if (!this.loaded) return null;
    this.frame(0);
    await this.prepareCapture(this.stage.camera);
    return this.loaded ? this.stage.captureImage(width) : null;
  }

  on<K extends keyof ViewerEvents>(event: K, handler: (value: ViewerEvents[K]) => void): () => void {
    return this.emitter.on(event, handler);
  }

  dispose(): void {
    if (this.disposal.signal.aborted) return;
    this.disposal.abort();
    this.activeFlight?.done();
    this.activeFlight = null;
    this.loaded = false;
    this.gestures.dispose();
    this.overlays.dispose();
    this.pins.dispose();
    this.close();
    this.stage.dispose();
    this.emitter.clear();
  }

  protected get size(): Size {
    return this.stage.size;
  }

  protected get isFlying(): boolean {
    return this.activeFlight !== null;
  }

  /** Whether the space is loaded and not disposed. */
  protected get isLoaded(): boolean {
    return this.loaded;
  }

  /**
   * Moves the camera. Resolves when it has arrived, or when the visitor, another flight or disposal has stopped it.
   * @param flight a flight that ends at the pose; default: a straight one that turns evenly
   */
  protected moveTo(
    pose: Pose,
    options: GoToOptions = {},
    flight: Flight = createFlight(this.pose, pose, undefined, false),
  ): Promise<void> {
    this.stopFlight();
    this.inertia = { x: 0, y: 0 };
    if (
      options.transition === "instant" ||
      this.options.prefersReducedMotion() ||
      flight.duration === 0 ||
      !this.loaded
    ) {
      this.setPose(pose);
      return Promise.resolve();
    }
    return new Promise((done) => {
      this.activeFlight = { flight, done, elapsed: 0 };
      this.stage.invalidate();
    });
  }

  /** Changes the position with a short fade, when there is no route for a flight. */
  protected async fadeTo(pose: Pose, options: GoToOptions = {}): Promise<void> {
    this.stopFlight();
    const move = this.moveCount;
    if (options.transition === "instant" || this.options.prefersReducedMotion() || !this.loaded) {
      this.setPose(pose);
      return;
    }
    await this.stage.fade(() => {
      if (this.disposal.signal.aborted || move !== this.moveCount) return;
      this.setPose(pose);
      this.frame(0);
      this.stage.drawNow();
    });
  }

  protected setPose(pose: Pose): void {
    this.pose = pose;
    this.isSettled = false;
    this.pins.requestChecks();
  }

  /** Stops a flight at its current position. A pending fade no longer changes the position. */
  protected stopFlight(): void {
    const { activeFlight } = this;
    this.moveCount++;
    this.activeFlight = null;
    activeFlight?.done();
  }

  /** Stops automatic moves because the visitor takes control. */
  protected takeControl(): void {
    this.pins.setTarget(null);
    this.inertia = { x: 0, y: 0 };
    this.stopFlight();
  }

  private runWhenLoaded(action: () => void): void {
    if (!this.loaded) return;
    action();
    this.stage.invalidate();
  }

  private handleTap(x: number, y: number): void {
    this.pins.collapse();
    if (!this.overlays.tap(x, y)) this.tap(x, y);
  }

  /** Returns to the viewpoint at which the visit began. */
  protected abstract goToStart(): void;

  /** Handles a pressed key (see GestureHandlers.press). Returns whether the key was used. */
  protected press(key: string): boolean {
    if (key === "+" || key === "=") this.zoomBy(KEY_ZOOM);
    else if (key === "-" || key === "_") this.zoomBy(1 / KEY_ZOOM);
    else if (key === "Home") this.goToStart();
    else return false;
    this.stage.invalidate();
    return true;
  }

  /** Turns the view by a drag, so that the space moves with the finger. */
  protected turnByDrag(dx: number, dy: number): void {
    const { pose, size } = this;
    const radiansPerPixel = pose.fov / size.height;
    const pitch = clampPitch(pose.pitch + dy * radiansPerPixel, LOOK_LIMIT);
    this.setPose({ ...pose, yaw: pose.yaw + dx * radiansPerPixel, pitch });
  }

  /** Turns by the held keys. Returns whether one of them turns the view. */
  protected turnByKeys(keys: HeldKeys, elapsed: number): boolean {
    if (keys.turn === 0 && keys.tilt === 0) return false;
    const seconds = elapsed / 1000;
    this.setPose({
      ...this.pose,
      yaw: this.pose.yaw + keys.turn * TURN_SPEED * seconds,
      pitch: clampPitch(this.pose.pitch + keys.tilt * TILT_SPEED * seconds, LOOK_LIMIT),
    });
    return true;
  }

  /** Moves the camera by flights, keys and the inertia of a drag. Returns whether the movement continues. */
  private advance(elapsed: number): boolean {
    if (!this.loaded) return false;
    let isMoving = false;
    if (this.activeFlight) {
      const { activeFlight } = this;
      activeFlight.elapsed += elapsed;
      this.setPose(activeFlight.flight.poseAt(activeFlight.elapsed));
      if (activeFlight.elapsed >= activeFlight.flight.duration) {
        this.activeFlight = null;
        activeFlight.done();
      }
      isMoving = true;
    } else {
      const keys = this.gestures.readHeldKeys();
      isMoving = this.step(keys, elapsed);
      if (Math.abs(this.inertia.x) + Math.abs(this.inertia.y) > 0.02) {
        this.drag(this.inertia.x * elapsed, this.inertia.y * elapsed);
        const remainingShare = Math.exp(-elapsed / INERTIA_MS);
        this.inertia = { x: this.inertia.x * remainingShare, y: this.inertia.y * remainingShare };
        isMoving = true;
      }
    }
    return isMoving;
  }

  private frame(elapsed: number, sinceDrawn = elapsed): boolean {
    if (!this.loaded) return false;
    let isMoving = this.advance(elapsed);
    const { near, far } = this.clippingDistances();
    this.stage.setCamera(this.pose, near, far);
    if (this.beforeDraw(sinceDrawn)) isMoving = true;
    if (this.overlays.update(this.pose, this.size, this.getMediaOcclusionTest())) isMoving = true;
    if (this.pose.yaw !== this.lastYaw) {
      this.lastYaw = this.pose.yaw;
      this.emitter.emit("yaw", this.pose.yaw);
    }
    const hasChecksLeft = this.pins.update(
      this.pose,
      this.size,
      this.getPinOcclusionTest(),
      this.listReservedBoxes(),
    );
    if (!isMoving && !hasChecksLeft && !this.isSettled) {
      this.isSettled = true;
      this.emitter.emit("settled", this.viewpoint());
    }
    return this.animate(sinceDrawn) || isMoving || hasChecksLeft;
  }
}
