import type { Actor } from "~/domain/auth/actor";
import type { LibraryItem } from "~/domain/library/library-item";
import { missingParts, partBytes, type UploadValue } from "~/domain/library/upload.schema";
import { UPLOADS_OPEN_MAX } from "~/domain/shared/limits";
import type { Uuid } from "~/domain/shared/model";
import { can } from "~/domain/shared/permissions";
import { bindUseCases } from "../shared/bind";
import { AppError, ForbiddenError, NotFoundError, UploadBusyError, UploadGoneError } from "../shared/errors";
import { toInstant } from "../shared/instant";
import {
  type AdmitUploadDeps,
  admitUpload,
  CLAIM_MS,
  endUpload,
  getItemId,
  RejectedFileError,
} from "./admit-upload";
import { beginUpload, ensureUploadDestination, freeBytes, type UploadTarget } from "./begin-upload";
import { type SetThumbnailDeps, setThumbnail } from "./set-thumbnail";
import { storeFiles } from "./store-files";
import {
  checkSize,
  createInspectionError,
  createUploadError,
  findHeadRejection,
  partSizeError,
} from "./upload-rejections";
import type { FileRejectionReason, Upload, UploadPart, UploadWithParts } from "./uploads-ports";

/** Maximum number of expired uploads that one run of the cron job deletes. */
const DELETED_PER_RUN = 50;

/** Dependencies of the use cases of uploads. */
export interface UploadDeps extends AdmitUploadDeps, SetThumbnailDeps {
  /** Continues work after the response, also when the client has disconnected. */
  readonly defer: (work: Promise<unknown>) => void;
}

/** An upload as its sender sees it. */
export interface OpenUpload
  extends Pick<
    Upload,
    | "id"
    | "folderId"
    | "ownerId"
    | "replacesId"
    | "fileName"
    | "byteSize"
    | "partSize"
    | "fingerprint"
    | "createdAt"
    | "expiresAt"
  > {
  /** The item that the file creates or replaces. */
  readonly itemId: Uuid;
  readonly parts: readonly Pick<UploadPart, "number" | "byteSize">[];
}

const toOpenUpload = (upload: UploadWithParts): OpenUpload => ({
  id: upload.id,
  itemId: getItemId(upload),
  folderId: upload.folderId,
  ownerId: upload.ownerId,
  replacesId: upload.replacesId,
  fileName: upload.fileName,
  byteSize: upload.byteSize,
  partSize: upload.partSize,
  fingerprint: upload.fingerprint,
  createdAt: upload.createdAt,
  expiresAt: upload.expiresAt,
  parts: upload.parts.map(({ number, byteSize }) => ({ number, byteSize })),
});

/**
 * Begins an upload. The size is checked before any bytes are sent.
 * @throws InvalidError upload_empty, upload_too_large (specification §9); upload_other_kind if it is to replace a web media item
 * @throws LimitError library_capacity (specification §8), counting what other open uploads have declared; others as beginUpload
 * @throws NotFoundError, ForbiddenError when the actor may not put a file there
 */
export async function startUpload(
  deps: UploadDeps,
  input: UploadTarget & Pick<UploadValue, "fileName" | "byteSize" | "fingerprint">,
): Promise<OpenUpload> {
  const destination = await ensureUploadDestination(deps, input);
  const capacity = await deps.uploads.findCapacity(destination.ownerId);
  if (!capacity) throw new NotFoundError("owner");
  checkSize(input.byteSize, freeBytes(capacity, destination.replaces));
  return toOpenUpload(await beginUpload(deps, input.actor, destination, input));
}

const isExpired = (deps: Pick<UploadDeps, "clock">, { expiresAt }: Pick<Upload, "expiresAt">): boolean =>
  expiresAt <= toInstant(deps.clock.now());

/** The actor's open uploads, oldest first. */
export async function listUploads(
  deps: UploadDeps,
  input: { readonly actor: Actor },
): Promise<readonly OpenUpload[]> {
  const uploads = await deps.uploads.list(input.actor.userId, UPLOADS_OPEN_MAX);
  return uploads.filter((upload) => !isExpired(deps, upload)).map(toOpenUpload);
}

type OwnUpload = { readonly actor: Actor; readonly uploadId: Uuid };

/**
 * Checks a token's scope: an authorized caller began the upload, but an API token may continue it only with the library scope.
 * @throws ForbiddenError
 */
function requireLibraryScope(actor: Actor): void {
  if (!can(actor, "create", { type: "media", ownerId: actor.userId, groupId: null }))
    throw new ForbiddenError("upload");
}

async function findOwnUpload(deps: UploadDeps, { actor, uploadId }: OwnUpload): Promise<UploadWithParts> {
  const upload = await deps.uploads.find(uploadId, actor.userId);
  if (!upload || isExpired(deps, upload)) throw new UploadGoneError();
  return upload;
}

/** Returns one of the actor's open uploads. @throws UploadGoneError, also for uploads of other users */
export const getUpload = async (deps: UploadDeps, input: OwnUpload): Promise<OpenUpload> =>
  toOpenUpload(await findOwnUpload(deps, input));

/**
 * Stores one slice as it arrives, in any order. A repeated slice replaces the first. A file of an unsupported type is rejected with its first
 * slice, and the upload ends.
 * @param input.declaredBytes Content-Length of the slice, if present
 * @throws InvalidError upload_part_size when the slice is longer, shorter, cut off, or not part of this file; upload_kind, upload_format
 * @throws UploadGoneError, UploadBusyError, ForbiddenError
 */
export async function storePart(
  deps: UploadDeps,
  input: OwnUpload & {
    readonly number: number;
    readonly declaredBytes: number | null;
    readonly body: ReadableStream<Uint8Array> | null;
  },
): Promise<Pick<UploadPart, "number" | "byteSize">> {
  const { number, declaredBytes, body } = input;
  requireLibraryScope(input.actor);
  const upload = await findOwnUpload(deps, input);
  const byteSize = partBytes(upload, number);
  if (byteSize === null || (declaredBytes !== null && declaredBytes !== byteSize)) throw partSizeError();
  const now = toInstant(deps.clock.now());
  if (upload.claimedUntil !== null && upload.claimedUntil > now) throw new UploadBusyError();
  const { fileName, fileKey, multipartId } = upload;
  let reason: FileRejectionReason = { rejection: "kind" };
  const accepts = async (head: Uint8Array) => {
    const rejection = await findHeadRejection(head, fileName, upload.byteSize);
    reason = rejection ?? reason;
    return rejection === null;
  };
  const stored = await deps.uploadStore.putSlice(
    { fileKey, multipartId, number },
    body,
    byteSize,
    number === 1 ? accepts : null,
  );
  if (stored === "wrong_size") throw partSizeError();
  if (stored === "rejected") {
    await endUpload(deps, upload);
    throw createInspectionError(reason);
  }
  if (stored === "gone") throw new UploadGoneError();
  const part = { number, byteSize, etag: stored.etag };
  if (await deps.uploads.savePart(upload.id, part, toInstant(deps.clock.now()))) return { number, byteSize };
  throw (await deps.uploads.find(upload.id, upload.actorId)) ? new UploadBusyError() : new UploadGoneError();
}

/** Cancels one of the actor's uploads. @throws UploadGoneError, UploadBusyError, ForbiddenError */
export async function abortUpload(deps: UploadDeps, input: OwnUpload): Promise<void> {
  requireLibraryScope(input.actor);
  const upload = await findOwnUpload(deps, input);
  if (!(await endUpload(deps, upload))) throw new UploadBusyError();
}

/** Result of completing an upload. */
export interface CompletedUpload {
  readonly item: LibraryItem;
}

/**
 * Assembles an upload's slices and creates a library item, or replaces the file of an existing item, which every use of that item then shows. The stored
 * bytes decide the file's type. Repeating the call results in one item: with `itemId`, a second call returns the result of the first. A rejected file
 * is deleted.
 * @throws InvalidError upload_incomplete with the slices that are missing; upload_kind, upload_format, upload_damaged, upload_pixels, upload_model
 *   and the codes that begin with it, upload_misnamed, upload_splats, upload_splat_attributes, upload_splat_parts, upload_other_kind
 * @throws LimitError library_capacity
 * @throws NotFoundError, ForbiddenError when the folder, or the item to be replaced, was deleted meanwhile or the actor may no longer change it
 * @throws UploadGoneError, UploadBusyError
 */
export async function completeUpload(
  deps: UploadDeps,
  input: OwnUpload & { readonly itemId?: Uuid | undefined },
): Promise<CompletedUpload> {
  const { actor, uploadId, itemId } = input;
  requireLibraryScope(actor);
  const now = deps.clock.now();
  const until = toInstant(now + CLAIM_MS);
  const openUpload = await deps.uploads.find(uploadId, actor.userId);
  if (!openUpload) return { item: await findCompletedItem(deps, actor, uploadId, itemId) };
  const completion = (async () => {
    const upload = await deps.uploads.claim(uploadId, toInstant(now), until);
    return upload && { item: await assembleUpload(deps, actor, upload, until) };
  })();
  // Completes the upload even if the client disconnects, so that a repeated call finds it done. A rejection is a result and no error of the
  // background work.
  deps.defer(
    completion.catch((error) => {
      if (!(error instanceof AppError)) throw error;
    }),
  );
  const result = await completion;
  if (result) return result;
  if (await deps.uploads.find(uploadId, actor.userId)) throw new UploadBusyError();
  return { item: await findCompletedItem(deps, actor, uploadId, itemId) };
}

async function assembleUpload(
  deps: UploadDeps,
  actor: Actor,
  upload: UploadWithParts,
  until: string,
): Promise<LibraryItem> {
  try {
    const missing = missingPartNumbers(upload);
    if (missing.length > 0) throw incompleteError(missing);
    const byteSize = await deps.uploadStore.complete(upload.fileKey, upload.multipartId, upload.parts);
    if (byteSize === null) {
      // Two clients sent the same slice, so it is unknown which bytes were stored. All slices must be sent again.
      await deps.uploads.forgetParts(upload.id);
      throw incompleteError(missingPartNumbers({ ...upload, parts: [] }));
    }
    return await admitUpload(deps, actor, upload, until, byteSize);
  } catch (error) {
    // Errors other than a rejection of the file can be retried.
    if (!(error instanceof RejectedFileError)) await deps.uploads.release(upload.id, until);
    throw error instanceof RejectedFileError ? error.cause : error;
  }
}

const incompleteError = (missing: readonly number[]) =>
  createUploadError("upload_incomplete", "library:errors.upload.incomplete", { missing: missing.join(", ") });

const missingPartNumbers = (upload: UploadWithParts): readonly number[] =>
  missingParts(upload, new Map(upload.parts.map(({ number, byteSize }) => [number, byteSize])));

/** Returns the item that an earlier call created, whose response may not have reached the client. */
async function findCompletedItem(
  deps: UploadDeps,
  actor: Actor,
  uploadId: Uuid,
  itemId: Uuid | undefined,
): Promise<LibraryItem> {
  const item = itemId === undefined ? null : await deps.library.find(itemId);
  const isOwnItem =
    item?.fileKey === `library/${itemId}/${uploadId}` &&
    can(actor, "read", { type: "media", ownerId: item.ownerId, groupId: item.groupId });
  if (!isOwnItem) throw new UploadGoneError();
  return item;
}

/**
 * Deletes uploads that were not completed within UPLOAD_KEEP_HOURS, their slices, and replaced files; for the cron trigger. One run deletes a limited number.
 * Returns the number of deleted uploads.
 */
export async function deleteExpiredUploads(deps: UploadDeps): Promise<number> {
  const expired = await deps.uploads.listExpired(toInstant(deps.clock.now()), DELETED_PER_RUN);
  let deletedCount = 0;
  for (const id of expired) if (await endUpload(deps, { id })) deletedCount++;
  return deletedCount;
}

/** `context.services.uploads`. */
export const uploadServices = (deps: UploadDeps) =>
  bindUseCases(deps, {
    startUpload,
    listUploads,
    getUpload,
    storePart,
    completeUpload,
    abortUpload,
    storeFiles,
    setThumbnail,
    deleteExpiredUploads,
  });
