import { createHmac, randomBytes } from "node:crypto";
import type { SaltStore, VisitAdmission, ZoneDay } from "#functions/services/analytics/visit-ports";
import { SALT_GRACE_MS } from "~/domain/analytics/visit";

/** 128 bits in base64url, the same for the same parts under the same salt, and telling nothing of them to who does not have it. */
export const hashVisitor = (salt: string, parts: readonly string[]): string =>
  createHmac("sha256", salt).update(JSON.stringify(parts)).digest().subarray(0, 16).toString("base64url");

/**
 * Salts of days, in the isolate as long as their day lasts. It also deletes those of days that are over where all isolates have them in common, with its
 * first request, for the first visit of a day that it does not know, and when a day has ended that it knows: nothing of it waits for the job.
 */
export class DailySalts {
  readonly #kept = new Map<string, { readonly salt: string; readonly endsAt: number }>();
  readonly #store: SaltStore;
  readonly #now: () => number;
  /** Ends of days after which the store is to be looked through. */
  readonly #ends = new Set([0]);
  #lookedAt = 0;

  constructor(store: SaltStore, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /** Forgets those of days that are over. Null when there is nothing to delete, otherwise the work, of which nobody has to wait for the end. */
  forget(): Promise<void> | null {
    const now = this.#now();
    this.#drop(now);
    const over = [...this.#ends].filter((endsAt) => isOver(endsAt, now));
    for (const endsAt of over) this.#ends.delete(endsAt);
    return over.length > 0 ? this.#deleteOver(now) : null;
  }

  /** The salt of a day. Of one that is over nobody is told it: this one is nobody's. */
  async of(day: ZoneDay): Promise<string> {
    const now = this.#now();
    this.#drop(now);
    const key = `${day.timeZone} ${day.day}`;
    const known = this.#kept.get(key);
    if (known) return known.salt;
    const fresh = randomBytes(32).toString("base64url");
    const endsAt = Date.parse(day.endsAt);
    if (isOver(endsAt, now)) return fresh;
    // Where deleting fails a later request tries it again, and tells.
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
/** What one device at a place may tell in a minute: a page tells at most every few seconds, and a person has few pages in view. */
const DEVICE_MAX = 40;
/** The same for a place, behind which a whole office may sit. Beyond the first, the platform's limit is asked, which other isolates count in too. */
const PLACE_FREE = 60;
const PLACE_MAX = 600;
const KEYS_MAX = 20_000;
const HOUR_MS = 3_600_000;
/** Different devices of a place in an hour that visits are counted of: a hall full of people has fewer kinds of browsers, whoever invents them has no end. */
const DEVICES_MAX = 60;

/**
 * Lets through what people can do, and little of a flood: counts what is told in windows of a minute, and different devices of a place in windows of
 * an hour, in bounded memory.
 */
export class VisitRateLimiter implements VisitAdmission {
  readonly #limit: RateLimit;
  readonly #now: () => number;
  #window = 0;
  #counts = new Map<string, number>();
  #hour = 0;
  #devices = new Map<string, Set<string>>();
  #devicesHeld = 0;

  /** @param limit what all isolates of a place count in together: PLACE_MAX a minute */
  constructor(limit: RateLimit, now: () => number) {
    this.#limit = limit;
    this.#now = now;
  }

  async admits(place: string, device: string): Promise<boolean> {
    this.forget();
    // One device that floods uses up nothing of its neighbours'.
    if (this.#count(`${place} ${device}`) > DEVICE_MAX) return false;
    const ofPlace = this.#count(place);
    if (ofPlace > PLACE_MAX || !this.#knows(place, device)) return false;
    return ofPlace <= PLACE_FREE || (await this.#limit.limit({ key: place })).success;
  }

  /** Forgets who told something in a window that is over. */
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

  /** Whether a device is one of those of its place, as the newest of them if there may be more. */
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
