import type { Repositories } from "#functions/data/shared/repositories";
import type { Actor } from "~/domain/auth/actor";
import { titleOfFile } from "~/domain/library/file-name";
import type { LibraryItem } from "~/domain/library/library-item";
import type { Uuid } from "~/domain/shared/model";
import { AppError, NotFoundError } from "../shared/errors";
import { toInstant } from "../shared/instant";
import { auditEntry } from "../users/audit-entry";
import { type BeginUploadDeps, ensureUploadDestination } from "./begin-upload";
import { createInspectionError, findSizeError, libraryFullError, otherKindError } from "./upload-rejections";
import type { Upload } from "./uploads-ports";

/** Dependencies of admitting an upload to its library. */
export interface AdmitUploadDeps extends BeginUploadDeps {
  /** Requests the verdict of the operator's file check (UPLOAD_VERDICT_URL) on a file in the background. */
  readonly checkUpload: (fileKey: string) => void;
}

/** Time for which a call that completes or deletes an upload keeps other calls out, in milliseconds. */
export const CLAIM_MS = 10 * 60_000;

/** Time after which a replaced file is deleted, in milliseconds. Until then, open pages may still read it. */
const LEFTOVER_MS = 10 * 60_000;

/** Id of the library item that an upload creates or replaces. */
export const getItemId = ({ fileKey }: Pick<Upload, "fileKey">): Uuid => fileKey.split("/")[1] ?? "";

/** Deletes an upload and its bytes, unless another call is completing or deleting it. @returns whether it was deleted */
export async function endUpload(deps: BeginUploadDeps, { id }: Pick<Upload, "id">): Promise<boolean> {
  const now = deps.clock.now();
  const until = toInstant(now + CLAIM_MS);
  const upload = await deps.uploads.claim(id, toInstant(now), until);
  if (upload) await dropUpload(deps, upload, until);
  return upload !== null;
}

/** Deletes an upload's bytes and then its record, so that the cron job can repeat a deletion that was interrupted. */
export async function dropUpload(deps: BeginUploadDeps, upload: Upload, claimedUntil: string): Promise<void> {
  await deps.uploadStore.discard(upload.fileKey, upload.multipartId);
  await deps.uploads.remove(upload.id, claimedUntil);
}

/** A file that was rejected and deleted, with the error for its sender. */
export class RejectedFileError extends Error {
  constructor(override readonly cause: AppError) {
    super(cause.message);
  }
}

/** Adds a stored file to its library. A rejected file is deleted. @throws RejectedFileError; NotFoundError when the item is deleted at the same time */
export async function admitUpload(
  deps: AdmitUploadDeps,
  actor: Actor,
  upload: Upload,
  claimedUntil: string,
  byteSize: number,
): Promise<LibraryItem> {
  const reject = async (cause: AppError): Promise<never> => {
    await dropUpload(deps, upload, claimedUntil);
    throw new RejectedFileError(cause);
  };
  const { fileKey, fileName, replacesId } = upload;
  const sizeError = findSizeError(byteSize);
  if (sizeError) return reject(sizeError);
  const inspection = await deps.uploadStore.inspect(fileKey, fileName, byteSize);
  if ("rejection" in inspection) return reject(createInspectionError(inspection));
  const { file: metadata } = inspection;
  // The sender may have left the group meanwhile, or the folder may no longer be shared.
  const target = replacesId === null ? { folderId: upload.folderId } : { replacesId };
  const destination = await ensureUploadDestination(deps, {
    actor,
    ownerId: upload.ownerId,
    ...target,
  }).catch((error) => {
    if (error instanceof AppError) return reject(error);
    throw error;
  });
  const itemId = getItemId(upload);
  const now = toInstant(deps.clock.now());
  let outcome: Awaited<ReturnType<Repositories["uploads"]["addItem"]>>;
  if (destination.replaces === null) {
    const item = { id: itemId, title: titleOfFile(fileName), createdAt: now, ...metadata };
    const entry = auditEntry(deps, actor, "media_uploaded", "media", itemId, { fileName, byteSize });
    outcome = await deps.uploads.addItem(upload, claimedUntil, item, entry);
  } else {
    if (destination.replaces.kind !== metadata.kind) return reject(otherKindError());
    const entry = auditEntry(deps, actor, "media_replaced", "media", itemId, { fileName, byteSize });
    outcome = await deps.uploads.replaceFile(upload, claimedUntil, metadata, leftoverRecords(deps), entry);
  }
  if (outcome === "library_capacity") return reject(libraryFullError());
  if (outcome === "gone") return reject(new NotFoundError("folder"));
  const item = await deps.library.find(itemId);
  // The item was deleted right after its file was added.
  if (!item) throw new NotFoundError("media item");
  if (item.check) deps.checkUpload(fileKey);
  return item;
}

/** Ids and times for the records that cause the later deletion of replaced files. */
export const leftoverRecords = (deps: Pick<BeginUploadDeps, "clock" | "ids">) => {
  const now = deps.clock.now();
  return {
    ids: [deps.ids.uuid(), deps.ids.uuid()] as const,
    at: toInstant(now),
    expiresAt: toInstant(now + LEFTOVER_MS),
  };
};
