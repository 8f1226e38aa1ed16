import type { Instant, Uuid } from "../shared/model";

/** An event as an entry of a calendar. */
export interface CalendarEntry {
  readonly id: Uuid;
  readonly name: string;
  readonly start: Instant;
  /** Null for an event without an end; calendars show it at its start. */
  readonly end: Instant | null;
  readonly url: string;
  /** Host of the product, which makes the entry's id unique. */
  readonly host: string;
}

/** Maximum length of a line, in octets (RFC 5545 §3.1). */
const LINE_MAX = 75;

/** Escapes a text value (RFC 5545 §3.3.11). */
const escapeText = (text: string) => text.replace(/[\\;,]/g, "\\$&").replace(/\r?\n/g, "\\n");

/** Formats an instant as a time in UTC (RFC 5545 §3.3.5). */
const toUtcTime = (instant: Instant) => `${instant.slice(0, 19).replace(/[-:]/g, "")}Z`;

/** Folds a line, without splitting a character. */
function foldLine(line: string): string {
  const lines: string[] = [];
  let current = "";
  let bytes = 0;
  for (const character of line) {
    const size = new TextEncoder().encode(character).length;
    if (bytes + size > LINE_MAX) {
      lines.push(current);
      current = " ";
      bytes = 1;
    }
    current += character;
    bytes += size;
  }
  return [...lines, current].join("\r\n");
}

/** Returns an iCalendar file (RFC 5545) with one event. @param now milliseconds since 1970 */
export function calendarFile({ id, name, start, end, url, host }: CalendarEntry, now: number): string {
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Hiroba//Event//EN",
    "BEGIN:VEVENT",
    `UID:${id}@${host}`,
    `DTSTAMP:${toUtcTime(new Date(now).toISOString())}`,
    `DTSTART:${toUtcTime(start)}`,
    ...(end === null ? [] : [`DTEND:${toUtcTime(end)}`]),
    `SUMMARY:${escapeText(name)}`,
    `DESCRIPTION:${escapeText(url)}`,
    `URL:${url}`,
    "END:VEVENT",
    "END:VCALENDAR",
  ];
  return `${lines.map(foldLine).join("\r\n")}\r\n`;
}
