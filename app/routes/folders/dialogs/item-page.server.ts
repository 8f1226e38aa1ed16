import type { AppLoadContext } from "@remix-run/cloudflare";
import type { ServiceResult } from "#functions/http/http-errors";
import type { FolderPath } from "#functions/services/folders/tree-ports";
import type { Actor } from "~/domain/auth/actor";
import { LEAF_OF } from "~/domain/folders/tree";
import { writeTreeRef } from "~/domain/folders/tree-list.schema";
import { treeListPath } from "~/domain/folders/tree-list-path";
import type { FolderType, Uuid } from "~/domain/shared/model";
import { treeAction } from "../action.server";
import { folderHref } from "../crumbs";
import { readDialog } from "./dialog.server";

/** Space or media item with a page of its own. */
export interface ItemContext {
  readonly context: AppLoadContext;
  readonly actor: Actor;
  readonly folderType: FolderType;
  readonly item: { readonly id: Uuid; readonly ownerId: Uuid; readonly folderId: Uuid };
}

/**
 * Breadcrumbs of an item: its list, and those of its parent folders that the actor may see. An empty label is the list's root.
 * @param path result of reading the item's folder
 */
export function toItemCrumbs(
  { actor, folderType, item }: ItemContext,
  path: ServiceResult<Pick<FolderPath, "path">>,
) {
  const listHref = treeListPath(actor, folderType, item.ownerId);
  const listCrumb = { label: "", href: listHref };
  if (!path.ok) return [listCrumb];
  const folders = path.value.path.filter(({ parentId }) => parentId !== null);
  return [
    listCrumb,
    ...folders.map((folder) => ({ label: folder.name, href: folderHref(listHref, folder) })),
  ];
}

/** Reads the breadcrumbs of an item. */
export async function readBreadcrumbs(itemContext: ItemContext) {
  const { context, actor, item } = itemContext;
  return toItemCrumbs(
    itemContext,
    await context.attempt(context.services.tree.getPath({ actor, folderId: item.folderId })),
  );
}

const itemRef = ({ folderType, item }: ItemContext) =>
  writeTreeRef({ kind: LEAF_OF[folderType], id: item.id });

/** Data of the item's dialog that the URL opens. */
export function readItemDialog(itemContext: ItemContext, dialog: string | null) {
  if (dialog === null || dialog === "new-folder") return null;
  const searchParams = new URLSearchParams({ dialog, item: itemRef(itemContext) });
  return readDialog({ ...itemContext, searchParams });
}

/** Renames, moves, copies or deletes the item; null for any other form. */
export async function itemTreeAction(itemContext: ItemContext, request: Request, form: FormData) {
  const intent = form.get("intent");
  if (!["rename", "move", "copy", "delete"].includes(String(intent))) return null;
  form.set("item", itemRef(itemContext));
  const afterDelete = intent === "delete" ? (await readBreadcrumbs(itemContext)).at(-1)?.href : undefined;
  const noFolder = { ownerId: undefined, folderId: undefined };
  return treeAction({ ...itemContext, ...noFolder, request, form, afterDelete });
}
