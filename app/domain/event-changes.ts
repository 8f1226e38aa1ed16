import type { EventFormInput, EventFormValue } from "./event-form";
import type { Event, UrlParams } from "./model";
import { normaliseText } from "./text";
import { readLocal } from "./time-zone";

/** The fields of the event form that can change. */
export type EventField = Exclude<keyof EventFormValue, "version">;

function sameInstant(a: string | null, b: string | null): boolean {
  return a === b || (a !== null && b !== null && Date.parse(a) === Date.parse(b));
}

function sameParams(a: UrlParams, b: UrlParams): boolean {
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && String(a[name]) === String(b[name]))
  );
}

/** The fields in which a checked form differs from the saved event, in the order of the form. */
export function changedFields(saved: Event, value: EventFormValue): EventField[] {
  const changed: Record<EventField, boolean> = {
    eventName: saved.eventName !== value.eventName,
    startDate: !sameInstant(saved.startDate, value.startDate),
    endDate: !sameInstant(saved.endDate, value.endDate),
    statusId: saved.statusId !== value.statusId,
    enableAutoChangeStatus: saved.enableAutoChangeStatus !== value.enableAutoChangeStatus,
    eventDetail: saved.eventDetail !== value.eventDetail,
    spStoreUrl: saved.spStoreUrl !== value.spStoreUrl,
    spAccessToken: value.spAccessToken !== undefined && saved.spAccessToken !== value.spAccessToken,
    publishPassword:
      value.publishPassword.action === "set" ||
      (value.publishPassword.action === "remove" && saved.hasPublishPassword),
    urlParams: !sameParams(saved.urlParams, value.urlParams),
  };
  return (Object.keys(changed) as EventField[]).filter((field) => changed[field]);
}

/** Whether a checked form differs from the saved event in anything: without that there is nothing to update (§5). */
export function hasChanges(saved: Event, value: EventFormValue): boolean {
  return changedFields(saved, value).length > 0;
}

/**
 * Whether a form that may not be valid yet differs from how it opened (`eventFormInput`): what enables Update while
 * somebody types. A store token that it leaves out is no difference.
 */
export function inputDiffers(opened: EventFormInput, current: EventFormInput): boolean {
  const { spAccessToken = opened.spAccessToken } = current;
  return JSON.stringify(comparable(opened)) !== JSON.stringify(comparable({ ...current, spAccessToken }));
}

function comparable(input: EventFormInput): unknown {
  const text = (value: unknown) => normaliseText(String(value ?? ""));
  const flag = (value: unknown) => value === true || value === "on" || value === "true" || value === "1";
  const params = new Map<string, string>();
  for (const [name, value] of Object.entries(input.urlParams ?? {})) params.set(name, text(value));
  for (const { name, value } of input.extraParams ?? []) if (name !== "") params.set(name, text(value));
  return [
    text(input.eventName),
    readLocal(text(input.startDate)),
    readLocal(text(input.endDate)),
    text(input.statusId),
    flag(input.enableAutoChangeStatus),
    text(input.eventDetail),
    text(input.spStoreUrl),
    text(input.spAccessToken),
    input.publishPassword ?? "",
    flag(input.removePublishPassword),
    [...params].filter(([, value]) => value !== "").sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)),
  ];
}
