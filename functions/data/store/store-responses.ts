import { and, eq, lt, ne, or } from "drizzle-orm";
import type { StoreStatusRepository } from "#functions/services/store/shop-ports";
import type { StoreResponse } from "~/domain/store/store";
import { storeResponses } from "../schema";
import { type Db, run } from "../shared/db";

/** The last responses of events' stores. */
export function storeResponseRepository(db: Db): StoreStatusRepository {
  return {
    async record(eventId, origin, { at, ...response }, olderThan) {
      const row = { ...response, origin, at: new Date(at).toISOString() };
      const kind = response.code === null ? ("answer" as const) : ("failure" as const);
      await run(
        db
          .insert(storeResponses)
          .values({ eventId, kind, ...row })
          .onConflictDoUpdate({
            target: [storeResponses.eventId, storeResponses.kind],
            set: row,
            setWhere: or(
              lt(storeResponses.at, new Date(olderThan).toISOString()),
              ne(storeResponses.origin, origin),
            ),
          }),
      );
    },

    async read(eventId, origin) {
      const rows = await run(
        db
          .select()
          .from(storeResponses)
          .where(and(eq(storeResponses.eventId, eventId), eq(storeResponses.origin, origin))),
      );
      const of = (wanted: "answer" | "failure"): StoreResponse | null => {
        const row = rows.find(({ kind }) => kind === wanted);
        if (!row) return null;
        const { eventId: _event, kind: _kind, origin: _origin, at, ...response } = row;
        return { ...response, at: Date.parse(at) };
      };
      return { answer: of("answer"), failure: of("failure") };
    },
  };
}
