/** Selects the 3D model in a ZIP archive of a model with textures. */

/** Extensions of models in order of preference. Formats that preserve the most data come first. */
const EXTENSIONS = "gltf glb fbx usdz usdc usda usd dae obj 3mf ifc ply stl laz las".split(" ");

const getExtension = (name: string): string => /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "";

/** Files that macOS adds to archives. */
const isResourceFork = (name: string): boolean => /(^|\/)(__MACOSX\/|\._[^/]*$)/.test(name);

/** Returns the paths of the models in an archive. @param names paths inside the archive */
export const listModelPaths = (names: readonly string[]): readonly string[] =>
  names.filter((name) => EXTENSIONS.includes(getExtension(name)) && !isResourceFork(name));

/**
 * Selects the model of an archive for conversion: the preferred format first, then the path with the fewest folders.
 * @returns its path inside the archive; null for an archive without a model
 */
export function chooseModelPath(names: readonly string[]): string | null {
  const rank = (name: string) => EXTENSIONS.indexOf(getExtension(name)) * 1000 + name.split("/").length;
  return listModelPaths(names).reduce<string | null>(
    (preferred, name) => (preferred === null || rank(name) < rank(preferred) ? name : preferred),
    null,
  );
}
