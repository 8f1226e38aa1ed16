/** The twelve prints and the poster. The texts of the prints are in seed/demo-texts.ts. */

import type { WorkId } from "../../../seed/gallery-plan";
import { enso, poster } from "./brush";
import { bamboo, garden, moons, rain, waves } from "./landscapes";
import { ai, asanoha, fold, ichimatsu } from "./patterns";
import type { Print } from "./press";
import { ridges, stars } from "./skies";

/** Name of a work that is a print, or of the exhibition's poster. */
export type PrintId = WorkId | "poster";

/** All prints by name. */
export const prints: Readonly<Record<PrintId, Print>> = {
  asanoha,
  ichimatsu,
  moons,
  garden,
  rain,
  waves,
  bamboo,
  ai,
  fold,
  stars,
  ridges,
  enso,
  poster,
};
