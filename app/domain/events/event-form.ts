import type { Event, EventStatusId, Instant, UrlParams } from "../shared/model";
import { fromLocalInput, readLocal, toLocalInput } from "../shared/time-zone";
import { EVENT_STATUS_IDS, overruledStatus } from "./status";

/**
 * The fields of the event form (§2) by their names, as a form or the API hands them in. A checkbox is "on" or missing.
 * Dates are the value of a datetime-local field in the account's time zone, or an ISO instant.
 */
export type EventFormInput = {
  version: string | number;
  eventName: string;
  startDate: string | null;
  endDate: string | null;
  statusId: string | number;
  enableAutoChangeStatus?: string | boolean | null;
  eventDetail: string | null;
  spStoreUrl: string | null;
  /** Empty keeps the token that is saved, as long as the store stays the same. */
  spAccessToken?: string | null;
  /** A new password; empty keeps what is set. */
  publishPassword?: string | null;
  removePublishPassword?: string | boolean | null;
  /** Sent by a form that came back without a secret that had been typed: what is to become of it (LostSecretChoice). */
  publishPasswordAgain?: string | null;
  spAccessTokenAgain?: string | null;
  /** The token that was tested, locked (TestedStore). */
  spAccessTokenTested?: string | null;
  /** Parameters by name: the fields are named urlParams.<name>. */
  urlParams?: Record<string, string | number | null | undefined>;
  /** Parameters that are not offered, as name and value: the fields are named extraParams[0].name, extraParams[0].value. */
  extraParams?: { name: string; value: string }[];
};

/** The fields that no form shows, no answer repeats and no log names: what is typed into them is typed again. */
export const EVENT_FORM_SECRETS = ["publishPassword", "spAccessToken"] as const satisfies readonly (
  | keyof EventFormInput
  | keyof EventFormValue
)[];

/** One of the fields that are never shown again. */
export type EventFormSecret = (typeof EVENT_FORM_SECRETS)[number];

/**
 * What becomes of a secret that was typed into a form that could not be saved: it is typed again, or what is saved stays.
 * Nothing else is taken for an answer, so that a save never drops it in silence.
 */
export const LOST_SECRET_CHOICES = ["type", "keep"] as const;

/** One of the answers to what becomes of a lost secret; "tested" is for a store's token alone: the one that was just tested (TestedStore). */
export type LostSecretChoice = (typeof LOST_SECRET_CHOICES)[number] | "tested";

/** A store whose token a form without scripts has tested, and which the page carries locked: nobody can read it there. */
export interface TestedStore {
  /** https origin. */
  readonly storeUrl: string;
  readonly locked: string;
}

/** What to do with the event's publish password. */
export type PublishPasswordChange =
  | { readonly action: "keep" }
  | { readonly action: "remove" }
  | { readonly action: "set"; readonly password: string };

/** The event form once it is checked: what a service saves. */
export interface EventFormValue {
  /** The version that the form started from. */
  readonly version: number;
  readonly eventName: string;
  readonly startDate: Instant | null;
  readonly endDate: Instant | null;
  readonly statusId: EventStatusId;
  readonly enableAutoChangeStatus: boolean;
  readonly eventDetail: string;
  /** https origin without a slash at the end. */
  readonly spStoreUrl: string | null;
  /** undefined keeps the token that is saved; only while it is the same store. */
  readonly spAccessToken: string | null | undefined;
  readonly publishPassword: PublishPasswordChange;
  readonly urlParams: UrlParams;
}

/**
 * The form as it opens on a saved event, dates in the account's time zone. Also the base for callers that send only some
 * fields: `{...eventFormInput(event, timeZone), ...theirs}` changes only theirs (whoever replaces urlParams replaces
 * extraParams as well). `offered` are the names of the parameters that have a field of their own.
 */
export function eventFormInput(
  event: Event,
  timeZone: string,
  offered: readonly string[] = [],
): EventFormInput {
  const known = new Set(offered);
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
    urlParams: Object.fromEntries(
      entries.filter(([name]) => known.has(name)).map(([name, value]) => [name, String(value)]),
    ),
    extraParams: entries
      .filter(([name]) => !known.has(name))
      .map(([name, value]) => ({ name, value: String(value) })),
  };
}

/**
 * The status that would hold instead of the one that the form chooses, were it saved at `now` (milliseconds since 1970);
 * null when the choice would hold, or cannot be read yet.
 */
export function overruledChoice(
  form: Pick<EventFormInput, "statusId" | "startDate" | "endDate" | "enableAutoChangeStatus">,
  timeZone: string,
  now: number,
): EventStatusId | null {
  const statusId = EVENT_STATUS_IDS.find((id) => String(id) === String(form.statusId));
  if (statusId === undefined) return null;
  // What came by a form that was sent by hand may be no text: such a field is read as an empty one, and refused beside itself.
  const instant = (local: unknown) =>
    fromLocalInput(readLocal(typeof local === "string" ? local : ""), timeZone);
  return overruledStatus(
    {
      statusId,
      startDate: instant(form.startDate),
      endDate: instant(form.endDate),
      enableAutoChangeStatus: form.enableAutoChangeStatus === "on" || form.enableAutoChangeStatus === true,
    },
    now,
  );
}
