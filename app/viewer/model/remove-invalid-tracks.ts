import type { AnimationClip, KeyframeTrack } from "three";

/** Number of components of an animated property's value. Tracks of other properties have as many as the mesh has morph targets. */
const COMPONENT_COUNTS: Readonly<Record<string, number>> = { quaternion: 4, position: 3, scale: 3 };

/** Whether the times never decrease and each of them has a complete value. Cubic tracks have three values for each time. */
function isValidTrack({ name, times, values }: KeyframeTrack): boolean {
  const size = COMPONENT_COUNTS[name.slice(name.lastIndexOf(".") + 1)];
  const valuesPerKey = values.length / times.length;
  const isComplete =
    size === undefined ? Number.isInteger(valuesPerKey) : valuesPerKey === size || valuesPerKey === size * 3;
  return (
    isComplete &&
    times.every(
      (time, index) => Number.isFinite(time) && time >= (times[index - 1] ?? Number.NEGATIVE_INFINITY),
    )
  );
}

/**
 * Removes invalid tracks from animations. three would loop forever on a rotation whose number of values for each time is not a multiple of four. An
 * animation without valid tracks is kept, so that the indices do not change.
 */
export function removeInvalidTracks(clips: readonly AnimationClip[]): void {
  for (const clip of clips) {
    const validTracks = clip.tracks.filter(isValidTrack);
    if (validTracks.length === clip.tracks.length) continue;
    clip.tracks = validTracks;
    clip.resetDuration();
  }
}
