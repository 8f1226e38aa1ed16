/**
 * The calls of a connected showcase that are used here, with no code behind them: they are the vendor's published types
 * (reference/showcase §4.4, §4.5), in as far as they are used. Metres, y up; rotations in degrees.
 */

/** A point or a direction. */
export interface SdkVector {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** x is the pitch, y the yaw, in degrees: three's YXZ angles of the camera, so that y grows to the left. */
export interface SdkRotation {
  readonly x: number;
  readonly y: number;
}

/** Each 0…1. */
export interface SdkColor {
  readonly r: number;
  readonly g: number;
  readonly b: number;
}

/** Ends with `cancel`. */
export interface SdkSubscription {
  cancel(): void;
}

/** Tells its value at once if there is one, and each time it changes. */
export interface SdkObservable<T> {
  subscribe(observer: (value: T) => void): SdkSubscription;
}

/** Tells the whole of a collection at once, and each time it changes. */
export interface SdkCollection<T> {
  subscribe(observer: { onCollectionUpdated?(items: Iterable<[string, T]>): void }): SdkSubscription;
}

/** §4.5 Mode.Mode. */
export type SdkMode =
  | "mode.inside"
  | "mode.outside"
  | "mode.dollhouse"
  | "mode.floorplan"
  | "mode.transitioning";

/** §4.5 Camera.TransitionType, those that are used. */
export type SdkTransition = "transition.instant" | "transition.fly";

/** §4.5 Camera.pose. */
export interface SdkPose {
  readonly position: SdkVector;
  readonly rotation: SdkRotation;
  readonly projection: Float32Array;
  /** The sweep where the camera stands; empty while it stands at none. */
  readonly sweep: string;
  readonly mode: SdkMode;
}

/** §4.5 Sweep.data. */
export interface SdkSweep {
  readonly id: string;
  readonly enabled: boolean;
  /** "unaligned" ones are panoramas that lie nowhere in the space. */
  readonly alignmentType: "aligned" | "unaligned";
  readonly position: SdkVector;
}

/** §4.5 Pointer.intersection. */
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

/** §4.5 Tag.add. */
export interface SdkTagDescriptor {
  readonly anchorPosition: SdkVector;
  readonly stemVector: SdkVector;
  readonly stemVisible?: boolean;
  readonly label?: string;
  readonly description?: string;
  readonly color?: SdkColor;
}

/** §4.5 Tag.openTags. */
export interface SdkOpenTags {
  readonly hovered: string | null;
  readonly selected: ReadonlySet<string>;
  readonly docked: string | null;
}

/** A connected showcase. */
export interface ShowcaseSdk {
  readonly App: {
    /** §4.3: appphase.uninitialized → waiting → loading → starting → playing, or error. */
    readonly state: SdkObservable<{ readonly phase: string }>;
  };
  readonly Camera: { readonly pose: SdkObservable<SdkPose> };
  readonly Conversion: {
    /** CSS pixels from the frame's top left; z is not between −1 and 1 behind the camera. */
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
        readonly transitionTime?: number;
      },
    ): Promise<unknown>;
  };
  readonly Tag: {
    readonly openTags: SdkObservable<SdkOpenTags>;
    add(...tags: readonly SdkTagDescriptor[]): Promise<string[]>;
    /** What is not named is not allowed. */
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
      place: { readonly anchorPosition: SdkVector; readonly stemVector: SdkVector },
    ): Promise<void>;
    remove(...ids: readonly string[]): Promise<string[]>;
  };
  disconnect(): void;
}
