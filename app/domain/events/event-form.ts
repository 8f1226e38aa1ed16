import type { Event, EventStatusId, Instant, Lang, Localized, UrlParams } from "../shared/model";
import { fromLocalInput, readLocal, toLocalInput } from "../shared/time-zone";
import {
  EVENT_STATUS,
  EVENT_STATUS_IDS,
  futureStartIfPublished,
  linkOpensAt,
  overruledStatus,
} from "./status";

const MINUTE_MS = 60_000;

/** A text by language, as a form or the API sends it. A missing language is empty. */
export type LocalizedInput = Partial<Record<Lang, string | null>>;

/**
 * The fields of the event form (specification §2) by name, as a form or the API sends them. A checkbox is "on", empty or missing; the API sends
 * booleans. A date is a local time in the account's time zone, or an ISO instant.
 */
export type EventFormInput = {
  version: string | number;
  /** The fields are named eventName.ja and eventName.en. */
  eventName: LocalizedInput;
  startDate: string | null;
  endDate: string | null;
  statusId: string | number;
  enableAutoChangeStatus?: string | boolean | null;
  eventDetail: LocalizedInput;
  /** URL of the event's Shopify store; `sp` stands for Shopify. */
  spStoreUrl: string | null;
  /** An empty value keeps the saved token, as long as the store stays the same. */
  spAccessToken?: string | null;
  /** A new password; an empty value keeps the saved one. */
  publishPassword?: string | null;
  removePublishPassword?: string | boolean | null;
  showBeforePassword?: string | boolean | null;
  /** The user's choice for a secret that the page could not show again after a failed save (LOST_SECRET_CHOICES). */
  publishPasswordAgain?: string | null;
  spAccessTokenAgain?: string | null;
  /** The tested token, sealed: encrypted, so that the page can carry it (TestedStore). */
  spAccessTokenTested?: string | null;
  /** Parameters by name. The fields are named urlParams.<name>. */
  urlParams?: Record<string, string | number | null | undefined>;
  /** Parameters without a field of their own, as name and value. The fields are named extraParams[0].name and extraParams[0].value. */
  extraParams?: { name: string; value: string }[];
};

/** Message keys of a save that failed (specification §8). */
export const UPDATE_FAILURE_KEYS = ["events:errors.event.issue", "events:errors.event.updateFailed"] as const;

/** Secret fields. No page shows them, and no log contains them. */
export const EVENT_FORM_SECRETS = ["publishPassword", "spAccessToken"] as const satisfies readonly (
  | keyof EventFormInput
  | keyof EventFormValue
)[];

/** One of the secret fields. */
export type EventFormSecret = (typeof EVENT_FORM_SECRETS)[number];

/**
 * Choices for a secret that was typed into a form that could not be saved: type it again, or keep the saved one. Without them, the next
 * save would drop the secret silently.
 */
export const LOST_SECRET_CHOICES = ["type", "keep"] as const;

/** One of the choices for a lost secret. "tested" exists only for a store's token: the one that was just tested (TestedStore). */
export type LostSecretChoice = (typeof LOST_SECRET_CHOICES)[number] | "tested";

/** A store whose token was tested by a form without scripts. The page contains the token sealed, so that it cannot be read there. */
export interface TestedStore {
  /** The https origin. */
  readonly storeUrl: string;
  readonly sealedToken: string;
}

/** The change of the event's publish password. */
export type PublishPasswordChange =
  | { readonly action: "keep" }
  | { readonly action: "remove" }
  | { readonly action: "set"; readonly password: string };

/** The validated event form, which a service saves. */
export interface EventFormValue {
  /** The version that the form was filled from. */
  readonly version: number;
  readonly eventName: Localized;
  readonly startDate: Instant | null;
  readonly endDate: Instant | null;
  readonly statusId: EventStatusId;
  readonly enableAutoChangeStatus: boolean;
  readonly eventDetail: Localized;
  /** The https origin without a trailing slash. */
  readonly spStoreUrl: string | null;
  /** undefined keeps the saved token; allowed only while the store stays the same. */
  readonly spAccessToken: string | null | undefined;
  readonly publishPassword: PublishPasswordChange;
  readonly showBeforePassword: boolean;
  readonly urlParams: UrlParams;
}

/**
 * Returns the initial form of a saved event, with dates in the account's time zone. It is also the base for callers that send only some fields:
 * `{...eventFormInput(event, timeZone), ...sent}` changes only these fields (a caller that replaces urlParams also replaces extraParams). `offered`
 * lists the parameters that have a field of their own.
 */
export function eventFormInput(
  event: Event,
  timeZone: string,
  offered: readonly string[] = [],
): EventFormInput {
  const offeredNames = new Set(offered);
  const entries = Object.entries(event.urlParams);
  return {
    version: event.version,
    eventName: event.eventName,
    startDate: toLocalInput(event.startDate, timeZone),
    endDate: toLocalInput(event.endDate, timeZone),
    statusId: event.statusId,
    enableAutoChangeStatus: event.enableAutoChangeStatus ? "on" : "",
    eventDetail: event.eventDetail,
    spStoreUrl: event.spStoreUrl ?? "",
    spAccessToken: event.spAccessToken ?? "",
    publishPassword: "",
    removePublishPassword: "",
    showBeforePassword: event.showBeforePassword ? "on" : "",
    urlParams: Object.fromEntries(
      entries.filter(([name]) => offeredNames.has(name)).map(([name, value]) => [name, String(value)]),
    ),
    extraParams: entries
      .filter(([name]) => !offeredNames.has(name))
      .map(([name, value]) => ({ name, value: String(value) })),
  };
}

/** Effect of a form on the event's status that its owner may not expect. */
export type StatusNotice =
  /** The start was changed to a time that has passed, so the form cannot be saved. */
  | { readonly kind: "startPast" }
  /** The end is before the start, so the form cannot be saved. */
  | { readonly kind: "endBeforeStart" }
  /** The dates set this status instead of the chosen one. */
  | { readonly kind: "overruled"; readonly statusId: EventStatusId }
  /** The event is Published without a start. */
  | { readonly kind: "opensAtOnce" }
  /** The event is Published before its start. */
  | { readonly kind: "opensNow"; readonly start: Instant }
  /** The dates open the event to visitors at this time. */
  | { readonly kind: "opensLater"; readonly at: Instant };

/** Values of the form that decide a status notice. */
type StatusChoice = Pick<EventFormInput, "statusId" | "startDate" | "endDate" | "enableAutoChangeStatus">;

/**
 * Returns the effect that saving a form at `now` (milliseconds since 1970) would have on the status; null if the chosen status simply applies, or none
 * is chosen. A date that cannot be read has no effect.
 * @param saved saved dates with which the form was filled
 */
export function statusNotice(
  form: StatusChoice,
  {
    timeZone,
    now,
    saved,
  }: {
    readonly timeZone: string;
    readonly now: number;
    readonly saved: Pick<Event, "startDate" | "endDate">;
  },
): StatusNotice | null {
  const statusId = EVENT_STATUS_IDS.find((id) => String(id) === String(form.statusId));
  if (statusId === undefined) return null;
  // A manipulated request may contain a value that is not a string. It is read as empty here; the field's own schema rejects it.
  const localTime = (value: unknown) => readLocal(typeof value === "string" ? value : "");
  // As in createEventSchema, a field that still shows the saved date stands for the exact saved instant with its seconds.
  const showsSavedDate = (name: "startDate" | "endDate") =>
    saved[name] !== null && localTime(form[name]) === toLocalInput(saved[name], timeZone);
  const readDate = (name: "startDate" | "endDate") =>
    showsSavedDate(name) ? saved[name] : fromLocalInput(localTime(form[name]), timeZone);
  const startDate = readDate("startDate");
  // A start is typed to the minute, so any time of the current minute counts as now.
  const isPast = startDate !== null && Date.parse(startDate) < Math.floor(now / MINUTE_MS) * MINUTE_MS;
  if (isPast && !showsSavedDate("startDate")) return { kind: "startPast" };
  const endDate = readDate("endDate");
  if (startDate !== null && endDate !== null && Date.parse(endDate) < Date.parse(startDate))
    return { kind: "endBeforeStart" };
  const timing = {
    statusId,
    startDate,
    endDate,
    enableAutoChangeStatus: form.enableAutoChangeStatus === "on" || form.enableAutoChangeStatus === true,
  };
  const overruled = overruledStatus(timing, now);
  if (overruled !== null) return { kind: "overruled", statusId: overruled };
  if (String(form.startDate ?? "") === "" && statusId === EVENT_STATUS.published)
    return { kind: "opensAtOnce" };
  if (startDate !== null && futureStartIfPublished(timing, now) !== null)
    return { kind: "opensNow", start: startDate };
  const opensAt = linkOpensAt(timing, "published", now);
  return opensAt === null ? null : { kind: "opensLater", at: new Date(opensAt).toISOString() };
}

/**
 * Returns the values of the form for an event that opens as soon as it is saved and starts in the current minute. If the end is not after
 * the start, the start is returned empty, so that only the end has an error. When a clock change repeats an hour, the start is also empty in the
 * second of the two hours, because a local time that occurs twice means the first one.
 * @param endDate text of the end's field
 * @param now milliseconds since 1970
 */
export function openNowValues(endDate: string, now: number, timeZone: string) {
  const minute = new Date(Math.floor(now / MINUTE_MS) * MINUTE_MS).toISOString();
  const start = toLocalInput(minute, timeZone);
  const end = readLocal(endDate);
  const isStartPossible = fromLocalInput(start, timeZone) === minute && (end === "" || start < end);
  return {
    statusId: EVENT_STATUS.published,
    startDate: isStartPossible ? start : "",
  } as const satisfies Partial<EventFormInput>;
}

/** Returns the values of the form for an event that waits for its start: its saved status if that is Unpublished or Preview, otherwise Preview. */
export function waitForStartValues(saved: Pick<Event, "statusId">): {
  readonly statusId: EventStatusId;
  readonly enableAutoChangeStatus: "on";
} {
  const waits = saved.statusId === EVENT_STATUS.unpublished || saved.statusId === EVENT_STATUS.preview;
  return { statusId: waits ? saved.statusId : EVENT_STATUS.preview, enableAutoChangeStatus: "on" };
}
