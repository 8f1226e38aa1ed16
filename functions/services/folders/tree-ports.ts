/** What the use cases of folders ask of the database. */

import type { TreeKind, TreeRefusal } from "~/domain/folders/tree";
import type { Cursor } from "~/domain/shared/cursor";
import type {
  Event,
  Folder,
  FolderType,
  Instant,
  LibraryItem,
  MediaKind,
  Space,
  Uuid,
} from "~/domain/shared/model";
import type { Slice, SpaceChange, Total } from "../shared/ports";

/** Things by their ids, of each kind. */
export type TreeIds = Readonly<Record<TreeKind, readonly Uuid[]>>;

/** A folder, a space or a medium as far as its place goes. */
export interface TreeItem {
  readonly id: Uuid;
  readonly kind: TreeKind;
  readonly folderType: FolderType;
  readonly ownerId: Uuid;
  readonly groupId: Uuid | null;
  /** The folder that holds it; null for a root folder. */
  readonly parentId: Uuid | null;
  /** Empty for a root folder. */
  readonly name: string;
  readonly version: number;
}

/** A folder and those around it, root first. */
export interface FolderPath {
  readonly folder: Folder;
  readonly path: readonly Folder[];
}

/** How much lies in folders, at whatever depth; the folders themselves are not counted. */
export type Held = Readonly<Record<TreeKind, number>>;

/** Something in the trash that was deleted itself, not with a folder around it. */
export interface TrashedItem {
  readonly id: Uuid;
  readonly kind: TreeKind;
  readonly name: string;
  readonly ownerId: Uuid;
  readonly groupId: Uuid | null;
  readonly deletedAt: Instant;
  /** Things that went with it. */
  readonly holds: number;
}

/** What a folder's content is sorted by; folders come before what is in none. */
export type TreeSort = "name" | "created" | "updated";

/** Which page of a folder's content is asked for. */
export interface ContentsQuery {
  readonly folderId: Uuid;
  readonly folderType: FolderType;
  /** Only what is shared with these groups: what a reader sees who is not the owner. Null: everything. */
  readonly groupIds: readonly Uuid[] | null;
  /** Only media of these kinds, and no folders; empty for everything. */
  readonly kinds: readonly MediaKind[];
  readonly sort: TreeSort;
  readonly direction: "asc" | "desc";
  readonly cursor: Cursor;
}

/** One thing in a folder. */
export type Content =
  | { readonly kind: "folder"; readonly folder: Folder }
  | { readonly kind: "space"; readonly space: Space }
  | { readonly kind: "media"; readonly item: LibraryItem };

/** A page of a folder's content, and how much there is in all. */
export interface Contents extends Slice<Content> {
  readonly total: Total;
}

/** What a search can be kept to: folders, spaces, or media of some kinds. */
export type TreeSearchKind = "folder" | "space" | MediaKind;

/** Whose things are searched, and which of them the reader sees. */
export interface SearchScope {
  readonly ownerId: Uuid;
  readonly groupIds: readonly Uuid[];
  /**
   * - own: all of the owner's
   * - own_and_shared: these, and what anybody shares with the groups
   * - shared: of the owner's what is shared with the groups
   */
  readonly sees: "own" | "own_and_shared" | "shared";
}

/** What is searched for in whole trees, and which page of it. */
export interface TreeSearchQuery {
  readonly scope: SearchScope;
  readonly folderType: FolderType;
  /** Empty for everything. */
  readonly q: string;
  /** Null for all. */
  readonly kinds: readonly TreeSearchKind[] | null;
  /** Only media of these MIME types, and no folders or spaces; null for everything. */
  readonly mimeTypes: readonly string[] | null;
  readonly cursor: Cursor;
}

/** Something that a search has found, and the folder in which it lies. */
export type TreeFoundItem = Content & {
  readonly place: Pick<Folder, "id" | "name" | "parentId" | "ownerId" | "groupId">;
};

/** A page of what a search has found, newest first, and how much that is. */
export interface TreeFound extends Slice<TreeFoundItem> {
  readonly total: Total;
}

/** What bringing something back came to. */
export type RestoreOutcome =
  | "restored"
  | "gone"
  | Extract<
      TreeRefusal,
      "space_license" | "library_capacity" | "source_in_trash" | "too_deep" | "too_many_folders"
    >;

/** An event by its name, with what its status depends on. */
export interface TimedEvent extends Pick<Event, "statusId" | "startDate" | "endDate"> {
  readonly name: string;
  readonly enableAutoChangeStatus: boolean;
}

/** Events that are public now. */
export interface PublicEvents {
  /** A few of them. */
  readonly names: readonly string[];
  /** How many others there are. */
  readonly unnamed: number;
}

/** What is to be different of one thing; what is not named stays. */
export interface TreeChange {
  readonly name?: string;
  /** In which it is to lie. */
  readonly folder?: Folder;
  /** Of a space. */
  readonly source?: Omit<SpaceChange, "updatedAt">;
}

/** What a change came to: nothing was written of it unless it is "changed". */
export type TreeChangeOutcome = "changed" | "stale" | "gone" | "too_deep" | "no_media";
