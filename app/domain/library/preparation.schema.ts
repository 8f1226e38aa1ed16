/** Schemas of requests about the conversion of a file (decision 054). */
import { field, isMissing, readInteger } from "../shared/fields.schema";
import { isRecord } from "../shared/is-record";
import {
  NOTE_VALUE_MAX,
  PREPARATION_CODES,
  PREPARATION_LOSSES,
  PREPARATION_NOTES,
  PREPARED_ROLES,
  type PreparationCode,
  type PreparationLoss,
  type PreparationNote,
  type PreparedMeasurements,
  type PreparedRole,
  preparedExtension,
} from "./prepared";

const INVALID = { error: "shared-owners:errors.field.invalid" } as const;
const oneOf = <T extends string>(values: readonly T[]) =>
  field<T>((value) => {
    const match = values.find((item) => item === value);
    return match === undefined ? INVALID : { value: match };
  });

/** Numbers of a file that are counted or measured from 0. */
const AMOUNTS = ["bytes", "triangles", "points", "splats", "graphicsBytes", "width", "height"] as const;
/** Upper limit of stored amounts; larger than any file needs. */
const AMOUNT_MAX = 1e15;

/** Parses the measurements of a file; null when they are invalid. */
function readMeasurements(value: unknown): PreparedMeasurements | null {
  if (!isRecord(value)) return null;
  const measurements: Record<string, number | readonly number[]> = {};
  for (const name of AMOUNTS) {
    const amount = value[name === "graphicsBytes" ? "graphics_bytes" : name];
    if (amount === undefined || amount === null) continue;
    if (typeof amount !== "number" || !(amount >= 0 && amount <= AMOUNT_MAX)) return null;
    measurements[name] = Math.round(amount);
  }
  const { size } = value;
  if (size !== undefined && size !== null) {
    const isSize =
      Array.isArray(size) &&
      size.length === 3 &&
      size.every((side) => typeof side === "number" && side >= 0 && side <= AMOUNT_MAX);
    if (!isSize) return null;
    measurements.size = size as readonly number[];
  }
  return typeof measurements.bytes === "number" ? (measurements as unknown as PreparedMeasurements) : null;
}

/** Maximum number of values of a note. */
const NOTE_VALUES_MAX = 4;

/** Parses a note; null when it is invalid. */
function readNote(value: unknown): PreparationNote | null {
  if (!isRecord(value)) return null;
  const key = PREPARATION_NOTES.find((note) => note === value.key);
  const { values = {} } = value;
  if (key === undefined || !isRecord(values)) return null;
  const entries = Object.entries(values);
  const isNoteValue = (text: unknown) =>
    typeof text === "number"
      ? Number.isFinite(text)
      : typeof text === "string" && text.length <= NOTE_VALUE_MAX;
  if (entries.length > NOTE_VALUES_MAX || !entries.every(([, value]) => isNoteValue(value))) return null;
  return { key, values: values as PreparationNote["values"] };
}

/** Maximum length of `holder`, the id by which the server recognises the browser tab that converts a file. */
export const HOLDER_MAX = 100;

/** Fields of the API calls about conversions, by name. */
export const preparationFields = {
  holder: field<string>((value) =>
    typeof value === "string" && value.length >= 8 && value.length <= HOLDER_MAX && /^[\w-]+$/.test(value)
      ? { value }
      : INVALID,
  ),
  /** 0…1; undefined for the quality of the last conversion, or the default. */
  quality: field<number | undefined>((value) => {
    if (isMissing(value)) return { value: undefined };
    return typeof value === "number" && value >= 0 && value <= 1 ? { value } : INVALID;
  }),
  code: oneOf<PreparationCode>(PREPARATION_CODES),
  role: oneOf<PreparedRole>(PREPARED_ROLES),
  name: field<string>((value) =>
    typeof value === "string" && preparedExtension(value) !== null ? { value } : INVALID,
  ),
  amount: field<number>((value) => {
    const amount = readInteger(value, 1, Number.MAX_SAFE_INTEGER);
    return amount === null ? INVALID : { value: amount };
  }),
  /** Number of a slice of a converted file, from 1. A missing or empty value means the first one. */
  part: field<number>((value) => {
    const part = value === undefined || value === "" ? 1 : readInteger(value, 1, 10_000);
    return part === null ? INVALID : { value: part };
  }),
  /** Measurements of a file, by the names of the API. */
  measurements: field<PreparedMeasurements>((value) => {
    const measurements = readMeasurements(value);
    return measurements === null ? INVALID : { value: measurements };
  }),
  losses: field<readonly PreparationLoss[]>((value) => {
    if (value === undefined || value === null) return { value: [] };
    const list: readonly unknown[] = Array.isArray(value) ? value : [null];
    const losses = PREPARATION_LOSSES.filter((loss) => list.includes(loss));
    return losses.length === new Set(list).size ? { value: losses } : INVALID;
  }),
  notes: field<readonly PreparationNote[]>((value) => {
    if (value === undefined || value === null) return { value: [] };
    const notes =
      Array.isArray(value) && value.length <= PREPARATION_NOTES.length ? value.map(readNote) : [null];
    const validNotes = notes.filter((note) => note !== null);
    return validNotes.length === notes.length ? { value: validNotes } : INVALID;
  }),
};
