import type { MediaKind } from "~/domain/model";
import { panoramas, works } from "./plan";

export type SpaceKey = "showroom" | "panorama" | "showcase" | "splat" | "tearoom";
export type DemoAssetKey =
  | "showroom"
  | "splats"
  | `pano-${string}`
  | `poster-${SpaceKey}`
  | `poster-${SpaceKey}-small`
  | `work-${string}`
  | "exhibition-poster"
  | "floor-plan"
  | "sound"
  | "film"
  | "leaflet"
  | "leaflet-still";

export interface AssetFile {
  readonly fileName: string;
  readonly mimeType: string;
  readonly kind: MediaKind;
}

const webp = (fileName: string): AssetFile => ({ fileName, mimeType: "image/webp", kind: "image" });

/** The picture that stands for a space, 16:9; its small form, half as wide, has "-small" added. */
export function posterOf(space: SpaceKey): `poster-${SpaceKey}` {
  return `poster-${space}`;
}

/** The still picture of an asset that is no picture itself, as browsers take it of what is uploaded. */
export function stillOf(key: DemoAssetKey): DemoAssetKey | null {
  if (key === "showroom") return "poster-showroom-small";
  if (key === "splats") return "poster-splat-small";
  return key === "leaflet" ? "leaflet-still" : null;
}

/** Name, type and kind of an asset's file. */
export function fileOf(key: DemoAssetKey): AssetFile {
  if (key === "showroom") return { fileName: "showroom.glb", mimeType: "model/gltf-binary", kind: "model" };
  if (key === "splats")
    return { fileName: "gallery.spz", mimeType: "application/x-gaussian-spz", kind: "splat" };
  if (key === "sound") return { fileName: "between-waves.wav", mimeType: "audio/wav", kind: "audio" };
  if (key === "film") return { fileName: "sea.webm", mimeType: "video/webm", kind: "video" };
  if (key === "leaflet")
    return { fileName: "indigo-and-paper.pdf", mimeType: "application/pdf", kind: "pdf" };
  return webp(`${key}.webp`);
}

const spaces: readonly SpaceKey[] = ["showroom", "panorama", "showcase", "splat", "tearoom"];

/** Every asset the demo is made of. */
export const assetKeys: readonly DemoAssetKey[] = [
  "showroom",
  "splats",
  ...panoramas.map((node): DemoAssetKey => `pano-${node.id}`),
  ...spaces.flatMap((space): DemoAssetKey[] => [`poster-${space}`, `poster-${space}-small`]),
  ...works.map((work): DemoAssetKey => `work-${work.id}`),
  "exhibition-poster",
  "floor-plan",
  "sound",
  "film",
  "leaflet",
  "leaflet-still",
];
