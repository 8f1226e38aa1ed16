import type { Repositories } from "#functions/data/shared/repositories";
import type { Actor } from "~/domain/auth/actor";
import type { LibraryItem } from "~/domain/library/library-item";
import type { UploadValue } from "~/domain/library/upload.schema";
import { UPLOAD_KEEP_HOURS, UPLOAD_PART_BYTES, UPLOADS_OPEN_MAX } from "~/domain/shared/limits";
import type { Uuid } from "~/domain/shared/model";
import { can } from "~/domain/shared/permissions";
import { ensureRootFolders } from "../folders/root-folders";
import { folderResource } from "../folders/tree-access";
import { ForbiddenError, LimitError, limitReached, NotFoundError } from "../shared/errors";
import { toInstant } from "../shared/instant";
import type { Clock, IdSource } from "../shared/ports";
import { otherKindError } from "./upload-rejections";
import type { LibraryCapacity, UploadStore, UploadWithParts } from "./uploads-ports";

/** Dependencies of beginning an upload. */
export interface BeginUploadDeps extends Pick<Repositories, "uploads" | "folders"> {
  readonly uploadStore: UploadStore;
  readonly library: Pick<Repositories["library"], "find">;
  readonly clock: Clock;
  readonly ids: IdSource;
}

const HOUR_MS = 3_600_000;

/** The requested destination of a file: a folder, or the item whose file it replaces. Default: the owner's root folder. */
export interface UploadTarget {
  readonly actor: Actor;
  readonly folderId?: Uuid | null | undefined;
  readonly replacesId?: Uuid | null | undefined;
  /** Default: the actor. */
  readonly ownerId?: Uuid | null | undefined;
}

/** The checked destination of a file. */
export interface UploadDestination {
  readonly folderId: Uuid;
  readonly ownerId: Uuid;
  readonly replaces: LibraryItem | null;
}

/**
 * Returns the destination of a file. Without a folder it is the owner's root folder, which is created if it is missing.
 * @throws NotFoundError, ForbiddenError when the actor may not put a file there; InvalidError upload_other_kind for a web media item
 */
export async function ensureUploadDestination(
  deps: BeginUploadDeps,
  target: UploadTarget,
): Promise<UploadDestination> {
  const { actor } = target;
  if (target.replacesId) {
    const item = await deps.library.find(target.replacesId);
    const resource = item && ({ type: "media", ownerId: item.ownerId, groupId: item.groupId } as const);
    if (!resource || !can(actor, "read", resource)) throw new NotFoundError("media item");
    if (!can(actor, "update", resource)) throw new ForbiddenError("replace file");
    if (item.kind === "web") throw otherKindError();
    return { folderId: item.folderId, ownerId: item.ownerId, replaces: item };
  }
  const ownerId = target.ownerId ?? actor.userId;
  if (!target.folderId) {
    const resource = { type: "folder", ownerId, groupId: null } as const;
    if (!can(actor, "list", resource)) throw new NotFoundError("owner");
    if (!can(actor, "create", resource)) throw new ForbiddenError("upload");
    const root = await deps.folders.findRoot(ownerId, "media");
    return { folderId: root?.id ?? (await ensureMediaRoot(deps, ownerId)), ownerId, replaces: null };
  }
  const folder = await deps.folders.find(target.folderId);
  const canUseFolder =
    folder?.folderType === "media" &&
    (!target.ownerId || folder.ownerId === target.ownerId) &&
    can(actor, "read", folderResource(folder));
  if (!canUseFolder) throw new NotFoundError("folder");
  if (!can(actor, "create", folderResource(folder))) throw new ForbiddenError("upload");
  return { folderId: folder.id, ownerId: folder.ownerId, replaces: null };
}

async function ensureMediaRoot(deps: BeginUploadDeps, ownerId: Uuid): Promise<Uuid> {
  // No folders are created for an account that does not exist.
  if (!(await deps.uploads.findCapacity(ownerId))) throw new NotFoundError("owner");
  return (await ensureRootFolders(deps, { ownerId })).media;
}

/** Bytes that can still be uploaded to a library. Open uploads reserve the bytes that they declared; those of the replaced file become free. */
export const freeBytes = (capacity: LibraryCapacity, replaces: LibraryItem | null): number =>
  capacity.storageLimit -
  capacity.storageUsed -
  capacity.declaredBytes +
  (replaces ? replaces.byteSize + replaces.thumbnailSize + replaces.preparedSize : 0);

/**
 * Creates an upload and reserves its bytes.
 * @throws LimitError too_many_uploads, library_capacity, trash_full, too_many_media; NotFoundError
 */
export async function beginUpload(
  deps: BeginUploadDeps,
  actor: Actor,
  destination: UploadDestination,
  file: Pick<UploadValue, "fileName" | "byteSize" | "fingerprint">,
): Promise<UploadWithParts> {
  const { folderId, ownerId, replaces } = destination;
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
    // The expiry does not depend on the last received part, because a client could then reserve the bytes forever by repeating parts.
    createdAt: toInstant(now),
    expiresAt: toInstant(now + UPLOAD_KEEP_HOURS * HOUR_MS),
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
