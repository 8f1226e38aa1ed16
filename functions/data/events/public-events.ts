/** Events of spaces that are about to be deleted. */
import { type SQL, sql } from "drizzle-orm";
import type { TimedEvent } from "#functions/services/folders/tree-ports";
import { LIVE } from "../schema";
import { type Db, listOf, plain, run } from "../shared/db";

/** Events that are looked at; there may be more. */
const LOOKED_AT = 1000;

/**
 * Events that may be public by what is set and by their dates, of spaces that are there. Whether one is, its status at that
 * moment decides (app/domain/events/status.ts), which is not said twice.
 * @param within SELECT id FROM …: folders whose spaces are meant too, at whatever depth
 */
export async function readMaybePublic(
  db: Db,
  { spaces, within }: { spaces: readonly string[]; within: SQL },
): Promise<readonly TimedEvent[]> {
  const rows = await run(
    db.all<Omit<TimedEvent, "enableAutoChangeStatus"> & { readonly isAuto: number }>(
      sql`SELECT e.event_name AS name, e.status_id AS statusId, e.start_date AS startDate, e.end_date AS endDate,
        e.enable_auto_change_status AS isAuto FROM events e WHERE e.space_id IN
          (SELECT id FROM spaces WHERE id IN ${listOf(spaces)} AND ${plain(LIVE)}
            UNION SELECT id FROM spaces WHERE folder_id IN (${within}) AND ${plain(LIVE)})
        AND e.deleted_at IS NULL
        AND (e.status_id = 3 OR (e.enable_auto_change_status = 1 AND e.status_id IN (1, 2) AND e.start_date IS NOT NULL))
        ORDER BY e.status_id DESC, e.created_at DESC, e.id DESC LIMIT ${plain(String(LOOKED_AT))}`,
    ),
  );
  return rows.map(({ isAuto, ...event }) => ({ ...event, enableAutoChangeStatus: isAuto === 1 }));
}
