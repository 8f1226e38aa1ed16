import { type PointerEvent, useEffect, useRef } from "react";

export interface PlanDrag<From> {
  /** What is dragged by a mark; null for none. */
  readonly begin: (id: string) => From | null;
  /** Hears, at most once a picture of the screen, to which share of the map it has come. */
  readonly move: (from: From, left: number, top: number) => void;
  /** It has been let go of, or the drag was called off. */
  readonly end: (isDone: boolean) => void;
}

const within = (share: number) => Math.min(1, Math.max(0, share));

/** Dragging marks of a map by any pointer: the handlers of the element that holds them. */
export function usePlanDrag<From>(options: PlanDrag<From>) {
  const latest = useRef(options);
  latest.current = options;
  const drag = useRef<{ readonly from: From; readonly box: DOMRect } | null>(null);
  const last = useRef<{ readonly x: number; readonly y: number } | null>(null);
  const asked = useRef(0);
  const draw = () => {
    asked.current = 0;
    const [now, at] = [drag.current, last.current];
    last.current = null;
    if (!now || !at) return;
    const { box } = now;
    const [left, top] = [(at.x - box.left) / box.width, (at.y - box.top) / box.height];
    latest.current.move(now.from, within(left), within(top));
  };
  useEffect(() => () => cancelAnimationFrame(asked.current), []);
  const end = (isDone: boolean) => {
    if (!drag.current) return;
    cancelAnimationFrame(asked.current);
    if (isDone) draw();
    asked.current = 0;
    drag.current = null;
    latest.current.end(isDone);
  };
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      const mark = (event.target as Element).closest<HTMLElement>("[data-mark]");
      const from = mark && event.button === 0 ? latest.current.begin(mark.dataset.mark ?? "") : null;
      if (!mark || from === null) return;
      mark.setPointerCapture(event.pointerId);
      drag.current = { from, box: event.currentTarget.getBoundingClientRect() };
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (!drag.current) return;
      last.current = { x: event.clientX, y: event.clientY };
      asked.current ||= requestAnimationFrame(draw);
    },
    onPointerUp: () => end(true),
    onPointerCancel: () => end(false),
  };
}
