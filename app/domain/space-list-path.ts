import type { Actor, Uuid } from "./model";
import { can } from "./permissions";

/** Where a space leads back to: its owner's list if the actor may see that, else the actor's own. */
export function spaceListPath(actor: Actor, ownerId: Uuid): string {
  const isForeign = ownerId !== actor.userId;
  return isForeign && can(actor, "list", { type: "space", ownerId, groupId: null })
    ? `/space-list/${ownerId}`
    : "/space-list";
}
