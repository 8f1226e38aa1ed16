import type { KeyboardEvent } from "react";

/** Distance by which an arrow key moves a marker, as a share of the image. */
const STEP = 0.005;
/** The same distance with Shift. */
const LONG_STEP = 0.05;
const DIRECTIONS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Returns how far a pressed arrow key moves a marker, to the right and down, as shares of the image; null for other keys. */
export function readArrowStep(event: KeyboardEvent): readonly [number, number] | null {
  const direction = DIRECTIONS[event.key];
  if (!direction || event.altKey || event.ctrlKey || event.metaKey) return null;
  const step = event.shiftKey ? LONG_STEP : STEP;
  return [direction[0] * step, direction[1] * step];
}
