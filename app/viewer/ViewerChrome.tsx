import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "~/i18n/use-translation";
import type { ViewerSource, Viewpoint } from "./core/contract";
import type { Box } from "./core/projection";
import type { StageState } from "./use-stage";
import { ViewerHelp } from "./ViewerHelp";
import { ViewerSteps } from "./ViewerSteps";

interface ChromeProps {
  readonly state: Extract<StageState, { phase: "ready" }>;
  readonly source: ViewerSource;
  readonly fullscreenTarget: RefObject<HTMLElement>;
  readonly icon?: (name: string) => ReactNode;
  /** The address of what is seen now. */
  link(): string;
  onMode(mode: Viewpoint["mode"]): void;
  onStep(nodeId: string): void;
  onZoom(factor: number): void;
  /** Whether distances are being measured, and the last one in metres; null where the source has no surfaces to measure. */
  readonly measure: { readonly on: boolean; readonly metres: number | null } | null;
  onMeasure(on: boolean): void;
  /** Whether a headset can be used here. */
  xrSupported(): Promise<boolean>;
  enterXR(): Promise<void>;
  /** What the buttons cover of the stage, whenever that changes. */
  onCover(boxes: readonly Box[]): void;
}

const ZOOM_STEP = 1.25;
const BAR = "flex items-center rounded-lg bg-glass p-1 text-glass-ink backdrop-blur";
const BUTTON =
  "inline-flex h-10 min-w-10 items-center justify-center gap-2 rounded px-2 text-sm font-semibold whitespace-nowrap hover:bg-glass-ink/15 focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-glass-ink aria-expanded:bg-glass-ink/20 aria-pressed:bg-glass-ink aria-pressed:text-glass aria-pressed:focus-visible:outline-glass";

/** The buttons of the stage: modes, zoom, full screen, help and a link to what is seen. They leave while nobody needs them. */
export default function ViewerChrome(props: ChromeProps) {
  const { state, source, fullscreenTarget, icon, link, onMode, onStep, onZoom } = props;
  const { kind } = source;
  const { t } = useTranslation();
  const helpId = useId();
  const [help, setHelp] = useState(false);
  const whole = useRef<HTMLDivElement>(null);
  const bars = useRef<HTMLDivElement>(null);
  useCover(whole, bars, props.onCover);
  const helpButton = useRef<HTMLButtonElement>(null);
  const [copied, setCopied] = useState<"" | "copied" | "failed">("");
  const [address, setAddress] = useState("");
  const fullscreen = useFullscreen(fullscreenTarget);
  const headset = useHeadset(props);
  const { measure } = props;
  const modes = state.modes.length > 1 ? state.modes : [];
  const modeNames = { walk: t("viewer.walk"), orbit: t("viewer.overview"), plan: t("viewer.plan") };

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
      // Framed pages and plain http may not write to the clipboard: the visitor can still copy by hand.
      setAddress(text);
      setCopied("failed");
    }
  };

  const measured =
    measure?.on &&
    (measure.metres === null
      ? t("viewer.measureHow")
      : t("viewer.metres", { metres: measure.metres.toFixed(2) }));
  const said =
    copied === "copied" ? t("viewer.linkCopied") : headset.failed ? t("viewer.headsetFailed") : measured;
  return (
    <div
      ref={whole}
      className="group/chrome pointer-events-none absolute inset-x-0 bottom-0 grid justify-items-center gap-2 p-3 max-lg:portrait:pb-7"
    >
      {help && (
        <ViewerHelp
          id={helpId}
          kind={kind}
          mode={state.mode}
          closeButton={BUTTON}
          onClose={() => {
            setHelp(false);
            helpButton.current?.focus();
          }}
        />
      )}
      {copied === "failed" && (
        <div
          data-open=""
          className={`${BAR} pointer-events-auto max-w-full flex-wrap gap-2 px-3 py-2 text-sm`}
        >
          <label htmlFor={`${helpId}-link`}>{t("viewer.copyFailed")}</label>
          <input
            id={`${helpId}-link`}
            aria-label={t("viewer.linkField")}
            readOnly
            value={address}
            onFocus={(event) => event.currentTarget.select()}
            className="h-10 w-64 max-w-full rounded bg-glass-ink px-2 text-glass"
          />
          <IconButton label={t("viewer.closeHelp")} icon={icon?.("close")} onClick={() => setCopied("")} />
        </div>
      )}
      <div role="status" className={said ? `${BAR} px-3 py-2 text-sm` : "sr-only"}>
        {said}
      </div>
      <div ref={bars} className="flex max-w-full flex-wrap-reverse items-center justify-center gap-2">
        {source.kind === "panorama" && state.nodeId !== undefined && (
          <ViewerSteps
            nodes={source.nodes}
            nodeId={state.nodeId}
            icon={icon}
            bar={BAR}
            button={BUTTON}
            onStep={onStep}
          />
        )}
        <div className="max-w-full transition-opacity group-focus-within/chrome:opacity-100! group-data-idle/stage:opacity-0 group-has-[[data-open]]/chrome:opacity-100! motion-reduce:transition-none">
          <div
            role="toolbar"
            aria-label={t("viewer.controls")}
            className="pointer-events-auto flex max-w-full flex-wrap items-center justify-center gap-2 group-focus-within/chrome:pointer-events-auto! group-data-idle/stage:pointer-events-none"
          >
            {modes.length > 0 && (
              <div data-bar="" className={BAR}>
                {modes.map((mode) => (
                  <button
                    key={mode}
                    type="button"
                    className={BUTTON}
                    aria-pressed={state.mode === mode}
                    onClick={() => onMode(mode)}
                  >
                    {icon?.(MODE_ICONS[mode])}
                    <span className={icon ? "@max-xl:sr-only" : undefined}>{modeNames[mode]}</span>
                  </button>
                ))}
              </div>
            )}
            <div data-bar="" className={BAR}>
              {source.kind !== "showcase" && (
                <>
                  <IconButton
                    label={t("viewer.zoomOut")}
                    icon={icon?.("minus")}
                    onClick={() => onZoom(1 / ZOOM_STEP)}
                  />
                  <IconButton
                    label={t("viewer.zoomIn")}
                    icon={icon?.("plus")}
                    onClick={() => onZoom(ZOOM_STEP)}
                  />
                  {measure && (
                    <IconButton
                      label={t("viewer.measure")}
                      icon={icon?.("ruler")}
                      pressed={measure.on}
                      onClick={() => props.onMeasure(!measure.on)}
                    />
                  )}
                  <IconButton
                    label={t("viewer.copyLink")}
                    icon={icon?.("link")}
                    onClick={() => void copy()}
                  />
                  <IconButton
                    label={t("viewer.help")}
                    icon={icon?.("help")}
                    button={helpButton}
                    expanded={help}
                    controls={helpId}
                    onClick={() => setHelp(!help)}
                  />
                </>
              )}
              {headset.possible && (
                <IconButton label={t("viewer.headset")} icon={icon?.("headset")} onClick={headset.enter} />
              )}
              {fullscreen.possible && (
                <IconButton
                  label={fullscreen.active ? t("viewer.exitFullscreen") : t("viewer.fullscreen")}
                  icon={icon?.(fullscreen.active ? "fullscreen-exit" : "fullscreen")}
                  onClick={fullscreen.toggle}
                />
              )}
            </div>
          </div>
        </div>
      </div>
    </div>
  );
}

const MODE_ICONS = { walk: "walk", orbit: "cube", plan: "plan" } as const;

interface IconButtonProps {
  readonly label: string;
  readonly icon: ReactNode;
  readonly expanded?: boolean;
  readonly pressed?: boolean;
  readonly controls?: string;
  readonly button?: RefObject<HTMLButtonElement>;
  onClick(): void;
}

/** A button that is an icon for the eye and a word for everybody else; without an icon the word is seen. */
function IconButton({ label, icon, expanded, pressed, controls, button, onClick }: IconButtonProps) {
  return (
    <button
      ref={button}
      type="button"
      className={BUTTON}
      title={icon ? label : undefined}
      aria-expanded={expanded}
      aria-pressed={pressed}
      aria-controls={expanded ? controls : undefined}
      onClick={onClick}
    >
      {icon}
      <span className={icon ? "sr-only" : undefined}>{label}</span>
    </button>
  );
}

/** Reports where the bars are: they wrap where it is narrow. */
function useCover(
  whole: RefObject<HTMLElement>,
  bars: RefObject<HTMLElement>,
  onCover: (boxes: readonly Box[]) => void,
): void {
  const report = useRef(onCover);
  useEffect(() => {
    report.current = onCover;
  });
  useEffect(() => {
    const [outer, inner] = [whole.current, bars.current];
    if (!outer?.parentElement || !inner) return;
    const stage = outer.parentElement;
    const observer = new ResizeObserver(() => {
      const from = stage.getBoundingClientRect();
      const boxes = [...inner.querySelectorAll("[data-bar]")].map((bar) => bar.getBoundingClientRect());
      report.current(
        boxes.map((box) => ({
          left: box.left - from.left,
          top: box.top - from.top,
          right: box.right - from.left,
          bottom: box.bottom - from.top,
        })),
      );
    });
    observer.observe(inner);
    observer.observe(stage);
    return () => {
      observer.disconnect();
      report.current([]);
    };
  }, [whole, bars]);
}

/** A headset, where the device and the source know what to do with one. */
function useHeadset({ xrSupported, enterXR }: Pick<ChromeProps, "xrSupported" | "enterXR">) {
  const [possible, setPossible] = useState(false);
  const [failed, setFailed] = useState(false);
  const ask = useRef(xrSupported);
  useEffect(() => {
    let gone = false;
    const answer = (can: boolean) => {
      if (!gone) setPossible(can);
    };
    ask.current().then(answer, () => answer(false));
    return () => {
      gone = true;
    };
  }, []);
  const enter = () => {
    setFailed(false);
    enterXR().catch(() => setFailed(true));
  };
  return { possible, failed, enter };
}

/** Full screen of an element; not possible on phones that only allow it for films. */
function useFullscreen(target: RefObject<HTMLElement>) {
  const [possible, setPossible] = useState(false);
  const [active, setActive] = useState(false);
  useEffect(() => {
    setPossible(document.fullscreenEnabled === true);
    const follow = () => setActive(document.fullscreenElement !== null);
    follow();
    document.addEventListener("fullscreenchange", follow);
    return () => document.removeEventListener("fullscreenchange", follow);
  }, []);
  const toggle = () => {
    // A refusal leaves things as they are, which the visitor sees.
    const done = document.fullscreenElement ? document.exitFullscreen() : target.current?.requestFullscreen();
    done?.catch(() => {});
  };
  return { possible, active, toggle };
}
