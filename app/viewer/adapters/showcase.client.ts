import { abortError } from "../core/abort";
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

/**
 * The plain embed of a showcase: its iframe and nothing else. The frame moves its own camera and shows its own tags, so pins
 * are left to the page's list, modes are empty and going somewhere resolves at once.
 */
class ShowcaseViewer implements SpaceViewer {
  readonly modes: SpaceViewer["modes"] = [];
  private readonly emitter = new Emitter();
  private readonly host: HTMLElement;
  private frame: HTMLIFrameElement | null = null;
  private disposed = false;

  constructor(host: HTMLElement, _options: AdapterOptions) {
    this.host = host;
  }

  load(source: ViewerSource, signal: AbortSignal): Promise<void> {
    if (source.kind !== "showcase") throw new TypeError(`A showcase cannot show a ${source.kind}.`);
    return new Promise((resolve, reject) => {
      if (signal.aborted || this.disposed) return reject(abortError());
      if (!/^https:\/\/[^/]/i.test(source.src))
        return reject(new ViewerError("refused", "A showcase must be an https address."));
      const frame = document.createElement("iframe");
      this.frame = frame;
      frame.title = source.title;
      frame.allow = permissions();
      // The showcase checks its key against the referrer; sending none would be refused.
      frame.referrerPolicy = "strict-origin-when-cross-origin";
      frame.className = "block size-full border-0 bg-black";
      const stop = () => {
        this.dispose();
        reject(abortError());
      };
      signal.addEventListener("abort", stop, { once: true });
      frame.addEventListener(
        "load",
        () => {
          signal.removeEventListener("abort", stop);
          if (this.disposed) return;
          this.emitter.emit("progress", 1);
          this.emitter.emit("ready", undefined);
          resolve();
        },
        { once: true },
      );
      frame.src = source.src;
      this.host.appendChild(frame);
    });
  }

  setPins(): void {}
  setOpenPin(): void {}
  setMode(): void {}
  zoomBy(): void {}

  pick(): Hit | null {
    return null;
  }

  async goTo(): Promise<void> {}

  viewpoint(): Viewpoint {
    return { position: [0, 0, 0], yaw: 0, pitch: 0, mode: "walk" };
  }

  on<K extends keyof ViewerEvents>(event: K, handler: (value: ViewerEvents[K]) => void): () => void {
    return this.emitter.on(event, handler);
  }

  dispose(): void {
    this.disposed = true;
    this.frame?.remove();
    this.frame = null;
    this.emitter.clear();
  }
}

/** The plain embed of a showcase. */
export const createShowcaseViewer: CreateViewer = (host, options) => new ShowcaseViewer(host, options);
