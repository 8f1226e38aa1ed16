import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The entry module of a built worker. */
export const ENTRY = "worker.js";

/** Miniflare's `modules`, and the folder that their names are relative to. */
export interface WorkerModules {
  readonly modulesRoot: string;
  readonly modules: readonly {
    readonly type: "ESModule";
    readonly path: string;
    readonly contents?: string;
  }[];
}

/** Names of a built worker's modules, the entry first. Source maps are left out. @param folder `build/worker`, or a copy of it */
export function moduleNames(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(".js"));
  if (!names.includes(ENTRY)) throw new Error(`There is no ${ENTRY} in ${folder}.`);
  return [ENTRY, ...names.filter((name) => name !== ENTRY).sort()];
}

/** Names of the modules that run when the worker starts: the entry and its imports, direct or not. @param folder `build/worker`, or a copy of it */
export function startModules(folder: string): string[] {
  const found = new Set<string>([ENTRY]);
  // Iterating a set also visits the names that are added meanwhile. The pattern does not match `import(…)`.
  for (const name of found)
    for (const [, imported = ""] of readFileSync(join(folder, name), "utf8").matchAll(
      /\b(?:from|import)\s*"\.\/([^"]+\.js)"/g,
    ))
      found.add(imported);
  return [...found];
}

/**
 * Miniflare's options for a built worker's modules, which are the files that wrangler uploads (`rules` in wrangler.toml).
 * @param folder `build/worker`, or a copy of it
 * @param around a module that replaces the entry and imports it
 */
export function workerModules(
  folder: string,
  around?: { readonly name: string; readonly contents: string },
): WorkerModules {
  const moduleOf = (name: string) => ({ type: "ESModule", path: join(folder, name) }) as const;
  const built = moduleNames(folder).map(moduleOf);
  return {
    modulesRoot: folder,
    modules: around ? [{ ...moduleOf(around.name), contents: around.contents }, ...built] : built,
  };
}
