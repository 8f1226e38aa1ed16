import { useEffect, useRef } from "react";
import type { MessageKey } from "~/i18n/messages";
import { useTranslation } from "~/i18n/translation";
import type { ViewerSource, Viewpoint } from "./core/contract";

interface HelpProps {
  readonly id: string;
  readonly kind: ViewerSource["kind"];
  readonly mode: Viewpoint["mode"];
  /** Classes of the button that closes the help. */
  readonly buttonClassName: string;
  onClose(): void;
}

type Row = readonly [what: MessageKey, how: MessageKey];

const LOOK_ROW: Row = ["visitors-late:viewer.helpLook", "visitors-late:viewer.helpLookHow"];
const TURN_ROW: Row = ["visitors-late:viewer.helpTurn", "visitors-late:viewer.helpTurnHow"];
const ENTER_ROW: Row = ["visitors-late:viewer.helpEnter", "visitors-late:viewer.helpEnterHow"];
/** Rows of help for moving, by mode. In panoramas, the visitor steps instead of walking. */
const MOVE_ROWS: Readonly<Record<Viewpoint["mode"], readonly Row[]>> = {
  walk: [LOOK_ROW, ["visitors-late:viewer.helpMove", "visitors-late:viewer.helpMoveHow"], TURN_ROW],
  orbit: [["visitors-late:viewer.helpOrbit", "visitors-late:viewer.helpOrbitHow"], ENTER_ROW],
  plan: [["visitors-late:viewer.helpPlan", "visitors-late:viewer.helpPlanHow"], ENTER_ROW],
};
const STEP_ROWS: readonly Row[] = [
  LOOK_ROW,
  ["visitors-late:viewer.helpStep", "visitors-late:viewer.helpStepHow"],
  TURN_ROW,
];
const ZOOM_ROW: Row = ["visitors-late:viewer.helpZoom", "visitors-late:viewer.helpZoomHow"];
/** Zooming in panoramas, where two fingers zoom. In other spaces, two fingers walk, or the row of the mode describes the gesture. */
const PINCH_ROW: Row = ["visitors-late:viewer.helpZoom", "visitors-late:viewer.helpZoomPinchHow"];
const COMMON_ROWS: readonly Row[] = [
  ["visitors-late:viewer.helpPins", "visitors-late:viewer.helpPinsHow"],
  ["visitors-late:viewer.helpHome", "visitors-late:viewer.helpHomeHow"],
];

/** Help for the gestures and keys of the current mode. It takes the focus, and Escape closes it. */
export function ViewerHelp({ id, kind, mode, buttonClassName, onClose }: HelpProps) {
  const { t } = useTranslation();
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => panel.current?.focus(), []);
  return (
    <div
      id={id}
      ref={panel}
      data-open=""
      role="dialog"
      aria-label={t("visitors-late:viewer.help")}
      tabIndex={-1}
      className="pointer-events-auto max-h-[60cqh] w-full max-w-md overflow-auto rounded-lg bg-glass p-4 text-sm text-glass-ink backdrop-blur-lg focus-visible:outline-glass-ink"
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        onClose();
      }}
    >
      <div className="mb-2 flex items-center justify-between gap-4">
        <h2 className="text-base font-semibold">{t("visitors-late:viewer.help")}</h2>
        <button type="button" className={buttonClassName} onClick={onClose}>
          {t("visitors-late:viewer.closeHelp")}
        </button>
      </div>
      <dl className="grid grid-cols-[minmax(6rem,auto)_1fr] gap-x-4 gap-y-2">
        {[
          ...(kind === "panorama" ? [...STEP_ROWS, PINCH_ROW] : [...MOVE_ROWS[mode], ZOOM_ROW]),
          ...COMMON_ROWS,
        ].map(([what, how]) => (
          <div key={what} className="contents">
            <dt className="font-semibold">{t(what)}</dt>
            <dd className="text-glass-muted">{t(how)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
