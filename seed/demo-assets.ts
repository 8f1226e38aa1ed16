/** Reads the list of the demo's files in seed/assets, and resolves the keys that records use. */
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { MediaKind } from "~/domain/shared/model";
import assetList from "./assets/assets.json";

/** Stable name by which the demo's records refer to a file. */
export type DemoAssetKey = keyof typeof assetList;

/** Name by which the code refers to a space of the demo. */
export type SpaceKey = "showroom" | "panorama" | "showcase" | "splat" | "tearoom";

export interface DemoAsset {
  /** Path inside seed/assets. */
  readonly path: string;
  readonly mimeType: string;
  readonly kind: MediaKind;
  /** In pixels. */
  readonly width?: number;
  readonly height?: number;
  /** In seconds. */
  readonly duration?: number;
}

const assets = assetList as Readonly<Record<DemoAssetKey, DemoAsset>>;
const folder = fileURLToPath(new URL("./assets/", import.meta.url));

export const assetKeys = Object.keys(assetList) as readonly DemoAssetKey[];

export const getAsset = (key: DemoAssetKey): DemoAsset => assets[key];

/** File name that the library shows and that downloads use. */
export const getFileName = (key: DemoAssetKey): string => basename(getAsset(key).path);

export const readAsset = (key: DemoAssetKey): Buffer => readFileSync(join(folder, getAsset(key).path));

/** Key of a space's poster, a 16:9 image that stands for its 3D view. The small version, half as wide, has "-small" appended. */
export function getPosterKey(space: SpaceKey): `poster-${SpaceKey}` {
  return `poster-${space}`;
}

/** Key of the thumbnail of a model, splats or a PDF; null for other files. */
export function getThumbnailKey(key: DemoAssetKey): DemoAssetKey | null {
  if (key === "showroom") return "poster-showroom-small";
  if (key === "splats") return "poster-splat-small";
  return key === "leaflet" ? "leaflet-still" : null;
}
