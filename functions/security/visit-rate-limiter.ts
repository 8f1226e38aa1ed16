import { createHmac, randomBytes } from "node:crypto";
import type { SaltStore, VisitAdmission, ZoneDay } from "#functions/services/analytics/visit-ports";
import { SALT_GRACE_MS } from "~/domain/analytics/visit";

/** 128 bits in base64url. Equal parts under an equal salt result in an equal hash; without the salt the hash reveals nothing about the parts. */
export const hashVisitor = (salt: string, parts: readonly string[]): string =>
  createHmac("sha256", salt).update(JSON.stringify(parts)).digest().subarray(0, 16).toString("base64url");

/**
 * The salts of days, cached in the isolate until their day ends. It also deletes expired salts from the shared store: at its first request, at the
 * first visit of an unknown day, and after the end of a cached day. Deletion does not depend on the cron job.
 */
export class DailySalts {
  readonly #kept = new Map<string, { readonly salt: string; readonly endsAt: number }>();
  readonly #store: SaltStore;
  readonly #now: () => number;
  /** End times of days after which the store must be cleaned, in epoch milliseconds. */
  readonly #ends = new Set([0]);
  #lookedAt = 0;

  constructor(store: SaltStore, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /** Drops the cached salts of past days. Returns null if the store needs no cleaning, otherwise the work, which no response needs to await. */
  forget(): Promise<void> | null {
    const now = this.#now();
    this.#drop(now);
    const over = [...this.#ends].filter((endsAt) => isOver(endsAt, now));
    for (const endsAt of over) this.#ends.delete(endsAt);
    return over.length > 0 ? this.#deleteOver(now) : null;
  }

  /** The salt of a day. A past day gets a random salt that is not stored. */
  async of(day: ZoneDay): Promise<string> {
    const now = this.#now();
    this.#drop(now);
    const key = `${day.timeZone} ${day.day}`;
    const known = this.#kept.get(key);
    if (known) return known.salt;
    const fresh = randomBytes(32).toString("base64url");
    const endsAt = Date.parse(day.endsAt);
    if (isOver(endsAt, now)) return fresh;
    // If deletion fails, a later request tries it again and reports the failure.
    const [salt] = await Promise.all([
      this.#store.salt(day, fresh),
      // The first visits of a day may be many.
      now - this.#lookedAt < SALT_GRACE_MS ? null : this.#deleteOver(now).catch(() => {}),
    ]);
    this.#kept.set(key, { salt, endsAt });
    this.#ends.add(endsAt);
    return salt;
  }

  #drop(now: number): void {
    for (const [key, { endsAt }] of this.#kept) if (endsAt <= now) this.#kept.delete(key);
  }

  async #deleteOver(now: number): Promise<void> {
    this.#lookedAt = now;
    try {
      await this.#store.forget(new Date(now - SALT_GRACE_MS).toISOString());
    } catch (error) {
      this.#ends.add(now);
      throw error;
    }
  }
}

const isOver = (endsAt: number, now: number) => endsAt + SALT_GRACE_MS <= now;

const WINDOW_MS = 60_000;
/** Visit reports per minute that one device in a network may send: a page reports at most every few seconds, and a person views few pages at once. */
const DEVICE_MAX = 40;
/** The same for a network, which may be a whole office. Above PLACE_FREE, the platform's limit, which all isolates share, is checked as well. */
const PLACE_FREE = 60;
const PLACE_MAX = 600;
const KEYS_MAX = 20_000;
const HOUR_MS = 3_600_000;
/**
 * Number of different devices per network and hour whose visits are counted. A large hall has fewer kinds of browsers, while a program can invent
 * any number.
 */
const DEVICES_MAX = 60;

/** Limits the rate of visit reports: counts reports per minute, and different devices of a network per hour, in bounded memory. */
export class VisitRateLimiter implements VisitAdmission {
  readonly #limit: RateLimit;
  readonly #now: () => number;
  #window = 0;
  #counts = new Map<string, number>();
  #hour = 0;
  #devices = new Map<string, Set<string>>();
  #devicesHeld = 0;

  /** @param limit the limit that all isolates share: PLACE_MAX per minute */
  constructor(limit: RateLimit, now: () => number) {
    this.#limit = limit;
    this.#now = now;
  }

  async admits(place: string, device: string): Promise<boolean> {
    this.forget();
    // A device above its own limit does not use up the network's limit.
    if (this.#count(`${place} ${device}`) > DEVICE_MAX) return false;
    const ofPlace = this.#count(place);
    if (ofPlace > PLACE_MAX || !this.#knows(place, device)) return false;
    return ofPlace <= PLACE_FREE || (await this.#limit.limit({ key: place })).success;
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
    if (hour !== this.#hour || this.#devicesHeld > KEYS_MAX) {
      this.#hour = hour;
      this.#devices = new Map();
      this.#devicesHeld = 0;
    }
  }

  /** True if a device is known in its network, or can be added as a new one. */
  #knows(place: string, device: string): boolean {
    const devices = this.#devices.get(place) ?? new Set();
    if (devices.has(device)) return true;
    if (devices.size >= DEVICES_MAX) return false;
    this.#devices.set(place, devices.add(device));
    this.#devicesHeld++;
    return true;
  }

  #count(key: string): number {
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return count;
  }
}
