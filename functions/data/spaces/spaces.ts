import { and, eq, type SQL, sql } from "drizzle-orm";
import type { NewEvent } from "#functions/services/events/event-ports";
import type { AuditEntry, Page, Slice } from "#functions/services/shared/ports";
import type { NewSpace, SpaceChange, SpaceQuery } from "#functions/services/spaces/space-ports";
import type { Cursor } from "~/domain/shared/cursor";
import type { Space, Uuid } from "~/domain/shared/model";
import { nameKey } from "~/domain/shared/text";
import { listSourceFileIds } from "~/domain/spaces/space-source.schema";
import { newEventRow } from "../events/events";
import { hasRoomForContent, insertNewContent } from "../events/new-content";
import { audit, events, folders, LIVE, libraryItems, spaces, TREE_ORDERS, users } from "../schema";
import { spaceColumns } from "../shared/columns";
import { createCursorCondition, sortDirection, toSlice } from "../shared/cursor-page";
import { constants, createPage, type Db, first, getRowOffset, rawSql, run, sqlList } from "../shared/db";
import { prepareRead } from "../shared/prepared-read";
import { hasEventRoom } from "../users/owner-limits";

const newSpaceRow = (space: NewSpace) => ({
  ...space,
  searchKey: nameKey(space.name),
  updatedAt: space.createdAt,
});

/** Condition: all of these library items exist and are not in the trash. */
export const allExist = (ids: readonly Uuid[]): SQL =>
  ids.length === 0
    ? sql`1`
    : sql`(SELECT count(*) FROM ${libraryItems} WHERE ${libraryItems.id} IN ${sqlList(ids)} AND ${libraryItems.deletedAt} IS NULL) = ${new Set(ids).size}`;

const CREATED = rawSql(TREE_ORDERS.created);

/** A query for rows of a list of spaces, in the order of their creation. */
interface SpaceRowsQuery {
  readonly query: Omit<SpaceQuery, "page">;
  readonly direction: SQL;
  /** Number of rows to return after those that are skipped. */
  readonly limit: number;
  readonly skipped?: number;
  /** A further condition, which begins with AND. */
  readonly filter?: SQL;
}

/**
 * Selects rows of a list of spaces. The spaces of the owner and of each group are read separately, each in the order of its index, and then merged,
 * so that the cost does not depend on the number of spaces.
 */
function selectRows(db: Db, { query, direction, limit, skipped = 0, filter = sql`` }: SpaceRowsQuery) {
  const { ownerId, groupIds, isGroupsOnly, folderId } = query;
  const selectFirst = (where: SQL) =>
    sql`SELECT id FROM (SELECT id FROM spaces WHERE ${where} AND ${rawSql(LIVE)}${filter} ORDER BY ${CREATED} ${direction} LIMIT ${limit + skipped})`;
  const selectOfGroups = (where: SQL) =>
    sql`SELECT found.id FROM json_each(${JSON.stringify(groupIds)}) CROSS JOIN spaces found ON found.id IN (${selectFirst(sql`group_id = json_each.value${where}`)})`;
  const isInFolder = sql`folder_id = ${folderId}`;
  const foundIds =
    folderId === null
      ? sql`${selectFirst(sql`owner_id = ${ownerId}`)} UNION ${selectOfGroups(sql``)}`
      : isGroupsOnly
        ? selectOfGroups(sql` AND ${isInFolder}`)
        : selectFirst(isInFolder);
  // The unary plus prevents SQLite from reading the order's index instead of the merged rows.
  return db
    .select(spaceColumns)
    .from(spaces)
    .where(sql`${spaces.id} IN (${foundIds})`)
    .orderBy(sql`+(${CREATED}) ${direction}`)
    .limit(limit)
    .offset(skipped);
}

/** Selects the number of spaces of a list. The owner's spaces are counted by triggers. */
function selectTotal(db: Db, { ownerId, groupIds, isGroupsOnly, folderId }: Omit<SpaceQuery, "page">) {
  const isShared = sql`group_id IN ${sqlList(groupIds)}`;
  const countSpaces = (where: SQL) =>
    sql<number>`(SELECT count(*) FROM spaces WHERE ${where} AND ${rawSql(LIVE)})`;
  const total =
    folderId === null
      ? sql<number>`${users.spaceCount} + ${countSpaces(sql`${isShared} AND owner_id <> ${ownerId}`)}`
      : countSpaces(sql`folder_id = ${folderId}${isGroupsOnly ? sql` AND ${isShared}` : sql``}`);
  return db
    .select({ total: total.as("total") })
    .from(users)
    .where(eq(users.id, ownerId));
}

/** Spaces. Those in the trash are not found. */
export function spaceRepository(db: Db) {
  const findById = prepareRead<{ readonly id: Uuid }, Space>(db, () =>
    db
      .select(spaceColumns)
      .from(spaces)
      .where(and(eq(spaces.id, sql.placeholder("id")), rawSql(LIVE))),
  );
  return {
    find: async (id: Uuid): Promise<Space | null> => first(await findById({ id })),

    /** Newest first. */
    async list({ page, ...query }: SpaceQuery): Promise<Page<Space>> {
      const [total, items] = await run(
        db.batch([
          selectTotal(db, query),
          selectRows(db, {
            query,
            direction: rawSql("DESC"),
            limit: page.pageSize,
            skipped: getRowOffset(page),
          }),
        ]),
      );
      return createPage(page, items, total[0]?.total ?? 0);
    },

    /** A page of spaces at a cursor, newest first. */
    async slice(query: Omit<SpaceQuery, "page">, cursor: Cursor, size: number): Promise<Slice<Space>> {
      const cursorCondition = createCursorCondition(
        cursor,
        true,
        CREATED,
        (id) => sql`(SELECT at.created_at || at.id FROM spaces at WHERE at.id = ${id})`,
      );
      const direction = sortDirection(cursor, true);
      const rows = await run(selectRows(db, { query, direction, limit: size + 1, filter: cursorCondition }));
      return toSlice(rows, size, cursor);
    },

    /**
     * Atomically adds a space and its first event, unless a limit of the owner is reached. The guard is part of the statement, so that concurrent
     * requests cannot exceed a limit. "no_folder": the folder is not a space folder of that owner, or the folder or the owner was deleted.
     * "no_media": one of the space's files was deleted.
     */
    async createWithFirstEvent(space: NewSpace, event: NewEvent, entry: AuditEntry) {
      const hasRoom = sql`${users.spaceCount} < ${users.spaceLicense}`;
      const hasEvents = hasEventRoom(rawSql("users.id"), 1);
      const hasContent = hasRoomForContent(event, rawSql("users.id"));
      const hasFiles = allExist([
        ...new Set([
          ...listSourceFileIds(space.source),
          ...(space.posterMediaId ? [space.posterMediaId] : []),
        ]),
      ]);
      const selectFolder = db
        .select({ id: folders.id })
        .from(folders)
        .where(
          and(
            eq(folders.id, space.folderId),
            eq(folders.ownerId, space.ownerId),
            eq(folders.folderType, "space"),
            rawSql(LIVE),
          ),
        );
      const [ownerRows, folderRows, inserted] = await run(
        db.batch([
          db
            .select({
              hasRoom: sql<number>`${hasRoom}`.as("has_room"),
              hasEvents: sql<number>`${hasEvents}`.as("has_events"),
              hasContent: sql<number>`${hasContent}`.as("has_content"),
            })
            .from(users)
            .where(and(eq(users.id, space.ownerId), rawSql(LIVE))),
          selectFolder,
          db
            .insert(spaces)
            .select(
              db
                .select(constants(spaces, newSpaceRow(space)))
                .from(users)
                .where(
                  and(
                    ...[eq(users.id, space.ownerId), hasRoom, hasEvents, hasContent, hasFiles],
                    ...[rawSql(LIVE), sql`EXISTS ${selectFolder}`],
                  ),
                ),
            )
            .returning({ id: spaces.id }),
          db.insert(events).select(
            db
              .select(constants(events, newEventRow(event)))
              .from(spaces)
              .where(eq(spaces.id, space.id)),
          ),
          ...insertNewContent(db, event),
          db
            .insert(audit)
            .select(db.select(constants(audit, entry)).from(spaces).where(eq(spaces.id, space.id))),
        ]),
      );
      if (inserted.length === 1) return "created";
      if (folderRows.length === 0 || ownerRows.length === 0) return "no_folder";
      if (!ownerRows[0]?.hasRoom) return "license_reached";
      if (!ownerRows[0].hasContent) return "content_full";
      return ownerRows[0].hasEvents ? "no_media" : "too_many_events";
    },

    /** Changes a space's source or thumbnail, if it has this version and its new files are not in the trash. */
    async changeSource(
      { id, version }: { readonly id: Uuid; readonly version: number },
      { newFiles, ...change }: SpaceChange,
      entry: AuditEntry,
    ) {
      const isCurrent = and(eq(spaces.id, id), eq(spaces.version, version), rawSql(LIVE));
      const [currentRows, , changed] = await run(
        db.batch([
          db.select({ version: spaces.version }).from(spaces).where(isCurrent),
          db.insert(audit).select(
            db
              .select(constants(audit, entry))
              .from(spaces)
              .where(and(isCurrent, allExist(newFiles))),
          ),
          db
            .update(spaces)
            .set({ ...change, version: version + 1 })
            .where(and(isCurrent, allExist(newFiles)))
            .returning({ id: spaces.id }),
        ]),
      );
      if (changed.length === 1) return "changed";
      return currentRows.length === 0 ? "stale" : "no_media";
    },
  };
}
