import { and, asc, eq, isNotNull, isNull } from "drizzle-orm";
import type { NewFolder, RootFolders } from "#functions/services/folders/tree-ports";
import type { Folder, FolderType, Uuid } from "~/domain/shared/model";
import { nameKey } from "~/domain/shared/text";
import { folders, LIVE } from "../schema";
import { folderColumns } from "../shared/columns";
import { type Db, first, rawSql, run } from "../shared/db";

/** Returns the row of a new folder. */
export const newFolderRow = (folder: NewFolder) => ({
  ...folder,
  searchKey: nameKey(folder.name),
  updatedAt: folder.createdAt,
});

/** Folders. Those in the trash are not found. */
export function folderRepository(db: Db) {
  return {
    async find(id: Uuid): Promise<Folder | null> {
      return first(
        await run(
          db
            .select(folderColumns)
            .from(folders)
            .where(and(eq(folders.id, id), rawSql(LIVE))),
        ),
      );
    },

    /** The root folder of an owner for one type; null before it is created. */
    async findRoot(ownerId: Uuid, folderType: FolderType): Promise<Folder | null> {
      return first(
        await run(
          db
            .select(folderColumns)
            .from(folders)
            .where(
              and(
                eq(folders.ownerId, ownerId),
                eq(folders.folderType, folderType),
                isNull(folders.parentId),
                rawSql(LIVE),
              ),
            ),
        ),
      );
    },

    /** All folders of an owner of one type: the root, then the others by name. There are at most FOLDERS_MAX. */
    async listByOwner(ownerId: Uuid, folderType: FolderType): Promise<readonly Folder[]> {
      return run(
        db
          .select(folderColumns)
          .from(folders)
          .where(and(eq(folders.ownerId, ownerId), eq(folders.folderType, folderType), rawSql(LIVE)))
          .orderBy(isNotNull(folders.parentId), asc(folders.sortKey), asc(folders.id)),
      );
    },

    /** Creates the missing root folders of an owner and returns the ids of both. */
    async ensureRoots(roots: RootFolders): Promise<Readonly<Record<FolderType, Uuid>>> {
      const [, , rows] = await run(
        db.batch([
          db.insert(folders).values(newFolderRow(roots.space)).onConflictDoNothing(),
          db.insert(folders).values(newFolderRow(roots.media)).onConflictDoNothing(),
          db
            .select({ id: folders.id, folderType: folders.folderType })
            .from(folders)
            .where(and(eq(folders.ownerId, roots.space.ownerId), isNull(folders.parentId), rawSql(LIVE))),
        ]),
      );
      const rootIdOf = (type: FolderType) =>
        rows.find((folder) => folder.folderType === type)?.id ?? roots[type].id;
      return { space: rootIdOf("space"), media: rootIdOf("media") };
    },
  };
}
