import { URL_PARAM_VALUE_MAX, URL_PARAMS_MAX } from "../shared/limits";
import type { Lang, Localized, UrlParams } from "../shared/model";
import { countCharacters, hasForbiddenControls } from "../shared/text";
import { isSid } from "../spaces/sid";

/** One parameter of the showcase (§3): a number, or one of a list of choices. */
export interface UrlParamDefinition {
  readonly type: "integer" | "float" | readonly string[];
  /** In Japanese, the default language; both languages are in `descriptions`. */
  readonly description: string;
  readonly descriptions: Localized;
  /** What holds when the parameter is not given; null when the showcase itself decides. */
  readonly default: string | number | null;
  readonly min?: number;
  readonly max?: number;
  readonly step?: number;
  /** A unit for numbers: s, ms, deg, m/s. */
  readonly unit?: string;
  /** What each choice means. */
  readonly labels?: Readonly<Record<string, Localized>>;
}

/** The whole of /url_params.json (§3). */
export interface UrlParamDefinitions {
  readonly params: Readonly<Record<string, UrlParamDefinition>>;
  /** The names to offer, in this order. */
  readonly availableParams: readonly string[];
}

/**
 * The definitions as read from /url_params.json. Throws TypeError when the file does not have the form of §3: a mistake of
 * ours that a build must not survive.
 */
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

/** What is wrong with one parameter. */
export interface UrlParamError {
  readonly name: string;
  /** Key of a message. */
  readonly key: UrlParamErrorKey;
}

/** The messages that a parameter can be refused with: keys of app/i18n. */
export type UrlParamErrorKey =
  | "events:errors.urlParams.refused"
  | "events:errors.urlParams.name"
  | "events:errors.urlParams.integer"
  | "events:errors.urlParams.number"
  | "events:errors.urlParams.range"
  | "events:errors.urlParams.choice"
  | "events:errors.urlParams.value"
  | "events:errors.urlParams.tooMany";

/** A parameter as it comes from a form or from the API. */
export type UrlParamEntry = readonly [name: string, value: unknown];

// They would choose another space, or carry a key or a session (reference/showcase §4.2).
const REFUSED = new Set(["m", "model", "applicationkey", "auth", "apihost"]);
const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,31}$/;

/** Whether a parameter is never taken from people, however it is spelled. */
export function isRefusedParam(name: string): boolean {
  return REFUSED.has(name.toLowerCase());
}

/** The definition of a parameter, or null when it is not defined. */
export function paramDefinition(definitions: UrlParamDefinitions, name: string): UrlParamDefinition | null {
  return Object.hasOwn(definitions.params, name) ? (definitions.params[name] ?? null) : null;
}

/**
 * Checks parameters against their definitions. `values` has those that differ from the default, numbers as numbers;
 * parameters without a definition are kept as they are (the showcase knows more of them than are offered). Empty values
 * mean that a parameter is not set. Of a name that comes twice the last counts.
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
    const result = parseOne(definitions, name, raw);
    if ("key" in result) errors.push({ name, key: result.key });
    else if (result.value === null) values.delete(name);
    else values.set(name, result.value);
  }
  if (values.size > URL_PARAMS_MAX) errors.push({ name: "", key: "events:errors.urlParams.tooMany" });
  return { values: Object.fromEntries(values), errors };
}

function parseOne(
  definitions: UrlParamDefinitions,
  name: string,
  raw: unknown,
): { value: string | number | null } | { key: UrlParamErrorKey } {
  if (!NAME.test(name)) return { key: "events:errors.urlParams.name" };
  if (isRefusedParam(name)) return { key: "events:errors.urlParams.refused" };
  if (typeof raw !== "string" && typeof raw !== "number") return { key: "events:errors.urlParams.value" };
  const text = String(raw).trim();
  if (text.length > URL_PARAM_VALUE_MAX * 2 || countCharacters(text) > URL_PARAM_VALUE_MAX) {
    return { key: "events:errors.urlParams.value" };
  }
  if (hasForbiddenControls(text)) return { key: "events:errors.urlParams.value" };
  const definition = paramDefinition(definitions, name);
  if (definition === null) return { value: typeof raw === "number" && Number.isFinite(raw) ? raw + 0 : text };
  if (text === "") return { value: null };
  const { type } = definition;
  if (typeof type !== "string") {
    if (!type.includes(text)) return { key: "events:errors.urlParams.choice" };
    return { value: text === definition.default ? null : text };
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
  return { value: number === definition.default ? null : number };
}

/** The parameters as they are stored (§3), in the order of their names, so that equal ones are equal texts. */
export function serialiseUrlParams(values: UrlParams): string {
  return JSON.stringify(
    Object.fromEntries(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))),
  );
}

/** The stored parameters; whatever is not a parameter is left out, so that one bad record breaks no page. */
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
        NAME.test(entry[0]) &&
        !isRefusedParam(entry[0]) &&
        (typeof entry[1] === "string" || (typeof entry[1] === "number" && Number.isFinite(entry[1]))),
    ),
  );
}

/** What showcaseUrl sets by itself. */
export interface ShowcaseUrlOptions {
  /** The language of the showcase's own words, unless the event's parameters choose one. */
  readonly lang?: Lang;
  /** Whether the space opens at once, unless the event's parameters say otherwise. Default true. */
  readonly play?: boolean;
}

/**
 * The address of a showcase for an iframe (reference/showcase §4.3). Without playsInline a tap on a phone would lead the
 * whole window away. Throws RangeError when `sid` is none, so that nothing else can get into the address.
 */
export function showcaseUrl(sid: string, params: UrlParams, options: ShowcaseUrlOptions = {}): string {
  if (!isSid(sid)) throw new RangeError("Not a showcase id");
  const query = new URLSearchParams({ m: sid, play: options.play === false ? "0" : "1" });
  if (options.lang) query.set("lang", options.lang);
  for (const [name, value] of Object.entries(params)) {
    if (NAME.test(name) && !isRefusedParam(name)) query.set(name, String(value));
  }
  query.set("playsInline", "1");
  return `https://my.matterport.com/show?${query.toString()}`;
}
