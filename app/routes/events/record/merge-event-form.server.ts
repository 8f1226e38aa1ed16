import { formParts } from "~/domain/events/event-changes";
import type { EventFormInput } from "~/domain/events/event-form";
import { merge } from "~/domain/events/merge";
import type { Event } from "~/domain/shared/model";
import { readEventForm, writeParams } from "~/forms/shared/event-form-data";

type Parts = Readonly<Record<string, string>>;

/** Reads the parts that a form was filled from. They are only compared, so any value is accepted. */
function readOriginalParts(form: FormData): Parts {
  try {
    return { ...JSON.parse(String(form.get("was"))) };
  } catch {
    return {};
  }
}

/**
 * Merges a form, if it is stale, with the event that another editor has saved since: it gets the saved value of each part that only the other editor has changed
 * (`merge`). It is unknown whether a saved secret was replaced, so changing one in a stale form is a conflict.
 * @param input the form of the saved event
 * @param offered the URL parameters that have a field of their own
 * @returns the names of the parts that both have changed, and the field `was` with which the form overwrites them
 */
export function mergeEventForm(
  form: FormData,
  { event, input, offered }: { event: Event; input: EventFormInput; offered: readonly string[] },
): { readonly conflicts: readonly string[]; readonly was: string } {
  if (Number(form.get("version")) === event.version) return { conflicts: [], was: String(form.get("was")) };
  const was = readOriginalParts(form);
  const mine = formParts(readEventForm(form));
  const now: Parts = formParts({
    ...input,
    spAccessToken: event.spAccessToken && "set",
    publishPassword: event.hasPublishPassword ? "set" : "",
  });
  const conflicts: string[] = [];
  const params: [name: string, value: string][] = [];
  for (const part of Object.keys({ ...now, ...mine })) {
    const savedValue = now[part] ?? "";
    const { value, clash } = merge(was[part] ?? "", mine[part] ?? "", savedValue);
    if (clash) conflicts.push(part);
    const [field, name] = part.split(/\.(.*)/, 2);
    if (field === "urlParams") params.push([name ?? "", String(value)]);
    else if (value === mine[part] || part === "publishPassword") continue;
    else if (part === "spStoreUrl") form.set(part, String(value).split("\n", 1)[0] ?? "");
    else form.set(part, String(value));
  }
  const isOffered = ([name]: readonly [string, string]) => offered.includes(name);
  writeParams(form, {
    urlParams: Object.fromEntries(params.filter(isOffered)),
    extraParams: params.filter((param) => !isOffered(param)).map(([name, value]) => ({ name, value })),
  });
  const overwritten = Object.fromEntries(conflicts.map((part) => [part, now[part] ?? ""]));
  return { conflicts, was: JSON.stringify({ ...was, ...overwritten }) };
}
