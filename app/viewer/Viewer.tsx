/** The 3D stage. Routes may import only this module of app/viewer (besides the modules that the architecture test lists). */
import {
  forwardRef,
  type KeyboardEvent,
  type MutableRefObject,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from "react";
import { createLatePart } from "~/i18n/late-part";
import { withMessages } from "~/i18n/load";
import { useTranslation } from "~/i18n/translation";
import type {
  AdapterMessages,
  Connection,
  GoToOptions,
  MeasuredLine,
  Pin,
  PinDrag,
  PlacedMediaItem,
  PlanImage,
  SurfaceHit,
  Vec3,
  ViewerQuality,
  ViewerSource,
  ViewerTool,
  Viewpoint,
} from "./core/contract";
import type { ViewerErrorCode } from "./core/viewer-error";
import { viewerLink } from "./core/viewpoint-link";
import { useStage } from "./use-stage";
import type { ChromeProps } from "./ViewerChrome.client";
import { ViewerNotices } from "./ViewerNotices";

/** Types of the contract that routes need. */
export type {
  Connection,
  GoToOptions,
  MeasuredLine,
  Pin,
  PinDrag,
  PlacedMediaItem,
  PlacedMediaKind,
  PlanImage,
  SurfaceHit,
  Vec3,
  ViewerQuality,
  ViewerSource,
  ViewerTool,
  Viewpoint,
} from "./core/contract";
export type { ViewerErrorCode } from "./core/viewer-error";
export { readViewerLink, viewerLink } from "./core/viewpoint-link";
export { type AccessibleList, tagAnchor, useAccessibleList } from "./use-accessible-list";
export { whenReadable } from "./when-readable";

/** Props of the stage: its content and its callbacks. */
export interface ViewerProps {
  readonly source: ViewerSource;
  /** URL of the thumbnail, which is visible until 3D is ready and whenever 3D is not available. */
  readonly poster: string | null;
  /** Drawing that pages without scripts show if there is no poster. */
  readonly blank?: ReactNode;
  /** Name of the space or event, as plain text. */
  readonly title: string;
  /** Pins in the order of the page's list, which Tab follows. */
  readonly pins: readonly Pin[];
  /** Media that are placed in the space. */
  readonly media?: readonly PlacedMediaItem[];
  /** Meaning of clicks and Enter. Default: "look". While the visitor measures, it is "measure" instead of "look". */
  readonly tool?: ViewerTool;
  /** Whether pins and placed media can be dragged. */
  readonly editable?: boolean;
  /** Id of the tag or media item whose entry in the page's list is open. */
  readonly openPinId: string | null;
  onOpenPin(id: string | null): void;
  /** Viewpoint that overrides the source's own start, for example from readViewerLink. */
  readonly initialViewpoint?: Viewpoint | null;
  /** Id of a pin that was just placed in view. The camera stays when this pin opens. The viewer then sets the value to null. */
  readonly placedPinId?: MutableRefObject<string | null>;
  /** Id of the focused entry in the page's list, to which the camera flies. */
  readonly focusedPinId?: string | null;
  /** Whether 3D starts without a press of the start button, unless the browser requests reduced data usage. Default: true. */
  readonly autoStart?: boolean;
  /** With the place tool: the position that was chosen. */
  onPlace?(hit: SurfaceHit): void;
  /** A pin or placed media item is dragged along the surfaces. `done` is true for the last event. */
  onDrag?(drag: PinDrag): void;
  onMeasured?(measure: MeasuredLine | null): void;
  /** The camera stopped moving. */
  onViewpoint?(viewpoint: Viewpoint): void;
  onError?(code: ViewerErrorCode): void;
  /** The connection of a showcase (a space that Matterport hosts, in a frame) to the page has changed. */
  onConnection?(connection: Connection): void;
  /** The space is visible. May be called again. */
  onReady?(): void;
  /** Whether the buttons are behind one button until it is pressed, for editors. Default: false. */
  readonly compact?: boolean;
  /**
   * Element that fills the screen in full-screen mode. Default: only the stage. Pass an element that contains the stage and the panel to show both.
   */
  readonly fullscreenTarget?: RefObject<HTMLElement>;
  /**
   * Draws an icon by its name: those of the pins, and walk, cube, plan, plus, minus, link, help, fullscreen, fullscreen-exit, arrow-right, more,
   * play and close. Returns one element of 20 px in the current colour. Without this function, the buttons show text and the pins are plain
   * discs.
   */
  icon?(name: string): ReactNode;
}

/** Methods of the stage for an editor. Before the stage is ready, those with a result return null. */
export interface ViewerHandle {
  goTo(target: Viewpoint | { readonly pinId: string }, options?: GoToOptions): Promise<void>;
  viewpoint(): Viewpoint | null;
  /** Finds the surface at x, y in CSS pixels from the stage's top left. */
  pick(x: number, y: number): SurfaceHit | null;
  /** Captures the current view. @param width maximum width in pixels */
  captureImage(width: number): Promise<Blob | null>;
  /** Draws the space from straight above, for a map. Resolves to null when that is not possible. */
  capturePlanImage(): Promise<PlanImage | null>;
  /** Shows a model and the person beside it. Resolves to the model's extent in metres, or null without a person. */
  compareWithPerson(): Promise<Vec3 | null>;
  /** Sets the rendering quality of splats. */
  setQuality(quality: ViewerQuality): void;
}

/** Delay of the flight to a focused entry in milliseconds, so that tabbing quickly through the list does not start a flight for each entry. */
const FOCUS_FLIGHT_DELAY_MS = 250;
/**
 * Frame of the focused canvas. It has two colours, so that it is visible on every space, and is above the panel, which on phones covers
 * the lower edge of the stage.
 */
const FOCUS_FRAME_CLASSES =
  "after:pointer-events-none after:absolute after:inset-1 after:hidden after:rounded after:border-3 after:border-glass-ink after:shadow-[inset_0_0_0_2px_#15171c,0_0_0_2px_#15171c] not-data-pointed:has-[canvas:focus-visible]:after:block max-lg:portrait:after:bottom-5";
/** The buttons are loaded when the space is ready, because they are not needed earlier. */
const Chrome = createLatePart<ChromeProps>(
  withMessages(["visitors-late"], async () => ({
    default: (await import("./ViewerChrome.client")).ViewerChrome,
  })),
);
/** A constant list, so that renders without media do not update the stage. */
const NO_MEDIA: readonly PlacedMediaItem[] = [];
/** The poster is the largest element of the page until 3D is visible. React 18 does not know the attribute `fetchPriority`. */
const HIGH_PRIORITY = { fetchpriority: "high" };
/** Time in milliseconds after which the buttons disappear without input of the visitor. */
const IDLE_MS = 4000;

/**
 * The 3D stage of a space. It fills its container. On the server, without scripts, without WebGL and after a failure, it shows
 * the thumbnail. All of its content must also be in the page's own list.
 */
export const Viewer = forwardRef<ViewerHandle, ViewerProps>(function Viewer(props, ref) {
  const { source, poster, title, pins, openPinId, onOpenPin, onViewpoint, onError, onReady } = props;
  const { media = NO_MEDIA, editable = false } = props;
  const { initialViewpoint = null, focusedPinId = null, placedPinId, autoStart = true } = props;
  const { t } = useTranslation();
  const section = useRef<HTMLElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const drawings = useRef<HTMLDivElement>(null);
  const [hydrated, setHydrated] = useState(false);
  const [started, setStarted] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const [notice, setNotice] = useState("");
  const [measuring, setMeasuring] = useState(false);
  const [measured, setMeasured] = useState<MeasuredLine | null>(null);
  const tool = props.tool === "place" ? "place" : measuring ? "measure" : (props.tool ?? "look");
  useEffect(() => {
    setHydrated(true);
    const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
    if (autoStart && !connection?.saveData) setStarted(true);
  }, [autoStart]);

  // Models and splats keep showing their smaller version when the whole file cannot be loaded.
  const isFile = source.kind === "model" || source.kind === "splat";
  const messages = useMemo<AdapterMessages>(
    () => ({
      canvas: t("visitors:viewer.canvas", { title }),
      cluster: (count) => t("visitors:viewer.cluster", { count }),
      stepTo: (name) => t("visitors:viewer.stepTo", { title: name }),
      metres: (value) => t("visitors:viewer.metres", { metres: value.toFixed(2) }),
      placeAtPosition: t("visitors:viewer.placeAtPosition"),
    }),
    [t, title],
  );
  const { state, viewer } = useStage({
    source,
    host,
    icon: (name) => {
      const drawing = drawings.current?.querySelector(`[data-icon="${CSS.escape(name)}"] > *`);
      return drawing ? (drawing.cloneNode(true) as Element) : null;
    },
    started,
    attempt,
    messages,
    pins,
    media,
    tool,
    editable,
    openPinId,
    initialViewpoint,
    onPlace: (hit) => props.onPlace?.(hit),
    onDrag: (drag) => props.onDrag?.(drag),
    onMeasured: (measure) => {
      setMeasured(measure);
      props.onMeasured?.(measure);
    },
    onPinOpen: onOpenPin,
    onSettled: (viewpoint) => {
      setNotice("");
      onViewpoint?.(viewpoint);
    },
    onYaw: (yaw) => section.current?.style.setProperty("--yaw", yaw.toFixed(3)),
    onError: (code) => onError?.(code),
    onConnection: (connection) => props.onConnection?.(connection),
    onPartFailed: () => setNotice(t(isFile ? "visitors:viewer.wholeFailed" : "visitors:viewer.partFailed")),
  });
  const ready = state.phase === "ready";
  const isVisible = ready && !state.interrupted;
  const idle = useIdle(section, ready);
  const isReady = useRef(false);
  isReady.current = ready;
  useEffect(() => {
    if (ready) onReady?.();
  }, [ready, onReady]);

  // Opening the focused entry must not restart its flight.
  const flyingToId = useRef<string | null>(null);
  const flyTo = useCallback(
    (id: string) => {
      if (flyingToId.current === id) return;
      flyingToId.current = id;
      const flight = viewer.current?.goTo({ pinId: id }) ?? Promise.resolve();
      const clearTarget = () => {
        if (flyingToId.current === id) flyingToId.current = null;
      };
      // The viewer's error event reports a failed move.
      flight.then(clearTarget, clearTarget);
    },
    [viewer],
  );
  useEffect(() => {
    if (!ready || focusedPinId === null) return;
    const timer = setTimeout(() => flyTo(focusedPinId), FOCUS_FLIGHT_DELAY_MS);
    return () => clearTimeout(timer);
  }, [focusedPinId, ready, flyTo]);
  // The initial load already showed the initially open entry or the linked view, so the entry needs no flight.
  const lastOpen = useRef(openPinId);
  useEffect(() => {
    const previousOpen = lastOpen.current;
    lastOpen.current = openPinId;
    if (!ready || openPinId === null || openPinId === previousOpen) return;
    if (placedPinId?.current === openPinId) {
      placedPinId.current = null;
      return;
    }
    // Finding the route takes time, so the open entry is rendered first.
    const timer = setTimeout(() => flyTo(openPinId));
    return () => clearTimeout(timer);
  }, [openPinId, placedPinId, ready, flyTo]);

  useImperativeHandle(
    ref,
    () => ({
      goTo: async (target, options) => viewer.current?.goTo(target, options),
      // A showcase without a connection to the page does not report the position of its camera.
      viewpoint: () => (isReady.current && viewer.current?.modes.length ? viewer.current.viewpoint() : null),
      pick: (x, y) => viewer.current?.pick(x, y) ?? null,
      captureImage: async (width) => viewer.current?.captureImage(width) ?? null,
      capturePlanImage: async () => viewer.current?.capturePlanImage() ?? null,
      compareWithPerson: async () => (await viewer.current?.compareWithPerson?.()) ?? null,
      setQuality: (quality) => viewer.current?.setQuality(quality),
    }),
    [viewer],
  );

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape" && !event.defaultPrevented && measuring) {
      event.preventDefault();
      setMeasuring(false);
      return;
    }
    if (event.key !== "Escape" || event.defaultPrevented || openPinId === null) return;
    event.preventDefault();
    onOpenPin(null);
  };
  const hasAutoplay = media.some(
    ({ kind, placement }) => (kind === "video" || kind === "audio") && placement.play === "auto",
  );
  const nodes = source.kind === "panorama" ? source.nodes : [];
  const stepTo = (nodeId: string) => {
    const currentViewer = viewer.current;
    const node = nodes.find(({ id }) => id === nodeId);
    if (!currentViewer || !node) return;
    const { yaw, pitch } = currentViewer.viewpoint() ?? { yaw: 0, pitch: 0 };
    // The viewer's error event reports a failed download.
    currentViewer.goTo({ position: node.position, yaw, pitch, mode: "walk", nodeId }).catch(() => {});
  };
  const link = useCallback(
    () => viewerLink(window.location.href, viewer.current?.viewpoint() ?? null, openPinId),
    [viewer, openPinId],
  );

  return (
    <section
      ref={section}
      id="stage"
      tabIndex={-1}
      aria-label={t("visitors:viewer.stage", { title })}
      aria-busy={state.phase === "loading"}
      data-stage={state.phase}
      data-idle={idle ? "" : undefined}
      data-placing={tool === "place" ? "" : undefined}
      className="group/stage @container relative isolate size-full min-h-48 overflow-clip bg-[#15171c] text-glass-ink"
      onKeyDown={onKeyDown}
    >
      {poster && (
        <img
          src={poster}
          alt=""
          {...HIGH_PRIORITY}
          className={`absolute inset-0 size-full object-cover transition-opacity motion-reduce:transition-none ${isVisible ? "opacity-0" : "opacity-100"}`}
        />
      )}
      {!poster && props.blank && (
        <noscript>
          <div className="absolute inset-0 text-glass-muted">{props.blank}</div>
        </noscript>
      )}
      <div
        ref={host}
        className={`absolute inset-0 isolate ${isVisible ? "" : "invisible"} ${FOCUS_FRAME_CLASSES}`}
      />
      {hydrated && props.icon && (
        <div ref={drawings} hidden>
          {[...new Set(pins.map((pin) => pin.icon))].map((name) => (
            <span key={name} data-icon={name}>
              {props.icon?.(name)}
            </span>
          ))}
        </div>
      )}
      {ready && viewer.current && (
        <Chrome
          state={state}
          viewer={viewer.current}
          hasAutoplay={hasAutoplay}
          measuring={tool === "measure"}
          measured={measured}
          onMeasuring={(on) => {
            setMeasured(null);
            setMeasuring(on);
          }}
          source={source}
          icon={props.icon}
          compact={props.compact ?? false}
          fullscreenTarget={props.fullscreenTarget ?? section}
          link={link}
          onStep={stepTo}
        />
      )}
      <ViewerNotices
        state={state}
        source={source}
        title={title}
        hasPoster={poster !== null}
        waiting={hydrated && !started}
        notice={notice}
        listed={pins.length + media.length > 0}
        nodeTitle={(ready && nodes.find(({ id }) => id === state.nodeId)?.title) || null}
        onStart={() => setStarted(true)}
        onRetry={() => setAttempt(attempt + 1)}
      />
    </section>
  );
});

/** Returns true when the visitor has used neither pointer nor keyboard inside an element for IDLE_MS. */
function useIdle(element: RefObject<HTMLElement>, active: boolean): boolean {
  const [idle, setIdle] = useState(false);
  useEffect(() => {
    const target = element.current;
    if (!target || !active) return;
    setIdle(false);
    let timer = setTimeout(() => setIdle(true), IDLE_MS);
    const wake = () => {
      clearTimeout(timer);
      setIdle(false);
      timer = setTimeout(() => setIdle(true), IDLE_MS);
    };
    const eventNames = ["pointermove", "pointerdown", "keydown", "focusin", "wheel"];
    for (const eventName of eventNames) target.addEventListener(eventName, wake, { passive: true });
    return () => {
      clearTimeout(timer);
      for (const eventName of eventNames) target.removeEventListener(eventName, wake);
    };
  }, [element, active]);
  return active && idle;
}
