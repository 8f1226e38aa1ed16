import { type SQL, sql } from "drizzle-orm";
import type {
  ContentCounts,
  Contents,
  ContentsQuery,
  NewFolder,
  TimedEvent,
  TrashedItem,
  TreeChange,
  TreeChangeOutcome,
  TreeIds,
  TreeItem,
  TreeRestoreOutcome,
  TreeSearchPage,
  TreeSearchQuery,
} from "#functions/services/folders/tree-ports";
import type { UsedItems, UseReader } from "#functions/services/library/item-uses-ports";
import type { AuditEntry, Slice } from "#functions/services/shared/ports";
import { LEAF_OF, TREE_KINDS, type TreeKind } from "~/domain/folders/tree";
import type { Cursor } from "~/domain/shared/cursor";
import { FOLDER_DEPTH_MAX, FOLDERS_MAX } from "~/domain/shared/limits";
import type { Folder, FolderType, Instant, Uuid } from "~/domain/shared/model";
import { nameKey } from "~/domain/shared/text";
import { readMaybePublic } from "../events/maybe-public";
import { IS_LIVE_SOURCE, readUsedItems } from "../library/uses";
import { audit, folders, LIVE, TREE_TRASH_ORDER, TREE_TRASHED } from "../schema";
import { createCursorCondition, sortDirection, toSlice } from "../shared/cursor-page";
import { constants, type Db, rawSql, run, runTogether, sqlList } from "../shared/db";
import { allExist } from "../spaces/spaces";
import { insertAuditEntries } from "../users/audit-entries";
import { folderContentsReader } from "./folder-contents";
import { folderPathReader, selfAndAncestors } from "./folder-path";
import { newFolderRow } from "./folders";
import { treeMatchReader } from "./tree-search";

/** For each kind: its table, the columns of its folder and of its name, and its folder type. */
const TABLES = {
  folder: {
    table: rawSql("folders"),
    parent: rawSql("parent_id"),
    name: rawSql("name"),
    // The qualified name, because a joined root folder also has this column.
    type: rawSql("folders.folder_type"),
  },
  space: {
    table: rawSql("spaces"),
    parent: rawSql("folder_id"),
    name: rawSql("name"),
    type: rawSql("'space'"),
  },
  media: {
    table: rawSql("library_items"),
    parent: rawSql("folder_id"),
    name: rawSql("title"),
    type: rawSql("'media'"),
  },
} as const satisfies Record<TreeKind, Record<"table" | "parent" | "name" | "type", SQL>>;

const kindsIn = (ids: TreeIds) => TREE_KINDS.filter((kind) => ids[kind].length > 0);

/** SQL of the listed folders and all folders below them, each with the listed folder that contains it. */
const withTree = (ids: readonly string[], where = sql``) => sql`WITH RECURSIVE tree(id, root) AS (
  SELECT id, id FROM folders WHERE id IN ${sqlList(ids)} AND deleted_at IS NULL AND parent_id IS NOT NULL${where}
  UNION SELECT f.id, tree.root FROM folders f JOIN tree ON f.parent_id = tree.id WHERE f.deleted_at IS NULL)`;

/** Returns the given folders that contain a space's source file at any depth. The join has a fixed order: folders first. */
const selectFoldersWithSources = (ids: readonly string[]) => sql`(${withTree(ids)} SELECT tree.root FROM tree
  CROSS JOIN library_items ON library_items.folder_id = tree.id WHERE library_items.deleted_at IS NULL AND ${rawSql(IS_LIVE_SOURCE)})`;

/** The depth of a folder: the number of its ancestors and itself, without the root folder. */
export const selectDepth = (id: SQL) => sql`(SELECT count(*) - 1 FROM ${selfAndAncestors(id)})`;

/** The number of levels from a folder downwards, including itself. @param isIn condition for the folders `f` that count */
const selectHeight = (id: SQL, isIn: SQL) => sql`(WITH RECURSIVE down(id, depth) AS (SELECT ${id}, 1
  UNION SELECT f.id, down.depth + 1 FROM folders f JOIN down ON f.parent_id = down.id WHERE ${isIn})
  SELECT max(depth) FROM down)`;

/** The number of an owner's folders in a tree. */
export const selectFolderCount = ({ ownerId, folderType }: Pick<Folder, "ownerId" | "folderType">) =>
  sql`(SELECT count(*) FROM folders counted WHERE counted.owner_id = ${ownerId} AND counted.folder_type = ${folderType} AND counted.deleted_at IS NULL)`;

/** Condition: the item may be placed in the folder, which exists. */
const fitsInto = (kind: TreeKind, target: Folder) => {
  const { table, type } = TABLES[kind];
  return sql`${table}.owner_id = ${target.ownerId} AND ${type} = ${target.folderType}
    AND EXISTS (SELECT 1 FROM folders target WHERE target.id = ${target.id} AND target.deleted_at IS NULL)
    ${kind === "folder" ? sql`AND ${table}.id NOT IN ${selfAndAncestors(sql`${target.id}`)}` : sql``}`;
};

/** Condition: the folder, with its subfolders, would be too deep in another one. */
const isTooDeep = (target: Folder) =>
  sql`${selectDepth(sql`${target.id}`)} + ${selectHeight(rawSql("folders.id"), rawSql("f.deleted_at IS NULL"))} > ${FOLDER_DEPTH_MAX}`;

/** Writes the entries whose items fulfil a condition at that moment. */
function writeEntries(kind: TreeKind, entries: readonly AuditEntry[], where: SQL) {
  const { table } = TABLES[kind];
  const kindEntries = entries.filter(({ resourceType }) => resourceType === kind);
  return sql`${insertAuditEntries(kindEntries)} JOIN ${table} ON ${table}.id = json_each.value ->> 'resourceId' WHERE ${where}`;
}

type IdRow = { readonly id: string };

const listIds = (results: readonly (readonly unknown[])[]) =>
  results.flatMap((rows) => (rows as readonly IdRow[]).map(({ id }) => id));

/** Creates the SQL row of a trashed item of one kind. */
const trashedRow = (kind: TreeKind) => {
  const { table, name } = TABLES[kind];
  const countOfKind = (other: TreeKind) =>
    sql`(SELECT count(*) FROM ${TABLES[other].table} held WHERE held.deleted_with = ${table}.id)`;
  return sql`SELECT ${table}.id, ${kind} AS kind, ${name} AS name, owner_id AS ownerId, group_id AS groupId,
    deleted_at AS deletedAt, ${rawSql(TREE_TRASH_ORDER)} AS sortKey,
    ${countOfKind("folder")} + ${countOfKind("space")} + ${countOfKind("media")} - 1 AS containedCount FROM ${table}`;
};

/** Folders and their content. Only methods with "trash" in their comment return items in the trash. */
export function treeRepository(db: Db) {
  const list = folderContentsReader(db);
  const search = treeMatchReader(db);
  return {
    /** The existing items among the given ids, in one round trip. */
    async find(ids: TreeIds): Promise<readonly TreeItem[]> {
      const results = await runTogether(
        db,
        kindsIn(ids).map((kind) => {
          const { table, parent, name, type } = TABLES[kind];
          return sql`SELECT id, ${kind} AS kind, ${type} AS folderType, owner_id AS ownerId, group_id AS groupId,
            ${parent} AS parentId, ${name} AS name, version FROM ${table} WHERE id IN ${sqlList(ids[kind])} AND ${rawSql(LIVE)}`;
        }),
      );
      return results.flat() as readonly TreeItem[];
    },

    /** A folder with its ancestors; null when it does not exist. */
    findPath: folderPathReader(db),

    /** Counts the items in the folders and below. A listed folder inside another one is not counted. */
    async countContents(folderIds: readonly Uuid[]): Promise<ContentCounts> {
      const within = sql`folder_id IN (SELECT id FROM tree) AND ${rawSql(LIVE)}`;
      const [row] = await run(
        db.all<Record<TreeKind, number>>(sql`${withTree(folderIds)} SELECT
          (SELECT count(DISTINCT id) FROM tree WHERE id NOT IN ${sqlList(folderIds)}) AS folder,
          (SELECT count(*) FROM spaces WHERE ${within}) AS space,
          (SELECT count(*) FROM library_items WHERE ${within}) AS media`),
      );
      return row ?? { folder: 0, space: 0, media: 0 };
    },

    /** The uses of the media, and of the media in the folders and below. Null as reader: all names are visible. */
    findUses: (ids: TreeIds, reader: UseReader | null): Promise<UsedItems> =>
      readUsedItems(db, {
        items: ids.media,
        within: sql`${withTree(ids.folder)} SELECT id FROM tree`,
        reader,
      }),

    /** Events of the spaces, and of the spaces in the folders and below, that may be public by their settings. */
    findMaybePublic: (ids: TreeIds): Promise<readonly TimedEvent[]> =>
      readMaybePublic(db, { spaces: ids.space, within: sql`${withTree(ids.folder)} SELECT id FROM tree` }),

    /** A page of a folder's direct content. Its cost does not depend on the size of the folder. */
    list: (query: ContentsQuery, size: number): Promise<Contents> => list(query, size),

    /** A page of the items in whole trees whose names match. Its cost does not depend on the size of the trees. */
    search: (query: TreeSearchQuery, size: number): Promise<TreeSearchPage> => search(query, size),

    /** Adds a folder, unless its parent was deleted, it would be too deep, or the account has no room for it. */
    async createFolder(folder: NewFolder, entry: AuditEntry) {
      const hasParent = sql`${folders.id} = ${folder.parentId} AND ${folders.ownerId} = ${folder.ownerId}
        AND ${folders.folderType} = ${folder.folderType} AND ${rawSql(LIVE)}`;
      const isDepthAllowed = sql`${selectDepth(sql`${folder.parentId}`)} < ${FOLDER_DEPTH_MAX}`;
      const hasRoom = sql`${selectFolderCount(folder)} < ${FOLDERS_MAX}`;
      const guard = sql`${hasParent} AND ${isDepthAllowed} AND ${hasRoom}`;
      const [parentRows, , created] = await run(
        db.batch([
          db
            .select({
              fitsDepth: sql<number>`${isDepthAllowed}`.as("fits_depth"),
              hasRoom: sql<number>`${hasRoom}`.as("has_room"),
            })
            .from(folders)
            .where(hasParent),
          db.insert(audit).select(db.select(constants(audit, entry)).from(folders).where(guard)),
          db
            .insert(folders)
            .select(
              db
                .select(constants(folders, newFolderRow(folder)))
                .from(folders)
                .where(guard),
            )
            .returning({ id: folders.id }),
        ]),
      );
      if (created.length > 0) return "created";
      if (!parentRows[0]) return "gone";
      return parentRows[0].fitsDepth ? "too_many_folders" : "too_deep";
    },

    /** Renames an item of the given version. Returns false if it has another version or was deleted. */
    async rename(
      { kind, id, version }: Pick<TreeItem, "id" | "kind" | "version">,
      name: string,
      now: Instant,
      entry: AuditEntry,
    ) {
      const { table, name: column } = TABLES[kind];
      const where = sql`${table}.id = ${id} AND version = ${version} AND ${rawSql(LIVE)}`;
      const [, renamed] = await runTogether(db, [
        writeEntries(kind, [entry], where),
        sql`UPDATE ${table} SET ${column} = ${name}, search_key = ${nameKey(name)}, updated_at = ${now},
          version = version + 1 WHERE ${where} RETURNING id`,
      ]);
      return (renamed?.length ?? 0) > 0;
    },

    /**
     * Changes one item of the given version with its audit entries, or nothing. "stale": it has another version, or is in the trash. "gone": the
     * target folder does not exist or is inside the item. "no_media": a new file of a space does not exist.
     */
    async change(
      { id, kind, version }: Pick<TreeItem, "id" | "kind" | "version">,
      { name, folder, source }: TreeChange,
      now: Instant,
      entries: readonly AuditEntry[],
    ): Promise<TreeChangeOutcome> {
      const { table, parent, name: column } = TABLES[kind];
      const isUnchanged = sql`${table}.id = ${id} AND ${table}.version = ${version} AND ${rawSql(LIVE)}`;
      const guards = {
        fits: folder ? fitsInto(kind, folder) : sql`1`,
        isDepthAllowed: folder && kind === "folder" ? sql`NOT (${isTooDeep(folder)})` : sql`1`,
        hasFiles: source ? allExist(source.newFiles) : sql`1`,
      };
      const where = sql`${isUnchanged} AND ${guards.fits} AND ${guards.isDepthAllowed} AND ${guards.hasFiles}`;
      const values = [
        ...(name === undefined ? [] : [sql`${column} = ${name}, search_key = ${nameKey(name)}`]),
        ...(folder ? [sql`${parent} = ${folder.id}`] : []),
        ...(source
          ? [
              sql`source = ${JSON.stringify(source.source)}, sid = ${source.sid}, poster_media_id = ${source.posterMediaId}`,
            ]
          : []),
        sql`updated_at = ${now}, version = version + 1`,
      ];
      const [currentRows, , changed] = await runTogether(db, [
        sql`SELECT ${guards.fits} AS fits, ${guards.isDepthAllowed} AS isDepthAllowed, ${guards.hasFiles} AS hasFiles
          FROM ${table} WHERE ${isUnchanged}`,
        writeEntries(kind, entries, where),
        sql`UPDATE ${table} SET ${sql.join(values, sql`, `)} WHERE ${where} RETURNING id`,
      ]);
      if ((changed?.length ?? 0) > 0) return "changed";
      const checks = currentRows?.[0] as Readonly<Record<keyof typeof guards, number>> | undefined;
      if (!checks) return "stale";
      if (!checks.fits) return "gone";
      return checks.isDepthAllowed ? "no_media" : "too_deep";
    },

    /**
     * Moves items into a folder, in one batch with their audit entries. Items that do not exist, contain the target, or would be too deep are not
     * moved.
     * @returns the ids of the items that are now in the folder, and of those that would be too deep
     */
    async move(
      ids: TreeIds,
      target: Folder,
      now: Instant,
      entries: readonly AuditEntry[],
    ): Promise<{ readonly movedIds: readonly Uuid[]; readonly tooDeep: readonly Uuid[] }> {
      const mayMove = (kind: TreeKind) => {
        const { table, parent } = TABLES[kind];
        return sql`${table}.id IN ${sqlList(ids[kind])} AND ${rawSql(LIVE)} AND ${parent} <> ${target.id} AND ${fitsInto(kind, target)}`;
      };
      const wouldBeTooDeep = isTooDeep(target);
      const kinds = kindsIn(ids);
      const statements = kinds.flatMap((kind) => {
        const { table, parent } = TABLES[kind];
        const where = kind === "folder" ? sql`${mayMove(kind)} AND NOT (${wouldBeTooDeep})` : mayMove(kind);
        return [
          writeEntries(kind, entries, where),
          sql`UPDATE ${table} SET ${parent} = ${target.id}, updated_at = ${now}, version = version + 1 WHERE ${where}`,
          sql`SELECT id FROM ${table} WHERE id IN ${sqlList(ids[kind])} AND ${rawSql(LIVE)} AND ${parent} = ${target.id}`,
        ];
      });
      const selectTooDeep = sql`SELECT id FROM folders WHERE ${mayMove("folder")} AND ${wouldBeTooDeep}`;
      const results = await runTogether(
        db,
        ids.folder.length === 0 ? statements : [...statements, selectTooDeep],
      );
      const statementCount = statements.length;
      return {
        movedIds: listIds(results.filter((_, i) => i < statementCount && i % 3 === 2)),
        tooDeep: listIds(results.slice(statementCount)),
      };
    },

    /**
     * Moves items to the trash with all of their contents, in one batch. A file that is a space's source stays, and so does the folder that contains
     * it, unless the space is moved as well.
     * @param version moves the given items only if they still have this version; null for any version
     * @returns the ids of the deleted items, and of those that were kept because they are in use
     */
    async trash(
      ids: TreeIds,
      userId: Uuid,
      now: Instant,
      entries: readonly AuditEntry[],
      version: number | null = null,
    ): Promise<{ readonly deletedIds: readonly Uuid[]; readonly inUse: readonly Uuid[] }> {
      const containsSource = sql`folders.id IN ${selectFoldersWithSources(ids.folder)}`;
      const inUseConditions: Readonly<Record<TreeKind, SQL>> = {
        folder: containsSource,
        space: sql`0`,
        media: rawSql(IS_LIVE_SOURCE),
      };
      const isKept = (kind: TreeKind) =>
        version === null
          ? inUseConditions[kind]
          : sql`(${inUseConditions[kind]} OR ${TABLES[kind].table}.version <> ${version})`;
      const trashStatement = (kind: TreeKind) => {
        const { table, parent } = TABLES[kind];
        const isListed = sql`(${table}.id IN ${sqlList(ids[kind])} AND NOT ${isKept(kind)})`;
        const treeIds = sql`SELECT id FROM tree`;
        const folderId = kind === "folder" ? rawSql("folders.id") : sql`${table}.${parent}`;
        return sql`${withTree(ids.folder, sql` AND NOT ${isKept("folder")}`)} UPDATE ${table} SET deleted_at = ${now}, deleted_by = ${userId},
          deleted_with = iif(${isListed}, ${table}.id, (SELECT root FROM tree WHERE tree.id = ${folderId} LIMIT 1)),
          updated_at = ${now}, version = version + 1
          WHERE ${rawSql(LIVE)} AND ${parent} IS NOT NULL AND (${isListed} OR ${folderId} IN (${treeIds}))`;
      };
      const trashEntries = (kind: TreeKind) =>
        ids[kind].length === 0
          ? []
          : [
              writeEntries(
                kind,
                entries,
                sql`${TABLES[kind].parent} IS NOT NULL AND ${rawSql(LIVE)} AND NOT ${isKept(kind)}`,
              ),
            ];
      const listKind = (kind: TreeKind) =>
        sql`SELECT id FROM ${TABLES[kind].table} WHERE id IN ${sqlList(ids[kind])}`;
      const kinds = kindsIn(ids);
      const checkedKinds = kinds.filter((kind) => kind !== "space");
      const results = await runTogether(db, [
        // Spaces first, because the files that they use may be deleted too. Folders last, because they are needed to find their
        // content.
        ...trashEntries("space"),
        trashStatement("space"),
        ...trashEntries("media"),
        ...trashEntries("folder"),
        trashStatement("media"),
        trashStatement("folder"),
        ...kinds.map(
          (kind) =>
            sql`${listKind(kind)} AND ${rawSql(TREE_TRASHED)} AND deleted_at = ${now} AND deleted_by = ${userId}`,
        ),
        ...checkedKinds.map(
          (kind) => sql`${listKind(kind)} AND ${rawSql(LIVE)} AND ${inUseConditions[kind]}`,
        ),
      ]);
      const resultRows = results.slice(results.length - kinds.length - checkedKinds.length);
      return {
        deletedIds: listIds(resultRows.slice(0, kinds.length)),
        inUse: listIds(resultRows.slice(kinds.length)),
      };
    },

    /** An owner's items in the trash that were deleted at `since` or later, newest first. */
    async listTrash(
      {
        ownerId,
        folderType,
        since,
        cursor,
      }: {
        readonly ownerId: Uuid;
        readonly folderType: FolderType;
        readonly since: Instant;
        readonly cursor: Cursor;
      },
      size: number,
    ): Promise<Slice<TrashedItem>> {
      const kinds = kindsOf(folderType);
      const sortKeyQueries = kinds.map(
        (kind) => sql`SELECT ${rawSql(TREE_TRASH_ORDER)} FROM ${TABLES[kind].table} WHERE id = `,
      );
      const sortKey = rawSql(TREE_TRASH_ORDER);
      const selectSortKey = (id: string) =>
        sql`(${sql.join(
          sortKeyQueries.map((select) => sql`${select}${id}`),
          sql` UNION ALL `,
        )})`;
      const direction = sortDirection(cursor, true);
      const limit = rawSql(String(size + 1));
      const cursorCondition = createCursorCondition(cursor, true, sortKey, selectSortKey);
      const streams = kinds.map((kind) => {
        const typeCondition = kind === "folder" ? sql` AND folder_type = ${folderType}` : sql``;
        return sql`SELECT * FROM (${trashedRow(kind)} WHERE owner_id = ${ownerId} AND ${rawSql(TREE_TRASHED)}
          AND ${sortKey} >= ${since}${typeCondition}${cursorCondition} ORDER BY ${sortKey} ${direction} LIMIT ${limit})`;
      });
      const rows = await run(
        db.all<TrashedItem>(
          sql`${sql.join(streams, sql` UNION ALL `)} ORDER BY sortKey ${direction} LIMIT ${limit}`,
        ),
      );
      return toSlice(rows, size, cursor);
    },

    /** The given items, if they are in the trash, and were deleted at `since` or later and not with their folder. */
    async findTrashed(ids: TreeIds, since: Instant): Promise<readonly TrashedItem[]> {
      const results = await runTogether(
        db,
        kindsIn(ids).map(
          (kind) =>
            sql`${trashedRow(kind)} WHERE ${TABLES[kind].table}.id IN ${sqlList(ids[kind])}
            AND ${rawSql(TREE_TRASHED)} AND deleted_at >= ${since}`,
        ),
      );
      return results.flat() as readonly TrashedItem[];
    },

    /**
     * Restores an item from the trash with everything that was deleted with it, to its folder, or to the owner's root folder if its folder was deleted. Restores
     * nothing if the account has no room for all of it, the item would be too deep, or a space's source file is in the trash.
     */
    async restore(
      { id, kind, ownerId }: Pick<TrashedItem, "id" | "kind" | "ownerId">,
      since: Instant,
      now: Instant,
      entry: AuditEntry,
    ): Promise<TreeRestoreOutcome> {
      const { table } = TABLES[kind];
      const addedAmount = (amount: SQL, from: SQL) =>
        sql`(SELECT ${amount} FROM ${from} WHERE deleted_with = ${id})`;
      const spaceCount = addedAmount(sql`count(*)`, rawSql("spaces"));
      const byteCount = addedAmount(
        sql`coalesce(sum(byte_size + still_size + prepared_size), 0)`,
        rawSql("library_items"),
      );
      const hasLicense = sql`(${spaceCount} = 0 OR space_count + ${spaceCount} <= space_license)`;
      const hasStorage = sql`(${byteCount} = 0 OR storage_used + ${byteCount} <= storage_limit)`;
      // A space without its source file would be empty, and would prevent the file from ever being purged.
      const hasFiles = sql`NOT EXISTS (SELECT 1 FROM spaces s JOIN space_files f ON f.space_id = s.id
        JOIN library_items i ON i.id = f.library_item_id
        WHERE s.deleted_with = ${id} AND i.deleted_at IS NOT NULL AND instr(s.source, i.id) > 0)`;
      // The target folder may be deeper now, and the account may have reached its limit of folders.
      const targetFolder = sql`(SELECT around.id FROM folders own JOIN folders around ON around.id = own.parent_id
        WHERE own.id = ${id} AND around.deleted_at IS NULL)`;
      const isDepthAllowed =
        kind === "folder"
          ? sql`max(${selectDepth(targetFolder)}, 0) + ${selectHeight(sql`${id}`, sql`f.deleted_with = ${id}`)} <= ${FOLDER_DEPTH_MAX}`
          : sql`1`;
      const folderCount = (condition: SQL) =>
        sql`(SELECT count(*) FROM folders x WHERE x.owner_id = ${ownerId} AND x.folder_type = back.folder_type AND ${condition})`;
      const hasFolders =
        kind === "folder"
          ? sql`EXISTS (SELECT 1 FROM folders back WHERE back.id = ${id} AND ${folderCount(rawSql("x.deleted_at IS NULL"))}
            + ${addedAmount(sql`count(*)`, rawSql("folders"))} <= ${FOLDERS_MAX})`
          : sql`1`;
      const isRestorable = sql`EXISTS (SELECT 1 FROM users WHERE users.id = ${ownerId} AND ${hasLicense} AND ${hasStorage})
        AND ${hasFiles} AND ${isDepthAllowed} AND ${hasFolders}`;
      const restoreStatement = (itemKind: TreeKind) => {
        const { table: itemTable, parent, type } = TABLES[itemKind];
        const hasParent = sql`EXISTS (SELECT 1 FROM folders around WHERE around.id = ${itemTable}.${parent} AND around.deleted_at IS NULL)`;
        const root = sql`(SELECT root.id FROM folders root WHERE root.owner_id = ${itemTable}.owner_id AND root.folder_type = ${type}
          AND root.parent_id IS NULL AND root.deleted_at IS NULL)`;
        return sql`UPDATE ${itemTable} SET deleted_at = NULL, deleted_by = NULL, deleted_with = NULL, updated_at = ${now},
          version = version + 1, ${parent} = iif(${itemTable}.id <> ${id} OR ${hasParent}, ${parent}, ${root})
          WHERE deleted_with = ${id} AND deleted_at >= ${since} AND ${isRestorable}`;
      };
      const results = await runTogether(db, [
        sql`SELECT ${hasLicense} AS license, ${hasStorage} AS storage, ${hasFiles} AS files, ${isDepthAllowed} AS depth,
          ${hasFolders} AS folders FROM users WHERE users.id = ${ownerId}`,
        writeEntries(
          kind,
          [entry],
          sql`${table}.deleted_with = ${id} AND deleted_at >= ${since} AND ${isRestorable}`,
        ),
        restoreStatement("space"),
        restoreStatement("media"),
        restoreStatement("folder"),
        sql`SELECT id FROM ${table} WHERE id = ${id} AND ${rawSql(LIVE)}`,
      ]);
      if ((results.at(-1)?.length ?? 0) > 0) return "restored";
      const checks = results[0]?.[0] as Readonly<Record<string, number>> | undefined;
      if (checks?.license === 0) return "space_license";
      if (checks?.storage === 0) return "library_capacity";
      if (checks?.files === 0) return "source_in_trash";
      if (checks?.depth === 0) return "too_deep";
      return checks?.folders === 0 ? "too_many_folders" : "gone";
    },
  };
}

/** Kinds of items in the trash of a folder type. */
const kindsOf = (folderType: FolderType): readonly TreeKind[] => ["folder", LEAF_OF[folderType]];
