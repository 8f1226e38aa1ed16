import type { AnimationClip, KeyframeTrack } from "three";

/** Numbers that a value of a property has; other tracks have as many as the model has morph targets. */
const SIZES: Readonly<Record<string, number>> = { quaternion: 4, position: 3, scale: 3 };

/** Whether times rise and each of them has a whole value. Cubic tracks hold three values for each time. */
function isSound({ name, times, values }: KeyframeTrack): boolean {
  const size = SIZES[name.slice(name.lastIndexOf(".") + 1)];
  const each = values.length / times.length;
  const isWhole = size === undefined ? Number.isInteger(each) : each === size || each === size * 3;
  return (
    isWhole &&
    times.every((time, at) => Number.isFinite(time) && time >= (times[at - 1] ?? Number.NEGATIVE_INFINITY))
  );
}

/**
 * Takes tracks that cannot be played out of animations; each animation keeps its number, even without tracks. three would never come
 * to an end with a turn whose number of values is no multiple of four.
 */
export function keepSoundTracks(clips: readonly AnimationClip[]): void {
  for (const clip of clips) {
    const sound = clip.tracks.filter(isSound);
    if (sound.length === clip.tracks.length) continue;
    clip.tracks = sound;
    clip.resetDuration();
  }
}
