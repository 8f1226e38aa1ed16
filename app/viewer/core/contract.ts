/**
 * The contract between Hiroba and a 3D source. One adapter a source; the page never knows which one runs.
 * Frame: right-handed, y up, metres; angles in radians; screen coordinates in CSS pixels from the canvas's top left.
 */
import type { SplatUp, Vec3, Viewpoint } from "~/domain/model";
import type { Box } from "./projection";

/** Points in metres and where a visitor stands and looks: the domain's own, so that links and records agree with the stage. */
export type { Vec3, Viewpoint };

/** A source with its files as addresses the browser may fetch. A start of null lets the viewer choose. */
export type ViewerSource =
  | { readonly kind: "showcase"; readonly src: string; readonly title: string }
  | {
      readonly kind: "model";
      readonly url: string;
      readonly start: Viewpoint | null;
      readonly eyeHeight: number;
    }
  | {
      readonly kind: "splat";
      readonly url: string;
      readonly start: Viewpoint | null;
      readonly eyeHeight: number;
      readonly up: SplatUp;
    }
  | {
      readonly kind: "panorama";
      readonly nodes: readonly {
        readonly id: string;
        readonly url: string;
        readonly title: string;
        readonly position: Vec3;
        readonly heading: number;
        readonly links: readonly string[];
      }[];
      readonly start: Viewpoint | null;
    };

/** A tag or a placed medium, as the viewer shows it. */
export interface Pin {
  readonly id: string;
  readonly type: "tag" | "media";
  /** Plain text, in the visitor's language. */
  readonly label: string;
  readonly color: string;
  readonly icon: string;
  /** The anchor on the surface. */
  readonly position: Vec3;
  /** From the anchor to the pin's disc. */
  readonly stem: Vec3;
  /** Where to stand when it is focused; null lets the adapter choose. */
  readonly viewpoint: Viewpoint | null;
}

/** Where a ray from the screen meets the space. */
export interface Hit {
  readonly position: Vec3;
  /** Unit length, facing the viewer. */
  readonly normal: Vec3;
  readonly pinId?: string;
}

/**
 * Why there is no space, or not all of it: the browser has no WebGL 2; a file did not come or cannot be read; the graphics
 * context was lost for good; the source may not be shown here, or is too large for this device; somebody else's server does not answer.
 */
export type ViewerErrorCode =
  | "webgl_unavailable"
  | "load_failed"
  | "context_lost"
  | "refused"
  | "unreachable";

/** What a viewer tells, and with which value. */
export interface ViewerEvents {
  /** Downloaded share of the source, 0…1. */
  progress: number;
  /** The first frame with the source in it was drawn. */
  ready: undefined;
  /** A pin was clicked or chosen by key. */
  pinopen: string;
  /** The camera came to rest. */
  rest: Viewpoint;
  mode: Viewpoint["mode"];
  /** The panorama node changed. */
  node: string;
  /** The camera turned: its yaw in radians, at every frame that shows another one. */
  look: number;
  /** After ready, load_failed means that a part did not come and the space is still there; the others end the viewer. */
  error: ViewerErrorCode;
}

/** How the camera gets to where it is sent. */
export interface GoToOptions {
  /** Overrides the default; "instant" is used anyway when reduced motion is asked for. */
  readonly transition?: "fly" | "instant";
}

/** A running 3D source. Every method may be called at any time: before the load and after disposal it does nothing. */
export interface SpaceViewer {
  /** The modes this source has. Empty when the source moves its own camera (showcase). */
  readonly modes: readonly Viewpoint["mode"][];
  /** Loads the source and shows its start viewpoint. Rejects with a ViewerError; aborting rejects with AbortError. */
  load(source: ViewerSource, signal: AbortSignal): Promise<void>;
  /** Replaces all pins. */
  setPins(pins: readonly Pin[]): void;
  /** Marks one pin as open, or none. */
  setOpenPin(id: string | null): void;
  /** What the page's own buttons cover of the canvas: pins and labels leave it free. */
  keepFree(boxes: readonly Box[]): void;
  /** What lies under a point of the canvas, or null. */
  pick(x: number, y: number): Hit | null;
  /** Moves the camera to a viewpoint or in front of a pin; resolves when it has come to rest. */
  goTo(target: Viewpoint | { readonly pinId: string }, options?: GoToOptions): Promise<void>;
  setMode(mode: Viewpoint["mode"]): void;
  /** Shows things larger by this factor (> 1) or smaller (< 1). Does nothing where the source zooms itself. */
  zoomBy(factor: number): void;
  viewpoint(): Viewpoint;
  /** What is seen now, without pins, at most so many pixels wide, as WebP or JPEG; null where that cannot be had (showcase). */
  picture(width: number): Promise<Blob | null>;
  /** Subscribes; returns the unsubscribe function. */
  on<K extends keyof ViewerEvents>(event: K, handler: (value: ViewerEvents[K]) => void): () => void;
  /** Frees every GPU, DOM and network resource. Safe to call twice and in the middle of a load. */
  dispose(): void;
}

/** Why a viewer could not start, load or go somewhere: a code for people's words and a message for the log. */
export class ViewerError extends Error {
  readonly code: ViewerErrorCode;
  constructor(code: ViewerErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ViewerError";
    this.code = code;
  }
}

/** Words that an adapter writes into elements it makes itself, in the visitor's language. */
export interface AdapterWords {
  /** The name of the canvas for screen readers. */
  readonly canvas: string;
  /** The name of a disc that stands for several pins. */
  cluster(count: number): string;
  /** The name of the disc that steps to another panorama node. */
  stepTo(title: string): string;
}

/** What an adapter is made with; it never reads the page around it. */
export interface AdapterOptions {
  readonly words: AdapterWords;
  /** The drawing of a pin's icon as a new element, or null; without it a pin is a plain disc. */
  icon?(name: string): Element | null;
  /** Asked at each transition, because the visitor may change the setting at any time. */
  reducedMotion(): boolean;
}

/** Makes the viewer of one source inside a host element, which it fills. Throws a ViewerError without WebGL. */
export type CreateViewer = (host: HTMLElement, options: AdapterOptions) => SpaceViewer;
