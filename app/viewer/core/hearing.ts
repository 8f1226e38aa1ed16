/** What is heard and played of a space's films and sounds from where the visitor is. */

/** How loud a sound is, 0…1: whole at its place, nothing beyond its reach, even to the ear in between. @param reach metres. */
export function loudness(metres: number, reach: number): number {
  if (!(reach > 0) || !(metres < reach)) return 0;
  const near = 1 - Math.max(0, metres) / reach;
  return near * near;
}

/** A film or sound that wants to play. */
export interface Player {
  readonly id: string;
  /** 0…1. */
  readonly loudness: number;
  /** Pixels that it takes on the screen; 0 for sounds and for what is behind the visitor. */
  readonly across: number;
}

/** Smaller than this on the screen, a film that is not heard need not run. */
const LEAST_ACROSS = 24;

/** Those that run: heard or seen, the nearest first, no more than the device decodes at a time. */
export function choosePlayers(players: readonly Player[], most: number): ReadonlySet<string> {
  const weight = ({ loudness: loud, across }: Player) => loud * 1000 + across;
  return new Set(
    players
      .filter(({ loudness: loud, across }) => loud > 0 || across >= LEAST_ACROSS)
      .sort((a, b) => weight(b) - weight(a))
      .slice(0, most)
      .map(({ id }) => id),
  );
}
