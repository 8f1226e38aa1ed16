import type { AppLoadContext } from "@remix-run/cloudflare";
import type { Actor } from "~/domain/auth/actor";
import { groupTreeIds, readTreeRefs, type TreeRef, writeTreeRef } from "~/domain/folders/tree-list.schema";
import { UNDO_ITEMS_MAX } from "~/domain/folders/undo.schema";
import type { FolderType } from "~/domain/shared/model";

/**
 * Returns the value of the parameter `same` after a change: the changed items whose name another item now has, too; null for none. Only the first
 * UNDO_ITEMS_MAX changed items are checked.
 */
export async function sameNameParam(
  context: AppLoadContext,
  actor: Actor,
  refs: readonly TreeRef[],
): Promise<string | null> {
  const selection = groupTreeIds(refs.slice(0, UNDO_ITEMS_MAX));
  const sameNames = await context.services.tree.findSameNames({ actor, selection });
  return sameNames.length > 0 ? sameNames.map(writeTreeRef).join(" ") : null;
}

/** URL of a space that was just created, with the toast and the notice about other spaces of its name. */
export async function createdSpaceHref(
  context: AppLoadContext,
  actor: Actor,
  { id }: { readonly id: string },
): Promise<string> {
  const sameNames = await sameNameParam(context, actor, [{ kind: "space", id }]);
  return `/space/${id}?${new URLSearchParams({ toast: "space-created", ...(sameNames && { same: sameNames }) })}`;
}

/** Items that the parameter `same` of a URL names after a change, each with the other items of its name. */
export async function readSameNames(
  context: AppLoadContext,
  actor: Actor,
  folderType: FolderType,
  searchParams: URLSearchParams,
) {
  const refs = readTreeRefs(searchParams.getAll("same"), folderType);
  if (refs.length === 0) return [];
  return context.services.tree.findSameNames({ actor, selection: groupTreeIds(refs) });
}
