import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { exitWithError } from "../exit-with-error";

/** A migration that exists only in databases from before the single initial migration. */
const OLDER_LAYOUT_MIGRATION = "0001_triggers.sql";

/** Thrown when another version of the product migrated the database. */
export class DataLayoutError extends Error {
  constructor(applied: ReadonlySet<string>) {
    const layout = applied.has(OLDER_LAYOUT_MIGRATION) ? "an older layout" : "the layout of a newer version";
    super(
      `The data in .wrangler/state has ${layout}, which this version cannot open. The data was not changed. ` +
        "To start again with the demo, run `npm start -- --fresh`, which deletes this data; move the folder away first to keep it.",
    );
  }
}

const filesIn = (folder: string): readonly string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name))
    : [];

/**
 * Opens data. When it has another layout, deletes the files that were added meanwhile: SQLite's write-ahead logs, which contain nothing that belongs to
 * the data. The databases themselves are unchanged.
 * @param state folder of the data
 * @param open must close the data before it rejects
 */
export async function openUnchanged<Opened>(state: string, open: () => Promise<Opened>): Promise<Opened> {
  const files = new Set(filesIn(state));
  try {
    return await open();
  } catch (error) {
    if (error instanceof DataLayoutError)
      for (const file of filesIn(state)) if (!files.has(file)) rmSync(file);
    throw error;
  }
}

/** `openUnchanged` for a command: prints the reason when the data has another layout, and exits with 1. */
export async function openDataOrExit<Opened>(state: string, open: () => Promise<Opened>): Promise<Opened> {
  try {
    return await openUnchanged(state, open);
  } catch (error) {
    if (!(error instanceof DataLayoutError)) throw error;
    return exitWithError(error.message);
  }
}
