import { type SQL, sql } from "drizzle-orm";
import type { FolderPath } from "#functions/services/folders/tree-ports";
import type { Folder, FolderType, Uuid } from "~/domain/shared/model";
import { folders, LIVE } from "../schema";
import { folderColumns } from "../shared/columns";
import { type Db, rawSql } from "../shared/db";
import { prepareRead } from "../shared/prepared-read";
import { requestedFolderId } from "./folder-contents";

/** Ids of a folder and of its ancestors. */
export const selfAndAncestors = (id: SQL) => sql`(WITH RECURSIVE up(id, parent_id) AS (
  SELECT id, parent_id FROM folders WHERE id = ${id}
  UNION SELECT f.id, f.parent_id FROM folders f JOIN up ON f.id = up.parent_id) SELECT id FROM up)`;

/**
 * Creates a function that reads a folder with its ancestors: by its id, as the root folder of an owner, or as the folder of a space. Null when it
 * does not exist.
 */
export function folderPathReader(db: Db) {
  /** Selects a folder and its ancestors. */
  const selectPath = (folderId: SQL) =>
    db
      .select({
        ...folderColumns,
        isRequested: sql<boolean>`${folders.id} = ${folderId}`.mapWith(Boolean).as("is_requested"),
      })
      .from(folders)
      .where(sql`id IN ${selfAndAncestors(folderId)} AND ${rawSql(LIVE)}`);
  const readPath = prepareRead(db, () => selectPath(requestedFolderId));
  const readPathOfSpace = prepareRead(db, () =>
    selectPath(
      sql`(SELECT folder_id FROM spaces WHERE id = ${sql.placeholder("spaceId")} AND spaces.deleted_at IS NULL)`,
    ),
  );

  return async function findPath(
    folderRef:
      | Uuid
      | { readonly ownerId: Uuid; readonly folderType: FolderType }
      | { readonly spaceId: Uuid },
  ): Promise<FolderPath | null> {
    const rows =
      typeof folderRef === "string"
        ? await readPath({ folderId: folderRef, ownerId: null, folderType: null })
        : "spaceId" in folderRef
          ? await readPathOfSpace(folderRef)
          : await readPath({ folderId: null, ...folderRef });
    const foldersById = new Map<string, Folder>(
      rows.map(({ isRequested: _, ...folder }) => [folder.id, folder]),
    );
    const path: Folder[] = [];
    let current = foldersById.get(rows.find(({ isRequested }) => isRequested)?.id ?? "");
    for (; current; current = current.parentId === null ? undefined : foldersById.get(current.parentId))
      path.unshift(current);
    const folder = path.at(-1);
    return folder ? { folder, path } : null;
  };
}
