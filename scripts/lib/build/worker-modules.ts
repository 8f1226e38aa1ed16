import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Entry module of a built worker. */
export const ENTRY = "worker.js";

/** Miniflare's `modules`, and the folder that their names are relative to. */
export interface WorkerModules {
  readonly modulesRoot: string;
  readonly modules: readonly {
    readonly type: "ESModule" | "Data";
    readonly path: string;
    readonly contents?: string;
  }[];
}

/**
 * Names of a built worker's modules, the entry first, without source maps. Compressed data (`.br`) are modules, too.
 * @param folder `build/worker`, or a copy of it
 * @throws Error for a folder without the entry
 */
export function moduleNames(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => /\.(?:js|br)$/.test(name));
  if (!names.includes(ENTRY)) throw new Error(`There is no ${ENTRY} in ${folder}.`);
  return [ENTRY, ...names.filter((name) => name !== ENTRY).sort()];
}

/**
 * Names of the modules that run when the worker starts: the entry and its imports, direct or not.
 * @param folder `build/worker`, or a copy of it
 */
export function startModules(folder: string): string[] {
  const names = new Set<string>([ENTRY]);
  // Iterating a set also visits the names that are added meanwhile. The pattern does not match `import(…)`.
  for (const name of names)
    for (const [, imported = ""] of readFileSync(join(folder, name), "utf8").matchAll(
      /\b(?:from|import)\s*"\.\/([^"]+\.(?:js|br))"/g,
    ))
      names.add(imported);
  return [...names];
}

/**
 * Miniflare's options for a built worker's modules, which are the files that wrangler uploads (`rules` in wrangler.toml).
 * @param folder `build/worker`, or a copy of it
 * @param wrapper a module that replaces the entry and imports it
 */
export function workerModules(
  folder: string,
  wrapper?: { readonly name: string; readonly contents: string },
): WorkerModules {
  const moduleOf = (name: string) =>
    ({ type: name.endsWith(".br") ? "Data" : "ESModule", path: join(folder, name) }) as const;
  const built = moduleNames(folder).map(moduleOf);
  return {
    modulesRoot: folder,
    modules: wrapper ? [{ ...moduleOf(wrapper.name), contents: wrapper.contents }, ...built] : built,
  };
}
