/** Reads the settings of a model from a form or the API. */
import * as z from "zod";
import { field, formError, isMissing, readNumber } from "../shared/fields.schema";
import {
  isDefaultDisplay,
  MODEL_CHOICE_MAX,
  MODEL_DISPLAY,
  MODEL_MOVES,
  MODEL_SCALE,
  MODEL_UPS,
  type ModelDisplay,
} from "./model-display";
import { normalizeAngle } from "./normalize-angle";

const scaleField = field<number>((value) => {
  if (isMissing(value)) return { value: MODEL_DISPLAY.scale };
  const scale = readNumber(value);
  return scale !== null && scale >= MODEL_SCALE.min && scale <= MODEL_SCALE.max
    ? { value: scale }
    : { error: "spaces:sources.errors.scale" };
});

const turnField = (unit: number) =>
  field<number>((value) => {
    const turn = isMissing(value) ? 0 : readNumber(value);
    return turn === null ? { error: "spaces:sources.errors.turn" } : { value: normalizeAngle(turn * unit) };
  });

/** A scene, an animation or a variant by its number; null for the file's own choice. @param first number of the first choice in the form */
const choiceField = (first: number) =>
  field<number | null>((value) => {
    if (isMissing(value)) return { value: null };
    const number = readNumber(value);
    return number !== null &&
      Number.isInteger(number) &&
      number >= first &&
      number - first <= MODEL_CHOICE_MAX
      ? { value: number - first }
      : { error: "spaces:sources.errors.choice" };
  });

const oneOf = <T extends string>(choices: readonly T[], defaultChoice: T, error: string) =>
  field<T, string>((value) => {
    if (isMissing(value)) return { value: defaultChoice };
    const match = choices.find((choice) => choice === value);
    return match === undefined ? { error } : { value: match };
  });

/**
 * Returns the schema of the settings in a form or the API; undefined for missing settings and for the defaults.
 * @param angles unit of the turn; forms, which use degrees, number scenes and other choices from 1
 */
export function modelDisplayField(angles: "radians" | "degrees") {
  const [unit, first] = angles === "degrees" ? [Math.PI / 180, 1] : [1, 0];
  return z
    .object(
      {
        scale: scaleField,
        up: oneOf(MODEL_UPS, MODEL_DISPLAY.up, "spaces:sources.errors.up"),
        turn: turnField(unit),
        scene: choiceField(first),
        animation: choiceField(first),
        moves: oneOf(MODEL_MOVES, MODEL_DISPLAY.moves, "spaces:sources.errors.moves"),
        variant: choiceField(first),
      },
      formError,
    )
    .nullish()
    .transform((display): ModelDisplay | undefined =>
      display && !isDefaultDisplay(display) ? (display as ModelDisplay) : undefined,
    );
}
