import type { Actor } from "~/domain/auth/actor";
import { getMoveRejection, type TreeKind } from "~/domain/folders/tree";
import { type Cursor, FIRST_PAGE } from "~/domain/shared/cursor";
import { PAGE_SIZE } from "~/domain/shared/limits";
import type { Folder, FolderType, MediaKind, User, Uuid } from "~/domain/shared/model";
import { can } from "~/domain/shared/permissions";
import { bindUseCases } from "../shared/bind";
import { ForbiddenError, LimitError, NotFoundError } from "../shared/errors";
import { toInstant } from "../shared/instant";
import type { Slice } from "../shared/ports";
import { auditEntry } from "../users/audit-entry";
import { ensureRootFolders } from "./root-folders";
import {
  checkItems,
  folderResource,
  itemEntries,
  rootFolderId,
  selectedIds,
  type TreeDeps,
  type TreeResult,
  type TreeSelection,
  toResource,
  visibleFolder,
  visibleItem,
  withRejections,
} from "./tree-access";
import type {
  Contents,
  FolderEntry,
  FolderPath,
  ListTotals,
  TreeItem,
  TreeSearchKind,
  TreeSort,
} from "./tree-ports";

/**
 * Creates a folder in another folder, or in the owner's root folder. The owner is that of the containing folder.
 * @throws NotFoundError when the containing folder is not visible
 * @throws ForbiddenError when the actor may not add to it
 * @throws LimitError too_deep, too_many_folders
 */
export async function createFolder(
  deps: TreeDeps,
  input: {
    readonly actor: Actor;
    readonly folderType: FolderType;
    /** Default: the root folder of the owner. */
    readonly parentId?: Uuid;
    /** Default: the actor. */
    readonly ownerId?: Uuid;
    /** Checked by the schema of its form. */
    readonly name: string;
  },
): Promise<Folder> {
  const { actor, folderType, name } = input;
  const ownerId = input.ownerId ?? actor.userId;
  if (input.parentId === undefined && !can(actor, "list", { type: "folder", ownerId, groupId: null }))
    throw new NotFoundError("owner");
  const parentId = input.parentId ?? (await rootFolderId(deps, ownerId, folderType));
  const { folder: parent } = await visibleFolder(deps, actor, parentId);
  if (parent.folderType !== folderType || (input.ownerId && parent.ownerId !== input.ownerId))
    throw new NotFoundError("folder");
  if (!can(actor, "create", folderResource(parent))) throw new ForbiddenError("create folder");
  const createdAt = toInstant(deps.clock.now());
  const folder = {
    id: deps.ids.uuid(),
    parentId,
    ownerId: parent.ownerId,
    folderType,
    name,
    createdAt,
    // A new item in a shared folder is shared with the same group.
    groupId: parent.groupId,
  };
  const entry = auditEntry(deps, actor, "folder_created", "folder", folder.id, { name });
  const outcome = await deps.tree.createFolder(folder, entry);
  if (outcome === "gone") throw new NotFoundError("folder");
  if (outcome !== "created") throw new LimitError(outcome, { key: `folders:rejected.${outcome}` });
  return { ...folder, updatedAt: createdAt, version: 1 };
}

/** Result of renaming an item. On a conflict nothing was written, and `saved` is the current item. */
export type TreeRenameResult =
  | { readonly status: "renamed" | "unchanged" }
  | { readonly status: "conflict"; readonly saved: TreeItem };

/**
 * Renames a folder, a space or a media item.
 * @throws NotFoundError when it is not visible
 * @throws ForbiddenError for a root folder, and when the actor may not change it
 */
export async function renameItem(
  deps: TreeDeps,
  input: {
    readonly actor: Actor;
    readonly kind: TreeKind;
    readonly id: Uuid;
    readonly version: number;
    readonly name: string;
  },
): Promise<TreeRenameResult> {
  const { actor, kind, id, version, name } = input;
  const saved = await visibleItem(deps, actor, kind, id);
  if (saved.parentId === null || !can(actor, "update", toResource(saved))) throw new ForbiddenError("rename");
  if (saved.name === name) return { status: "unchanged" };
  if (saved.version !== version) return { status: "conflict", saved };
  const entry = auditEntry(deps, actor, `${kind}_renamed`, kind as never, id, {
    name: { from: saved.name, to: name },
  });
  if (await deps.tree.rename(saved, name, toInstant(deps.clock.now()), entry)) return { status: "renamed" };
  return { status: "conflict", saved: await visibleItem(deps, actor, kind, id) };
}

/**
 * A folder, a space or a media item with its position in the tree.
 * @throws NotFoundError when it is not visible
 */
export const getTreeItem = (
  deps: TreeDeps,
  input: { readonly actor: Actor; readonly kind: TreeKind; readonly id: Uuid },
): Promise<TreeItem> => visibleItem(deps, input.actor, input.kind, input.id);

/** Returns the selected items that the actor may see. Missing items are omitted. */
export async function getItems(
  deps: TreeDeps,
  input: { readonly actor: Actor; readonly selection: TreeSelection },
): Promise<readonly TreeItem[]> {
  const items = await deps.tree.find(selectedIds(input.selection));
  return items.filter((item) => can(input.actor, "read", toResource(item)));
}

/** Returns a folder, and those of its parent folders that the actor may see, root first. @throws NotFoundError when it is not visible */
export async function getPath(
  deps: TreeDeps,
  input: { readonly actor: Actor; readonly folderId: Uuid },
): Promise<FolderPath> {
  const { folder, path } = await visibleFolder(deps, input.actor, input.folderId);
  return { folder, path: path.filter((candidate) => can(input.actor, "read", folderResource(candidate))) };
}

/** Returns the folder of a space, and those of its parent folders that the actor may see, root first. @throws NotFoundError when the folder is not visible */
export async function getSpacePath(
  deps: TreeDeps,
  { actor, spaceId }: { readonly actor: Actor; readonly spaceId: Uuid },
): Promise<FolderPath> {
  const path = await deps.tree.findPath({ spaceId });
  if (!path || !can(actor, "read", folderResource(path.folder))) throw new NotFoundError("folder");
  return { ...path, path: path.path.filter((folder) => can(actor, "read", folderResource(folder))) };
}

/**
 * Moves folders, spaces and media into a folder, each independently; each result states whether its item was moved.
 * @throws NotFoundError when the folder is not visible
 * @throws ForbiddenError when the actor may not add to it
 */
export async function moveItems(
  deps: TreeDeps,
  input: { readonly actor: Actor; readonly selection: TreeSelection; readonly folderId: Uuid },
): Promise<readonly TreeResult[]> {
  const { actor } = input;
  const { folder, path } = await visibleFolder(deps, actor, input.folderId);
  if (!can(actor, "create", folderResource(folder))) throw new ForbiddenError("move into folder");
  const target = { ...folder, path: path.map(({ id }) => id) };
  const { results, allowed } = await checkItems(deps, actor, "move", input.selection, (item) =>
    getMoveRejection(item, target),
  );
  const entries = itemEntries(deps, actor, "moved", allowed, { folder: folder.id });
  const { movedIds, tooDeep } = await deps.tree.move(allowed, folder, toInstant(deps.clock.now()), entries);
  return withRejections(results, movedIds, tooDeep, "too_deep");
}

/** A folder and one page of its contents. */
export interface FolderPage {
  readonly owner: User;
  readonly folder: Folder;
  /** The parent folders that the actor may see, root first, and the folder itself. */
  readonly path: readonly Folder[];
  readonly contents: Contents;
}

/**
 * Returns a folder with a page of its contents, folders first. A missing root folder is created.
 * @throws NotFoundError when the folder, or the owner whose root folder is requested, is not visible
 */
export async function listFolder(
  deps: TreeDeps,
  input: {
    readonly actor: Actor;
    readonly folderType: FolderType;
    /** Default: the owner's root folder. */
    readonly folderId?: Uuid;
    /** Default: the actor. */
    readonly ownerId?: Uuid;
    /** Default: name. */
    readonly sort?: TreeSort;
    /** Default: asc. */
    readonly direction?: "asc" | "desc";
    readonly cursor?: Cursor;
    /** Only media of these kinds, and no folders. Default or empty: all items. */
    readonly kinds?: readonly MediaKind[];
    /** Default: 20. */
    readonly pageSize?: number;
  },
): Promise<FolderPage> {
  const { actor, folderType, folderId, cursor = FIRST_PAGE } = input;
  const seesAllOf = (ownerId: Uuid) => can(actor, "list", { type: "folder", ownerId, groupId: null });
  const readPage = (ownerId: Uuid) =>
    Promise.all([
      deps.users.find(ownerId),
      deps.tree.findPath(folderId ?? { ownerId, folderType }),
      deps.tree.list(
        {
          folderId: folderId ?? null,
          ownerId,
          folderType,
          // A shared folder may contain items that are not shared.
          groupIds: seesAllOf(ownerId) ? null : actor.groupIds,
          kinds: input.kinds ?? [],
          sort: input.sort ?? "name",
          direction: input.direction ?? "asc",
          cursor,
        },
        input.pageSize ?? PAGE_SIZE,
      ),
    ]);
  const ownerId = input.ownerId ?? actor.userId;
  if (folderId === undefined && !seesAllOf(ownerId)) throw new NotFoundError("owner");
  let [owner, folderPath, contents] = await readPage(ownerId);
  if (!folderPath && folderId === undefined) {
    if (!owner) throw new NotFoundError("owner");
    await ensureRootFolders(deps, { ownerId });
    [owner, folderPath, contents] = await readPage(ownerId);
  }
  if (!folderPath || !can(actor, "read", folderResource(folderPath.folder)))
    throw new NotFoundError("folder");
  const { folder, path } = folderPath;
  if (folder.folderType !== folderType || (input.ownerId !== undefined && folder.ownerId !== ownerId))
    throw new NotFoundError("folder");
  // The folder belongs to another owner than the actor, and no owner was given. The first read assumed the actor.
  if (folder.ownerId !== ownerId) [owner, folderPath, contents] = await readPage(folder.ownerId);
  if (!owner) throw new NotFoundError("owner");
  return {
    owner,
    folder,
    path: path.filter((candidate) => can(actor, "read", folderResource(candidate))),
    contents,
  };
}

/** An item found by a search. */
export type FoundItem = FolderEntry & {
  /** The containing folder; null when the actor may not see it. */
  readonly place: Pick<Folder, "id" | "name" | "parentId"> | null;
};

/** A page of search results, newest first. */
export interface SearchView extends Slice<FoundItem>, ListTotals {
  readonly owner: User;
  /** The given folder; null without one. */
  readonly folder: Folder | null;
}

/**
 * Searches folders and their contents in the whole tree of an owner, by parts of their names in any kana, width and case; newest first.
 * In the actor's own tree, items that others share are included; in another owner's tree, only items that the actor may see.
 * @param input.folderId a folder that identifies the tree
 * @param input.q empty for all items
 * @param input.kinds all when absent
 * @param input.mimeTypes restricts the search to media of these types; all when absent
 * @param input.unfilteredKinds kinds of the items that `unfiltered` counts whatever their names. Null counts all kinds. If it is absent, nothing is
 *   counted.
 * @throws NotFoundError when the folder, or the owner whose tree it is, is not visible
 */
export async function searchTree(
  deps: TreeDeps,
  input: {
    readonly actor: Actor;
    readonly folderType: FolderType;
    readonly folderId?: Uuid;
    /** Default: the actor. */
    readonly ownerId?: Uuid;
    readonly q: string;
    readonly kinds?: readonly TreeSearchKind[];
    readonly mimeTypes?: readonly string[];
    readonly unfilteredKinds?: readonly TreeSearchKind[] | null;
    readonly cursor?: Cursor;
    /** Default: 20. */
    readonly pageSize?: number;
  },
): Promise<SearchView> {
  const {
    actor,
    folderType,
    q,
    kinds = null,
    mimeTypes = null,
    unfilteredKinds,
    cursor = FIRST_PAGE,
  } = input;
  const folder =
    input.folderId === undefined ? null : (await visibleFolder(deps, actor, input.folderId)).folder;
  if (folder && (folder.folderType !== folderType || (input.ownerId && folder.ownerId !== input.ownerId)))
    throw new NotFoundError("folder");
  const ownerId = folder?.ownerId ?? input.ownerId ?? actor.userId;
  const seesAll = can(actor, "list", { type: "folder", ownerId, groupId: null });
  if (!folder && !seesAll) throw new NotFoundError("owner");
  const sees = !seesAll ? "shared" : ownerId === actor.userId ? "own_and_shared" : "own";
  const scope = { ownerId, groupIds: actor.groupIds, sees } as const;
  const [owner, page] = await Promise.all([
    deps.users.find(ownerId),
    deps.tree.search(
      { scope, folderType, q, kinds, mimeTypes, unfilteredKinds, cursor },
      input.pageSize ?? PAGE_SIZE,
    ),
  ]);
  if (!owner) throw new NotFoundError("owner");
  const items = page.items.map(({ place, ...item }): FoundItem => {
    const { id, name, parentId, groupId } = place;
    const isVisible = can(actor, "read", { type: "folder", ownerId: place.ownerId, groupId });
    return { ...item, place: isVisible ? { id, name, parentId } : null } as FoundItem;
  });
  return { ...page, items, owner, folder };
}

/** Lists all folders of an owner, root first, then by name. A missing root folder is created. @throws NotFoundError when the actor may not see the owner's folders */
export async function listFolders(
  deps: TreeDeps,
  input: { readonly actor: Actor; readonly ownerId: Uuid; readonly folderType: FolderType },
): Promise<readonly Folder[]> {
  const { actor, ownerId, folderType } = input;
  if (!can(actor, "list", { type: "folder", ownerId, groupId: null })) throw new NotFoundError("owner");
  await rootFolderId(deps, ownerId, folderType);
  return deps.folders.listByOwner(ownerId, folderType);
}

/** Lists all folders of an owner into which the actor may move items, root first, in tree order. */
export async function listTargets(
  deps: TreeDeps,
  input: { readonly actor: Actor; readonly ownerId: Uuid; readonly folderType: FolderType },
): Promise<readonly { readonly folder: Folder; readonly depth: number }[]> {
  const folders = await deps.folders.listByOwner(input.ownerId, input.folderType);
  const targets = folders.filter((folder) => can(input.actor, "create", folderResource(folder)));
  const ids = new Set(targets.map(({ id }) => id));
  const byParent = new Map<Uuid | null, Folder[]>();
  for (const folder of targets) {
    // A folder whose parent is not a target is at the top level.
    const targetParentId = folder.parentId !== null && ids.has(folder.parentId) ? folder.parentId : null;
    byParent.set(targetParentId, [...(byParent.get(targetParentId) ?? []), folder]);
  }
  const descendantsOf = (parentId: Uuid | null, depth: number): { folder: Folder; depth: number }[] =>
    (byParent.get(parentId) ?? []).flatMap((folder) => [
      { folder, depth },
      ...descendantsOf(folder.id, depth + 1),
    ]);
  return descendantsOf(null, 0);
}

/** `context.services.tree`. */
export const treeServices = (deps: TreeDeps) =>
  bindUseCases(deps, {
    listFolder,
    searchTree,
    listTargets,
    listFolders,
    getTreeItem,
    getItems,
    getPath,
    getSpacePath,
    createFolder,
    renameItem,
    moveItems,
  });
