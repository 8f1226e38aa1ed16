/** Display settings of a model in a space. Files differ in unit and up axis, and may have several scenes, animations and variants. */

/** Axis of the file that points upwards. glTF requires +Y, but many exporters do not follow it. */
export const MODEL_UPS = ["y", "-y", "z", "-z", "x", "-x"] as const;
/** An axis of the file. */
export type ModelUp = (typeof MODEL_UPS)[number];

/** Ways to start an animation: by itself, on a click, or never. */
export const MODEL_MOVES = ["loop", "click", "never"] as const;
/** A way to start an animation. */
export type ModelMoves = (typeof MODEL_MOVES)[number];

/** The settings of a model. Numbers of scenes, animations and variants count from 0; null is the file's own choice. */
export interface ModelDisplay {
  /** Metres per unit of the file: 0.001 for millimetres. */
  readonly scale: number;
  readonly up: ModelUp;
  /** Radians around the upright axis, counter-clockwise as seen from above. */
  readonly turn: number;
  readonly scene: number | null;
  readonly animation: number | null;
  readonly moves: ModelMoves;
  readonly variant: number | null;
}

/** Default settings. */
export const MODEL_DISPLAY: ModelDisplay = {
  scale: 1,
  up: "y",
  turn: 0,
  scene: null,
  animation: null,
  moves: "loop",
  variant: null,
};

/** Permitted scale, in metres per unit of a file. */
export const MODEL_SCALE = { min: 0.000001, max: 1_000_000 } as const;
/** Highest accepted number of a scene, an animation or a variant, counted from 0. */
export const MODEL_CHOICE_MAX = 9999;

/** Returns whether settings equal the defaults. */
export const isDefaultDisplay = (display: object): boolean =>
  Object.entries(MODEL_DISPLAY).every(
    ([name, defaultValue]) => display[name as keyof object] === defaultValue,
  );

const isNumberOrNull = (value: unknown): value is number | null =>
  value === null || typeof value === "number";

/** Reads stored settings; undefined for none, for the defaults and for an invalid value. */
export function storedDisplay(value: unknown): ModelDisplay | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const display = { ...MODEL_DISPLAY, ...value } as ModelDisplay;
  const { scale, up, turn, scene, animation, moves, variant } = display;
  const isValid =
    Number.isFinite(scale) &&
    scale > 0 &&
    Number.isFinite(turn) &&
    MODEL_UPS.includes(up) &&
    MODEL_MOVES.includes(moves) &&
    [scene, animation, variant].every(isNumberOrNull);
  return isValid && !isDefaultDisplay(display)
    ? { scale, up, turn, scene, animation, moves, variant }
    : undefined;
}

/** Settings as the fields of a form. */
export interface DisplayValues {
  readonly scale: string;
  readonly modelUp: string;
  /** Degrees. */
  readonly turn: string;
  /** Numbers from 1; empty for the file's own choice. */
  readonly scene: string;
  readonly animation: string;
  readonly moves: string;
  readonly variant: string;
}

/** The names of the form's display fields. */
export const DISPLAY_FIELDS = [
  "scale",
  "modelUp",
  "turn",
  "scene",
  "animation",
  "moves",
  "variant",
] as const satisfies (keyof DisplayValues)[];

/** Returns settings as values of a form. */
export function displayValues(display: ModelDisplay = MODEL_DISPLAY): DisplayValues {
  const number = (choice: number | null) => (choice === null ? "" : String(choice + 1));
  return {
    scale: String(display.scale),
    modelUp: display.up,
    turn: String(Math.round((display.turn * 1800) / Math.PI) / 10),
    scene: number(display.scene),
    animation: number(display.animation),
    moves: display.moves,
    variant: number(display.variant),
  };
}

/** Converts form fields to the input of modelDisplayField("degrees"). */
export const displayInput = ({ modelUp, ...rest }: DisplayValues): unknown => ({ ...rest, up: modelUp });
