import type { AppLoadContext } from "@remix-run/cloudflare";
import type { Actor, Space } from "~/domain/model";
import { spaceListPath } from "~/domain/space-list-path";
import { writeTreeRef } from "~/domain/tree-list.schema";
import { treeAction } from "../tree/action.server";
import { folderHref } from "../tree/crumbs";
import { readDialog } from "../tree/dialog.server";

interface Shown {
  readonly context: AppLoadContext;
  readonly actor: Actor;
  readonly space: Pick<Space, "id" | "ownerId" | "folderId">;
}

/** The way to a space: its list, and the folders around it that the actor may see. An empty label is the list's. */
export async function readPlace({ context, actor, space }: Shown) {
  const listHref = spaceListPath(actor, space.ownerId);
  const list = { label: "", href: listHref };
  const found = await context.attempt(context.services.tree.getPath({ actor, folderId: space.folderId }));
  if (!found.ok) return [list];
  const folders = found.value.path.filter(({ parentId }) => parentId !== null);
  return [list, ...folders.map((folder) => ({ label: folder.name, href: folderHref(listHref, folder) }))];
}

const refOf = ({ space }: Shown) => writeTreeRef({ kind: "space", id: space.id });

/** The dialog about the space that its address asks for. */
export function readSpaceDialog(shown: Shown, dialog: string | null) {
  if (dialog === null || dialog === "new-folder") return null;
  const searchParams = new URLSearchParams({ dialog, item: refOf(shown) });
  return readDialog({ ...shown, folderType: "space", searchParams });
}

/** Renames, moves or deletes the space; null for a form of another kind. */
export async function spaceTreeAction(shown: Shown, request: Request, form: FormData) {
  const intent = form.get("intent");
  if (intent !== "rename" && intent !== "move" && intent !== "delete") return null;
  form.set("item", refOf(shown));
  const afterDelete = intent === "delete" ? (await readPlace(shown)).at(-1)?.href : undefined;
  const place = { ownerId: undefined, folderId: undefined };
  return treeAction({ ...shown, ...place, request, form, folderType: "space", afterDelete });
}
