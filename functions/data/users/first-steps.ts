import { eq, sql } from "drizzle-orm";
import type { Uuid } from "~/domain/shared/model";
import { FIRST_STEPS_SPACES_MAX, type FirstStepRecords } from "~/domain/users/first-steps";
import { users } from "../schema";
import { type Db, first, rawSql, run, runTogether, sqlListFromJson } from "../shared/db";
import { prepareSql } from "../shared/prepared-read";

/** Records from which the list of a new account's first steps is made, and whether the list is closed. */
export interface StoredFirstSteps extends FirstStepRecords {
  readonly isClosed: boolean;
  /** The event that was created with the account's sample space; null without one. */
  readonly sampleEventId: Uuid | null;
}

type FirstStepRow = Omit<StoredFirstSteps, "isClosed" | "hasUsedLink"> & {
  readonly isClosed: number;
  readonly hasUsedLink: number;
};

/** The first steps of accounts. */
export function firstStepRepository(db: Db) {
  const readRows = prepareSql<{ readonly userId: Uuid; readonly groupIds: string }, FirstStepRow>(db, () => {
    const userId = sql.placeholder("userId");
    const isClosed = sql`(first_steps_closed OR space_count > ${rawSql(String(FIRST_STEPS_SPACES_MAX))})`;
    // `seen` has the spaces that the account sees, `made` their events, except the first event of a sample space.
    // CROSS JOIN reads the account first, so that no space is read when the steps are closed.
    const selectSeen = sql`SELECT spaces.id, owner_id, spaces.created_at, is_sample FROM users CROSS JOIN spaces
              WHERE users.id = ${userId} AND NOT ${isClosed} AND spaces.deleted_at IS NULL`;
    // The event that was created with a space has the same creation time as the space. LIMIT applies to the shared spaces of large groups.
    return sql`WITH seen AS (
            ${selectSeen} AND owner_id = users.id
            UNION SELECT * FROM (${selectSeen} AND group_id IN ${sqlListFromJson(sql.placeholder("groupIds"))}
              LIMIT ${rawSql(String(FIRST_STEPS_SPACES_MAX))})),
          made AS (
            SELECT e.id, e.created_at, e.version, e.created_at <> seen.created_at AS is_added
              FROM seen JOIN events e ON e.space_id = seen.id
              WHERE e.deleted_at IS NULL AND (NOT seen.is_sample OR e.created_at <> seen.created_at))
          SELECT ${isClosed} AS isClosed,
            (SELECT id FROM seen WHERE NOT is_sample ORDER BY created_at DESC LIMIT 1) AS spaceId,
            (SELECT id FROM made WHERE is_added OR version > 1
                OR EXISTS (SELECT 1 FROM event_tags WHERE event_id = made.id)
                OR EXISTS (SELECT 1 FROM event_media WHERE event_id = made.id)
              ORDER BY created_at DESC LIMIT 1) AS eventId,
            EXISTS (SELECT 1 FROM made WHERE
              EXISTS (SELECT 1 FROM event_checks WHERE event_id = made.id AND name IN ('preview', 'published'))
                OR EXISTS (SELECT 1 FROM visit_totals WHERE event_id = made.id)
                OR EXISTS (SELECT 1 FROM audit WHERE resource_type = 'event' AND resource_id = made.id
                  AND action IN ('event_link_mailed', 'event_link_copied'))) AS hasUsedLink,
            (SELECT e.id FROM seen JOIN events e ON e.space_id = seen.id AND e.created_at = seen.created_at
              WHERE seen.is_sample AND seen.owner_id = ${userId} AND e.deleted_at IS NULL LIMIT 1) AS sampleEventId
          FROM users WHERE id = ${userId}`;
  });
  return {
    /** Reads the records of an account, including spaces that are shared with these groups. If the steps are closed, it reads only that fact. */
    async read(userId: Uuid, groupIds: readonly Uuid[]): Promise<StoredFirstSteps> {
      const row = first(await readRows({ userId, groupIds: JSON.stringify(groupIds) }));
      return {
        isClosed: row?.isClosed !== 0,
        spaceId: row?.spaceId ?? null,
        eventId: row?.eventId ?? null,
        hasUsedLink: row?.hasUsedLink === 1,
        sampleEventId: row?.sampleEventId ?? null,
      };
    },

    /** Finds the event that was created with an account's sample space, also when the steps are closed; null without one. */
    async findSampleEvent(userId: Uuid): Promise<Uuid | null> {
      const [rows] = await runTogether(db, [
        sql`SELECT e.id FROM spaces s JOIN events e ON e.space_id = s.id AND e.created_at = s.created_at
          WHERE s.owner_id = ${userId} AND s.is_sample AND s.deleted_at IS NULL AND e.deleted_at IS NULL LIMIT 1`,
      ]);
      return (rows?.[0] as { readonly id: Uuid } | undefined)?.id ?? null;
    },

    /** Closes the steps of an account permanently. */
    async close(userId: Uuid): Promise<void> {
      await run(db.update(users).set({ firstStepsClosed: true }).where(eq(users.id, userId)));
    },
  };
}
