import type { Actor } from "~/domain/auth/actor";
import { EVENT_STATUS, statusAt } from "~/domain/events/status";
import { RESTORE_BATCH_MAX, TREE_KINDS, type TreeKind } from "~/domain/folders/tree";
import { type Cursor, FIRST_PAGE } from "~/domain/shared/cursor";
import { DAY_MS } from "~/domain/shared/day";
import { PAGE_SIZE, TRASH_DAYS } from "~/domain/shared/limits";
import type { FolderType, User, Uuid } from "~/domain/shared/model";
import { can } from "~/domain/shared/permissions";
import type { UsedItems } from "../library/item-uses-ports";
import { toUseReader } from "../library/library";
import { bindUseCases } from "../shared/bind";
import { InvalidError, NotFoundError } from "../shared/errors";
import { toInstant } from "../shared/instant";
import type { Slice } from "../shared/ports";
import { auditEntry } from "../users/audit-entry";
import { ensureRootFolders } from "./root-folders";
import { getItems } from "./tree";
import {
  checkItems,
  itemEntries,
  selectedIds,
  type TreeDeps,
  type TreeResult,
  type TreeSelection,
  toResource,
  withRejections,
} from "./tree-access";
import type { ContentCounts, PublicEvents, TrashedItem, TreeIds } from "./tree-ports";

/** Counts the items that are deleted together with folders, without the folders themselves. Omits folders that the actor may not delete. */
export async function countContents(
  deps: TreeDeps,
  input: { readonly actor: Actor; readonly selection: TreeSelection },
): Promise<ContentCounts> {
  const items = (await getItems(deps, input)).filter(
    (item) => item.kind === "folder" && can(input.actor, "delete", toResource(item)),
  );
  return deps.tree.countContents(items.map(({ id }) => id));
}

/** Lists the uses of media, and of the media in folders, before they are deleted. Spaces contain no media. Omits items that the actor may not delete. */
export async function findUses(
  deps: TreeDeps,
  input: { readonly actor: Actor; readonly selection: TreeSelection },
): Promise<UsedItems> {
  const { actor } = input;
  const items = (await getItems(deps, input)).filter((item) => can(actor, "delete", toResource(item)));
  const idsOf = (kind: TreeKind) => items.filter((item) => item.kind === kind).map(({ id }) => id);
  const ids = { folder: idsOf("folder"), space: [], media: idsOf("media") };
  return deps.tree.findUses(ids, toUseReader(actor));
}

/** Maximum number of public events that are named before a deletion. */
const EVENTS_NAMED = 8;

/** Lists the public events of spaces and folders before they are deleted. Omits items that the actor may not delete. */
export async function findPublicEvents(
  deps: TreeDeps,
  input: { readonly actor: Actor; readonly selection: TreeSelection },
): Promise<PublicEvents> {
  const { actor } = input;
  const items = (await getItems(deps, input)).filter((item) => can(actor, "delete", toResource(item)));
  const idsOf = (kind: TreeKind) => items.filter((item) => item.kind === kind).map(({ id }) => id);
  const events = await deps.tree.findMaybePublic({
    folder: idsOf("folder"),
    space: idsOf("space"),
    media: [],
  });
  const now = deps.clock.now();
  const publicEvents = events.filter((event) => statusAt(event, now) === EVENT_STATUS.published);
  const names = publicEvents.slice(0, EVENTS_NAMED).map(({ name }) => name);
  return { names, unnamedCount: publicEvents.length - names.length };
}

/**
 * Moves folders, spaces and media to the trash with all their contents, each independently (specification §7 batch_delete). While media are in the trash, events
 * are shown without them; the source files of a space stay as long as the space exists.
 */
export async function deleteItems(
  deps: TreeDeps,
  input: {
    readonly actor: Actor;
    readonly selection: TreeSelection;
    /** Expected version of the only selected item; any if absent or null. An item with another version is reported as "gone". */
    readonly version?: number | null;
  },
): Promise<readonly TreeResult[]> {
  const { actor, version } = input;
  const { results, allowed } = await checkItems(deps, actor, "delete", input.selection);
  const entries = itemEntries(deps, actor, "deleted", allowed);
  const now = toInstant(deps.clock.now());
  const { deletedIds, inUse } = await deps.tree.trash(allowed, actor.userId, now, entries, version);
  publishChanges(deps, actor, allowed);
  return withRejections(results, deletedIds, inUse, "in_use");
}

/** Sends the messages of the actor's webhooks about events in deleted or restored spaces and folders. The cron trigger sends those of other owners' webhooks. */
function publishChanges(deps: TreeDeps, actor: Actor, { folder, space }: TreeIds): void {
  if (folder.length + space.length > 0) deps.publishWebhookEvents({ userId: actor.userId });
}

const trashStart = (deps: TreeDeps) => toInstant(deps.clock.now() - TRASH_DAYS * DAY_MS);

/** A page of an owner's trash. */
export interface TrashView extends Slice<TrashedItem> {
  readonly owner: User;
}

/**
 * Items of an owner that were deleted within the last TRASH_DAYS days, newest first.
 * @throws NotFoundError when the actor may not see the owner's items
 */
export async function listTrash(
  deps: TreeDeps,
  input: {
    readonly actor: Actor;
    readonly folderType: FolderType;
    /** Default: the actor. */
    readonly ownerId?: Uuid | undefined;
    readonly cursor?: Cursor;
    /** Default: 20. */
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
 * Restores items from the trash with everything that was deleted with them, each independently, within TRASH_DAYS days.
 * @throws InvalidError too_many for more than RESTORE_BATCH_MAX items
 */
export async function restoreItems(
  deps: TreeDeps,
  input: { readonly actor: Actor; readonly selection: TreeSelection },
): Promise<readonly TreeResult[]> {
  const { actor } = input;
  const ids = selectedIds(input.selection);
  if (TREE_KINDS.reduce((sum, kind) => sum + ids[kind].length, 0) > RESTORE_BATCH_MAX)
    throw new InvalidError({ "": [{ key: "folders:errors.tree.tooManyRestores" }] }, "too_many");
  const since = trashStart(deps);
  const trashed = await deps.tree.findTrashed(ids, since);
  // The root folder of an owner is created if missing, because items may be restored into it.
  for (const ownerId of new Set(trashed.map((item) => item.ownerId)))
    if (can(actor, "restore", { type: "folder", ownerId, groupId: null }))
      await ensureRootFolders(deps, { ownerId });
  const results: TreeResult[] = [];
  for (const kind of TREE_KINDS)
    for (const id of ids[kind]) {
      const item = trashed.find((trashedItem) => trashedItem.kind === kind && trashedItem.id === id);
      if (!item || !can(actor, "restore", toResource(item))) {
        results.push({ id, kind, name: "", rejection: "gone" });
        continue;
      }
      const entry = auditEntry(deps, actor, `${kind}_restored`, kind as never, id);
      const outcome = await deps.tree.restore(item, since, toInstant(deps.clock.now()), entry);
      results.push({ id, kind, name: item.name, rejection: outcome === "restored" ? null : outcome });
    }
  publishChanges(deps, actor, ids);
  return results;
}

/** Use cases in `context.services.tree`. */
export const treeTrashServices = (deps: TreeDeps) =>
  bindUseCases(deps, {
    countContents,
    findUses,
    findPublicEvents,
    deleteItems,
    listTrash,
    restoreItems,
  });
