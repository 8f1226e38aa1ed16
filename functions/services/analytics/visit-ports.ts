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

/** The daily salts with which visitors are hashed. All isolates share them. The storage must not be able to restore a deleted salt. */
export interface SaltStore {
  /** Returns the stored salt of a day. If there is none, stores the given one. */
  getOrCreate(day: ZoneDay, newSalt: string): Promise<string>;
  /** Deletes the salts of days that ended at an instant or earlier. */
  deleteExpired(before: Instant): Promise<void>;
}

/** Rate limit that is checked before a visit is counted. */
export interface VisitAdmission {
  /** Returns false when a network, or a user agent in it, sends more than people can cause; the visit is then not counted. */
  admits(network: string, userAgent: string): Promise<boolean>;
}

/** A time range in milliseconds since 1970. */
export interface TimeRange {
  readonly since: number;
  readonly until: number;
}

/** The parts of an event's visits: gzip of one JSON object a line (docs/formats.md). */
export interface EventParts {
  /** Names of the objects in R2, in the order of their parts. A name begins with the day (UTC, YYYY-MM-DD) of its parts. */
  readonly objectNames: readonly string[];
  /** All later parts. */
  readonly recent: ReadableStream<Uint8Array>;
}

/** The parts of visits that rooms (see EventRooms) have stored in R2. */
export interface VisitArchives {
  /** Returns the parts of an object as gzip; null if R2 does not have it. */
  readObject(eventId: Uuid, name: string): Promise<ReadableStream<Uint8Array> | null>;
}

/** Result of asking rooms to write their visits to D1. */
export interface FlushResult {
  /** The events whose rooms did not write their visits. */
  readonly failed: readonly Uuid[];
  /** Time ranges of single visits that are lost, by event. They are missing in the export, but not in the numbers. */
  readonly lost: ReadonlyMap<Uuid, TimeRange>;
}

/** The rooms of events, one Durable Object per event, which store visits and write their sums to D1 (decision 095). */
export interface EventRooms {
  /** Sends a part of a visit to the room of its event. Resolves to false if the room did not store it. */
  record(visitRecord: VisitRecord, timeZone: string): Promise<boolean>;
  /** Asks these rooms to write all their visits to D1. */
  flush(eventIds: readonly Uuid[]): Promise<FlushResult>;
  /** Returns the parts of an event's visits. @throws when the room does not respond */
  parts(eventId: Uuid): Promise<EventParts>;
  /**
   * Deletes the visits of an event that were reported before an instant (milliseconds since 1970), in its room, in D1 and in R2.
   * @throws when the room, D1 or R2 does not respond; the room then deletes later
   */
  erase(eventId: Uuid, before: number): Promise<void>;
}
