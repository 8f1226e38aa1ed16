import { type Camera, Color, PerspectiveCamera, Scene, SRGBColorSpace, WebGLRenderer } from "three";
import type { Pose } from "../core/flight";
import type { Size } from "../core/projection";
import { ViewerError } from "../core/viewer-error";

/** Maximum number of device pixels per CSS pixel. */
const PIXEL_RATIO_MAX = 2;
/** Time after which a lost graphics context counts as not restored, in milliseconds. */
const RESTORE_TIMEOUT_MS = 4000;
/**
 * Maximum elapsed time that a frame reports, in milliseconds. After a longer pause, for example in another tab, movement continues from its last
 * position.
 */
const ELAPSED_MAX_MS = 300;
/** Frame time in milliseconds above which a frame is slow, and number of slow frames in sequence that reduce the resolution during movement. */
const SLOW_FRAME_MS = 42;
const SLOW_FRAMES = 4;
/** Time of the GPU for a frame, in milliseconds, above which a single frame reduces the resolution. */
const VERY_SLOW_FRAME_MS = 400;
/** Time in milliseconds after which two frames belong to different movements. */
const MOVEMENT_GAP_MS = 1000;
/** Number of device pixels per CSS pixel below which the resolution is not reduced further. */
const PIXEL_RATIO_MIN = 0.6;
/** Maximum number of frames that are queued on the GPU. With more, a task that waits for the GPU blocks the page for all of them. */
const PENDING_FRAMES_MAX = 2;
/** Quality of captured images, 0…1. */
const IMAGE_QUALITY = 0.85;

/** Duration of each half of a fade to a position without a route: fading out and fading in, in milliseconds. */
const FADE_MS = 160;

/** Callbacks of a stage. */
export interface StageEvents {
  /**
   * Called before each requested frame is drawn. Returns whether another frame is needed, so that nothing is drawn while nothing moves.
   * @param elapsed milliseconds since the last call of this function or of `advance`, 0 for the first one after a pause
   * @param sinceDrawn milliseconds since the last drawn frame
   */
  frame(elapsed: number, sinceDrawn: number): boolean;
  /** Called instead of `frame` while the GPU is behind. Time advances although nothing is drawn. Returns whether anything moves. */
  advance(elapsed: number): boolean;
  resize(): void;
  /** The graphics context was lost and did not return. */
  lost(): void;
  /** The graphics context was lost and may return. Everything that only it stored is lost. */
  interrupted(): void;
  /** The graphics context has returned. */
  restored(): void;
}

/** A canvas that fills its host, with its renderer and camera. It draws only on demand. */
export class Stage {
  readonly canvas: HTMLCanvasElement;
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera();
  readonly renderer: WebGLRenderer;
  size: Size = { width: 1, height: 1 };
  private readonly events: StageEvents;
  private readonly observer: ResizeObserver;
  private frameRequest = 0;
  private lastFrame = 0;
  private lastDrawn = 0;
  private slowFrames = 0;
  private resolutionScale = 1;
  /** Scale that replaces `resolutionScale` as soon as the change does not make the page wait for the GPU. */
  private nextResolutionScale = 1;
  /** Fences of the frames that the GPU has not finished, in their order. */
  private pendingFrames: { readonly sync: WebGLSync; readonly startedAt: number }[] = [];
  /** Time that the GPU took for the last finished frame, in milliseconds; 0 when it is unknown. */
  private gpuFrameMs = 0;
  /** Number of pixel reads that are pending. */
  private pendingReads = 0;
  /** The canvas was resized and is empty. */
  private isBlank = false;
  private restoreTimer: ReturnType<typeof setTimeout> | undefined;
  private isDisposed = false;
  /** Another component (a headset session) draws. */
  private isSuspended = false;
  private pixelRatioLimit = PIXEL_RATIO_MAX;

  /** Throws a ViewerError when the browser has no WebGL 2, or the renderer cannot start. */
  constructor(host: HTMLElement, label: string, events: StageEvents) {
    this.events = events;
    const canvas = document.createElement("canvas");
    canvas.className =
      "absolute inset-0 block size-full cursor-grab touch-none outline-none select-none active:cursor-grabbing";
    canvas.tabIndex = 0;
    // With this role, arrow keys move the space and not a screen reader's reading cursor.
    canvas.setAttribute("role", "application");
    canvas.setAttribute("aria-label", label);
    const context = canvas.getContext("webgl2", { antialias: true, alpha: false });
    if (!context) throw new ViewerError("webgl_unavailable", "The browser has no WebGL 2.");
    this.canvas = canvas;
    try {
      this.renderer = new WebGLRenderer({ canvas, context });
    } catch (cause) {
      throw new ViewerError("webgl_unavailable", "The renderer could not start.", { cause });
    }
    this.renderer.outputColorSpace = SRGBColorSpace;
    const readPixels = this.renderer.readRenderTargetPixelsAsync.bind(this.renderer);
    this.renderer.readRenderTargetPixelsAsync = (...args) => {
      this.pendingReads++;
      return readPixels(...args).finally(() => {
        this.pendingReads--;
      });
    };
    this.scene.background = new Color(0x15171c);
    this.scene.matrixWorldAutoUpdate = false;
    this.camera.rotation.order = "YXZ";
    host.appendChild(canvas);
    canvas.addEventListener("webglcontextlost", this.onLost);
    canvas.addEventListener("webglcontextrestored", this.onRestored);
    this.observer = new ResizeObserver(() => this.measure());
    this.observer.observe(canvas);
    this.takeCanvasSize();
  }

  /** Requests a frame. */
  invalidate(): void {
    if (this.frameRequest || this.isDisposed || this.isSuspended) return;
    this.frameRequest = requestAnimationFrame(this.frame);
  }

  /** Sets the camera's pose. @param near metres @param far metres */
  setCamera(pose: Pose, near: number, far: number): void {
    const { camera } = this;
    camera.position.set(...(pose.position as [number, number, number]));
    camera.rotation.set(pose.pitch, pose.yaw, 0);
    camera.fov = (pose.fov * 180) / Math.PI;
    camera.near = near;
    camera.far = far;
    camera.aspect = this.size.width / this.size.height;
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
  }

  /**
   * Fades the canvas out, applies a change, and fades it in. Resolves when the fade has ended. The change is also applied when the browser cancels
   * the fade, but not after disposal.
   */
  async fade(change: () => void): Promise<void> {
    const animate = (from: number, to: number) =>
      this.canvas.animate([{ opacity: from }, { opacity: to }], { duration: FADE_MS, fill: "forwards" });
    const fadeOut = animate(1, 0);
    await fadeOut.finished.catch(() => {});
    if (this.isDisposed) return;
    change();
    const fadeIn = animate(0, 1);
    await fadeIn.finished.catch(() => {});
    fadeOut.cancel();
    fadeIn.cancel();
  }

  /**
   * Hides the layers over the canvas while the graphics context is lost, or shows them again. Over the thumbnail, they would be clickable at wrong
   * positions. A layer that is hidden for another reason stays hidden.
   */
  setLayersHidden(isHidden: boolean): void {
    for (const layer of this.canvas.parentElement?.querySelectorAll<HTMLElement>(":scope > div") ?? [])
      layer.style.display = isHidden ? "none" : "";
  }

  /** Draws at once, for example for the first frame before the thumbnail is hidden. */
  drawNow(): void {
    if (!this.canDraw) return;
    this.render();
  }

  private render(): void {
    const { renderer } = this;
    renderer.render(this.scene, this.camera);
    this.isBlank = false;
    const gl = renderer.getContext() as WebGL2RenderingContext;
    const sync = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    if (sync) this.pendingFrames.push({ sync, startedAt: performance.now() });
  }

  /** Removes the fences of finished frames, and measures `gpuFrameMs`. */
  private removeFinishedFrames(): void {
    const gl = this.renderer.getContext() as WebGL2RenderingContext;
    for (let [oldestFrame] = this.pendingFrames; oldestFrame; [oldestFrame] = this.pendingFrames) {
      if (gl.clientWaitSync(oldestFrame.sync, 0, 0) === gl.TIMEOUT_EXPIRED) return;
      gl.deleteSync(oldestFrame.sync);
      // After a pause, or in a background tab, the frame was finished long before this check.
      const isWatched = this.lastFrame > 0 && performance.now() - this.lastFrame < MOVEMENT_GAP_MS;
      this.gpuFrameMs = isWatched ? performance.now() - oldestFrame.startedAt : 0;
      this.pendingFrames.shift();
    }
  }

  /** Whether a slow GPU must finish frames first, so that no task of the page waits for it. */
  private get isBehind(): boolean {
    this.removeFinishedFrames();
    if (this.isBlank) return false;
    if (this.nextResolutionScale !== this.resolutionScale) return this.pendingFrames.length > 0;
    // Reading pixels waits for all commands that were sent before it.
    const isReadPending = this.pendingReads > 0 && this.gpuFrameMs > SLOW_FRAME_MS;
    return this.pendingFrames.length >= (isReadPending ? 1 : PENDING_FRAMES_MAX);
  }

  /** Resolves when the GPU's queue is short enough for more commands without blocking the page. */
  async waitForGpu(): Promise<void> {
    do {
      const isUnseen = document.hidden || this.isSuspended;
      await new Promise((done) => (isUnseen ? setTimeout(done) : requestAnimationFrame(done)));
      if (this.isDisposed || this.restoreTimer !== undefined) return;
      this.removeFinishedFrames();
    } while (this.pendingFrames.length >= PENDING_FRAMES_MAX);
  }

  /** Suspends drawing while another component draws, or resumes it. */
  setSuspended(on: boolean): void {
    if (this.isDisposed) return;
    this.isSuspended = on;
    if (on) return;
    this.takeCanvasSize();
    this.events.resize();
    this.invalidate();
  }

  /** Sets the maximum number of device pixels per CSS pixel. */
  limitPixelRatio(ratio: number): void {
    this.pixelRatioLimit = Math.min(PIXEL_RATIO_MAX, ratio);
    this.setResolutionScale(this.resolutionScale);
    this.invalidate();
  }

  /**
   * Captures the current view, or returns null while the stage cannot draw.
   * @param width maximum width in pixels
   */
  async captureImage(width: number): Promise<Blob | null> {
    if (!this.canDraw) return null;
    const scale = Math.min(1, width / this.canvas.width);
    this.drawNow();
    return encodeImage(
      this.copyCanvas(Math.round(this.canvas.width * scale), Math.round(this.canvas.height * scale)),
    );
  }

  /** Draws the view of another camera in a given size. Returns null while the stage cannot draw. */
  drawWithCamera(camera: Camera, width: number, height: number): HTMLCanvasElement | null {
    if (!this.canDraw) return null;
    const { renderer, scene } = this;
    renderer.setPixelRatio(1);
    renderer.setSize(width, height, false);
    renderer.render(scene, camera);
    const copy = this.copyCanvas(width, height);
    // The canvas is restored before the browser shows it.
    this.takeCanvasSize();
    this.drawNow();
    this.invalidate();
    return copy;
  }

  private get canDraw(): boolean {
    return !this.isDisposed && !this.isSuspended && this.restoreTimer === undefined;
  }

  /** Copies the canvas, because a WebGL canvas keeps its content only until the end of the task that drew it. */
  private copyCanvas(width: number, height: number): HTMLCanvasElement {
    const copy = document.createElement("canvas");
    copy.width = width;
    copy.height = height;
    copy.getContext("2d")?.drawImage(this.canvas, 0, 0, width, height);
    return copy;
  }

  /** Frees the renderer, its context and all listeners. The owner of the scene frees its content. */
  dispose(): void {
    if (this.isDisposed) return;
    this.isDisposed = true;
    cancelAnimationFrame(this.frameRequest);
    clearTimeout(this.restoreTimer);
    this.observer.disconnect();
    this.canvas.removeEventListener("webglcontextlost", this.onLost);
    this.canvas.removeEventListener("webglcontextrestored", this.onRestored);
    this.renderer.dispose();
    // Browsers allow only a few contexts at a time, and free them late.
    this.renderer.forceContextLoss();
    this.canvas.remove();
  }

  private readonly frame = (now: number): void => {
    this.frameRequest = 0;
    if (!this.canDraw) return;
    const since = (last: number) => (last ? Math.min(ELAPSED_MAX_MS, now - last) : 0);
    const elapsed = since(this.lastFrame);
    if (this.isBehind) {
      this.lastFrame = this.events.advance(elapsed) ? now : 0;
      this.invalidate();
      return;
    }
    if (this.nextResolutionScale !== this.resolutionScale) this.setResolutionScale(this.nextResolutionScale);
    const sinceDrawn = since(this.lastDrawn);
    const needsFrame = this.events.frame(elapsed, sinceDrawn);
    if (this.isDisposed) return;
    this.adaptResolution(sinceDrawn, needsFrame);
    this.render();
    this.lastFrame = needsFrame ? now : 0;
    this.lastDrawn = this.lastFrame;
    if (needsFrame || this.nextResolutionScale !== this.resolutionScale) this.invalidate();
  };

  /** Reduces the resolution while anything moves on a slow device, and restores it when nothing moves. */
  private adaptResolution(elapsed: number, needsFrame: boolean): void {
    if (!needsFrame) {
      this.slowFrames = 0;
      this.nextResolutionScale = 1;
      return;
    }
    this.slowFrames = elapsed > SLOW_FRAME_MS ? this.slowFrames + 1 : 0;
    const isVerySlow = this.gpuFrameMs > VERY_SLOW_FRAME_MS;
    if (this.slowFrames < SLOW_FRAMES && !isVerySlow) return;
    this.slowFrames = 0;
    if (this.pixelRatio() > PIXEL_RATIO_MIN)
      this.nextResolutionScale = this.resolutionScale * (isVerySlow ? 0.5 : 0.7);
  }

  private pixelRatio(): number {
    return Math.min(this.pixelRatioLimit, window.devicePixelRatio || 1) * this.resolutionScale;
  }

  private setResolutionScale(scale: number): void {
    this.resolutionScale = scale;
    this.nextResolutionScale = scale;
    this.isBlank = true;
    this.renderer.setPixelRatio(this.pixelRatio());
  }

  /** Updates the size from the canvas. Returns whether it is not zero. */
  private takeCanvasSize(): boolean {
    const { clientWidth, clientHeight } = this.canvas;
    if (clientWidth === 0 || clientHeight === 0) return false;
    this.size = { width: clientWidth, height: clientHeight };
    this.isBlank = true;
    this.renderer.setPixelRatio(this.pixelRatio());
    this.renderer.setSize(clientWidth, clientHeight, false);
    return true;
  }

  private measure(): void {
    if (!this.takeCanvasSize()) return;
    this.events.resize();
    this.invalidate();
  }

  private readonly onLost = (event: Event): void => {
    // Without this call, the browser never restores the context.
    event.preventDefault();
    this.pendingFrames = [];
    this.events.interrupted();
    this.restoreTimer = setTimeout(() => this.events.lost(), RESTORE_TIMEOUT_MS);
  };

  private readonly onRestored = (): void => {
    clearTimeout(this.restoreTimer);
    this.restoreTimer = undefined;
    this.events.restored();
    this.invalidate();
  };
}

/** Encodes an image as WebP, or as JPEG in browsers that do not encode WebP. */
export async function encodeImage(canvas: HTMLCanvasElement): Promise<Blob | null> {
  const encodeAs = (type: string) =>
    new Promise<Blob | null>((done) => canvas.toBlob(done, type, IMAGE_QUALITY));
  const webp = await encodeAs("image/webp");
  // A browser that does not encode WebP returns PNG instead, which is several times as large.
  return webp?.type === "image/webp" ? webp : encodeAs("image/jpeg");
}
