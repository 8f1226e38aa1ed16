import { and, asc, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { AuditEntry, Slice } from "#functions/services/shared/ports";
import type { Member, SharedItem, SharedKind } from "#functions/services/users/user-ports";
import type { Cursor } from "~/domain/shared/cursor";
import type { Group, Instant, Uuid } from "~/domain/shared/model";
import { nameKey } from "~/domain/shared/text";
import {
  audit,
  folders,
  GROUP_ORDERS,
  groupMembers,
  groups,
  IN_TRASH,
  LIVE,
  libraryItems,
  MEMBER_ORDER,
  spaces,
  users,
} from "../schema";
import { createCursorCondition, sortDirection, toSlice } from "../shared/cursor-page";
import { constants, type Db, first, rawSql, run, sqlList } from "../shared/db";
import { prepareSql } from "../shared/prepared-read";

const columns = {
  id: groups.id,
  name: groups.name,
  memberCount: groups.memberCount,
  createdAt: groups.createdAt,
  version: groups.version,
  deletedAt: groups.deletedAt,
};

const personColumns = {
  id: users.id,
  firstName: users.firstName,
  lastName: users.lastName,
  email: users.email,
};

const SHARED_TABLES = { folder: folders, space: spaces, media: libraryItems } as const satisfies Record<
  SharedKind,
  unknown
>;

/** Groups, their members, and the items that are shared with them. */
export function groupRepository(db: Db) {
  const readNameOfSpace = prepareSql<{ readonly spaceId: Uuid }, { readonly name: string }>(
    db,
    () => sql`SELECT g.name AS name FROM spaces s JOIN groups g ON g.id = s.group_id AND g.deleted_at IS NULL
      WHERE s.id = ${sql.placeholder("spaceId")}`,
  );
  const selectGroup = (id: string) => db.select(columns).from(groups).where(eq(groups.id, id));
  const isLiveGroup = (id: string) =>
    sql`EXISTS (SELECT 1 FROM groups WHERE id = ${id} AND deleted_at IS NULL)`;

  /** Condition: no other live group has the name. @param key expression for the name's key */
  const nameIsFree = (id: string, key: SQL) =>
    sql`NOT EXISTS (SELECT 1 FROM groups twin WHERE twin.name_key = ${key} AND twin.deleted_at IS NULL AND twin.id <> ${id})`;

  return {
    /** Name of the group with which a space is shared; null for none, and for a group in the trash. */
    findNameOfSpace: async (spaceId: Uuid) => first(await readNameOfSpace({ spaceId }))?.name ?? null,

    /** Newest first; groups in the trash by deletion, latest first. */
    async list(
      { trash, cursor }: { readonly trash: boolean; readonly cursor: Cursor },
      size: number,
    ): Promise<Slice<Group>> {
      const sortKey = rawSql(trash ? GROUP_ORDERS.trash : GROUP_ORDERS.live);
      const cursorCondition = createCursorCondition(
        cursor,
        true,
        sortKey,
        (id) => sql`(SELECT ${sortKey} FROM groups WHERE id = ${id})`,
      );
      const rows = await run(
        db
          .select(columns)
          .from(groups)
          .where(sql`${rawSql(trash ? IN_TRASH : LIVE)}${cursorCondition}`)
          .orderBy(sql`${sortKey} ${sortDirection(cursor, true)}`)
          .limit(size + 1),
      );
      return toSlice(rows, size, cursor);
    },

    /** Includes groups in the trash. */
    async find(id: Uuid): Promise<Group | null> {
      return first(await run(selectGroup(id)));
    },

    /** Live groups of a user, by name. A user has few. */
    async listByMember(userId: Uuid): Promise<readonly Group[]> {
      return run(
        db
          .select(columns)
          .from(groupMembers)
          .innerJoin(groups, eq(groups.id, groupMembers.groupId))
          .where(and(eq(groupMembers.userId, userId), sql`${groups.deletedAt} IS NULL`))
          .orderBy(asc(groups.name), asc(groups.id)),
      );
    },

    /** Returns false when another live group has the name. */
    async create(
      group: { readonly id: Uuid; readonly name: string; readonly createdAt: Instant },
      entry: AuditEntry,
    ) {
      const row = { ...group, nameKey: nameKey(group.name), updatedAt: group.createdAt };
      const [created] = await run(
        db.batch([
          db
            .insert(groups)
            .select(
              db
                .select(constants(groups, row))
                .from(sql`(SELECT 1)`)
                .where(nameIsFree(group.id, sql`${row.nameKey}`)),
            )
            .returning({ id: groups.id }),
          db
            .insert(audit)
            .select(db.select(constants(audit, entry)).from(groups).where(eq(groups.id, group.id))),
        ]),
      );
      return created.length > 0;
    },

    /** Returns false when the group has another version or is in the trash, or another live group has the name. */
    async rename(id: Uuid, version: number, name: string, now: Instant, entry: AuditEntry) {
      const key = nameKey(name);
      const guard = and(
        eq(groups.id, id),
        eq(groups.version, version),
        rawSql(LIVE),
        nameIsFree(id, sql`${key}`),
      );
      const [, renamed] = await run(
        db.batch([
          db.insert(audit).select(db.select(constants(audit, entry)).from(groups).where(guard)),
          db
            .update(groups)
            .set({ name, nameKey: key, updatedAt: now, version: version + 1 })
            .where(guard)
            .returning({ id: groups.id }),
        ]),
      );
      return renamed.length > 0;
    },

    /**
     * Moves a group to the trash if it has the given version (null: any), or restores a group that was deleted at `since` or later and whose name no live
     * group has.
     * Returns false when nothing changed.
     */
    async setTrash(
      id: Uuid,
      change: { readonly by: Uuid; readonly version: number | null } | { readonly since: Instant },
      now: Instant,
      entry: AuditEntry,
    ) {
      const isDeletion = "by" in change;
      const guard: SQL | undefined = and(
        eq(groups.id, id),
        isDeletion
          ? and(rawSql(LIVE), change.version === null ? undefined : eq(groups.version, change.version))
          : and(sql`${groups.deletedAt} >= ${change.since}`, nameIsFree(id, rawSql("groups.name_key"))),
      );
      const [, changed] = await run(
        db.batch([
          db.insert(audit).select(db.select(constants(audit, entry)).from(groups).where(guard)),
          db
            .update(groups)
            .set({
              deletedAt: isDeletion ? now : null,
              deletedBy: isDeletion ? change.by : null,
              updatedAt: now,
              version: sql`${groups.version} + 1`,
            })
            .where(guard)
            .returning({ id: groups.id }),
        ]),
      );
      return changed.length > 0;
    },

    /** Returns false when the user is a member already, or the group or the user was deleted. */
    async addMember(groupId: Uuid, userId: Uuid, now: Instant, entry: AuditEntry) {
      const row = { groupId, userId, createdAt: now };
      const isNoMember = sql`NOT EXISTS (SELECT 1 FROM group_members WHERE group_id = ${groupId} AND user_id = ${userId})`;
      const guard = and(eq(users.id, userId), rawSql(LIVE), isLiveGroup(groupId), isNoMember);
      const [, added] = await run(
        db.batch([
          db.insert(audit).select(db.select(constants(audit, entry)).from(users).where(guard)),
          db
            .insert(groupMembers)
            .select(db.select(constants(groupMembers, row)).from(users).where(guard))
            .returning({ userId: groupMembers.userId }),
        ]),
      );
      return added.length > 0;
    },

    /** Returns false when there is no such member. */
    async removeMember(groupId: Uuid, userId: Uuid, entry: AuditEntry) {
      const guard = and(eq(groupMembers.groupId, groupId), eq(groupMembers.userId, userId));
      const [, removed] = await run(
        db.batch([
          db.insert(audit).select(db.select(constants(audit, entry)).from(groupMembers).where(guard)),
          db.delete(groupMembers).where(guard).returning({ userId: groupMembers.userId }),
        ]),
      );
      return removed.length > 0;
    },

    /** Latest members first. */
    async listMembers(groupId: Uuid, cursor: Cursor, size: number): Promise<Slice<Member>> {
      const sortKey = rawSql(`group_members.created_at || group_members.user_id`);
      const sortKeyOf = (id: string) =>
        sql`(SELECT ${rawSql(MEMBER_ORDER)} FROM group_members WHERE group_id = ${groupId} AND user_id = ${id})`;
      const rows = await run(
        db
          .select({ ...personColumns, companyName: users.companyName, status: users.status })
          .from(groupMembers)
          .innerJoin(users, eq(users.id, groupMembers.userId))
          .where(
            sql`${groupMembers.groupId} = ${groupId} AND ${users.deletedAt} IS NULL${createCursorCondition(cursor, true, sortKey, sortKeyOf)}`,
          )
          .orderBy(sql`${sortKey} ${sortDirection(cursor, true)}`)
          .limit(size + 1),
      );
      return toSlice(rows, size, cursor);
    },

    /** The given users who are members. */
    async membersAmong(groupId: Uuid, userIds: readonly Uuid[]): Promise<readonly Uuid[]> {
      const rows = await run(
        db
          .select({ userId: groupMembers.userId })
          .from(groupMembers)
          .where(and(eq(groupMembers.groupId, groupId), inArray(groupMembers.userId, sqlList(userIds)))),
      );
      return rows.map(({ userId }) => userId);
    },

    /** Items that are shared with a group, at most `limit` of each kind, newest first. */
    async listShared(groupId: Uuid, limit: number): Promise<readonly SharedItem[]> {
      const selectShared = <T extends typeof folders | typeof spaces | typeof libraryItems>(
        table: T,
        name: SQL,
      ) =>
        db
          // No two columns share a name, which a D1 batch would merge.
          .select({
            itemId: sql<string>`${table.id}`.as("item_id"),
            name: sql<string>`${name}`.as("item_name"),
            owner: personColumns,
          })
          .from(table)
          .innerJoin(users, eq(users.id, table.ownerId))
          .where(and(eq(table.groupId, groupId), sql`${table.deletedAt} IS NULL`))
          .orderBy(sql`${table.createdAt} DESC`)
          .limit(limit);
      const [sharedFolders, sharedSpaces, sharedMedia] = await run(
        db.batch([
          selectShared(folders, sql`${folders.name}`),
          selectShared(spaces, sql`${spaces.name}`),
          selectShared(libraryItems, sql`${libraryItems.title}`),
        ]),
      );
      const toSharedItem =
        (kind: SharedKind) =>
        ({ itemId, ...item }: (typeof sharedSpaces)[number]) => ({ kind, id: itemId, ...item });
      return [
        ...sharedSpaces.map(toSharedItem("space")),
        ...sharedFolders.map(toSharedItem("folder")),
        ...sharedMedia.map(toSharedItem("media")),
      ];
    },

    /** Shares an item with a group, or with none. Returns false when the item or the group was deleted, or the item has another owner. */
    async setGroup(
      { kind, id, ownerId }: { readonly kind: SharedKind; readonly id: Uuid; readonly ownerId: Uuid },
      groupId: Uuid | null,
      now: Instant,
      entry: AuditEntry,
    ) {
      const table = SHARED_TABLES[kind];
      const guard = and(
        eq(table.id, id),
        eq(table.ownerId, ownerId),
        rawSql(LIVE),
        groupId === null ? undefined : isLiveGroup(groupId),
      );
      const [, changed] = await run(
        db.batch([
          db.insert(audit).select(db.select(constants(audit, entry)).from(table).where(guard)),
          db
            .update(table)
            .set({ groupId, updatedAt: now, version: sql`${table.version} + 1` })
            .where(guard)
            .returning({ id: table.id }),
        ]),
      );
      return changed.length > 0;
    },
  };
}
