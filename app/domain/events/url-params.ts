import { URL_PARAM_VALUE_MAX, URL_PARAMS_MAX } from "../shared/limits";
import type { Lang, Localized, UrlParams } from "../shared/model";
import { countCharacters, textProblem } from "../shared/text";
import { isSid } from "../spaces/sid";

/** A URL parameter of a showcase, a space that Matterport hosts (specification §3): a number, or one of a list of choices. */
export interface UrlParamDefinition {
  readonly type: "integer" | "float" | readonly string[];
  /** Description in Japanese, the default language; `descriptions` has both languages. */
  readonly description: string;
  readonly descriptions: Localized;
  /** Value that applies without the parameter; null if the showcase itself decides. */
  readonly default: string | number | null;
  readonly min?: number;
  readonly max?: number;
  readonly step?: number;
  /** Unit of a number: s, ms, deg, m/s. */
  readonly unit?: string;
  /** Labels of the choices. */
  readonly labels?: Readonly<Record<string, Localized>>;
}

/** The content of /url_params.json (specification §3). */
export interface UrlParamDefinitions {
  readonly params: Readonly<Record<string, UrlParamDefinition>>;
  /** The names of the parameters that forms offer, in this order. */
  readonly availableParams: readonly string[];
}

/** Reads the definitions of /url_params.json. Throws TypeError if the file does not have the form of specification §3. */
export function readUrlParamDefinitions(json: unknown): UrlParamDefinitions {
  const file = json as UrlParamDefinitions | null;
  if (typeof file?.params !== "object" || !Array.isArray(file.availableParams)) {
    throw new TypeError("url_params.json needs params and availableParams");
  }
  for (const name of file.availableParams) {
    if (!Object.hasOwn(file.params, name))
      throw new TypeError(`url_params.json offers ${name}, which it does not define`);
  }
  for (const [name, { type, descriptions }] of Object.entries(file.params)) {
    const isType = type === "integer" || type === "float" || (Array.isArray(type) && type.length > 0);
    if (!isType || !descriptions?.ja || !descriptions.en)
      throw new TypeError(`url_params.json defines ${name} wrongly`);
  }
  return file;
}

/** An error of one parameter. */
export interface UrlParamError {
  /** Empty for too many parameters. */
  readonly name: string;
  /** Key of the error message. */
  readonly key: UrlParamErrorKey;
}

/** Message keys of invalid parameters (app/i18n). */
export type UrlParamErrorKey =
  | "events:errors.urlParams.rejected"
  | "events:errors.urlParams.name"
  | "events:errors.urlParams.integer"
  | "events:errors.urlParams.number"
  | "events:errors.urlParams.range"
  | "events:errors.urlParams.choice"
  | "events:errors.urlParams.value"
  | "events:errors.urlParams.tooMany";

/** A parameter as a form or the API sends it. */
export type UrlParamEntry = readonly [name: string, value: unknown];

// These parameters would select another space or server, or contain a key or a session.
const REJECTED_PARAMS = new Set(["m", "model", "applicationkey", "auth", "apihost"]);
const PARAM_NAME = /^[A-Za-z][A-Za-z0-9_-]{0,31}$/;

/** Whether a parameter is never accepted, in any letter case. */
export function isRejectedParam(name: string): boolean {
  return REJECTED_PARAMS.has(name.toLowerCase());
}

/** Returns the definition of a parameter; null for an undefined one. */
export function paramDefinition(definitions: UrlParamDefinitions, name: string): UrlParamDefinition | null {
  return Object.hasOwn(definitions.params, name) ? (definitions.params[name] ?? null) : null;
}

/**
 * Checks parameters against their definitions. `values` has them as sent, including those that equal the default (specification §3), with numbers as numbers.
 * Parameters without a definition are only trimmed, because the showcase supports more of them than the forms offer. An empty value unsets a
 * parameter. If a name is repeated, the last value counts.
 */
export function parseUrlParams(
  definitions: UrlParamDefinitions,
  entries: Iterable<UrlParamEntry>,
): { values: UrlParams; errors: UrlParamError[] } {
  const values = new Map<string, string | number>();
  const errors: UrlParamError[] = [];
  let count = 0;
  for (const [name, raw] of entries) {
    if (++count > URL_PARAMS_MAX * 2) {
      errors.push({ name: "", key: "events:errors.urlParams.tooMany" });
      break;
    }
    if (raw === null || raw === undefined || raw === "") {
      values.delete(name);
      continue;
    }
    const result = parseUrlParam(definitions, name, raw);
    if ("key" in result) errors.push({ name, key: result.key });
    else if (result.value === null) values.delete(name);
    else values.set(name, result.value);
  }
  if (values.size > URL_PARAMS_MAX) errors.push({ name: "", key: "events:errors.urlParams.tooMany" });
  return { values: Object.fromEntries(values), errors };
}

function parseUrlParam(
  definitions: UrlParamDefinitions,
  name: string,
  raw: unknown,
): { value: string | number | null } | { key: UrlParamErrorKey } {
  if (!PARAM_NAME.test(name)) return { key: "events:errors.urlParams.name" };
  if (isRejectedParam(name)) return { key: "events:errors.urlParams.rejected" };
  if (typeof raw !== "string" && typeof raw !== "number") return { key: "events:errors.urlParams.value" };
  const text = String(raw).trim();
  if (text.length > URL_PARAM_VALUE_MAX * 2 || countCharacters(text) > URL_PARAM_VALUE_MAX) {
    return { key: "events:errors.urlParams.value" };
  }
  if (textProblem(text) !== null) return { key: "events:errors.urlParams.value" };
  const definition = paramDefinition(definitions, name);
  if (definition === null) return { value: typeof raw === "number" && Number.isFinite(raw) ? raw + 0 : text };
  if (text === "") return { value: null };
  const { type } = definition;
  if (typeof type !== "string") {
    if (!type.includes(text)) return { key: "events:errors.urlParams.choice" };
    return { value: text };
  }
  const pattern = type === "integer" ? /^[+-]?\d{1,15}$/ : /^[+-]?(\d{1,15}(\.\d{0,15})?|\.\d{1,15})$/;
  if (!pattern.test(text)) {
    return { key: type === "integer" ? "events:errors.urlParams.integer" : "events:errors.urlParams.number" };
  }
  // Adding 0 turns −0 into 0.
  const number = Number(text) + 0;
  if (number < (definition.min ?? -Infinity) || number > (definition.max ?? Infinity)) {
    return { key: "events:errors.urlParams.range" };
  }
  return { value: number };
}

/** Serialises parameters for storage (specification §3), ordered by name, so that equal parameters result in equal texts. */
export function serialiseUrlParams(values: UrlParams): string {
  return JSON.stringify(
    Object.fromEntries(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))),
  );
}

/** Parses the stored parameters. Ignores invalid values, so that one invalid record breaks no page. */
export function deserialiseUrlParams(text: string | null): UrlParams {
  let stored: unknown;
  try {
    stored = JSON.parse(text ?? "");
  } catch {
    return {};
  }
  if (typeof stored !== "object" || stored === null || Array.isArray(stored)) return {};
  return Object.fromEntries(
    Object.entries(stored).filter(
      (entry): entry is [string, string | number] =>
        PARAM_NAME.test(entry[0]) &&
        !isRejectedParam(entry[0]) &&
        (typeof entry[1] === "string" || (typeof entry[1] === "number" && Number.isFinite(entry[1]))),
    ),
  );
}

/**
 * Returns the URL of a showcase for an iframe. Without playsInline, a tap on a phone would navigate the whole window. Throws RangeError for an
 * invalid `sid`, so that no other text gets into the URL.
 * @param lang language of the showcase's own texts, unless the event's parameters set one
 */
export function showcaseUrl(sid: string, params: UrlParams, lang: Lang): string {
  if (!isSid(sid)) throw new RangeError("Not a showcase id");
  const query = new URLSearchParams({ m: sid, play: "1", lang });
  // Sorted, so that equal parameters result in equal URLs.
  for (const [name, value] of Object.entries(params).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))) {
    if (PARAM_NAME.test(name) && !isRejectedParam(name)) query.set(name, String(value));
  }
  query.set("playsInline", "1");
  return `https://my.matterport.com/show?${query.toString()}`;
}
