import { and, eq, lt, ne, or, sql } from "drizzle-orm";
import type { Uuid } from "~/domain/shared/model";
import type { StoreResponse, StoreStatus } from "~/domain/store/store";
import { storeResponses } from "../schema";
import { type Db, run } from "../shared/db";
import { prepareRead } from "../shared/prepared-read";

/** The last success (kind "answer") and the last failure of each event's store. */
export function storeResponseRepository(db: Db) {
  const readRows = prepareRead<
    { readonly eventId: Uuid; readonly origin: string },
    typeof storeResponses.$inferSelect
  >(db, () =>
    db
      .select()
      .from(storeResponses)
      .where(
        and(
          eq(storeResponses.eventId, sql.placeholder("eventId")),
          eq(storeResponses.origin, sql.placeholder("origin")),
        ),
      ),
  );
  return {
    /**
     * Stores a response as the last success or the last failure, unless a stored one of the same kind and origin is newer than `olderThan` (epoch
     * milliseconds).
     */
    async record(
      eventId: Uuid,
      origin: string,
      { at, ...response }: StoreResponse,
      olderThan: number,
    ): Promise<void> {
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

    /** The last responses of the store at this origin. */
    async read(eventId: Uuid, origin: string): Promise<StoreStatus> {
      const rows = await readRows({ eventId, origin });
      const responseOf = (kind: "answer" | "failure"): StoreResponse | null => {
        const row = rows.find((candidate) => candidate.kind === kind);
        if (!row) return null;
        const { eventId: _event, kind: _kind, origin: _origin, at, ...response } = row;
        return { ...response, at: Date.parse(at) };
      };
      return { response: responseOf("answer"), failure: responseOf("failure") };
    },
  };
}
