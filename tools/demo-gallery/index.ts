/** Writes the demo's files and their list (assets.json) into seed/assets. `npm start` in this folder runs it; it needs ffmpeg. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { DemoAsset, DemoAssetKey } from "../../seed/demo-assets";
import { makeFiles } from "./make";

const folder = fileURLToPath(new URL("../../seed/assets/", import.meta.url));

const image = (path: string) => ({ path, mimeType: "image/webp", kind: "image" }) as const;

/** Returns path, type and kind of an asset's file. */
function describeFile(key: DemoAssetKey): DemoAsset {
  if (key === "showroom") return { path: "showroom.glb", mimeType: "model/gltf-binary", kind: "model" };
  if (key === "splats") return { path: "gallery.spz", mimeType: "application/x-gaussian-spz", kind: "splat" };
  if (key === "sound") return { path: "between-waves.m4a", mimeType: "audio/mp4", kind: "audio" };
  if (key === "film") return { path: "sea.mp4", mimeType: "video/mp4", kind: "video" };
  if (key === "leaflet") return { path: "indigo-and-paper.pdf", mimeType: "application/pdf", kind: "pdf" };
  const subfolders = { pano: "panoramas/", poster: "posters/", work: "works/" } as const;
  const prefix = key.split("-")[0] as keyof typeof subfolders;
  return image(`${subfolders[prefix] ?? ""}${key}.webp`);
}

const assets: Record<string, DemoAsset> = {};
for (const { key, data, ...sizes } of await makeFiles(console.log)) {
  assets[key] = { ...describeFile(key), ...sizes };
  const file = join(folder, assets[key].path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, data);
}
const sortedAssets = Object.fromEntries(Object.entries(assets).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(join(folder, "assets.json"), `${JSON.stringify(sortedAssets, null, 2)}\n`);
