import { DurableObject } from "cloudflare:workers";

/** Window of the counts, in milliseconds. */
const WINDOW_MS = 60_000;

/**
 * Counts wrong passwords and codes, invalid API tokens, rendered pages and visit reports from all Cloudflare locations, by key and minute. Each object
 * counts a part of the keys of one limit (functions/security/shared-limit.ts). Counts are stored, because an idle object loses its memory within seconds.
 */
export class LimitCounter extends DurableObject {
  constructor(ctx: DurableObjectState, env: unknown) {
    super(ctx, env as never);
    ctx.storage.sql.exec(
      "CREATE TABLE IF NOT EXISTS counts (minute INTEGER NOT NULL, key TEXT NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (minute, key)) WITHOUT ROWID",
    );
  }

  /** Adds to the count of a key. Returns the new count of this minute; 0, without counting, for an invalid key or count. */
  async add(key: string, count: number): Promise<number> {
    if (typeof key !== "string" || key.length > 100 || !Number.isSafeInteger(count) || count < 0) return 0;
    const now = Date.now();
    const row = this.ctx.storage.sql
      .exec<{ count: number }>(
        `INSERT INTO counts (minute, key, count) VALUES (?, ?, ?)
          ON CONFLICT (minute, key) DO UPDATE SET count = counts.count + excluded.count RETURNING count`,
        ...[Math.floor(now / WINDOW_MS), key, count],
      )
      .one();
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(now + 2 * WINDOW_MS);
    return row.count;
  }

  /** Deletes the counts of past minutes. */
  override async alarm(): Promise<void> {
    const { sql } = this.ctx.storage;
    sql.exec("DELETE FROM counts WHERE minute < ?", Math.floor(Date.now() / WINDOW_MS));
    if (sql.exec("SELECT 1 FROM counts LIMIT 1").toArray().length > 0)
      await this.ctx.storage.setAlarm(Date.now() + 2 * WINDOW_MS);
  }
}
