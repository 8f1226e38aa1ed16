/**
 * Tiles of large panoramas. Level L shows the whole equirectangular image at width / 2^(levels − 1 − L) pixels, in columns from the left
 * and rows from the top. Each tile has tileSize × tileSize pixels and a margin of one pixel on each side, which repeats the neighbours'
 * pixels. At the left and right edge of the image, the neighbour is the tile at the opposite edge; at the top and bottom, the edge's own pixels are repeated.
 */

/** Description of a panorama's tiles for viewers. */
export interface PanoramaTiles {
  /** Base URL from which tileUrl builds a tile's URL. It may have a query. */
  readonly base: string;
  /** Width of the last level in pixels. */
  readonly width: number;
  /** Side of a tile in pixels, without its margin. */
  readonly tileSize: number;
  readonly levels: number;
  readonly extension: "webp" | "jpg";
}

/** The shape of a set of tiles, without its URL. */
export type TileShape = Omit<PanoramaTiles, "base">;

/** Side of every tile in pixels. */
export const TILE_SIZE = 1024;
/** Margin of a tile in pixels, on each side. */
export const TILE_MARGIN = 1;
/** Width of the image without tiles, in pixels. Panoramas that are more than a tenth wider have tiles. */
export const DISPLAY_WIDTH = 4096;
/** Maximum width of a converted panorama in pixels. */
export const TILES_WIDTH_MAX = 16_384;

/** Returns the width, tile size and levels of the tiles for a panorama of a width in pixels; null if the image without tiles is sharp enough. */
export function tileShapeFor(
  width: number,
): { readonly width: number; readonly tileSize: number; readonly levels: number } | null {
  if (width <= DISPLAY_WIDTH * 1.1) return null;
  // An image becomes up to 5 % narrower if that avoids a level or more columns. Otherwise it is enlarged to the next possible width.
  const levels = width <= 2 * DISPLAY_WIDTH * 1.05 ? 1 : 2;
  // Every level has half as many rows as columns, so the first one needs an even number of columns.
  const step = TILE_SIZE * 2 ** levels;
  const tiledWidth = Math.min(TILES_WIDTH_MAX, Math.max(step, Math.ceil((width * 0.95) / step) * step));
  return { width: tiledWidth, tileSize: TILE_SIZE, levels };
}

/** Returns the number of columns of a level; it has half as many rows. */
export const tileColumns = (
  { width, tileSize, levels }: Omit<TileShape, "extension">,
  level: number,
): number => width / 2 ** (levels - 1 - level) / tileSize;

/** Returns the name of a tile: "1/3-2.webp". */
export const tileName = (level: number, column: number, row: number, extension: string): string =>
  `${level}/${column}-${row}.${extension}`;

/** Returns the names of all tiles of a set. */
export function tileNames(shape: TileShape): string[] {
  const names: string[] = [];
  for (let level = 0; level < shape.levels; level++) {
    const columns = tileColumns(shape, level);
    for (let row = 0; row < columns / 2; row++)
      for (let column = 0; column < columns; column++)
        names.push(tileName(level, column, row, shape.extension));
  }
  return names;
}

/** Returns the shape of the set with these file names; null if files are missing or are not tiles. */
export function tilesOfNames(names: readonly string[]): TileShape | null {
  const levels = new Map<number, number>();
  let extension: TileShape["extension"] | null = null;
  for (const name of names) {
    const match = /^(\d)\/(\d{1,2})-(\d{1,2})\.(webp|jpg)$/.exec(name);
    if (!match) return null;
    extension ??= match[4] as TileShape["extension"];
    const level = Number(match[1]);
    levels.set(level, Math.max(levels.get(level) ?? 0, Number(match[2]) + 1));
  }
  const columns = levels.get(levels.size - 1);
  if (columns === undefined || extension === null) return null;
  const shape = { width: columns * TILE_SIZE, tileSize: TILE_SIZE, levels: levels.size, extension };
  if (!Number.isInteger(columns / 2 ** levels.size)) return null;
  const expected = tileNames(shape);
  const nameSet = new Set(names);
  return expected.length === nameSet.size && expected.every((name) => nameSet.has(name)) ? shape : null;
}

/** Returns the URL of a tile: its name at the end of the base's path, before the base's query. */
export function tileUrl(tiles: PanoramaTiles, level: number, column: number, row: number): string {
  const [path = "", ...query] = tiles.base.split("?");
  const name = tileName(level, column, row, tiles.extension);
  return `${path.replace(/\/$/, "")}/${name}${query.length > 0 ? `?${query.join("?")}` : ""}`;
}
