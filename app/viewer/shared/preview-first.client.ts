import type {
  AdapterOptions,
  CreateViewer,
  GoToOptions,
  Pin,
  PlacedMediaItem,
  SpaceViewer,
  ViewerEvents,
  ViewerQuality,
  ViewerSource,
  ViewerTool,
  Viewpoint,
} from "../core/contract";
import { Emitter } from "../core/emitter";
import type { Box } from "../core/projection";
import { ViewerError } from "../core/viewer-error";

type Handler<K extends keyof ViewerEvents> = (value: ViewerEvents[K]) => void;
/** All events of a viewer, which are passed on to the page. */
const EVENTS = [
  "progress",
  "ready",
  "pinopen",
  "pinclose",
  "place",
  "drag",
  "measured",
  "xr",
  "interrupted",
  "settled",
  "choices",
  "mode",
  "connection",
  "node",
  "yaw",
  "error",
] as const satisfies readonly (keyof ViewerEvents)[];

/**
 * Wraps an adapter so that it first shows a smaller version of its source (`url`) and then replaces it by the whole file (`whole`). The viewpoint,
 * the open pin and the tool stay the same. A source without a smaller version is passed to the adapter unchanged. Placed media are loaded only with
 * the whole file, so that they are not fetched twice. When the whole file cannot be loaded or shown, the smaller version stays and gets the placed
 * media.
 */
export const previewFirst =
  (create: CreateViewer): CreateViewer =>
  (host, options) =>
    new PreviewFirstViewer(host, options, create);

class PreviewFirstViewer implements SpaceViewer {
  private current: SpaceViewer;
  /** Element inside the host that contains the viewer of the whole file. Null while the current viewer is in the host itself. */
  private container: HTMLElement | null = null;
  /** Viewer of the whole file while it is loading. */
  private pending: { readonly viewer: SpaceViewer; readonly container: HTMLElement } | null = null;
  private readonly emitter = new Emitter();
  private unsubscribe: (() => void)[] = [];
  /** Whether placed media wait until the whole file is loaded. */
  private holdsMedia = false;
  /** Whether a headset is in use or an object is being dragged. */
  private isBusy = false;
  /** Number of calls of `goTo` that have not ended. */
  private moveCount = 0;
  private isDisposed = false;
  private pins: readonly Pin[] = [];
  private media: readonly PlacedMediaItem[] = [];
  private openPin: string | null = null;
  private reservedBoxes: readonly Box[] = [];
  private tool: ViewerTool = "look";
  private isEditable = false;
  private isPlaying: boolean | null = null;
  private requestedMotion: boolean | null = null;
  private readonly chosenIndexes = new Map<"variant" | "animation", number | null>();
  private chosenQuality: ViewerQuality | null = null;

  constructor(
    private readonly host: HTMLElement,
    private readonly options: AdapterOptions,
    private readonly create: CreateViewer,
  ) {
    this.current = create(host, options);
    this.subscribeTo(this.current);
  }

  get modes() {
    return this.current.modes;
  }
  get connection() {
    return this.current.connection;
  }
  get tools() {
    return this.current.tools;
  }
  get isMoving() {
    return this.current.isMoving ?? null;
  }
  get choices() {
    return this.current.choices ?? null;
  }
  get quality() {
    return this.current.quality;
  }

  async load(source: ViewerSource, signal: AbortSignal): Promise<void> {
    const fullUrl =
      (source.kind === "model" || source.kind === "splat") && source.whole ? source.whole : null;
    if (fullUrl === null) return this.current.load(source, signal);
    const { whole: _whole, ...preview } = source as Extract<ViewerSource, { kind: "model" }>;
    this.holdsMedia = true;
    this.current.setMedia([]);
    try {
      await this.current.load(preview as ViewerSource, signal);
    } catch (error) {
      if (signal.aborted || (error instanceof ViewerError && error.code !== "load_failed")) throw error;
      // When the smaller version fails, the whole file is loaded in a new viewer, because a viewer loads only once.
      this.holdsMedia = false;
      for (const unsubscribe of this.unsubscribe.splice(0)) unsubscribe();
      this.current.dispose();
      this.current = this.create(this.host, this.options);
      this.subscribeTo(this.current);
      this.applyState(this.current);
      return this.current.load({ ...preview, url: fullUrl } as ViewerSource, signal);
    }
    // The first frame is drawn before the whole file is requested.
    void this.loadWhole({ ...preview, url: fullUrl } as ViewerSource, signal);
  }

  private async loadWhole(source: ViewerSource, signal: AbortSignal): Promise<void> {
    const container = document.createElement("div");
    Object.assign(container.style, { position: "absolute", inset: "0", visibility: "hidden" });
    this.host.appendChild(container);
    let viewer: SpaceViewer | null = null;
    try {
      viewer = this.create(container, this.options);
      this.pending = { viewer, container };
      viewer.setPins(this.pins);
      viewer.setMedia(this.media);
      viewer.setOpenPin(this.openPin);
      viewer.setReservedBoxes(this.reservedBoxes);
      await viewer.load(source, signal);
      await this.untilFree(signal);
      await this.replace(viewer, container);
    } catch (error) {
      viewer?.dispose();
      container.remove();
      this.pending = null;
      if (signal.aborted || this.isDisposed) return;
      this.holdsMedia = false;
      this.current.setMedia(this.media);
      // The preview stays visible. A whole file that is too large for this device is not reported as an error.
      if ((error as ViewerError).code !== "too_large") this.emitter.emit("error", "load_failed");
    }
  }

  /** Waits while a headset is in use, something is dragged or `goTo` is in progress, because the viewer must not be replaced then. */
  private async untilFree(signal: AbortSignal): Promise<void> {
    while ((this.isBusy || this.moveCount > 0) && !signal.aborted)
      await new Promise((resolve) => setTimeout(resolve, 500));
  }

  private async replace(viewer: SpaceViewer, container: HTMLElement): Promise<void> {
    const previous = this.current;
    const view: Viewpoint | null = previous.viewpoint();
    viewer.walkZoom = previous.walkZoom;
    if (view) {
      viewer.setMode(view.mode);
      await viewer.goTo(view, { transition: "instant" });
    }
    if (this.isDisposed) return;
    const hadFocus =
      this.host.contains(document.activeElement) && !container.contains(document.activeElement);
    for (const unsubscribe of this.unsubscribe.splice(0)) unsubscribe();
    this.current = viewer;
    this.pending = null;
    this.holdsMedia = false;
    this.subscribeTo(viewer);
    this.applyState(viewer);
    // The whole file shows its own materials if the variant cannot be loaded.
    for (const [kind, index] of this.chosenIndexes) viewer.choose?.(kind, index).catch(() => {});
    if (this.requestedMotion !== null) viewer.setMoving?.(this.requestedMotion);
    this.emitter.emit("choices", undefined);
    container.style.visibility = "";
    if (hadFocus) container.querySelector<HTMLElement>("[tabindex='0']")?.focus({ preventScroll: true });
    previous.dispose();
    this.container?.remove();
    this.container = container;
  }

  /** Applies what the page has set so far to a new viewer, except the choices and motion of models. */
  private applyState(viewer: SpaceViewer): void {
    viewer.setPins(this.pins);
    viewer.setMedia(this.media);
    viewer.setOpenPin(this.openPin);
    viewer.setTool(this.tool);
    viewer.setEditable(this.isEditable);
    viewer.setReservedBoxes(this.reservedBoxes);
    if (this.isPlaying !== null) viewer.setPlaying(this.isPlaying);
    if (this.chosenQuality) viewer.setQuality(this.chosenQuality);
  }

  private subscribeTo(viewer: SpaceViewer): void {
    this.unsubscribe = EVENTS.map((event) =>
      viewer.on(event, (value) => {
        if (event === "xr") this.isBusy = value as boolean;
        if (event === "drag") this.isBusy = !(value as ViewerEvents["drag"]).done;
        this.emitter.emit(event, value as never);
      }),
    );
  }

  setPins(pins: readonly Pin[]): void {
    this.pins = pins;
    this.current.setPins(pins);
    this.pending?.viewer.setPins(pins);
  }
  setMedia(media: readonly PlacedMediaItem[]): void {
    this.media = media;
    if (!this.holdsMedia) this.current.setMedia(media);
    this.pending?.viewer.setMedia(media);
  }
  setOpenPin(id: string | null): void {
    this.openPin = id;
    this.current.setOpenPin(id);
    this.pending?.viewer.setOpenPin(id);
  }
  setReservedBoxes(boxes: readonly Box[]): void {
    this.reservedBoxes = boxes;
    this.current.setReservedBoxes(boxes);
    this.pending?.viewer.setReservedBoxes(boxes);
  }
  pick(x: number, y: number) {
    return this.current.pick(x, y);
  }
  async goTo(target: Viewpoint | { readonly pinId: string }, options?: GoToOptions): Promise<void> {
    this.moveCount++;
    try {
      await this.current.goTo(target, options);
    } finally {
      this.moveCount--;
    }
  }
  setMode(mode: Viewpoint["mode"]): void {
    this.current.setMode(mode);
  }
  zoomBy(factor: number): void {
    this.current.zoomBy(factor);
  }
  viewpoint(): Viewpoint | null {
    return this.current.viewpoint();
  }
  setTool(tool: ViewerTool): void {
    this.tool = tool;
    this.current.setTool(tool);
  }
  setEditable(on: boolean): void {
    this.isEditable = on;
    this.current.setEditable(on);
  }
  setPlaying(on: boolean): void {
    this.isPlaying = on;
    this.current.setPlaying(on);
  }
  setMoving(on: boolean): void {
    this.requestedMotion = on;
    this.current.setMoving?.(on);
  }
  async choose(kind: "variant" | "animation", index: number | null): Promise<void> {
    this.chosenIndexes.set(kind, index);
    await this.current.choose?.(kind, index);
  }
  setQuality(quality: ViewerQuality): void {
    this.chosenQuality = quality;
    this.current.setQuality(quality);
  }
  xrSupported(): Promise<boolean> {
    return this.current.xrSupported();
  }
  enterXR(): Promise<void> {
    return this.current.enterXR();
  }
  async compareWithPerson() {
    return (await this.current.compareWithPerson?.()) ?? null;
  }
  capturePlanImage() {
    return this.current.capturePlanImage();
  }
  captureImage(width: number) {
    return this.current.captureImage(width);
  }
  on<K extends keyof ViewerEvents>(event: K, handler: Handler<K>): () => void {
    return this.emitter.on(event, handler);
  }
  dispose(): void {
    this.isDisposed = true;
    this.pending?.viewer.dispose();
    this.pending?.container.remove();
    this.pending = null;
    this.current.dispose();
    this.container?.remove();
  }
}
