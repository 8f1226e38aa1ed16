import { type MutableRefObject, memo } from "react";
import { type MapFrame, mapShare } from "~/domain/content/plan-map";
import { useTranslation } from "~/i18n/translation";
import { useLiveViewpoint } from "../../visitors/guides/use-live-viewpoint";
import { useEditorView } from "../editor/editor-context";
import { type Mark, PlanMark } from "./plan-mark";

const within = (share: number) => Math.min(1, Math.max(0, share));

/** Where a mark is drawn: what lies outside of the picture at its edge. */
export function markerPosition(mark: Pick<Mark, "position">, frame: MapFrame) {
  const { left, top } = mapShare(mark.position, frame);
  const [x, y] = [within(left), within(top)];
  return { left: x, top: y, isOutside: left !== x || top !== y };
}

export interface PlanMarksProps {
  readonly marks: readonly Mark[];
  readonly frame: MapFrame;
  /** The ids of those that somebody has put where they belong. */
  readonly fixed: ReadonlySet<string>;
  /** The one that the Tab key reaches; null where none can be moved. */
  readonly reached: string | null;
}

/** All that has a place in the space, on its floor plan. */
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
  /** Told what is drawn. */
  readonly mark: MutableRefObject<Mark | null>;
}

/** Where one stands and which way one looks: it alone is drawn anew while one walks. */
export function ViewpointMarker({ frame, fixed, mark }: HereMarkProps) {
  const { t } = useTranslation();
  const { editor, stage } = useEditorView();
  const here = useLiveViewpoint(stage, editor !== null);
  if (!here) return null;
  const { position, yaw } = here;
  // Whoever walks on stands at another point, which can be fixed as well.
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
      reached={true}
      {...markerPosition(mark.current, frame)}
    />
  );
}
