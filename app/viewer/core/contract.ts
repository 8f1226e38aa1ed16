/**
 * The contract between Hiroba and a 3D source. Each kind of source has one adapter.
 * Frame: right-handed, y up, metres. Angles are in radians, and screen coordinates are in CSS pixels from the canvas's top left.
 */
import type { MediaKind, Placement, SpaceLight, SplatUp, Vec3, Viewpoint } from "~/domain/shared/model";
import type { ModelDisplay } from "~/domain/spaces/model-display";
import type { PanoramaTiles } from "~/domain/spaces/panorama-tiles";
import type { Box } from "./projection";
import type { ViewerErrorCode } from "./viewer-error";

/** Points in metres, and the position and direction of a visitor. They are the domain's own types, so that links and records agree with the stage. */
export type { Vec3, Viewpoint };

/** Light of a model: a built-in environment of the viewer, or the URL of an HDR panorama (Radiance HDR or OpenEXR). */
export interface ViewerLight {
  readonly kind: SpaceLight;
  /** URL of the HDR panorama, for the kind "file". Without it, the studio is used. */
  readonly url?: string;
}

/** A source with its files as URLs that the browser may fetch. With a start of null, the viewer chooses the first viewpoint. */
export type ViewerSource =
  | {
      /** A space that Matterport hosts, in a frame. */
      readonly kind: "showcase";
      /** URL of the embed, without the SDK key. */
      readonly src: string;
      readonly title: string;
      /** SDK key with which the showcase can be connected. With null, it stays a plain embed. */
      readonly key: string | null;
      readonly start: Viewpoint | null;
    }
  | {
      /** A glTF model. */
      readonly kind: "model";
      readonly url: string;
      /** URL of the whole file, when `url` is a smaller version that is shown first. */
      readonly whole?: string | null;
      readonly start: Viewpoint | null;
      /** Height of the eyes above the floor. */
      readonly eyeHeight: number;
      /** Whether the model is shown as a single media item and not as a space. The stage then has no button that copies a link to the view. */
      readonly isMediaItem?: boolean;
      /** Owner's settings of the model. Default: the file's own. */
      readonly display?: ModelDisplay;
      /** Whether compareWithPerson shows the figure of a person, 1.7 m tall, beside the model. */
      readonly person?: boolean;
      /** Default: the studio. */
      readonly light?: ViewerLight;
    }
  | {
      /** A capture of Gaussian splats. */
      readonly kind: "splat";
      readonly url: string;
      /** URL of the whole file, when `url` is a smaller version that is shown first. */
      readonly whole?: string | null;
      readonly start: Viewpoint | null;
      /** Height of the eyes above the floor. */
      readonly eyeHeight: number;
      /** Axis of the file that points upwards. */
      readonly up: SplatUp;
      /** Whether the file is shown as a single media item and not as a space. The stage then has no button that copies a link to the view. */
      readonly isMediaItem?: boolean;
    }
  | {
      readonly kind: "panorama";
      /** Positions at which a panorama was taken. */
      readonly nodes: readonly {
        readonly id: string;
        readonly url: string;
        /** Small version of the image, which is shown first. Absent or null when there is none. */
        readonly preview?: string | null;
        readonly title: string;
        readonly position: Vec3;
        /** Yaw of the image's middle column. */
        readonly heading: number;
        /** Ids of the nodes to which the visitor can step. */
        readonly links: readonly string[];
        /** Tiles of a large panorama, loaded where its image is not sharp enough. Absent or null when there are none. */
        readonly tiles?: PanoramaTiles | null;
      }[];
      readonly start: Viewpoint | null;
    };

/** A tag or a placed media item, as the viewer shows it. */
export interface Pin {
  readonly id: string;
  readonly type: "tag" | "media";
  /** Plain text, in the visitor's language. */
  readonly label: string;
  /** The end of the label that is cut last when the label is too long, such as a price. */
  readonly labelEnd?: string;
  readonly color: string;
  readonly icon: string;
  /** Anchor of the pin on the surface. */
  readonly position: Vec3;
  /** Vector from the anchor to the pin's disc. */
  readonly stem: Vec3;
  /** Viewpoint to which the camera moves to show the pin. With null, the adapter chooses one. */
  readonly viewpoint: Viewpoint | null;
  /** Visitors do not see it. Only the editor has such pins. */
  readonly isDraft?: boolean;
}

/** Kinds of media that can be placed in a space. */
export type PlacedMediaKind = Exclude<MediaKind, "subtitle">;

/** A media item that is placed in the space. Its id is also the id of its entry in the page's list. */
export interface PlacedMediaItem {
  readonly id: string;
  readonly kind: PlacedMediaKind;
  /** URL of the file. For web media, such as a video on YouTube, it is their page, which is never fetched. */
  readonly url: string;
  /** URL of the image that is shown instead of the file, for kinds other than images. With null, a frame with the title is shown. */
  readonly imageUrl: string | null;
  /** Plain text, in the visitor's language. */
  readonly title: string;
  readonly placement: Placement;
  /** Height divided by width. Null until the file has been read. */
  readonly aspect: number | null;
  /** Text on the mark of an item that visitors do not see, for editors. */
  readonly draftMark?: string;
}

/** The point where a ray from the screen meets the space. */
export interface SurfaceHit {
  readonly position: Vec3;
  /** Unit length, facing the camera. */
  readonly normal: Vec3;
  /** Id of the pin or of the media item at this point. */
  readonly pinId?: string;
}

/** Meaning of a click and of Enter: "look" moves and opens, "place" chooses a position, "measure" chooses the ends of a measured line. */
export type ViewerTool = "look" | "place" | "measure";

/** A distance between two points of the space. */
export interface MeasuredLine {
  readonly from: Vec3;
  readonly to: Vec3;
  readonly metres: number;
}

/** A pin or placed media item that is being dragged along the surfaces. */
export interface PinDrag {
  readonly id: string;
  /** Its current position on the space's surfaces, never on the dragged object itself. */
  readonly hit: SurfaceHit;
  /** True for the last event of a drag: the object was released. */
  readonly done: boolean;
}

/** An image of the whole space from straight above, for a map: x to the right, z downwards. */
export interface PlanImage {
  readonly blob: Blob;
  /** The x and z of the image's centre. */
  readonly center: readonly [number, number];
  /** Width of the area in the image, in metres. */
  readonly width: number;
  /** Metres from the upper to the lower edge of the image. */
  readonly height: number;
}

/** Rendering quality of splats (see setQuality). */
export type ViewerQuality = "low" | "high";

/** The reason why a showcase is a plain embed beside the page's list. */
export type DisconnectedReason =
  /** The page has no SDK key. */
  | "plain"
  /** The showcase rejected the connection. */
  | "rejected"
  /** The showcase cancelled the connection. */
  | "cancelled"
  /** The showcase rejected the provider of this site (InvalidProvider of Matterport's SDK). */
  | "provider"
  /** The SDK key does not belong to this site. */
  | "key"
  /** The showcase does not respond. */
  | "silent"
  /** The showcase's script could not be loaded, or the showcase has none. */
  | "script";

/** State of the connection between a third party's source and the page. */
export type Connection = "connecting" | "connected" | DisconnectedReason;

/** Events of a viewer with the type of their value. */
export interface ViewerEvents {
  /** Downloaded share of the source, 0…1. */
  progress: number;
  /** The first frame with the source in it was drawn. */
  ready: undefined;
  /** A pin or a placed media item was clicked or chosen by key. */
  pinopen: string;
  /** The button of the open pin was pressed by key. */
  pinclose: undefined;
  /** With the place tool: a point of the space was chosen. */
  place: SurfaceHit;
  /** While the stage is editable: a pin or a placed media item is being dragged along the surfaces. */
  drag: PinDrag;
  /** With the measure tool: the second point was chosen. Null when the line was removed, or a new line begins. */
  measured: MeasuredLine | null;
  /** A session in a headset began or ended. */
  xr: boolean;
  /** The graphics context was lost and may return (true), or has returned (false). */
  interrupted: boolean;
  /** The camera stopped moving. */
  settled: Viewpoint;
  /** The mode changed: walk, orbit (from outside) or plan (from straight above). */
  mode: Viewpoint["mode"];
  /** The connection has changed, and with it the source's modes and tools. */
  connection: Connection;
  /** The panorama node changed. */
  node: string;
  /** The animation state or the available choices have changed: see `isMoving` and `choices`. */
  choices: undefined;
  /** The camera turned: its yaw in radians, in every frame with a changed yaw. */
  yaw: number;
  /** After `ready`, load_failed means that a part could not be loaded and the space is still shown. Every other code ends the viewer. */
  error: ViewerErrorCode;
}

/** Options of a camera move to its target. */
export interface GoToOptions {
  /** Default: "fly". "instant" is always used when the visitor prefers reduced motion. */
  readonly transition?: "fly" | "instant";
}

/** Variants of a model's file, and its animations when there are several. Names come from the file, or are numbers. */
export interface ViewerChoices {
  readonly variants: readonly string[];
  /** Index of the variant that is shown, from 0. Null for the file's own materials. */
  readonly variant: number | null;
  readonly animations: readonly string[];
  /** Index of the animation that runs or is paused, from 0. */
  readonly animation: number;
}

/** A running 3D source. Every method may be called at any time, also before the load and after disposal. */
export interface SpaceViewer {
  /** Modes that this source has. Empty when the source moves its own camera (a showcase that is not connected). */
  readonly modes: readonly Viewpoint["mode"][];
  /** Connection of a showcase to the page. Null for all other sources. It may change while the viewer runs. */
  readonly connection: Connection | null;
  /** Loads the source and shows its start viewpoint. Rejects with a ViewerError; aborting rejects with AbortError. */
  load(source: ViewerSource, signal: AbortSignal): Promise<void>;
  /** Tools besides "look". Empty when the source does not report its surfaces. Known once the source is loaded or connected. */
  readonly tools: readonly ViewerTool[];
  /** Replaces all pins. */
  setPins(pins: readonly Pin[]): void;
  /** Replaces all placed media. A file is loaded when it is near enough to be visible. */
  setMedia(media: readonly PlacedMediaItem[]): void;
  /** Marks one pin as open, or none with null. */
  setOpenPin(id: string | null): void;
  /** Sets the boxes of the canvas that the page's own buttons cover. Pins and labels avoid them. */
  setReservedBoxes(boxes: readonly Box[]): void;
  /** Finds the surface under a point of the canvas, or null. */
  pick(x: number, y: number): SurfaceHit | null;
  /** Moves the camera to a viewpoint or in front of a pin. Resolves when the camera has stopped. */
  goTo(target: Viewpoint | { readonly pinId: string }, options?: GoToOptions): Promise<void>;
  setMode(mode: Viewpoint["mode"]): void;
  /** Magnifies the view by this factor (> 1) or reduces it (< 1). Does nothing when the source zooms by itself. */
  zoomBy(factor: number): void;
  /** Zoom factor in walk mode. A newly assigned value has no effect until the camera moves. Undefined in viewers with one mode. */
  walkZoom?: number;
  /** Returns the position and direction of the camera, or null while the source does not report them. */
  viewpoint(): Viewpoint | null;
  /** Changes the meaning of clicks. Leaving "measure" removes its line. A tool that the source does not have becomes "look". */
  setTool(tool: ViewerTool): void;
  /** Sets whether pins and placed media can be dragged. */
  setEditable(on: boolean): void;
  /** Sets whether videos, sounds and animated images with automatic playback may play. False also stops those that run. */
  setPlaying(on: boolean): void;
  /** Whether an animated model moves now. Null when nothing can move. */
  readonly isMoving?: boolean | null;
  /** Starts or stops the animation of a model. Does nothing for other sources. */
  setMoving?(on: boolean): void;
  /** Variants and animations that can be chosen now. Null or absent when there is nothing to choose. */
  readonly choices?: ViewerChoices | null;
  /**
   * Shows another variant or animation. Resolves when it is shown. Rejects when it cannot be loaded; the previous one then stays. Does
   * nothing for other sources.
   * @param index counted from 0; null for the file's own materials
   */
  choose?(kind: "variant" | "animation", index: number | null): Promise<void>;
  /**
   * Moves the camera so that a model and the person beside it are in view. Resolves to the model's extent along x, y and z in metres
   * when the camera has stopped; null when no person is shown.
   */
  compareWithPerson?(): Promise<Vec3 | null>;
  /** Current rendering quality of splats. Null for sources without this setting. */
  readonly quality: ViewerQuality | null;
  /** Sets the rendering quality of splats: "low" draws fewer pixels and smaller splats. Does nothing for other sources. */
  setQuality(quality: ViewerQuality): void;
  /** Resolves to whether the device can show this source in a headset. */
  xrSupported(): Promise<boolean>;
  /** Starts a headset session. Browsers allow it only in a click handler. Rejects when it is not possible. */
  enterXR(): Promise<void>;
  /** Draws the space from straight above. Resolves to null when that is not possible. */
  capturePlanImage(): Promise<PlanImage | null>;
  /**
   * Draws the current view without pins, as WebP or JPEG. Resolves to null when that is not possible (showcase).
   * @param width maximum width in pixels
   */
  captureImage(width: number): Promise<Blob | null>;
  /** Subscribes; returns the unsubscribe function. */
  on<K extends keyof ViewerEvents>(event: K, handler: (value: ViewerEvents[K]) => void): () => void;
  /** Frees every GPU, DOM and network resource. It may be called twice and during a load. */
  dispose(): void;
}

/** Texts that an adapter writes into elements that it creates, in the visitor's language. */
export interface AdapterMessages {
  /** The name of the canvas for screen readers. */
  readonly canvas: string;
  /** Name of a disc that represents several pins. */
  cluster(count: number): string;
  /** Name of the disc that leads to another panorama node. */
  stepTo(title: string): string;
  /** Formats a length, for example 1.25 m. */
  metres(value: number): string;
  /** Name of the button that places an object at the current position. */
  readonly placeAtPosition: string;
}

/** Options of an adapter. An adapter never reads the page around it. */
export interface AdapterOptions {
  readonly messages: AdapterMessages;
  /** Creates an element with the drawing of a pin's icon, or returns null. Without it, a pin is a plain disc. */
  createIcon?(name: string): Element | null;
  /** Called at each transition, because the visitor may change the setting at any time. */
  prefersReducedMotion(): boolean;
  /** Milliseconds after which a showcase that does not respond is reported as silent. Default: 20,000. */
  readonly silenceTimeout?: number;
}

/** Creates the viewer of one source inside a host element, which it fills. Throws a ViewerError if it needs WebGL and there is none. */
export type CreateViewer = (host: HTMLElement, options: AdapterOptions) => SpaceViewer;
