import { nameList } from "~/domain/library/formats/gltf-faults";
import { listModelPaths } from "~/domain/library/formats/zip/zip-model";
import { UPLOAD_MAX_BYTES } from "~/domain/shared/limits";
import type { ChosenFile, UploadProblem } from "../upload-state";
import { openZip } from "./open-zip";
import { isGltfName, type PackedGltf, packGltf } from "./pack-gltf";
import { isCompoundName, packModel } from "./pack-model";

/** Files to upload. Each model with external files has been packed into one file. */
export interface GatheredFiles {
  readonly files: readonly ChosenFile[];
  /** Files that cannot be uploaded, with the reason. */
  readonly rejected: readonly { readonly chosen: ChosenFile; readonly problem: UploadProblem }[];
}

const joinPath = ({ file, path }: ChosenFile) => [...path, file.name].join("/");

const toProblem = (
  packed: Exclude<PackedGltf, { readonly glb: Blob } | { readonly isSelfContained: true }>,
): UploadProblem => {
  if ("missing" in packed)
    return { key: "library:errors.upload.model_files", values: { files: nameList(packed.missing) } };
  return {
    key: packed.fault === "tooLarge" ? "library:errors.upload.tooLarge" : "library:errors.upload.damaged",
  };
};

/**
 * Finds models that consist of several files, among chosen files and in ZIP files. A glTF model becomes one GLB file; another model becomes one ZIP
 * file with the files that it references. Files that are included in a model are not sent separately.
 */
export async function gatherModels(chosen: readonly ChosenFile[]): Promise<GatheredFiles> {
  const rejected: { chosen: ChosenFile; problem: UploadProblem }[] = [];
  const files: ChosenFile[] = [];
  for (const chosenFile of chosen) {
    const unpackedZip = /\.zip$/i.test(chosenFile.file.name) ? await unpackModels(chosenFile.file) : null;
    if (unpackedZip === null) files.push(chosenFile);
    else if ("problem" in unpackedZip) rejected.push({ chosen: chosenFile, problem: unpackedZip.problem });
    else {
      const unpacked = unpackedZip.files.map(({ file, path }) => ({
        file,
        path: [...chosenFile.path, ...path],
      }));
      const packedModels = await packModels(unpacked);
      // Other files in a ZIP file are not sent. The owner can choose them separately.
      const remaining = unpacked.filter(
        (candidate) =>
          listModelPaths([candidate.file.name]).length > 0 && !packedModels.used.has(joinPath(candidate)),
      );
      files.push(
        ...[...packedModels.packedFiles, ...remaining].map(({ file }) => ({ file, path: chosenFile.path })),
      );
      rejected.push(...packedModels.rejected);
    }
  }
  const packed = await packModels(files);
  return {
    files: [...files.filter((file) => !packed.used.has(joinPath(file))), ...packed.packedFiles],
    rejected: [...rejected, ...packed.rejected],
  };
}

/**
 * Unpacks a ZIP file that contains a glTF model or several models.
 * @returns null for a file that is sent unchanged: one model that is converted, splats, or a file that cannot be read as a ZIP file
 */
async function unpackModels(
  zip: Blob,
): Promise<{ readonly files: readonly ChosenFile[] } | { readonly problem: UploadProblem } | null> {
  const openedZip = await openZip(zip);
  if (openedZip === "damaged") return null;
  if (openedZip === "tooLarge") return { problem: { key: "library:errors.upload.model" } };
  const models = listModelPaths(openedZip.names);
  const isSplat = openedZip.names.some((name) => /(^|\/)meta\.json$/.test(name));
  if (models.length === 0) return isSplat ? null : { problem: { key: "library:errors.upload.model_zip" } };
  if (models.length === 1 && !models.some((name) => /\.(gltf|glb)$/i.test(name))) return null;
  try {
    const files: ChosenFile[] = [];
    for (const name of openedZip.names) {
      const path = name.split("/");
      const base = path.pop() ?? "";
      files.push({ file: new File([await openedZip.unpack(name)], base), path });
    }
    return { files };
  } catch {
    return { problem: { key: "library:errors.upload.damaged" } };
  }
}

async function packModels(files: readonly ChosenFile[]) {
  const byPath = new Map(files.map((file) => [joinPath(file), file.file]));
  const used = new Set<string>();
  const packedFiles: ChosenFile[] = [];
  const rejected: { chosen: ChosenFile; problem: UploadProblem }[] = [];
  for (const file of files) {
    const path = joinPath(file);
    if (isCompoundName(file.file.name)) {
      const packedModel = await packModel(path, byPath);
      if (!packedModel) continue;
      for (const name of packedModel.used) used.add(name);
      const { lastModified } = file.file;
      const name = file.file.name.replace(/\.\w+$/, ".zip");
      if (packedModel.zip.size > UPLOAD_MAX_BYTES)
        rejected.push({ chosen: file, problem: { key: "library:errors.upload.tooLarge" } });
      else
        packedFiles.push({
          file: new File([packedModel.zip], name, { type: "application/zip", lastModified }),
          path: file.path,
        });
      continue;
    }
    if (!isGltfName(file.file.name)) continue;
    const packed = await packGltf(path, byPath);
    if ("isSelfContained" in packed) continue;
    used.add(path);
    if ("glb" in packed) {
      for (const name of packed.used) used.add(name);
      const name = file.file.name.replace(/\.gltf$/i, ".glb");
      const { lastModified } = file.file;
      packedFiles.push({
        file: new File([packed.glb], name, { type: "model/gltf-binary", lastModified }),
        path: file.path,
      });
    } else rejected.push({ chosen: file, problem: toProblem(packed) });
  }
  return { used, packedFiles, rejected };
}
