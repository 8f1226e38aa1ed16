import type { Camera } from "three";
import { combineSignals, createAbortError } from "../core/abort";
import { clampPitch } from "../core/angles";
import {
  type AdapterOptions,
  type GoToOptions,
  type Pin,
  type PlacedMediaItem,
  type PlanImage,
  type SpaceViewer,
  type SurfaceHit,
  type Vec3,
  ViewerError,
  type ViewerEvents,
  type ViewerQuality,
  type ViewerSource,
  type ViewerTool,
  type Viewpoint,
} from "../core/contract";
import { Emitter } from "../core/emitter";
import { createFlight, type Flight, type Pose } from "../core/flight";
import type { MediaPlane } from "../core/media-plane";
import { type Box, computeScreenRay, type Size } from "../core/projection";
import { Fittings, type FittingsSpace } from "./fittings.client";
import { Gestures, type HeldKeys } from "./gestures.client";
import { PinLayer } from "./pins.client";
import { Stage } from "./stage.client";

/** A cross-fade for ways that cannot be flown. */
const FADE_MS = 160;
/** How fast a let-go view stops turning, in milliseconds to a third. */
const GLIDE_MS = 110;
const TURN_SPEED = 1.7;
const TILT_SPEED = 1.1;
const KEY_ZOOM = 1.2;
/** How far up and down eyes look, in radians. */
export const LOOK_LIMIT = (85 * Math.PI) / 180;

interface Running {
  readonly flight: Flight;
  readonly done: () => void;
  elapsed: number;
}

/**
 * What the adapters with a canvas share: stage, pins, gestures, flights, events and their end. A source says what it loads, where
 * a gesture leads and what a ray meets.
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
  protected readonly fittings: Fittings;
  protected readonly gestures: Gestures;
  /** Aborted by dispose: whatever is loading ends. */
  protected readonly ended = new AbortController();
  protected pose: Pose = { position: [0, 1.6, 0], yaw: 0, pitch: 0, fov: 1 };
  private running: Running | null = null;
  private glide = { x: 0, y: 0 };
  private loaded = false;
  private atRest = true;
  /** The yaw of the last frame. */
  private seenYaw = Number.NaN;
  /** Counts moves, so that one that waits knows that it was overtaken. */
  private move = 0;

  constructor(host: HTMLElement, options: AdapterOptions) {
    this.options = options;
    this.stage = new Stage(host, options.messages.canvas, {
      frame: (elapsed, sinceDrawn) => this.frame(elapsed, sinceDrawn),
      advance: (elapsed) => this.advance(elapsed),
      resize: () => {
        if (!this.loaded) return;
        this.pins.resized();
        this.resized();
      },
      lost: () => this.emitter.emit("error", "context_lost"),
      interrupted: () => {
        this.interrupted();
        cover(host, true);
        this.emitter.emit("interrupted", true);
      },
      restored: () => {
        this.restored();
        this.fittings.restored();
        cover(host, false);
        this.emitter.emit("interrupted", false);
      },
    });
    this.pins = new PinLayer(host, options, {
      open: (id) => this.fittings.open(id),
      invalidate: () => this.stage.invalidate(),
    });
    const { stage, pins, emitter } = this;
    this.fittings = new Fittings({
      host,
      stage,
      pins,
      emitter,
      options,
      ...this.surfaces,
      pose: () => this.pose,
      meet: (origin, direction) => this.meet(origin, direction),
    });
    this.gestures = new Gestures(host, this.stage.canvas, {
      drag: (dx, dy) => this.guard(() => this.drag(dx, dy)),
      slide: (dx, dy) => this.guard(() => this.slide(dx, dy)),
      pinch: (factor) => this.guard(() => this.pinch(factor)),
      wheel: (factor) => this.guard(() => this.zoomBy(factor)),
      tap: (x, y) => this.guard(() => this.tapped(x, y)),
      hover: (point) => this.loaded && this.hover(this.fittings.hover(point) ? null : point),
      press: (key) => this.loaded && (this.fittings.press(key) || this.press(key)),
      move: () => this.stage.invalidate(),
      grab: () => this.grab(),
      release: (vx, vy) => {
        if (!this.options.prefersReducedMotion()) this.glide = { x: vx, y: vy };
        this.stage.invalidate();
      },
      take: (x, y) => this.loaded && this.fittings.take(x, y),
      carry: (x, y) => this.guard(() => this.fittings.carry(x, y)),
      drop: (how) => this.guard(() => this.fittings.drop(how)),
    });
  }

  /** How far from the surfaces things hang, in which order they are drawn, and whether what a ray meets hides what is behind it. */
  protected get surfaces(): Pick<FittingsSpace, "lift" | "renderOrder" | "hasDepth"> {
    return { lift: 0, renderOrder: 0, hasDepth: true };
  }

  /** What of the hung things is hidden in another way than by depth; null for nothing. */
  protected concealing(): ((frame: MediaPlane) => boolean) | null {
    return null;
  }

  /** Fetches and builds the source; the camera's first pose is set here. */
  protected abstract open(source: ViewerSource, signal: AbortSignal): Promise<void>;
  /** Frees what open has made. */
  protected abstract close(): void;
  /** Near and far plane for the pose. */
  protected abstract range(): { near: number; far: number };
  /** What a ray of the screen meets in the space. */
  protected abstract meet(origin: Vec3, direction: Vec3): SurfaceHit | null;
  /** Whether the space hides a pin's disc; null when nothing does. */
  protected abstract hiding(): ((pin: Pin, disc: Vec3) => boolean) | null;
  protected abstract drag(dx: number, dy: number): void;
  protected abstract slide(dx: number, dy: number): void;
  protected abstract pinch(factor: number): void;
  protected abstract tap(x: number, y: number): void;
  protected abstract hover(point: { x: number; y: number } | null): void;
  /** Moves by held keys for some milliseconds. Answers whether it goes on. */
  protected abstract step(keys: HeldKeys, elapsed: number): boolean;
  /** The canvas has another size. */
  protected abstract resized(): void;
  /** Called before each frame with the final pose. Answers whether something besides the camera moves. */
  protected beforeDraw(_elapsed: number): boolean {
    return false;
  }

  /** Moves what is animated. @param elapsed milliseconds. @returns whether it goes on moving; the camera may rest meanwhile */
  protected animate(elapsed: number): boolean {
    return this.fittings.animate(elapsed);
  }

  /** Brings what is drawn into the order of where the camera is now, for sources that do so behind the frames. */
  protected async arrange(_camera: Camera): Promise<void> {}

  /** The space is there, and its first frame was drawn. */
  protected begun(): void {}

  /** The graphics context is gone with what was computed in it. Geometry and textures come back by themselves, if it does. */
  protected interrupted(): void {}

  /** The graphics context came back. */
  protected restored(): void {}

  /** What of the space's own pins must not cover in this frame. */
  protected targets(): readonly Box[] {
    return [];
  }

  abstract viewpoint(): Viewpoint;
  abstract goTo(target: Viewpoint | { readonly pinId: string }, options?: GoToOptions): Promise<void>;
  abstract setMode(mode: Viewpoint["mode"]): void;
  abstract zoomBy(factor: number): void;

  async load(source: ViewerSource, signal: AbortSignal): Promise<void> {
    const both = combineSignals(signal, this.ended.signal);
    try {
      if (both.aborted) throw createAbortError();
      await this.open(source, both);
      if (both.aborted) throw createAbortError();
    } catch (cause) {
      const left = both.aborted;
      this.dispose();
      if (left) throw createAbortError();
      if (cause instanceof ViewerError) throw cause;
      throw new ViewerError("load_failed", "The space could not be loaded.", { cause });
    }
    this.loaded = true;
    this.fittings.start();
    this.setMedia(this.fittings.hung);
    this.pins.moved();
    this.frame(0);
    this.stage.drawNow();
    this.stage.invalidate();
    this.emitter.emit("ready", undefined);
    this.begun();
  }

  setPins(pins: readonly Pin[]): void {
    this.fittings.setPins(pins);
  }

  setOpenPin(id: string | null): void {
    this.pins.setOpen(id);
  }

  setMedia(media: readonly PlacedMediaItem[]): void {
    this.fittings.setMedia(media);
  }

  setTool(tool: ViewerTool): void {
    this.fittings.setTool(this.tools.includes(tool) ? tool : "look");
  }

  setEditable(on: boolean): void {
    this.fittings.setEditable(on);
  }

  setPlaying(on: boolean): void {
    this.fittings.setPlaying(on);
  }

  setQuality(_quality: ViewerQuality): void {}

  /** Whether something placed in the space moves; null when nothing can. */
  get isMoving(): boolean | null {
    return this.fittings.moves;
  }

  setMoving(on: boolean): void {
    this.fittings.setMoving(on);
    this.emitter.emit("choices", undefined);
    this.stage.invalidate();
  }

  async xrSupported(): Promise<boolean> {
    // Asking fails where a page around this one does not allow it.
    return (await navigator.xr?.isSessionSupported("immersive-vr").catch(() => false)) ?? false;
  }

  async enterXR(): Promise<void> {
    const { xr } = navigator;
    if (!xr || !this.loaded || !(await this.xrSupported()))
      throw new ViewerError("refused", "There is no headset for this space.");
    const { beginSession } = await import("./xr.client");
    this.grab();
    try {
      await beginSession(xr, {
        stage: this.stage,
        pins: this.fittings.labelled,
        pose: () => this.pose,
        eyeHeight: () => this.eyeHeight(),
        stride: (from, towards) => this.stride(from, towards),
        tick: () => this.loaded && this.fittings.update(this.pose, this.size, this.concealing()),
        ended: () => this.emitter.emit("xr", false),
      });
    } catch (cause) {
      throw new ViewerError("refused", "The headset did not begin a session.", { cause });
    }
    this.emitter.emit("xr", true);
  }

  /** Metres from the floor to the eyes. */
  protected abstract eyeHeight(): number;
  /** Goes where somebody in a headset points. @param towards unit length. */
  protected abstract stride(from: Vec3, towards: Vec3): void;

  async capturePlanImage(): Promise<PlanImage | null> {
    return null;
  }

  setReservedBoxes(boxes: readonly Box[]): void {
    this.pins.keepFree(boxes);
  }

  pick(x: number, y: number): SurfaceHit | null {
    if (!this.loaded) return null;
    const found = this.fittings.at(x, y);
    return found?.hit ?? this.meet(this.pose.position, computeScreenRay(this.pose, this.size, x, y));
  }

  async captureImage(width: number): Promise<Blob | null> {
    if (!this.loaded) return null;
    this.frame(0);
    await this.arrange(this.stage.camera);
    return this.loaded ? this.stage.picture(width) : null;
  }

  on<K extends keyof ViewerEvents>(event: K, handler: (value: ViewerEvents[K]) => void): () => void {
    return this.emitter.on(event, handler);
  }

  dispose(): void {
    if (this.ended.signal.aborted) return;
    this.ended.abort();
    this.running?.done();
    this.running = null;
    this.loaded = false;
    this.gestures.dispose();
    this.fittings.dispose();
    this.pins.dispose();
    this.close();
    this.stage.dispose();
    this.emitter.clear();
  }

  protected get size(): Size {
    return this.stage.size;
  }

  protected get isFlying(): boolean {
    return this.running !== null;
  }

  /** Whether pin, pose and canvas are there to be worked with. */
  protected get isLoaded(): boolean {
    return this.loaded;
  }

  /**
   * Moves the camera; resolves when it has arrived, or was stopped by the visitor, another flight or the end.
   * @param flight one that ends at the pose. Missing: straight, turning evenly.
   */
  protected moveTo(
    pose: Pose,
    options: GoToOptions = {},
    flight: Flight = createFlight(this.pose, pose, undefined, false),
  ): Promise<void> {
    this.stopFlight();
    this.glide = { x: 0, y: 0 };
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
      this.running = { flight, done, elapsed: 0 };
      this.stage.invalidate();
    });
  }

  /** Changes the place behind a short fade, where there is no way to fly. */
  protected async fadeTo(pose: Pose, options: GoToOptions = {}): Promise<void> {
    this.stopFlight();
    const move = this.move;
    if (options.transition === "instant" || this.options.prefersReducedMotion() || !this.loaded) {
      this.setPose(pose);
      return;
    }
    const { canvas } = this.stage;
    const fade = (from: number, to: number) =>
      canvas.animate([{ opacity: from }, { opacity: to }], { duration: FADE_MS, fill: "forwards" });
    const out = fade(1, 0);
    // Cancelled by another fade or because the tab is in the background: the place is reached anyway.
    await out.finished.catch(() => {});
    if (this.ended.signal.aborted) return;
    if (move === this.move) {
      this.setPose(pose);
      this.frame(0);
      this.stage.drawNow();
    }
    const back = fade(0, 1);
    await back.finished.catch(() => {});
    out.cancel();
    back.cancel();
  }

  protected setPose(pose: Pose): void {
    this.pose = pose;
    this.atRest = false;
    this.pins.moved();
  }

  /** Ends a flight where it is. */
  protected stopFlight(): void {
    const { running } = this;
    this.move++;
    this.running = null;
    running?.done();
  }

  /** The visitor takes over. */
  protected grab(): void {
    this.pins.seek(null);
    this.glide = { x: 0, y: 0 };
    this.stopFlight();
  }

  private guard(act: () => void): void {
    if (!this.loaded) return;
    act();
    this.stage.invalidate();
  }

  private tapped(x: number, y: number): void {
    this.pins.fold();
    if (!this.fittings.tap(x, y)) this.tap(x, y);
  }

  /** Back to where the visit began. */
  protected abstract goHome(): void;

  /** A key that is not held for a move. Answers whether it meant something. */
  protected press(key: string): boolean {
    if (key === "+" || key === "=") this.zoomBy(KEY_ZOOM);
    else if (key === "-" || key === "_") this.zoomBy(1 / KEY_ZOOM);
    else if (key === "Home") this.goHome();
    else return false;
    this.stage.invalidate();
    return true;
  }

  /** Turns the eyes by a drag: the point under the finger stays under the finger. */
  protected look(dx: number, dy: number): void {
    const { pose, size } = this;
    const turn = pose.fov / size.height;
    const pitch = clampPitch(pose.pitch + dy * turn, LOOK_LIMIT);
    this.setPose({ ...pose, yaw: pose.yaw + dx * turn, pitch });
  }

  /** Turns by held keys. Answers whether any did. */
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

  /** Moves the camera by what time, keys and a drag that was let go do. Answers whether it goes on. */
  private advance(elapsed: number): boolean {
    if (!this.loaded) return false;
    let moving = false;
    if (this.running) {
      const { running } = this;
      // The first frame of a flight comes after a rest, with no time passed.
      running.elapsed += elapsed;
      this.setPose(running.flight.poseAt(running.elapsed));
      if (running.elapsed >= running.flight.duration) {
        this.running = null;
        running.done();
      }
      moving = true;
    } else {
      const keys = this.gestures.held();
      moving = this.step(keys, elapsed);
      if (Math.abs(this.glide.x) + Math.abs(this.glide.y) > 0.02) {
        this.drag(this.glide.x * elapsed, this.glide.y * elapsed);
        const left = Math.exp(-elapsed / GLIDE_MS);
        this.glide = { x: this.glide.x * left, y: this.glide.y * left };
        moving = true;
      }
    }
    return moving;
  }

  private frame(elapsed: number, sinceDrawn = elapsed): boolean {
    if (!this.loaded) return false;
    let moving = this.advance(elapsed);
    const { near, far } = this.range();
    this.stage.look(this.pose, near, far);
    if (this.beforeDraw(sinceDrawn)) moving = true;
    if (this.fittings.update(this.pose, this.size, this.concealing())) moving = true;
    if (this.pose.yaw !== this.seenYaw) {
      this.seenYaw = this.pose.yaw;
      this.emitter.emit("yaw", this.pose.yaw);
    }
    const checking = this.pins.update(this.pose, this.size, this.hiding(), this.targets());
    if (!moving && !checking && !this.atRest) {
      this.atRest = true;
      this.emitter.emit("settled", this.viewpoint());
    }
    return this.animate(sinceDrawn) || moving || checking;
  }
}

/** What lies over the canvas goes with its picture: over a still one it would stand anywhere, and be pressed by mistake. What hides by itself stays so. */
function cover(host: HTMLElement, on: boolean): void {
  for (const layer of host.querySelectorAll<HTMLElement>(":scope > div"))
    layer.style.display = on ? "none" : "";
}
