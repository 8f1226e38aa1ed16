import { useEffect, useRef } from "react";
import type { WordKey } from "~/i18n/i18n";
import { useTranslation } from "~/i18n/use-translation";
import type { ViewerSource, Viewpoint } from "./core/contract";

interface HelpProps {
  readonly id: string;
  readonly kind: ViewerSource["kind"];
  readonly mode: Viewpoint["mode"];
  readonly closeButton: string;
  onClose(): void;
}

type Row = readonly [what: WordKey, how: WordKey];

const LOOK: Row = ["viewer.helpLook", "viewer.helpLookHow"];
const TURN: Row = ["viewer.helpTurn", "viewer.helpTurnHow"];
const ENTER: Row = ["viewer.helpEnter", "viewer.helpEnterHow"];
/** How one moves, by mode; in panoramas one steps instead of walking. */
const MOVES: Readonly<Record<Viewpoint["mode"], readonly Row[]>> = {
  walk: [LOOK, ["viewer.helpMove", "viewer.helpMoveHow"], TURN],
  orbit: [["viewer.helpOrbit", "viewer.helpOrbitHow"], ENTER],
  plan: [["viewer.helpPlan", "viewer.helpPlanHow"], ENTER],
};
const STEPS: readonly Row[] = [LOOK, ["viewer.helpStep", "viewer.helpStepHow"], TURN];
const ZOOM: Row = ["viewer.helpZoom", "viewer.helpZoomHow"];
/** In a walk two fingers walk, and elsewhere the row of the mode names them. */
const ZOOM_PINCH: Row = ["viewer.helpZoom", "viewer.helpZoomPinchHow"];
const ALWAYS: readonly Row[] = [
  ["viewer.helpPins", "viewer.helpPinsHow"],
  ["viewer.helpHome", "viewer.helpHomeHow"],
];

/** What gestures and keys do in the mode that is on. Takes the focus; Escape closes it. */
export function ViewerHelp({ id, kind, mode, closeButton, onClose }: HelpProps) {
  const { t } = useTranslation();
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => panel.current?.focus(), []);
  return (
    <div
      id={id}
      ref={panel}
      data-open=""
      role="dialog"
      aria-label={t("viewer.help")}
      tabIndex={-1}
      className="pointer-events-auto max-h-[60cqh] w-full max-w-md overflow-auto rounded-lg bg-glass p-4 text-sm text-glass-ink backdrop-blur-lg focus-visible:outline-glass-ink"
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        onClose();
      }}
    >
      <div className="mb-2 flex items-center justify-between gap-4">
        <h2 className="text-base font-semibold">{t("viewer.help")}</h2>
        <button type="button" className={closeButton} onClick={onClose}>
          {t("viewer.closeHelp")}
        </button>
      </div>
      <dl className="grid grid-cols-[minmax(6rem,auto)_1fr] gap-x-4 gap-y-2">
        {[...(kind === "panorama" ? [...STEPS, ZOOM_PINCH] : [...MOVES[mode], ZOOM]), ...ALWAYS].map(
          ([what, how]) => (
            <div key={what} className="contents">
              <dt className="font-semibold">{t(what)}</dt>
              <dd className="text-glass-muted">{t(how)}</dd>
            </div>
          ),
        )}
      </dl>
    </div>
  );
}
