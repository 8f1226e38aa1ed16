/** What the use cases of folders ask of the database. */
import type { Cursor } from "~/domain/cursor";
import type { Event, Folder, FolderType, Instant, LibraryItem, MediaKind, Space, Uuid } from "~/domain/model";
import type { TreeKind, TreeRefusal } from "~/domain/tree";
import type { UsedItems, UseReader } from "./library-ports";
import type { AuditEntry, NewFolder, Slice, SpaceChange, Total } from "./ports";

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

/** Folders and what lies in them. What is in the trash is found by what names the trash alone. */
export interface TreeRepository {
  /** Those of the things that are there, in one round trip. */
  find(ids: TreeIds): Promise<readonly TreeItem[]>;
  /** A folder with those around it; null when it is not there. */
  findPath(id: Uuid): Promise<FolderPath | null>;
  /** What lies in those folders and below. A folder of the list that lies in another one of it is not counted. */
  countHeld(folderIds: readonly Uuid[]): Promise<Held>;
  /** What uses those media and the media in those folders and below. A reader of null sees all names. */
  findUsed(ids: TreeIds, reader: UseReader | null): Promise<UsedItems>;
  /** Events of those spaces, and of the spaces in those folders and below, that may be public by what is set of them. */
  findMaybePublic(ids: TreeIds): Promise<readonly TimedEvent[]>;
  /** What lies directly in a folder. A page costs the same however much there is. */
  list(query: ContentsQuery, size: number): Promise<Contents>;
  /** Finds things in whole trees by their names. A page costs the same however much there is. */
  search(query: TreeSearchQuery, size: number): Promise<TreeFound>;
  /** Adds a folder, unless the one around it has gone, or the account has no room for it. */
  createFolder(
    folder: NewFolder,
    audit: AuditEntry,
  ): Promise<"created" | "gone" | "too_deep" | "too_many_folders">;
  /** Gives a thing of that version another name. False: it has another version by now, or has gone. */
  rename(
    item: Pick<TreeItem, "id" | "kind" | "version">,
    name: string,
    at: Instant,
    audit: AuditEntry,
  ): Promise<boolean>;
  /**
   * Changes one thing that still has its version, with its entries: all of it or nothing. "stale": it has another one, or is in the trash;
   * "gone": the folder is, or would lie in itself; "no_media": a file that is new to a space is.
   */
  change(
    item: Pick<TreeItem, "id" | "kind" | "version">,
    change: TreeChange,
    at: Instant,
    audit: readonly AuditEntry[],
  ): Promise<TreeChangeOutcome>;
  /**
   * Moves things into a folder, all in one batch with their entries. What has gone by then, would hold itself, or would lie
   * too deep, stays.
   * @returns the ids of those that are in the folder now, and of those that would lie too deep
   */
  move(
    ids: TreeIds,
    target: Folder,
    at: Instant,
    entries: readonly AuditEntry[],
  ): Promise<{ readonly moved: readonly Uuid[]; readonly tooDeep: readonly Uuid[] }>;
  /**
   * Moves things to the trash with all that they hold, in one batch. A file of which a space is made stays, and so does the
   * folder that holds it, unless the space goes with it.
   * @param version only what has it still goes, of what is named
   * @returns the ids of those that went, and of those that stay because they are in use
   */
  trash(
    ids: TreeIds,
    by: Uuid,
    at: Instant,
    entries: readonly AuditEntry[],
    version?: number | null,
  ): Promise<{ readonly gone: readonly Uuid[]; readonly inUse: readonly Uuid[] }>;
  /** What of an owner was deleted since then, newest first. */
  listTrash(
    query: {
      readonly ownerId: Uuid;
      readonly folderType: FolderType;
      readonly since: Instant;
      readonly cursor: Cursor;
    },
    size: number,
  ): Promise<Slice<TrashedItem>>;
  /** Of things in the trash, those deleted themselves since then. */
  findTrashed(ids: TreeIds, since: Instant): Promise<readonly TrashedItem[]>;
  /**
   * Brings a thing back with all that went with it: where it was, or into the owner's root folder when that place has gone.
   * Nothing comes back when the account has no room for all of it, or it would lie too deep.
   */
  restore(
    item: Pick<TrashedItem, "id" | "kind" | "ownerId">,
    since: Instant,
    at: Instant,
    audit: AuditEntry,
  ): Promise<RestoreOutcome>;
}
