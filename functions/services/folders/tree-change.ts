/** Changes one item in a single write: its name and folder, and the source and thumbnail of a space. */

import type { Actor } from "~/domain/auth/actor";
import { getMoveRejection, type TreeKind, type TreeRejection } from "~/domain/folders/tree";
import type { Uuid } from "~/domain/shared/model";
import { can } from "~/domain/shared/permissions";
import type { SourceInput } from "~/domain/spaces/space-source.schema";
import { bindUseCases } from "../shared/bind";
import { ConflictError, ForbiddenError } from "../shared/errors";
import { toInstant } from "../shared/instant";
import type { AuditEntry } from "../shared/ports";
import { createDeletedFileError, prepareChange, type SourceDeps } from "../spaces/space-sources";
import { auditEntry } from "../users/audit-entry";
import { getTreeItem } from "./tree";
import { folderResource, type TreeDeps, toResource, visibleFolder } from "./tree-access";
import type { TreeChange, TreeItem } from "./tree-ports";

/** Dependencies of this use case. */
export type TreeChangeDeps = TreeDeps & SourceDeps;

/** A change of one item. Absent fields stay unchanged. */
export interface ChangeItemInput {
  readonly actor: Actor;
  readonly kind: TreeKind;
  readonly id: Uuid;
  /** Expected version; null for no check. */
  readonly version: number | null;
  /** Checked by the schema of its form. */
  readonly name?: string | undefined;
  readonly folderId?: Uuid | undefined;
  /** Source of a space, checked by createSourceSchema. */
  readonly source?: SourceInput | undefined;
  /** Thumbnail of a space: an image of the library; null for none. */
  readonly posterMediaId?: Uuid | null | undefined;
}

/** Result of a change. "done" also applies if nothing had to be written. For every other result nothing was written. */
export type ChangeItemResult =
  | { readonly status: "done" }
  | { readonly status: "conflict"; readonly saved: TreeItem }
  | { readonly status: "rejected"; readonly rejection: TreeRejection };

/**
 * Renames and moves a folder, a space or a media item, and changes the source and the thumbnail of a space.
 * @throws NotFoundError when the item or the target folder is not visible
 * @throws ForbiddenError when the actor may not make one of the changes; InvalidError as prepareChange
 */
export async function changeItem(deps: TreeChangeDeps, input: ChangeItemInput): Promise<ChangeItemResult> {
  const result = await changeOnce(deps, input, await getTreeItem(deps, input));
  return result ?? { status: "conflict", saved: await getTreeItem(deps, input) };
}

/** Returns null when another user saved after the item was read. */
async function changeOnce(
  deps: TreeChangeDeps,
  input: ChangeItemInput,
  saved: TreeItem,
): Promise<ChangeItemResult | null> {
  const { actor, kind, id, name, folderId } = input;
  if (input.version !== null && input.version !== saved.version) return null;
  const change: { -readonly [K in keyof TreeChange]: TreeChange[K] } = {};
  const entries: AuditEntry[] = [];
  const addEntry = (action: "renamed" | "moved", detail: Readonly<Record<string, unknown>>) =>
    entries.push(auditEntry(deps, actor, `${kind}_${action}`, kind as never, id, detail));

  if (folderId !== undefined && folderId !== saved.parentId) {
    const { folder, path } = await visibleFolder(deps, actor, folderId);
    if (!can(actor, "create", folderResource(folder))) throw new ForbiddenError("move into folder");
    const rejection = getMoveRejection(saved, { ...folder, path: path.map((ancestor) => ancestor.id) });
    if (rejection !== null) return { status: "rejected", rejection };
    if (!can(actor, "move", toResource(saved))) throw new ForbiddenError("move");
    change.folder = folder;
    addEntry("moved", { folder: folder.id });
  }
  if (name !== undefined) {
    if (saved.parentId === null || !can(actor, "update", toResource(saved)))
      throw new ForbiddenError("rename");
    if (name !== saved.name) {
      change.name = name;
      addEntry("renamed", { name: { from: saved.name, to: name } });
    }
  }
  if (kind === "space") {
    const { source, posterMediaId } = input;
    const sourceInput = { actor, spaceId: id, version: saved.version, source, posterMediaId };
    const prepared = await prepareChange(deps, sourceInput).catch((error: unknown) => {
      if (error instanceof ConflictError) return "stale" as const;
      throw error;
    });
    if (prepared === "stale") return null;
    if (prepared) {
      change.source = prepared.change;
      entries.push(...prepared.entries);
    }
  }
  if (entries.length === 0) return { status: "done" };
  const outcome = await deps.tree.change(saved, change, toInstant(deps.clock.now()), entries);
  if (outcome === "stale") return null;
  if (outcome === "no_media") throw createDeletedFileError();
  return outcome === "changed" ? { status: "done" } : { status: "rejected", rejection: outcome };
}

/** Use cases in `context.services.tree`. */
export const treeChangeServices = (deps: TreeChangeDeps) => bindUseCases(deps, { changeItem });
