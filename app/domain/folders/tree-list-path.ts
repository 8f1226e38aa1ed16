import type { Actor } from "../auth/actor";
import type { FolderType, Uuid } from "../shared/model";
import { can } from "../shared/permissions";

/** Paths of the lists of each folder type. */
const LISTS = { space: "/space-list", media: "/library" } as const satisfies Record<FolderType, string>;

/** Returns the list to which an item links back: its owner's list if the actor may see that, otherwise the actor's own. */
export function treeListPath(actor: Actor, folderType: FolderType, ownerId: Uuid): string {
  const ownList = LISTS[folderType];
  const isForeign = ownerId !== actor.userId;
  return isForeign && can(actor, "list", { type: folderType, ownerId, groupId: null })
    ? `${ownList}/${ownerId}`
    : ownList;
}
