import { createHmac, randomBytes } from "node:crypto";
import type { SaltStore, ZoneDay } from "#functions/services/analytics/visit-ports";
import { SALT_GRACE_MS } from "~/domain/analytics/visit";

/** Hashes what identifies a visitor, for example network and browser, to 128 bits in base64url. Equal parts under an equal salt result in an equal hash; without the salt the hash reveals nothing about the parts. */
export const hashVisitor = (salt: string, parts: readonly string[]): string =>
  createHmac("sha256", salt).update(JSON.stringify(parts)).digest().subarray(0, 16).toString("base64url");

/**
 * The salts with which visitors are hashed (hashVisitor): one for each day of a time zone, cached in the isolate until their day ends. It also deletes expired salts from the shared store: at its first request, at the
 * first visit of an unknown day, and after the end of a cached day. Deletion does not depend on the cron job.
 */
export class DailySalts {
  readonly #cached = new Map<string, { readonly salt: string; readonly endsAt: number }>();
  readonly #store: SaltStore;
  readonly #now: () => number;
  /** End times of days after which the store must be cleaned, in epoch milliseconds. */
  readonly #cleanAfter = new Set([0]);
  #lastCleanedAt = 0;

  constructor(store: SaltStore, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /** Drops the cached salts of past days. Returns null if the store needs no cleaning, otherwise the work, which no response needs to await. */
  dropExpired(): Promise<void> | null {
    const now = this.#now();
    this.#dropEnded(now);
    const expired = [...this.#cleanAfter].filter((endsAt) => isOver(endsAt, now));
    for (const endsAt of expired) this.#cleanAfter.delete(endsAt);
    return expired.length > 0 ? this.#deleteExpired(now) : null;
  }

  /** The salt of a day. A day that ended at least SALT_GRACE_MS ago gets a random salt that is not stored. */
  async getSalt(day: ZoneDay): Promise<string> {
    const now = this.#now();
    this.#dropEnded(now);
    const key = `${day.timeZone} ${day.day}`;
    const cachedSalt = this.#cached.get(key);
    if (cachedSalt) return cachedSalt.salt;
    const newSalt = randomBytes(32).toString("base64url");
    const endsAt = Date.parse(day.endsAt);
    if (isOver(endsAt, now)) return newSalt;
    // If deletion fails, a later request tries it again and reports the failure.
    const [salt] = await Promise.all([
      this.#store.getOrCreate(day, newSalt),
      // Without this interval, each of many simultaneous first visits of a day would delete expired salts.
      now - this.#lastCleanedAt < SALT_GRACE_MS ? null : this.#deleteExpired(now).catch(() => {}),
    ]);
    this.#cached.set(key, { salt, endsAt });
    this.#cleanAfter.add(endsAt);
    return salt;
  }

  #dropEnded(now: number): void {
    for (const [key, { endsAt }] of this.#cached) if (endsAt <= now) this.#cached.delete(key);
  }

  async #deleteExpired(now: number): Promise<void> {
    this.#lastCleanedAt = now;
    try {
      await this.#store.deleteExpired(new Date(now - SALT_GRACE_MS).toISOString());
    } catch (error) {
      this.#cleanAfter.add(now);
      throw error;
    }
  }
}

const isOver = (endsAt: number, now: number) => endsAt + SALT_GRACE_MS <= now;
