/**
 * Imports of packages (decision 036). A package is sent in slices, which are the parts of an R2 multipart upload, or in a form. It is checked
 * completely, and its contents are created in one batch.
 */

import type { Repositories } from "#functions/data/shared/repositories";
import type { Actor } from "~/domain/auth/actor";
import { tidyFileName } from "~/domain/library/file-name";
import { missingParts, partBytes } from "~/domain/library/upload.schema";
import {
  FILE_NAME_SENT_MAX,
  FORM_MAX_MB,
  IMPORTS_OPEN_MAX,
  PACKAGE_MAX_BYTES,
  UPLOAD_KEEP_HOURS,
  UPLOAD_PART_BYTES,
} from "~/domain/shared/limits";
import type { Lang, Uuid } from "~/domain/shared/model";
import type { FileStore } from "../library/stored-file-ports";
import { uploadSlices } from "../library/upload-slices";
import {
  AppError,
  InvalidError,
  limitReached,
  NotFoundError,
  UploadBusyError,
  UploadGoneError,
} from "../shared/errors";
import { toInstant } from "../shared/instant";
import { limitWork, type WorkLimiter } from "../shared/work-limit";
import { findTarget, type ImportTarget } from "./import-target";
import { badPackage, type OpenPackageDeps, openPackage } from "./open-package";
import type { Import, ImportReport } from "./transfer-ports";
import { type PackageWriteDeps, writePackage } from "./write-package";

/** Dependencies of importing packages. */
export interface PackageImportDeps extends PackageWriteDeps, OpenPackageDeps, Pick<Repositories, "imports"> {
  readonly files: Pick<FileStore, "delete">;
  /** Continues work after the response, also when the client has disconnected (waitUntil). */
  readonly defer: (work: Promise<unknown>) => void;
  readonly workLimiter: WorkLimiter;
}

const HOUR_MS = 3_600_000;
/** Time for which a call that completes an import keeps other calls out, in milliseconds. */
const CLAIM_MS = 15 * 60_000;
/** Maximum number of expired imports that one run of the cron job deletes. */
const DELETED_PER_RUN = 20;

/** The import of a package in its sender's view. */
export interface PackageImport {
  readonly id: Uuid;
  readonly fileName: string;
  readonly byteSize: number;
  readonly partSize: number;
  readonly parts: readonly { readonly number: number; readonly byteSize: number }[];
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly state: "waiting" | "running" | "done";
  readonly report: ImportReport | null;
}

const toPackageImport = (record: Import, now: string): PackageImport => ({
  id: record.id,
  fileName: record.fileName,
  byteSize: record.byteSize,
  partSize: UPLOAD_PART_BYTES,
  parts: Object.entries(record.parts)
    .map(([number, { byteSize }]) => ({ number: Number(number), byteSize }))
    .sort((a, b) => a.number - b.number),
  createdAt: record.createdAt,
  expiresAt: record.expiresAt,
  state: record.doneAt !== null ? "done" : (record.claimedUntil ?? "") > now ? "running" : "waiting",
  report: record.doneAt === null ? null : (record.report as ImportReport),
});

/** The target of a package that is not sent yet, and its declared name and size. */
export interface StartImportInput {
  readonly actor: Actor;
  readonly spaceId?: Uuid | null;
  readonly folderId?: Uuid | null;
  readonly fileName: string;
  readonly byteSize: number;
}

/**
 * Starts an import, before its package is sent. The declared bytes are reserved in the owner's storage until the import ends or is UPLOAD_KEEP_HOURS old.
 * @throws NotFoundError, ForbiddenError; InvalidError bad_package; LimitError too_many_imports, library_capacity, trash_full; RateLimitedError
 */
export async function startImport(deps: PackageImportDeps, input: StartImportInput): Promise<PackageImport> {
  const newImport = await createImport(deps, input);
  return toPackageImport(newImport, toInstant(deps.clock.now()));
}

async function createImport(deps: PackageImportDeps, input: StartImportInput): Promise<Import> {
  const { actor, byteSize } = input;
  const { space, folder, ownerId } = await findTarget(deps, input);
  if (byteSize <= 0) throw badPackage("empty");
  if (byteSize > PACKAGE_MAX_BYTES) throw badPackage("tooLarge");
  await limitWork(deps, "import", ownerId);
  const id = deps.ids.uuid();
  const fileKey = `imports/${id}`;
  const now = deps.clock.now();
  const multipartId = await deps.uploadStore.begin(fileKey);
  const record = {
    id,
    actorId: actor.userId,
    ownerId,
    kind: "package" as const,
    targetId: space?.id ?? folder?.id ?? "",
    fileName: tidyFileName(input.fileName.slice(0, FILE_NAME_SENT_MAX)),
    byteSize,
    fileKey,
    multipartId,
    detail: {},
    createdAt: toInstant(now),
    expiresAt: toInstant(now + UPLOAD_KEEP_HOURS * HOUR_MS),
  };
  const outcome = await deps.imports.add(record, IMPORTS_OPEN_MAX).catch(async (error) => {
    await deps.uploadStore.discard(fileKey, multipartId);
    throw error;
  });
  if (outcome !== "added") {
    await deps.uploadStore.discard(fileKey, multipartId);
    throw outcome === "gone" ? new NotFoundError("owner") : limitReached(outcome);
  }
  return { ...record, parts: {}, report: null, claimedUntil: null, doneAt: null };
}

type OwnImport = { readonly actor: Actor; readonly importId: Uuid };

async function findOwnImport(
  deps: Pick<PackageImportDeps, "imports" | "clock">,
  { actor, importId }: OwnImport,
) {
  const record = await deps.imports.find(importId, actor.userId);
  if (record?.kind !== "package" || record.expiresAt <= toInstant(deps.clock.now()))
    throw new UploadGoneError();
  return record;
}

/** Returns one of the actor's imports. @throws UploadGoneError */
export const getPackageImport = async (deps: PackageImportDeps, input: OwnImport): Promise<PackageImport> =>
  toPackageImport(await findOwnImport(deps, input), toInstant(deps.clock.now()));

/** Stores one slice as it arrives, as storePart does. @throws InvalidError upload_part_size; UploadGoneError, UploadBusyError */
export async function storeImportPart(
  deps: PackageImportDeps,
  input: OwnImport & {
    readonly number: number;
    readonly declaredBytes: number | null;
    readonly body: ReadableStream<Uint8Array> | null;
  },
): Promise<{ readonly number: number; readonly byteSize: number }> {
  const { number, declaredBytes, body } = input;
  const record = await findOwnImport(deps, input);
  const wrongSizeError = () =>
    new InvalidError({ file: [{ key: "library:errors.upload.partSize" }] }, "upload_part_size");
  const byteSize = partBytes({ byteSize: record.byteSize, partSize: UPLOAD_PART_BYTES }, number);
  if (byteSize === null || (declaredBytes !== null && declaredBytes !== byteSize)) throw wrongSizeError();
  if (record.doneAt !== null || record.multipartId === "") throw new UploadGoneError();
  const { fileKey, multipartId } = record;
  const stored = await deps.uploadStore.putSlice({ fileKey, multipartId, number }, body, byteSize, null);
  if (stored === "wrong_size" || stored === "rejected") throw wrongSizeError();
  if (stored === "gone") throw new UploadGoneError();
  const now = deps.clock.now();
  const part = { etag: stored.etag, byteSize };
  if (await deps.imports.savePart(record.id, number, part, toInstant(now))) return { number, byteSize };
  throw new UploadBusyError();
}

/** Cancels an import, or deletes the report of a finished one. @throws UploadGoneError, UploadBusyError */
export async function dropImport(deps: PackageImportDeps, input: OwnImport): Promise<void> {
  const record = await findOwnImport(deps, input);
  if ((record.claimedUntil ?? "") > toInstant(deps.clock.now()) && record.doneAt === null)
    throw new UploadBusyError();
  await discardImport(deps, record);
}

/** Deletes the bytes before the record that refers to them. */
async function discardImport(
  deps: Pick<PackageImportDeps, "imports" | "files" | "uploadStore">,
  record: Import,
) {
  await deps.uploadStore.discard(record.fileKey, record.multipartId);
  // An unfinished import may have stored files that nothing uses.
  if (record.doneAt === null) await deps.files.delete(record.detail.keys ?? []);
  await deps.imports.remove(record.id);
}

/** Stores a package that is sent in a form, and creates its contents. @throws as startImport and completeImport */
export async function importForm(
  deps: PackageImportDeps,
  input: Omit<StartImportInput, "byteSize" | "fileName"> & {
    readonly lang: Lang;
    readonly declaredBytes: number | null;
    readonly files: AsyncIterable<{ readonly fileName: string; readonly chunks: AsyncIterable<Uint8Array> }>;
  },
): Promise<PackageImport> {
  const { actor, lang, files, declaredBytes } = input;
  await findTarget(deps, input);
  const reservedBytes = Math.min(Math.max(1, declaredBytes ?? 1), PACKAGE_MAX_BYTES);
  for await (const { fileName, chunks } of files) {
    const newImport = await createImport(deps, { ...input, fileName, byteSize: reservedBytes }).catch(
      async (error) => {
        // Browsers show the response only after they have sent the whole form.
        if (declaredBytes !== null && declaredBytes <= FORM_MAX_MB * 1024 * 1024)
          for await (const _ of chunks);
        throw error;
      },
    );
    const parts: { number: number; etag: string }[] = [];
    let byteSize = 0;
    try {
      for await (const slice of uploadSlices(chunks)) {
        byteSize += slice.byteLength;
        if (byteSize > PACKAGE_MAX_BYTES) throw badPackage("tooLarge");
        // For a form of unknown length, the received bytes are reserved.
        if (byteSize > reservedBytes && !(await deps.imports.reserve(newImport.id, byteSize)))
          throw limitReached("library_capacity");
        const number = parts.length + 1;
        const stored = await deps.uploadStore.putBytes({ ...newImport, number }, slice);
        if (typeof stored === "string") throw new UploadGoneError();
        parts.push({ number, etag: stored.etag });
      }
      if (byteSize === 0) throw badPackage("empty");
      await deps.uploadStore.complete(newImport.fileKey, newImport.multipartId, parts);
    } catch (error) {
      await discardImport(deps, newImport);
      throw error;
    }
    return finishImport(deps, actor, lang, newImport.id, byteSize);
  }
  throw badPackage("noFile");
}

/**
 * Assembles the slices of a package, checks all of it, and creates its contents atomically. Repeating the call returns the same result. A rejected
 * package is deleted.
 * @throws InvalidError upload_incomplete; bad_package, which names `file` or the invalid field of the package's description
 * @throws LimitError space_license, library_capacity, content_full, too_many_events, too_many_space_events, too_many_media, too_many_folders
 * @throws UploadGoneError, UploadBusyError, NotFoundError, ForbiddenError
 */
export async function completeImport(
  deps: PackageImportDeps,
  input: OwnImport & { readonly lang: Lang },
): Promise<PackageImport> {
  const record = await findOwnImport(deps, input);
  if (record.doneAt !== null) return toPackageImport(record, toInstant(deps.clock.now()));
  return finishImport(deps, input.actor, input.lang, record.id, null);
}

async function finishImport(
  deps: PackageImportDeps,
  actor: Actor,
  lang: Lang,
  id: Uuid,
  storedBytes: number | null,
): Promise<PackageImport> {
  const now = deps.clock.now();
  const until = toInstant(now + CLAIM_MS);
  const work = (async () => {
    const claimed = await deps.imports.claim(id, toInstant(now), until);
    if (!claimed) return false;
    await executeImport(deps, actor, lang, claimed, until, storedBytes);
    return true;
  })();
  // The import continues when its sender has disconnected. A rejected package is a result, not an error.
  deps.defer(
    work.catch((error) => {
      if (!(error instanceof AppError)) throw error;
    }),
  );
  if (!(await work)) {
    const stored = await deps.imports.find(id, actor.userId);
    if (stored?.doneAt) return toPackageImport(stored, toInstant(now));
    throw stored ? new UploadBusyError() : new UploadGoneError();
  }
  const finishedImport = await deps.imports.find(id, actor.userId);
  if (!finishedImport) throw new UploadGoneError();
  return toPackageImport(finishedImport, toInstant(now));
}

/** Executes a claimed import. After an error it deletes what it stored. @param storedBytes size in bytes of a file that is assembled already; null when its slices must be assembled */
async function executeImport(
  deps: PackageImportDeps,
  actor: Actor,
  lang: Lang,
  claimed: Import,
  until: string,
  storedBytes: number | null,
): Promise<void> {
  const { id, fileKey, multipartId } = claimed;
  let storedKeys: readonly string[] = [];
  const recordKey = async (key: string) => {
    storedKeys = [...storedKeys, key];
    await deps.imports.note(id, until, { detail: { keys: storedKeys } });
  };
  try {
    // An interrupted attempt may have left files.
    await deps.files.delete(claimed.detail.keys ?? []);
    const byteSize = storedBytes ?? (await assemblePackage(deps, claimed, until));
    await deps.imports.note(id, until, { byteSize, multipartId: "", detail: {} });
    const target = await findCurrentTarget(deps, actor, claimed);
    const { archive, content } = await openPackage(deps, fileKey, byteSize);
    if (content.kind !== target.kind) throw badPackage(content.kind === "event" ? "isEvent" : "isSpace");
    await writePackage(deps, {
      actor,
      lang,
      claimed: { id, claimedUntil: until },
      target,
      archive,
      content,
      recordKey,
    });
    await deps.uploadStore.discard(fileKey, "");
  } catch (error) {
    await deps.files.delete(storedKeys);
    const isIncomplete = error instanceof InvalidError && error.code === "upload_incomplete";
    if (error instanceof AppError && !isIncomplete)
      await discardImport(deps, {
        ...claimed,
        multipartId: storedBytes === null ? multipartId : "",
        detail: {},
      });
    else await deps.imports.release(id, until);
    throw error;
  }
}

/** Assembles the slices of a package. @returns its size in bytes @throws InvalidError upload_incomplete */
async function assemblePackage(deps: PackageImportDeps, claimed: Import, until: string): Promise<number> {
  const { id, fileKey, multipartId, byteSize, parts } = claimed;
  // The file was assembled by an attempt that was interrupted later.
  if (multipartId === "") return byteSize;
  const size = { byteSize, partSize: UPLOAD_PART_BYTES };
  const storedParts = Object.entries(parts).map(([number, part]) => [Number(number), part.byteSize] as const);
  const missing = missingParts(size, new Map(storedParts));
  const incompleteError = (missingNumbers: readonly number[]) =>
    new InvalidError(
      {
        file: [
          {
            key: "library:errors.upload.incomplete",
            values: { missing: missingNumbers.slice(0, 20).join(", ") },
          },
        ],
      },
      "upload_incomplete",
    );
  if (missing.length > 0) throw incompleteError(missing);
  const numbers = storedParts.map(([number]) => number).sort((a, b) => a - b);
  const partEtags = numbers.map((number) => ({ number, etag: parts[number]?.etag ?? "" }));
  const assembledBytes = await deps.uploadStore.complete(fileKey, multipartId, partEtags);
  if (assembledBytes !== null) return assembledBytes;
  // Two clients sent the same slice, so it is unknown which bytes were stored. All slices must be sent again.
  await deps.imports.note(id, until, { parts: {} });
  throw incompleteError(numbers);
}

/** Returns the target of a claimed import. @throws NotFoundError, ForbiddenError when it was deleted or the actor may no longer import into it */
async function findCurrentTarget(
  deps: PackageImportDeps,
  actor: Actor,
  { targetId }: Import,
): Promise<ImportTarget> {
  const space = await deps.spaces.find(targetId);
  return findTarget(deps, space ? { actor, spaceId: targetId } : { actor, folderId: targetId });
}

/**
 * Deletes expired imports of packages, and those of tag tables, with their stored files; for the cron trigger. One run deletes a limited number. Returns
 * the number of deleted imports.
 */
export async function deleteExpiredPackageImports(deps: PackageImportDeps): Promise<number> {
  const expired = await deps.imports.listExpired(toInstant(deps.clock.now()), DELETED_PER_RUN);
  for (const record of expired) await discardImport(deps, record);
  return expired.length;
}
