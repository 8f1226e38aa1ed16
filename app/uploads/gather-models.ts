import type { ChosenFile, UploadProblem } from "./model";
import { isGltfName, type PackedGltf, packGltf } from "./pack-gltf";
import { unpackModelZip } from "./unpack-zip";

/** Files to upload. Each model with external files has been packed into one GLB file. */
export interface GatheredFiles {
  readonly files: readonly ChosenFile[];
  /** Files that cannot be sent, with the reason. */
  readonly refused: readonly { readonly chosen: ChosenFile; readonly problem: UploadProblem }[];
}

const pathOf = ({ file, path }: ChosenFile) => [...path, file.name].join("/");

const problemOf = (
  name: string,
  packed: Exclude<PackedGltf, { readonly glb: Blob } | { readonly whole: true }>,
): UploadProblem => {
  if ("missing" in packed)
    return { key: "uploads.model.missing", values: { name, files: packed.missing.slice(0, 5).join(", ") } };
  return { key: packed.fault === "tooLarge" ? "errors.upload.tooLarge" : "errors.upload.damaged" };
};

/**
 * Looks for glTF models among chosen files, and in ZIP files that hold one, and packs each with the files that it names. The files
 * that a model has taken up are not sent by themselves.
 */
export async function gatherModels(chosen: readonly ChosenFile[]): Promise<GatheredFiles> {
  const refused: { chosen: ChosenFile; problem: UploadProblem }[] = [];
  const files: ChosenFile[] = [];
  for (const one of chosen) {
    const inside = /\.zip$/i.test(one.file.name) ? await unpackModelZip(one.file) : null;
    if (inside === null) files.push(one);
    else if ("problem" in inside) refused.push({ chosen: one, problem: inside.problem });
    else {
      const models = await pack(
        inside.files.map(({ file, path }) => ({ file, path: [...one.path, ...path] })),
      );
      // Other files in the ZIP file are not sent. The owner can choose them separately.
      files.push(...models.made.map(({ file }) => ({ file, path: one.path })));
      refused.push(...models.refused);
    }
  }
  const packed = await pack(files);
  return {
    files: [...files.filter((one) => !packed.used.has(pathOf(one))), ...packed.made],
    refused: [...refused, ...packed.refused],
  };
}

async function pack(files: readonly ChosenFile[]) {
  const byPath = new Map(files.map((one) => [pathOf(one), one.file]));
  const used = new Set<string>();
  const made: ChosenFile[] = [];
  const refused: { chosen: ChosenFile; problem: UploadProblem }[] = [];
  for (const one of files) {
    if (!isGltfName(one.file.name)) continue;
    const path = pathOf(one);
    const packed = await packGltf(path, byPath);
    if ("whole" in packed) continue;
    used.add(path);
    if ("glb" in packed) {
      for (const name of packed.used) used.add(name);
      const name = one.file.name.replace(/\.gltf$/i, ".glb");
      const { lastModified } = one.file;
      made.push({
        file: new File([packed.glb], name, { type: "model/gltf-binary", lastModified }),
        path: one.path,
      });
    } else refused.push({ chosen: one, problem: problemOf(one.file.name, packed) });
  }
  return { used, made, refused };
}
