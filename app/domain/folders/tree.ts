import type { FolderType } from "../shared/model";

/** Kinds of items in folders, including folders themselves. */
export const TREE_KINDS = ["folder", "space", "media"] as const;
/** One of the kinds. */
export type TreeKind = (typeof TREE_KINDS)[number];

/** The kind of items that folders of each type contain, in addition to folders. */
export const LEAF_OF = { space: "space", media: "media" } as const satisfies Record<FolderType, TreeKind>;

/** Maximum number of items that one form, or each list of an API call, moves or deletes. */
export const TREE_BATCH_MAX = 500;
/**
 * Maximum number of items that one call restores. Each is checked and written separately, with six of the 1,000 statements that D1 allows per
 * request.
 */
export const RESTORE_BATCH_MAX = 100;
/** Maximum number of items that one call copies. Each is read and written separately. */
export const COPY_BATCH_MAX = 50;
/** Maximum number of records in the copy of one item: folders, spaces, events, tags, media, and media of tags. It also limits an exported package. */
export const COPY_RECORDS_MAX = 5000;
/** Maximum number of target folders of one move call. */
export const BATCH_TARGETS_MAX = 20;

/**
 * Reasons why one of several items was not processed.
 * - gone: it does not exist, or the actor may not see it
 * - forbidden: the actor may see it, but not do this to it
 * - root: a root folder cannot be moved, copied or deleted
 * - into_itself: a folder cannot be in itself or below itself
 * - other_owner, other_type: the folder belongs to another owner, or contains another kind of items
 * - space_license, library_capacity: the account has no capacity for the restored items, or for the copy
 * - content_full, too_many_events, too_many_space_events: the account has no capacity for the events of the copy, or for their content
 * - too_deep, too_many_folders: the folders would exceed the account's maximum depth or number
 * - too_large: a copy would have more than COPY_RECORDS_MAX records
 * - changed: other changes interrupted the copy repeatedly
 * - source_in_trash: the space cannot be restored, because its source file is in the trash
 * - in_use: a space uses the file, or one in the folder, as its source, and could not be shown without it
 */
export const TREE_REJECTIONS = [
  "gone",
  "forbidden",
  "root",
  "into_itself",
  "other_owner",
  "other_type",
  "space_license",
  "library_capacity",
  "content_full",
  "too_many_events",
  "too_many_space_events",
  "too_deep",
  "too_many_folders",
  "too_large",
  "changed",
  "source_in_trash",
  "in_use",
] as const;
/** One of the reasons. */
export type TreeRejection = (typeof TREE_REJECTIONS)[number];

/** The properties of an item that its move or copy depends on. */
export interface Movable {
  readonly id: string;
  readonly kind: TreeKind;
  readonly ownerId: string;
  readonly folderType: FolderType;
  /** Null for a root folder. */
  readonly parentId: string | null;
}

/** The target folder of a move or copy, with the ids of the folders above it. */
export interface MoveTarget {
  readonly id: string;
  readonly ownerId: string;
  readonly folderType: FolderType;
  /** The folder's own id and those of its parent folders. */
  readonly path: readonly string[];
}

/** Returns the reason why an item cannot be moved into a folder, apart from permissions; null if it can (specification §7 batch_update). */
export function getMoveRejection(item: Movable, target: MoveTarget): TreeRejection | null {
  if (item.parentId === null) return "root";
  if (item.folderType !== target.folderType) return "other_type";
  if (item.ownerId !== target.ownerId) return "other_owner";
  return item.kind === "folder" && target.path.includes(item.id) ? "into_itself" : null;
}

/** Returns the reason why an item cannot be copied into a folder, apart from permissions; null if it can. Media are files, which are not copied. */
export function getCopyRejection(item: Movable, target: MoveTarget): TreeRejection | null {
  if (item.parentId === null) return "root";
  if (item.folderType !== "space" || target.folderType !== "space") return "other_type";
  return item.ownerId === target.ownerId ? null : "other_owner";
}
