import type { Folder } from "~/domain/shared/model";

/** Folder as a target of a move, with the reason if it is disabled. */
export interface MoveTargetOption {
  readonly id: string;
  /** Empty for a root folder. */
  readonly name: string;
  readonly depth: number;
  /** here: all items are already in it; itself: it is one of the moved folders, or inside of one. */
  readonly barred: "here" | "itself" | null;
}

/** Folders in the order of their tree; targets that are impossible for the items are marked. */
export function markTargets(
  folders: readonly { readonly folder: Pick<Folder, "id" | "name">; readonly depth: number }[],
  things: readonly { readonly id: string; readonly parentId: string | null }[],
): MoveTargetOption[] {
  const moved = new Set(things.map(({ id }) => id));
  let below = Number.POSITIVE_INFINITY;
  return folders.map(({ folder: { id, name }, depth }) => {
    if (depth <= below) below = moved.has(id) ? depth : Number.POSITIVE_INFINITY;
    const isHere = things.every(({ parentId }) => parentId === id);
    const barred = below < Number.POSITIVE_INFINITY ? "itself" : isHere ? "here" : null;
    return { id, name, depth, barred };
  });
}
