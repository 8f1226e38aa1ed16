import { and, count, desc, eq, sql } from "drizzle-orm";
import type { NewUser, UserRepository } from "#functions/services/ports";
import { nameKey } from "~/domain/text";
import { userColumns } from "./columns";
import { type Db, first, isTaken, offsetOf, pageOf, plain, run } from "./db";
import { newFolderRow } from "./folders";
import { audit, folders, LIVE, users } from "./schema";

/** What a search of users looks through. */
export const userSearchKey = (user: Pick<NewUser, "firstName" | "lastName" | "companyName" | "email">) =>
  // Both orders of the name: people are looked for as 山田花子 and as Hanako Yamada.
  nameKey(
    `${user.lastName}${user.firstName} ${user.firstName} ${user.lastName} ${user.companyName} ${user.email}`,
  );

export function userRepository(db: Db): UserRepository {
  return {
    async find(id) {
      return first(
        await run(
          db
            .select(userColumns)
            .from(users)
            .where(and(eq(users.id, id), plain(LIVE))),
        ),
      );
    },

    async list({ q, page }) {
      const key = nameKey(q);
      const where = key === "" ? plain(LIVE) : and(plain(LIVE), sql`instr(${users.searchKey}, ${key}) > 0`);
      const [total, items] = await run(
        db.batch([
          db.select({ total: count() }).from(users).where(where),
          db
            .select(userColumns)
            .from(users)
            .where(where)
            .orderBy(desc(users.createdAt), desc(users.id))
            .limit(page.pageSize)
            .offset(offsetOf(page)),
        ]),
      );
      return pageOf(page, items, total[0]?.total ?? 0);
    },

    async create(user, roots, entry) {
      try {
        await run(
          db.batch([
            db.insert(users).values({
              ...user,
              emailKey: nameKey(user.email),
              searchKey: userSearchKey(user),
              updatedAt: user.createdAt,
            }),
            db.insert(folders).values(newFolderRow(roots.space)),
            db.insert(folders).values(newFolderRow(roots.media)),
            db.insert(audit).values(entry),
          ]),
        );
        return "created";
      } catch (error) {
        if (isTaken(error, "users.email_key")) return "email_taken";
        throw error;
      }
    },
  };
}
