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
import { ViewerError } from "../core/contract";
import { Emitter } from "../core/emitter";
import { scale } from "../core/vec";
import type { ConnectedShowcase } from "./showcase-connected.client";
import type { ConnectionError } from "./showcase-connection.client";

/**
 * What the showcase's own share code asks for (showcase embed, build 26.5.4), as far as this browser knows it: others are
 * complained about on the console.
 */
function permissions(): string {
  const wanted = ["fullscreen", "xr-spatial-tracking", "autoplay"];
  if ("share" in navigator) wanted.push("web-share");
  return wanted.join("; ");
}

/** Resolves when a server answers, whatever it answers; rejects when there is no way to it. */
function answers(src: string, signal: AbortSignal): Promise<Response> {
  return fetch(src, { method: "HEAD", mode: "no-cors", credentials: "omit", cache: "no-store", signal });
}

/** A showcase that has not answered for so long is said to be silent; it may still answer, once somebody starts it. */
const PATIENCE_MS = 20_000;
/** How far from its surface the tag of a medium stands, as its pin does elsewhere. */
const MEDIA_STEM = 0.12;
const MEDIA_COLOR = "#3f4c6b";

/** Nothing can hang in a showcase: a medium is a tag at its place, which leads to its entry. */
function tagOfMedium({ id, title, placement: { position, normal } }: PlacedMediaItem): Pin {
  return {
    id,
    type: "media",
    label: title,
    color: MEDIA_COLOR,
    icon: "",
    viewpoint: null,
    position,
    stem: scale(normal, MEDIA_STEM),
  };
}

/**
 * A showcase: its iframe, at first and without a key nothing else. Such a frame moves its own camera and shows its own tags, so pins
 * are left to the page's list, modes and tools are empty and going somewhere resolves at once. With a key the showcase is asked for a
 * connection as soon as its frame is there; what the page has said until then holds once it is connected (decision 022).
 */
class ShowcaseViewer implements SpaceViewer {
  readonly quality: SpaceViewer["quality"] = null;
  private readonly emitter = new Emitter();
  private readonly host: HTMLElement;
  private readonly options: AdapterOptions;
  private readonly ended = new AbortController();
  private frame: HTMLIFrameElement | null = null;
  private state: Connection = "connecting";
  private sdk: ConnectedShowcase | null = null;
  private pins: readonly Pin[] = [];
  private media: readonly PlacedMediaItem[] = [];
  private openId: string | null = null;
  private tool: ViewerTool = "look";
  private wish: Viewpoint | { readonly pinId: string } | null = null;

  constructor(host: HTMLElement, options: AdapterOptions) {
    this.host = host;
    this.options = options;
  }

  get modes(): SpaceViewer["modes"] {
    return this.sdk ? ["walk", "orbit", "plan"] : [];
  }

  get tools(): SpaceViewer["tools"] {
    return this.sdk ? ["place"] : [];
  }

  get connection(): Connection {
    return this.state;
  }

  async load(source: ViewerSource, signal: AbortSignal): Promise<void> {
    if (source.kind !== "showcase") throw new TypeError(`A showcase cannot show a ${source.kind}.`);
    const left = combineSignals(signal, this.ended.signal);
    if (left.aborted) throw createAbortError();
    if (!/^https:\/\/[^/]/i.test(source.src) || !URL.canParse(source.src))
      throw new ViewerError("refused", "A showcase must be an https address.");
    const origin = source.key === null ? null : showcaseOrigin(source.src);
    const address = new URL(source.src);
    if (source.key !== null && origin) address.searchParams.set("applicationKey", source.key);
    const frame = document.createElement("iframe");
    this.frame = frame;
    frame.title = source.title;
    frame.allow = permissions();
    // The showcase checks its key against the referrer; sending none would be refused.
    frame.referrerPolicy = "strict-origin-when-cross-origin";
    frame.className = "block size-full border-0 bg-black";
    const shown = new Promise<Event>((done) => frame.addEventListener("load", done, { once: true }));
    const gone = new Promise<never>((_, reject) =>
      left.addEventListener("abort", () => reject(createAbortError()), { once: true }),
    );
    frame.src = address.href;
    this.host.appendChild(frame);
    try {
      // A frame tells of the browser's own page about a failure as it does of a page that came.
      await Promise.race([gone, Promise.all([shown, answers(source.src, left)])]);
    } catch (cause) {
      const wasLeft = left.aborted;
      this.dispose();
      if (wasLeft) throw createAbortError();
      throw new ViewerError("unreachable", "The showcase's server does not answer.", { cause });
    }
    if (origin) void this.connect(frame, origin, source.start);
    else this.turn("plain");
    this.emitter.emit("progress", 1);
    this.emitter.emit("ready", undefined);
  }

  setPins(pins: readonly Pin[]): void {
    this.pins = pins;
    this.sdk?.tags.set(this.tagged());
  }

  setMedia(media: readonly PlacedMediaItem[]): void {
    this.media = media;
    this.sdk?.tags.set(this.tagged());
  }

  setOpenPin(id: string | null): void {
    this.openId = id;
    this.sdk?.tags.setOpen(id);
  }

  setTool(tool: ViewerTool): void {
    this.tool = tool;
    this.sdk?.setTool(tool);
  }

  setMode(mode: Viewpoint["mode"]): void {
    this.sdk?.setMode(mode);
  }

  async goTo(target: Viewpoint | { readonly pinId: string }, options?: GoToOptions): Promise<void> {
    if (!this.sdk) {
      this.wish = target;
      return;
    }
    const to = "pinId" in target ? this.tagged().find(({ id }) => id === target.pinId) : target;
    if (to) await this.sdk.goTo(to, options?.transition === "instant");
  }

  setEditable(): void {}
  setPlaying(): void {}
  setQuality(): void {}
  setReservedBoxes(): void {}
  zoomBy(): void {}

  /** A frame of another site keeps to itself what lies under a point of it. */
  pick(): SurfaceHit | null {
    return null;
  }

  async captureImage(): Promise<null> {
    return null;
  }

  async capturePlanImage(): Promise<null> {
    return null;
  }

  /** The showcase has its own way into a headset, inside of its frame. */
  async xrSupported(): Promise<boolean> {
    return false;
  }

  async enterXR(): Promise<void> {
    throw new ViewerError("refused", "A showcase shows itself in a headset.");
  }

  viewpoint(): Viewpoint | null {
    return this.sdk?.viewpoint ?? null;
  }

  on<K extends keyof ViewerEvents>(event: K, handler: (value: ViewerEvents[K]) => void): () => void {
    return this.emitter.on(event, handler);
  }

  dispose(): void {
    this.ended.abort();
    this.sdk?.dispose();
    this.sdk = null;
    this.frame?.remove();
    this.frame = null;
    this.emitter.clear();
  }

  /** Pins and media that have none of their own. */
  private tagged(): readonly Pin[] {
    const pinned = new Set(this.pins.map(({ id }) => id));
    return [...this.pins, ...this.media.filter(({ id }) => !pinned.has(id)).map(tagOfMedium)];
  }

  private turn(state: Connection): void {
    if (state === this.state) return;
    this.state = state;
    this.emitter.emit("connection", state);
  }

  private async connect(frame: HTMLIFrameElement, origin: string, start: Viewpoint | null): Promise<void> {
    const { signal } = this.ended;
    const silence = setTimeout(() => this.turn("silent"), this.options.silenceTimeout ?? PATIENCE_MS);
    signal.addEventListener("abort", () => clearTimeout(silence));
    let letGo = () => {};
    try {
      const [{ connectShowcase, disconnect, whenPlaying }, { ConnectedShowcase }] = await Promise.all([
        import("./showcase-connection.client"),
        import("./showcase-connected.client"),
      ]);
      const sdk = await connectShowcase(frame, origin, signal);
      letGo = () => disconnect(sdk);
      await whenPlaying(sdk, signal);
      if (signal.aborted) throw createAbortError();
      const isLate = this.state === "silent";
      const connected = new ConnectedShowcase(sdk, frame, { options: this.options, emitter: this.emitter });
      letGo = () => connected.dispose();
      this.sdk = connected;
      connected.tags.set(this.tagged());
      connected.tags.setOpen(this.openId);
      connected.setTool(this.tool);
      this.turn("connected");
      // Whoever has waited that long has begun to look around by himself.
      const target = this.wish ?? start;
      if (target && !isLate) this.goTo(target, { transition: "instant" }).catch(() => {});
    } catch (error) {
      this.sdk = null;
      letGo();
      if (!signal.aborted) this.turn((error as Partial<ConnectionError>).reason ?? "script");
    } finally {
      clearTimeout(silence);
    }
  }
}

/** A showcase, plain or connected. */
export const createShowcaseViewer: CreateViewer = (host, options) => new ShowcaseViewer(host, options);
