/** Events of spaces that are about to be deleted. */
import { type SQL, sql } from "drizzle-orm";
import type { TimedEvent } from "#functions/services/folders/tree-ports";
import { LIVE } from "../schema";
import { eventNameJson, parseTexts } from "../shared/columns";
import { type Db, listOf, plain, run } from "../shared/db";

/** Maximum number of events that are read; there may be more. */
const LOOKED_AT = 1000;

/**
 * Events that may be public by their settings and dates, in spaces that are not in the trash. Their status at a given time, defined only in
 * app/domain/events/status.ts, decides whether they are.
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
      sql`SELECT ${plain(eventNameJson("e"))} AS name, e.status_id AS statusId, e.start_date AS startDate, e.end_date AS endDate,
        e.enable_auto_change_status AS isAuto FROM events e WHERE e.space_id IN
          (SELECT id FROM spaces WHERE id IN ${listOf(spaces)} AND ${plain(LIVE)}
            UNION SELECT id FROM spaces WHERE folder_id IN (${within}) AND ${plain(LIVE)})
        AND e.deleted_at IS NULL
        AND (e.status_id = 3 OR (e.enable_auto_change_status = 1 AND e.status_id IN (1, 2) AND e.start_date IS NOT NULL))
        ORDER BY e.status_id DESC, e.created_at DESC, e.id DESC LIMIT ${plain(String(LOOKED_AT))}`,
    ),
  );
  return rows.map(({ isAuto, name, ...event }) => ({
    ...event,
    name: parseTexts(name),
    enableAutoChangeStatus: isAuto === 1,
  }));
}
