/** Finds the invalid fields of a rejected value that has several number fields (position, view, stem). Each field has its own message. */
import { readNumber } from "~/domain/shared/fields.schema";
import { COORDINATE_MAX } from "~/domain/shared/limits";
import type { ContentErrors } from "../content/content-field";

/** Message of a compound value that does not state which part is invalid. */
const GENERAL_MESSAGE = "shared-owners:errors.field.position";

const isEmpty = (text: string) => text.trim() === "";
const isWithin = (text: string, max: number) => Math.abs(readNumber(text) ?? Number.POSITIVE_INFINITY) <= max;

/** Functions that validate a field's text, by the last part of the field's name. An empty angle, length, mode or node is valid. */
const VALIDATORS: Readonly<Record<string, (text: string) => boolean>> = {
  x: (text) => isWithin(text, COORDINATE_MAX),
  y: (text) => isWithin(text, COORDINATE_MAX),
  z: (text) => isWithin(text, COORDINATE_MAX),
  yaw: (text) => isEmpty(text) || readNumber(text) !== null,
  rotation: (text) => isEmpty(text) || readNumber(text) !== null,
  pitch: (text) => isEmpty(text) || isWithin(text, 90),
  length: (text) => isEmpty(text) || (isWithin(text, COORDINATE_MAX) && Number(text) >= 0),
  mode: (text) => isEmpty(text) || ["walk", "orbit", "plan"].includes(text),
  node: (text) => /^[A-Za-z0-9_-]{0,64}$/.test(text.trim()),
};
const MESSAGES: Readonly<Record<string, string>> = {
  mode: "shared-owners:errors.field.invalid",
  node: "shared-owners:errors.field.invalid",
  rotation: "shared-owners:errors.field.yaw",
};

const axes = (name: string) => [`${name}.x`, `${name}.y`, `${name}.z`];
const getText = (input: object, name: string) =>
  String((input as Readonly<Record<string, unknown>>)[name] ?? "");
const getLastPart = (name: string) => name.split(".").at(-1) ?? "";

function findInvalidFields(names: readonly string[], input: object): ContentErrors {
  const invalidNames = names.filter((name) => !VALIDATORS[getLastPart(name)]?.(getText(input, name)));
  return Object.fromEntries(
    invalidNames.map((name) => [
      name,
      [MESSAGES[getLastPart(name)] ?? `shared-owners:errors.field.${getLastPart(name)}`],
    ]),
  );
}

/** Replaces the general messages of compound values by messages of their invalid fields. @param fields the field names of each compound value */
export function splitCompoundErrors(
  errors: ContentErrors,
  fields: Readonly<Record<string, readonly string[]>>,
  input: object,
): ContentErrors {
  const entries = Object.entries(errors).flatMap(([valueName, messages]) => {
    const names = fields[valueName];
    if (!names || !messages.every((message) => message === GENERAL_MESSAGE))
      return [[valueName, messages] as const];
    // An empty direction is the default direction, not three invalid numbers.
    const isDefaultDirection = axes("normal").every((axis) => isEmpty(getText(input, axis)));
    const checkedNames = names.filter((name) => !isDefaultDirection || !name.startsWith("normal."));
    const fieldErrors = Object.entries(findInvalidFields(checkedNames, input));
    if (fieldErrors.length > 0) return fieldErrors;
    // Each number is valid, but together they are not a direction.
    return names.includes("normal.x")
      ? [["normal.x", ["shared-owners:errors.field.direction"]] as const]
      : [[valueName, messages] as const];
  });
  return Object.fromEntries(entries);
}

/** Names of the fields of a view. */
export const VIEW_PARTS = [...axes("view"), "view.yaw", "view.pitch", "view.mode", "view.node"];
/** Field names of a tag's compound values. */
export const TAG_PARTS = {
  position: axes("position"),
  stem: [...axes("normal"), "length"],
  viewpoint: VIEW_PARTS,
};
/** Field names of a media item's compound values. */
export const MEDIA_ITEM_PARTS = { placement: [...axes("position"), ...axes("normal"), "rotation"] };
