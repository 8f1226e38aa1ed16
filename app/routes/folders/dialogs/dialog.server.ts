import type { AppLoadContext } from "@remix-run/cloudflare";
import type { Actor } from "~/domain/auth/actor";
import {
  groupTreeIds,
  readTreeDialogName,
  readTreeRefs,
  writeTreeRef,
} from "~/domain/folders/tree-list.schema";
import type { Folder, FolderType } from "~/domain/shared/model";

interface DialogRequest {
  readonly context: AppLoadContext;
  readonly actor: Actor;
  readonly folderType: FolderType;
  readonly searchParams: URLSearchParams;
}

/** Folder as a target of a move or a copy, with the reason if it is disabled. */
interface MoveTargetOption {
  readonly id: string;
  /** Empty for a root folder. */
  readonly name: string;
  readonly depth: number;
  /** "here": all items are already in the folder. "itself": the folder is one of the moved folders, or inside of one. Null if it can be chosen. */
  readonly disabledReason: "here" | "itself" | null;
}

/** Folders in the order of their tree; targets that are impossible for the items are marked. */
export function markTargets(
  folders: readonly { readonly folder: Pick<Folder, "id" | "name">; readonly depth: number }[],
  items: readonly { readonly id: string; readonly parentId: string | null }[],
): MoveTargetOption[] {
  const movedIds = new Set(items.map(({ id }) => id));
  // Depth of the moved folder that contains the visited folder or is it; infinite if there is none. Subfolders follow their folder and are deeper.
  let movedDepth = Number.POSITIVE_INFINITY;
  return folders.map(({ folder: { id, name }, depth }) => {
    if (depth <= movedDepth) movedDepth = movedIds.has(id) ? depth : Number.POSITIVE_INFINITY;
    const containsAllItems = items.every(({ parentId }) => parentId === id);
    const disabledReason =
      movedDepth < Number.POSITIVE_INFINITY ? "itself" : containsAllItems ? "here" : null;
    return { id, name, depth, disabledReason };
  });
}

/** Reads the data of the dialog that a URL opens; null without a dialog. Items that do not exist are left out. */
export async function readDialog({ context, actor, folderType, searchParams }: DialogRequest) {
  const dialog = readTreeDialogName(searchParams.get("dialog"));
  if (dialog === null) return null;
  if (dialog === "new-folder") return { dialog };
  const { tree } = context.services;
  const chosenItems = readTreeRefs(searchParams.getAll("item"), folderType);
  const selection = groupTreeIds(chosenItems);
  const selectedItems = chosenItems.length === 0 ? [] : await tree.getItems({ actor, selection });
  // A root folder cannot be renamed, moved, copied or deleted.
  const items = selectedItems.filter(({ parentId }) => parentId !== null);
  const dialogItems = {
    isNothingChosen: chosenItems.length === 0,
    items: items.map(({ id, kind, name, version }) => ({ id, kind, name, version })),
    /** Kind and id of each item, as in the URL. */
    refs: items.map(writeTreeRef).join(" "),
  };
  if (dialog === "rename") return { dialog, ...dialogItems, items: dialogItems.items.slice(0, 1) };
  if (dialog === "delete") {
    const selectionInput = { actor, selection: groupTreeIds(items) };
    const [contents, usedMedia, publicEvents] = await Promise.all([
      tree.countContents(selectionInput),
      folderType === "media" ? tree.findUses(selectionInput) : null,
      folderType === "space" ? tree.findPublicEvents(selectionInput) : null,
    ]);
    return { dialog, ...dialogItems, contents, usedMedia, publicEvents };
  }
  const ownerId = items[0]?.ownerId;
  const targets = ownerId === undefined ? [] : await tree.listTargets({ actor, ownerId, folderType });
  // A copy may be placed into the folder of its original, and even into the original itself.
  const copyTargets = targets.map(({ folder: { id, name }, depth }) => ({
    id,
    name,
    depth,
    disabledReason: null,
  }));
  return { dialog, ...dialogItems, targets: dialog === "copy" ? copyTargets : markTargets(targets, items) };
}

export type TreeDialogData = NonNullable<Awaited<ReturnType<typeof readDialog>>>;
