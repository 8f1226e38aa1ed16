import { LANGS } from "../shared/lang";
import type { Event, EventStatusId, Instant, Lang, Localized, UrlParams } from "../shared/model";
import { normaliseText } from "../shared/text";
import { readLocal, toLocalInput } from "../shared/time-zone";
import type { EventFormInput, EventFormSecret, EventFormValue } from "./event-form";

/** The fields of the event form that can change. */
export type EventField = Exclude<keyof EventFormValue, "version">;

function isSameInstant(a: string | null, b: string | null): boolean {
  return a === b || (a !== null && b !== null && Date.parse(a) === Date.parse(b));
}

const differingLangs = (a: Localized, b: Localized) => LANGS.filter((lang) => a[lang] !== b[lang]);

function isSameParams(a: UrlParams, b: UrlParams): boolean {
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && String(a[name]) === String(b[name]))
  );
}

const HAS_CHANGED: Readonly<Record<EventField, (saved: Event, value: EventFormValue) => boolean>> = {
  eventName: (saved, value) => differingLangs(saved.eventName, value.eventName).length > 0,
  startDate: (saved, value) => !isSameInstant(saved.startDate, value.startDate),
  endDate: (saved, value) => !isSameInstant(saved.endDate, value.endDate),
  statusId: (saved, value) => saved.statusId !== value.statusId,
  enableAutoChangeStatus: (saved, value) => saved.enableAutoChangeStatus !== value.enableAutoChangeStatus,
  eventDetail: (saved, value) => differingLangs(saved.eventDetail, value.eventDetail).length > 0,
  spStoreUrl: (saved, value) => saved.spStoreUrl !== value.spStoreUrl,
  spAccessToken: (saved, value) =>
    value.spAccessToken !== undefined && saved.spAccessToken !== value.spAccessToken,
  publishPassword: (saved, { publishPassword: { action } }) =>
    action === "set" || (action === "remove" && saved.hasPublishPassword),
  showBeforePassword: (saved, value) => saved.showBeforePassword !== value.showBeforePassword,
  urlParams: (saved, value) => !isSameParams(saved.urlParams, value.urlParams),
};

/** The names of the fields of the event form that can change. */
export const EVENT_FIELDS = Object.keys(HAS_CHANGED) as readonly EventField[];

/** Returns the fields in which a validated form differs from the saved event. Without any, there is nothing to update (specification §5). */
export const changedFields = (saved: Event, value: EventFormValue): EventField[] =>
  EVENT_FIELDS.filter((field) => HAS_CHANGED[field](saved, value));

/**
 * Whether a form, valid or not, differs from its initial state (`eventFormInput`), for enabling the Update button. A store token that the form omits
 * counts as unchanged.
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
    LANGS.map((lang) => text(input.eventName?.[lang])),
    readLocal(text(input.startDate)),
    readLocal(text(input.endDate)),
    text(input.statusId),
    flag(input.enableAutoChangeStatus),
    LANGS.map((lang) => text(input.eventDetail?.[lang])),
    text(input.spStoreUrl),
    text(input.spAccessToken),
    input.publishPassword ?? "",
    flag(input.removePublishPassword),
    flag(input.showBeforePassword),
    [...params].filter(([, value]) => value !== "").sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)),
  ];
}

/** The value of one side of a conflict. A secret has only its state. */
export type ConflictValue =
  | { readonly kind: "text"; readonly text: string }
  /** Wall-clock time in the account's zone, "2026-08-01T14:30"; empty for none. */
  | { readonly kind: "date"; readonly local: string }
  | { readonly kind: "status"; readonly statusId: EventStatusId }
  | { readonly kind: "flag"; readonly on: boolean }
  /** A secret's state, never its value: set, newly entered in this form, or none. */
  | { readonly kind: "secret"; readonly is: "set" | "new" | "none" }
  /** The URL parameters that differ; null for one that is not set. */
  | { readonly kind: "params"; readonly params: readonly (readonly [name: string, value: string | null])[] };

/** A field with a conflict: the saved value, and the value of the form. */
export interface ConflictRow {
  readonly field: EventField;
  /** Language of the two texts, for a field that has a text by language. */
  readonly lang?: Lang;
  readonly saved: ConflictValue;
  readonly yours: ConflictValue;
}

/** Returns the conflicts after a stale save: the fields in which a validated form differs from the saved event. */
export function conflictRows(saved: Event, submitted: EventFormValue, timeZone: string): ConflictRow[] {
  return changedFields(saved, submitted).flatMap((field): ConflictRow[] => {
    if (field !== "eventName" && field !== "eventDetail")
      return [{ field, ...conflictSides(field, saved, submitted, timeZone) }];
    const side = (event: Pick<Event, typeof field>, lang: Lang) =>
      ({ kind: "text", text: event[field][lang] }) as const;
    return differingLangs(saved[field], submitted[field]).map((lang) => ({
      field,
      lang,
      saved: side(saved, lang),
      yours: side(submitted, lang),
    }));
  });
}

type Sides = Pick<ConflictRow, "saved" | "yours">;

function conflictSides(
  field: Exclude<EventField, "eventName" | "eventDetail">,
  saved: Event,
  submitted: EventFormValue,
  timeZone: string,
): Sides {
  switch (field) {
    case "startDate":
    case "endDate": {
      const date = (value: Instant | null) =>
        ({ kind: "date", local: toLocalInput(value, timeZone) }) as const;
      return { saved: date(saved[field]), yours: date(submitted[field]) };
    }
    case "statusId":
      return {
        saved: { kind: "status", statusId: saved.statusId },
        yours: { kind: "status", statusId: submitted.statusId },
      };
    case "enableAutoChangeStatus":
    case "showBeforePassword":
      return { saved: { kind: "flag", on: saved[field] }, yours: { kind: "flag", on: submitted[field] } };
    case "urlParams":
      return paramSides(saved.urlParams, submitted.urlParams);
    case "publishPassword":
    case "spAccessToken":
      return secretSides(field, saved, submitted);
    default:
      return {
        saved: { kind: "text", text: saved[field] ?? "" },
        yours: { kind: "text", text: submitted[field] ?? "" },
      };
  }
}

function paramSides(saved: UrlParams, submitted: UrlParams): Sides {
  const names = [...new Set([...Object.keys(saved), ...Object.keys(submitted)])];
  const read = (params: UrlParams, name: string) =>
    Object.hasOwn(params, name) ? String(params[name]) : null;
  const differing = names.filter((name) => read(saved, name) !== read(submitted, name));
  const side = (params: UrlParams): ConflictValue => ({
    kind: "params",
    params: differing.map((name) => [name, read(params, name)] as const),
  });
  return { saved: side(saved), yours: side(submitted) };
}

function secretSides(field: EventFormSecret, saved: Event, submitted: EventFormValue): Sides {
  const [isSet, isEntered] =
    field === "publishPassword"
      ? [saved.hasPublishPassword, submitted.publishPassword.action === "set"]
      : [saved.spAccessToken !== null, submitted.spAccessToken !== null];
  return {
    saved: { kind: "secret", is: isSet ? "set" : "none" },
    yours: { kind: "secret", is: isEntered ? "new" : "none" },
  };
}
