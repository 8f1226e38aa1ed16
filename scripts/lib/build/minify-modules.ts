import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import remapping, { type SourceMapInput } from "@jridgewell/remapping";
import { minify } from "vite";

/**
 * Minifies the JavaScript files of a folder a second time, after esbuild, with Vite's minifier, and traces their source maps (`.js.map`) back to the
 * sources. This makes the built worker one percent smaller.
 * @throws Error when a file cannot be parsed
 */
export async function minifyModules(folder: string): Promise<void> {
  const minifyModule = async (name: string) => {
    const file = join(folder, name);
    const { code, map, errors } = await minify(name, readFileSync(file, "utf8"), {
      module: true,
      sourcemap: true,
    });
    if (!map || errors.length > 0) throw new Error(`${name} cannot be minified. ${errors[0]?.message ?? ""}`);
    const traced = remapping([map as SourceMapInput, readFileSync(`${file}.map`, "utf8")], () => null);
    writeFileSync(`${file}.map`, traced.toString());
    writeFileSync(file, `${code}\n//# sourceMappingURL=${name}.map\n`);
  };
  await Promise.all(
    readdirSync(folder)
      .filter((file) => file.endsWith(".js"))
      .map(minifyModule),
  );
}
