import { abortError, eitherSignal } from "../core/abort";
import type {
  AdapterOptions,
  CreateViewer,
  Hit,
  SpaceViewer,
  ViewerEvents,
  ViewerSource,
  Viewpoint,
} from "../core/contract";
import { ViewerError } from "../core/contract";
import { Emitter } from "../core/emitter";

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

/**
 * The plain embed of a showcase: its iframe and nothing else. The frame moves its own camera and shows its own tags, so pins
 * are left to the page's list, modes are empty and going somewhere resolves at once.
 */
class ShowcaseViewer implements SpaceViewer {
  readonly modes: SpaceViewer["modes"] = [];
  readonly tools: SpaceViewer["tools"] = [];
  readonly quality: SpaceViewer["quality"] = null;
  private readonly emitter = new Emitter();
  private readonly host: HTMLElement;
  private frame: HTMLIFrameElement | null = null;
  private readonly ended = new AbortController();

  constructor(host: HTMLElement, _options: AdapterOptions) {
    this.host = host;
  }

  async load(source: ViewerSource, signal: AbortSignal): Promise<void> {
    if (source.kind !== "showcase") throw new TypeError(`A showcase cannot show a ${source.kind}.`);
    const left = eitherSignal(signal, this.ended.signal);
    if (left.aborted) throw abortError();
    if (!/^https:\/\/[^/]/i.test(source.src))
      throw new ViewerError("refused", "A showcase must be an https address.");
    const frame = document.createElement("iframe");
    this.frame = frame;
    frame.title = source.title;
    frame.allow = permissions();
    // The showcase checks its key against the referrer; sending none would be refused.
    frame.referrerPolicy = "strict-origin-when-cross-origin";
    frame.className = "block size-full border-0 bg-black";
    const shown = new Promise<Event>((done) => frame.addEventListener("load", done, { once: true }));
    const gone = new Promise<never>((_, reject) =>
      left.addEventListener("abort", () => reject(abortError()), { once: true }),
    );
    frame.src = source.src;
    this.host.appendChild(frame);
    try {
      // A frame tells of the browser's own page about a failure as it does of a page that came.
      await Promise.race([gone, Promise.all([shown, answers(source.src, left)])]);
    } catch (cause) {
      const wasLeft = left.aborted;
      this.dispose();
      if (wasLeft) throw abortError();
      throw new ViewerError("unreachable", "The showcase's server does not answer.", { cause });
    }
    this.emitter.emit("progress", 1);
    this.emitter.emit("ready", undefined);
  }

  setPins(): void {}
  setMedia(): void {}
  setTool(): void {}
  setEditable(): void {}
  setPlaying(): void {}
  setQuality(): void {}
  setOpenPin(): void {}
  keepFree(): void {}
  setMode(): void {}
  zoomBy(): void {}

  pick(): Hit | null {
    return null;
  }

  async goTo(): Promise<void> {}

  async picture(): Promise<null> {
    return null;
  }

  async planPicture(): Promise<null> {
    return null;
  }

  /** The showcase has its own way into a headset, inside of its frame. */
  async xrSupported(): Promise<boolean> {
    return false;
  }

  async enterXR(): Promise<void> {
    throw new ViewerError("refused", "A showcase shows itself in a headset.");
  }

  viewpoint(): Viewpoint {
    return { position: [0, 0, 0], yaw: 0, pitch: 0, mode: "walk" };
  }

  on<K extends keyof ViewerEvents>(event: K, handler: (value: ViewerEvents[K]) => void): () => void {
    return this.emitter.on(event, handler);
  }

  dispose(): void {
    this.ended.abort();
    this.frame?.remove();
    this.frame = null;
    this.emitter.clear();
  }
}

/** The plain embed of a showcase. */
export const createShowcaseViewer: CreateViewer = (host, options) => new ShowcaseViewer(host, options);
