import { type RefObject, useEffect, useReducer, useRef } from "react";
import type {
  AdapterMessages,
  Connection,
  CreateViewer,
  MeasuredLine,
  Pin,
  PinDrag,
  PlacedMediaItem,
  SpaceViewer,
  SurfaceHit,
  ViewerSource,
  ViewerTool,
  Viewpoint,
} from "./core/contract";
import { prefetch } from "./core/prefetch";
import { nextTask } from "./core/time-slicer";
import { ViewerError, type ViewerErrorCode } from "./core/viewer-error";
import { whenReadable } from "./when-readable";

/** One lazily loaded chunk for each kind of source. No script that makes the page usable includes 3D code. */
const adapters: Record<ViewerSource["kind"], () => Promise<CreateViewer>> = {
  model: async () => (await import("./model/model-viewer.client")).createModelViewer,
  panorama: async () => (await import("./panorama/panorama-viewer.client")).createPanoramaViewer,
  splat: async () => (await import("./splat/splat-viewer.client")).createSplatViewer,
  showcase: async () => (await import("./showcase/showcase-viewer.client")).createShowcaseViewer,
};

/** Step of the progress bar, as a share. */
const PROGRESS_STEP = 0.05;

/** State of a stage during its life cycle. */
export type StageState =
  | { readonly phase: "idle" }
  | { readonly phase: "loading"; readonly progress: number }
  | {
      readonly phase: "ready";
      readonly mode: Viewpoint["mode"];
      readonly modes: SpaceViewer["modes"];
      readonly tools: SpaceViewer["tools"];
      /** Id of the visitor's node, in a source with several nodes. */
      readonly nodeId?: string;
      /** The graphics context is lost and nothing is visible. */
      readonly interrupted?: boolean;
    }
  | { readonly phase: "failed"; readonly code: ViewerErrorCode };

type StageAction =
  | { type: "leave" }
  | { type: "load" }
  | { type: "progress"; progress: number }
  | { type: "ready"; viewer: SpaceViewer }
  | { type: "mode"; mode: Viewpoint["mode"] }
  | { type: "node"; nodeId: string }
  | { type: "capabilities"; viewer: SpaceViewer }
  | { type: "interrupted"; on: boolean }
  | { type: "fail"; code: ViewerErrorCode };

function reduce(state: StageState, action: StageAction): StageState {
  switch (action.type) {
    case "leave":
      return { phase: "idle" };
    case "load":
      return { phase: "loading", progress: 0 };
    case "progress":
      return state.phase === "loading" ? { phase: "loading", progress: action.progress } : state;
    case "ready":
      return {
        phase: "ready",
        modes: action.viewer.modes,
        tools: action.viewer.tools,
        ...modeAndNode(action.viewer.viewpoint()),
      };
    case "capabilities":
      return state.phase === "ready"
        ? { ...state, modes: action.viewer.modes, tools: action.viewer.tools }
        : state;
    case "interrupted":
      return state.phase === "ready" ? { ...state, interrupted: action.on } : state;
    case "mode":
      return state.phase === "ready" ? { ...state, mode: action.mode } : state;
    case "node":
      return state.phase === "ready" ? { ...state, nodeId: action.nodeId } : state;
    case "fail":
      return { phase: "failed", code: action.code };
  }
}

/** Mode and node of a viewpoint. The mode is "walk" until the source has reported one. */
const modeAndNode = (view: Viewpoint | null) => ({
  mode: view?.mode ?? ("walk" as const),
  nodeId: view?.nodeId,
});

/** Inputs of a stage. Functions and lists may change at every render without restarting it. */
export interface StageInput {
  readonly source: ViewerSource;
  readonly host: RefObject<HTMLElement>;
  /** False while the visitor has not started 3D. */
  readonly started: boolean;
  /** Increases with each "try again". */
  readonly attempt: number;
  readonly messages: AdapterMessages;
  readonly pins: readonly Pin[];
  readonly media: readonly PlacedMediaItem[];
  readonly tool: ViewerTool;
  readonly editable: boolean;
  readonly openPinId: string | null;
  readonly initialViewpoint: Viewpoint | null;
  /** Creates an element with the drawing of a pin's icon. */
  icon(name: string): Element | null;
  /** Called with null when the open pin is closed. */
  onPinOpen(id: string | null): void;
  onPlace(hit: SurfaceHit): void;
  onDrag(drag: PinDrag): void;
  onMeasured(measure: MeasuredLine | null): void;
  onSettled(viewpoint: Viewpoint): void;
  /** The camera turned. @param yaw radians */
  onYaw(yaw: number): void;
  onError(code: ViewerErrorCode): void;
  onConnection(connection: Connection): void;
  /** A part of the space failed, and the space is still shown. */
  onPartFailed(): void;
}

/** Keeps the newest value for callbacks that outlive a render. */
function useLatest<T>(value: T): { readonly current: T } {
  const ref = useRef(value);
  useEffect(() => {
    ref.current = value;
  });
  return ref;
}

/**
 * Runs the viewer of a source inside a host element from its start to its disposal. A source that is equal in content, for
 * example after a revalidation, keeps running.
 */
export function useStage(input: StageInput): { state: StageState; viewer: RefObject<SpaceViewer | null> } {
  const [state, dispatch] = useReducer(reduce, { phase: "idle" });
  const viewer = useRef<SpaceViewer | null>(null);
  const latest = useLatest(input);
  const { host, started, attempt, pins, media, tool, editable, openPinId } = input;
  const sourceKey = JSON.stringify(input.source);

  useEffect(() => {
    const element = host.current;
    if (!started || !element) return;
    const source = JSON.parse(sourceKey) as ViewerSource;
    const controller = new AbortController();
    const fail = (error: unknown) => {
      if (controller.signal.aborted) return;
      controller.abort();
      viewer.current?.dispose();
      viewer.current = null;
      const code = error instanceof ViewerError ? error.code : "load_failed";
      if (!(error instanceof ViewerError)) console.warn("The 3D space could not be shown.", error);
      dispatch({ type: "fail", code });
      latest.current.onError(code);
    };
    const run = async () => {
      dispatch({ type: "load" });
      if (attempt === 0) await whenReadable(controller.signal);
      prefetch(source, controller.signal);
      const create = await adapters[source.kind]();
      // The script's evaluation, the viewer's construction and its first pins each take long on a phone, so each has a task of its own.
      await nextTask();
      if (controller.signal.aborted) return;
      const { messages } = latest.current;
      const newViewer = create(element, {
        messages,
        createIcon: (name) => latest.current.icon(name),
        prefersReducedMotion: () => window.matchMedia("(prefers-reduced-motion: reduce)").matches,
      });
      viewer.current = newViewer;
      await nextTask();
      if (controller.signal.aborted) return;
      let isLoaded = false;
      let lastProgress = 0;
      newViewer.on("progress", (progress) => {
        // Smaller steps are not visible, and each would render the stage again.
        if (progress < 1 && progress - lastProgress < PROGRESS_STEP) return;
        lastProgress = progress;
        dispatch({ type: "progress", progress });
      });
      newViewer.on("connection", (connection) => {
        dispatch({ type: "capabilities", viewer: newViewer });
        latest.current.onConnection(connection);
      });
      newViewer.on("mode", (mode) => dispatch({ type: "mode", mode }));
      newViewer.on("pinopen", (id) => latest.current.onPinOpen(id));
      newViewer.on("pinclose", () => latest.current.onPinOpen(null));
      newViewer.on("place", (hit) => latest.current.onPlace(hit));
      newViewer.on("drag", (drag) => latest.current.onDrag(drag));
      newViewer.on("measured", (measure) => latest.current.onMeasured(measure));
      newViewer.on("interrupted", (on) => dispatch({ type: "interrupted", on }));
      newViewer.on("node", (nodeId) => dispatch({ type: "node", nodeId }));
      newViewer.on("yaw", (yaw) => latest.current.onYaw(yaw));
      newViewer.on("settled", (viewpoint) => latest.current.onSettled(viewpoint));
      // When the camera settles, the page removes its message. A failure before the first time is therefore reported afterwards.
      const firstSettled = new Promise<void>((done) => newViewer.on("settled", () => done()));
      newViewer.on("error", (code) => {
        if (isLoaded && code === "load_failed") void firstSettled.then(() => latest.current.onPartFailed());
        else fail(new ViewerError(code, "The viewer stopped."));
      });
      newViewer.setPins(latest.current.pins);
      newViewer.setMedia(latest.current.media);
      newViewer.setTool(latest.current.tool);
      newViewer.setEditable(latest.current.editable);
      newViewer.setOpenPin(latest.current.openPinId);
      await newViewer.load(source, controller.signal);
      if (controller.signal.aborted) return;
      isLoaded = true;
      const { initialViewpoint, openPinId: linkedPin } = latest.current;
      const target = initialViewpoint ?? (linkedPin ? { pinId: linkedPin } : null);
      // The viewer's error event reports a failed move, and the visitor stays at the start.
      if (target) await newViewer.goTo(target, { transition: "instant" }).catch(() => {});
      if (controller.signal.aborted) return;
      dispatch({ type: "ready", viewer: newViewer });
    };
    run().catch(fail);
    return () => {
      controller.abort();
      viewer.current?.dispose();
      viewer.current = null;
      dispatch({ type: "leave" });
    };
  }, [sourceKey, started, attempt, host, latest]);

  useEffect(() => viewer.current?.setPins(pins), [pins]);
  useEffect(() => viewer.current?.setMedia(media), [media]);
  useEffect(() => viewer.current?.setTool(tool), [tool]);
  useEffect(() => viewer.current?.setEditable(editable), [editable]);
  useEffect(() => viewer.current?.setOpenPin(openPinId), [openPinId]);
  return { state, viewer };
}
