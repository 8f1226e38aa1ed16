import { BlobReader, BlobWriter, configure, ZipReader } from "@zip.js/zip.js/lib/zip-core-native.js";
import { MODEL_UNPACKED_MAX_BYTES } from "~/domain/limits";
import type { ChosenFile, UploadProblem } from "./model";
import { isGltfName } from "./pack-gltf";

/** Entries of a ZIP file of a model; more than any has. */
const ENTRIES_MAX = 2000;

// Unpacking takes no worker of its own: the browser does it beside the page's work.
configure({ useWebWorkers: false });

/**
 * Unpacks a ZIP file that holds a glTF model. Its directory is looked at before anything is unpacked, and no entry becomes larger
 * than the directory says.
 * @returns null for a ZIP file without a glTF model, and for what is no ZIP file
 */
export async function unpackModelZip(
  file: Blob,
): Promise<{ readonly files: readonly ChosenFile[] } | { readonly problem: UploadProblem } | null> {
  const reader = new ZipReader(new BlobReader(file), { checkOverlappingEntry: true });
  try {
    const entries = (await reader.getEntries()).filter(({ directory }) => !directory);
    if (!entries.some(({ filename }) => isGltfName(filename))) return null;
    const unpacked = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
    if (entries.length > ENTRIES_MAX || unpacked > MODEL_UNPACKED_MAX_BYTES)
      return { problem: { key: "errors.upload.model" } };
    const files: ChosenFile[] = [];
    for (const entry of entries) {
      if (entry.directory || entry.encrypted) return { problem: { key: "errors.upload.damaged" } };
      const content = await entry.getData(new BlobWriter());
      if (content.size !== entry.uncompressedSize) return { problem: { key: "errors.upload.damaged" } };
      const path = entry.filename.split("/");
      const name = path.pop() ?? "";
      files.push({ file: new File([content], name), path });
    }
    return { files };
  } catch {
    return null;
  } finally {
    await reader.close().catch(() => {});
  }
}
