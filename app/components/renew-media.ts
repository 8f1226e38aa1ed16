/** After so long a player is given its file anew once more, in milliseconds. */
const RENEWAL_MS = 30_000;
const renewedAt = new WeakMap<HTMLMediaElement, number>();

/**
 * Gives a player that can read no further its file anew, at the place where it is: where files are on a host of their own, the address
 * to which a player was led holds for five minutes.
 */
export function renewMedia(player: HTMLMediaElement): void {
  const { currentTime, paused, error } = player;
  const before = renewedAt.get(player) ?? Number.NEGATIVE_INFINITY;
  // One that has played nothing yet is not to be had at all.
  if (!error || currentTime === 0 || performance.now() - before < RENEWAL_MS) return;
  renewedAt.set(player, performance.now());
  player.load();
  player.currentTime = currentTime;
  if (!paused) player.play().catch(() => undefined);
}
