/** Chooses the videos and sounds of a space that play, from the visitor's position. */

/**
 * Returns the volume of a sound, 0…1: full at its source, zero beyond its reach, and quadratic in between, which sounds even.
 * @param reach metres
 */
export function computeVolume(metres: number, reach: number): number {
  if (!(reach > 0) || !(metres < reach)) return 0;
  const nearness = 1 - Math.max(0, metres) / reach;
  return nearness * nearness;
}

/** A video or sound that may play. */
export interface PlayableMedia {
  readonly id: string;
  /** 0…1. */
  readonly volume: number;
  /** Length of the longer side on the screen in pixels; 0 for sounds and for media behind the visitor. */
  readonly screenPixels: number;
}

/** Minimum length of the longer side on the screen for which an inaudible video plays, in pixels. */
const SCREEN_PIXELS_MIN = 24;

/**
 * Returns the ids of the audible or visible media that play: those with the highest sum of 1,000 × volume and pixels on the screen.
 * @param maxCount maximum number that the device decodes at the same time
 */
export function choosePlayingMedia(players: readonly PlayableMedia[], maxCount: number): ReadonlySet<string> {
  const weight = ({ volume, screenPixels }: PlayableMedia) => volume * 1000 + screenPixels;
  return new Set(
    players
      .filter(({ volume, screenPixels }) => volume > 0 || screenPixels >= SCREEN_PIXELS_MIN)
      .sort((a, b) => weight(b) - weight(a))
      .slice(0, maxCount)
      .map(({ id }) => id),
  );
}
