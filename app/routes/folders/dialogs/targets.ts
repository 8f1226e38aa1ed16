import type { Folder } from "~/domain/shared/model";

/** A folder that things can be moved into, or why they cannot. */
export interface Target {
  readonly id: string;
  /** Empty for a root folder. */
  readonly name: string;
  readonly depth: number;
  /** here: all of them are in it already; itself: it is being moved, or lies in a folder that is. */
  readonly barred: "here" | "itself" | null;
}

/** Folders in the order of their tree, with those into which the things cannot be moved marked. */
export function markTargets(
  folders: readonly { readonly folder: Pick<Folder, "id" | "name">; readonly depth: number }[],
  things: readonly { readonly id: string; readonly parentId: string | null }[],
): Target[] {
  const moved = new Set(things.map(({ id }) => id));
  let below = Number.POSITIVE_INFINITY;
  return folders.map(({ folder: { id, name }, depth }) => {
    if (depth <= below) below = moved.has(id) ? depth : Number.POSITIVE_INFINITY;
    const isHere = things.every(({ parentId }) => parentId === id);
    const barred = below < Number.POSITIVE_INFINITY ? "itself" : isHere ? "here" : null;
    return { id, name, depth, barred };
  });
}
