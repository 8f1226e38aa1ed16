/** Adds many users, media items and spaces at once, for tests of behaviour that must not depend on their number. */

/** Unique address of the user with a number. */
export const bulkUserEmail = (number: number) => `person${number}@crowd.example`;

/**
 * Adds users numbered from..to in one statement: with seven family names, a hundred companies, all statuses, and one administrator
 * in five.
 */
export async function addBulkUsers(db: Pick<D1Database, "prepare">, from: number, to: number): Promise<void> {
  await db
    .prepare(
      `INSERT INTO users (id, email, email_key, password_hash, first_name, last_name, company_name, search_key, role, status,
         space_license, storage_limit, language, time_zone, created_at, updated_at)
       WITH RECURSIVE n(i) AS (SELECT CAST(?1 AS INTEGER) UNION ALL SELECT i + 1 FROM n WHERE i < ?2),
       person AS (SELECT i,
         printf('%08x-0000-4000-8000-%012x', i * 2654435761 % 4294967296, i) AS id,
         'person' || i || '@crowd.example' AS email,
         '花子' || i AS first_name,
         json_extract('["山田","佐藤","鈴木","高橋","田中","伊藤","渡辺"]', '$[' || (i % 7) || ']') AS last_name,
         'Company ' || (i * 7919 % 100) AS company_name,
         strftime('%Y-%m-%dT%H:%M:%S.000Z', 1700000000 + i, 'unixepoch') AS created_at
         FROM n)
       SELECT id, email, email, 'none', first_name, last_name, company_name,
         last_name || first_name || ' ' || first_name || ' ' || last_name || ' ' || lower(company_name) || ' ' || email,
         iif(i % 5 = 0, 'admin', 'user'),
         json_extract('["ACTIVATED","ACTIVATED","BLOCKED","EMAIL_UNVERIFIED","EMAIL_VERIFIED","DISAPPROVED"]', '$[' || (i % 6) || ']'),
         10, 1000000, 'ja', 'Asia/Tokyo', created_at, created_at FROM person`,
    )
    .bind(from, to)
    .run();
}

/**
 * Adds media items (web media, which need no file) and spaces numbered from..to to an owner's root folders. Their names consist of
 * one of ten words and the number.
 */
export async function addBulkItems(
  db: Pick<D1Database, "prepare" | "batch">,
  ownerEmail: string,
  from: number,
  to: number,
): Promise<void> {
  const numbered = (
    letter: string,
  ) => `WITH RECURSIVE n(i) AS (SELECT CAST(?1 AS INTEGER) UNION ALL SELECT i + 1 FROM n WHERE i < ?2),
    item AS (SELECT i, printf('%08x-0000-4000-${letter}000-%012x', i * 2654435761 % 4294967296, i) AS id,
      json_extract('["玄関","広間","藍の間","茶の間","lobby","hall","garden","studio","tower","dock"]', '$[' || (i % 10) || ']') || ' ' || i AS name,
      strftime('%Y-%m-%dT%H:%M:%S.000Z', 1700000000 + i, 'unixepoch') AS at FROM n),
    root AS (SELECT folders.id, folders.owner_id FROM folders JOIN users ON users.id = folders.owner_id
      WHERE users.email_key = ?3 AND folders.parent_id IS NULL AND folders.deleted_at IS NULL AND folder_type = ?4)`;
  await db.batch([
    db
      .prepare(
        `INSERT INTO library_items (id, folder_id, owner_id, kind, title, search_key, file_name, mime_type, byte_size, web_url, created_at, updated_at)
         ${numbered("8")} SELECT item.id, root.id, root.owner_id, 'web', name, name, '', 'text/html', 0,
           'https://video.example/' || i, at, at FROM item, root`,
      )
      .bind(from, to, ownerEmail, "media"),
    db
      .prepare(
        `INSERT INTO spaces (id, folder_id, owner_id, name, search_key, sid, source, created_at, updated_at)
         ${numbered("9")} SELECT item.id, root.id, root.owner_id, name, name, substr('11111111111' || replace(i, '0', 'z'), -11),
           '{"kind":"showcase"}', at, at FROM item, root`,
      )
      .bind(from, to, ownerEmail, "space"),
  ]);
}
