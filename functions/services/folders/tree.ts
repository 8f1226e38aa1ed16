import type { Repositories } from "#functions/data/shared/repositories";
import { EVENT_STATUS, statusAt } from "~/domain/events/status";
import {
  moveRefusal,
  RESTORE_BATCH_MAX,
  TREE_KINDS,
  type TreeKind,
  type TreeRefusal,
} from "~/domain/folders/tree";
import { type Cursor, FIRST_PAGE } from "~/domain/shared/cursor";
import { DAY_MS } from "~/domain/shared/day";
import { PAGE_SIZE, TRASH_DAYS } from "~/domain/shared/limits";
import type { Actor, Folder, FolderType, MediaKind, User, Uuid } from "~/domain/shared/model";
import { type Action, can, type Resource } from "~/domain/shared/permissions";
import { readerOf } from "../library/library";
import type { UsedItems } from "../library/library-ports";
import { bindUseCases } from "../shared/bind";
import { instant } from "../shared/digest";
import { ForbiddenError, InvalidError, LimitError, NotFoundError } from "../shared/errors";
import type { Clock, IdSource, Slice, Total } from "../shared/ports";
import { auditEntry } from "../users/audit-entry";
import type { Senders } from "../webhooks/webhook-ports";
import { ensureRootFolders } from "./folders";
import type {
  Content,
  Contents,
  FolderPath,
  Held,
  PublicEvents,
  TrashedItem,
  TreeIds,
  TreeItem,
  TreeSearchKind,
  TreeSort,
} from "./tree-ports";

/** Dependencies of the use cases of folders. */
export interface TreeDeps extends Pick<Repositories, "tree" | "folders"> {
  readonly users: Pick<Repositories["users"], "find">;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** Has messages sent that a change has left for receivers, after the answer. */
  readonly publishWebhookEvents: (senders: Senders) => void;
}

/** Things named by their ids; a kind that is not named has none. */
export type TreeSelection = Partial<TreeIds>;

/** Result for one item of several. */
export interface TreeResult {
  readonly id: Uuid;
  readonly kind: TreeKind;
  /** Empty when it is not there. */
  readonly name: string;
  /** Why nothing was done to it; null when it was. */
  readonly refused: TreeRefusal | null;
}

const allIds = (selection: TreeSelection): TreeIds => ({
  folder: [...new Set(selection.folder)],
  space: [...new Set(selection.space)],
  media: [...new Set(selection.media)],
});

/** A thing as permissions know it. */
export const resourceOf = ({
  kind,
  ownerId,
  groupId,
  ...item
}: Pick<TreeItem, "kind" | "ownerId" | "groupId"> & { parentId?: Uuid | null }): Resource =>
  kind === "folder"
    ? { type: "folder", ownerId, groupId, isRoot: item.parentId === null }
    : { type: kind, ownerId, groupId };

/** A folder as permissions know it. */
export const folderResource = (folder: Folder): Resource => ({
  type: "folder",
  ownerId: folder.ownerId,
  groupId: folder.groupId,
});

/** A folder with those around it. @throws NotFoundError when it is not visible */
export async function visibleFolder(deps: TreeDeps, actor: Actor, id: Uuid): Promise<FolderPath> {
  const found = await deps.tree.findPath(id);
  if (!found || !can(actor, "read", folderResource(found.folder))) throw new NotFoundError("folder");
  return found;
}

/**
 * Makes a folder in another one, or in the owner's root folder; it belongs to whom that one belongs to.
 * @throws NotFoundError when the folder around it is not visible
 * @throws ForbiddenError when the actor may not add to it
 * @throws LimitError too_deep, too_many_folders
 */
export async function createFolder(
  deps: TreeDeps,
  input: {
    readonly actor: Actor;
    readonly folderType: FolderType;
    /** Absent: the root folder of the owner. */
    readonly parentId?: Uuid;
    /** The actor when absent. */
    readonly ownerId?: Uuid;
    /** Checked by the schema of its form. */
    readonly name: string;
  },
): Promise<Folder> {
  const { actor, folderType, name } = input;
  const ownerId = input.ownerId ?? actor.userId;
  if (input.parentId === undefined && !can(actor, "list", { type: "folder", ownerId, groupId: null }))
    throw new NotFoundError("owner");
  const parentId = input.parentId ?? (await rootFolder(deps, ownerId, folderType));
  const { folder: parent } = await visibleFolder(deps, actor, parentId);
  if (parent.folderType !== folderType || (input.ownerId && parent.ownerId !== input.ownerId))
    throw new NotFoundError("folder");
  if (!can(actor, "create", folderResource(parent))) throw new ForbiddenError("create folder");
  const createdAt = instant(deps.clock.now());
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
  if (outcome !== "created") throw new LimitError(outcome, { key: `folders:refused.${outcome}` });
  return { ...folder, updatedAt: createdAt, version: 1 };
}

/** Result of renaming an item. On a conflict nothing was written: `saved` is the item as it is now. */
export type TreeRenameResult =
  | { readonly status: "renamed" | "unchanged" }
  | { readonly status: "conflict"; readonly saved: TreeItem };

/**
 * Gives a folder, a space or a medium another name.
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
  if (saved.parentId === null || !can(actor, "update", resourceOf(saved))) throw new ForbiddenError("rename");
  if (saved.name === name) return { status: "unchanged" };
  if (saved.version !== version) return { status: "conflict", saved };
  const entry = auditEntry(deps, actor, `${kind}_renamed`, kind as never, id, {
    name: { from: saved.name, to: name },
  });
  if (await deps.tree.rename(saved, name, instant(deps.clock.now()), entry)) return { status: "renamed" };
  return { status: "conflict", saved: await visibleItem(deps, actor, kind, id) };
}

async function visibleItem(deps: TreeDeps, actor: Actor, kind: TreeKind, id: Uuid): Promise<TreeItem> {
  const [item] = await deps.tree.find({ ...NOTHING, [kind]: [id] });
  if (!item || !can(actor, "read", resourceOf(item))) throw new NotFoundError(kind);
  return item;
}

/**
 * A folder, a space or a media item with its position in the tree.
 * @throws NotFoundError when it is not visible
 */
export const getItem = (
  deps: TreeDeps,
  input: { readonly actor: Actor; readonly kind: TreeKind; readonly id: Uuid },
): Promise<TreeItem> => visibleItem(deps, input.actor, input.kind, input.id);

/** Returns the selected items that the actor may see. Missing items are omitted. */
export async function getItems(
  deps: TreeDeps,
  input: { readonly actor: Actor; readonly selection: TreeSelection },
): Promise<readonly TreeItem[]> {
  const items = await deps.tree.find(allIds(input.selection));
  return items.filter((item) => can(input.actor, "read", resourceOf(item)));
}

/** How much goes with things when they are deleted, themselves not counted. What the actor may not delete holds nothing. */
export async function countHeld(
  deps: TreeDeps,
  input: { readonly actor: Actor; readonly selection: TreeSelection },
): Promise<Held> {
  const items = (await getItems(deps, input)).filter(
    (item) => item.kind === "folder" && can(input.actor, "delete", resourceOf(item)),
  );
  return deps.tree.countHeld(items.map(({ id }) => id));
}

/** Lists the uses and the contents of items before they are deleted. Omits items that the actor may not delete. */
export async function findUsed(
  deps: TreeDeps,
  input: { readonly actor: Actor; readonly selection: TreeSelection },
): Promise<UsedItems> {
  const { actor } = input;
  const items = (await getItems(deps, input)).filter((item) => can(actor, "delete", resourceOf(item)));
  const idsOf = (kind: TreeKind) => items.filter((item) => item.kind === kind).map(({ id }) => id);
  const ids = { folder: idsOf("folder"), space: [], media: idsOf("media") };
  return deps.tree.findUsed(ids, readerOf(actor));
}

/** Events that are named before they are closed. */
const EVENTS_NAMED = 8;

/** The events that are public now of spaces, and of those in folders, before they are deleted. What the actor may not delete has none. */
export async function findPublicEvents(
  deps: TreeDeps,
  input: { readonly actor: Actor; readonly selection: TreeSelection },
): Promise<PublicEvents> {
  const { actor } = input;
  const items = (await getItems(deps, input)).filter((item) => can(actor, "delete", resourceOf(item)));
  const idsOf = (kind: TreeKind) => items.filter((item) => item.kind === kind).map(({ id }) => id);
  const events = await deps.tree.findMaybePublic({
    folder: idsOf("folder"),
    space: idsOf("space"),
    media: [],
  });
  const now = deps.clock.now();
  const open = events.filter((event) => statusAt(event, now) === EVENT_STATUS.published);
  const names = open.slice(0, EVENTS_NAMED).map(({ name }) => name);
  return { names, unnamed: open.length - names.length };
}

/**
 * A folder with those around it that the actor may see, root first, itself last.
 * @throws NotFoundError when it is not visible
 */
export async function getPath(
  deps: TreeDeps,
  input: { readonly actor: Actor; readonly folderId: Uuid },
): Promise<FolderPath> {
  const { folder, path } = await visibleFolder(deps, input.actor, input.folderId);
  return { folder, path: path.filter((one) => can(input.actor, "read", folderResource(one))) };
}

const NOTHING: TreeIds = { folder: [], space: [], media: [] };

/** Sorts things into those to which something may be done and those to which it may not, and why. */
export async function sortItems(
  deps: TreeDeps,
  actor: Actor,
  action: Action,
  selection: TreeSelection,
  refusal: (item: TreeItem) => TreeRefusal | null = () => null,
): Promise<{
  readonly results: readonly TreeResult[];
  /** Ids of those to which it may be done. */
  readonly allowed: TreeIds;
  /** All that are there, by their ids. */
  readonly items: ReadonlyMap<Uuid, TreeItem>;
}> {
  const ids = allIds(selection);
  const items = new Map((await deps.tree.find(ids)).map((item) => [item.id, item]));
  const results: TreeResult[] = TREE_KINDS.flatMap((kind) =>
    ids[kind].map((id) => {
      const item = items.get(id);
      if (item?.kind !== kind || !can(actor, "read", resourceOf(item)))
        return { id, kind, name: "", refused: "gone" };
      const refused =
        item.parentId === null
          ? "root"
          : can(actor, action, resourceOf(item))
            ? refusal(item)
            : ("forbidden" as const);
      return { id, kind, name: item.name, refused };
    }),
  );
  const allowed = Object.fromEntries(
    TREE_KINDS.map((kind) => [
      kind,
      results.filter((one) => one.kind === kind && one.refused === null).map(({ id }) => id),
    ]),
  ) as unknown as TreeIds;
  return { results, allowed, items };
}

/** Results of a batch: an allowed item that was not changed stays for a reason, or was deleted in between. */
function settle(
  results: readonly TreeResult[],
  done: readonly Uuid[],
  stays: readonly Uuid[],
  reason: TreeRefusal,
): readonly TreeResult[] {
  const happened = new Set(done);
  const stayed = new Set(stays);
  return results.map((one) =>
    one.refused === null && !happened.has(one.id)
      ? { ...one, refused: stayed.has(one.id) ? reason : ("gone" as const) }
      : one,
  );
}

/**
 * Moves folders, spaces and media into a folder, each for itself: what cannot be moved is said of that one.
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
  const { results, allowed } = await sortItems(deps, actor, "move", input.selection, (item) =>
    moveRefusal(item, target),
  );
  const entries = entriesOf(deps, actor, "moved", allowed, { folder: folder.id });
  const { moved, tooDeep } = await deps.tree.move(allowed, folder, instant(deps.clock.now()), entries);
  return settle(results, moved, tooDeep, "too_deep");
}

/**
 * Moves folders, spaces and media to the trash with all that they hold, each for itself (§7 batch_delete). Events go on
 * without the media in the trash until those come back; what a space is made of stays as long as the space is there.
 */
export async function deleteItems(
  deps: TreeDeps,
  input: {
    readonly actor: Actor;
    readonly selection: TreeSelection;
    /** Only what has it still goes; anything when absent or null. */
    readonly version?: number | null;
  },
): Promise<readonly TreeResult[]> {
  const { actor, version } = input;
  const { results, allowed } = await sortItems(deps, actor, "delete", input.selection);
  const entries = entriesOf(deps, actor, "deleted", allowed);
  const at = instant(deps.clock.now());
  const { gone, inUse } = await deps.tree.trash(allowed, actor.userId, at, entries, version);
  tellOfEvents(deps, actor, allowed);
  return settle(results, gone, inUse, "in_use");
}

/** Publishes the events of deleted spaces and folders to webhooks. If an administrator deletes another owner's items, the cron job sends them. */
function tellOfEvents(deps: TreeDeps, actor: Actor, { folder, space }: TreeIds): void {
  if (folder.length + space.length > 0) deps.publishWebhookEvents({ userId: actor.userId });
}

function entriesOf(
  deps: TreeDeps,
  actor: Actor,
  act: "moved" | "deleted",
  ids: TreeIds,
  detail: Readonly<Record<string, unknown>> = {},
) {
  return TREE_KINDS.flatMap((kind) =>
    ids[kind].map((id) => auditEntry(deps, actor, `${kind}_${act}`, kind as never, id, detail)),
  );
}

const trashStart = (deps: TreeDeps) => instant(deps.clock.now() - TRASH_DAYS * DAY_MS);

/** A page of an owner's trash. */
export interface TrashView extends Slice<TrashedItem> {
  readonly owner: User;
}

/**
 * Items that an owner deleted within 30 days, newest first.
 * @throws NotFoundError when the actor may not see the owner's items
 */
export async function listTrash(
  deps: TreeDeps,
  input: {
    readonly actor: Actor;
    readonly folderType: FolderType;
    /** The actor when absent. */
    readonly ownerId?: Uuid | undefined;
    readonly cursor?: Cursor;
    /** 20 when absent. */
    readonly pageSize?: number;
  },
): Promise<TrashView> {
  const { actor, folderType, cursor = FIRST_PAGE } = input;
  const ownerId = input.ownerId ?? actor.userId;
  if (!can(actor, "restore", { type: "folder", ownerId, groupId: null })) throw new NotFoundError("trash");
  const [owner, slice] = await Promise.all([
    deps.users.find(ownerId),
    deps.tree.listTrash(
      { ownerId, folderType, since: trashStart(deps), cursor },
      input.pageSize ?? PAGE_SIZE,
    ),
  ]);
  if (!owner) throw new NotFoundError("owner");
  return { ...slice, owner };
}

/**
 * Takes things out of the trash with all that went there with them, each for itself, within 30 days.
 * @throws InvalidError too_many for more than RESTORE_BATCH_MAX things
 */
export async function restoreItems(
  deps: TreeDeps,
  input: { readonly actor: Actor; readonly selection: TreeSelection },
): Promise<readonly TreeResult[]> {
  const { actor } = input;
  const ids = allIds(input.selection);
  if (TREE_KINDS.reduce((sum, kind) => sum + ids[kind].length, 0) > RESTORE_BATCH_MAX)
    throw new InvalidError({ "": [{ key: "folders:errors.tree.tooManyRestores" }] }, "too_many");
  const since = trashStart(deps);
  const found = await deps.tree.findTrashed(ids, since);
  // A root folder may be where something comes back to.
  for (const ownerId of new Set(found.map((item) => item.ownerId)))
    if (can(actor, "restore", { type: "folder", ownerId, groupId: null }))
      await ensureRootFolders(deps, { ownerId });
  const results: TreeResult[] = [];
  for (const kind of TREE_KINDS)
    for (const id of ids[kind]) {
      const item = found.find((one) => one.kind === kind && one.id === id);
      if (!item || !can(actor, "restore", resourceOf(item))) {
        results.push({ id, kind, name: "", refused: "gone" });
        continue;
      }
      const entry = auditEntry(deps, actor, `${kind}_restored`, kind as never, id);
      const outcome = await deps.tree.restore(item, since, instant(deps.clock.now()), entry);
      results.push({ id, kind, name: item.name, refused: outcome === "restored" ? null : outcome });
    }
  tellOfEvents(deps, actor, ids);
  return results;
}

/** A folder as a screen shows it. */
export interface FolderView {
  readonly owner: User;
  readonly folder: Folder;
  /** Those around it that the actor may see, root first, itself last. */
  readonly path: readonly Folder[];
  readonly contents: Contents;
}

/**
 * Contents of a folder, 20 a page, folders first.
 * @throws NotFoundError when the folder, or the owner whose root folder is requested, is not visible
 */
export async function listFolder(
  deps: TreeDeps,
  input: {
    readonly actor: Actor;
    readonly folderType: FolderType;
    /** Absent: the owner's root folder. */
    readonly folderId?: Uuid;
    /** The actor when absent. */
    readonly ownerId?: Uuid;
    readonly sort?: TreeSort;
    readonly direction?: "asc" | "desc";
    readonly cursor?: Cursor;
    /** Only media of these kinds, and no folders; everything when absent or empty. */
    readonly kinds?: readonly MediaKind[];
    /** 20 when absent. */
    readonly pageSize?: number;
  },
): Promise<FolderView> {
  const { actor, folderType, ownerId = actor.userId, cursor = FIRST_PAGE } = input;
  if (input.folderId === undefined && !can(actor, "list", { type: "folder", ownerId, groupId: null }))
    throw new NotFoundError("owner");
  const id = input.folderId ?? (await rootFolder(deps, ownerId, folderType));
  const { folder, path } = await visibleFolder(deps, actor, id);
  if (folder.folderType !== folderType || (input.ownerId !== undefined && folder.ownerId !== ownerId))
    throw new NotFoundError("folder");
  const seesAll = can(actor, "list", { type: "folder", ownerId: folder.ownerId, groupId: null });
  const [owner, contents] = await Promise.all([
    deps.users.find(folder.ownerId),
    deps.tree.list(
      {
        folderId: id,
        folderType,
        // A shared folder may hold what is not shared.
        groupIds: seesAll ? null : actor.groupIds,
        kinds: input.kinds ?? [],
        sort: input.sort ?? "name",
        direction: input.direction ?? "asc",
        cursor,
      },
      input.pageSize ?? PAGE_SIZE,
    ),
  ]);
  if (!owner) throw new NotFoundError("owner");
  return { owner, folder, path: path.filter((one) => can(actor, "read", folderResource(one))), contents };
}

/** Something that a search has found. */
export type FoundItem = Content & {
  /** The folder in which it lies; null when the actor may not see that. */
  readonly place: Pick<Folder, "id" | "name" | "parentId"> | null;
};

/** A page of what a search has found, newest first. */
export interface SearchView extends Slice<FoundItem> {
  readonly owner: User;
  /** The folder that was named; null without one. */
  readonly folder: Folder | null;
  readonly total: Total;
}

/**
 * Searches folders and their contents in the whole tree of an owner, by parts of their names in any kana, width and case; 20 a page, newest first.
 * In the actor's own tree, items that others share are included; in another owner's tree, only items that are shared with the actor.
 * @param input.folderId a folder that identifies the tree
 * @param input.q empty for everything
 * @param input.kinds all when absent
 * @param input.mimeTypes restricts the search to media of these types; all when absent
 * @throws NotFoundError when the folder, or the owner whose tree it is, is not visible
 */
export async function searchTree(
  deps: TreeDeps,
  input: {
    readonly actor: Actor;
    readonly folderType: FolderType;
    readonly folderId?: Uuid;
    /** The actor when absent. */
    readonly ownerId?: Uuid;
    readonly q: string;
    readonly kinds?: readonly TreeSearchKind[];
    readonly mimeTypes?: readonly string[];
    readonly cursor?: Cursor;
    /** 20 when absent. */
    readonly pageSize?: number;
  },
): Promise<SearchView> {
  const { actor, folderType, q, kinds = null, mimeTypes = null, cursor = FIRST_PAGE } = input;
  const folder =
    input.folderId === undefined ? null : (await visibleFolder(deps, actor, input.folderId)).folder;
  if (folder && (folder.folderType !== folderType || (input.ownerId && folder.ownerId !== input.ownerId)))
    throw new NotFoundError("folder");
  const ownerId = folder?.ownerId ?? input.ownerId ?? actor.userId;
  const seesAll = can(actor, "list", { type: "folder", ownerId, groupId: null });
  if (!folder && !seesAll) throw new NotFoundError("owner");
  const sees = !seesAll ? "shared" : ownerId === actor.userId ? "own_and_shared" : "own";
  const scope = { ownerId, groupIds: actor.groupIds, sees } as const;
  const [owner, found] = await Promise.all([
    deps.users.find(ownerId),
    deps.tree.search({ scope, folderType, q, kinds, mimeTypes, cursor }, input.pageSize ?? PAGE_SIZE),
  ]);
  if (!owner) throw new NotFoundError("owner");
  const items = found.items.map(({ place, ...item }): FoundItem => {
    const { id, name, parentId, groupId } = place;
    const isVisible = can(actor, "read", { type: "folder", ownerId: place.ownerId, groupId });
    return { ...item, place: isVisible ? { id, name, parentId } : null } as FoundItem;
  });
  return { ...found, items, owner, folder };
}

/** The root folder of an account that is there. @throws NotFoundError */
async function rootFolder(deps: TreeDeps, ownerId: Uuid, folderType: FolderType): Promise<Uuid> {
  const [root, owner] = await Promise.all([
    deps.folders.findRoot(ownerId, folderType),
    deps.users.find(ownerId),
  ]);
  if (!owner) throw new NotFoundError("owner");
  return root?.id ?? (await ensureRootFolders(deps, { ownerId }))[folderType];
}

/** All folders of an owner that the actor sees, root first, then by name. @throws NotFoundError when the owner's are not his to list */
export async function listFolders(
  deps: TreeDeps,
  input: { readonly actor: Actor; readonly ownerId: Uuid; readonly folderType: FolderType },
): Promise<readonly Folder[]> {
  const { actor, ownerId, folderType } = input;
  if (!can(actor, "list", { type: "folder", ownerId, groupId: null })) throw new NotFoundError("owner");
  await rootFolder(deps, ownerId, folderType);
  return deps.folders.listByOwner(ownerId, folderType);
}

/** All folders of an owner that the actor may move things into, root first, as a tree in order. @throws NotFoundError */
export async function listTargets(
  deps: TreeDeps,
  input: { readonly actor: Actor; readonly ownerId: Uuid; readonly folderType: FolderType },
): Promise<readonly { readonly folder: Folder; readonly depth: number }[]> {
  const all = await deps.folders.listByOwner(input.ownerId, input.folderType);
  const open = all.filter((folder) => can(input.actor, "create", folderResource(folder)));
  const ids = new Set(open.map(({ id }) => id));
  const inner = new Map<Uuid | null, Folder[]>();
  for (const folder of open) {
    // One in a folder that is not open to the actor stands at the top.
    const around = folder.parentId !== null && ids.has(folder.parentId) ? folder.parentId : null;
    inner.set(around, [...(inner.get(around) ?? []), folder]);
  }
  const under = (around: Uuid | null, depth: number): { folder: Folder; depth: number }[] =>
    (inner.get(around) ?? []).flatMap((folder) => [{ folder, depth }, ...under(folder.id, depth + 1)]);
  return under(null, 0);
}

/** `context.services.tree`. */
export const treeServices = (deps: TreeDeps) =>
  bindUseCases(deps, {
    listFolder,
    searchTree,
    listTargets,
    listFolders,
    getItem,
    getItems,
    getPath,
    countHeld,
    findUsed,
    findPublicEvents,
    createFolder,
    renameItem,
    moveItems,
    deleteItems,
    listTrash,
    restoreItems,
  });
