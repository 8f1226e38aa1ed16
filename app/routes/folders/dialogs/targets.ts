import type { Folder } from "~/domain/shared/model";

/** Folder as a target of a move, with the reason if it is disabled. */
export interface MoveTargetOption {
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
  let movedDepth = Number.POSITIVE_INFINITY;
  return folders.map(({ folder: { id, name }, depth }) => {
    if (depth <= movedDepth) movedDepth = movedIds.has(id) ? depth : Number.POSITIVE_INFINITY;
    const isCurrentFolder = items.every(({ parentId }) => parentId === id);
    const disabledReason = movedDepth < Number.POSITIVE_INFINITY ? "itself" : isCurrentFolder ? "here" : null;
    return { id, name, depth, disabledReason };
  });
}
