/** Seeds the demo once for all Vitest runs of `npm test`. Each test product starts from a copy of the D1 and R2 files. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type LocalOptions,
  type LocalProduct,
  localOptions,
  migrate,
  startLocal,
} from "../../../scripts/lib/local/local-product";
import { type StorageOptions, startStores } from "./test-bindings";

/** Environment variable with the folder of the snapshot, set by `npm test`. */
export const SNAPSHOT_VARIABLE = "HIROBA_TEST_SNAPSHOT";

/**
 * Cost of password hashes in tests: 1/80 of the real cost, because tests log in hundreds of times and the passwords protect
 * nothing.
 */
const PASSWORD_COST = 1024;

const newFolder = () => mkdtempSync(join(tmpdir(), "hiroba-test-"));
const timeFile = (folder: string) => join(folder, "seeded-at");

/** Seeds the demo into the storage files of a folder. */
export async function seedSnapshot(folder = newFolder()): Promise<string> {
  const { seedDemo } = await import("../../../scripts/lib/local/seed-demo");
  mkdirSync(folder, { recursive: true });
  const seededAt = Date.now();
  // Opens the D1 and R2 files without starting the product, and without Miniflare's proxy (d1.ts explains why).
  const { workers, ...storeOptions } = localOptions({ port: 0, state: folder }) as StorageOptions & {
    workers: [StorageOptions];
  };
  const stores = await startStores(["DB"], { ...storeOptions, ...workers[0] });
  try {
    const destination = { db: stores.database("DB"), files: stores.files };
    await migrate(destination.db);
    await seedDemo(destination, { now: seededAt, passwordCost: PASSWORD_COST });
    writeFileSync(timeFile(folder), String(seededAt));
  } finally {
    await stores.dispose();
  }
  return folder;
}

/** Time of seeding of a snapshot, in milliseconds since 1970. */
export const seededAt = (folder: string): number => Number(readFileSync(timeFile(folder), "utf8"));

/** Starts the product on a copy of a snapshot. The copy is deleted when the product stops. */
export async function startFromSnapshot(
  folder: string,
  options: Partial<Omit<LocalOptions, "state">> = {},
): Promise<LocalProduct> {
  const state = newFolder();
  const removeState = () => rmSync(state, { recursive: true, force: true });
  cpSync(folder, state, { recursive: true });
  try {
    const vars = { DEV_PASSWORD_COST: String(PASSWORD_COST), ...options.vars };
    const local = await startLocal({ port: 0, ...options, vars, state });
    return {
      ...local,
      async stop() {
        await local.stop();
        removeState();
      },
    };
  } catch (error) {
    removeState();
    throw error;
  }
}
