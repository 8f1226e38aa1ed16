import { and, eq, gt, lte, or } from "drizzle-orm";
import type { UserImportRepository } from "#functions/services/people-ports";
import { type Db, first, plain, run } from "./db";
import { audit, userImports } from "./schema";

const columns = {
  id: userImports.id,
  actorId: userImports.actorId,
  fileName: userImports.fileName,
  plan: userImports.plan,
  createdAt: userImports.createdAt,
  expiresAt: userImports.expiresAt,
  doneAt: userImports.doneAt,
};

export function userImportRepository(db: Db): UserImportRepository {
  return {
    async add(checked) {
      await run(
        db.batch([
          db
            .delete(userImports)
            .where(
              or(eq(userImports.actorId, checked.actorId), lte(userImports.expiresAt, checked.createdAt)),
            ),
          db.insert(userImports).values(checked),
        ]),
      );
    },

    async find(id) {
      return first(await run(db.select(columns).from(userImports).where(eq(userImports.id, id))));
    },

    async claim(id, at) {
      const claimed = await run(
        db
          .update(userImports)
          .set({ doneAt: at })
          .where(and(eq(userImports.id, id), plain("done_at IS NULL"), gt(userImports.expiresAt, at)))
          .returning({ id: userImports.id }),
      );
      return claimed.length > 0;
    },

    async finish(id, plan, entry) {
      await run(
        db.batch([
          db.update(userImports).set({ plan }).where(eq(userImports.id, id)),
          db.insert(audit).values(entry),
        ]),
      );
    },
  };
}
