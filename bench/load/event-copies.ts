import type { Miniflare } from "miniflare";
import type { Uuid } from "../../app/domain/shared/model";

type Database = Awaited<ReturnType<Miniflare["getD1Database"]>>;

/** Id of a record's nth copy: the same form with another beginning. */
export const copyId = (id: Uuid, n: number): Uuid => n.toString(16).padStart(8, "0") + id.slice(8);

/** Changed columns of a copy, as SQL over the row `t` and the copy's number `n.value`. */
type ColumnChanges = Readonly<Record<string, string>>;

const copiedColumn = (column: string) => `printf('%08x', n.value) || substr(t.${column}, 9)`;

/**
 * Copies an event with its tags and media. All copies of a space's events are in one copy of the space.
 * @param count number of copies; the id of copy n is copyId(eventId, n), from 1
 */
export async function copyEventRows(db: Database, eventId: Uuid, count: number): Promise<Uuid[]> {
  const numbers = Array.from({ length: count }, (_, i) => i + 1);

  async function copyRows(
    table: string,
    where: string,
    changes: ColumnChanges,
    source = numbers,
  ): Promise<void> {
    const { results } = await db.prepare(`PRAGMA table_info(${table})`).all<{ name: string }>();
    const names = results.map(({ name }) => name);
    const values = names.map((name) => changes[name] ?? `t.${name}`);
    await db
      .prepare(
        `INSERT ${table === "spaces" ? "OR IGNORE " : ""}INTO ${table} (${names.join(", ")}) SELECT ${values.join(", ")} FROM ${table} t, json_each(?2) n WHERE ${where}`,
      )
      .bind(eventId, JSON.stringify(source))
      .run();
  }

  const firstCopyPrefix = "printf('%08x', 1) ||";
  const spaceIdSql = "(SELECT space_id FROM events WHERE id = ?1)";
  const tagIdsSql = "(SELECT id FROM event_tags WHERE event_id = ?1)";
  await copyRows("spaces", `t.id = ${spaceIdSql}`, { id: copiedColumn("id"), event_count: "0" }, [1]);
  await copyRows("events", "t.id = ?1", {
    id: copiedColumn("id"),
    space_id: `${firstCopyPrefix} substr(t.space_id, 9)`,
    content_bytes: "0",
    event_name: "'Copy ' || n.value || substr(t.id, 9, 8)",
    name_ja: "''",
    name_en: "'Copy ' || n.value || substr(t.id, 9, 8)",
    name_key_ja: "''",
    name_key_en: "'copy ' || n.value || substr(t.id, 9, 8)",
  });
  const eventColumns = { id: copiedColumn("id"), event_id: copiedColumn("event_id") };
  await copyRows("event_tags", "t.event_id = ?1", eventColumns);
  await copyRows("event_media", "t.event_id = ?1", eventColumns);
  await copyRows("tag_media", `t.tag_id IN ${tagIdsSql}`, {
    tag_id: copiedColumn("tag_id"),
    media_id: copiedColumn("media_id"),
  });
  return numbers.map((n) => copyId(eventId, n));
}
