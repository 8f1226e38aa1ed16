/** Ports of counting visits. */
import type { VisitRecord } from "~/domain/analytics/visit";
import type { Instant, Uuid } from "~/domain/shared/model";

/** A day of a time zone. */
export interface ZoneDay {
  readonly timeZone: string;
  /** YYYY-MM-DD. */
  readonly day: string;
  /** End of the day in that time zone. */
  readonly endsAt: Instant;
}

/** Salts of days, which all isolates share. The storage must not be able to restore a deleted salt. */
export interface SaltStore {
  /** Returns the stored salt of a day. If there is none, stores the given one. */
  getOrCreate(day: ZoneDay, newSalt: string): Promise<string>;
  /** Deletes the salts of days that ended before an instant. */
  deleteExpired(before: Instant): Promise<void>;
}

/** Rate limit that is checked before a visit is counted. */
export interface VisitAdmission {
  /** Returns false when a network or one of its visitors sends more than a person can cause; the visit is then not counted. */
  admits(place: string, device: string): Promise<boolean>;
}

/** The parts of an event's visits: gzip of one JSON object a line (docs/formats.md). */
export interface EventParts {
  /** Days (UTC, YYYY-MM-DD) whose parts are in R2, in order. */
  readonly archivedDays: readonly string[];
  /** All later parts. */
  readonly recent: ReadableStream<Uint8Array>;
}

/** The days of events that rooms have stored in R2. */
export interface VisitArchives {
  /** Returns the parts of a day (UTC, YYYY-MM-DD) as gzip; null if the day has none. */
  readDay(eventId: Uuid, day: string): Promise<ReadableStream<Uint8Array> | null>;
}

/** The rooms of events, which store visits and write their sums to D1 (decision 095). */
export interface EventRooms {
  /** Sends a part of a visit to the room of its event. Resolves to false if the room did not store it. */
  record(visitRecord: VisitRecord, timeZone: string): Promise<boolean>;
  /** Asks these rooms to write all their visits to D1. Resolves to the events whose rooms did not. */
  flush(eventIds: readonly Uuid[]): Promise<readonly Uuid[]>;
  /** Returns the parts of an event's visits. @throws when the room does not respond */
  parts(eventId: Uuid): Promise<EventParts>;
  /**
   * Deletes the visits of an event that were reported before an instant (milliseconds since 1970), in its room and in D1.
   * @throws when the room or D1 does not respond; the room then deletes later
   */
  erase(eventId: Uuid, before: number): Promise<void>;
}
