import { LANGS } from "../shared/lang";
import type { Event, EventStatusId, Instant, Lang, Localized, UrlParams } from "../shared/model";
import { isEqual } from "../shared/same";
import { normaliseText } from "../shared/text";
import { readLocal, toLocalInput } from "../shared/time-zone";
import type { EventFormInput, EventFormSecret, EventFormValue } from "./event-form";
import { filledParams } from "./url-param-form";

/** The fields of the event form that can change. */
export type EventField = Exclude<keyof EventFormValue, "version">;

function sameInstant(a: string | null, b: string | null): boolean {
  return a === b || (a !== null && b !== null && Date.parse(a) === Date.parse(b));
}

const differingLangs = (a: Localized, b: Localized) => LANGS.filter((lang) => a[lang] !== b[lang]);

function sameParams(a: UrlParams, b: UrlParams): boolean {
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && String(a[name]) === String(b[name]))
  );
}

const HAS_CHANGED: Readonly<Record<EventField, (saved: Event, value: EventFormValue) => boolean>> = {
  eventName: (saved, value) => differingLangs(saved.eventName, value.eventName).length > 0,
  startDate: (saved, value) => !sameInstant(saved.startDate, value.startDate),
  endDate: (saved, value) => !sameInstant(saved.endDate, value.endDate),
  statusId: (saved, value) => saved.statusId !== value.statusId,
  enableAutoChangeStatus: (saved, value) => saved.enableAutoChangeStatus !== value.enableAutoChangeStatus,
  eventDetail: (saved, value) => differingLangs(saved.eventDetail, value.eventDetail).length > 0,
  spStoreUrl: (saved, value) => saved.spStoreUrl !== value.spStoreUrl,
  spAccessToken: (saved, value) =>
    value.spAccessToken !== undefined && saved.spAccessToken !== value.spAccessToken,
  publishPassword: (saved, { publishPassword: { action } }) =>
    action === "set" || (action === "remove" && saved.hasPublishPassword),
  showBeforePassword: (saved, value) => saved.showBeforePassword !== value.showBeforePassword,
  urlParams: (saved, value) => !sameParams(saved.urlParams, value.urlParams),
};

/** The fields of the event form that can change, in the order of the form. */
export const EVENT_FIELDS = Object.keys(HAS_CHANGED) as readonly EventField[];

/** Returns the fields in which a validated form differs from the saved event, in the order of the form. Without any, there is nothing to update (specification §5). */
export const changedFields = (saved: Event, value: EventFormValue): EventField[] =>
  EVENT_FIELDS.filter((field) => HAS_CHANGED[field](saved, value));

/**
 * Whether a form, valid or not, differs from its initial state (`eventFormInput`), for enabling the Update button. A store token that the form omits
 * counts as unchanged.
 */
export function inputDiffers(opened: EventFormInput, current: EventFormInput): boolean {
  const { spAccessToken = opened.spAccessToken } = current;
  return !isEqual(formParts(opened), formParts({ ...current, spAccessToken }));
}

/**
 * Returns the parts of a form that can change separately, as comparable texts: a field, one language of a text (`eventName.ja`), or a URL parameter
 * that has a value (`urlParams.ts`). The store includes its token, and the new password its removal.
 */
export function formParts(input: EventFormInput): Readonly<Record<string, string>> {
  const text = (value: unknown) => normaliseText(String(value ?? ""));
  const flag = (value: unknown) =>
    value === true || value === "on" || value === "true" || value === "1" ? "on" : "";
  const { eventName, eventDetail } = input;
  return Object.fromEntries([
    ...LANGS.flatMap((lang) => [
      [`eventName.${lang}`, text(eventName?.[lang])],
      [`eventDetail.${lang}`, text(eventDetail?.[lang])],
    ]),
    ["startDate", readLocal(text(input.startDate))],
    ["endDate", readLocal(text(input.endDate))],
    ["statusId", text(input.statusId)],
    ["enableAutoChangeStatus", flag(input.enableAutoChangeStatus)],
    ["spStoreUrl", `${text(input.spStoreUrl)}\n${text(input.spAccessToken)}`],
    ["publishPassword", `${input.publishPassword ?? ""}${flag(input.removePublishPassword)}`],
    ["showBeforePassword", flag(input.showBeforePassword)],
    ...filledParams(input).map(([name, value]) => [`urlParams.${name}`, value]),
  ]);
}

/** The value of one side of a conflict, without secrets. */
export type ConflictValue =
  | { readonly kind: "text"; readonly text: string }
  /** Wall-clock time in the account's zone, "2026-08-01T14:30"; empty for none. */
  | { readonly kind: "date"; readonly local: string }
  | { readonly kind: "status"; readonly statusId: EventStatusId }
  | { readonly kind: "flag"; readonly on: boolean }
  /** A secret's state, never its value: set, newly entered in this form, or none. */
  | { readonly kind: "secret"; readonly is: "set" | "new" | "none" }
  /** The parameters that differ; null where the showcase's own default applies. */
  | { readonly kind: "params"; readonly params: readonly (readonly [name: string, value: string | null])[] };

/** A field with a conflict: the saved value, and the value of the form. */
export interface ConflictRow {
  readonly field: EventField;
  /** Language of the two texts, for a field that has a text by language. */
  readonly lang?: Lang;
  readonly saved: ConflictValue;
  readonly yours: ConflictValue;
}

/**
 * Returns the differences between a validated form and the saved event, in the form's order.
 * @param parts names of the parts (`formParts`) that are listed
 */
export function conflictRows(
  saved: Event,
  submitted: EventFormValue,
  timeZone: string,
  parts: readonly string[],
): ConflictRow[] {
  return changedFields(saved, submitted).flatMap((field): ConflictRow[] => {
    if (field === "urlParams") {
      const names = parts.flatMap((part) => (part.startsWith("urlParams.") ? [part.slice(10)] : []));
      return names.length > 0 ? [{ field, ...paramSides(saved.urlParams, submitted.urlParams, names) }] : [];
    }
    if (field !== "eventName" && field !== "eventDetail")
      // A token belongs to its store, so both are one part.
      return parts.includes(field === "spAccessToken" ? "spStoreUrl" : field)
        ? [{ field, ...conflictSides(field, saved, submitted, timeZone) }]
        : [];
    const side = (event: Pick<Event, typeof field>, lang: Lang) =>
      ({ kind: "text", text: event[field][lang] }) as const;
    return differingLangs(saved[field], submitted[field])
      .filter((lang) => parts.includes(`${field}.${lang}`))
      .map((lang) => ({
        field,
        lang,
        saved: side(saved, lang),
        yours: side(submitted, lang),
      }));
  });
}

type Sides = Pick<ConflictRow, "saved" | "yours">;

function conflictSides(
  field: Exclude<EventField, "eventName" | "eventDetail" | "urlParams">,
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

function paramSides(saved: UrlParams, submitted: UrlParams, names: readonly string[]): Sides {
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
