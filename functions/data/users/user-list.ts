/** The list of users, at a cost that does not depend on their number (decision 013). */
import { type SQL, sql } from "drizzle-orm";
import type { UserSlice } from "#functions/services/users/user-ports";
import type { Role, UserStatus } from "~/domain/shared/model";
import { nameKey } from "~/domain/shared/text";
import {
  DELETION_SEARCH_MAX,
  isDeletionList,
  ROLES,
  type UserListQuery,
} from "~/domain/users/user-list.schema";
import { USER_STATUSES } from "~/domain/users/user-status";
import { DELETION_REQUESTED, IN_TRASH, LIVE, USER_ORDERS, userCounts, users } from "../schema";
import { listedUserColumns } from "../shared/columns";
import { createCursorCondition, sortDirection, toSlice } from "../shared/cursor-page";
import { type Db, rawSql, run } from "../shared/db";
import { keyWords, phrase } from "../shared/full-text";

/** Maximum number of users that a search or a list of deletions counts, and that a search sorts by other keys than age. */
export const MATCHES_MAX = 200;

/** The words of a search text, normalised like the column users.search_key. */
const searchWords = (q: string): readonly string[] => keyWords(nameKey(q));

/** Token of a role or a status in the full-text table. */
const roleToken = (role: Role) => `"role${role}"`;
const statusToken = (status: UserStatus) => `"status${status.toLowerCase().replaceAll("_", "")}"`;

/**
 * The query for the full-text table user_search (`grams`: pairs of characters; `facets`: role and status), for a text whose words must all occur in a user's names, company or address; null if there is no word. The words become
 * hexadecimal digits, and role and status are fixed words, so the text cannot change the query.
 */
function userMatch(q: string, role: Role | null, status: UserStatus | null): string | null {
  const words = searchWords(q);
  if (words.length === 0) return null;
  return [
    ...words.map((word) => `grams : ${phrase(word)}`),
    ...(role === null ? [] : [`facets : ${roleToken(role)}`]),
    ...(status === null ? [] : [`facets : ${statusToken(status)}`]),
  ]
    .map((term) => `(${term})`)
    .join(" AND ");
}

/** A condition, and the order in which matching rows are read. */
interface ListSource {
  readonly where: SQL;
  readonly order: SQL;
}

const rolesOf = ({ role }: UserListQuery) => (role === null ? ROLES : [role]);

/** The users of a list of deletion requests or of the trash, in its order, and the further conditions of the query; null for none. */
function deletionConditions(query: UserListQuery, show: "asked" | "trash") {
  const { role } = query;
  const conditions = [
    ...searchWords(query.q).map((word) => sql`instr(search_key, ${word}) > 0`),
    ...(role === null ? [] : [sql`role = ${role}`]),
  ];
  return {
    isListed: rawSql(show === "trash" ? IN_TRASH : DELETION_REQUESTED),
    sortKey: rawSql(USER_ORDERS[show]),
    conditions: conditions.length === 0 ? null : sql.join(conditions, sql` AND `),
  };
}

/** SQL of the latest users of such a list, up to the number that a search considers. */
const selectLatestDeletions = ({ isListed, sortKey }: ReturnType<typeof deletionConditions>) =>
  sql`(SELECT id, role, search_key, ${sortKey} AS sortKey FROM users WHERE ${isListed}
    ORDER BY ${sortKey} DESC LIMIT ${rawSql(String(DELETION_SEARCH_MAX))})`;

/** Deletion requests or the trash, latest first: all of them, or those who match a search or a filter. */
function deletionSource(query: UserListQuery, show: "asked" | "trash", limit: SQL): ListSource {
  const { cursor } = query;
  const list = deletionConditions(query, show);
  const { isListed, sortKey, conditions } = list;
  const direction = sortDirection(cursor, true);
  const order = sql`${sortKey} ${direction}`;
  const sortKeyOf = (id: string) => sql`(SELECT ${sortKey} FROM users WHERE id = ${id})`;
  if (conditions === null)
    return { where: sql`${isListed}${createCursorCondition(cursor, true, sortKey, sortKeyOf)}`, order };
  const cursorCondition = createCursorCondition(cursor, true, rawSql("sortKey"), sortKeyOf);
  const ids = sql`SELECT id FROM ${selectLatestDeletions(list)} WHERE ${conditions}${cursorCondition} ORDER BY sortKey ${direction} LIMIT ${limit}`;
  return { where: sql`id IN (${ids})`, order: sql`+(${sortKey}) ${direction}` };
}

/**
 * All users of the list, or those of some roles and statuses: at most five streams, because D1 limits the number of joined SELECTs in a statement.
 */
function allUsersSource(query: UserListQuery, status: UserStatus | null, limit: SQL): ListSource {
  const { cursor } = query;
  const isListed = rawSql(LIVE);
  const sortKey = rawSql(USER_ORDERS[query.sort]);
  const isDescending = query.direction === "desc";
  const direction = sortDirection(cursor, isDescending);
  const cursorCondition = createCursorCondition(
    cursor,
    isDescending,
    sortKey,
    (id) => sql`(SELECT ${sortKey} FROM users WHERE id = ${id})`,
  );
  const order = sql`${sortKey} ${direction}`;
  if (query.role === null && status === null) return { where: sql`${isListed}${cursorCondition}`, order };
  const streams = rolesOf(query).flatMap((role) =>
    (status === null ? USER_STATUSES : [status]).map(
      (userStatus) => sql`SELECT * FROM (SELECT id, ${sortKey} AS sortKey FROM users
        WHERE ${isListed} AND role = ${role} AND status = ${userStatus}${cursorCondition} ORDER BY ${order} LIMIT ${limit})`,
    ),
  );
  const merged = sql`${sql.join(streams, sql` UNION ALL `)} ORDER BY sortKey ${direction} LIMIT ${limit}`;
  return { where: sql`id IN (SELECT id FROM (${merged}))`, order };
}

/** Users who match a search: all pages in order of age, but in other orders only the newest matches. */
function searchSource(query: UserListQuery, match: string, limit: SQL): ListSource {
  const { cursor, sort } = query;
  const isDescending = query.direction === "desc";
  const direction = sortDirection(cursor, isDescending);
  const isByAge = sort === "created";
  const selectDoc = (id: SQL) => sql`(SELECT doc FROM user_docs WHERE user_id = ${id})`;
  const selectMatches = (
    cursorCondition: SQL,
    order: SQL,
  ) => sql`id IN (SELECT user_id FROM user_docs WHERE doc IN
    (SELECT rowid FROM user_search WHERE user_search MATCH ${match}${cursorCondition} ORDER BY ${order}))`;
  if (isByAge) {
    const cursorCondition = createCursorCondition(cursor, isDescending, rawSql("rowid"), (id) =>
      selectDoc(sql`${id}`),
    );
    return {
      where: selectMatches(cursorCondition, sql`rowid ${direction} LIMIT ${limit}`),
      order: sql`${selectDoc(rawSql("users.id"))} ${direction}`,
    };
  }
  const sortKey = rawSql(USER_ORDERS[sort]);
  const cursorCondition = createCursorCondition(
    cursor,
    isDescending,
    sortKey,
    (id) => sql`(SELECT ${sortKey} FROM users WHERE id = ${id})`,
  );
  const newest = rawSql(`rowid DESC LIMIT ${MATCHES_MAX}`);
  // The unary plus prevents the query planner from reading the whole order instead of the matches.
  return {
    where: sql`${selectMatches(sql``, newest)}${cursorCondition}`,
    order: sql`+(${sortKey}) ${direction}`,
  };
}

/** The status, and the full-text query, to which a list is restricted; null for no restriction. */
function filterOf(query: UserListQuery) {
  const status = query.show === "all" || isDeletionList(query.show) ? null : query.show;
  return { status, match: isDeletionList(query.show) ? null : userMatch(query.q, query.role, status) };
}

function listSource(query: UserListQuery, limit: SQL): ListSource {
  if (isDeletionList(query.show)) return deletionSource(query, query.show, limit);
  const { status, match } = filterOf(query);
  return match === null ? allUsersSource(query, status, limit) : searchSource(query, match, limit);
}

/** Counts the users of a list: from stored counters, or its rows up to a limit (null: no limit). */
function selectCount(db: Db, query: UserListQuery, limit: number | null) {
  const { status, match } = filterOf(query);
  const limitClause = limit === null ? sql`` : rawSql(` LIMIT ${limit}`);
  const total = sql<number>`count(*)`.as("total");
  const unsearched = sql<number>`0`.as("unsearched");
  if (isDeletionList(query.show)) {
    const list = deletionConditions(query, query.show);
    const { isListed, sortKey } = list;
    const listedUsers = sql`users WHERE ${isListed} AND ${sortKey} > ''`;
    if (list.conditions === null)
      return db.select({ total, unsearched }).from(sql`(SELECT 1 FROM ${listedUsers}${limitClause})`);
    const hasMoreThanSearched = sql`EXISTS (SELECT 1 FROM ${listedUsers} LIMIT 1 OFFSET ${rawSql(String(DELETION_SEARCH_MAX))})`;
    return db
      .select({ total, unsearched: sql<number>`${hasMoreThanSearched}`.as("unsearched") })
      .from(sql`(SELECT 1 FROM ${selectLatestDeletions(list)} WHERE ${list.conditions}${limitClause})`);
  }
  if (match !== null)
    return db
      .select({ total, unsearched })
      .from(sql`(SELECT 1 FROM user_search WHERE user_search MATCH ${match}${limitClause})`);
  const roles = sql.join(
    rolesOf(query).map((role) => sql`${role}`),
    sql`, `,
  );
  return db
    .select({ total: sql<number>`coalesce(sum(${userCounts.total}), 0)`.as("total"), unsearched })
    .from(userCounts)
    .where(sql`role IN (${roles})${status === null ? sql`` : sql` AND status = ${status}`}`);
}

/** Reads a page of users and their total number, in one round trip. */
export async function selectUsers(db: Db, query: UserListQuery, size: number): Promise<UserSlice> {
  const { where, order } = listSource(query, rawSql(String(size + 1)));
  const [rows, totals] = await run(
    db.batch([
      db
        .select(listedUserColumns)
        .from(users)
        .where(where)
        .orderBy(order)
        .limit(size + 1),
      selectCount(db, query, MATCHES_MAX + 1),
    ]),
  );
  const count = totals[0]?.total ?? 0;
  const hasMore = (isDeletionList(query.show) || filterOf(query).match !== null) && count > MATCHES_MAX;
  return {
    ...toSlice(rows, size, query.cursor),
    total: { count: hasMore ? MATCHES_MAX : count, hasMore },
    hasUnsearched: totals[0]?.unsearched === 1,
  };
}

/**
 * Counts the users of a list exactly. For a search this reads every match; a search in the deletion requests or the trash considers only the latest
 * DELETION_SEARCH_MAX users.
 */
export async function countUsers(db: Db, query: UserListQuery): Promise<number> {
  return (await run(selectCount(db, query, null)))[0]?.total ?? 0;
}
