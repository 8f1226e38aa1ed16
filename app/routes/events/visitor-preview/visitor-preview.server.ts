import { readMoment, toLocalInput } from "~/domain/shared/time-zone";

/** What an owner asks to see as a visitor: `?link=…&at=…`. */
export interface AskedAsVisitor {
  readonly mode: "published" | "preview";
  /** As it was typed. */
  readonly typed: string;
  /** Milliseconds since 1970; null when nothing that makes sense was typed. */
  readonly at: number | null;
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z$/;

/** Reads it from an address; `at` is on the clocks of a time zone or an instant in UTC, and now when it is empty. */
export function readAsked(search: URLSearchParams, timeZone: string, now: number): AskedAsVisitor {
  const mode = search.get("link") === "preview" ? "preview" : "published";
  const typed = (search.get("at") ?? "").slice(0, 64).trim();
  if (typed === "") return { mode, typed, at: now };
  const instant = INSTANT.test(typed) ? Date.parse(typed) : Date.parse(readMoment(typed, timeZone) ?? "");
  return Number.isNaN(instant)
    ? { mode, typed, at: null }
    : { mode, typed: toLocalInput(new Date(instant).toISOString(), timeZone), at: instant };
}
