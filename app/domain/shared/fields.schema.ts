import * as z from "zod";
import { normalizeAngle } from "../spaces/normalize-angle";
import { isUuid } from "./ids";
import { isRecord } from "./is-record";
import { COORDINATE_MAX } from "./limits";
import type { Lang, Localized, Uuid, Vec3, Viewpoint } from "./model";
import { countCharacters, isBlank, normaliseText, textProblem } from "./text";

/**
 * The result of a field's rule: the value, or the message key of an error. `path` is the part of the field with the error, if the field
 * has parts. `furtherErrors` holds the keys of further errors, and `otherParts` the errors of the field's other parts.
 */
export type FieldResult<T> =
  | { readonly value: T }
  | {
      readonly error: string;
      readonly furtherErrors?: readonly string[];
      readonly path?: string[];
      readonly otherParts?: readonly { readonly error: string; readonly path: string[] }[];
    };

/**
 * Returns a schema from a plain rule. The rule receives the sent value, including a missing one, so that one schema serves both forms
 * (only text) and the API (also nulls, numbers and flags). Only the rule chooses the message.
 */
export function field<T, Input = unknown>(rule: (value: unknown) => FieldResult<T>): z.ZodType<T, Input> {
  // A bare transform also runs for missing keys, unlike unknown().transform().
  const schema = z.transform((value: unknown, ctx): T | undefined => {
    const result = rule(value);
    if ("value" in result) return result.value;
    const { error, furtherErrors = [], path = [], otherParts = [] } = result;
    for (const message of [error, ...furtherErrors])
      ctx.issues.push({ code: "custom", message, path, input: undefined });
    for (const part of otherParts)
      ctx.issues.push({ code: "custom", message: part.error, path: part.path, input: undefined });
    // z.NEVER is an object, but rules across fields must see undefined.
    return undefined;
  });
  return schema as unknown as z.ZodType<T, Input>;
}

/** Returns the message key of a text that cannot be stored; null for a valid text. */
export function textError(value: string, multiline: boolean): string | null {
  const problem = textProblem(value, { multiline });
  return problem === null ? null : `shared-owners:errors.text.${problem}`;
}

/** Returns whether a value was not sent, or is null or the empty text of an empty field. */
export const isMissing = (value: unknown): boolean => value === undefined || value === null || value === "";

/** The rules of a text field. `tooLong` and `required` are message keys. */
export interface TextRule {
  readonly max: number;
  readonly tooLong: string;
  /** If set, a visible character is required. If absent, an empty text is valid. */
  readonly required?: string;
  readonly multiline?: boolean;
}

/**
 * Returns a text in its stored form (see text.ts). Missing and null become the empty text. A text that is far too long is rejected
 * before it is examined.
 */
export function readText(value: unknown, rule: TextRule): FieldResult<string> {
  const raw = value ?? "";
  if (typeof raw !== "string") return { error: "shared-owners:errors.field.invalid" };
  if (raw.length > rule.max * 8 + 64) return { error: rule.tooLong };
  const text = normaliseText(raw);
  const problem = textError(text, rule.multiline === true);
  if (problem !== null) return { error: problem };
  if (isBlank(text)) return rule.required === undefined ? { value: "" } : { error: rule.required };
  return countCharacters(text) > rule.max ? { error: rule.tooLong } : { value: text };
}

/** Returns the schema of a text. See readText. */
export function textField(rule: TextRule): z.ZodType<string, string | null | undefined> {
  return field((value) => readText(value, rule));
}

/** Reads a checkbox or flag: "on", "true", "1" and true are set; missing, null, "", "off", "false", "0" and false are not. */
export function readFlag(value: unknown): FieldResult<boolean> {
  if (value === true || value === "on" || value === "true" || value === "1") return { value: true };
  if (value === undefined || value === null || value === false) return { value: false };
  if (value === "" || value === "off" || value === "false" || value === "0") return { value: false };
  return { error: "shared-owners:errors.field.invalid" };
}

/** Returns a finite number from a number or its text of at most 32 characters; null for anything else. Adding 0 turns −0 into 0. */
export function readNumber(value: unknown): number | null {
  if (typeof value === "number") return Number.isFinite(value) ? value + 0 : null;
  if (typeof value !== "string" || value.length > 32) return null;
  const text = value.trim();
  return /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,3})?$/i.test(text) && Number.isFinite(Number(text))
    ? Number(text) + 0
    : null;
}

/** Returns an integer within an inclusive range; null for anything else. */
export function readInteger(value: unknown, min: number, max: number): number | null {
  const number = readNumber(value);
  return number !== null && Number.isInteger(number) && number >= min && number <= max ? number : null;
}

/** The version that a form was filled from: an integer from 0. */
export const versionField = field<number, string | number>((value) => {
  const version = readInteger(value, 0, Number.MAX_SAFE_INTEGER);
  return version === null ? { error: "shared-owners:errors.form.version" } : { value: version };
});

/** A record's id. */
export const uuidField = field<Uuid, string>((value) =>
  isUuid(value) ? { value } : { error: "shared-owners:errors.field.invalid" },
);

/** A record's id; null if it is missing. */
export const optionalUuidField = field<Uuid | null, string | null | undefined>((value) => {
  if (isMissing(value)) return { value: null };
  return isUuid(value) ? { value } : { error: "shared-owners:errors.field.invalid" };
});

/**
 * Returns the schema of a text in both languages. With `required`, one language suffices.
 * @param requiredAt the language whose field shows that the text is missing; the text as a whole if absent
 */
export function localizedField(
  rule: TextRule,
  requiredAt?: Lang,
): z.ZodType<Localized, { ja?: string | null; en?: string | null }> {
  const { required, ...textRule } = rule;
  return field<Localized, { ja?: string | null; en?: string | null }>((value) => {
    const raw = value ?? {};
    if (!isRecord(raw)) return { error: "shared-owners:errors.field.invalid" };
    const ja = readText(raw.ja, textRule);
    const en = readText(raw.en, textRule);
    if ("error" in ja) {
      const otherParts = "error" in en ? [{ error: en.error, path: ["en"] }] : [];
      return { ...ja, path: ["ja"], otherParts };
    }
    if ("error" in en) return { ...en, path: ["en"] };
    if (required !== undefined && ja.value === "" && en.value === "")
      return { error: required, path: requiredAt && [requiredAt] };
    return { value: { ja: ja.value, en: en.value } };
  });
}

/** Reads three coordinates in metres from an array or an object of x, y and z; null for anything else or out of range. */
export function readVec3(value: unknown): Vec3 | null {
  const parts = Array.isArray(value) ? value : isRecord(value) ? [value.x, value.y, value.z] : [];
  if (parts.length !== 3) return null;
  const [x, y, z] = parts.map((part) => readNumber(part));
  if (x === null || x === undefined || y === null || y === undefined || z === null || z === undefined)
    return null;
  return [x, y, z].every((part) => Math.abs(part) <= COORDINATE_MAX) ? [x, y, z] : null;
}

/** A point or direction of a space. */
export const vec3Field = field<Vec3>((value) => {
  const vec = readVec3(value);
  return vec === null ? { error: "shared-owners:errors.field.position" } : { value: vec };
});

/** A point of a space; null if it is missing. */
export const optionalVec3Field = field<Vec3 | null>((value) => {
  if (isMissing(value)) return { value: null };
  const vec = readVec3(value);
  return vec === null ? { error: "shared-owners:errors.field.position" } : { value: vec };
});

const MODES: readonly string[] = ["walk", "orbit", "plan"] satisfies Viewpoint["mode"][];

/** A viewpoint; null if it is missing. Angles are radians. Yaw is wrapped into −π…π; pitch must be within ±π/2, apart from rounding. */
export const optionalViewpointField = field<Viewpoint | null>((value) => {
  if (isMissing(value)) return { value: null };
  const failure = { error: "shared-owners:errors.field.position" };
  if (!isRecord(value)) return failure;
  const position = readVec3(value.position);
  const yaw = readNumber(value.yaw);
  const pitch = readNumber(value.pitch);
  if (position === null || yaw === null || pitch === null || Math.abs(pitch) > Math.PI / 2 + 1e-6)
    return failure;
  if (typeof value.mode !== "string" || !MODES.includes(value.mode)) return failure;
  const node = value.nodeId ?? "";
  if (typeof node !== "string" || !/^[A-Za-z0-9_-]{0,64}$/.test(node)) return failure;
  return {
    value: {
      position,
      yaw: normalizeAngle(yaw),
      pitch,
      mode: value.mode as Viewpoint["mode"],
      ...(node === "" ? {} : { nodeId: node }),
    },
  };
});

/** Adds a message to a field, for rules across several fields. */
export type AddError = (path: (string | number)[], key: string) => void;

/**
 * Adds rules that compare several fields. The rules also run when single fields are invalid, so that a person sees all errors at once.
 * Invalid fields are missing from `value`, so each rule must handle missing fields.
 */
export function withCrossFieldRules<T, I>(
  schema: z.ZodType<T, I>,
  rule: (value: Partial<T>, add: AddError) => void | Promise<void>,
): z.ZodType<T, I> {
  return schema.superRefine(
    (value, ctx) => {
      if (!isRecord(value)) return;
      return rule(value as Partial<T>, (path, message) => ctx.addIssue({ code: "custom", path, message }));
    },
    { when: () => true },
  ) as unknown as z.ZodType<T, I>;
}

/** The message for a value that is not an object. It applies to the whole form. */
export const formError = { error: "shared-owners:errors.form.invalid" } as const;
