import { type SQL, sql } from "drizzle-orm";
import type { AuditEntry, Slice } from "#functions/services/shared/ports";
import type { AuditPerson, AuditQuery, AuditRow } from "#functions/services/users/user-ports";
import type { Localized, Uuid } from "~/domain/shared/model";
import { AUDIT_ORDER, audit } from "../schema";
import { eventNameJson, parseName } from "../shared/columns";
import { createCursorCondition, sortDirection, toSlice } from "../shared/cursor-page";
import { type Db, rawSql, run } from "../shared/db";

const sortKey = rawSql(AUDIT_ORDER);

/** Returns the conditions of the queries for matching entries: four for a person. For each, an index returns the rows in order. */
function listConditions({ person, action, kind, from, to }: AuditQuery): readonly SQL[] {
  const filters = sql.join([
    ...(action === null ? [] : [sql` AND action = ${action}`]),
    ...(kind === null || action !== null ? [] : [sql` AND resource_type = ${kind}`]),
    // The sort key begins with the time, so that a time range is a range of the index.
    ...(from === null ? [] : [sql` AND ${sortKey} >= ${from}`]),
    ...(to === null ? [] : [sql` AND ${sortKey} < ${to}`]),
  ]);
  if (person === null) return [sql`1${filters}`];
  return [
    sql`actor_id = ${person}${filters}`,
    sql`resource_type = 'user' AND resource_id = ${person}${filters}`,
    sql`resource_type = 'session' AND resource_id = ${person}${filters}`,
    sql`subject_id = ${person}${filters}`,
  ];
}

const parsePerson = (json: string) => JSON.parse(json) as AuditPerson;

/** SQL for the JSON of a person, by an expression for the id. Accounts in the trash are included. */
const personJson = (id: SQL) =>
  sql`(SELECT json_object('id', id, 'firstName', first_name, 'lastName', last_name, 'email', email) FROM users WHERE id = ${id})`;

/** Maximum number of a space's events whose entries are read. */
const EVENTS_MAX = 50;

/** The audit log. The entry of a change is written with the change, by the repository of the changed record. */
export function auditRepository(db: Db) {
  async function readEntries(where: SQL | undefined, direction: SQL, limit: number): Promise<AuditRow[]> {
    const rows = await run(
      db
        .select({
          id: audit.id,
          at: audit.at,
          actorId: audit.actorId,
          action: audit.action,
          resourceType: sql<AuditRow["resourceType"]>`${audit.resourceType}`.as("resource_type"),
          resourceId: audit.resourceId,
          detail: audit.detail,
          credential: audit.credential,
          network: audit.network,
          actor: sql<string | null>`${personJson(rawSql("audit.actor_id"))}`.as("actor"),
          person: sql<
            string | null
          >`iif(resource_type IN ('user', 'session'), ${personJson(rawSql("audit.resource_id"))}, NULL)`.as(
            "person",
          ),
          name: sql<string | Localized | null>`CASE resource_type
            WHEN 'group' THEN (SELECT json_quote(name) FROM groups WHERE id = audit.resource_id)
            WHEN 'folder' THEN (SELECT json_quote(name) FROM folders WHERE id = audit.resource_id)
            WHEN 'space' THEN (SELECT json_quote(name) FROM spaces WHERE id = audit.resource_id)
            WHEN 'event' THEN (SELECT ${rawSql(eventNameJson("events"))} FROM events WHERE id = audit.resource_id)
            WHEN 'media' THEN (SELECT json_quote(title) FROM library_items WHERE id = audit.resource_id) END`
            .mapWith(parseName)
            .as("resource_name"),
        })
        .from(audit)
        .where(where)
        .orderBy(sql`${sortKey} ${direction}`)
        .limit(limit),
    );
    return rows.map(
      ({ actor, person, name, ...entry }): AuditRow => ({
        ...entry,
        actor: actor === null ? null : parsePerson(actor),
        resource: person !== null ? { person: parsePerson(person) } : name !== null ? { name } : null,
      }),
    );
  }

  return {
    /** Newest first. */
    async list(query: AuditQuery, size: number): Promise<Slice<AuditRow>> {
      const { cursor } = query;
      const cursorCondition = createCursorCondition(
        cursor,
        true,
        sortKey,
        (id) => sql`(SELECT ${sortKey} FROM audit WHERE id = ${id})`,
      );
      const direction = sortDirection(cursor, true);
      const limit = rawSql(String(size + 1));
      const [firstCondition, ...otherConditions] = listConditions(query).map(
        (condition) => sql`${condition}${cursorCondition}`,
      );
      const selectStream = (condition: SQL) =>
        sql`SELECT id FROM (SELECT id FROM audit WHERE ${condition} ORDER BY ${sortKey} ${direction} LIMIT ${limit})`;
      const where =
        firstCondition && otherConditions.length > 0
          ? sql`id IN (${sql.join([firstCondition, ...otherConditions].map(selectStream), sql` UNION `)})`
          : firstCondition;
      return toSlice(await readEntries(where, direction, size + 1), size, cursor);
    },

    /** The latest entries about a space and about its 50 newest events, newest first. */
    async listAboutSpace(spaceId: Uuid, limit: number): Promise<readonly AuditRow[]> {
      const selectLatest = (type: string, id: SQL) =>
        sql`SELECT id FROM audit WHERE resource_type = ${type} AND resource_id = ${id} ORDER BY ${sortKey} DESC LIMIT ${rawSql(String(limit))}`;
      // Reads at most as many entries per event as are listed, so that an event with many entries costs no more.
      const selectOfEvents = sql`SELECT json_each.value FROM (SELECT (SELECT json_group_array(id) FROM (${selectLatest("event", rawSql("own.id"))})) AS ids
        FROM (SELECT id FROM events WHERE space_id = ${spaceId} ORDER BY created_at DESC, id DESC LIMIT ${rawSql(String(EVENTS_MAX))}) own), json_each(ids)`;
      return readEntries(
        sql`id IN (SELECT id FROM (${selectLatest("space", sql`${spaceId}`)}) UNION ALL ${selectOfEvents})`,
        rawSql("DESC"),
        limit,
      );
    },

    /** Writes an entry that does not belong to a change. */
    async write(entry: AuditEntry) {
      await run(db.insert(audit).values(entry));
    },

    /**
     * Writes an entry whose detail has a `count` of 1, or increments the count of the entry with that id. Returns the count. If the networks of the two
     * entries differ, the detail gets `networks: "several"`.
     */
    async countUp(entry: AuditEntry) {
      const [row] = await run(
        db
          .insert(audit)
          .values(entry)
          .onConflictDoUpdate({
            target: audit.id,
            set: {
              detail: sql`json_set(
                iif(audit.network IS excluded.network, audit.detail, json_set(audit.detail, '$.networks', 'several')),
                '$.count', json_extract(audit.detail, '$.count') + 1)`,
            },
          })
          .returning({ count: sql<number>`json_extract(detail, '$.count')` }),
      );
      return row?.count ?? 0;
    },
  };
}
