/** The 3D model inside of a ZIP archive that holds it together with its textures. */

/** Endings of models, in the order in which one is chosen: formats that keep the most come first. */
const ENDINGS = "gltf glb fbx usdz usdc usda usd dae obj 3mf ifc ply stl laz las".split(" ");

const endingOf = (name: string): string => /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "";

/** Files that macOS adds to archives. */
const isResourceFork = (name: string): boolean => /(^|\/)(__MACOSX\/|\._[^/]*$)/.test(name);

/** The names in an archive that are models. @param names paths inside of the archive */
export const modelsInZip = (names: readonly string[]): readonly string[] =>
  names.filter((name) => ENDINGS.includes(endingOf(name)) && !isResourceFork(name));

/**
 * The model that an archive is converted as: of several, the one of the format that keeps the most, then the one in the fewest folders.
 * @returns its path inside of the archive; null for an archive without a model
 */
export function modelInZip(names: readonly string[]): string | null {
  const rank = (name: string) => ENDINGS.indexOf(endingOf(name)) * 1000 + name.split("/").length;
  return modelsInZip(names).reduce<string | null>(
    (best, name) => (best === null || rank(name) < rank(best) ? name : best),
    null,
  );
}
