/** Window in which rendered pages are counted, in milliseconds. */
const WINDOW_MS = 60_000;
/**
 * Rendered pages of a network per window: the number that this isolate admits without asking the shared limit, and the maximum across all locations.
 */
export const NETWORK_RENDERS = { free: 60, max: 600 } as const;
/** Maximum number of networks that are counted. When it is exceeded, all counts are reset. */
const NETWORKS_MAX = 20_000;

/** Seconds after which a network that rendered too many pages may try again. */
export const RENDER_RETRY_SECONDS = 60;

/**
 * Limits how many pages are rendered for one network (see clientNetwork). The limit is above the needs of an office or a school behind one address
 * and below those of a program that requests invented URLs. Pages that are served from memory do not count.
 */
export class RenderLimit {
  readonly #limit: Pick<RateLimit, "limit">;
  readonly #now: () => number;
  #window = -1;
  #counts = new Map<string, number>();

  /** @param limit the limit that all isolates share: NETWORK_RENDERS.max per minute */
  constructor(limit: Pick<RateLimit, "limit">, now: () => number) {
    this.#limit = limit;
    this.#now = now;
  }

  /** Counts a page that is about to be rendered; false when its network has rendered too many in this minute. */
  async admits(network: string): Promise<boolean> {
    const window = Math.floor(this.#now() / WINDOW_MS);
    if (window !== this.#window || this.#counts.size > NETWORKS_MAX) {
      this.#window = window;
      this.#counts = new Map();
    }
    const count = (this.#counts.get(network) ?? 0) + 1;
    this.#counts.set(network, count);
    if (count > NETWORK_RENDERS.max) return false;
    return count <= NETWORK_RENDERS.free || (await this.#limit.limit({ key: network })).success;
  }
}
