/** Events that may be public, of spaces that will be deleted. */
import { type SQL, sql } from "drizzle-orm";
import type { TimedEvent } from "#functions/services/folders/tree-ports";
import { LIVE } from "../schema";
import { eventNameJson, parseTexts } from "../shared/columns";
import { type Db, rawSql, run, sqlList } from "../shared/db";

/** Maximum number of events that are read; there may be more. */
const EVENTS_MAX = 1000;

/**
 * Returns events that may be public according to their settings and dates, in spaces that are not in the trash. The caller decides by their status at
 * a given time, which only app/domain/events/status.ts defines. The query has the status ids of EVENT_STATUS: 1 unpublished, 2 preview, 3 published.
 * @param within SELECT id FROM …: folders whose spaces are included, at any depth
 */
export async function readMaybePublic(
  db: Db,
  { spaces, within }: { spaces: readonly string[]; within: SQL },
): Promise<readonly TimedEvent[]> {
  const rows = await run(
    db.all<
      Omit<TimedEvent, "enableAutoChangeStatus" | "name"> & { readonly isAuto: number; readonly name: string }
    >(
      sql`SELECT ${rawSql(eventNameJson("e"))} AS name, e.status_id AS statusId, e.start_date AS startDate, e.end_date AS endDate,
        e.enable_auto_change_status AS isAuto FROM events e WHERE e.space_id IN
          (SELECT id FROM spaces WHERE id IN ${sqlList(spaces)} AND ${rawSql(LIVE)}
            UNION SELECT id FROM spaces WHERE folder_id IN (${within}) AND ${rawSql(LIVE)})
        AND e.deleted_at IS NULL
        AND (e.status_id = 3 OR (e.enable_auto_change_status = 1 AND e.status_id IN (1, 2) AND e.start_date IS NOT NULL))
        ORDER BY e.status_id DESC, e.created_at DESC, e.id DESC LIMIT ${rawSql(String(EVENTS_MAX))}`,
    ),
  );
  return rows.map(({ isAuto, name, ...event }) => ({
    ...event,
    name: parseTexts(name),
    enableAutoChangeStatus: isAuto === 1,
  }));
}
