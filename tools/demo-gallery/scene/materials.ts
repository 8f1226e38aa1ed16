import { hex, type Rgb } from "../color";

/** Name of a material. */
export type MaterialId = keyof typeof materials;

/** Optical properties of a surface. */
export interface Material {
  /** Share of light that is reflected, by channel. The colours of a face's image are multiplied by it. */
  readonly albedo: Rgb;
  /** Emitted light by day and by lamp, before the factors of the variant. */
  readonly daylight?: number;
  readonly lamplight?: number;
  /**
   * Factor of the light that the material emits into the room, relative to its visible brightness. It balances the rooms like a camera's
   * exposure.
   */
  readonly boost?: number;
  /** Strength of a polished surface's reflections, and their blur in radians. */
  readonly gloss?: number;
  readonly blur?: number;
  /** A colour that light does not change, for cut walls in the view from above and for the ground. */
  readonly flat?: boolean;
}

/** All materials by name. */
export const materials = {
  plaster: { albedo: [0.83, 0.825, 0.81] },
  ceiling: { albedo: [0.86, 0.86, 0.85] },
  skirting: { albedo: [0.83, 0.82, 0.8] },
  indigo: { albedo: hex("#3d4b77") },
  indigoCeiling: { albedo: hex("#8a90a6") },
  earth: { albedo: hex("#d3c3a6") },
  cedar: { albedo: [1.1, 1.02, 0.93] },
  image: { albedo: [1, 1, 1] },
  oakFloor: { albedo: [1, 1, 1], gloss: 0.7, blur: 0.022 },
  stoneFloor: { albedo: [1, 1, 1], gloss: 0.55, blur: 0.022 },
  tatami: { albedo: [1, 1, 1] },
  oak: { albedo: [1, 1, 1], gloss: 0.35, blur: 0.06 },
  oakPlain: { albedo: hex("#b8966a") },
  darkWood: { albedo: hex("#4a3a2e") },
  black: { albedo: hex("#1d1c1e") },
  lacquer: { albedo: hex("#242228"), gloss: 1, blur: 0.012 },
  white: { albedo: [0.86, 0.855, 0.84] },
  track: { albedo: hex("#d9d8d4") },
  frosted: { albedo: [0.8, 0.8, 0.8], daylight: 1.05, boost: 2.6 },
  sky: { albedo: [0.85, 0.87, 0.9], daylight: 1.5, boost: 1.15 },
  paper: { albedo: [0.85, 0.82, 0.75], daylight: 0.95, boost: 2.8 },
  slot: { albedo: [0.85, 0.85, 0.85], daylight: 1.3, lamplight: 0.9, boost: 4.8 },
  lamp: { albedo: [0.9, 0.9, 0.88], lamplight: 6 },
  andon: { albedo: [0.9, 0.87, 0.78], lamplight: 1.1, boost: 6.5 },
  ink: { albedo: hex("#232f66") },
  celadon: { albedo: hex("#a9c0ae"), gloss: 0.9, blur: 0.02 },
  porcelain: { albedo: hex("#eeebe3"), gloss: 0.8, blur: 0.03 },
  gypsum: { albedo: hex("#efece6") },
  indigoLacquer: { albedo: hex("#27347a"), gloss: 1, blur: 0.012 },
  bowlOutside: { albedo: hex("#2a3560"), gloss: 0.8, blur: 0.02 },
  branch: { albedo: hex("#5d4a3a") },
  blossom: { albedo: hex("#f0dcd6") },
  fabric: { albedo: hex("#46527f") },
  cut: { albedo: hex("#3b4151"), flat: true },
  lintel: { albedo: hex("#c9ccd3"), flat: true },
  base: { albedo: hex("#e4e3df"), flat: true },
} as const satisfies Record<string, Material>;

/** Returns the material with defaults for missing values. */
export function materialOf(id: MaterialId): Required<Material> {
  const m: Material = materials[id];
  return { daylight: 0, lamplight: 0, boost: 1, gloss: 0, blur: 0, flat: false, ...m };
}
