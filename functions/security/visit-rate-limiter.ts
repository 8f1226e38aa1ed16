import type { VisitAdmission } from "#functions/services/analytics/visit-ports";

const WINDOW_MS = 60_000;
/** Visit reports per minute that one device (a user agent in a network) may send: a page reports at most every few seconds, and a person views few pages at once. */
const DEVICE_MAX = 40;
/**
 * The same limit for a network, which may be a whole office: the number that this isolate admits without asking the shared limit, and the maximum
 * across all locations.
 */
export const NETWORK_VISITS = { free: 60, max: 600 } as const;
const KEYS_MAX = 20_000;
const HOUR_MS = 3_600_000;
/**
 * Number of different devices per network and hour whose visits are counted. A large hall has fewer kinds of browsers, while a program can invent
 * any number.
 */
const DEVICES_MAX = 60;

/** Limits the rate of visit reports: counts reports per minute, and different devices of a network per hour, in bounded memory. */
export class VisitRateLimiter implements VisitAdmission {
  readonly #limit: Pick<RateLimit, "limit">;
  readonly #now: () => number;
  #window = 0;
  #counts = new Map<string, number>();
  #hour = 0;
  #devices = new Map<string, Set<string>>();
  #deviceCount = 0;

  /** @param limit the limit that all isolates share: the maximum of NETWORK_VISITS per minute */
  constructor(limit: Pick<RateLimit, "limit">, now: () => number) {
    this.#limit = limit;
    this.#now = now;
  }

  async admits(network: string, device: string): Promise<boolean> {
    this.forget();
    // A device above its own limit does not use up the network's limit.
    if (this.#count(`${network} ${device}`) > DEVICE_MAX) return false;
    const networkCount = this.#count(network);
    if (networkCount > NETWORK_VISITS.max || !this.#admitsDevice(network, device)) return false;
    return networkCount <= NETWORK_VISITS.free || (await this.#limit.limit({ key: network })).success;
  }

  /** Drops the counts of past windows. */
  forget(): void {
    const now = this.#now();
    const window = Math.floor(now / WINDOW_MS);
    if (window !== this.#window || this.#counts.size > KEYS_MAX) {
      this.#window = window;
      this.#counts = new Map();
    }
    const hour = Math.floor(now / HOUR_MS);
    if (hour !== this.#hour || this.#deviceCount > KEYS_MAX) {
      this.#hour = hour;
      this.#devices = new Map();
      this.#deviceCount = 0;
    }
  }

  /** Whether a device of a network was counted before, or may be counted as a new one. */
  #admitsDevice(network: string, device: string): boolean {
    const devices = this.#devices.get(network) ?? new Set();
    if (devices.has(device)) return true;
    if (devices.size >= DEVICES_MAX) return false;
    this.#devices.set(network, devices.add(device));
    this.#deviceCount++;
    return true;
  }

  #count(key: string): number {
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return count;
  }
}
