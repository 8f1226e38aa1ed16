import { type EventFormInput, openNowValues } from "~/domain/events/event-form";
import type { TypedUrlParams } from "~/domain/events/url-param-form";
import { LANGS } from "~/domain/shared/lang";

/** Value of `intent` for the button that saves the form with the present as the start, and with the status that opens the event. */
export const OPEN_NOW_INTENT = "open-now";

/**
 * Replaces the status and the start in the data of a form that OPEN_NOW_INTENT submits.
 * @param now epoch milliseconds
 * @returns whether the form was submitted with OPEN_NOW_INTENT
 */
export function fillOpenNow(data: FormData, now: number, timeZone: string): boolean {
  if (data.get("intent") !== OPEN_NOW_INTENT) return false;
  const values = openNowValues(String(data.get("endDate") ?? ""), now, timeZone);
  for (const [name, value] of Object.entries(values)) data.set(name, String(value));
  return true;
}

/** Reads the current texts of the event form's fields. */
export function readEventForm(data: FormData): EventFormInput {
  const text = (name: string) => {
    const value = data.get(name);
    return typeof value === "string" ? value : "";
  };
  const texts = (name: string) => Object.fromEntries(LANGS.map((lang) => [lang, text(`${name}.${lang}`)]));
  const urlParams: Record<string, string> = {};
  const extra = new Map<string, { name: string; value: string }>();
  for (const [name, value] of data) {
    if (typeof value !== "string") continue;
    if (name.startsWith("urlParams.")) urlParams[name.slice("urlParams.".length)] = value;
    const match = /^extraParams\[(\d+)\]\.(name|value)$/.exec(name);
    if (!match?.[1]) continue;
    const entry = extra.get(match[1]) ?? { name: "", value: "" };
    entry[match[2] as "name" | "value"] = value;
    extra.set(match[1], entry);
  }
  return {
    version: text("version"),
    eventName: texts("eventName"),
    startDate: text("startDate"),
    endDate: text("endDate"),
    statusId: text("statusId"),
    enableAutoChangeStatus: text("enableAutoChangeStatus"),
    eventDetail: texts("eventDetail"),
    spStoreUrl: text("spStoreUrl"),
    spAccessToken: text("spAccessToken"),
    // The choice about a token that was typed into a rejected form: see ReenterSecret.
    spAccessTokenAgain: text("spAccessTokenAgain"),
    publishPassword: text("publishPassword"),
    removePublishPassword: text("removePublishPassword"),
    showBeforePassword: text("showBeforePassword"),
    urlParams,
    extraParams: [...extra.values()],
  };
}

/** Replaces the URL parameters in the data of the event form. */
export function writeParams(data: FormData, { urlParams = {}, extraParams = [] }: TypedUrlParams): void {
  for (const name of [...data.keys()]) if (/^(urlParams\.|extraParams\[)/.test(name)) data.delete(name);
  for (const [name, value] of Object.entries(urlParams)) data.set(`urlParams.${name}`, String(value ?? ""));
  for (const [index, { name, value }] of extraParams.entries()) {
    data.set(`extraParams[${index}].name`, name);
    data.set(`extraParams[${index}].value`, value);
  }
}

/**
 * Reads the data of a form. Browsers report a number field with an invalid number as empty, which would delete the value silently. In the returned
 * data, such a field has a text that no number field accepts.
 */
export function readTypedForm(form: HTMLFormElement): FormData {
  const data = new FormData(form);
  markUnreadableNumbers(data, form);
  return data;
}

/** Replaces the values of number fields with invalid numbers by a text that no number field accepts. */
export function markUnreadableNumbers(data: FormData, form: HTMLFormElement): void {
  for (const input of form.querySelectorAll<HTMLInputElement>("input[type=number]"))
    if (input.validity.badInput) data.set(input.name, "?");
}
