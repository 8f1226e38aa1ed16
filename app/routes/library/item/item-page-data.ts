import type { Actor } from "~/domain/auth/actor";
import type { LibraryItem } from "~/domain/library/library-item";
import { displayUrl, imageUrl, uploadedFileUrl } from "~/domain/library/media-url";
import { hiddenReason } from "~/domain/library/prepared";
import { can } from "~/domain/shared/permissions";
import { formatBytes } from "~/i18n/format";

/**
 * Converts an item for its page. `prepared` is the size of the files that were converted for visitors, `check` the state of the upload check of a
 * file that may not be used, and `hidden` the reason why visitors do not see the item. `file` is the URL of the file that visitors get (null if they get
 * none), `original` that of the uploaded file (null without a file, or if the upload check does not allow its use).
 */
export const toItemPageData = (actor: Actor, item: LibraryItem) => ({
  kind: "media" as const,
  id: item.id,
  name: item.title,
  mayDelete: can(actor, "delete", { type: "media", ownerId: item.ownerId, groupId: item.groupId }),
  mediaKind: item.kind,
  fileName: item.fileName,
  mimeType: item.mimeType,
  size: item.fileKey === null ? null : formatBytes(item.byteSize),
  prepared: item.preparedSize > 0 ? formatBytes(item.preparedSize) : null,
  width: item.width,
  height: item.height,
  duration: item.duration,
  check: item.check,
  hidden: hiddenReason(item),
  file: hiddenReason(item) ? null : displayUrl(item),
  original: item.fileKey === null || item.check ? null : uploadedFileUrl(item.id, item.fileKey),
  thumbnail: imageUrl(item, 1280),
  createdAt: item.createdAt,
  updatedAt: item.updatedAt,
});

/** Item data for the components of an item's page. */
export type ItemPageData = ReturnType<typeof toItemPageData>;
