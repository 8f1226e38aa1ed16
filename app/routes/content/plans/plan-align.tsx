import { useSearchParams } from "@remix-run/react";
import { type KeyboardEvent, useMemo, useRef, useState } from "react";
import { Notice } from "~/components/status/notice";
import {
  alignFrame,
  isShownAt,
  type KnownPoint,
  type MapFrame,
  moveFrame,
  toMapPoint,
} from "~/domain/content/plan-map";
import { atWidth } from "~/domain/library/media-url";
import { COORDINATE_MAX, PLAN_WIDTH_MAX } from "~/domain/shared/limits";
import { inLanguage } from "~/domain/shared/localized";
import type { FloorPlan } from "~/domain/shared/model";
import { useTranslation } from "~/i18n/translation";
import { makePins } from "../../visitors/scene/make-pins";
import { useEditorView } from "../editor/editor-context";
import { fileUrl } from "../placement/use-stage-content";
import { readArrowStep } from "./arrow-step";
import { PlanAlignButtons } from "./plan-align-buttons";
import { PlanChoice } from "./plan-choice";
import type { PlanItem } from "./plan-mark";
import { markerPosition, PlanMarks, ViewpointMarker } from "./plan-marks";
import { clampShare, usePlanDrag } from "./use-plan-drag";

/** Marker that the user has aligned with the image. */
interface AlignedPoint extends KnownPoint {
  readonly id: string;
}

/**
 * The floor plan's image with markers for the items that have a position in the space. During the alignment each marker can be moved to its place in
 * the image: the first marker moves the image, and each further one also rotates and scales it around the previous one. If there are several
 * items, the keyboard moves the marker of the one that is chosen in a select; all markers can be dragged.
 */
export function PlanAlign({ plan }: { readonly plan: FloorPlan }) {
  const { t, language } = useTranslation();
  const { editor, state } = useEditorView();
  const { tags, media } = state.content;
  const mediaItem = media.find(({ id }) => id === plan.mediaId);
  const [aligned, setAligned] = useState<readonly AlignedPoint[]>([]);
  const [announcement, setAnnouncement] = useState("");
  const [chosenId, setChosenId] = useState("");
  /** Position of the image while a marker is dragged; it is saved at the end. */
  const [draggedPlan, setDraggedPlan] = useState<FloorPlan | null>(null);
  const dragResult = useRef<FloorPlan | null>(null);
  /** Aligned markers before the drag; cancelling restores them. */
  const alignedBeforeDrag = useRef(aligned);
  const viewpointMark = useRef<PlanItem | null>(null);
  const marks = useMemo(
    () =>
      makePins({ tags, media, lang: language }).map(
        ({ id, label, color, position }): PlanItem => ({ id, title: label, color, position }),
      ),
    [tags, media, language],
  );
  const isAligning = useSearchParams()[0].has("align") && editor !== null;
  const displayedPlan = draggedPlan ?? plan;
  const { mediaId, width, rotation } = displayedPlan;
  const [x, z] = displayedPlan.center;
  const aspect = mediaItem?.width && mediaItem.height ? mediaItem.height / mediaItem.width : null;
  const frame = useMemo(
    (): MapFrame => ({ center: [x, z], width, height: width * (aspect ?? 1), rotation }),
    [x, z, width, rotation, aspect],
  );
  const findMark = (id: string) =>
    viewpointMark.current?.id === id ? viewpointMark.current : marks.find((mark) => mark.id === id);
  // A marker is no longer aligned after an undo, after the plan was positioned by numbers, or after its item was moved in the space.
  const validPoints = aligned.filter((point) => {
    const mark = marks.find(({ id }) => id === point.id);
    const isUnmoved = !mark || (mark.position[0] === point.place[0] && mark.position[2] === point.place[1]);
    return isUnmoved && isShownAt(point, frame);
  });
  const ids = validPoints.map(({ id }) => id).join("|");
  const alignedIds = useMemo(() => new Set(ids.split("|")), [ids]);
  const outsideCount = useMemo(
    () => marks.filter((mark) => markerPosition(mark, frame).isOutside).length,
    [marks, frame],
  );
  /** Moves the image so that a marker is at these shares of its width and height; null if impossible. @param startFrame image before the move */
  const alignMark = (mark: PlanItem, startFrame: MapFrame, left: number, top: number): FloorPlan | null => {
    const point: AlignedPoint = { id: mark.id, place: [mark.position[0], mark.position[2]], left, top };
    const previous = validPoints.findLast(({ id }) => id !== mark.id);
    const newFrame = previous ? alignFrame(startFrame, previous, point) : moveFrame(startFrame, point);
    if (!newFrame) {
      setAnnouncement(t("content:sceneEditor.plan.markersTooClose"));
      return null;
    }
    if (newFrame.width > PLAN_WIDTH_MAX || newFrame.center.some((value) => Math.abs(value) > COORDINATE_MAX))
      return null;
    setAligned(previous ? [previous, point] : [point]);
    const [leftPercent, topPercent] = [left, top].map((share) => String(Math.round(share * 1000) / 10));
    const values = { title: mark.title, left: leftPercent ?? "", top: topPercent ?? "" };
    setAnnouncement(t("content:sceneEditor.plan.fixed", values));
    return { mediaId, center: newFrame.center, width: newFrame.width, rotation: newFrame.rotation };
  };
  const save = (newPlan: FloorPlan, key?: string) =>
    editor?.run([{ op: "update_scene", values: { plan: newPlan } }], key);
  const drag = usePlanDrag<{ readonly mark: PlanItem; readonly frame: MapFrame }>({
    onStart: (id) => {
      const mark = findMark(id);
      dragResult.current = null;
      alignedBeforeDrag.current = aligned;
      return mark ? { mark, frame } : null;
    },
    onMove: ({ mark, frame: startFrame }, left, top) => {
      const newPlan = alignMark(mark, startFrame, left, top);
      if (!newPlan) return;
      dragResult.current = newPlan;
      setDraggedPlan(newPlan);
    },
    onEnd: (isCompleted) => {
      if (isCompleted && dragResult.current) save(dragResult.current);
      if (!isCompleted) {
        setAligned(alignedBeforeDrag.current);
        setAnnouncement("");
      }
      setDraggedPlan(null);
    },
  });
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const step = readArrowStep(event);
    const mark = findMark((event.target as HTMLElement).dataset.mark ?? "");
    if (!step || !mark) return;
    event.preventDefault();
    const { left, top } = toMapPoint(mark.position, frame);
    const [right, down] = step;
    const newPlan = alignMark(mark, frame, clampShare(left + right), clampShare(top + down));
    if (newPlan) save(newPlan, `plan ${mark.id} keys`);
  };
  const tabStopId = marks.some(({ id }) => id === chosenId) ? chosenId : (marks[0]?.id ?? "");
  if (!mediaItem || aspect === null) return null;
  return (
    <section aria-labelledby="plan-align" className="grid gap-3">
      <h3 id="plan-align" className={isAligning ? "text-sm font-semibold" : "sr-only"}>
        {t(isAligning ? "content:sceneEditor.plan.align" : "content:sceneEditor.plan.map")}
      </h3>
      {isAligning && (
        <>
          <p className="text-xs text-muted text-phrase">
            {t(marks.length > 0 ? "content:sceneEditor.plan.alignHint" : "content:sceneEditor.plan.noMarks")}
          </p>
          {marks.length > 1 && <PlanChoice marks={marks} value={tabStopId} onChoose={setChosenId} />}
        </>
      )}
      <div className="rounded border border-line bg-surface p-5">
        <div
          className="relative isolate w-full"
          style={{ aspectRatio: 1 / aspect }}
          {...(isAligning && {
            ...drag,
            onKeyDown,
            // The marker of the current viewpoint is not in the select.
            onFocus: ({ target }) =>
              setChosenId((previous) => marks.find(({ id }) => id === target.dataset.mark)?.id ?? previous),
          })}
        >
          <img
            src={atWidth(fileUrl(mediaItem.libraryItemId), 1280)}
            alt={inLanguage(mediaItem.title, language).text}
            draggable={false}
            className="size-full object-fill select-none"
          />
          <PlanMarks
            marks={marks}
            frame={frame}
            alignedIds={alignedIds}
            tabStopId={isAligning ? tabStopId : null}
          />
          {editor && (
            <ViewpointMarker
              frame={frame}
              alignedIds={alignedIds}
              mark={viewpointMark}
              isMovable={isAligning}
            />
          )}
        </div>
      </div>
      {outsideCount > 0 && (
        <Notice tone="warning">{t("content:sceneEditor.plan.outside", { count: outsideCount })}</Notice>
      )}
      <p role="status" className="text-xs text-muted empty:sr-only">
        {announcement}
      </p>
      <PlanAlignButtons
        isAligning={isAligning}
        onReset={
          validPoints.length > 0
            ? () => {
                setAligned([]);
                setAnnouncement("");
              }
            : null
        }
      />
    </section>
  );
}
