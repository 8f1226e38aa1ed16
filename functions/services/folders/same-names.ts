/** Finds folders and spaces with the same name in the same folder. This is allowed, and the screens report it. */
import type { Repositories } from "#functions/data/shared/repositories";
import type { Actor } from "~/domain/auth/actor";
import type { Instant, Uuid } from "~/domain/shared/model";
import { can } from "~/domain/shared/permissions";
import { bindUseCases } from "../shared/bind";
import { selectedIds, type TreeSelection, toResource } from "./tree-access";
import type { SameNameRow } from "./tree-ports";

/** An item, and the other items of its kind with the same name in its folder, oldest first. */
export interface SameName extends Pick<SameNameRow, "kind" | "id" | "name"> {
  readonly otherItems: readonly { readonly id: Uuid; readonly createdAt: Instant }[];
}

/** Returns the selected items that have the name of another item that the actor sees. Names are compared without case and width. */
export async function findSameNames(
  deps: Pick<Repositories, "sameNames">,
  input: { readonly actor: Actor; readonly selection: TreeSelection },
): Promise<readonly SameName[]> {
  const rows = await deps.sameNames.find(selectedIds(input.selection));
  const sameNames = new Map<Uuid, SameName>();
  for (const { kind, id, name, otherId, createdAt, ownerId, groupId } of rows) {
    // The other item is in a folder, so it is not a root folder. Any id serves as its parent.
    if (!can(input.actor, "read", toResource({ kind, ownerId, groupId, parentId: id }))) continue;
    const otherItems = [...(sameNames.get(id)?.otherItems ?? []), { id: otherId, createdAt }];
    sameNames.set(id, { kind, id, name, otherItems });
  }
  return [...sameNames.values()];
}

/** Use cases in `context.services.tree`. */
export const sameNameServices = (deps: Pick<Repositories, "sameNames">) =>
  bindUseCases(deps, { findSameNames });
