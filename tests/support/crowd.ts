/** Many users at once, for what must not depend on how many there are. */

/** What `addCrowd` makes of a number: a name, a company and an address that no two share. */
export const crowdEmail = (number: number) => `person${number}@crowd.example`;

/**
 * Adds users numbered from..to in one statement: of seven family names, a hundred companies, all statuses, and one
 * administrator in five.
 */
export async function addCrowd(db: Pick<D1Database, "prepare">, from: number, to: number): Promise<void> {
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
