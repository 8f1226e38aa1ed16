import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import type { ViewerHandle } from "~/viewer/Viewer";
import type { SceneStop } from "../scene/scene-types";

/** Data of a stop that the player needs. */
export type TourPlace = Pick<SceneStop, "id" | "tagId" | "viewpoint" | "seconds">;

/** State of the player, and its controls. */
export interface TourState {
  /** Index of the current stop; null before the tour was started. */
  readonly at: number | null;
  readonly playing: boolean;
  readonly ended: boolean;
  readonly go: (index: number, play: boolean) => void;
  readonly pause: () => void;
  /** Ends the tour; it can be started again. */
  readonly leave: () => void;
}

/** Input events that mean that the visitor moves. */
const OWN_MOVES = ["pointerdown", "keydown", "wheel"] as const;
/** Elements of the page that move the camera or open something else. */
const OTHER_WAYS = "a, button, summary";

/**
 * Plays a tour on a stage. It pauses as soon as the visitor moves there, or when its controls are hidden. @param own the tour's element in the
 * page
 */
export function useTour(
  stops: readonly TourPlace[],
  stage: RefObject<ViewerHandle>,
  own: RefObject<HTMLElement>,
): TourState {
  const [at, setAt] = useState<number | null>(null);
  const [playing, setPlaying] = useState(false);
  const [ended, setEnded] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const round = useRef(0);
  // The editor may change the stops while the tour plays.
  const latest = useRef(stops);
  latest.current = stops;

  const pause = useCallback(() => {
    round.current += 1;
    clearTimeout(timer.current);
    setPlaying(false);
  }, []);
  const go = (index: number, play: boolean) => {
    const stop = latest.current[index];
    if (!stop) return;
    clearTimeout(timer.current);
    round.current += 1;
    const mine = round.current;
    setAt(index);
    setPlaying(play);
    setEnded(false);
    const target = stop.viewpoint ?? (stop.tagId ? { pinId: stop.tagId } : null);
    // If the space cannot be displayed or a position is never reached, the tour continues with its texts.
    const arrived = (target && stage.current?.goTo(target)) ?? Promise.resolve();
    const stay = () => {
      if (!play || round.current !== mine) return;
      timer.current = setTimeout(() => {
        if (index + 1 < latest.current.length) return go(index + 1, true);
        setPlaying(false);
        setEnded(true);
      }, stop.seconds * 1000);
    };
    arrived.then(stay, stay);
  };

  const leave = () => {
    pause();
    setAt(null);
    setEnded(false);
  };

  useEffect(() => {
    if (!playing) return;
    const space = document.querySelector("section[data-stage]");
    const elsewhere = ({ target, type }: Event) => {
      const control = target instanceof Element && target.closest(OTHER_WAYS);
      if (!control || own.current?.contains(control) || space?.contains(control)) return;
      // Focusing an entry of the list moves the camera as a click does.
      if (type === "click" || control.closest('[id^="tag-"]')) pause();
    };
    for (const sign of OWN_MOVES) space?.addEventListener(sign, pause, { passive: true });
    document.addEventListener("click", elsewhere);
    document.addEventListener("focusin", elsewhere);
    return () => {
      for (const sign of OWN_MOVES) space?.removeEventListener(sign, pause);
      document.removeEventListener("click", elsewhere);
      document.removeEventListener("focusin", elsewhere);
    };
  }, [playing, pause, own]);
  useEffect(
    () => () => {
      // A camera flight in progress must not start a timer when it ends.
      round.current += 1;
      clearTimeout(timer.current);
    },
    [],
  );
  return { at, playing, ended, go, pause, leave };
}
