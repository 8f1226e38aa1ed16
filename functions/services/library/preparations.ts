/** Preparations: conversions of library items' files in owners' browsers (decision 054). The server stores and checks the files that they send. */
import type { Repositories } from "#functions/data/shared/repositories";
import type { Actor } from "~/domain/auth/actor";
import type { LibraryItem } from "~/domain/library/library-item";
import {
  canBeTested,
  canSkip,
  DEFAULT_QUALITY,
  hiddenReason,
  type ItemPreparation,
  PREPARED_TYPES,
  type PreparationCode,
  type PreparationReport,
  type PreparationState,
  type PreparedRole,
  preparationState,
  preparedExtension,
  preparedKey,
} from "~/domain/library/prepared";
import {
  PREPARED_FILES_MAX,
  PREPARED_MAX_BYTES,
  PREPARED_TILE_MAX_BYTES,
  PREVIEW_MAX_BYTES,
  UPLOAD_MAX_BYTES,
  UPLOAD_PART_BYTES,
} from "~/domain/shared/limits";
import type { Instant, Uuid } from "~/domain/shared/model";
import { can } from "~/domain/shared/permissions";
import { tilesOfNames } from "~/domain/spaces/panorama-tiles";
import { bindUseCases } from "../shared/bind";
import { ForbiddenError, InvalidError, NotFoundError, PreparationGoneError } from "../shared/errors";
import { toInstant } from "../shared/instant";
import type { Clock, IdSource } from "../shared/ports";
import { auditEntry } from "../users/audit-entry";
import type { StagedFile } from "./preparation-ports";
import type { FileStore } from "./stored-file-ports";
import { libraryFullError } from "./upload-rejections";
import type { InspectedFile, UploadStore } from "./uploads-ports";

/** Duration of a browser's lease on a file, in milliseconds. Renewals and sent files extend it. */
export const LEASE_MS = 60_000;
/** Time after which replaced files are deleted, in milliseconds. Until then, open pages may still read them. */
const LEFTOVER_MS = 10 * 60_000;
/** Maximum number of such files that one run of deleteExpiredPreparations deletes. */
const DELETED_PER_RUN = 200;

/** Dependencies of conversions. */
export interface PreparationDeps extends Pick<Repositories, "preparations"> {
  readonly library: Pick<Repositories["library"], "find" | "listConvertible">;
  readonly uploadStore: UploadStore;
  readonly files: Pick<FileStore, "delete">;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** Requests the verdict of the operator's file check (UPLOAD_VERDICT_URL) on a file. */
  readonly checkUpload: (fileKey: string) => void;
}

interface ItemInput {
  readonly actor: Actor;
  readonly itemId: Uuid;
}
interface RunInput extends ItemInput {
  /** Id of the conversion, from startPreparation. */
  readonly runId: Uuid;
}

/** State of the conversion of an item's file. */
export interface PreparationView {
  readonly item: LibraryItem;
  readonly state: PreparationState | "none";
  readonly preparation: ItemPreparation | null;
  /** Whether a browser converts it now. */
  readonly isUnderWay: boolean;
  /** The reason why visitors do not see the item; null if they see it. */
  readonly hiddenReason: ReturnType<typeof hiddenReason>;
}

const preparationError = (code: string) =>
  new InvalidError({ file: [{ key: `library:errors.preparation.${code}` }] }, `preparation_${code}`);

/** Finds an item whose file the actor may replace. @throws NotFoundError, ForbiddenError, InvalidError preparation_type */
async function requireConvertible(deps: PreparationDeps, { actor, itemId }: ItemInput) {
  const item = await deps.library.find(itemId);
  const resource = item && ({ type: "media", ownerId: item.ownerId, groupId: item.groupId } as const);
  if (!resource || !can(actor, "read", resource)) throw new NotFoundError("media item");
  if (!can(actor, "update", resource)) throw new ForbiddenError("prepare file");
  const { fileKey } = item;
  if (fileKey === null || !canBeTested(item)) throw preparationError("type");
  return { ...item, fileKey };
}

const toPreparationView = (deps: Pick<PreparationDeps, "clock">, item: LibraryItem): PreparationView => {
  const until = item.preparation?.leasedUntil;
  return {
    item,
    state: preparationState(item),
    preparation: item.preparation,
    isUnderWay: until !== null && until !== undefined && until > toInstant(deps.clock.now()),
    hiddenReason: hiddenReason(item),
  };
};

/** Reads the state of a conversion, for actors who may see the item. @throws NotFoundError */
export async function getPreparation(
  deps: PreparationDeps,
  { actor, itemId }: ItemInput,
): Promise<PreparationView> {
  const item = await deps.library.find(itemId);
  if (!item || !can(actor, "read", { type: "media", ownerId: item.ownerId, groupId: item.groupId }))
    throw new NotFoundError("media item");
  return toPreparationView(deps, item);
}

/** Maximum number of items that one visit of the library continues to convert. */
const WAITING_MAX = 20;
/** Maximum number of items that are read to find these. */
const CONVERTIBLE_MAX = 100;

/** The items of the actor's library that wait for their conversion, oldest first. At most WAITING_MAX. */
export async function listWaitingPreparations(
  deps: PreparationDeps,
  { actor }: { readonly actor: Actor },
): Promise<readonly LibraryItem[]> {
  const items = await deps.library.listConvertible(actor.userId, CONVERTIBLE_MAX);
  return items.filter((item) => !item.check && preparationState(item) === "waiting").slice(0, WAITING_MAX);
}

/** The lease and the data that a browser needs for a conversion. */
export interface StartedPreparation {
  readonly runId: Uuid;
  readonly until: Instant;
  readonly quality: number;
  readonly fileKey: string;
}

/**
 * Gives a browser the lease to convert a file. The same tab may start again at any time, another one after the lease has ended.
 * @returns null while another browser converts it, or if the item was deleted or its file replaced in the meantime
 * @throws InvalidError preparation_type for types that browsers neither convert nor test, preparation_check before the file's verdict
 * @throws NotFoundError, ForbiddenError
 */
export async function startPreparation(
  deps: PreparationDeps,
  input: ItemInput & {
    /** Id of the browser tab. */
    readonly holder: string;
    readonly quality?: number | undefined;
  },
): Promise<StartedPreparation | null> {
  const item = await requireConvertible(deps, input);
  if (item.check) throw preparationError("check");
  const now = deps.clock.now();
  const lease = {
    itemId: item.id,
    fileKey: item.fileKey,
    runId: deps.ids.uuid(),
    holder: input.holder,
    actorId: input.actor.userId,
    until: toInstant(now + LEASE_MS),
    chosenQuality: input.quality ?? null,
  };
  if (!(await deps.preparations.lease(lease, toInstant(now)))) return null;
  // Files of an interrupted conversion cannot be used by another one.
  await discardFiles(deps, await deps.preparations.listAbandoned(item.id, lease.runId));
  const quality = lease.chosenQuality ?? item.preparation?.quality ?? DEFAULT_QUALITY;
  return { runId: lease.runId, until: lease.until, quality, fileKey: item.fileKey };
}

/** Deletes files of unfinished conversions. The bytes are deleted before the records, so that an interrupted run is repeated. */
async function discardFiles(deps: PreparationDeps, files: readonly StagedFile[]): Promise<void> {
  for (const { fileKey, multipartId } of files)
    if (multipartId !== "") await deps.uploadStore.discard(fileKey, multipartId);
  const keys = files.map(({ fileKey }) => fileKey);
  await deps.files.delete(keys);
  await deps.preparations.deleteFileRows(keys);
}

/** Extends a lease. @throws PreparationGoneError when the conversion has ended, or another one has begun; and as requireConvertible */
export async function renewPreparation(
  deps: PreparationDeps,
  input: RunInput,
): Promise<{ readonly until: Instant }> {
  await requireConvertible(deps, input);
  const until = toInstant(deps.clock.now() + LEASE_MS);
  if (!(await deps.preparations.renew(input.itemId, input.runId, until))) throw new PreparationGoneError();
  return { until };
}

/** A file of a conversion, or one of its slices. */
export interface PreparedFileInput extends RunInput {
  readonly role: PreparedRole;
  readonly name: string;
  /** Bytes of the whole file. */
  readonly byteSize: number;
  /** From 1. */
  readonly part: number;
  /** The slice's bytes; null if they are more than a slice may have. */
  readonly bytes: Uint8Array | null;
}

/**
 * Stores a converted file: whole, or in slices of UPLOAD_PART_BYTES, the first one first. Visitors receive it when the conversion is
 * finished.
 * @throws InvalidError preparation_name, preparation_file, preparation_part, preparation_too_large
 * @throws LimitError library_capacity; PreparationGoneError; and as requireConvertible
 */
export async function storePreparedFile(
  deps: PreparationDeps,
  input: PreparedFileInput,
): Promise<{ readonly byteSize: number }> {
  const item = await requireConvertible(deps, input);
  const { runId, role, name, byteSize, part, bytes } = input;
  const extension = preparedExtension(name);
  if (extension === null || (role !== "tile" && name.includes("/"))) throw preparationError("name");
  const preparedType = PREPARED_TYPES[extension];
  const kind = role === "tile" ? "image" : item.kind;
  if (!preparedType || preparedType.kind !== kind) throw preparationError("file");
  const partCount = Math.ceil(byteSize / UPLOAD_PART_BYTES);
  if (!(byteSize > 0) || byteSize > MAX_BYTES[role]) throw preparationError("too_large");
  const expectedBytes =
    part === partCount ? byteSize - (partCount - 1) * UPLOAD_PART_BYTES : UPLOAD_PART_BYTES;
  if (part < 1 || part > partCount || bytes?.byteLength !== expectedBytes) throw preparationError("part");
  const fileKey = preparedKey(item.id, runId, name);
  const declaredFile = {
    fileKey,
    itemId: item.id,
    runId,
    role,
    name,
    mimeType: preparedType.mimeType,
    byteSize,
  };
  const unknownMetadata = { width: null, height: null, duration: null };
  if (partCount === 1) {
    const file = { ...declaredFile, ...unknownMetadata, multipartId: "", parts: NOT_INSPECTED };
    await stageFile(deps, file);
    await deps.uploadStore.putFile(fileKey, bytes, preparedType.mimeType);
    const inspection = await inspect(deps, { ...declaredFile, kind }).catch(async (error) => {
      await discardFiles(deps, [file]);
      throw error;
    });
    await deps.preparations.settleFile({ fileKey, ...inspection });
  } else {
    const multipartId =
      part === 1 ? await beginMultipart(deps, declaredFile) : (await findStaged(deps, fileKey)).multipartId;
    const stored = await deps.uploadStore.putBytes({ fileKey, multipartId, number: part }, bytes);
    if (typeof stored === "string") throw new PreparationGoneError();
    await deps.preparations.savePart(fileKey, part, stored.etag);
  }
  // Sending a file also extends the lease.
  await deps.preparations.renew(item.id, runId, toInstant(deps.clock.now() + LEASE_MS));
  return { byteSize };
}

/** Value of StagedFile.parts for a file that was sent in one request, until it has been inspected. */
const NOT_INSPECTED = { "1": "whole" } as const;
const isNotInspected = ({ multipartId, parts }: StagedFile) =>
  multipartId === "" && Object.keys(parts).length > 0;

/** Maximum size of the file that viewers load (display), of the smaller one that they show first (preview), and of a part of a large image (tile). */
const MAX_BYTES: Readonly<Record<PreparedRole, number>> = {
  display: UPLOAD_MAX_BYTES,
  preview: PREVIEW_MAX_BYTES,
  tile: PREPARED_TILE_MAX_BYTES,
};

async function stageFile(deps: PreparationDeps, file: StagedFile): Promise<void> {
  const limits = { files: PREPARED_FILES_MAX, bytes: PREPARED_MAX_BYTES };
  const outcome = await deps.preparations.stage(file, limits);
  if (outcome === "gone") throw new PreparationGoneError();
  if (outcome === "library_capacity") throw libraryFullError();
  if (outcome === "too_many") throw preparationError("too_large");
}

/** Starts a file of several slices, and discards the slices of an earlier file of the same name. */
async function beginMultipart(
  deps: PreparationDeps,
  file: Pick<StagedFile, "fileKey" | "itemId" | "runId" | "role" | "name" | "mimeType" | "byteSize">,
) {
  const previousFile = await deps.preparations.findStagedFile(file.fileKey);
  if (previousFile && previousFile.multipartId !== "")
    await deps.uploadStore.discard(file.fileKey, previousFile.multipartId);
  const multipartId = await deps.uploadStore.begin(file.fileKey);
  try {
    await stageFile(deps, { ...file, width: null, height: null, duration: null, multipartId, parts: {} });
  } catch (error) {
    await deps.uploadStore.discard(file.fileKey, multipartId);
    throw error;
  }
  return multipartId;
}

async function findStaged(deps: PreparationDeps, fileKey: string): Promise<StagedFile> {
  const file = await deps.preparations.findStagedFile(fileKey);
  if (!file || file.multipartId === "") throw new PreparationGoneError();
  return file;
}

/** Inspects a stored file. @throws InvalidError preparation_file when it is rejected, or its kind or type is not the declared one */
async function inspect(
  deps: PreparationDeps,
  file: Pick<StagedFile, "fileKey" | "name" | "mimeType" | "byteSize"> & { readonly kind: string },
): Promise<Pick<InspectedFile, "byteSize" | "width" | "height" | "duration">> {
  const inspection = await deps.uploadStore.inspect(file.fileKey, file.name, file.byteSize);
  const matchesDeclaration =
    "file" in inspection && inspection.file.kind === file.kind && inspection.file.mimeType === file.mimeType;
  if (!matchesDeclaration) throw preparationError("file");
  const { byteSize, width, height, duration } = inspection.file;
  return { byteSize, width, height, duration };
}

/**
 * Replaces the files that visitors receive with those of a conversion: all of them, or none.
 * @throws InvalidError preparation_incomplete without exactly one display file, with several previews, with slices or tiles missing, or with a file that
 *   was not inspected; preparation_file
 * @throws LimitError library_capacity; PreparationGoneError; NotFoundError; ForbiddenError
 */
export async function finishPreparation(
  deps: PreparationDeps,
  input: RunInput & { readonly report: PreparationReport },
): Promise<PreparationView> {
  const item = await requireConvertible(deps, input);
  const { runId, report, actor } = input;
  // Renews the lease, because completing large files takes time, during which no other browser may start.
  if (!(await deps.preparations.renew(item.id, runId, toInstant(deps.clock.now() + LEASE_MS))))
    throw new PreparationGoneError();
  const files = await deps.preparations.findStaged(item.id, runId);
  // An interrupted request left a file that was not inspected.
  if (files.some(isNotInspected)) throw preparationError("incomplete");
  const filesOfRole = (role: PreparedRole) => files.filter((file) => file.role === role);
  if (filesOfRole("display").length !== 1 || filesOfRole("preview").length > 1)
    throw preparationError("incomplete");
  const tileNames = filesOfRole("tile").map(({ name }) => name);
  const tiles = tilesOfNames(tileNames);
  if (tileNames.length > 0 && tiles === null) throw preparationError("incomplete");
  for (const file of files) if (file.multipartId !== "") await completeFile(deps, item, file);
  const now = deps.clock.now();
  const times = { at: toInstant(now), expiresAt: toInstant(now + LEFTOVER_MS) };
  const totalBytes = files.reduce((sum, { byteSize }) => sum + byteSize, 0);
  const detail = { fileName: item.fileName, byteSize: totalBytes };
  const entry = auditEntry(deps, actor, "media_prepared", "media", item.id, detail);
  const outcome = await deps.preparations.finish(item, runId, { report, tiles }, times, entry);
  if (outcome === "gone") throw new PreparationGoneError();
  if (outcome === "library_capacity") throw libraryFullError();
  const updatedItem = await deps.library.find(item.id);
  if (!updatedItem) throw new NotFoundError("media item");
  if (updatedItem.preparation?.displayCheck)
    for (const { fileKey, role } of files) if (role !== "tile") deps.checkUpload(fileKey);
  return toPreparationView(deps, updatedItem);
}

async function completeFile(deps: PreparationDeps, item: LibraryItem, file: StagedFile): Promise<void> {
  const parts = Array.from({ length: Math.ceil(file.byteSize / UPLOAD_PART_BYTES) }, (_, index) => ({
    number: index + 1,
    etag: file.parts[String(index + 1)] ?? "",
  }));
  if (parts.some(({ etag }) => etag === "")) throw preparationError("incomplete");
  const byteSize = await deps.uploadStore.complete(file.fileKey, file.multipartId, parts);
  if (byteSize === null || byteSize !== file.byteSize) throw preparationError("incomplete");
  await deps.preparations.settleFile({
    fileKey: file.fileKey,
    ...(await inspect(deps, { ...file, kind: item.kind })),
  });
}

/** Ends a conversion without a result. Visitors keep receiving the previous files. @throws PreparationGoneError; and as requireConvertible */
export async function failPreparation(
  deps: PreparationDeps,
  input: RunInput & { readonly code: PreparationCode },
): Promise<PreparationView> {
  const item = await requireConvertible(deps, input);
  if (!(await deps.preparations.fail(item.id, input.runId, input.code, toInstant(deps.clock.now()))))
    throw new PreparationGoneError();
  await discardFiles(deps, await deps.preparations.listAbandoned(item.id, null));
  return getPreparation(deps, input);
}

/**
 * Lets visitors receive the file as it was uploaded, and deletes its converted files.
 * @throws InvalidError preparation_needed for files that browsers cannot show; and as requireConvertible
 */
export async function skipPreparation(deps: PreparationDeps, input: ItemInput): Promise<PreparationView> {
  const item = await requireConvertible(deps, input);
  if (!canSkip(item)) throw preparationError("needed");
  await discardFiles(deps, await deps.preparations.listAbandoned(item.id, null));
  const now = deps.clock.now();
  const times = { at: toInstant(now), expiresAt: toInstant(now + LEFTOVER_MS) };
  const entry = auditEntry(deps, input.actor, "media_preparation_skipped", "media", item.id, {
    fileName: item.fileName,
  });
  if (!(await deps.preparations.skip(item, times, entry))) throw new NotFoundError("media item");
  return getPreparation(deps, input);
}

/** Deletes files of unfinished conversions whose lease has ended; for the cron trigger. Returns the number of deleted files. */
export async function deleteExpiredPreparations(deps: PreparationDeps): Promise<number> {
  const files = await deps.preparations.listExpired(toInstant(deps.clock.now()), DELETED_PER_RUN);
  await discardFiles(deps, files);
  return files.length;
}

/** `context.services.preparations`. */
export const preparationServices = (deps: PreparationDeps) =>
  bindUseCases(deps, {
    getPreparation,
    listWaitingPreparations,
    startPreparation,
    renewPreparation,
    storePreparedFile,
    finishPreparation,
    failPreparation,
    skipPreparation,
    deleteExpiredPreparations,
  });
