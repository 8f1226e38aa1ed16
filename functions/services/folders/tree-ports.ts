/** Database ports of the use cases of folders. */

import type { TreeKind, TreeRejection } from "~/domain/folders/tree";
import type { LibraryItem } from "~/domain/library/library-item";
import type { Cursor } from "~/domain/shared/cursor";
import type {
  Event,
  Folder,
  FolderType,
  Instant,
  Localized,
  MediaKind,
  Space,
  Uuid,
} from "~/domain/shared/model";
import type { Slice, Total } from "../shared/ports";
import type { SpaceChange } from "../spaces/space-ports";

/** Ids of items, by kind. */
export type TreeIds = Readonly<Record<TreeKind, readonly Uuid[]>>;

/** A folder, a space or a media item with its position in the tree. */
export interface TreeItem {
  readonly id: Uuid;
  readonly kind: TreeKind;
  readonly folderType: FolderType;
  readonly ownerId: Uuid;
  readonly groupId: Uuid | null;
  /** The containing folder; null for a root folder. */
  readonly parentId: Uuid | null;
  /** Empty for a root folder. */
  readonly name: string;
  readonly version: number;
}

/** A folder and its path. */
export interface FolderPath {
  readonly folder: Folder;
  /** The parent folders, root first, and the folder itself. */
  readonly path: readonly Folder[];
}

/** Numbers of items in folders at any depth, without the folders themselves. */
export type ContentCounts = Readonly<Record<TreeKind, number>>;

/** An item in the trash that was deleted itself, not with a folder around it. */
export interface TrashedItem {
  readonly id: Uuid;
  readonly kind: TreeKind;
  readonly name: string;
  readonly ownerId: Uuid;
  readonly groupId: Uuid | null;
  readonly deletedAt: Instant;
  /** The number of items that were deleted with it. */
  readonly containedCount: number;
}

/** Sort order of a folder's contents; folders come first. */
export type TreeSort = "name" | "created" | "updated";

/** The requested page of a folder's content. */
export interface ContentsQuery {
  /** Null for the owner's root folder. */
  readonly folderId: Uuid | null;
  /** Owner of the folder. */
  readonly ownerId: Uuid;
  readonly folderType: FolderType;
  /** Limits the page to items shared with these groups; null for all items. */
  readonly groupIds: readonly Uuid[] | null;
  /** Only media of these kinds, and no folders; empty for everything. */
  readonly kinds: readonly MediaKind[];
  readonly sort: TreeSort;
  readonly direction: "asc" | "desc";
  readonly cursor: Cursor;
}

/** Another item that has the name of an item in the same folder. */
export interface SameNamedItem {
  readonly id: Uuid;
  readonly createdAt: Instant;
}

/**
 * One item of a folder. In lists of a folder's contents, `sameNamed` is the oldest other item of its kind and name that the reader sees, or null.
 * A folder also has the number of its direct folders and items that the reader sees.
 */
export type FolderEntry =
  | {
      readonly kind: "folder";
      readonly folder: Folder;
      readonly sameNamed?: SameNamedItem | null;
      readonly itemCount?: Total;
    }
  | { readonly kind: "space"; readonly space: Space; readonly sameNamed?: SameNamedItem | null }
  | { readonly kind: "media"; readonly item: LibraryItem };

/** Number of items of a list, on all pages. */
export interface ListTotals {
  readonly total: Total;
  /** Number of items without the filter or the search text; in a search, equals `total` if it was not requested. */
  readonly unfiltered: Total;
}

/** A page of a folder's contents, and the total number. */
export interface Contents extends Slice<FolderEntry>, ListTotals {}

/** Kinds to which a search can be restricted: folders, spaces, or media of some kinds. */
export type TreeSearchKind = "folder" | "space" | MediaKind;

/** The owner whose items are searched, and the limits on what the reader may see. */
export interface SearchScope {
  readonly ownerId: Uuid;
  readonly groupIds: readonly Uuid[];
  /**
   * own: all items of the owner. own_and_shared: these, and all items that are shared with the groups. shared: items of the owner that are shared
   * with the groups.
   */
  readonly sees: "own" | "own_and_shared" | "shared";
}

/** Query for a search in whole trees, with its page. */
export interface TreeSearchQuery {
  readonly scope: SearchScope;
  readonly folderType: FolderType;
  /** Search text; empty for all items. */
  readonly q: string;
  /** Null for all kinds. */
  readonly kinds: readonly TreeSearchKind[] | null;
  /** Only media of these MIME types, and no folders or spaces; null for everything. */
  readonly mimeTypes: readonly string[] | null;
  /** Kinds of the items that are counted as `unfiltered`, null for all kinds; absent if they are not counted. */
  readonly unfilteredKinds?: readonly TreeSearchKind[] | null;
  readonly cursor: Cursor;
}

/** An item found by a search, and its folder. */
export type TreeFoundItem = FolderEntry & {
  readonly place: Pick<Folder, "id" | "name" | "parentId" | "ownerId" | "groupId">;
};

/** A page of search results, newest first, and their number. */
export interface TreeSearchPage extends Slice<TreeFoundItem>, ListTotals {}

/** Result of restoring an item. */
export type TreeRestoreOutcome =
  | "restored"
  | "gone"
  | Extract<
      TreeRejection,
      "space_license" | "library_capacity" | "source_in_trash" | "too_deep" | "too_many_folders"
    >;

/** The name of an event, and the fields that determine its status. */
export interface TimedEvent extends Pick<Event, "statusId" | "startDate" | "endDate"> {
  readonly name: Localized;
  readonly enableAutoChangeStatus: boolean;
}

/** Events that are public now. */
export interface PublicEvents {
  /** Names of some of them. */
  readonly names: readonly Localized[];
  /** Number of the other public events. */
  readonly unnamedCount: number;
}

/** Kinds of items whose names are compared. Media often have the same name. */
export type SameNameKind = "folder" | "space";

/** An item, and another item with its name. `createdAt`, `ownerId` and `groupId` are those of the other item. */
export interface SameNameRow {
  readonly kind: SameNameKind;
  readonly id: Uuid;
  readonly name: string;
  readonly otherId: Uuid;
  readonly createdAt: Instant;
  readonly ownerId: Uuid;
  readonly groupId: Uuid | null;
}

/** Changes of one item. Absent fields stay unchanged. */
export interface TreeChange {
  readonly name?: string;
  /** The target folder. */
  readonly folder?: Folder;
  /** Source and thumbnail of a space. */
  readonly source?: Omit<SpaceChange, "updatedAt">;
}

/** Result of a change. Only "changed" wrote anything. */
export type TreeChangeOutcome = "changed" | "stale" | "gone" | "too_deep" | "no_media";

/** A folder to be added. It may be shared with a group from the beginning. */
export type NewFolder = Pick<
  Folder,
  "id" | "parentId" | "ownerId" | "folderType" | "name" | "groupId" | "createdAt"
>;

/** The root folders of one account (specification §1). */
export type RootFolders = Readonly<Record<FolderType, NewFolder>>;
