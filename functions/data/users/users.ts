import { and, eq, exists, gt, gte, inArray, ne, not, type SQL, sql } from "drizzle-orm";
import type { RootFolders } from "#functions/services/folders/tree-ports";
import type { AuditEntry } from "#functions/services/shared/ports";
import type {
  ListedUser,
  NewUser,
  UserChange,
  UserChangeResult,
  UserSlice,
} from "#functions/services/users/user-ports";
import type { Instant, User, Uuid } from "~/domain/shared/model";
import { nameKey } from "~/domain/shared/text";
import type { AccountUsage } from "~/domain/users/usage";
import type { UserListQuery } from "~/domain/users/user-list.schema";
import { newFolderRow } from "../folders/folders";
import { audit, folders, HAS_PASSWORD, IN_TRASH, LIVE, sessions, userLinks, users } from "../schema";
import { listedUserColumns, userColumns } from "../shared/columns";
import { constants, type Db, first, isTaken, rawSql, run, sqlList } from "../shared/db";
import { prepareRead } from "../shared/prepared-read";
import { declaredBy } from "./owner-limits";
import { countUsers, selectUsers } from "./user-list";

/** The searchable text of a user. */
export const userSearchKey = (user: Pick<NewUser, "firstName" | "lastName" | "companyName" | "email">) =>
  // Both orders of the name, because people search for 山田花子 and for Hanako Yamada.
  nameKey(
    `${user.lastName}${user.firstName} ${user.firstName} ${user.lastName} ${user.companyName} ${user.email}`,
  );

const newUserRow = (user: NewUser) => ({
  ...user,
  emailKey: nameKey(user.email),
  searchKey: userSearchKey(user),
  updatedAt: user.createdAt,
});

const EMAIL_INDEX = "users.email_key";

/** Another administrator who can log in. */
const ANOTHER_ADMINISTRATOR = `EXISTS (SELECT 1 FROM users other WHERE other.role = 'admin' AND other.status = 'ACTIVATED'
  AND other.${HAS_PASSWORD} AND other.deleted_at IS NULL AND other.id <> users.id)`;

/** The condition that a change leaves an administrator who can log in. */
function leavesAdministrator({ changes }: UserChange): SQL {
  const removesAdministrator =
    changes.role === "user" ||
    (changes.status !== undefined && changes.status !== "ACTIVATED") ||
    (changes.trash ?? null) !== null;
  return rawSql(
    removesAdministrator
      ? `(role <> 'admin' OR status <> 'ACTIVATED' OR NOT (${HAS_PASSWORD}) OR deleted_at IS NOT NULL OR ${ANOTHER_ADMINISTRATOR})`
      : "1",
  );
}

/** Creates the SQL condition of a change. */
function changeCondition(change: UserChange): SQL | undefined {
  const { id, changes, guard } = change;
  const isRestore = changes.trash === null;
  return and(
    eq(users.id, id),
    rawSql(isRestore ? IN_TRASH : LIVE),
    guard.version === undefined ? undefined : eq(users.version, guard.version),
    guard.from === undefined ? undefined : inArray(users.status, [...guard.from]),
    guard.hasPassword === undefined
      ? undefined
      : rawSql(guard.hasPassword ? HAS_PASSWORD : `NOT (${HAS_PASSWORD})`),
    guard.notUser === undefined ? undefined : ne(users.id, guard.notUser),
    guard.trashedSince === undefined ? undefined : gte(users.deletedAt, guard.trashedSince),
    leavesAdministrator(change),
  );
}

function changedRow({ changes }: UserChange, now: string) {
  const { identity, trash, ...plainFields } = changes;
  return {
    ...plainFields,
    ...(identity && { ...identity, emailKey: nameKey(identity.email), searchKey: userSearchKey(identity) }),
    ...(trash !== undefined && { deletedAt: trash?.at ?? null, deletedBy: trash?.by ?? null }),
    updatedAt: now,
    version: sql`${users.version} + 1`,
  };
}

/** Accounts. `usage`, `find` and `findByEmail` do not find accounts in the trash. */
export function userRepository(db: Db) {
  const findById = prepareRead<{ readonly id: Uuid }, User>(db, () =>
    db
      .select(userColumns)
      .from(users)
      .where(and(eq(users.id, sql.placeholder("id")), rawSql(LIVE))),
  );
  const selectResult = (change: UserChange) =>
    db
      .select({
        ...listedUserColumns,
        isLastAdministrator: sql`NOT ${leavesAdministrator(change)}`.mapWith(Boolean).as("is_last"),
      })
      .from(users)
      .where(eq(users.id, change.id));

  /** The statements that add a user with the root folders, unless the address is in use. */
  const addStatements = (user: NewUser, roots: RootFolders, entry: AuditEntry) => {
    const isAdded = eq(users.id, user.id);
    return [
      db
        .insert(users)
        .select(
          db
            .select(constants(users, newUserRow(user)))
            .from(sql`(SELECT 1)`)
            .where(
              sql`NOT EXISTS (SELECT 1 FROM users WHERE email_key = ${nameKey(user.email)} AND ${rawSql(LIVE)})`,
            ),
        )
        .returning({ id: users.id }),
      ...[roots.space, roots.media].map((root) =>
        db.insert(folders).select(
          db
            .select(constants(folders, newFolderRow(root)))
            .from(users)
            .where(isAdded),
        ),
      ),
      db.insert(audit).select(db.select(constants(audit, entry)).from(users).where(isAdded)),
    ] as const;
  };

  /** A new address cancels a pending change of address, whose link would otherwise replace the new address. */
  const closeLinkStatements = (
    { id, changes: { identity } }: UserChange,
    guard: SQL | undefined,
    now: string,
  ) =>
    identity === undefined
      ? []
      : [
          db
            .update(userLinks)
            .set({ expiresAt: now })
            .where(
              and(
                eq(userLinks.userId, id),
                eq(userLinks.purpose, "email"),
                rawSql("used_at IS NULL"),
                gt(userLinks.expiresAt, now),
                exists(
                  db
                    .select({ id: users.id })
                    .from(users)
                    .where(and(guard, ne(users.emailKey, nameKey(identity.email)))),
                ),
              ),
            ),
        ];

  return {
    /** Returns how much of its limits an account uses; null when it does not exist. */
    async usage(id: Uuid, now: Instant): Promise<AccountUsage | null> {
      const folderCount = (type: string) =>
        sql`(SELECT count(*) FROM folders WHERE owner_id = users.id AND folder_type = ${type} AND ${rawSql(LIVE)} AND parent_id IS NOT NULL)`;
      return first(
        await run(
          db.all<AccountUsage>(sql`SELECT event_count AS events, media_count AS media, content_used AS contentBytes, trash_used AS trashBytes,
            ${declaredBy(rawSql("users.id"))} AS reservedBytes,
            (SELECT count(*) FROM uploads WHERE actor_id = users.id AND multipart_id <> '') AS openUploads,
            (SELECT count(*) FROM imports WHERE actor_id = users.id AND done_at IS NULL) AS openImports,
            ${folderCount("space")} AS spaceFolders, ${folderCount("media")} AS mediaFolders,
            (SELECT count(*) FROM access_tokens WHERE user_id = users.id AND revoked_at IS NULL AND expires_at > ${now}) AS tokens,
            (SELECT count(*) FROM webhooks WHERE user_id = users.id) AS webhooks,
            (SELECT count(*) FROM passkeys WHERE user_id = users.id) AS passkeys
            FROM users WHERE id = ${id} AND ${rawSql(LIVE)}`),
        ),
      );
    },

    find: async (id: Uuid): Promise<User | null> => first(await findById({ id })),

    /** The existing accounts with these ids, including those in the trash, in any order. */
    async findListed(ids: readonly Uuid[]): Promise<readonly ListedUser[]> {
      return run(
        db
          .select(listedUserColumns)
          .from(users)
          .where(inArray(users.id, sqlList(ids))),
      );
    },

    /** Accounts by their addresses, ignoring case. */
    async findByEmail(emails: readonly string[]): Promise<readonly ListedUser[]> {
      return run(
        db
          .select(listedUserColumns)
          .from(users)
          .where(and(inArray(users.emailKey, sqlList(emails.map(nameKey))), rawSql(LIVE))),
      );
    },

    /** A page of `size`. The number of rows read does not depend on the number of users (decision 013). */
    list: (query: UserListQuery, size: number): Promise<UserSlice> => selectUsers(db, query, size),

    /** The exact number of users in a list, for callers that read all of it: see countUsers. */
    count: (query: UserListQuery) => countUsers(db, query),

    /** Adds the user with both root folders. "email_taken" when the address is in use. */
    async create(user: NewUser, roots: RootFolders, entry: AuditEntry) {
      const [inserted] = await run(db.batch([...addStatements(user, roots, entry)]));
      return inserted.length > 0 ? "created" : "email_taken";
    },

    /** Adds users in one batch. Returns for each whether it was added, or its address was in use. */
    async createMany(
      newUsers: readonly {
        readonly user: NewUser;
        readonly roots: RootFolders;
        readonly audit: AuditEntry;
      }[],
    ): Promise<readonly ("created" | "email_taken")[]> {
      const statements = newUsers.map(({ user, roots, audit: entry }) => addStatements(user, roots, entry));
      const [firstStatement, ...otherStatements] = statements.flat();
      if (!firstStatement) return [];
      const results = await run(db.batch([firstStatement, ...otherStatements]));
      const resultsPerUser = results.length / newUsers.length;
      return newUsers.map((_, i) =>
        (results[i * resultsPerUser] as unknown[]).length > 0 ? "created" : ("email_taken" as const),
      );
    },

    /**
     * Makes changes in one batch, each with its audit entries or not at all. An account that can no longer log in loses its sessions. "email_taken": an
     * address is in use, and nothing was changed.
     */
    async change(
      changes: readonly UserChange[],
      now: Instant,
    ): Promise<readonly UserChangeResult[] | "email_taken"> {
      const statementsByChange = changes.map((change) => {
        const guard = changeCondition(change);
        const canLogIn = sql`EXISTS (SELECT 1 FROM users WHERE id = ${change.id} AND status = 'ACTIVATED' AND ${rawSql(LIVE)})`;
        return [
          // The audit entry is written before the change, because the guard is no longer true afterwards.
          ...change.audit.map((entry) =>
            db.insert(audit).select(db.select(constants(audit, entry)).from(users).where(guard)),
          ),
          ...closeLinkStatements(change, guard, now),
          db.update(users).set(changedRow(change, now)).where(guard).returning({ id: users.id }),
          db.delete(sessions).where(and(eq(sessions.userId, change.id), not(canLogIn))),
          selectResult(change),
        ];
      });
      const [firstStatement, ...otherStatements] = statementsByChange.flat();
      if (!firstStatement) return [];
      try {
        const results = (await run(
          db.batch([firstStatement, ...otherStatements]),
        )) as unknown as readonly (readonly (ListedUser & Pick<UserChangeResult, "isLastAdministrator">)[])[];
        let end = 0;
        return statementsByChange.map((statements) => {
          end += statements.length;
          const isChanged = (results[end - 3]?.length ?? 0) > 0;
          const row = results[end - 1]?.[0];
          if (!row) return { isChanged, saved: null, isLastAdministrator: false };
          const { isLastAdministrator, ...saved } = row;
          return { isChanged, saved, isLastAdministrator };
        });
      } catch (error) {
        if (isTaken(error, EMAIL_INDEX)) return "email_taken";
        throw error;
      }
    },
  };
}
