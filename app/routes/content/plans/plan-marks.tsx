import { type MutableRefObject, memo } from "react";
import { type MapFrame, mapShare } from "~/domain/content/plan-map";
import { useTranslation } from "~/i18n/translation";
import { useLiveViewpoint } from "../../visitors/guides/use-live-viewpoint";
import { useEditorView } from "../editor/editor-context";
import { type PlanItem, PlanMark } from "./plan-mark";

const within = (share: number) => Math.min(1, Math.max(0, share));

/** Position of a marker on the image; markers outside of the image are placed at its edge. */
export function markerPosition(mark: Pick<PlanItem, "position">, frame: MapFrame) {
  const { left, top } = mapShare(mark.position, frame);
  const [x, y] = [within(left), within(top)];
  return { left: x, top: y, isOutside: left !== x || top !== y };
}

export interface PlanMarksProps {
  readonly marks: readonly PlanItem[];
  readonly frame: MapFrame;
  /** Ids of the aligned markers. */
  readonly fixed: ReadonlySet<string>;
  /** Id of the marker in the tab order; null if markers cannot be moved. */
  readonly reached: string | null;
}

/** Markers of all items with a position in the space. */
export const PlanMarks = memo(function PlanMarks({ marks, frame, fixed, reached }: PlanMarksProps) {
  return marks.map((mark) => (
    <PlanMark
      key={mark.id}
      id={mark.id}
      title={mark.title}
      color={mark.color}
      isFixed={fixed.has(mark.id)}
      reached={reached === null ? null : reached === mark.id}
      {...markerPosition(mark, frame)}
    />
  ));
});

export interface HereMarkProps extends Pick<PlanMarksProps, "frame" | "fixed"> {
  /** Receives the rendered marker. */
  readonly mark: MutableRefObject<PlanItem | null>;
  readonly isMovable: boolean;
}

/** The viewer's position and viewing direction: the only marker that is rendered again while the user walks. */
export function ViewpointMarker({ frame, fixed, mark, isMovable }: HereMarkProps) {
  const { t } = useTranslation();
  const { editor, stage } = useEditorView();
  const here = useLiveViewpoint(stage, editor !== null);
  if (!here) return null;
  const { position, yaw } = here;
  // Each position has its own id, so that several positions of the viewer can be aligned.
  const id = `here ${position[0].toFixed(2)} ${position[2].toFixed(2)}`;
  const title = t("content:sceneEditor.plan.here");
  mark.current = { id, title, color: null, position };
  return (
    <PlanMark
      id={id}
      title={title}
      color={null}
      isFixed={fixed.has(id)}
      turn={frame.rotation - yaw}
      reached={isMovable ? true : null}
      {...markerPosition(mark.current, frame)}
    />
  );
}
