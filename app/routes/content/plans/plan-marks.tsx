import { type MutableRefObject, memo } from "react";
import { type MapFrame, toMapPoint } from "~/domain/content/plan-map";
import { useTranslation } from "~/i18n/translation";
import { useLiveViewpoint } from "../../visitors/guides/use-live-viewpoint";
import { useEditorView } from "../editor/editor-context";
import { type PlanItem, PlanMark } from "./plan-mark";
import { clampShare } from "./use-plan-drag";

/** Position of a marker on the image; markers outside of the image are placed at its edge. */
export function markerPosition(mark: Pick<PlanItem, "position">, frame: MapFrame) {
  const { left, top } = toMapPoint(mark.position, frame);
  const [x, y] = [clampShare(left), clampShare(top)];
  return { left: x, top: y, isOutside: left !== x || top !== y };
}

export interface PlanMarksProps {
  readonly marks: readonly PlanItem[];
  readonly frame: MapFrame;
  /** Ids of the aligned markers. */
  readonly alignedIds: ReadonlySet<string>;
  /** Id of the marker in the tab order; null if markers cannot be moved. */
  readonly tabStopId: string | null;
}

/** Markers of all items with a position in the space. */
export const PlanMarks = memo(function PlanMarks({ marks, frame, alignedIds, tabStopId }: PlanMarksProps) {
  return marks.map((mark) => (
    <PlanMark
      key={mark.id}
      id={mark.id}
      title={mark.title}
      color={mark.color}
      isAligned={alignedIds.has(mark.id)}
      isTabStop={tabStopId === null ? null : tabStopId === mark.id}
      {...markerPosition(mark, frame)}
    />
  ));
});

export interface ViewpointMarkerProps extends Pick<PlanMarksProps, "frame" | "alignedIds"> {
  /** Ref that is set to the rendered marker. */
  readonly mark: MutableRefObject<PlanItem | null>;
  readonly isMovable: boolean;
}

/** The current viewpoint's position and direction. It is a component of its own, so that only this marker is rendered again while the user walks. */
export function ViewpointMarker({ frame, alignedIds, mark, isMovable }: ViewpointMarkerProps) {
  const { t } = useTranslation();
  const { editor, stage } = useEditorView();
  const viewpoint = useLiveViewpoint(stage, editor !== null);
  if (!viewpoint) return null;
  const { position, yaw } = viewpoint;
  // Each position has its own id, so that several viewpoints can be aligned one after the other.
  const id = `here ${position[0].toFixed(2)} ${position[2].toFixed(2)}`;
  const title = t("content:sceneEditor.plan.here");
  mark.current = { id, title, color: null, position };
  return (
    <PlanMark
      id={id}
      title={title}
      color={null}
      isAligned={alignedIds.has(id)}
      direction={frame.rotation - yaw}
      isTabStop={isMovable ? true : null}
      {...markerPosition(mark.current, frame)}
    />
  );
}
