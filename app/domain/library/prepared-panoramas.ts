/** The files of converted panoramas, as pages give them to viewers. */

import type { SpaceSource, Uuid } from "../shared/model";
import type { TileShape } from "../spaces/panorama-tiles";
import { fileVersion } from "./media-url";
import type { ItemPreparation } from "./prepared";

/** A converted panorama. */
export interface PreparedPanorama {
  /** Version of the conversion, for the URLs of its files. */
  readonly version: string;
  /** Name of the small version that is shown first; null for none. */
  readonly preview: string | null;
  readonly tiles: TileShape | null;
}

/** Converted panoramas by the ids of their library items. */
export type PreparedPanoramas = Readonly<Record<Uuid, PreparedPanorama>>;

/** Returns the converted panoramas of a space; others are left out. @param items its library items by their ids */
export function preparedPanoramas(
  source: SpaceSource,
  items: Readonly<
    Record<Uuid, { readonly preparation?: Pick<ItemPreparation, "display" | "preview" | "tiles"> | null }>
  >,
): PreparedPanoramas {
  if (source.kind !== "panorama") return {};
  return Object.fromEntries(
    source.nodes.flatMap(({ mediaId }) => {
      const { display = null, preview = null, tiles = null } = items[mediaId]?.preparation ?? {};
      return display ? [[mediaId, { version: fileVersion(display.fileKey), preview, tiles }]] : [];
    }),
  );
}
