/** Schemas of requests about the conversion of a file (decision 054). */
import { field, readInteger } from "./fields.schema";
import {
  PREPARATION_CODES,
  PREPARATION_LOSSES,
  PREPARATION_NOTES,
  PREPARED_ROLES,
  type PreparationCode,
  type PreparationLoss,
  type PreparationNote,
  type PreparedFacts,
  type PreparedRole,
  preparedEnding,
} from "./prepared";

const WRONG = { error: "errors.field.invalid" } as const;
const oneOf = <T extends string>(values: readonly T[]) =>
  field<T>((value) => {
    const found = values.find((one) => one === value);
    return found === undefined ? WRONG : { value: found };
  });

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Numbers of a file that are counted or measured from 0. */
const AMOUNTS = ["bytes", "triangles", "points", "splats", "graphicsBytes", "width", "height"] as const;
/** More than any file has, so that what is stored stays a number. */
const AMOUNT_MAX = 1e15;

/** Facts of a file; null for what are none. */
function readFacts(value: unknown): PreparedFacts | null {
  if (!isRecord(value)) return null;
  const facts: Record<string, number | readonly number[]> = {};
  for (const name of AMOUNTS) {
    const amount = value[name === "graphicsBytes" ? "graphics_bytes" : name];
    if (amount === undefined || amount === null) continue;
    if (typeof amount !== "number" || !(amount >= 0 && amount <= AMOUNT_MAX)) return null;
    facts[name] = Math.round(amount);
  }
  const { size } = value;
  if (size !== undefined && size !== null) {
    const isSize =
      Array.isArray(size) &&
      size.length === 3 &&
      size.every((side) => typeof side === "number" && side >= 0 && side <= AMOUNT_MAX);
    if (!isSize) return null;
    facts.size = size as readonly number[];
  }
  return typeof facts.bytes === "number" ? (facts as unknown as PreparedFacts) : null;
}

/** Characters of a text in a note: ten names of files. */
const NOTE_TEXT_MAX = 2000;

/** A note with the values of its text and no others; null for what is none. */
function readNote(value: unknown): PreparationNote | null {
  if (!isRecord(value) || typeof value.key !== "string" || !Object.hasOwn(PREPARATION_NOTES, value.key))
    return null;
  const key = value.key as PreparationNote["key"];
  const given = isRecord(value.values) ? value.values : {};
  const values: Record<string, string | number> = {};
  for (const name of PREPARATION_NOTES[key]) {
    const one = given[name];
    if (typeof one === "number" ? !Number.isFinite(one) : typeof one !== "string") return null;
    values[name] = typeof one === "string" ? one.slice(0, NOTE_TEXT_MAX) : (one as number);
  }
  return { key, values };
}

/** Characters by which a browser's tab is known again. */
export const HOLDER_MAX = 100;

/** Rules of what the calls about conversions take, by name. */
export const preparationFields = {
  holder: field<string>((value) =>
    typeof value === "string" && value.length >= 8 && value.length <= HOLDER_MAX && /^[\w-]+$/.test(value)
      ? { value }
      : WRONG,
  ),
  /** 0…1; undefined for that of the conversion before, or the usual one. */
  quality: field<number | undefined>((value) => {
    if (value === undefined || value === null || value === "") return { value: undefined };
    return typeof value === "number" && value >= 0 && value <= 1 ? { value } : WRONG;
  }),
  code: oneOf<PreparationCode>(PREPARATION_CODES),
  role: oneOf<PreparedRole>(PREPARED_ROLES),
  name: field<string>((value) =>
    typeof value === "string" && preparedEnding(value) !== null ? { value } : WRONG,
  ),
  amount: field<number>((value) => {
    const amount = readInteger(value, 1, Number.MAX_SAFE_INTEGER);
    return amount === null ? WRONG : { value: amount };
  }),
  /** Undefined means the first one. */
  part: field<number>((value) => {
    const part = value === undefined || value === "" ? 1 : readInteger(value, 1, 10_000);
    return part === null ? WRONG : { value: part };
  }),
  /** Facts of a file, by the names of the API. */
  facts: field<PreparedFacts>((value) => {
    const read = readFacts(value);
    return read === null ? WRONG : { value: read };
  }),
  losses: field<readonly PreparationLoss[]>((value) => {
    if (value === undefined || value === null) return { value: [] };
    const list: readonly unknown[] = Array.isArray(value) ? value : [null];
    const known = PREPARATION_LOSSES.filter((loss) => list.includes(loss));
    return known.length === new Set(list).size ? { value: known } : WRONG;
  }),
  notes: field<readonly PreparationNote[]>((value) => {
    if (value === undefined || value === null) return { value: [] };
    if (!Array.isArray(value) || value.length > Object.keys(PREPARATION_NOTES).length) return WRONG;
    const notes = value.map(readNote);
    return notes.every((note) => note !== null) ? { value: notes } : WRONG;
  }),
};
