import type { Repositories } from "#functions/data/shared/repositories";
import type { Actor } from "~/domain/auth/actor";
import { TREE_KINDS, type TreeKind, type TreeRejection } from "~/domain/folders/tree";
import type { Folder, FolderType, Uuid } from "~/domain/shared/model";
import { type Action, can, type Resource } from "~/domain/shared/permissions";
import { NotFoundError } from "../shared/errors";
import type { Clock, IdSource } from "../shared/ports";
import { auditEntry } from "../users/audit-entry";
import type { WebhookOwner } from "../webhooks/webhook-ports";
import { ensureRootFolders } from "./root-folders";
import type { FolderPath, TreeIds, TreeItem } from "./tree-ports";

/** Dependencies of the use cases of folders. */
export interface TreeDeps extends Pick<Repositories, "tree" | "folders"> {
  readonly users: Pick<Repositories["users"], "find">;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** Sends the webhook events of a change after the response. */
  readonly publishWebhookEvents: (owner: WebhookOwner) => void;
}

/** Selected items by kind; a missing kind has none. */
export type TreeSelection = Partial<TreeIds>;

/** Result for one item of several. */
export interface TreeResult {
  readonly id: Uuid;
  readonly kind: TreeKind;
  /** Empty for a root folder, and for an item that does not exist or that the actor may not see. */
  readonly name: string;
  /** The reason why the item was not processed; null if it was. */
  readonly rejection: TreeRejection | null;
}

/** Ids of a selection, each once. */
export const selectedIds = (selection: TreeSelection): TreeIds => ({
  folder: [...new Set(selection.folder)],
  space: [...new Set(selection.space)],
  media: [...new Set(selection.media)],
});

/** Returns the resource for the permission check of an item. */
export const toResource = ({
  kind,
  ownerId,
  groupId,
  ...item
}: Pick<TreeItem, "kind" | "ownerId" | "groupId"> & { parentId?: Uuid | null }): Resource =>
  kind === "folder"
    ? { type: "folder", ownerId, groupId, isRoot: item.parentId === null }
    : { type: kind, ownerId, groupId };

/** Returns the resource for the permission check of a folder. */
export const folderResource = (folder: Folder): Resource => ({
  type: "folder",
  ownerId: folder.ownerId,
  groupId: folder.groupId,
});

/** Returns a folder that the actor may see, with its parents. @throws NotFoundError when it is not visible */
export async function visibleFolder(deps: TreeDeps, actor: Actor, id: Uuid): Promise<FolderPath> {
  const path = await deps.tree.findPath(id);
  if (!path || !can(actor, "read", folderResource(path.folder))) throw new NotFoundError("folder");
  return path;
}

const NO_ITEMS: TreeIds = { folder: [], space: [], media: [] };

/** Returns an item that the actor may see. @throws NotFoundError */
export async function visibleItem(deps: TreeDeps, actor: Actor, kind: TreeKind, id: Uuid): Promise<TreeItem> {
  const [item] = await deps.tree.find({ ...NO_ITEMS, [kind]: [id] });
  if (!item || !can(actor, "read", toResource(item))) throw new NotFoundError(kind);
  return item;
}

/** Returns the id of an account's root folder, which is created if missing. @throws NotFoundError for an unknown account */
export async function rootFolderId(deps: TreeDeps, ownerId: Uuid, folderType: FolderType): Promise<Uuid> {
  const [root, owner] = await Promise.all([
    deps.folders.findRoot(ownerId, folderType),
    deps.users.find(ownerId),
  ]);
  if (!owner) throw new NotFoundError("owner");
  return root?.id ?? (await ensureRootFolders(deps, { ownerId }))[folderType];
}

/** Separates the selected items into those for which the actor may perform the action, and the others with the reason. */
export async function checkItems(
  deps: TreeDeps,
  actor: Actor,
  action: Action,
  selection: TreeSelection,
  getRejection: (item: TreeItem) => TreeRejection | null = () => null,
): Promise<{
  readonly results: readonly TreeResult[];
  /** Ids of the items for which the action is allowed. */
  readonly allowed: TreeIds;
  /** The selected items that exist, by id. */
  readonly items: ReadonlyMap<Uuid, TreeItem>;
}> {
  const ids = selectedIds(selection);
  const items = new Map((await deps.tree.find(ids)).map((item) => [item.id, item]));
  const results: TreeResult[] = TREE_KINDS.flatMap((kind) =>
    ids[kind].map((id) => {
      const item = items.get(id);
      if (item?.kind !== kind || !can(actor, "read", toResource(item)))
        return { id, kind, name: "", rejection: "gone" };
      const rejection =
        item.parentId === null
          ? "root"
          : can(actor, action, toResource(item))
            ? getRejection(item)
            : ("forbidden" as const);
      return { id, kind, name: item.name, rejection };
    }),
  );
  const allowed = Object.fromEntries(
    TREE_KINDS.map((kind) => [
      kind,
      results.filter((result) => result.kind === kind && result.rejection === null).map(({ id }) => id),
    ]),
  ) as unknown as TreeIds;
  return { results, allowed, items };
}

/**
 * Adds rejections to the results of a batch, for allowed items that were not written: `reason` for those in `unchangedIds`, and "gone" for the others,
 * which were deleted meanwhile or have another version.
 */
export function withRejections(
  results: readonly TreeResult[],
  writtenIds: readonly Uuid[],
  unchangedIds: readonly Uuid[],
  reason: TreeRejection,
): readonly TreeResult[] {
  const written = new Set(writtenIds);
  const unchanged = new Set(unchangedIds);
  return results.map((result) =>
    result.rejection === null && !written.has(result.id)
      ? { ...result, rejection: unchanged.has(result.id) ? reason : ("gone" as const) }
      : result,
  );
}

/** Audit entries of a change of several items. */
export function itemEntries(
  deps: TreeDeps,
  actor: Actor,
  action: "moved" | "deleted",
  ids: TreeIds,
  detail: Readonly<Record<string, unknown>> = {},
) {
  return TREE_KINDS.flatMap((kind) =>
    ids[kind].map((id) => auditEntry(deps, actor, `${kind}_${action}`, kind as never, id, detail)),
  );
}
