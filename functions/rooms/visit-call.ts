/**
 * The message in which an isolate of the web worker sends parts of visits to an event's room (decision 095). A part of a visit is one report of a visitor's
 * page; a room is the Durable Object that collects the parts of an event.
 */
import {
  DWELL_SECONDS_MAX,
  isHost,
  VISIT_ACTIONS,
  VISIT_LIST_MAX,
  VISIT_PARTS_MAX,
  type VisitRecord,
} from "~/domain/analytics/visit";
import { isRecord } from "~/domain/shared/is-record";
import type { Uuid } from "~/domain/shared/model";
import { localHour } from "~/domain/shared/time-zone";
import { isShard } from "./room-shards";

/** Maximum difference between the clocks of an isolate and a room, in milliseconds. Beyond it, the time of arrival is used. */
const CLOCK_ERROR_MAX_MS = 10 * 60_000;
/** Version of the message. A room accepts every version from 1 to its own. Version 1 has no shard. */
export const CALL_VERSION = 2;
/** Maximum length of the parts of one call, in characters of JSON. A single part is much shorter. */
export const CALL_CHARACTERS_MAX = 256 * 1024;
/** Maximum number of parts of one call. */
export const CALL_PARTS_MAX = 500;

/** A part of a visit in the message to its event's room, which knows the event. */
export type SentVisitRecord = Omit<VisitRecord, "eventId">;

/** Parts of visits of one event, sent by one isolate. */
export interface VisitCall {
  readonly version: number;
  readonly eventId: Uuid;
  /** The shard of the room that receives the call (decision 104); 0, or missing, for the room itself. */
  readonly shard?: number;
  /** A random name of the isolate. */
  readonly isolate: string;
  /** Number of the call within the isolate. A repeated call keeps its number. */
  readonly sequence: number;
  /** The event's time zone, an IANA name. */
  readonly timeZone: string;
  /** Number of parts in `signs`. */
  readonly count: number;
  /** JSON list of SentVisitRecord. */
  readonly signs: string;
}

/** A call in the log of a room or of a shard. */
export interface StoredCall extends Pick<VisitCall, "isolate" | "sequence" | "timeZone" | "count" | "signs"> {
  /** Number of the call in this log. */
  readonly id: number;
  /** Epoch milliseconds. */
  readonly receivedAt: number;
}

/** The result of a call. `stored`: the room has all parts of the call, from this or an earlier attempt. */
export type RecordResult = "stored" | "rejected";

const TEXT_MAX = 300;
const isText = (value: unknown, max = TEXT_MAX): value is string =>
  typeof value === "string" && value.length <= max;
const isCount = (value: unknown, max: number): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= max;

/** Returns a word for the reason for which a call is rejected, for the log; null for a valid call. */
export function callProblem(call: VisitCall): string | null {
  if (!isCount(call.version, CALL_VERSION) || call.version < 1) return "version";
  if (!isShard(call.shard ?? 0)) return "room";
  if (!isText(call.isolate, 64) || call.isolate === "" || !isCount(call.sequence, Number.MAX_SAFE_INTEGER))
    return "sequence";
  if (!isText(call.signs, CALL_CHARACTERS_MAX)) return "length";
  if (!isText(call.timeZone, 64) || !isCount(call.count, CALL_PARTS_MAX)) return "parts";
  return null;
}

/** Whether a time that an isolate stated can be right, given the time of its arrival. Both in milliseconds since 1970. */
const isPlausibleTime = (stated: number, arrivedAt: number): boolean =>
  Math.abs(stated - arrivedAt) <= CLOCK_ERROR_MAX_MS;

/** Returns a time that an isolate stated, or the time of its arrival if the clock of the isolate must be wrong. Both in milliseconds since 1970. */
export const correctTime = (stated: number, arrivedAt: number): number =>
  isPlausibleTime(stated, arrivedAt) ? stated : arrivedAt;

/** Parses the parts of a call. Invalid parts are left out and counted. */
export function readVisitRecords(text: string): {
  readonly records: readonly SentVisitRecord[];
  readonly invalid: number;
} {
  let values: unknown;
  try {
    values = JSON.parse(text);
  } catch {
    return { records: [], invalid: 1 };
  }
  if (!Array.isArray(values)) return { records: [], invalid: 1 };
  const records = values.slice(0, CALL_PARTS_MAX).filter(isVisitRecord);
  return { records, invalid: values.length - records.length };
}

/** Reads the parts of a stored call of an event. Invalid parts are left out, and implausible times are replaced by the time of arrival; both are counted. */
export function readCall({ signs, receivedAt, timeZone }: StoredCall, eventId: Uuid) {
  const { records, invalid } = readVisitRecords(signs);
  let repaired = 0;
  return {
    records: records.map((record): VisitRecord => {
      if (isPlausibleTime(record.at, receivedAt)) return { ...record, eventId };
      repaired++;
      return { ...record, eventId, at: receivedAt, hour: hourIn(receivedAt, timeZone) ?? record.hour };
    }),
    invalid,
    repaired,
  };
}

/** Returns the hour of a time in a time zone; null if the zone is unknown. */
function hourIn(at: number, timeZone: string): string | null {
  try {
    return localHour(at, timeZone);
  } catch {
    return null;
  }
}

function isVisitRecord(value: unknown): value is SentVisitRecord {
  if (!isRecord(value)) return false;
  const { visit, part, at, hour, visitor, traits, things, stays } = value;
  return (
    isText(visit, 64) &&
    isCount(part, VISIT_PARTS_MAX) &&
    isCount(at, Number.MAX_SAFE_INTEGER) &&
    isText(hour) &&
    /^\d{4}-\d{2}-\d{2}T\d{2}$/.test(hour) &&
    isText(visitor, 64) &&
    areTraits(traits) &&
    Array.isArray(things) &&
    things.length <= VISIT_LIST_MAX &&
    things.every(isVisitedItem) &&
    Array.isArray(stays) &&
    stays.length <= VISIT_LIST_MAX &&
    stays.every(isVisitDuration)
  );
}

const areTraits = (value: unknown): boolean =>
  isRecord(value) &&
  isText(value.lang) &&
  isText(value.device) &&
  isText(value.country) &&
  (value.from === null || value.from === "" || (isText(value.from) && isHost(value.from)));

const isVisitedItem = (value: unknown): boolean =>
  isRecord(value) &&
  VISIT_ACTIONS.some((action) => action === value.act) &&
  isText(value.id) &&
  (value.title === undefined || isTitle(value.title));

// An invalid title would fail in D1, and the room would repeat its flush for ever.
const isTitle = (value: unknown): boolean => isRecord(value) && isText(value.lang) && isText(value.text);

const isVisitDuration = (value: unknown): boolean =>
  isRecord(value) && isText(value.place) && isCount(value.seconds, DWELL_SECONDS_MAX * VISIT_LIST_MAX);
