import { and, asc, eq, isNotNull, isNull } from "drizzle-orm";
import type { FolderRepository, NewFolder } from "#functions/services/ports";
import type { FolderType } from "~/domain/model";
import { nameKey } from "~/domain/text";
import { folderColumns } from "./columns";
import { type Db, first, plain, run } from "./db";
import { folders, LIVE } from "./schema";

export const newFolderRow = (folder: NewFolder) => ({
  ...folder,
  searchKey: nameKey(folder.name),
  updatedAt: folder.createdAt,
});

export function folderRepository(db: Db): FolderRepository {
  return {
    async find(id) {
      return first(
        await run(
          db
            .select(folderColumns)
            .from(folders)
            .where(and(eq(folders.id, id), plain(LIVE))),
        ),
      );
    },

    async findRoot(ownerId, folderType) {
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
                plain(LIVE),
              ),
            ),
        ),
      );
    },

    async listByOwner(ownerId, folderType) {
      return run(
        db
          .select(folderColumns)
          .from(folders)
          .where(and(eq(folders.ownerId, ownerId), eq(folders.folderType, folderType), plain(LIVE)))
          .orderBy(isNotNull(folders.parentId), asc(folders.name), asc(folders.id)),
      );
    },

    async ensureRoots(roots) {
      const [, , found] = await run(
        db.batch([
          db.insert(folders).values(newFolderRow(roots.space)).onConflictDoNothing(),
          db.insert(folders).values(newFolderRow(roots.media)).onConflictDoNothing(),
          db
            .select({ id: folders.id, folderType: folders.folderType })
            .from(folders)
            .where(and(eq(folders.ownerId, roots.space.ownerId), isNull(folders.parentId), plain(LIVE))),
        ]),
      );
      const idOf = (type: FolderType) =>
        found.find((folder) => folder.folderType === type)?.id ?? roots[type].id;
      return { space: idOf("space"), media: idOf("media") };
    },
  };
}
