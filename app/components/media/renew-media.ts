/** Minimum interval between two reloads of a player, in milliseconds. */
const RELOAD_INTERVAL_MS = 30_000;
const renewedAt = new WeakMap<HTMLMediaElement, number>();

/**
 * Reloads the file of a player after a read error, and continues at the same position. If files are served by a separate host, the URL to which the
 * player was redirected expires after five minutes.
 */
export function renewMedia(player: HTMLMediaElement): void {
  const { currentTime, paused, error } = player;
  const lastReload = renewedAt.get(player) ?? Number.NEGATIVE_INFINITY;
  // A file that failed at time 0 is treated as unavailable.
  if (!error || currentTime === 0 || performance.now() - lastReload < RELOAD_INTERVAL_MS) return;
  renewedAt.set(player, performance.now());
  player.load();
  player.currentTime = currentTime;
  if (!paused) player.play().catch(() => undefined);
}
