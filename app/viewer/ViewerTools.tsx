import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslation } from "~/i18n/translation";
import type { MeasuredLine, SpaceViewer, ViewerChoices } from "./core/contract";
import { StageButton } from "./StageButton";

interface ToolsProps {
  readonly viewer: SpaceViewer;
  /** Classes of a bar of buttons. */
  readonly barClassName: string;
  /** Class that hides the tools while the toolbar is folded. */
  readonly narrowClass: string | undefined;
  /** Whether videos or sounds of the space start automatically. */
  readonly hasAutoplay: boolean;
  readonly measuring: boolean;
  readonly measured: MeasuredLine | null;
  readonly icon?: (name: string) => ReactNode;
  onMeasuring(on: boolean): void;
}

/** Paths of icons that the icon set does not have, in a box of 24 by 24. */
const DRAWINGS = {
  measure: "M3.5 15.5 15.5 3.5l5 5-12 12zM7 12l2 2M10 9l3 3M13 6l2 2",
  headset: "M3.75 7.75h16.5v9.5h-4.5l-2-2.5h-3.5l-2 2.5h-4.5zM7.5 11.5h2M14.5 11.5h2",
  pause: "M7.75 5v14M16.25 5v14",
  feather: "M5 19 13 11M8 16c-1.5-5 2-11 11-12 .5 8-4 13-11 12z",
} as const;

function Drawing({ name }: { readonly name: keyof typeof DRAWINGS }) {
  return (
    <svg aria-hidden="true" width={20} height={20} viewBox="0 0 24 24" className="icon">
      <path d={DRAWINGS[name]} />
    </svg>
  );
}

/** Controls that only some spaces and devices have. */
export function ViewerTools(props: ToolsProps) {
  const {
    viewer,
    barClassName,
    narrowClass = "",
    hasAutoplay,
    measuring,
    measured,
    icon,
    onMeasuring,
  } = props;
  const { t } = useTranslation();
  const hasHeadset = useHeadset(viewer);
  const [problem, setProblem] = useState<"headsetRejected" | "variantFailed" | null>(null);
  /** Number of the last choice, so that the failure of a replaced choice shows no problem. */
  const lastChoice = useRef(0);
  const [playing, setPlaying] = useState(
    () => !window.matchMedia("(prefers-reduced-motion: reduce)").matches,
  );
  const [quality, setQuality] = useState(viewer.quality);
  const { moves, choices } = useChoices(viewer);
  const canMeasure = viewer.tools.includes("measure");
  if (!canMeasure && !hasHeadset && !hasAutoplay && moves === null && choices === null && quality === null)
    return null;
  return (
    <>
      <div data-bar="" className={`${barClassName} ${measuring ? "" : narrowClass}`}>
        {canMeasure && (
          <StageButton
            label={t("visitors-late:viewer.measure")}
            icon={icon && <Drawing name="measure" />}
            pressed={measuring}
            onClick={() => onMeasuring(!measuring)}
          />
        )}
        {hasAutoplay && (
          <StageButton
            label={playing ? t("visitors-late:viewer.stopPlaying") : t("visitors-late:viewer.startPlaying")}
            icon={icon && (playing ? <Drawing name="pause" /> : icon("play"))}
            onClick={() => {
              viewer.setPlaying(!playing);
              setPlaying(!playing);
            }}
          />
        )}
        {moves !== null && (
          <StageButton
            label={t(moves ? "visitors-late:viewer.stopMoving" : "visitors-late:viewer.startMoving")}
            icon={icon && (moves ? <Drawing name="pause" /> : icon("play"))}
            onClick={() => viewer.setMoving?.(!moves)}
          />
        )}
        {choices && (
          <ModelChoices
            choices={choices}
            onChoose={(kind, index) => {
              const choice = ++lastChoice.current;
              setProblem(null);
              viewer.choose?.(kind, index).catch(() => {
                if (choice === lastChoice.current) setProblem("variantFailed");
              });
            }}
          />
        )}
        {quality !== null && (
          <StageButton
            label={t("visitors-late:viewer.lighter")}
            icon={icon && <Drawing name="feather" />}
            pressed={quality === "low"}
            onClick={() => {
              const next = quality === "low" ? "high" : "low";
              viewer.setQuality(next);
              setQuality(next);
            }}
          />
        )}
        {hasHeadset && (
          <StageButton
            label={t("visitors-late:viewer.headset")}
            icon={icon && <Drawing name="headset" />}
            onClick={() => {
              setProblem(null);
              viewer.enterXR().catch(() => setProblem("headsetRejected"));
            }}
          />
        )}
      </div>
      <div role="status" className={measuring || problem ? `${barClassName} px-3 py-2 text-sm` : "sr-only"}>
        {problem && t(`visitors-late:viewer.${problem}`)}
        {measuring &&
          (measured
            ? t("visitors-late:viewer.measured", { metres: measured.metres.toFixed(2) })
            : t(usesTouch() ? "visitors-late:viewer.measureHowTouch" : "visitors-late:viewer.measureHow"))}
      </div>
    </>
  );
}

/** Menus for the material variants and the animations of a model, by the names in its file. */
function ModelChoices({
  choices,
  onChoose,
}: {
  readonly choices: ViewerChoices;
  onChoose(kind: "variant" | "animation", index: number | null): void;
}) {
  const { t } = useTranslation();
  const selectClasses =
    "h-10 max-w-40 rounded bg-transparent px-2 text-sm text-glass-ink [&>option]:bg-paper [&>option]:text-ink";
  const renderOptions = (names: readonly string[]) =>
    names.map((name, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the list of a file does not change, and names may repeat
      <option key={index} value={index}>
        {name}
      </option>
    ));
  return (
    <>
      {choices.variants.length > 0 && (
        <select
          aria-label={t("visitors-late:viewer.variant")}
          title={t("visitors-late:viewer.variant")}
          className={selectClasses}
          value={choices.variant ?? ""}
          onChange={({ currentTarget: { value } }) =>
            onChoose("variant", value === "" ? null : Number(value))
          }
        >
          <option value="">{t("visitors-late:viewer.ownVariant")}</option>
          {renderOptions(choices.variants)}
        </select>
      )}
      {choices.animations.length > 0 && (
        <select
          aria-label={t("visitors-late:viewer.animation")}
          title={t("visitors-late:viewer.animation")}
          className={selectClasses}
          value={choices.animation}
          onChange={({ currentTarget: { value } }) => onChoose("animation", Number(value))}
        >
          {renderOptions(choices.animations)}
        </select>
      )}
    </>
  );
}

/** Returns the animation state and the choices of a viewer. */
function useChoices(viewer: SpaceViewer) {
  const read = () => ({ moves: viewer.isMoving ?? null, choices: viewer.choices ?? null });
  const [choiceState, setChoiceState] = useState(read);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the values are read from the viewer
  useEffect(() => {
    const update = () => setChoiceState(read());
    update();
    return viewer.on("choices", update);
  }, [viewer]);
  return choiceState;
}

/** Returns whether a finger is the main pointer of the device. */
const usesTouch = () => window.matchMedia("(pointer: coarse)").matches;

/** Returns whether the device can show this space in a headset. Browsers report this asynchronously. */
function useHeadset(viewer: SpaceViewer): boolean {
  const [isSupported, setSupported] = useState(false);
  useEffect(() => {
    let isOutdated = false;
    void viewer.xrSupported().then((supported) => !isOutdated && setSupported(supported));
    return () => {
      isOutdated = true;
    };
  }, [viewer]);
  return isSupported;
}
