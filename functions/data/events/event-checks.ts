import { eq } from "drizzle-orm";
import type { EventCheck, EventChecks } from "~/domain/events/publish-checklist";
import type { Instant, Uuid } from "~/domain/shared/model";
import { eventChecks } from "../schema";
import { type Db, run } from "../shared/db";

/** The last time of each check of an event: an editor opened its preview link, its public link or the preview at phone size. */
export function eventCheckRepository(db: Db) {
  return {
    /** Reads the checks of an event. */
    async find(eventId: Uuid): Promise<EventChecks> {
      const rows = await run(db.select().from(eventChecks).where(eq(eventChecks.eventId, eventId)));
      return Object.fromEntries(rows.map(({ name, at }) => [name, at]));
    },

    /** Records the time of a check. */
    async record(eventId: Uuid, name: EventCheck, now: Instant) {
      await run(
        db
          .insert(eventChecks)
          .values({ eventId, name, at: now })
          .onConflictDoUpdate({ target: [eventChecks.eventId, eventChecks.name], set: { at: now } }),
      );
    },
  };
}
