import type { Repositories } from "#functions/data/shared/repositories";
import { tidyFileName, titleOfFile } from "~/domain/library/file-name";
import { refusedFormat } from "~/domain/library/formats/refused-formats";
import { sniffMedia } from "~/domain/library/media-kind";
import { missingParts, partBytes, type UploadValue } from "~/domain/library/upload.schema";
import {
  FILE_NAME_SENT_MAX,
  FORM_FILES_MAX,
  THUMBNAIL_MAX_BYTES,
  UPLOAD_KEEP_HOURS,
  UPLOAD_MAX_BYTES,
  UPLOAD_PART_BYTES,
  UPLOADS_OPEN_MAX,
  uploadProblem,
} from "~/domain/shared/limits";
import type { Actor, Folder, LibraryItem, Uuid } from "~/domain/shared/model";
import { can, type Resource } from "~/domain/shared/permissions";
import { ensureRootFolders } from "../folders/folders";
import { bindUseCases } from "../shared/bind";
import { instant } from "../shared/digest";
import {
  AppError,
  ForbiddenError,
  InvalidError,
  LimitError,
  limitReached,
  NotFoundError,
  UploadBusyError,
  UploadGoneError,
} from "../shared/errors";
import type { Clock, FileStore, IdSource } from "../shared/ports";
import { auditEntry } from "../users/audit-entry";
import type {
  FileRejectionReason,
  LibraryRoom,
  Upload,
  UploadPart,
  UploadStore,
  UploadWithParts,
} from "./uploads-ports";

const HOUR = 3_600_000;
/** Duration of the claim of the call that assembles a file, in milliseconds. After that another call may try. */
const CLAIM_MS = 10 * 60_000;
/** How long a file that was replaced stays: pages that are open may be reading it. */
const LEFTOVER_MS = 10 * 60_000;
/** Uploads that one run of the job cleans up at most; the next run goes on. */
const SWEPT_AT_ONCE = 50;
/** Bytes of a form that is refused and still read: one file of the largest size, and somewhat more. */
const READ_AWAY_MAX = 2 * UPLOAD_MAX_BYTES;
/** Bytes that a form of files may contain in addition to them. */
const FORM_OVERHEAD = 64 * 1024;

/** Dependencies of the use cases of uploads. */
export interface UploadDeps extends Pick<Repositories, "uploads" | "folders"> {
  readonly uploadStore: UploadStore;
  readonly files: Pick<FileStore, "delete">;
  readonly library: Pick<Repositories["library"], "find">;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** Asks for the verdict on a file in the background. */
  readonly checkUpload: (fileKey: string) => void;
  /** Continues work after the response, also when the client has disconnected. */
  readonly defer: (work: Promise<unknown>) => void;
}

/** Where a file is to go: a folder, or the item whose file it replaces. Nothing: the owner's root folder. */
export interface UploadTarget {
  readonly actor: Actor;
  readonly folderId?: Uuid | null | undefined;
  readonly replacesId?: Uuid | null | undefined;
  /** The actor when absent. */
  readonly ownerId?: Uuid | null | undefined;
}

/** An upload as its sender sees it. */
export interface OpenUpload
  extends Pick<
    Upload,
    | "id"
    | "folderId"
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

interface Place {
  readonly folderId: Uuid;
  readonly ownerId: Uuid;
  readonly replaces: LibraryItem | null;
}

/** A file's fault beside its field. */
const refused = (code: string, key: string, values?: Readonly<Record<string, string | number>>) =>
  new InvalidError({ file: [values ? { key, values } : { key }] }, code);

/** The error of a refused file. Formats that are refused by name share a code; `values.format` names the format. */
const refusedFile = ({ refusal, values }: FileRejectionReason): InvalidError => {
  const key = `library:errors.upload.${refusal}`;
  const format = /^format\.(.*)$/.exec(refusal)?.[1];
  if (format === undefined) return refused(`upload_${refusal}`, key, values);
  return refused("upload_format", key, { ...values, format });
};

/** Why a file is refused by its beginning alone; null when it may be stored. */
const headRefusal = async (
  head: Uint8Array,
  fileName: string,
  byteSize?: number,
): Promise<FileRejectionReason | null> => {
  const known = refusedFormat(head, fileName, byteSize);
  if (known) return { refusal: `format.${known.format}`, values: known.values };
  return (await sniffMedia(head, fileName, byteSize)) === null ? { refusal: "kind" } : null;
};

const otherKind = () => refused("upload_other_kind", "library:errors.upload.otherKind");
const noRoom = () => new LimitError("library_capacity", { key: "library:errors.upload.capacity" });

const SIZE_CODES = {
  "library:errors.upload.empty": "upload_empty",
  "library:errors.upload.tooLarge": "upload_too_large",
} as const;

/**
 * The reason why a file of this size cannot be stored; null if it can.
 * @param free bytes of the library that are not reserved
 */
function sizeProblem(byteSize: number, free = Number.POSITIVE_INFINITY): AppError | null {
  const key = uploadProblem({ storageLimit: free, storageUsed: 0 }, byteSize);
  if (key === null) return null;
  return key === "library:errors.upload.capacity" ? noRoom() : refused(SIZE_CODES[key], key);
}

function checkSize(byteSize: number, free?: number): void {
  const problem = sizeProblem(byteSize, free);
  if (problem) throw problem;
}

const itemIdOf = ({ fileKey }: Pick<Upload, "fileKey">): Uuid => fileKey.split("/")[1] ?? "";

const toOpen = (upload: UploadWithParts): OpenUpload => ({
  id: upload.id,
  itemId: itemIdOf(upload),
  folderId: upload.folderId,
  replacesId: upload.replacesId,
  fileName: upload.fileName,
  byteSize: upload.byteSize,
  partSize: upload.partSize,
  fingerprint: upload.fingerprint,
  createdAt: upload.createdAt,
  expiresAt: upload.expiresAt,
  parts: upload.parts.map(({ number, byteSize }) => ({ number, byteSize })),
});

const folderResource = ({ ownerId, groupId }: Folder): Resource => ({ type: "folder", ownerId, groupId });

/** Where a file is to go, if the actor may put it there. */
async function placeOf(deps: UploadDeps, target: UploadTarget): Promise<Place> {
  const { actor } = target;
  if (target.replacesId) {
    const item = await deps.library.find(target.replacesId);
    const resource = item && ({ type: "media", ownerId: item.ownerId, groupId: item.groupId } as const);
    if (!resource || !can(actor, "read", resource)) throw new NotFoundError("medium");
    if (!can(actor, "update", resource)) throw new ForbiddenError("replace file");
    if (item.kind === "web") throw otherKind();
    return { folderId: item.folderId, ownerId: item.ownerId, replaces: item };
  }
  const ownerId = target.ownerId ?? actor.userId;
  if (!target.folderId) {
    const resource = { type: "folder", ownerId, groupId: null } as const;
    if (!can(actor, "list", resource)) throw new NotFoundError("owner");
    if (!can(actor, "create", resource)) throw new ForbiddenError("upload");
    const root = await deps.folders.findRoot(ownerId, "media");
    return { folderId: root?.id ?? (await ensureRoot(deps, ownerId)), ownerId, replaces: null };
  }
  const folder = await deps.folders.find(target.folderId);
  const isThere =
    folder?.folderType === "media" &&
    (!target.ownerId || folder.ownerId === target.ownerId) &&
    can(actor, "read", folderResource(folder));
  if (!isThere) throw new NotFoundError("folder");
  if (!can(actor, "create", folderResource(folder))) throw new ForbiddenError("upload");
  return { folderId: folder.id, ownerId: folder.ownerId, replaces: null };
}

async function ensureRoot(deps: UploadDeps, ownerId: Uuid): Promise<Uuid> {
  // An account that is not there has no room, and gets no folders.
  if (!(await deps.uploads.findRoom(ownerId))) throw new NotFoundError("owner");
  return (await ensureRootFolders(deps, { ownerId })).media;
}

/** Bytes that may still be sent into a library. */
const freeIn = (room: LibraryRoom, replaces: LibraryItem | null): number =>
  room.storageLimit -
  room.storageUsed -
  room.declared +
  (replaces ? replaces.byteSize + replaces.stillSize + replaces.preparedSize : 0);

async function begin(
  deps: UploadDeps,
  actor: Actor,
  place: Place,
  file: Pick<UploadValue, "fileName" | "byteSize" | "fingerprint">,
): Promise<UploadWithParts> {
  const { folderId, ownerId, replaces } = place;
  const id = deps.ids.uuid();
  const fileKey = `library/${replaces?.id ?? deps.ids.uuid()}/${id}`;
  const now = deps.clock.now();
  const multipartId = await deps.uploadStore.begin(fileKey);
  const upload = {
    id,
    actorId: actor.userId,
    ownerId,
    folderId,
    replacesId: replaces?.id ?? null,
    fileName: file.fileName,
    byteSize: file.byteSize,
    fingerprint: file.fingerprint,
    partSize: UPLOAD_PART_BYTES,
    fileKey,
    multipartId,
    // From the opening: slices that come again and again would keep the bytes reserved for ever.
    createdAt: instant(now),
    expiresAt: instant(now + UPLOAD_KEEP_HOURS * HOUR),
  };
  const outcome = await deps.uploads.create(upload, UPLOADS_OPEN_MAX).catch(async (error) => {
    await deps.uploadStore.discard(fileKey, multipartId);
    throw error;
  });
  if (outcome === "created") return { ...upload, claimedUntil: null, parts: [] };
  await deps.uploadStore.discard(fileKey, multipartId);
  if (outcome === "no_folder") throw new NotFoundError("folder");
  if (outcome !== "too_many") throw limitReached(outcome);
  throw new LimitError("too_many_uploads", { key: "library:errors.upload.tooMany" });
}

/**
 * Begins an upload: what its size and name say is checked before any of it is sent.
 * @throws InvalidError upload_empty, upload_too_large (§9)
 * @throws LimitError library_capacity (§8), counting what other open uploads have declared; too_many_uploads
 * @throws NotFoundError, ForbiddenError when the actor may not put a file there
 */
export async function startUpload(
  deps: UploadDeps,
  input: UploadTarget & Pick<UploadValue, "fileName" | "byteSize" | "fingerprint">,
): Promise<OpenUpload> {
  const place = await placeOf(deps, input);
  const room = await deps.uploads.findRoom(place.ownerId);
  if (!room) throw new NotFoundError("owner");
  checkSize(input.byteSize, freeIn(room, place.replaces));
  return toOpen(await begin(deps, input.actor, place, input));
}

/** The actor's open uploads, the oldest first: what may be gone on with. */
export async function listUploads(
  deps: UploadDeps,
  input: { readonly actor: Actor },
): Promise<readonly OpenUpload[]> {
  return (await deps.uploads.list(input.actor.userId, UPLOADS_OPEN_MAX)).map(toOpen);
}

type OwnUpload = { readonly actor: Actor; readonly uploadId: Uuid };

/**
 * Checks a token's scope: an authorized caller began the upload, but an API token may continue it only with the library scope.
 * @throws ForbiddenError
 */
function requireLibrary(actor: Actor): void {
  if (!can(actor, "create", { type: "media", ownerId: actor.userId, groupId: null }))
    throw new ForbiddenError("upload");
}

async function ownUpload(deps: UploadDeps, { actor, uploadId }: OwnUpload): Promise<UploadWithParts> {
  const upload = await deps.uploads.find(uploadId, actor.userId);
  if (!upload || upload.expiresAt <= instant(deps.clock.now())) throw new UploadGoneError();
  return upload;
}

/** One of the actor's open uploads. @throws UploadGoneError, for other people's as well */
export const getUpload = async (deps: UploadDeps, input: OwnUpload): Promise<OpenUpload> =>
  toOpen(await ownUpload(deps, input));

/**
 * Stores one slice as it arrives, in any order. A repeated slice replaces the first. A file of an unsupported type is rejected with its first slice,
 * and the upload ends.
 * @param input.declared the slice's size that the sender declares, if it does
 * @throws InvalidError upload_part_size when the slice is longer, shorter, cut off, or not part of this file; upload_kind
 * @throws UploadGoneError, UploadBusyError
 */
export async function storePart(
  deps: UploadDeps,
  input: OwnUpload & {
    readonly number: number;
    readonly declared: number | null;
    readonly body: ReadableStream<Uint8Array> | null;
  },
): Promise<Pick<UploadPart, "number" | "byteSize">> {
  const { number, declared, body } = input;
  requireLibrary(input.actor);
  const upload = await ownUpload(deps, input);
  const byteSize = partBytes(upload, number);
  if (byteSize === null || (declared !== null && declared !== byteSize)) throw wrongSize();
  const now = instant(deps.clock.now());
  if (upload.claimedUntil !== null && upload.claimedUntil > now) throw new UploadBusyError();
  const { fileName, fileKey, multipartId } = upload;
  let reason: FileRejectionReason = { refusal: "kind" };
  const accepts = async (head: Uint8Array) => {
    const found = await headRefusal(head, fileName, upload.byteSize);
    reason = found ?? reason;
    return found === null;
  };
  const stored = await deps.uploadStore.putSlice(
    { fileKey, multipartId, number },
    body,
    byteSize,
    number === 1 ? accepts : null,
  );
  if (stored === "wrong_size") throw wrongSize();
  if (stored === "refused") {
    await end(deps, upload);
    throw refusedFile(reason);
  }
  if (stored === "gone") throw new UploadGoneError();
  const part = { number, byteSize, etag: stored.etag };
  if (await deps.uploads.savePart(upload.id, part, instant(deps.clock.now()))) return { number, byteSize };
  throw (await deps.uploads.find(upload.id, upload.actorId)) ? new UploadBusyError() : new UploadGoneError();
}

const wrongSize = () => refused("upload_part_size", "library:errors.upload.partSize");

/** Deletes an upload and its bytes, unless another call is completing it. */
async function end(deps: UploadDeps, { id }: Pick<Upload, "id">): Promise<boolean> {
  const now = deps.clock.now();
  const until = instant(now + CLAIM_MS);
  const upload = await deps.uploads.claim(id, instant(now), until);
  if (upload) await drop(deps, upload, until);
  return upload !== null;
}

/** The bytes go before the record that names them: a run that was cut off is repeated by the job. */
async function drop(deps: UploadDeps, upload: Upload, claimedUntil: string): Promise<void> {
  await deps.uploadStore.discard(upload.fileKey, upload.multipartId);
  await deps.uploads.remove(upload.id, claimedUntil);
}

/** Gives up one of the actor's uploads. @throws UploadGoneError, UploadBusyError */
export async function abortUpload(deps: UploadDeps, input: OwnUpload): Promise<void> {
  requireLibrary(input.actor);
  const upload = await ownUpload(deps, input);
  if (!(await end(deps, upload))) throw new UploadBusyError();
}

/** The kind of change, and the item as it is now. */
export interface CompletedUpload {
  readonly item: LibraryItem;
}

/**
 * Assembles an upload's slices and creates a library item, or replaces the file of an existing item; every use of that item follows. The stored
 * bytes decide the file's type. Repeating the call results in one item: with `itemId`, the second call returns the same as the first. A rejected
 * file is deleted.
 * @throws InvalidError upload_incomplete with the slices that are missing; upload_kind, upload_format, upload_damaged, upload_pixels, upload_model
 * and the codes that begin with it, upload_misnamed
 * @throws LimitError library_capacity
 * @throws NotFoundError, ForbiddenError when the folder, or the item to be replaced, was deleted meanwhile or the actor may no longer change it
 * @throws UploadGoneError, UploadBusyError
 */
export async function completeUpload(
  deps: UploadDeps,
  input: OwnUpload & { readonly itemId?: Uuid | undefined },
): Promise<CompletedUpload> {
  const { actor, uploadId, itemId } = input;
  requireLibrary(actor);
  const now = deps.clock.now();
  const until = instant(now + CLAIM_MS);
  const known = await deps.uploads.find(uploadId, actor.userId);
  if (!known) return { item: await completedBefore(deps, actor, uploadId, itemId) };
  const work = (async () => {
    const upload = await deps.uploads.claim(uploadId, instant(now), until);
    return upload && { item: await putTogether(deps, actor, upload, until) };
  })();
  // A sender whose connection is lost meanwhile comes again, and is to find it done and not claimed. What was refused is an answer,
  // and no failure.
  deps.defer(
    work.catch((error) => {
      if (!(error instanceof AppError)) throw error;
    }),
  );
  const done = await work;
  if (done) return done;
  if (await deps.uploads.find(uploadId, actor.userId)) throw new UploadBusyError();
  return { item: await completedBefore(deps, actor, uploadId, itemId) };
}

async function putTogether(
  deps: UploadDeps,
  actor: Actor,
  upload: UploadWithParts,
  until: string,
): Promise<LibraryItem> {
  try {
    const missing = missingOf(upload);
    if (missing.length > 0) throw incomplete(missing);
    const byteSize = await deps.uploadStore.complete(upload.fileKey, upload.multipartId, upload.parts);
    if (byteSize === null) {
      // Two clients sent one slice and the later one was recorded first: the stored bytes are unknown.
      await deps.uploads.forgetParts(upload.id);
      throw incomplete(missingOf({ ...upload, parts: [] }));
    }
    return await admit(deps, actor, upload, until, byteSize);
  } catch (error) {
    // Errors other than a rejection of the file can be retried.
    if (!(error instanceof RefusedFile)) await deps.uploads.release(upload.id, until);
    throw error instanceof RefusedFile ? error.cause : error;
  }
}

/** A file that was rejected and deleted, with the error for its sender. */
class RefusedFile extends Error {
  constructor(override readonly cause: AppError) {
    super(cause.message);
  }
}

const incomplete = (missing: readonly number[]) =>
  refused("upload_incomplete", "library:errors.upload.incomplete", { missing: missing.join(", ") });

const missingOf = (upload: UploadWithParts): readonly number[] =>
  missingParts(upload, new Map(upload.parts.map(({ number, byteSize }) => [number, byteSize])));

/** The item that an earlier call made: its answer may have been lost on the way. */
async function completedBefore(
  deps: UploadDeps,
  actor: Actor,
  uploadId: Uuid,
  itemId: Uuid | undefined,
): Promise<LibraryItem> {
  const item = itemId === undefined ? null : await deps.library.find(itemId);
  const isIt =
    item?.fileKey === `library/${itemId}/${uploadId}` &&
    can(actor, "read", { type: "media", ownerId: item.ownerId, groupId: item.groupId });
  if (!isIt) throw new UploadGoneError();
  return item;
}

/** Lets a stored file into its library, or deletes it. @throws RefusedFile */
async function admit(
  deps: UploadDeps,
  actor: Actor,
  upload: Upload,
  claimedUntil: string,
  byteSize: number,
): Promise<LibraryItem> {
  const refuse = async (cause: AppError): Promise<never> => {
    await drop(deps, upload, claimedUntil);
    throw new RefusedFile(cause);
  };
  const { fileKey, fileName, replacesId } = upload;
  const problem = sizeProblem(byteSize);
  if (problem) return refuse(problem);
  const found = await deps.uploadStore.inspect(fileKey, fileName, byteSize);
  if ("refusal" in found) return refuse(refusedFile(found));
  const { medium } = found;
  // The sender may have left the group meanwhile, or the folder may no longer be shared.
  const target = replacesId === null ? { folderId: upload.folderId } : { replacesId };
  const place = await placeOf(deps, { actor, ownerId: upload.ownerId, ...target }).catch((error) => {
    if (error instanceof AppError) return refuse(error);
    throw error;
  });
  const itemId = itemIdOf(upload);
  const at = instant(deps.clock.now());
  let outcome: Awaited<ReturnType<Repositories["uploads"]["addItem"]>>;
  if (place.replaces === null) {
    const item = { id: itemId, title: titleOfFile(fileName), createdAt: at, ...medium };
    const entry = auditEntry(deps, actor, "media_uploaded", "media", itemId, { fileName, byteSize });
    outcome = await deps.uploads.addItem(upload, claimedUntil, item, entry);
  } else {
    if (place.replaces.kind !== medium.kind) return refuse(otherKind());
    const entry = auditEntry(deps, actor, "media_replaced", "media", itemId, { fileName, byteSize });
    outcome = await deps.uploads.replaceFile(upload, claimedUntil, medium, leftovers(deps), entry);
  }
  if (outcome === "library_capacity") return refuse(noRoom());
  if (outcome === "gone") return refuse(new NotFoundError("folder"));
  const item = await deps.library.find(itemId);
  // Another user deleted the item right after it was created.
  if (!item) throw new NotFoundError("medium");
  if (item.check) deps.checkUpload(fileKey);
  return item;
}

const leftovers = (deps: UploadDeps) => {
  const now = deps.clock.now();
  return {
    ids: [deps.ids.uuid(), deps.ids.uuid()] as const,
    at: instant(now),
    expiresAt: instant(now + LEFTOVER_MS),
  };
};

/** A file of a posted form, read as it arrives. */
export interface PostedFile {
  readonly fileName: string;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** Result for one file of a form: the item, or the reason why there is none. */
export type StoredFileResult =
  | { readonly fileName: string; readonly item: LibraryItem }
  | { readonly fileName: string; readonly refusal: AppError };

/**
 * Stores the files of a posted form, one after the other as they arrive, for those who send without scripts. One that is
 * refused does not keep the others from their place, and leaves nothing behind. Of more than FORM_FILES_MAX the first that
 * is too many is refused for all of them.
 * @param input.declared bytes of the whole form, where it says so: of what cannot fit nothing is stored
 * @throws LimitError library_capacity; InvalidError when no file was sent; NotFoundError, ForbiddenError as startUpload
 */
export async function storeFiles(
  deps: UploadDeps,
  input: UploadTarget & { readonly declared: number | null; readonly files: AsyncIterable<PostedFile> },
): Promise<readonly StoredFileResult[]> {
  const { actor, declared, files } = input;
  const place = await placeOf(deps, input);
  const room = await deps.uploads.findRoom(place.ownerId);
  if (!room) throw new NotFoundError("owner");
  const free = freeIn(room, place.replaces);
  // Several files may be more than 300 MB together, one that replaces another may not.
  const least = Math.max(1, (declared ?? 0) - FORM_OVERHEAD);
  const problem = place.replaces ? sizeProblem(least, free) : least > free ? noRoom() : null;
  if (problem) {
    await readAway(files, declared);
    throw problem;
  }
  const results: StoredFileResult[] = [];
  const slice = new Uint8Array(UPLOAD_PART_BYTES);
  let left = free;
  for await (const file of files) {
    // The file's own name may have any length. A form cannot ask for a shorter one.
    const fileName = tidyFileName(file.fileName.slice(0, FILE_NAME_SENT_MAX));
    if (results.length >= FORM_FILES_MAX) {
      results.push({ fileName, refusal: refused("too_many_files", "library:errors.upload.tooManyFiles") });
      await readAway(files, declared);
      break;
    }
    try {
      if (place.replaces && results.length > 0) throw otherKind();
      const item = await storeFile(deps, actor, place, { fileName, chunks: file.chunks, left, slice });
      left -= item.byteSize;
      results.push({ fileName, item });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      results.push({ fileName, refusal: error });
    }
  }
  if (results.length === 0) throw refused("upload_empty", "library:errors.upload.noFile");
  return results;
}

/** A browser whose form is not read to its end never shows the answer. What is far too long for that is left alone. */
async function readAway(files: AsyncIterable<PostedFile>, declared: number | null): Promise<void> {
  if (declared !== null && declared <= READ_AWAY_MAX) for await (const _ of files);
}

async function storeFile(
  deps: UploadDeps,
  actor: Actor,
  place: Place,
  file: PostedFile & {
    /** Bytes for which there is room. */
    readonly left: number;
    /** Holds one slice at a time, of one file after the other. */
    readonly slice: Uint8Array;
  },
): Promise<LibraryItem> {
  const { fileName, chunks, left, slice } = file;
  let filled = 0;
  let byteSize = 0;
  const parts: UploadPart[] = [];
  let upload: UploadWithParts | null = null;
  const open = async () => {
    // A file that fills the slice may be longer.
    const reason = await headRefusal(
      slice.subarray(0, filled),
      fileName,
      filled < slice.byteLength ? filled : undefined,
    );
    if (reason) throw refusedFile(reason);
    // The size of the file is unknown yet. The library's capacity is checked again when all of it has arrived.
    return begin(deps, actor, place, { fileName, byteSize: Math.max(1, filled), fingerprint: "" });
  };
  const flush = async (to: Upload) => {
    const number = parts.length + 1;
    const stored = await deps.uploadStore.putBytes({ ...to, number }, slice.subarray(0, filled));
    if (typeof stored === "string") throw new UploadGoneError();
    parts.push({ number, byteSize: filled, etag: stored.etag });
    filled = 0;
  };
  try {
    for await (const chunk of chunks) {
      byteSize += chunk.byteLength;
      if (chunk.byteLength > 0) checkSize(byteSize, left);
      for (let at = 0; at < chunk.byteLength; ) {
        const taken = chunk.subarray(at, at + slice.byteLength - filled);
        slice.set(taken, filled);
        filled += taken.byteLength;
        at += taken.byteLength;
        if (filled < slice.byteLength) continue;
        upload ??= await open();
        await flush(upload);
      }
    }
    checkSize(byteSize);
    upload ??= await open();
    if (filled > 0) await flush(upload);
  } catch (error) {
    if (upload !== null) await end(deps, upload);
    throw error;
  }
  return finishStored(deps, actor, upload, parts);
}

async function finishStored(
  deps: UploadDeps,
  actor: Actor,
  { id }: Pick<Upload, "id">,
  parts: readonly UploadPart[],
): Promise<LibraryItem> {
  const now = deps.clock.now();
  const until = instant(now + CLAIM_MS);
  const upload = await deps.uploads.claim(id, instant(now), until);
  if (!upload) throw new UploadGoneError();
  try {
    const byteSize = await deps.uploadStore.complete(upload.fileKey, upload.multipartId, parts);
    if (byteSize === null) throw new UploadGoneError();
    return await admit(deps, actor, upload, until, byteSize);
  } catch (error) {
    if (error instanceof RefusedFile) throw error.cause;
    // The upload cannot be continued, because its form has ended.
    await drop(deps, upload, until);
    throw error;
  }
}

/**
 * Gives an item a still picture, which its sender's browser has made. Its bytes count as those of the file do.
 * @throws InvalidError upload_thumbnail when it is no JPEG, WebP or PNG, or too large, or the item is a web medium
 * @throws LimitError library_capacity
 * @throws NotFoundError, ForbiddenError
 */
export async function setThumbnail(
  deps: UploadDeps,
  input: { readonly actor: Actor; readonly itemId: Uuid; readonly bytes: Uint8Array | null },
): Promise<LibraryItem> {
  const { actor, itemId, bytes } = input;
  const item = await deps.library.find(itemId);
  const resource = item && ({ type: "media", ownerId: item.ownerId, groupId: item.groupId } as const);
  if (!resource || !can(actor, "read", resource)) throw new NotFoundError("medium");
  if (!can(actor, "update", resource)) throw new ForbiddenError("thumbnail");
  // The still picture of a web medium is a file of its own, which counts: it is chosen where the medium is changed.
  const isFit =
    item.kind !== "web" && bytes !== null && bytes.byteLength > 0 && bytes.byteLength <= THUMBNAIL_MAX_BYTES;
  const picture = isFit ? await deps.uploadStore.inspectThumbnail(bytes) : null;
  if (!picture || !bytes) throw refused("upload_thumbnail", "library:errors.upload.thumbnail");
  const thumbKey = `library/${itemId}/thumbnail-${deps.ids.uuid()}`;
  await deps.uploadStore.putFile(thumbKey, bytes, picture.mimeType);
  const { ids, at, expiresAt } = leftovers(deps);
  const still = { key: thumbKey, byteSize: bytes.byteLength };
  const outcome = await deps.uploads.setThumbnail(itemId, item.fileKey, still, { id: ids[0], at, expiresAt });
  if (outcome !== "done") {
    await deps.files.delete([thumbKey]);
    throw outcome === "gone" ? new NotFoundError("medium") : noRoom();
  }
  return { ...item, thumbKey, stillSize: still.byteSize };
}

/**
 * Deletes uploads that were not completed within a day, their slices, and replaced files; for the cron trigger. A run handles a bounded number.
 * Returns how many were deleted.
 */
export async function deleteExpiredUploads(deps: UploadDeps): Promise<number> {
  const expired = await deps.uploads.listExpired(instant(deps.clock.now()), SWEPT_AT_ONCE);
  let swept = 0;
  for (const id of expired) if (await end(deps, { id })) swept++;
  return swept;
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
