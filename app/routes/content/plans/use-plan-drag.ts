import { type PointerEvent, useEffect, useRef } from "react";

export interface PlanDrag<From> {
  /** Returns the start of a drag of a marker; null if it cannot be dragged. */
  readonly onStart: (id: string) => From | null;
  /** Called at most once per frame with the pointer's position as a share of the map. */
  readonly onMove: (from: From, left: number, top: number) => void;
  /** Called at the end; `isDone` is false if the drag was cancelled. */
  readonly onEnd: (isDone: boolean) => void;
}

/** Limits a share of the map to its area. */
export const clampShare = (share: number) => Math.min(1, Math.max(0, share));

/** Drags the markers of a map with any pointer: returns the handlers of the element that contains them. */
export function usePlanDrag<From>(options: PlanDrag<From>) {
  const latest = useRef(options);
  latest.current = options;
  const drag = useRef<{ readonly from: From; readonly box: DOMRect } | null>(null);
  const last = useRef<{ readonly x: number; readonly y: number } | null>(null);
  const frameRequest = useRef(0);
  const draw = () => {
    frameRequest.current = 0;
    const [now, point] = [drag.current, last.current];
    last.current = null;
    if (!now || !point) return;
    const { box } = now;
    const [left, top] = [(point.x - box.left) / box.width, (point.y - box.top) / box.height];
    latest.current.onMove(now.from, clampShare(left), clampShare(top));
  };
  useEffect(() => () => cancelAnimationFrame(frameRequest.current), []);
  const end = (isCompleted: boolean) => {
    if (!drag.current) return;
    cancelAnimationFrame(frameRequest.current);
    if (isCompleted) draw();
    frameRequest.current = 0;
    drag.current = null;
    latest.current.onEnd(isCompleted);
  };
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      const mark = (event.target as Element).closest<HTMLElement>("[data-mark]");
      const from = mark && event.button === 0 ? latest.current.onStart(mark.dataset.mark ?? "") : null;
      if (!mark || from === null) return;
      mark.setPointerCapture(event.pointerId);
      drag.current = { from, box: event.currentTarget.getBoundingClientRect() };
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (!drag.current) return;
      last.current = { x: event.clientX, y: event.clientY };
      frameRequest.current ||= requestAnimationFrame(draw);
    },
    onPointerUp: () => end(true),
    onPointerCancel: () => end(false),
  };
}
