import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { Button, ButtonRow, IconButton } from "~/components/button";
import type { IconName } from "~/components/icon";
import type { PartType } from "~/domain/content/content";
import type { EventMedia, EventTag, Uuid, Vec3 } from "~/domain/shared/model";
import { findItem } from "~/features/content/editor/content";
import { formatDecimal } from "~/forms/content/tag-form-input";
import { useTranslation } from "~/i18n/translation";
import { type NudgeDirection, nudgePosition } from "~/viewer/core/nudge";
import { useEditorView } from "../editor/editor-context";
import { NotConnected } from "./not-connected";
import { getSurfacePoint, placeEdit } from "./placing";

const KEYS: Readonly<Record<string, NudgeDirection>> = {
  ArrowLeft: "left",
  ArrowRight: "right",
  ArrowUp: "up",
  ArrowDown: "down",
  PageUp: "out",
  PageDown: "in",
};
const BUTTONS: readonly (readonly [NudgeDirection, IconName])[] = [
  ["left", "chevron-left"],
  ["right", "chevron-right"],
  ["up", "chevron-up"],
  ["down", "chevron-down"],
  ["out", "plus"],
  ["in", "minus"],
];
/** Distance by which a button or key moves an item, in metres. */
const STEP = 0.05;
/** The same distance with Shift. */
const LONG_STEP = 0.5;

interface PlacedItem {
  readonly type: PartType;
  readonly id: Uuid;
}

/** The item, its position, and a status text that announces the position to screen readers. */
function usePosition(id: Uuid) {
  const { t } = useTranslation();
  const { state } = useEditorView();
  const [announcement, setAnnouncement] = useState("");
  const item = findItem(state.content, id) as EventTag | EventMedia | undefined;
  const announce = (position: Vec3) => {
    const [x, y, z] = position.map(formatDecimal);
    setAnnouncement(t("content:place.movedTo", { x: x ?? "", y: y ?? "", z: z ?? "" }));
  };
  const status = (
    <p role="status" className="sr-only">
      {announcement}
    </p>
  );
  return { item, surfacePoint: item && getSurfacePoint(item), announce, status };
}

/** With scripts: the button that places an item by pointing. */
export function PlaceTools({ type, id }: PlacedItem) {
  const { t } = useTranslation();
  const { placing, onPlacing, canPlace } = useEditorView();
  const { surfacePoint, announce, status } = usePosition(id);
  const isPlacing = placing?.type !== "new" && placing?.id === id;
  // The position is also announced after placing by pointing.
  const latestPosition = useRef({ surfacePoint, announce });
  latestPosition.current = { surfacePoint, announce };
  useEffect(() => {
    if (!isPlacing) return;
    const positionBefore = latestPosition.current.surfacePoint?.position;
    return () => {
      const { surfacePoint: placed, announce: announcePlaced } = latestPosition.current;
      if (placed && placed.position !== positionBefore) announcePlaced(placed.position);
    };
  }, [isPlacing]);
  return (
    <div className="grid gap-3">
      {canPlace ? (
        <Button
          icon="place"
          aria-pressed={isPlacing}
          onClick={() => onPlacing(isPlacing ? null : { type, id })}
          className="w-fit"
        >
          {t(`content:place.${surfacePoint ? "move" : "point"}.${type}`)}
        </Button>
      ) : (
        <NotConnected />
      )}
      {status}
    </div>
  );
}

/** With scripts: buttons and keys that move a placed item in small steps. */
export function NudgeTools({ id }: Pick<PlacedItem, "id">) {
  const { t } = useTranslation();
  const { editor, stage } = useEditorView();
  const { item, surfacePoint, announce, status } = usePosition(id);
  if (!surfacePoint) return null;
  const move = (direction: NudgeDirection, isLong: boolean) => {
    if (!editor || !item) return;
    const yaw = stage.current?.viewpoint()?.yaw ?? 0;
    const position = nudgePosition(
      surfacePoint.position,
      surfacePoint.normal,
      yaw,
      direction,
      isLong ? LONG_STEP : STEP,
    );
    editor.run([placeEdit(item, { position, normal: surfacePoint.normal })], `${id} nudge`);
    announce(position);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const direction = KEYS[event.key];
    if (!direction) return;
    event.preventDefault();
    move(direction, event.shiftKey);
  };
  return (
    <fieldset onKeyDown={onKeyDown} className="grid gap-1">
      <legend className="mb-1 text-sm font-semibold">{t("content:place.nudge")}</legend>
      <p className="text-xs text-muted text-phrase">{t("content:place.nudgeHint")}</p>
      <ButtonRow className="gap-1">
        {BUTTONS.map(([direction, icon]) => (
          <IconButton
            key={direction}
            icon={icon}
            variant="secondary"
            label={t(`content:place.directions.${direction}`)}
            onClick={({ shiftKey }) => move(direction, shiftKey)}
          />
        ))}
      </ButtonRow>
      {status}
    </fieldset>
  );
}
