/**
 * The contract between Hiroba and a 3D source. One adapter a source; the page never knows which one runs.
 * Frame: right-handed, y up, metres; angles in radians; screen coordinates in CSS pixels from the canvas's top left.
 */
import type { MediaKind, Placement, SpaceLight, SplatUp, Vec3, Viewpoint } from "~/domain/shared/model";
import type { ModelDisplay } from "~/domain/spaces/model-display";
import type { PanoramaTiles } from "~/domain/spaces/panorama-tiles";
import type { Box } from "./projection";

/** Points in metres and where a visitor stands and looks: the domain's own, so that links and records agree with the stage. */
export type { Vec3, Viewpoint };

/** Light of a model: a built-in environment of the viewer, or the address of an HDR panorama (Radiance HDR or OpenEXR). */
export interface ViewerLight {
  readonly kind: SpaceLight;
  /** Address of the HDR panorama, for the kind "file". Without it, the studio is used. */
  readonly url?: string;
}

/** A source with its files as addresses the browser may fetch. A start of null lets the viewer choose. */
export type ViewerSource =
  | {
      readonly kind: "showcase";
      /** The address of its embed, without a key. */
      readonly src: string;
      readonly title: string;
      /** The SDK key with which it can be connected; null leaves it a plain embed. */
      readonly key: string | null;
      readonly start: Viewpoint | null;
    }
  | {
      readonly kind: "model";
      readonly url: string;
      /** The whole file, where `url` is a smaller version of it that is shown first. */
      readonly whole?: string | null;
      readonly start: Viewpoint | null;
      readonly eyeHeight: number;
      /** Whether it is shown by itself, and no address of the page means a view of it. Missing: a space. */
      readonly isMedium?: boolean;
      /** Missing: as the file says. */
      readonly display?: ModelDisplay;
      /** Whether a figure of a person, 1.7 m tall, stands beside the model for comparison. */
      readonly person?: boolean;
      /** Absent: the studio. */
      readonly light?: ViewerLight;
    }
  | {
      readonly kind: "splat";
      readonly url: string;
      /** The whole file, where `url` is a smaller version of it that is shown first. */
      readonly whole?: string | null;
      readonly start: Viewpoint | null;
      readonly eyeHeight: number;
      readonly up: SplatUp;
      /** Whether it is shown by itself, and no address of the page means a view of it. Missing: a space. */
      readonly isMedium?: boolean;
    }
  | {
      readonly kind: "panorama";
      readonly nodes: readonly {
        readonly id: string;
        readonly url: string;
        /** A small version of the picture, which is shown first; absent or null for none. */
        readonly preview?: string | null;
        readonly title: string;
        readonly position: Vec3;
        readonly heading: number;
        readonly links: readonly string[];
        /** Tiles of a large panorama, loaded where its picture is not sharp enough; absent or null without any. */
        readonly tiles?: PanoramaTiles | null;
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

/** What can hang or stand in a space. */
export type PlacedKind = Exclude<MediaKind, "subtitle">;

/** A medium that hangs in the space as a surface of its own; its id is also that of its entry in the page's list. */
export interface PlacedMedium {
  readonly id: string;
  readonly kind: PlacedKind;
  /** The file: of web media their page, which is never fetched. */
  readonly url: string;
  /** What hangs there instead of the file, for kinds that are no picture themselves; null shows the title in a frame. */
  readonly picture: string | null;
  /** Plain text, in the visitor's language. */
  readonly title: string;
  readonly placement: Placement;
  /** Height by width; null until the file says it. */
  readonly aspect: number | null;
}

/** Where a ray from the screen meets the space. */
export interface Hit {
  readonly position: Vec3;
  /** Unit length, facing the viewer. */
  readonly normal: Vec3;
  /** The pin there, or the medium. */
  readonly pinId?: string;
}

/** What a click and Enter mean: move and open; say where something goes; say from where to where is measured. */
export type ViewerTool = "look" | "place" | "measure";

/** A distance between two points of the space. */
export interface Measure {
  readonly from: Vec3;
  readonly to: Vec3;
  readonly metres: number;
}

/** A pin or medium on its way along the surfaces. */
export interface Drag {
  readonly id: string;
  /** Where it is now: of the space, never of the dragged thing itself. */
  readonly hit: Hit;
  /** True for the last one: it was let go. */
  readonly done: boolean;
}

/** The whole space from straight above, for a map: x to the right, z downwards. */
export interface PlanPicture {
  readonly blob: Blob;
  /** The x and z in the picture's middle. */
  readonly center: readonly [number, number];
  /** Metres across the picture. */
  readonly width: number;
  /** Metres from its upper to its lower edge. */
  readonly height: number;
}

/** How much a source of splats may ask of the device. */
export type ViewerQuality = "low" | "high";

/**
 * Why there is no space, or not all of it: the browser has no WebGL 2; a file did not come or cannot be read; the graphics
 * context was lost for good; the source may not be shown here; it is too large for this device; somebody else's server does not answer;
 * a decoder did not start or did not answer in time.
 */
export type ViewerErrorCode =
  | "webgl_unavailable"
  | "load_failed"
  | "context_lost"
  | "refused"
  | "too_large"
  | "unreachable"
  | "decoder_failed";

/**
 * Why a showcase is a plain embed beside the page's list: the page has no key; it refused, called off, or does not know the
 * provider or the key of this site (reference/showcase §4.3); it does not answer; its script did not come, or is none.
 */
export type Unconnected = "plain" | "refused" | "cancelled" | "provider" | "key" | "silent" | "script";

/** How a source of somebody else's stands to the page. */
export type Connection = "connecting" | "connected" | Unconnected;

/** What a viewer tells, and with which value. */
export interface ViewerEvents {
  /** Downloaded share of the source, 0…1. */
  progress: number;
  /** The first frame with the source in it was drawn. */
  ready: undefined;
  /** A pin or a medium was clicked or chosen by key. */
  pinopen: string;
  /** With the place tool: a point of the space was clicked, or its middle chosen by Enter. */
  place: Hit;
  /** While the stage is editable: a pin or medium is dragged along the surfaces. */
  drag: Drag;
  /** With the measure tool: the second point was chosen; null when it was taken back, or a new line begins. */
  measured: Measure | null;
  /** A session in a headset began or ended. */
  xr: boolean;
  /** The graphics were taken away for the moment (true), or have come back. */
  interrupted: boolean;
  /** The camera came to rest. */
  rest: Viewpoint;
  mode: Viewpoint["mode"];
  /** The connection has changed, and with it what the source can do: its modes and tools. */
  connection: Connection;
  /** The panorama node changed. */
  node: string;
  /** What moves, or what can be chosen of it, has changed: see `moves` and `choices`. */
  choices: undefined;
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

/** What of a model's file can be chosen, as far as there are several. Names come from the file, or are numbers. */
export interface ViewerChoices {
  readonly variants: readonly string[];
  /** The variant that is shown, counted from 0; null for the file's own materials. */
  readonly variant: number | null;
  readonly animations: readonly string[];
  /** The animation that runs or rests, counted from 0. */
  readonly animation: number;
}

/** A running 3D source. Every method may be called at any time: before the load and after disposal it does nothing. */
export interface SpaceViewer {
  /** The modes this source has. Empty where the source moves its own camera (a showcase that is not connected). */
  readonly modes: readonly Viewpoint["mode"][];
  /** How a showcase stands to the page; null for sources of our own. It may change as long as the viewer runs. */
  readonly connection: Connection | null;
  /** Loads the source and shows its start viewpoint. Rejects with a ViewerError; aborting rejects with AbortError. */
  load(source: ViewerSource, signal: AbortSignal): Promise<void>;
  /** What clicks can be made to mean here besides "look". Empty where the source keeps its surfaces to itself; known once it is loaded, or connected. */
  readonly tools: readonly ViewerTool[];
  /** Replaces all pins. */
  setPins(pins: readonly Pin[]): void;
  /** Replaces everything that hangs in the space. Files come when they are near enough to be seen. */
  setMedia(media: readonly PlacedMedium[]): void;
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
  /** Where one stands and how one looks; null while the source does not say so. */
  viewpoint(): Viewpoint | null;
  /** Changes what clicks mean; leaving "measure" takes its line away. One that the source does not have is "look". */
  setTool(tool: ViewerTool): void;
  /** Whether pins and media can be dragged. */
  setEditable(on: boolean): void;
  /** Whether films and sounds play by themselves where their owner said so; false also stops those that run. */
  setPlaying(on: boolean): void;
  /** Whether an animated model moves now; null for what cannot move. */
  readonly moves?: boolean | null;
  /** Lets an animated model move, or stops it. Does nothing elsewhere. */
  setMoving?(on: boolean): void;
  /** What of the file can be chosen now; null or absent where there is nothing to choose. */
  readonly choices?: ViewerChoices | null;
  /**
   * Shows another variant or animation; resolves when it is shown, or cannot be, which the event `error` says. Does nothing elsewhere.
   * @param index counted from 0; null for the file's own materials
   */
  choose?(what: "variant" | "animation", index: number | null): Promise<void>;
  /** What splats may cost now; null for sources that have no choice. */
  readonly quality: ViewerQuality | null;
  /** What splats may cost: "low" draws fewer pixels and smaller splats. Does nothing elsewhere. */
  setQuality(quality: ViewerQuality): void;
  /** Whether the device can show this source in a headset. */
  xrSupported(): Promise<boolean>;
  /** Begins a session in a headset; by a click alone. Rejects where that is not possible. */
  enterXR(): Promise<void>;
  /** The space from straight above; null where it cannot be had. */
  planPicture(): Promise<PlanPicture | null>;
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
  /** A length, for example 1.25 m. */
  metres(value: number): string;
  /** The name of the button that puts something where it stands. */
  readonly placeHere: string;
}

/** What an adapter is made with; it never reads the page around it. */
export interface AdapterOptions {
  readonly words: AdapterWords;
  /** The drawing of a pin's icon as a new element, or null; without it a pin is a plain disc. */
  icon?(name: string): Element | null;
  /** Asked at each transition, because the visitor may change the setting at any time. */
  reducedMotion(): boolean;
  /** Milliseconds after which a showcase that does not answer is said to be silent. Default 20,000. */
  readonly patience?: number;
}

/** Makes the viewer of one source inside a host element, which it fills. Throws a ViewerError without WebGL. */
export type CreateViewer = (host: HTMLElement, options: AdapterOptions) => SpaceViewer;
