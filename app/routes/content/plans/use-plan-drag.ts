import { type PointerEvent, useEffect, useRef } from "react";

export interface PlanDrag<Start> {
  /** Returns the start of a drag of a marker; null if it cannot be dragged. */
  readonly onStart: (id: string) => Start | null;
  /** Called at most once per frame with the pointer's position as a share of the map. */
  readonly onMove: (start: Start, left: number, top: number) => void;
  /** Called at the end; `isCompleted` is false if the drag was cancelled. */
  readonly onEnd: (isCompleted: boolean) => void;
}

/** Limits a share of the map to its area. */
export const clampShare = (share: number) => Math.min(1, Math.max(0, share));

/** Drags the markers of a map with any pointer: returns the handlers of the element that contains them. */
export function usePlanDrag<Start>(options: PlanDrag<Start>) {
  const latestOptions = useRef(options);
  latestOptions.current = options;
  const drag = useRef<{ readonly start: Start; readonly box: DOMRect } | null>(null);
  const lastPoint = useRef<{ readonly x: number; readonly y: number } | null>(null);
  const frameRequest = useRef(0);
  const moveMarker = () => {
    frameRequest.current = 0;
    const [currentDrag, point] = [drag.current, lastPoint.current];
    lastPoint.current = null;
    if (!currentDrag || !point) return;
    const { box } = currentDrag;
    const [left, top] = [(point.x - box.left) / box.width, (point.y - box.top) / box.height];
    latestOptions.current.onMove(currentDrag.start, clampShare(left), clampShare(top));
  };
  useEffect(() => () => cancelAnimationFrame(frameRequest.current), []);
  const endDrag = (isCompleted: boolean) => {
    if (!drag.current) return;
    cancelAnimationFrame(frameRequest.current);
    if (isCompleted) moveMarker();
    frameRequest.current = 0;
    drag.current = null;
    latestOptions.current.onEnd(isCompleted);
  };
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      const mark = (event.target as Element).closest<HTMLElement>("[data-mark]");
      const start =
        mark && event.button === 0 ? latestOptions.current.onStart(mark.dataset.mark ?? "") : null;
      if (!mark || start === null) return;
      mark.setPointerCapture(event.pointerId);
      drag.current = { start, box: event.currentTarget.getBoundingClientRect() };
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (!drag.current) return;
      lastPoint.current = { x: event.clientX, y: event.clientY };
      frameRequest.current ||= requestAnimationFrame(moveMarker);
    },
    onPointerUp: () => endDrag(true),
    onPointerCancel: () => endDrag(false),
  };
}
