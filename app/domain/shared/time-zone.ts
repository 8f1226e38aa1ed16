import type { Instant } from "./model";

/** The time zone of an account that has not chosen one. */
export const DEFAULT_TIME_ZONE = "Asia/Tokyo";

const HOUR_MS = 3_600_000;
// Creating a formatter takes far longer than using one.
const formatters = new Map<string, Intl.DateTimeFormat>();

function getFormatter(timeZone: string): Intl.DateTimeFormat {
  let dateFormat = formatters.get(timeZone);
  if (!dateFormat) {
    dateFormat = new Intl.DateTimeFormat("en-US", {
      timeZone,
      calendar: "gregory",
      numberingSystem: "latn",
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
    });
    formatters.set(timeZone, dateFormat);
  }
  return dateFormat;
}

/** Returns whether a value is the name of a time zone that this platform supports, such as Asia/Tokyo. Plain offsets are not names. */
export function isTimeZone(value: string): boolean {
  if (value.length > 64 || !/^[A-Za-z][A-Za-z0-9_+\-/]*$/.test(value)) return false;
  try {
    getFormatter(value);
    return true;
  } catch {
    return false;
  }
}

/** Maximum number of minutes whose offsets are cached for each time zone. */
const OFFSETS_MAX = 2000;
const offsets = new Map<string, Map<number, number>>();

/**
 * Returns the offset of the zone from UTC at an instant, in milliseconds; positive when it is ahead. It is cached by minute, because all
 * changes of offsets since 1972 have happened at full minutes.
 */
function offsetAt(ms: number, timeZone: string): number {
  if (timeZone === "UTC") return 0;
  if (ms < CACHED_SINCE) return computeOffset(ms, timeZone);
  const minute = Math.floor(ms / 60_000);
  let zoneOffsets = offsets.get(timeZone);
  const cachedOffset = zoneOffsets?.get(minute);
  if (cachedOffset !== undefined) return cachedOffset;
  const offset = computeOffset(ms, timeZone);
  if (!zoneOffsets || zoneOffsets.size >= OFFSETS_MAX) {
    zoneOffsets = new Map();
    offsets.set(timeZone, zoneOffsets);
  }
  zoneOffsets.set(minute, offset);
  return offset;
}

/** Instant from which offsets are cached, in milliseconds since 1970: 1 January 1973. */
const CACHED_SINCE = Date.UTC(1973, 0, 1);

/** Returns the local time at an instant as if it were UTC: milliseconds since 1970, in whole seconds. */
const wallClock = (ms: number, timeZone: string): number =>
  Math.floor(ms / 1000) * 1000 + offsetAt(ms, timeZone);

function computeOffset(ms: number, timeZone: string): number {
  const parts: Record<string, number> = {};
  for (const { type, value } of getFormatter(timeZone).formatToParts(ms)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(ms / 1000) * 1000;
}

/**
 * Returns an instant as the value of a datetime-local field in a time zone: "YYYY-MM-DDTHH:mm". Seconds are cut off. Empty for null and
 * for an invalid date.
 */
export function toLocalInput(instant: Instant | null, timeZone: string): string {
  const ms = instant === null ? Number.NaN : Date.parse(instant);
  return Number.isNaN(ms) ? "" : new Date(wallClock(ms, timeZone)).toISOString().slice(0, 16);
}

/**
 * Returns a local time. If it is on the day of `earliest` but not after it, returns the next full hour after `earliest`, or 23:59 in the last hour of
 * the day.
 * @param local "YYYY-MM-DDTHH:mm", as `earliest`
 */
export function orNextHour(local: string, earliest: string): string {
  if (local > earliest || local.slice(0, 10) !== earliest.slice(0, 10)) return local;
  const nextHour = Number(earliest.slice(11, 13)) + 1;
  return `${earliest.slice(0, 10)}T${nextHour === 24 ? "23:59" : `${String(nextHour).padStart(2, "0")}:00`}`;
}

/**
 * Returns the local hour in a time zone: "2026-04-01T09".
 * @param ms milliseconds since 1970
 */
export const localHour = (ms: number, timeZone: string): string =>
  new Date(wallClock(ms, timeZone)).toISOString().slice(0, 13);

const LOCAL_TIME = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3}))?)?$/;

/**
 * Returns the instant of a local time in a time zone. `value` is in the form of a datetime-local field ("YYYY-MM-DDTHH:mm", optionally
 * with seconds); the result is null for any other value, and for a local time before 1970. A skipped local time moves forward by the length of
 * the gap. For a local time that occurs twice, the result is the earlier instant.
 */
export function fromLocalInput(value: string, timeZone: string): Instant | null {
  const match = LOCAL_TIME.exec(value);
  if (!match) return null;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (year < 1970 || hour > 23 || minute > 59 || second > 59) return null;
  const wall = Date.UTC(year, month - 1, day, hour, minute, second, Number((match[7] ?? "0").padEnd(3, "0")));
  const date = new Date(wall);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;

  const { before, instants } = listInstants(wall, timeZone);
  return new Date(instants[0] ?? wall - before).toISOString();
}

/** Returns the zero, one or two instants of a local time, earlier first. `before` is the offset from UTC a day earlier. */
function listInstants(wall: number, timeZone: string) {
  // No zone changes its offset twice within two days, so these are the offsets before and after any change near this time.
  const before = offsetAt(wall - 24 * HOUR_MS, timeZone);
  const after = offsetAt(wall + 24 * HOUR_MS, timeZone);
  const candidates = [...new Set([wall - before, wall - after])].sort((a, b) => a - b);
  return { before, instants: candidates.filter((ms) => ms + offsetAt(ms, timeZone) === wall) };
}

/**
 * Returns whether a local time is skipped in a time zone, as when summer time begins, or occurs twice, as when it ends; null for every
 * other time, and for an invalid one.
 */
export function clockChangeAt(local: string, timeZone: string): "skipped" | "twice" | null {
  if (fromLocalInput(local, timeZone) === null) return null;
  const { instants } = listInstants(Date.parse(`${local}Z`), timeZone);
  return instants.length === 0 ? "skipped" : instants.length === 2 ? "twice" : null;
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** Typed dates: year first, day before the name of the month, or the name of the month first. */
const DATE_FORMS = [
  /^(?<year>\d{4})\s*[-/.年]\s*(?<month>\d{1,2})\s*[-/.月]\s*(?<day>\d{1,2})日?(?:\s*\([月火水木金土日]\))?/,
  /^(?:[a-z]{3,9},?\s+)?(?<day>\d{1,2})(?:st|nd|rd|th)?\s+(?<name>[a-z]{3,9})\.?,?\s+(?<year>\d{4})/i,
  /^(?:[a-z]{3,9},\s+)?(?<name>[a-z]{3,9})\.?\s+(?<day>\d{1,2})(?:st|nd|rd|th)?,?\s+(?<year>\d{4})/i,
];

const TIME = /^\s*(?:[T,]|\bat\b)?\s*(?<hour>\d{1,2})(?::(?<minute>\d{2})|時(?:(?<minutes>\d{1,2})分)?)$/i;

/**
 * Converts a typed local time to the form of a datetime-local field, "2026-08-01T09:30". It reads the forms that people write, also in
 * full-width characters: 2026/8/1 9:30, 2026年8月1日 9時30分, 1 Aug 2026 9:30, August 1, 2026 9:30. Any other text,
 * including a date without a time, or a time with seconds, is returned normalised (NFKC) and trimmed.
 */
export function readLocal(typed: string): string {
  const text = typed.normalize("NFKC").trim();
  for (const pattern of DATE_FORMS) {
    const date = pattern.exec(text);
    const time = date && TIME.exec(text.slice(date[0].length));
    if (!date?.groups || !time?.groups) continue;
    const { year = "", month, day = "", name = "" } = date.groups;
    const monthNumber = month ?? String(MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1);
    const { hour = "", minute, minutes = "0" } = time.groups;
    if (monthNumber === "0") continue;
    const twoDigits = (value: string | number) => String(value).padStart(2, "0");
    return `${year}-${twoDigits(monthNumber)}-${twoDigits(day)}T${twoDigits(hour)}:${twoDigits(minute ?? minutes)}`;
  }
  return text;
}

const NUMERIC_DATE_TIME_WITH_SECONDS = /^(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}[ T]+\d{1,2}:\d{2})(:\d{2})$/;

/**
 * Returns the instant of a typed local time in a time zone; null for an invalid one. In every form of readLocal the time may be missing;
 * the date then means the start of that day, or with `end` the start of the following day. Seconds are read only in the numeric forms 2026-8-1,
 * 2026/8/1 and 2026.8.1.
 */
export function readTypedInstant(text: string, timeZone: string, { end = false } = {}): Instant | null {
  const typed = text.normalize("NFKC").trim();
  if (!DATE_FORMS.some((pattern) => pattern.exec(typed)?.[0] === typed)) {
    const [, time = typed, seconds = ""] = NUMERIC_DATE_TIME_WITH_SECONDS.exec(typed) ?? [];
    return fromLocalInput(`${readLocal(time)}${seconds}`, timeZone);
  }
  const local = readLocal(`${typed} 0:00`);
  if (!end || fromLocalInput(local, "UTC") === null) return fromLocalInput(local, timeZone);
  const nextDay = new Date(Date.parse(`${local}Z`) + 24 * HOUR_MS).toISOString();
  return fromLocalInput(nextDay.slice(0, 16), timeZone);
}

/** Returns a local time in the Japanese order with a 24-hour clock: "2026/08/01 09:30". Any other text is returned unchanged. */
export function writeLocal(local: string): string {
  const match = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}:\d{2})/.exec(local);
  return match ? `${match[1]}/${match[2]}/${match[3]} ${match[4]}` : local;
}

/** Returns an instant in the local time of a time zone with its offset from UTC: "2026-08-01T14:30:00+09:00". */
export function zonedIso(instant: Instant, timeZone: string): string {
  const ms = Date.parse(instant);
  const minutes = Math.round(offsetAt(ms, timeZone) / 60_000);
  const twoDigits = (value: number) => String(value).padStart(2, "0");
  const [hours, restMinutes] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const wall = new Date(ms + minutes * 60_000).toISOString().slice(0, 19);
  return `${wall}${minutes < 0 ? "-" : "+"}${twoDigits(hours)}:${twoDigits(restMinutes)}`;
}
