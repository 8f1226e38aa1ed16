/** Ports of counting visits. */
import type { Instant } from "~/domain/shared/model";

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
  /** Returns the stored salt of a day. If there is none, stores the given one. */
  salt(of: ZoneDay, fresh: string): Promise<string>;
  /** Deletes those of days that had ended then. */
  forget(before: Instant): Promise<void>;
}

/** Rate limit that is checked before a visit is counted. */
export interface VisitAdmission {
  /** Whether something more from a place, and of one visitor there, is worth a look: a flood is not. */
  admits(place: string, device: string): Promise<boolean>;
}
