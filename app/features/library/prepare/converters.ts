import { CONVERTED_MODEL_TYPES, SPLAT_TYPES } from "~/domain/library/formats/mime-types";
import type { Converter } from "./conversion";

const loadModelConverter = async () => (await import("./models/convert-model.client")).convertModel;
const loadImageConverter = async () => (await import("./panorama.client")).convertImage;
const loadVideoConverter = async () => (await import("./video.client")).convertVideo;
const loadZipConverter = async (): Promise<Converter> => {
  const { convertZip } = await import("./models/convert-zip.client");
  return (input) => convertZip(input, getConverter);
};

type LoadConverter = () => Promise<Converter>;
const eachType = (types: readonly string[], load: LoadConverter) =>
  Object.fromEntries(types.map((type) => [type, load]));

const { zip, ...modelTypes } = CONVERTED_MODEL_TYPES;

const IMAGE_TYPES = ["tiff", "heic", "heif", "bmp", "jpeg", "png", "webp", "avif"].map(
  (type) => `image/${type}`,
);

/** Converters by the MIME type that they read, without parameters. Each is loaded when the first file needs it. */
const CONVERTERS: Readonly<Record<string, LoadConverter>> = {
  [zip]: loadZipConverter,
  ...eachType(Object.values(modelTypes), loadModelConverter),
  ...eachType(IMAGE_TYPES, loadImageConverter),
  "model/gltf-binary": async () => (await import("./glb.client")).optimizeGlb,
  ...eachType(Object.values(SPLAT_TYPES), async () => (await import("./splat.client")).convertSplat),
  ...eachType(["video/x-matroska", "video/mp2t", "video/mp4", "video/quicktime"], loadVideoConverter),
};

/** Returns the converter of a MIME type, or null when there is none. Parameters of the type are ignored. */
export async function getConverter(mimeType: string): Promise<Converter | null> {
  const [type = ""] = mimeType.split(";");
  return (await CONVERTERS[type]?.()) ?? null;
}

/** Returns the converter of cropped panoramas, cubemaps and six cube faces to a panorama. */
export const loadPanoramaConverter = async (): Promise<Converter> =>
  (await import("./panorama.client")).convertPanorama;
