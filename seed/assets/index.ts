/**
 * Makes the demo's files from nothing but the programs in this folder. The cache is keyed by a hash of those
 * programs, so a second run only reads a list, and a changed program makes everything anew.
 */
import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type DemoDetail, makeFiles } from "./make";
import { type DemoAssetKey, fileOf } from "./names";
import type { DemoAsset } from "./types";

export type { DemoDetail } from "./make";
export type { DemoAsset } from "./types";

interface Listed extends Omit<DemoAsset, "file" | "key"> {
  readonly key: DemoAssetKey;
}

/**
 * The demo's files: from the cache if the programs have not changed, made otherwise (under 40 s on two cores).
 * @param cacheDir for example .cache/demo, with a folder for each detail; older results in them are removed
 * @param log receives one line a step
 */
export async function makeDemoAssets(
  cacheDir: string,
  detail: DemoDetail,
  log: (line: string) => void,
): Promise<DemoAsset[]> {
  const root = resolve(cacheDir, detail);
  const folder = join(root, await sourceHash());
  const listFile = join(folder, "assets.json");
  const listed = await readList(listFile);
  if (listed) return listed.map((asset) => ({ ...asset, file: join(folder, asset.fileName) }));

  // Made in a folder of its own and moved into place at the end: a run that was stopped leaves nothing half-made.
  const making = `${folder}.${randomUUID()}`;
  await mkdir(making, { recursive: true });
  const started = performance.now();
  const made = await makeFiles(detail, log);
  const list: Listed[] = [];
  for (const { key, data, ...sizes } of made) {
    const file = fileOf(key);
    await writeFile(join(making, file.fileName), data);
    list.push({ key, ...file, ...sizes, byteSize: data.byteLength });
  }
  await writeFile(join(making, "assets.json"), JSON.stringify(list, null, 2));
  try {
    await rename(making, folder);
  } catch {
    // Somebody else was quicker (or left something broken behind): the same programs make the same files.
    if (!(await readList(listFile))) {
      await rm(folder, { recursive: true, force: true });
      await rename(making, folder);
    }
    await rm(making, { recursive: true, force: true });
  }
  for (const name of await readdir(root)) {
    const other = join(root, name);
    // Another process may be at work in its own folder; what is older than an hour is left over.
    if (other !== folder && (!name.includes(".") || Date.now() - (await stat(other)).mtimeMs > 3_600_000)) {
      await rm(other, { recursive: true, force: true });
    }
  }
  log(`demo assets made in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  return list.map((asset) => ({ ...asset, file: join(folder, asset.fileName) }));
}

async function readList(file: string): Promise<Listed[] | null> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as Listed[];
  } catch {
    return null;
  }
}

/** A hash of every program in this folder, tests excepted, and of the words that the leaflet prints. */
async function sourceHash(): Promise<string> {
  const here = fileURLToPath(new URL(".", import.meta.url));
  const names = (await readdir(here, { recursive: true })).filter(
    (name) => name.endsWith(".ts") && !name.endsWith(".test.ts"),
  );
  const hash = createHash("sha256");
  for (const name of [...names.sort(), "../demo-words.ts"])
    hash
      .update(name)
      .update("\0")
      .update(await readFile(join(here, name)));
  return hash.digest("hex").slice(0, 16);
}
