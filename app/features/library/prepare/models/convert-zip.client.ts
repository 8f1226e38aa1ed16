/** Converts a model in a ZIP archive that also contains its materials and textures. */
import { CONVERTED_MODEL_TYPES } from "~/domain/library/formats/mime-types";
import { chooseModelPath } from "~/domain/library/formats/zip/zip-model";
import { SNIFF_BYTES, sniffMedia } from "~/domain/library/sniff-media";
import { type OpenZip, openZip } from "~/features/library/uploads/preflight/open-zip";
import { packGltf } from "~/features/library/uploads/preflight/pack-gltf";
import { type Conversion, ConversionError, type ConversionInput, type Converter } from "../conversion";
import { baseName } from "./companion-files";

/**
 * Unpacks the archive and converts the model with the converter of its own type. The other files in the archive are its companions.
 * @param getConverter returns the converter of a MIME type; null for a type without one
 */
export async function convertZip(
  input: ConversionInput,
  getConverter: (mimeType: string) => Promise<Converter | null>,
): Promise<Conversion> {
  const { file, fileName, signal } = input;
  signal.throwIfAborted();
  const zip = await openZip(file);
  if (zip === "damaged") throw new ConversionError("damaged", `${fileName}: not a readable zip archive`);
  if (zip === "tooLarge") throw new ConversionError("too_large", `${fileName}: unpacks to too many bytes`);
  const path = chooseModelPath(zip.names);
  if (path === null) throw new ConversionError("empty", `${fileName}: no model`);
  const files = await unpackAll(zip, signal);
  const model = /\.gltf$/i.test(path) ? await packGltfModel(path, files) : (files.get(path) ?? new Blob());
  const head = new Uint8Array(await model.slice(0, SNIFF_BYTES).arrayBuffer());
  const sniffed = await sniffMedia(head, path.replace(/\.gltf$/i, ".glb"), model.size);
  const mimeType = sniffed?.mimeType ?? "";
  const convert = mimeType === CONVERTED_MODEL_TYPES.zip ? null : await getConverter(mimeType);
  if (!convert) throw new ConversionError("unsupported_feature", `${path}: ${mimeType || "unknown type"}`);
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const companions = new Map(
    [...files]
      .filter(([name]) => name !== path)
      .map(([name, content]) => [name.startsWith(folder) ? name.slice(folder.length) : name, content]),
  );
  const conversion = await convert({ ...input, file: model, fileName: baseName(path), mimeType, companions });
  return { ...conversion, before: { ...conversion.before, bytes: file.size } };
}

async function unpackAll(zip: OpenZip, signal: AbortSignal): Promise<Map<string, Blob>> {
  const files = new Map<string, Blob>();
  for (const name of zip.names) {
    signal.throwIfAborted();
    const content = await zip.unpack(name).catch((cause: unknown) => {
      throw new ConversionError("damaged", `${name} cannot be unpacked`, {}, { cause });
    });
    files.set(name, content);
  }
  return files;
}

async function packGltfModel(path: string, files: ReadonlyMap<string, Blob>): Promise<Blob> {
  const packed = await packGltf(path, files);
  if ("glb" in packed) return packed.glb;
  if ("missing" in packed)
    throw new ConversionError("missing_files", `${path} refers to files that are missing`, {
      names: packed.missing.slice(0, 5).join(", "),
    });
  if ("fault" in packed)
    throw new ConversionError(packed.fault === "tooLarge" ? "too_large" : "damaged", path);
  return files.get(path) ?? new Blob();
}
