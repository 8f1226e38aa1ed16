/** The demo's files: the list of seed/assets, and how records name them. */
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { MediaKind } from "~/domain/shared/model";
import listed from "./assets/assets.json";

/** Stable name by which the demo's records refer to a file. */
export type DemoAssetKey = keyof typeof listed;

export type SpaceKey = "showroom" | "panorama" | "showcase" | "splat" | "tearoom";

export interface DemoAsset {
  /** Path inside seed/assets. */
  readonly path: string;
  readonly mimeType: string;
  readonly kind: MediaKind;
  /** Pixels. */
  readonly width?: number;
  readonly height?: number;
  /** Seconds. */
  readonly duration?: number;
}

const assets = listed as Readonly<Record<DemoAssetKey, DemoAsset>>;
const folder = fileURLToPath(new URL("./assets/", import.meta.url));

export const assetKeys = Object.keys(listed) as readonly DemoAssetKey[];

export const assetOf = (key: DemoAssetKey): DemoAsset => assets[key];

/** The name shown in the library and used for downloads. */
export const fileNameOf = (key: DemoAssetKey): string => basename(assetOf(key).path);

export const readAsset = (key: DemoAssetKey): Buffer => readFileSync(join(folder, assetOf(key).path));

/** The image that stands for a space, 16:9; its small form, half as wide, has "-small" added. */
export function posterOf(space: SpaceKey): `poster-${SpaceKey}` {
  return `poster-${space}`;
}

/** The thumbnail of a file that is not an image, as browsers make it of what people upload. */
export function thumbnailOf(key: DemoAssetKey): DemoAssetKey | null {
  if (key === "showroom") return "poster-showroom-small";
  if (key === "splats") return "poster-splat-small";
  return key === "leaflet" ? "leaflet-still" : null;
}
