import { type AppLoadContext, redirect } from "@remix-run/cloudflare";
import type { Actor } from "~/domain/auth/actor";
import { type TreeRef, treeListParams } from "~/domain/folders/tree-list.schema";
import type { Undo } from "~/domain/folders/undo.schema";
import type { FolderType, Uuid } from "~/domain/shared/model";
import { toastNames } from "../shared/toast-names.server";
import { sameNameParam } from "./same-names.server";
import { sealUndo } from "./undo.server";

/** Submitted form of a page with folders, or of an item's own page. */
export interface TreePost {
  readonly request: Request;
  readonly form: FormData;
  readonly context: AppLoadContext;
  readonly actor: Actor;
  readonly folderType: FolderType;
  readonly ownerId: Uuid | undefined;
  readonly folderId: Uuid | undefined;
  /** Redirect target after the page's own item has been deleted. */
  readonly afterDelete?: string;
}

interface Change {
  readonly path?: string | undefined;
  readonly undo?: Undo | null;
  /** Items whose name may now be that of another item in the same folder. */
  readonly changedItems?: readonly TreeRef[];
  /** Names for the toast. */
  readonly names?: readonly string[];
}

/** Redirects to the form's page, or to `path`, with a toast, which can offer to undo the change, and with a notice about items that now have the same name. */
export async function redirectWithToast(
  { request, context, actor }: TreePost,
  toast: string,
  { path, undo, changedItems = [], names = [] }: Change = {},
): Promise<never> {
  const { pathname, searchParams } = new URL(request.url);
  const params = treeListParams(searchParams);
  // Another list starts at its first page.
  if (path) for (const name of ["cursor", "page"]) params.delete(name);
  params.set("toast", toast);
  const toastParams = toastNames(context, actor.userId, names);
  if (toastParams.named) params.set("named", toastParams.named);
  if (undo) params.set("undo", sealUndo(context, actor, undo));
  const sameNames = changedItems.length > 0 ? await sameNameParam(context, actor, changedItems) : null;
  if (sameNames) params.set("same", sameNames);
  throw redirect(`${path ?? pathname}?${params}`);
}
