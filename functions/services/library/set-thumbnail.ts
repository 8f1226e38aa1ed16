import type { Repositories } from "#functions/data/shared/repositories";
import type { Actor } from "~/domain/auth/actor";
import type { LibraryItem } from "~/domain/library/library-item";
import { THUMBNAIL_MAX_BYTES } from "~/domain/shared/limits";
import type { Uuid } from "~/domain/shared/model";
import { can } from "~/domain/shared/permissions";
import { ForbiddenError, NotFoundError } from "../shared/errors";
import type { Clock, IdSource } from "../shared/ports";
import { leftoverRecords } from "./admit-upload";
import type { FileStore } from "./stored-file-ports";
import { createUploadError, libraryFullError } from "./upload-rejections";
import type { UploadStore } from "./uploads-ports";

/** Dependencies of setting a thumbnail. */
export interface SetThumbnailDeps extends Pick<Repositories, "uploads"> {
  readonly uploadStore: UploadStore;
  readonly files: Pick<FileStore, "delete">;
  readonly library: Pick<Repositories["library"], "find">;
  readonly clock: Clock;
  readonly ids: IdSource;
}

/**
 * Stores a thumbnail that the sender has made for an item. Its bytes count towards the library's capacity.
 * @throws InvalidError upload_thumbnail when it is not a JPEG, WebP or PNG, or too large, or the item is a web media item
 * @throws LimitError library_capacity
 * @throws NotFoundError, ForbiddenError
 */
export async function setThumbnail(
  deps: SetThumbnailDeps,
  input: { readonly actor: Actor; readonly itemId: Uuid; readonly bytes: Uint8Array | null },
): Promise<LibraryItem> {
  const { actor, itemId, bytes } = input;
  const item = await deps.library.find(itemId);
  const resource = item && ({ type: "media", ownerId: item.ownerId, groupId: item.groupId } as const);
  if (!resource || !can(actor, "read", resource)) throw new NotFoundError("media item");
  if (!can(actor, "update", resource)) throw new ForbiddenError("thumbnail");
  // The thumbnail of a web media item is set with its URL (replaceWebMediaItem).
  const isAccepted =
    item.kind !== "web" && bytes !== null && bytes.byteLength > 0 && bytes.byteLength <= THUMBNAIL_MAX_BYTES;
  const image = isAccepted ? await deps.uploadStore.inspectThumbnail(bytes) : null;
  if (!image || !bytes) throw createUploadError("upload_thumbnail", "library:errors.upload.thumbnail");
  const thumbKey = `library/${itemId}/thumbnail-${deps.ids.uuid()}`;
  await deps.uploadStore.putFile(thumbKey, bytes, image.mimeType);
  const { ids, at, expiresAt } = leftoverRecords(deps);
  const thumbnail = { key: thumbKey, byteSize: bytes.byteLength };
  const outcome = await deps.uploads.setThumbnail(itemId, item.fileKey, thumbnail, {
    id: ids[0],
    at,
    expiresAt,
  });
  if (outcome !== "done") {
    await deps.files.delete([thumbKey]);
    throw outcome === "gone" ? new NotFoundError("media item") : libraryFullError();
  }
  return { ...item, thumbKey, thumbnailSize: thumbnail.byteSize };
}
