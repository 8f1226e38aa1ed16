/** Metres per unit of 3MF, and guesses for formats that declare no unit. */

/** Units of 3MF (3MF Core Specification §3.4). */
const METRES: Readonly<Record<string, number>> = {
  micron: 1e-6,
  millimeter: 1e-3,
  centimeter: 1e-2,
  inch: 0.0254,
  foot: 0.3048,
  meter: 1,
};

/** Returns the metres of a named unit; null when it is unknown. */
export const getUnitMetres = (unit: string): number | null => METRES[unit.toLowerCase()] ?? null;

/** A guessed unit. */
export interface UnitGuess {
  readonly unit: "mm" | "cm" | "m";
  readonly metres: number;
}

const MM: UnitGuess = { unit: "mm", metres: 1e-3 };
const CM: UnitGuess = { unit: "cm", metres: 1e-2 };
const M: UnitGuess = { unit: "m", metres: 1 };

/**
 * Guesses the unit of an STL file. Slicers write millimetres. An object smaller than ten millimetres is unlikely, so such a file is assumed to be in
 * metres.
 * @param longest longest side of the bounding box in units of the file
 */
export const guessStlUnit = (longest: number): UnitGuess => (longest >= 10 ? MM : M);

/**
 * Guesses the unit of an OBJ or mesh PLY file: metres up to 100 units, which is the size of a large building; centimetres up to 1000 units; otherwise
 * millimetres.
 * @param longest longest side of the bounding box in units of the file
 */
export const guessMeshUnit = (longest: number): UnitGuess => {
  if (longest <= 100) return M;
  return longest <= 1000 ? CM : MM;
};
