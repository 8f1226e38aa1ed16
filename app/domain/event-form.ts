import type { Event, EventStatusId, Instant, UrlParams } from "./model";
import { toLocalInput } from "./time-zone";

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
