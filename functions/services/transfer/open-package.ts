import { PACKAGE_JSON_MAX_BYTES } from "~/domain/shared/limits";
import { ArchiveError } from "~/domain/transfer/archive-error";
import { readPackage } from "~/domain/transfer/package.schema";
import { PACKAGE_JSON, type Package } from "~/domain/transfer/package-format";
import { type FieldErrors, InvalidError } from "../shared/errors";
import type { Archives, OpenArchive } from "./transfer-ports";

/** Dependencies of opening a package. */
export interface OpenPackageDeps {
  /** Loads the code of archives. */
  readonly archives: () => Promise<Archives>;
  /** Whether an event's store may be at a local host; only in development. */
  readonly isAllowedLocalHost: (host: string) => boolean;
}

/** A stored package (a ZIP archive) with its validated description, the JSON file PACKAGE_JSON. */
export interface OpenPackage {
  readonly archive: OpenArchive;
  readonly content: Package;
}

/** Returns the message of a problem in a package. @param key a key below `transfer:problem` */
export const packageProblem = (key: string) => ({ key: `transfer:problem.${key}` });
/** Creates an error about the whole file. */
export const badPackage = (key: string) => new InvalidError({ file: [packageProblem(key)] }, "bad_package");

/** Runs work that reads an archive. A damaged or invalid archive becomes an error about the file. @throws InvalidError bad_package */
export async function withArchive<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ArchiveError ? badPackage(error.problem) : error;
  }
}

/** Opens a stored package. @throws InvalidError bad_package */
export async function openPackage(
  deps: OpenPackageDeps,
  fileKey: string,
  byteSize: number,
): Promise<OpenPackage> {
  const archive = await withArchive(async () => (await deps.archives()).open(fileKey, byteSize));
  return { archive, content: await readDescription(deps, archive) };
}

/** Reads and validates a package's description, and checks that the archive contains the listed files with their sizes. */
async function readDescription(deps: OpenPackageDeps, archive: OpenArchive): Promise<Package> {
  const size = archive.sizeOf(PACKAGE_JSON);
  if (size === null) throw badPackage("notPackage");
  if (size > PACKAGE_JSON_MAX_BYTES) throw badPackage("tooLarge");
  const readResult = readPackage(await readJson(archive), { isAllowedLocalHost: deps.isAllowedLocalHost });
  if ("problems" in readResult) {
    const fields: Record<string, { key: string }[]> = {};
    for (const { path, key } of readResult.problems) {
      const name = path === "" ? "file" : path;
      fields[name] = [...(fields[name] ?? []), { key }];
    }
    throw new InvalidError(fields satisfies FieldErrors, "bad_package");
  }
  // `still` is the item's thumbnail.
  for (const [i, item] of readResult.package.library.entries())
    for (const part of ["file", "still"] as const) {
      const file = item[part];
      if (file?.path && archive.sizeOf(file.path) !== file.byteSize)
        throw new InvalidError({ [`library.${i}.${part}`]: [packageProblem("missingFile")] }, "bad_package");
    }
  return readResult.package;
}

async function readJson(archive: OpenArchive): Promise<unknown> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  await withArchive(async () => {
    try {
      for await (const chunk of archive.read(PACKAGE_JSON)) text += decoder.decode(chunk, { stream: true });
      text += decoder.decode();
    } catch (error) {
      throw error instanceof TypeError ? badPackage("notJson") : error;
    }
  });
  try {
    return JSON.parse(text);
  } catch {
    throw badPackage("notJson");
  }
}
