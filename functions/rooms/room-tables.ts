/**
 * The tables of a room's storage, and its settings. A room is the Durable Object that collects an event's visits. `calls` has the received messages with
 * parts of visits, `visits` the numbers of the counted parts of each visit, `visitors` the state of each visitor on a day, and `flushes` the sums for D1.
 */
import type { Uuid } from "~/domain/shared/model";

/** The part of Durable Object storage that the log (VisitLog) uses. */
export interface RoomStorage {
  readonly sql: {
    exec(query: string, ...bindings: (string | number | null)[]): { toArray(): Record<string, unknown>[] };
  };
  /** Runs statements that are applied all together or not at all. */
  transactionSync<T>(run: () => T): T;
}

/** Objects in R2 by their names, which are in the column `day` (see ArchiveIndex). `expires_at` in milliseconds since 1970 is 0 for an erased object, and negative while the object is being written. */
export const CREATE_ARCHIVES_TABLE = `
CREATE TABLE IF NOT EXISTS archives (day TEXT PRIMARY KEY, expires_at INTEGER NOT NULL) WITHOUT ROWID;`;
const CREATE_TABLES = `
CREATE TABLE calls (id INTEGER PRIMARY KEY, isolate TEXT NOT NULL, sequence INTEGER NOT NULL, received_at INTEGER NOT NULL,
  time_zone TEXT NOT NULL, count INTEGER NOT NULL, signs TEXT NOT NULL, UNIQUE (isolate, sequence));
CREATE TABLE visits (visit TEXT PRIMARY KEY, parts TEXT NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE visitors (day TEXT NOT NULL, visitor TEXT NOT NULL, state TEXT NOT NULL, PRIMARY KEY (day, visitor)) WITHOUT ROWID;
CREATE TABLE flushes (sequence INTEGER PRIMARY KEY, kind TEXT NOT NULL, sealed_at INTEGER NOT NULL, content TEXT NOT NULL);
CREATE TABLE settings (name TEXT PRIMARY KEY, value NOT NULL) WITHOUT ROWID;`;

/** The settings of a room. */
export type Settings = {
  /** Random name of this storage. A room whose storage was lost starts again with another name. */
  room: string;
  event_id: Uuid;
  /** Id of the last sealed call. The parts of sealed calls are counted in a flush. */
  sealed: number;
  /** Sequence of the last flush. */
  sequence: number;
  /** Sequence that D1 had at the last successful flush. */
  flushed: number;
  /** Parts from before this time are not counted, in milliseconds since 1970. */
  erased_before: number;
  /** Time at which the event was first missing in D1, in milliseconds since 1970; 0 while D1 has it. */
  missing_since: number;
  /** See VisitLog.shard and VisitLog.shards. */
  shard: number;
  shards: number;
  /** Time at which shards were added, in milliseconds since 1970. */
  grown_at: number;
  /** See VisitLog.lostParts; 0 if no parts are lost. */
  lost_since: number;
  lost_until: number;
  /** The last day (UTC) on which expired data was deleted. */
  maintained_on: string;
  /** Whether the index has the objects in R2 that an earlier storage of the room wrote: 0 in a new storage, then 1. */
  objects_listed: number;
};

/** Defaults of settings that were added later: the tables of older rooms do not have them. */
const DEFAULT_SETTINGS = {
  shard: 0,
  shards: 1,
  grown_at: 0,
  lost_since: 0,
  lost_until: 0,
  maintained_on: "",
  objects_listed: 1,
};

/** Returns a setting. The tables must exist. */
export function getSetting<Name extends keyof Settings>({ sql }: RoomStorage, name: Name): Settings[Name] {
  const [row] = sql.exec("SELECT value FROM settings WHERE name = ?", name).toArray();
  return (row ? row.value : (DEFAULT_SETTINGS as Partial<Settings>)[name]) as Settings[Name];
}

/** Changes a setting. The tables must exist. */
export function setSetting<Name extends keyof Settings>(
  storage: RoomStorage,
  name: Name,
  value: Settings[Name],
): void {
  if (getSetting(storage, name) === value) return;
  storage.sql.exec("INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)", name, value);
}

/** Creates all tables, with the settings of an empty room. */
export function createTables(
  storage: RoomStorage,
  initialSettings: Pick<Settings, "room" | "event_id" | "shard">,
): void {
  storage.transactionSync(() => {
    storage.sql.exec(CREATE_TABLES + CREATE_ARCHIVES_TABLE);
    const settings = {
      sealed: 0,
      sequence: 0,
      flushed: 0,
      erased_before: 0,
      missing_since: 0,
      ...DEFAULT_SETTINGS,
      objects_listed: 0,
      ...initialSettings,
    };
    for (const [name, value] of Object.entries(settings))
      storage.sql.exec("INSERT INTO settings (name, value) VALUES (?, ?)", name, value);
  });
}
