import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** Absolute path of the project's folder. */
export const ROOT = resolve(fileURLToPath(import.meta.url), "../../..");
export const fromRoot = (...parts: string[]) => join(ROOT, ...parts);
