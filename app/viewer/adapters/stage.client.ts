import { type Camera, Color, PerspectiveCamera, Scene, SRGBColorSpace, WebGLRenderer } from "three";
import { ViewerError } from "../core/contract";
import type { Pose } from "../core/flight";
import type { Size } from "../core/projection";

const MAX_PIXEL_RATIO = 2;
/** A browser that gives a lost context back does so within this time. */
const RESTORE_MS = 4000;
/** After a longer pause, for example in another tab, things go on from where they were. */
const LONGEST_FRAME_MS = 300;
/** A frame slower than this while moving asks for fewer pixels. */
const SLOW_FRAME_MS = 42;
const SLOW_FRAMES = 4;
/** One frame that takes the graphics this long says enough. */
const CRAWLING_MS = 400;
/** Frames that are further apart than that are none of one movement. */
const AWAY_MS = 1000;
const LEAST_PIXEL_RATIO = 0.6;
/** Frames that the graphics may have before them: with more, whatever has to wait for the graphics holds up the page for all of them. */
const FRAMES_AHEAD = 2;
const PICTURE_QUALITY = 0.85;

/** What a stage tells its viewer. */
export interface StageEvents {
  /**
   * Called before each frame is drawn. Answers whether another one is needed, so that nothing is drawn while nothing moves.
   * @param elapsed milliseconds since this or `advance` was called last, 0 for the first after a rest.
   * @param sinceDrawn the same since the last frame that was drawn.
   */
  frame(elapsed: number, sinceDrawn: number): boolean;
  /** Called instead while the graphics are behind: time goes on although nothing is drawn. Answers whether anything moves. */
  advance(elapsed: number): boolean;
  resize(): void;
  /** The graphics context is gone and did not come back. */
  lost(): void;
  /** The graphics context is gone and may come back: what only it held is lost. */
  interrupted(): void;
  /** It came back. */
  restored(): void;
}

/** A canvas that fills its host, its renderer and its camera; draws on demand only. */
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
  private coarse = 1;
  /** What `coarse` is to be as soon as that makes the page wait for nothing. */
  private wantedCoarse = 1;
  /** Frames that the graphics have not finished, in their order. */
  private ahead: { readonly sync: WebGLSync; readonly at: number }[] = [];
  /** How long the graphics took for the last frame that they finished. */
  private drawnMs = 0;
  /** Pictures that are being read back. */
  private reading = 0;
  /** The canvas has another size, and nothing on it. */
  private isBlank = false;
  private restoring: ReturnType<typeof setTimeout> | undefined;
  private disposed = false;
  /** Somebody else draws: a headset. */
  private held = false;
  private pixelLimit = MAX_PIXEL_RATIO;

  /** Throws a ViewerError when the browser has no WebGL 2. */
  constructor(host: HTMLElement, label: string, events: StageEvents) {
    this.events = events;
    const canvas = document.createElement("canvas");
    canvas.className =
      "absolute inset-0 block size-full cursor-grab touch-none outline-none select-none active:cursor-grabbing";
    canvas.tabIndex = 0;
    // Arrow keys belong to the space, not to a screen reader's reading cursor.
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
    const read = this.renderer.readRenderTargetPixelsAsync.bind(this.renderer);
    this.renderer.readRenderTargetPixelsAsync = (...what) => {
      this.reading++;
      return read(...what).finally(() => {
        this.reading--;
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
    this.fit();
  }

  /** Asks for a frame. */
  invalidate(): void {
    if (this.frameRequest || this.disposed || this.held) return;
    this.frameRequest = requestAnimationFrame(this.frame);
  }

  /** Puts the camera into a pose. @param near, far metres. */
  look(pose: Pose, near: number, far: number): void {
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

  /** Draws now, for example to have the first picture before the poster leaves. */
  drawNow(): void {
    if (this.isAway) return;
    this.render();
  }

  private render(): void {
    const { renderer } = this;
    renderer.render(this.scene, this.camera);
    this.isBlank = false;
    const gl = renderer.getContext() as WebGL2RenderingContext;
    const sync = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    if (sync) this.ahead.push({ sync, at: performance.now() });
  }

  /** Takes note of the frames that the graphics have finished. */
  private countAhead(): void {
    const gl = this.renderer.getContext() as WebGL2RenderingContext;
    for (let [first] = this.ahead; first; [first] = this.ahead) {
      if (gl.clientWaitSync(first.sync, 0, 0) === gl.TIMEOUT_EXPIRED) return;
      gl.deleteSync(first.sync);
      // After a rest, or in a tab that was away, it was finished long before anybody looked.
      const isWatched = this.lastFrame > 0 && performance.now() - this.lastFrame < AWAY_MS;
      this.drawnMs = isWatched ? performance.now() - first.at : 0;
      this.ahead.shift();
    }
  }

  /** Whether slow graphics have to finish something first, so that nobody waits for them in the middle of a task. */
  private get isBehind(): boolean {
    this.countAhead();
    if (this.isBlank) return false;
    if (this.wantedCoarse !== this.coarse) return this.ahead.length > 0;
    // Whoever fetches what was drawn waits for all that has been sent by then.
    const isAsked = this.reading > 0 && this.drawnMs > SLOW_FRAME_MS;
    return this.ahead.length >= (isAsked ? 1 : FRAMES_AHEAD);
  }

  /** Resolves when slow graphics have so little before them that what they are given holds up nobody. */
  async hasRoom(): Promise<void> {
    do {
      const isUnseen = document.hidden || this.held;
      await new Promise((done) => (isUnseen ? setTimeout(done) : requestAnimationFrame(done)));
      if (this.disposed || this.restoring !== undefined) return;
      this.countAhead();
    } while (this.ahead.length >= FRAMES_AHEAD);
  }

  /** Leaves drawing to somebody else, or takes it back. */
  hold(on: boolean): void {
    if (this.disposed) return;
    this.held = on;
    if (on) return;
    this.fit();
    this.events.resize();
    this.invalidate();
  }

  /** How many pixels of the device are drawn for one of the page, at most. */
  limitPixels(ratio: number): void {
    this.pixelLimit = Math.min(MAX_PIXEL_RATIO, ratio);
    this.setCoarse(this.coarse);
    this.invalidate();
  }

  /** What is seen now, at most so many pixels wide; null while the graphics context is gone. */
  async picture(width: number): Promise<Blob | null> {
    if (this.isAway) return null;
    const scale = Math.min(1, width / this.canvas.width);
    this.drawNow();
    return blobOf(this.copy(Math.round(this.canvas.width * scale), Math.round(this.canvas.height * scale)));
  }

  /** What another camera sees, in a picture of its own size; null while the graphics context is gone. */
  draw(camera: Camera, width: number, height: number): HTMLCanvasElement | null {
    if (this.isAway) return null;
    const { renderer, scene } = this;
    renderer.setPixelRatio(1);
    renderer.setSize(width, height, false);
    renderer.render(scene, camera);
    const copy = this.copy(width, height);
    // Before the browser shows anything of it.
    this.fit();
    this.drawNow();
    this.invalidate();
    return copy;
  }

  private get isAway(): boolean {
    return this.disposed || this.held || this.restoring !== undefined;
  }

  /** A canvas of WebGL keeps what was drawn no longer than the task that drew it. */
  private copy(width: number, height: number): HTMLCanvasElement {
    const copy = document.createElement("canvas");
    copy.width = width;
    copy.height = height;
    copy.getContext("2d")?.drawImage(this.canvas, 0, 0, width, height);
    return copy;
  }

  /** Frees the renderer, its context and everything that listens. The scene's content is its owner's to free. */
  dispose(): void {
    if (this.disposed) return;
    this.disposed = true;
    cancelAnimationFrame(this.frameRequest);
    clearTimeout(this.restoring);
    this.observer.disconnect();
    this.canvas.removeEventListener("webglcontextlost", this.onLost);
    this.canvas.removeEventListener("webglcontextrestored", this.onRestored);
    this.renderer.dispose();
    // Browsers allow only a handful of contexts at a time and free them late by themselves.
    this.renderer.forceContextLoss();
    this.canvas.remove();
  }

  private readonly frame = (now: number): void => {
    this.frameRequest = 0;
    if (this.isAway) return;
    const since = (last: number) => (last ? Math.min(LONGEST_FRAME_MS, now - last) : 0);
    const elapsed = since(this.lastFrame);
    if (this.isBehind) {
      this.lastFrame = this.events.advance(elapsed) ? now : 0;
      this.invalidate();
      return;
    }
    if (this.wantedCoarse !== this.coarse) this.setCoarse(this.wantedCoarse);
    const sinceDrawn = since(this.lastDrawn);
    const again = this.events.frame(elapsed, sinceDrawn);
    if (this.disposed) return;
    this.adapt(sinceDrawn, again);
    this.render();
    this.lastFrame = again ? now : 0;
    this.lastDrawn = this.lastFrame;
    if (again || this.wantedCoarse !== this.coarse) this.invalidate();
  };

  /** Fewer pixels while a slow device moves, all of them when it rests. */
  private adapt(elapsed: number, again: boolean): void {
    if (!again) {
      this.slowFrames = 0;
      this.wantedCoarse = 1;
      return;
    }
    this.slowFrames = elapsed > SLOW_FRAME_MS ? this.slowFrames + 1 : 0;
    const isCrawling = this.drawnMs > CRAWLING_MS;
    if (this.slowFrames < SLOW_FRAMES && !isCrawling) return;
    this.slowFrames = 0;
    if (this.pixelRatio() > LEAST_PIXEL_RATIO) this.wantedCoarse = this.coarse * (isCrawling ? 0.5 : 0.7);
  }

  private pixelRatio(): number {
    return Math.min(this.pixelLimit, window.devicePixelRatio || 1) * this.coarse;
  }

  private setCoarse(coarse: number): void {
    this.coarse = coarse;
    this.wantedCoarse = coarse;
    this.isBlank = true;
    this.renderer.setPixelRatio(this.pixelRatio());
  }

  /** Takes the canvas's size. Answers whether it has one. */
  private fit(): boolean {
    const { clientWidth, clientHeight } = this.canvas;
    if (clientWidth === 0 || clientHeight === 0) return false;
    this.size = { width: clientWidth, height: clientHeight };
    this.isBlank = true;
    this.renderer.setPixelRatio(this.pixelRatio());
    this.renderer.setSize(clientWidth, clientHeight, false);
    return true;
  }

  private measure(): void {
    if (!this.fit()) return;
    this.events.resize();
    this.invalidate();
  }

  private readonly onLost = (event: Event): void => {
    // Without this the browser never gives the context back.
    event.preventDefault();
    this.ahead = [];
    this.events.interrupted();
    this.restoring = setTimeout(() => this.events.lost(), RESTORE_MS);
  };

  private readonly onRestored = (): void => {
    clearTimeout(this.restoring);
    this.restoring = undefined;
    this.events.restored();
    this.invalidate();
  };
}

/** A picture as a file: WebP, or JPEG where the browser writes none. */
export async function blobOf(picture: HTMLCanvasElement): Promise<Blob | null> {
  const as = (type: string) =>
    new Promise<Blob | null>((done) => picture.toBlob(done, type, PICTURE_QUALITY));
  const webp = await as("image/webp");
  // A browser that writes no WebP sends PNG instead, which is several times as large.
  return webp?.type === "image/webp" ? webp : as("image/jpeg");
}
