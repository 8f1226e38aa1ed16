import type { FolderType } from "../shared/model";

/** What folders hold, and folders themselves. */
export const TREE_KINDS = ["folder", "space", "media"] as const;
/** One of the kinds. */
export type TreeKind = (typeof TREE_KINDS)[number];

/** What lies in folders of each type, beside other folders. */
export const LEAF_OF = { space: "space", media: "media" } as const satisfies Record<FolderType, TreeKind>;

/** Things that one call moves or deletes at most. */
export const TREE_BATCH_MAX = 500;
/** Things that one call restores at most: each is looked at and written for itself, with six of the 1,000 statements that D1 takes of a request. */
export const RESTORE_BATCH_MAX = 100;
/** Things that one call copies at most: each is read and written for itself. */
export const COPY_BATCH_MAX = 50;
/** Records that the copy of one thing may hold: folders, spaces, events, tags, media, and media of tags. */
export const COPY_RECORDS_MAX = 5000;
/** Folders that one call moves things into at most. */
export const BATCH_TARGETS_MAX = 20;

/**
 * Why nothing was done to one thing of several.
 * - gone: it is not there, or the actor may not see it
 * - forbidden: the actor sees it and may not do this to it
 * - root: a root folder stays where it is
 * - into_itself: a folder cannot lie in itself or below itself
 * - other_owner, other_type: the folder is somebody else's, or holds things of another kind
 * - space_license, library_capacity: the account has no room for what would come back, or for the copy
 * - content_full, too_many_events, too_many_space_events: the account has no room for the events of the copy, or for their content
 * - too_deep, too_many_folders: it would lie deeper, or there would be more folders, than an account may have
 * - too_large: a copy of it would hold more than COPY_RECORDS_MAX records
 * - changed: it was changed again and again while it was copied
 * - source_in_trash: a space that would come back is made of a file that is in the trash itself
 * - in_use: a space is made of the file, or of one in the folder: without it there would be nothing to show
 */
export const TREE_REFUSALS = [
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
export type TreeRefusal = (typeof TREE_REFUSALS)[number];

/** A thing as far as moving it goes. */
export interface Movable {
  readonly id: string;
  readonly kind: TreeKind;
  readonly ownerId: string;
  readonly folderType: FolderType;
  /** Null for a root folder. */
  readonly parentId: string | null;
}

/** Where something is to be moved: a folder, and the ids of the folders above it. */
export interface MoveTarget {
  readonly id: string;
  readonly ownerId: string;
  readonly folderType: FolderType;
  /** Its own id and those of the folders around it. */
  readonly path: readonly string[];
}

/** Why a thing cannot be moved into a folder, permissions aside; null when it can (§7 batch_update). */
export function moveRefusal(thing: Movable, target: MoveTarget): TreeRefusal | null {
  if (thing.parentId === null) return "root";
  if (thing.folderType !== target.folderType) return "other_type";
  if (thing.ownerId !== target.ownerId) return "other_owner";
  return thing.kind === "folder" && target.path.includes(thing.id) ? "into_itself" : null;
}

/** Why a thing cannot be copied into a folder, permissions aside; null when it can. Media are files, and are not copied. */
export function copyRefusal(thing: Movable, target: MoveTarget): TreeRefusal | null {
  if (thing.parentId === null) return "root";
  if (thing.folderType !== "space" || target.folderType !== "space") return "other_type";
  return thing.ownerId === target.ownerId ? null : "other_owner";
}
