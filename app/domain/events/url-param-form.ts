/** The URL parameters of the event form: fields `urlParams.<name>` for the offered ones, rows `extraParams[<index>]` for the others. */
import { isRecord } from "../shared/is-record";
import type { UrlParams } from "../shared/model";
import type { EventFormInput } from "./event-form";
import {
  parseUrlParams,
  type UrlParamDefinitions,
  type UrlParamEntry,
  type UrlParamErrorKey,
} from "./url-params";

/** A parameter that was read from the form. */
export interface ReadParam {
  /** The field for the message: that of an offered parameter, or the row of another one. */
  readonly path: (string | number)[];
  readonly entry: UrlParamEntry;
}

/** Reads the offered parameters; null if the value is not a record. */
export function readNamedParams(value: unknown): ReadParam[] | null {
  if (!isRecord(value)) return null;
  return Object.entries(value).map((entry) => ({ path: ["urlParams", entry[0]], entry }));
}

/** Reads the rows of the other parameters without the empty ones; null if the value is not a list of rows. */
export function readExtraParams(value: unknown): ReadParam[] | null {
  if (!Array.isArray(value)) return null;
  const entries: ReadParam[] = [];
  for (const [index, item] of value.entries()) {
    if (typeof item !== "object" || item === null) {
      if (item === undefined) continue;
      return null;
    }
    const { name, value: text } = item as { name?: unknown; value?: unknown };
    const trimmedName = typeof name === "string" ? name.trim() : "";
    const isEmpty = trimmedName === "" && (text === undefined || text === null || text === "");
    if (!isEmpty) entries.push({ path: ["extraParams", index], entry: [trimmedName, text] });
  }
  return entries;
}

/** Finds the errors of parameters and the field of each. */
export function findParamErrors(
  definitions: UrlParamDefinitions,
  params: readonly ReadParam[],
): { readonly path: (string | number)[]; readonly key: UrlParamErrorKey }[] {
  // All parameters are checked together first, so that too many of them result in one message.
  const parsedParams = parseUrlParams(
    definitions,
    params.map(({ entry }) => entry),
  );
  if (parsedParams.errors.some(({ key }) => key === "events:errors.urlParams.tooMany"))
    return [{ path: ["urlParams"], key: "events:errors.urlParams.tooMany" }];
  return params.flatMap(({ path, entry }) =>
    parseUrlParams(definitions, [entry]).errors.map(({ key }) => {
      const isName = key === "events:errors.urlParams.name" || key === "events:errors.urlParams.rejected";
      // An invalid name has no field of its own.
      if (path[0] === "urlParams") return { path: isName ? ["urlParams"] : path, key };
      return { path: [...path, isName ? "name" : "value"], key };
    }),
  );
}

/** The fields of the event form that hold URL parameters. */
export type TypedUrlParams = Pick<EventFormInput, "urlParams" | "extraParams">;

/** Validates typed parameters for a preview. `values` has the valid ones, and `errors` the message key of each invalid field by its name. */
export function previewUrlParams(
  definitions: UrlParamDefinitions,
  { urlParams, extraParams }: TypedUrlParams,
): { readonly values: UrlParams; readonly errors: Readonly<Record<string, readonly UrlParamErrorKey[]>> } {
  const params = [...(readNamedParams(urlParams) ?? []), ...(readExtraParams(extraParams) ?? [])];
  const errors = findParamErrors(definitions, params).map(({ path, key }): [string, [UrlParamErrorKey]] => [
    path
      .map((part, index) => (typeof part === "number" ? `[${part}]` : index === 0 ? part : `.${part}`))
      .join(""),
    [key],
  ]);
  const entries = params.map(({ entry }) => entry);
  return { values: parseUrlParams(definitions, entries).values, errors: Object.fromEntries(errors) };
}

/** Whether two forms have the same parameters. A missing one and an empty one are the same. */
export function hasSameParams(a: TypedUrlParams, b: TypedUrlParams): boolean {
  return JSON.stringify(filledParams(a)) === JSON.stringify(filledParams(b));
}

/** Returns the parameters that have a value, sorted by name. */
export function filledParams({ urlParams, extraParams }: TypedUrlParams): (readonly [string, string])[] {
  const entries = Object.entries(urlParams ?? {});
  const rows = (extraParams ?? []).map((row) => [row?.name, row?.value] as const);
  return [...entries, ...rows]
    .map(([name, value]) => [String(name ?? "").trim(), String(value ?? "").trim()] as const)
    .filter(([name, value]) => name !== "" && value !== "")
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}

/** Intent of a button that sets one parameter, or all, to the default or back to the saved values. */
const PARAM_INTENT = /^(reset|undo):urlParams(?:\.(.+))?$/;

/** Value of the field `intent` of the button that shows the typed parameters without saving them. */
export const PREVIEW_PARAMS = "preview:urlParams";

/** Value of the field `intent` of the button that resets a parameter, or restores its saved value. Without a name it applies to all. */
export const paramIntent = (action: "reset" | "undo", name?: string): string =>
  `${action}:urlParams${name === undefined ? "" : `.${name}`}`;

/**
 * Applies the button of a form without scripts to the typed parameters; null if the intent is another one.
 * @param saved the form of the saved event
 */
export function applyParamIntent(
  intent: string,
  typed: TypedUrlParams,
  saved: TypedUrlParams,
): TypedUrlParams | null {
  const [fullIntent, action, name] = PARAM_INTENT.exec(intent) ?? [];
  if (fullIntent === undefined) return null;
  const source: TypedUrlParams = action === "undo" ? saved : {};
  if (name === undefined) return { urlParams: source.urlParams ?? {}, extraParams: source.extraParams ?? [] };
  const { urlParams = {}, extraParams } = typed;
  const value = Object.hasOwn(source.urlParams ?? {}, name) ? source.urlParams?.[name] : undefined;
  return {
    urlParams: Object.fromEntries([
      ...Object.entries(urlParams).filter(([otherName]) => otherName !== name),
      ...(value ? [[name, value] as const] : []),
    ]),
    extraParams,
  };
}
