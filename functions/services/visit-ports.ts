/** What counting visits needs from the outside. */
import type { Instant, Uuid } from "~/domain/model";
import type { VisitorOfDay, VisitSign } from "~/domain/visit";
import type { Known, Tally } from "~/domain/visit-tally";
import type { AuditEntry } from "./ports";

/** A day of a time zone. */
export interface ZoneDay {
  readonly timeZone: string;
  /** YYYY-MM-DD. */
  readonly day: string;
  /** When it ends there. */
  readonly endsAt: Instant;
}

/** Salts of days, which all isolates have in common. Where they are kept, nothing may be had again that was deleted. */
export interface SaltStore {
  /** The salt of a day: the one that is there, or this one from now on. */
  salt(of: ZoneDay, fresh: string): Promise<string>;
  /** Deletes those of days that had ended then. */
  forget(before: Instant): Promise<void>;
}

/** What visits left in D1. */
export interface VisitRepository {
  /** What is known of these parts of visits and of their visitors. */
  known(signs: readonly VisitSign[], visitors: readonly VisitorOfDay[]): Promise<Known>;
  /**
   * Writes all of it in one batch, or nothing: "raced" when something that it was counted from is no longer so, "large"
   * when D1 would not take so much at once. What is about events that are gone is left out.
   */
  write(tally: Tally): Promise<"written" | "raced" | "large">;
  /** Deletes what was counted of an event and marks what pages told before `at`, which goes in parts: see sweep. */
  erase(eventId: Uuid, at: Instant, audit: AuditEntry): Promise<void>;
  /**
   * Deletes a bounded part of what has served its time.
   * @param kept what pages told before then goes
   * @param day visitors of days before then go, YYYY-MM-DD
   * @returns how many rows went
   */
  sweep(now: Instant, kept: Instant, day: string): Promise<number>;
}

/** What pages are asked, and who asks, before anything of a visit is counted. */
export interface VisitGate {
  /** Whether something more from a place, and of one visitor there, is worth a look: a flood is not. */
  admits(place: string, device: string): Promise<boolean>;
}
