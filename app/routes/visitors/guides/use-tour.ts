import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import type { ViewerHandle } from "~/viewer/Viewer";
import type { SceneStop } from "../scene/scene-types";

/** Data of a tour's stop that the player needs. */
export type PlayableStop = Pick<SceneStop, "id" | "tagId" | "viewpoint" | "seconds">;

/** State of the player, and its controls. */
export interface TourState {
  /** Index of the current stop; null before the start of the tour and after `exit`. */
  readonly stopIndex: number | null;
  readonly isPlaying: boolean;
  readonly hasEnded: boolean;
  readonly goToStop: (index: number, play: boolean) => void;
  readonly pause: () => void;
  /** Ends the tour; it can be started again. */
  readonly exit: () => void;
}

/** Input events in the space with which a visitor moves the camera. */
const MOVE_EVENTS = ["pointerdown", "keydown", "wheel"] as const;
/** Controls outside of the tour that pause it, because they move the camera or open something else. */
const CONTROLS = "a, button, summary";

/**
 * Plays a tour on a stage (the component that shows a space in 3D). It pauses as soon as the visitor moves in the space or uses a control outside of the tour.
 * @param tourElement contains the tour's own controls, which do not pause it
 */
export function useTour(
  stops: readonly PlayableStop[],
  stage: RefObject<ViewerHandle>,
  tourElement: RefObject<HTMLElement>,
): TourState {
  const [stopIndex, setStopIndex] = useState<number | null>(null);
  const [isPlaying, setPlaying] = useState(false);
  const [hasEnded, setEnded] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  /** Increases with every command. A camera flight that ends after a newer command must not start the next stop. */
  const generation = useRef(0);
  // The editor may change the stops while the tour plays.
  const latestStops = useRef(stops);
  latestStops.current = stops;

  const pause = useCallback(() => {
    generation.current += 1;
    clearTimeout(timer.current);
    setPlaying(false);
  }, []);
  const goToStop = async (index: number, play: boolean) => {
    const stop = latestStops.current[index];
    if (!stop) return;
    clearTimeout(timer.current);
    generation.current += 1;
    const currentGeneration = generation.current;
    setStopIndex(index);
    setPlaying(play);
    setEnded(false);
    const target = stop.viewpoint ?? (stop.tagId ? { pinId: stop.tagId } : null);
    // If the space cannot be displayed or a position is never reached, the tour continues with its texts.
    if (target) await stage.current?.goTo(target).catch(() => {});
    if (!play || generation.current !== currentGeneration) return;
    timer.current = setTimeout(() => {
      if (index + 1 < latestStops.current.length) return goToStop(index + 1, true);
      setPlaying(false);
      setEnded(true);
    }, stop.seconds * 1000);
  };

  const exit = () => {
    pause();
    setStopIndex(null);
    setEnded(false);
  };

  useEffect(() => {
    if (!isPlaying) return;
    const space = document.querySelector("section[data-stage]");
    const pauseOnOtherControl = ({ target, type }: Event) => {
      const control = target instanceof Element && target.closest(CONTROLS);
      if (!control || tourElement.current?.contains(control) || space?.contains(control)) return;
      // Focusing a tag in the list of tags moves the camera, as a click does.
      if (type === "click" || control.closest('[id^="tag-"]')) pause();
    };
    for (const eventName of MOVE_EVENTS) space?.addEventListener(eventName, pause, { passive: true });
    document.addEventListener("click", pauseOnOtherControl);
    document.addEventListener("focusin", pauseOnOtherControl);
    return () => {
      for (const eventName of MOVE_EVENTS) space?.removeEventListener(eventName, pause);
      document.removeEventListener("click", pauseOnOtherControl);
      document.removeEventListener("focusin", pauseOnOtherControl);
    };
  }, [isPlaying, pause, tourElement]);
  useEffect(
    () => () => {
      // A camera flight in progress must not start a timer when it ends.
      generation.current += 1;
      clearTimeout(timer.current);
    },
    [],
  );
  return { stopIndex, isPlaying, hasEnded, goToStop, pause, exit };
}
