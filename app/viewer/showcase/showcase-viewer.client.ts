import { showcaseOrigin } from "~/domain/spaces/showcase-sites";
import { combineSignals, createAbortError } from "../core/abort";
import type {
  AdapterOptions,
  Connection,
  CreateViewer,
  GoToOptions,
  Pin,
  PlacedMediaItem,
  SpaceViewer,
  SurfaceHit,
  ViewerEvents,
  ViewerSource,
  ViewerTool,
  Viewpoint,
} from "../core/contract";
import { Emitter } from "../core/emitter";
import { scale } from "../core/vec";
import { ViewerError } from "../core/viewer-error";
import type { ConnectedShowcase } from "./connected-showcase.client";
import type { ConnectionError } from "./showcase-connection.client";

/**
 * Returns the permissions that the showcase's own embed code requests (showcase embed, build 26.5.4), without those that this browser does not
 * support, because browsers log a warning for each of them.
 */
function listPermissions(): string {
  const names = ["fullscreen", "xr-spatial-tracking", "autoplay"];
  if ("share" in navigator) names.push("web-share");
  return names.join("; ");
}

/** Resolves when a server responds with any status. Rejects when it is unreachable. */
function requestServer(src: string, signal: AbortSignal): Promise<Response> {
  return fetch(src, { method: "HEAD", mode: "no-cors", credentials: "omit", cache: "no-store", signal });
}

/**
 * Time in milliseconds after which a showcase that does not respond is reported as silent. It may still respond later, when the
 * visitor starts it.
 */
const SILENCE_TIMEOUT_MS = 20_000;
/** Distance in metres of a media item's tag from its surface, as STEM_LENGTH in scene-overlays.client.ts. */
const MEDIA_STEM = 0.12;
const MEDIA_COLOR = "#3f4c6b";

/** Media cannot be placed in a showcase, so a media item becomes a tag that leads to its entry. */
function createMediaTag({ id, title, draftMark, placement: { position, normal } }: PlacedMediaItem): Pin {
  return {
    id,
    type: "media",
    isDraft: draftMark !== undefined,
    label: title,
    color: MEDIA_COLOR,
    icon: "",
    viewpoint: null,
    position,
    stem: scale(normal, MEDIA_STEM),
  };
}

/**
 * Viewer of a showcase in its iframe. At first, and without an SDK key, it is a plain embed: it moves its own camera and shows
 * its own tags, pins are only in the page's list, modes and tools are empty, and goTo resolves at once. With a key, it requests a
 * connection as soon as the frame is loaded. Values that the page set earlier are applied after the connection (decision 022).
 */
class ShowcaseViewer implements SpaceViewer {
  readonly quality: SpaceViewer["quality"] = null;
  private readonly emitter = new Emitter();
  private readonly host: HTMLElement;
  private readonly options: AdapterOptions;
  private readonly disposal = new AbortController();
  private frame: HTMLIFrameElement | null = null;
  private state: Connection = "connecting";
  private connectedShowcase: ConnectedShowcase | null = null;
  private pins: readonly Pin[] = [];
  private media: readonly PlacedMediaItem[] = [];
  private openId: string | null = null;
  private tool: ViewerTool = "look";
  private pendingTarget: Viewpoint | { readonly pinId: string } | null = null;

  constructor(host: HTMLElement, options: AdapterOptions) {
    this.host = host;
    this.options = options;
  }

  get modes(): SpaceViewer["modes"] {
    return this.connectedShowcase ? ["walk", "orbit", "plan"] : [];
  }

  get tools(): SpaceViewer["tools"] {
    return this.connectedShowcase ? ["place"] : [];
  }

  get connection(): Connection {
    return this.state;
  }

  async load(source: ViewerSource, signal: AbortSignal): Promise<void> {
    if (source.kind !== "showcase") throw new TypeError(`A showcase cannot show a ${source.kind}.`);
    const stopSignal = combineSignals(signal, this.disposal.signal);
    if (stopSignal.aborted) throw createAbortError();
    if (!/^https:\/\/[^/]/i.test(source.src) || !URL.canParse(source.src))
      throw new ViewerError("rejected", "The URL of a showcase must be https.");
    const origin = source.key === null ? null : showcaseOrigin(source.src);
    const url = new URL(source.src);
    if (source.key !== null && origin) url.searchParams.set("applicationKey", source.key);
    const frame = document.createElement("iframe");
    this.frame = frame;
    frame.title = source.title;
    frame.allow = listPermissions();
    // The showcase checks its key against the referrer, and rejects requests without one.
    frame.referrerPolicy = "strict-origin-when-cross-origin";
    frame.className = "block size-full border-0 bg-black";
    const frameLoaded = new Promise<Event>((done) => frame.addEventListener("load", done, { once: true }));
    const aborted = new Promise<never>((_, reject) =>
      stopSignal.addEventListener("abort", () => reject(createAbortError()), { once: true }),
    );
    frame.src = url.href;
    this.host.appendChild(frame);
    try {
      // A frame also fires `load` for the browser's own error page, so the server is requested separately.
      await Promise.race([aborted, Promise.all([frameLoaded, requestServer(source.src, stopSignal)])]);
    } catch (cause) {
      const wasAborted = stopSignal.aborted;
      this.dispose();
      if (wasAborted) throw createAbortError();
      throw new ViewerError("unreachable", "The showcase's server does not respond.", { cause });
    }
    if (origin) void this.connect(frame, origin, source.start);
    else this.setConnection("plain");
    this.emitter.emit("progress", 1);
    this.emitter.emit("ready", undefined);
  }

  setPins(pins: readonly Pin[]): void {
    this.pins = pins;
    this.connectedShowcase?.tags.set(this.listTags());
  }

  setMedia(media: readonly PlacedMediaItem[]): void {
    this.media = media;
    this.connectedShowcase?.tags.set(this.listTags());
  }

  setOpenPin(id: string | null): void {
    this.openId = id;
    this.connectedShowcase?.tags.setOpen(id);
  }

  setTool(tool: ViewerTool): void {
    this.tool = tool;
    this.connectedShowcase?.setTool(tool);
  }

  setMode(mode: Viewpoint["mode"]): void {
    this.connectedShowcase?.setMode(mode);
  }

  async goTo(target: Viewpoint | { readonly pinId: string }, options?: GoToOptions): Promise<void> {
    if (!this.connectedShowcase) {
      this.pendingTarget = target;
      return;
    }
    const destination = "pinId" in target ? this.listTags().find(({ id }) => id === target.pinId) : target;
    if (destination) await this.connectedShowcase.goTo(destination, options?.transition === "instant");
  }

  setEditable(): void {}
  setPlaying(): void {}
  setQuality(): void {}
  setReservedBoxes(): void {}
  zoomBy(): void {}

  /** A frame of another site does not report what is at a point. */
  pick(): SurfaceHit | null {
    return null;
  }

  async captureImage(): Promise<null> {
    return null;
  }

  async capturePlanImage(): Promise<null> {
    return null;
  }

  /** The showcase has its own headset mode inside of its frame. */
  async xrSupported(): Promise<boolean> {
    return false;
  }

  async enterXR(): Promise<void> {
    throw new ViewerError("rejected", "A showcase has its own headset mode.");
  }

  viewpoint(): Viewpoint | null {
    return this.connectedShowcase?.viewpoint ?? null;
  }

  on<K extends keyof ViewerEvents>(event: K, handler: (value: ViewerEvents[K]) => void): () => void {
    return this.emitter.on(event, handler);
  }

  dispose(): void {
    this.disposal.abort();
    this.connectedShowcase?.dispose();
    this.connectedShowcase = null;
    this.frame?.remove();
    this.frame = null;
    this.emitter.clear();
  }

  /** Returns the pins, and a tag for each media item without a pin. */
  private listTags(): readonly Pin[] {
    const pinnedIds = new Set(this.pins.map(({ id }) => id));
    return [...this.pins, ...this.media.filter(({ id }) => !pinnedIds.has(id)).map(createMediaTag)];
  }

  private setConnection(state: Connection): void {
    if (state === this.state) return;
    this.state = state;
    this.emitter.emit("connection", state);
  }

  private async connect(frame: HTMLIFrameElement, origin: string, start: Viewpoint | null): Promise<void> {
    const { signal } = this.disposal;
    const silence = setTimeout(
      () => this.setConnection("silent"),
      this.options.silenceTimeout ?? SILENCE_TIMEOUT_MS,
    );
    signal.addEventListener("abort", () => clearTimeout(silence));
    let endConnection = () => {};
    try {
      const [{ connectShowcase, disconnect, waitUntilPlaying }, { ConnectedShowcase }] = await Promise.all([
        import("./showcase-connection.client"),
        import("./connected-showcase.client"),
      ]);
      const sdk = await connectShowcase(frame, origin, signal);
      endConnection = () => disconnect(sdk);
      await waitUntilPlaying(sdk, signal);
      if (signal.aborted) throw createAbortError();
      const isLate = this.state === "silent";
      const showcase = new ConnectedShowcase(sdk, frame, { options: this.options, emitter: this.emitter });
      endConnection = () => showcase.dispose();
      this.connectedShowcase = showcase;
      showcase.tags.set(this.listTags());
      showcase.tags.setOpen(this.openId);
      showcase.setTool(this.tool);
      this.setConnection("connected");
      // After a long wait, the visitor has probably started to look around, so the start viewpoint is not applied.
      const target = this.pendingTarget ?? start;
      if (target && !isLate) this.goTo(target, { transition: "instant" }).catch(() => {});
    } catch (error) {
      this.connectedShowcase = null;
      endConnection();
      if (!signal.aborted) this.setConnection((error as Partial<ConnectionError>).reason ?? "script");
    } finally {
      clearTimeout(silence);
    }
  }
}

/** Creates the viewer of a showcase, plain or connected. */
export const createShowcaseViewer: CreateViewer = (host, options) => new ShowcaseViewer(host, options);
