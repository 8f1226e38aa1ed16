import { and, eq, sql } from "drizzle-orm";
import type { DueStatusMail } from "#functions/services/events/event-ports";
import type { AuditEntry } from "#functions/services/shared/ports";
import { EVENT_STATUS } from "~/domain/events/status";
import type { EventStatusId, Instant, Uuid } from "~/domain/shared/model";
import { audit, events, LIVE, spaces, statusMails, users } from "../schema";
import { eventNameJson, parseTexts } from "../shared/columns";
import { constants, type Db, first, rawSql, run, runTogether, sqlList } from "../shared/db";

type Row = Omit<DueStatusMail, "user" | "eventName"> & { readonly user: string; readonly eventName: string };

/** The column with the date that causes a status. */
export const getStatusDateColumn = (statusId: EventStatusId) =>
  statusId === EVENT_STATUS.published ? events.startDate : events.endDate;

/**
 * The statement that inserts the mail about a status, if the owner wants it. It depends on the audit entry: if another run was faster, there
 * is neither an entry nor a mail.
 */
export const insertStatusMail = (
  db: Db,
  entry: AuditEntry,
  {
    eventId,
    statusId,
    at,
  }: { readonly eventId: Uuid; readonly statusId: EventStatusId; readonly at: Instant },
) =>
  db.insert(statusMails).select(
    db
      .select({
        ...constants(statusMails, { id: entry.id, eventId, statusId, tries: 0, nextAt: at, happenedAt: at }),
        happenedAt: sql`${getStatusDateColumn(statusId)}`.as("happened_at"),
      })
      .from(events)
      .innerJoin(spaces, eq(spaces.id, events.spaceId))
      .innerJoin(users, eq(users.id, spaces.ownerId))
      .where(
        and(
          eq(events.id, eventId),
          eq(users.statusMails, true),
          sql`EXISTS (SELECT 1 FROM audit WHERE id = ${entry.id})`,
        ),
      ),
  );

/** Mails about automatic status changes. */
export function statusMailRepository(db: Db) {
  return {
    /** Claims the next due mails. Deletes those whose recipient no longer wants them or is no longer active, or whose event or space is in the trash. */
    async take(now: Instant, limit: number): Promise<readonly DueStatusMail[]> {
      const dueIds = sql`(SELECT id FROM status_mails WHERE next_at <= ${now} ORDER BY next_at LIMIT ${limit})`;
      const wantedMail = sql`FROM status_mails m CROSS JOIN events ON events.id = m.event_id
        CROSS JOIN spaces ON spaces.id = events.space_id CROSS JOIN users ON users.id = spaces.owner_id
        WHERE m.id = status_mails.id AND users.status_mails AND users.status = 'ACTIVATED' AND users.deleted_at IS NULL
          AND spaces.deleted_at IS NULL AND events.deleted_at IS NULL`;
      const [, claimed] = await runTogether(db, [
        sql`DELETE FROM status_mails WHERE id IN ${dueIds} AND NOT EXISTS (SELECT 1 ${wantedMail})`,
        sql`UPDATE status_mails SET next_at = NULL, tries = tries + 1 WHERE id IN ${dueIds} RETURNING id`,
      ]);
      const ids = (claimed as { id: string }[]).map(({ id }) => id);
      if (ids.length === 0) return [];
      const [rows] = await runTogether(db, [
        sql`SELECT m.id AS id, m.event_id AS eventId, ${rawSql(eventNameJson("events"))} AS eventName, m.status_id AS statusId,
            m.happened_at AS happenedAt, m.tries AS tries,
            json_object('id', users.id, 'firstName', first_name, 'lastName', last_name, 'email', email,
              'language', language, 'timeZone', time_zone) AS user
          FROM status_mails m CROSS JOIN events ON events.id = m.event_id
          CROSS JOIN spaces ON spaces.id = events.space_id CROSS JOIN users ON users.id = spaces.owner_id
          WHERE m.id IN ${sqlList(ids)}`,
      ]);
      return (rows as Row[]).map(({ user, eventName, ...mail }) => ({
        ...mail,
        eventName: parseTexts(eventName),
        user: JSON.parse(user) as DueStatusMail["user"],
      }));
    },

    /** Deletes a mail that was sent or abandoned. */
    async remove(id: string) {
      await run(db.delete(statusMails).where(eq(statusMails.id, id)));
    },

    /** Schedules another attempt for a mail that could not be sent. */
    async putBack(id: string, nextAt: Instant) {
      await run(db.update(statusMails).set({ nextAt }).where(eq(statusMails.id, id)));
    },

    /** Whether the user wants these mails; null for an unknown user. */
    async isWanted(userId: Uuid) {
      const rows = await run(
        db
          .select({ wanted: users.statusMails })
          .from(users)
          .where(and(eq(users.id, userId), rawSql(LIVE))),
      );
      return first(rows)?.wanted ?? null;
    },

    /** Stops these mails for a user. Returns false if they were stopped already. */
    async stop(userId: Uuid, now: Instant, entry: AuditEntry) {
      const guard = and(eq(users.id, userId), eq(users.statusMails, true), rawSql(LIVE));
      const [, stopped] = await run(
        db.batch([
          db.insert(audit).select(db.select(constants(audit, entry)).from(users).where(guard)),
          db
            .update(users)
            .set({ statusMails: false, updatedAt: now, version: sql`${users.version} + 1` })
            .where(guard)
            .returning({ id: users.id }),
        ]),
      );
      return stopped.length === 1;
    },
  };
}
