import { createHmac, randomBytes } from "node:crypto";
import type { VisitGate, ZoneDay } from "#functions/services/visit-ports";
import type { Instant } from "~/domain/model";

/** 128 bits in base64url, the same for the same parts under the same salt, and telling nothing of them to who does not have it. */
export const hashVisitor = (salt: string, parts: readonly string[]): string =>
  createHmac("sha256", salt).update(JSON.stringify(parts)).digest().subarray(0, 16).toString("base64url");

/** Salts of days, in the isolate as long as their day lasts. */
export class Salts {
  readonly #kept = new Map<string, { readonly salt: string; readonly endsAt: number }>();
  readonly #load: (day: ZoneDay, fresh: string, now: Instant) => Promise<string>;
  readonly #now: () => number;

  /** @param load the salt of a day that all isolates have in common: the one that is there, or a fresh one from now on */
  constructor(load: (day: ZoneDay, fresh: string, now: Instant) => Promise<string>, now: () => number) {
    this.#load = load;
    this.#now = now;
  }

  /** The salt of a day. Forgets those of days that are over. */
  async of(day: ZoneDay): Promise<string> {
    const now = this.#now();
    const key = `${day.timeZone} ${day.day}`;
    const known = this.#kept.get(key);
    if (known) return known.salt;
    for (const [other, { endsAt }] of this.#kept) if (endsAt <= now) this.#kept.delete(other);
    const salt = await this.#load(day, randomBytes(32).toString("base64url"), new Date(now).toISOString());
    this.#kept.set(key, { salt, endsAt: Date.parse(day.endsAt) });
    return salt;
  }
}

const WINDOW_MS = 60_000;
/** What one device at a place may tell in a minute: a page tells at most every few seconds, and a person has few pages in view. */
const DEVICE_MAX = 40;
/** The same for a place, behind which a whole office may sit. Beyond the first, the platform's limit is asked, which other isolates count in too. */
const PLACE_FREE = 60;
const PLACE_MAX = 600;
const KEYS_MAX = 20_000;

/** Lets through what people can do, and little of a flood. Counts in windows of a minute, in bounded memory. */
export class FloodGate implements VisitGate {
  readonly #limit: RateLimit;
  readonly #now: () => number;
  #window = 0;
  #counts = new Map<string, number>();

  /** @param limit what all isolates of a place count in together: PLACE_MAX a minute */
  constructor(limit: RateLimit, now: () => number) {
    this.#limit = limit;
    this.#now = now;
  }

  async admits(place: string, device: string): Promise<boolean> {
    const window = Math.floor(this.#now() / WINDOW_MS);
    if (window !== this.#window || this.#counts.size > KEYS_MAX) {
      this.#window = window;
      this.#counts = new Map();
    }
    // One device that floods uses up nothing of its neighbours'.
    if (this.#count(`${place} ${device}`) > DEVICE_MAX) return false;
    const ofPlace = this.#count(place);
    if (ofPlace > PLACE_MAX) return false;
    return ofPlace <= PLACE_FREE || (await this.#limit.limit({ key: place })).success;
  }

  #count(key: string): number {
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return count;
  }
}
