/**
 * The subset of Matterport's SDK for showcases that Hiroba calls, as types. They are taken from Matterport's published types, which the comments name.
 * Positions are in metres with y up, and rotations are in degrees.
 */

/** A point or a direction. */
export interface SdkVector {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** Angles in degrees: x is the pitch, y is the yaw. They are three's YXZ angles of the camera, so y grows to the left. */
export interface SdkRotation {
  readonly x: number;
  readonly y: number;
}

/** Each component is 0…1. */
export interface SdkColor {
  readonly r: number;
  readonly g: number;
  readonly b: number;
}

/** A subscription that ends with `cancel`. */
export interface SdkSubscription {
  cancel(): void;
}

/** Calls its observers with the current value, if there is one, and with each new value. */
export interface SdkObservable<T> {
  subscribe(observer: (value: T) => void): SdkSubscription;
}

/** Calls its observers with the whole collection, now and after each change. */
export interface SdkCollection<T> {
  subscribe(observer: { onCollectionUpdated?(items: Iterable<[string, T]>): void }): SdkSubscription;
}

/** `Mode.Mode` of the SDK. */
export type SdkMode =
  | "mode.inside"
  | "mode.outside"
  | "mode.dollhouse"
  | "mode.floorplan"
  | "mode.transitioning";

/** `Camera.TransitionType` of the SDK: the values that Hiroba uses. */
export type SdkTransition = "transition.instant" | "transition.fly";

/** `Camera.pose` of the SDK. */
export interface SdkPose {
  readonly position: SdkVector;
  readonly rotation: SdkRotation;
  readonly projection: Float32Array;
  /** Id of the sweep at which the camera is. Empty when it is at none. */
  readonly sweep: string;
  readonly mode: SdkMode;
}

/** An entry of `Sweep.data` of the SDK: a place from which the showcase was captured. */
export interface SdkSweep {
  readonly id: string;
  readonly enabled: boolean;
  /** "unaligned" sweeps are panoramas without a position in the space. */
  readonly alignmentType: "aligned" | "unaligned";
  readonly position: SdkVector;
}

/** `Pointer.intersection` of the SDK. */
export interface SdkIntersection {
  readonly position: SdkVector;
  readonly normal: SdkVector;
  readonly object:
    | "intersectedobject.none"
    | "intersectedobject.model"
    | "intersectedobject.tag"
    | "intersectedobject.sweep"
    | "intersectedobject.unknown";
}

/** A tag for `Tag.add` of the SDK. */
export interface SdkTagDescriptor {
  readonly anchorPosition: SdkVector;
  readonly stemVector: SdkVector;
  readonly stemVisible?: boolean;
  readonly label?: string;
  readonly description?: string;
  readonly color?: SdkColor;
}

/** `Tag.openTags` of the SDK. */
export interface SdkOpenTags {
  readonly hovered: string | null;
  readonly selected: ReadonlySet<string>;
  readonly docked: string | null;
}

/** A connected showcase. */
export interface ShowcaseSdk {
  readonly App: {
    /** The phases are appphase.uninitialized → waiting → loading → starting → playing, or error. */
    readonly state: SdkObservable<{ readonly phase: string }>;
  };
  readonly Camera: { readonly pose: SdkObservable<SdkPose> };
  readonly Conversion: {
    /** Returns CSS pixels from the frame's top left. z is outside of −1…1 for points behind the camera. */
    worldToScreen(
      point: SdkVector,
      pose: SdkPose,
      size: { readonly w: number; readonly h: number },
    ): SdkVector;
  };
  readonly Mode: {
    moveTo(
      mode: SdkMode,
      options?: {
        readonly position?: SdkVector;
        readonly rotation?: SdkRotation;
        readonly transition?: SdkTransition;
      },
    ): Promise<unknown>;
  };
  readonly Pointer: { readonly intersection: SdkObservable<SdkIntersection> };
  readonly Sweep: {
    readonly data: SdkCollection<SdkSweep>;
    moveTo(
      id: string,
      options: {
        readonly rotation?: SdkRotation;
        readonly transition?: SdkTransition;
        /** Milliseconds. */
        readonly transitionTime?: number;
      },
    ): Promise<unknown>;
  };
  readonly Tag: {
    readonly openTags: SdkObservable<SdkOpenTags>;
    add(...tags: readonly SdkTagDescriptor[]): Promise<string[]>;
    /** Actions that are absent are not allowed. */
    allowAction(
      id: string,
      actions: {
        readonly opening?: boolean;
        readonly navigating?: boolean;
        readonly docking?: boolean;
        readonly sharing?: boolean;
      },
    ): Promise<void>;
    close(id: string): Promise<void>;
    editBillboard(
      id: string,
      text: { readonly label?: string; readonly description?: string },
    ): Promise<void>;
    editColor(id: string, color: SdkColor): Promise<void>;
    editOpacity(id: string, opacity: number): Promise<void>;
    editPosition(
      id: string,
      position: { readonly anchorPosition: SdkVector; readonly stemVector: SdkVector },
    ): Promise<void>;
    remove(...ids: readonly string[]): Promise<string[]>;
  };
  disconnect(): void;
}
