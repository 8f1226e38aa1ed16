import type { TrashedItem } from "#functions/services/folders/tree-ports";
import type { Total } from "#functions/services/shared/ports";
import type { Actor } from "~/domain/auth/actor";
import { DAY_MS } from "~/domain/shared/day";
import { TRASH_DAYS } from "~/domain/shared/limits";
import type { Folder } from "~/domain/shared/model";
import { can } from "~/domain/shared/permissions";

/** Converts a folder to a list item. */
export const toFolderItem = (actor: Actor, folder: Folder, itemCount?: Total) => ({
  kind: "folder" as const,
  id: folder.id,
  name: folder.name,
  /** Number of the folder's direct items that the actor may see. Only the list of its parent folder has it. */
  itemCount,
  isShared: folder.groupId !== null,
  updatedAt: folder.updatedAt,
  /** Folders of media cannot be copied. */
  isCopyable: folder.folderType === "space",
  mayDelete: can(actor, "delete", { type: "folder", ownerId: folder.ownerId, groupId: folder.groupId }),
});

export type FolderItem = ReturnType<typeof toFolderItem>;

/** Converts an item in the trash to a list item. */
export const toTrashedRow = ({ id, kind, name, deletedAt, containedCount }: TrashedItem) => ({
  id,
  kind,
  name,
  deletedAt,
  containedCount,
  restorableUntil: new Date(Date.parse(deletedAt) + TRASH_DAYS * DAY_MS).toISOString(),
});

export type TrashedRow = ReturnType<typeof toTrashedRow>;
