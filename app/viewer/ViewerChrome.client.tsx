import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { useTranslation } from "~/i18n/translation";
import type { MeasuredLine, SpaceViewer, ViewerSource } from "./core/contract";
import { boxesOnStage } from "./core/label-layout";
import { STAGE_BUTTON_CLASSES, StageButton } from "./StageButton";
import type { StageState } from "./use-stage";
import { ViewerHelp } from "./ViewerHelp";
import { ViewerSteps } from "./ViewerSteps";
import { ViewerTools } from "./ViewerTools";

/** State and callbacks of the buttons. */
export interface ChromeProps {
  readonly state: Extract<StageState, { phase: "ready" }>;
  readonly source: ViewerSource;
  readonly viewer: SpaceViewer;
  /** Whether videos or sounds of the space start automatically. */
  readonly hasAutoplay: boolean;
  readonly measuring: boolean;
  readonly measured: MeasuredLine | null;
  onMeasuring(on: boolean): void;
  readonly fullscreenTarget: RefObject<HTMLElement>;
  /** Whether the toolbar is folded behind one button with the name of the mode. Ignored for a showcase. */
  readonly compact: boolean;
  readonly icon?: (name: string) => ReactNode;
  /** Returns the URL of the current view. */
  link(): string;
  onStep(nodeId: string): void;
}

/** Factor of one press of a zoom button. */
const ZOOM_STEP = 1.25;
/** Class that hides rarely used buttons behind one button on narrow stages, such as those of phones. */
const HIDDEN_ON_NARROW = "@max-md:hidden";
const BAR_CLASSES = "flex items-center rounded-lg bg-glass p-1 text-glass-ink backdrop-blur";

/**
 * The buttons of the stage: modes, zoom, full screen, help and a link to the current view. With a mouse, they disappear while they are not needed.
 * On touch screens and in portrait windows, they stay visible. Fingers do not hover, so the tap that shows hidden buttons could also press one of them.
 */
export function ViewerChrome(props: ChromeProps) {
  const { state, source, viewer, fullscreenTarget, icon, link, onStep } = props;
  const { kind } = source;
  const { t } = useTranslation();
  const helpId = useId();
  const [help, setHelp] = useState(false);
  const [isExpanded, setExpanded] = useState(false);
  // A showcase has its own mode buttons, so the stage has too few buttons to fold.
  const compact = props.compact && kind !== "showcase";
  // Classes that hide rarely used buttons, and all others, while the toolbar is folded.
  const narrowClass = isExpanded ? undefined : compact ? "hidden!" : HIDDEN_ON_NARROW;
  const foldedClass = compact && !isExpanded ? "hidden!" : undefined;
  const container = useRef<HTMLDivElement>(null);
  const bars = useRef<HTMLDivElement>(null);
  useReservedBoxes(container, bars, viewer);
  const helpButton = useRef<HTMLButtonElement>(null);
  const moreButton = useRef<HTMLButtonElement>(null);
  const [copied, setCopied] = useState<"" | "copied" | "failed">("");
  const [url, setUrl] = useState("");
  const fullscreen = useFullscreen(fullscreenTarget);
  // A showcase has its own buttons for its modes, if its owner enabled them.
  const modes = state.modes.length > 1 && kind !== "showcase" ? state.modes : [];
  const modeNames = {
    walk: t("visitors-late:viewer.walk"),
    orbit: t("visitors-late:viewer.overview"),
    plan: t("visitors-late:viewer.plan"),
  };

  const { measuring } = props;
  useEffect(() => {
    // An expanded toolbar is folded when measuring starts. The button that ends measuring stays.
    if (measuring) setExpanded(false);
    // If the focused button is hidden now, the focus moves to the button that expands the toolbar.
    else if (hasHiddenFocus(bars.current)) moreButton.current?.focus();
  }, [measuring]);

  useEffect(() => {
    if (copied !== "copied") return;
    const timer = setTimeout(() => setCopied(""), 3000);
    return () => clearTimeout(timer);
  }, [copied]);

  const copy = async () => {
    const text = link();
    try {
      await navigator.clipboard.writeText(text);
      setCopied("copied");
    } catch {
      // Framed pages and plain http may not write to the clipboard. The visitor can still copy manually.
      setUrl(text);
      setCopied("failed");
    }
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !isExpanded) return;
    event.preventDefault();
    setExpanded(false);
    moreButton.current?.focus();
  };

  return (
    <div
      ref={container}
      className="group/chrome pointer-events-none absolute inset-x-0 bottom-0 grid justify-items-center gap-2 p-3 max-lg:portrait:pb-7"
    >
      {help && (
        <ViewerHelp
          id={helpId}
          kind={kind}
          mode={state.mode}
          buttonClassName={STAGE_BUTTON_CLASSES}
          onClose={() => {
            setHelp(false);
            helpButton.current?.focus();
          }}
        />
      )}
      {copied === "failed" && (
        <div
          data-open=""
          className={`${BAR_CLASSES} pointer-events-auto max-w-full flex-wrap gap-2 px-3 py-2 text-sm`}
        >
          <label htmlFor={`${helpId}-link`}>{t("visitors-late:viewer.copyFailed")}</label>
          <input
            id={`${helpId}-link`}
            aria-label={t("visitors-late:viewer.linkField")}
            readOnly
            value={url}
            onFocus={(event) => event.currentTarget.select()}
            className="h-10 w-64 max-w-full rounded bg-glass-ink px-2 text-glass"
          />
          <StageButton
            label={t("visitors-late:viewer.closeHelp")}
            icon={icon?.("close")}
            onClick={() => setCopied("")}
          />
        </div>
      )}
      <div role="status" className={copied === "copied" ? `${BAR_CLASSES} px-3 py-2 text-sm` : "sr-only"}>
        {copied === "copied" && t("visitors-late:viewer.linkCopied")}
      </div>
      <div ref={bars} className="flex max-w-full flex-wrap-reverse items-center justify-center gap-2">
        {source.kind === "panorama" && state.nodeId !== undefined && (
          <ViewerSteps
            nodes={source.nodes}
            nodeId={state.nodeId}
            icon={icon}
            barClassName={BAR_CLASSES}
            buttonClassName={STAGE_BUTTON_CLASSES}
            onStep={onStep}
          />
        )}
        <div
          className={`max-w-full transition-opacity group-focus-within/chrome:opacity-100! not-any-pointer-coarse:landscape:group-data-idle/stage:opacity-0 group-has-[[data-open]]/chrome:opacity-100! motion-reduce:transition-none ${compact ? "not-any-pointer-coarse:landscape:group-not-hover/stage:opacity-0" : ""}`}
        >
          <div
            role="toolbar"
            aria-label={t("visitors-late:viewer.controls")}
            onKeyDown={onKeyDown}
            className="pointer-events-auto flex max-w-full flex-wrap items-center justify-center gap-2 group-focus-within/chrome:pointer-events-auto! not-any-pointer-coarse:landscape:group-data-idle/stage:pointer-events-none"
          >
            {modes.length > 0 && (
              <div data-bar="" className={`${BAR_CLASSES} ${foldedClass ?? ""}`}>
                {modes.map((mode) => (
                  <button
                    key={mode}
                    type="button"
                    className={STAGE_BUTTON_CLASSES}
                    aria-pressed={state.mode === mode}
                    onClick={() => viewer.setMode(mode)}
                  >
                    {icon?.(MODE_ICONS[mode])}
                    <span className={icon ? "@max-xl:sr-only" : undefined}>{modeNames[mode]}</span>
                  </button>
                ))}
              </div>
            )}
            <div data-bar="" className={BAR_CLASSES}>
              {kind !== "showcase" && (
                <>
                  <StageButton
                    label={t("visitors-late:viewer.zoomOut")}
                    icon={icon?.("minus")}
                    className={narrowClass}
                    onClick={() => viewer.zoomBy(1 / ZOOM_STEP)}
                  />
                  <StageButton
                    label={t("visitors-late:viewer.zoomIn")}
                    icon={icon?.("plus")}
                    className={narrowClass}
                    onClick={() => viewer.zoomBy(ZOOM_STEP)}
                  />
                </>
              )}
              {state.modes.length > 0 && !("isMediaItem" in source && source.isMediaItem) && (
                <StageButton
                  label={t("visitors-late:viewer.copyLink")}
                  icon={icon?.("link")}
                  className={foldedClass}
                  onClick={() => void copy()}
                />
              )}
              {kind !== "showcase" && (
                <StageButton
                  label={t("visitors-late:viewer.help")}
                  icon={icon?.("help")}
                  button={helpButton}
                  className={help ? undefined : narrowClass}
                  expanded={help}
                  controls={helpId}
                  onClick={() => setHelp(!help)}
                />
              )}
              {fullscreen.possible && (
                <StageButton
                  label={
                    fullscreen.active
                      ? t("visitors-late:viewer.exitFullscreen")
                      : t("visitors-late:viewer.fullscreen")
                  }
                  icon={icon?.(fullscreen.active ? "fullscreen-exit" : "fullscreen")}
                  className={foldedClass}
                  onClick={fullscreen.toggle}
                />
              )}
              {source.kind !== "showcase" && (
                <StageButton
                  label={
                    isExpanded
                      ? t("visitors-late:viewer.fewerControls")
                      : t("visitors-late:viewer.moreControls")
                  }
                  icon={icon?.(isExpanded ? "close" : "more")}
                  expanded={isExpanded}
                  button={moreButton}
                  className={compact ? undefined : "@md:hidden"}
                  lead={
                    foldedClass && (
                      <>
                        {icon?.(MODE_ICONS[state.mode])}
                        {modeNames[state.mode]}
                      </>
                    )
                  }
                  onClick={() => {
                    setExpanded(!isExpanded);
                    setHelp(false);
                  }}
                />
              )}
            </div>
            <ViewerTools
              viewer={viewer}
              narrowClass={narrowClass}
              barClassName={BAR_CLASSES}
              hasAutoplay={props.hasAutoplay}
              measuring={measuring}
              measured={props.measured}
              icon={icon}
              onMeasuring={props.onMeasuring}
            />
          </div>
        </div>
      </div>
    </div>
  );
}

/** Whether an element contains the focus although the focused descendant is hidden. */
function hasHiddenFocus(element: HTMLElement | null): boolean {
  const focused = document.activeElement;
  return focused?.getClientRects().length === 0 && element?.contains(focused) === true;
}

const MODE_ICONS = { walk: "walk", orbit: "cube", plan: "plan" } as const;

/** Reports the boxes of the button bars to the viewer. The bars wrap on narrow stages. */
function useReservedBoxes(
  container: RefObject<HTMLElement>,
  bars: RefObject<HTMLElement>,
  viewer: SpaceViewer,
): void {
  useEffect(() => {
    const [outer, inner] = [container.current, bars.current];
    if (!outer?.parentElement || !inner) return;
    const stage = outer.parentElement;
    const observer = new ResizeObserver(() => {
      const boxes = [...inner.querySelectorAll("[data-bar]")].map((bar) => bar.getBoundingClientRect());
      viewer.setReservedBoxes(boxesOnStage(boxes, stage.getBoundingClientRect()));
    });
    observer.observe(inner);
    observer.observe(stage);
    return () => {
      observer.disconnect();
      viewer.setReservedBoxes([]);
    };
  }, [container, bars, viewer]);
}

/** Toggles full screen of an element. Phones that allow it only for videos do not support it. */
function useFullscreen(target: RefObject<HTMLElement>) {
  const [possible, setPossible] = useState(false);
  const [active, setActive] = useState(false);
  useEffect(() => {
    setPossible(document.fullscreenEnabled === true);
    const update = () => setActive(document.fullscreenElement !== null);
    update();
    document.addEventListener("fullscreenchange", update);
    return () => document.removeEventListener("fullscreenchange", update);
  }, []);
  const toggle = () => {
    // When the browser rejects the request, nothing changes.
    const change = document.fullscreenElement
      ? document.exitFullscreen()
      : target.current?.requestFullscreen();
    change?.catch(() => {});
  };
  return { possible, active, toggle };
}
