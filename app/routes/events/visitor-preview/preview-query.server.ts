import { readTypedInstant, toLocalInput } from "~/domain/shared/time-zone";

/** Query of the visitor preview: `?link=…&at=…`. */
export interface VisitorPreviewQuery {
  readonly mode: "published" | "preview";
  /** Local time in the form `2031-05-01T09:00`; an invalid time as it was typed; empty without a time. */
  readonly typedTime: string;
  /** Milliseconds since 1970; null if the typed time is invalid. */
  readonly at: number | null;
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z$/;

/** Parses the query. `at` is a local time of the time zone or an instant in UTC; if it is empty, the current time is used. */
export function parsePreviewQuery(
  search: URLSearchParams,
  timeZone: string,
  now: number,
): VisitorPreviewQuery {
  const mode = search.get("link") === "preview" ? "preview" : "published";
  const typedTime = (search.get("at") ?? "").slice(0, 64).trim();
  if (typedTime === "") return { mode, typedTime, at: now };
  const instant = INSTANT.test(typedTime)
    ? Date.parse(typedTime)
    : Date.parse(readTypedInstant(typedTime, timeZone) ?? "");
  return Number.isNaN(instant)
    ? { mode, typedTime, at: null }
    : { mode, typedTime: toLocalInput(new Date(instant).toISOString(), timeZone), at: instant };
}
