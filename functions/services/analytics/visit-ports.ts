/** Ports of counting visits. */
import type { VisitSign } from "~/domain/analytics/visit";
import type { Instant, Uuid } from "~/domain/shared/model";

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

/** The parts of an event's visits: gzip of one JSON object a line (docs/formats.md). */
export interface EventParts {
  /** Days (UTC, YYYY-MM-DD) whose parts are in R2, in order. */
  readonly archivedDays: readonly string[];
  /** All later parts. */
  readonly recent: ReadableStream<Uint8Array>;
}

/** The rooms of events, which store visits and write their sums to D1 (decision 095). */
export interface EventRooms {
  /** Sends a part of a visit to the room of its event. Resolves to false when the room did not store it. */
  record(sign: VisitSign, timeZone: string): Promise<boolean>;
  /** Writes everything that these rooms have to D1. Resolves to the events whose rooms did not. */
  flush(eventIds: readonly Uuid[]): Promise<readonly Uuid[]>;
  /** Returns the parts of an event's visits. @throws when the room does not respond */
  parts(eventId: Uuid): Promise<EventParts>;
  /**
   * Deletes what was reported of an event before an instant, in milliseconds since 1970, in its room and in D1.
   * @throws when the room or D1 does not respond; the room then deletes later
   */
  erase(eventId: Uuid, before: number): Promise<void>;
}
