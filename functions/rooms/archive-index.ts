import { VISIT_DAYS } from "~/domain/analytics/visit";
import { DAY_MS } from "~/domain/shared/day";
import type { RoomStorage } from "./room-tables";

/** SQL expression for the day (UTC) on which a call (a stored message with parts of visits) arrived. */
export const CALL_DAY_SQL = "date(received_at / 1000, 'unixepoch')";
/** SQL query of the names of the objects in R2: the column `day` (see ArchiveIndex). */
export const ARCHIVED_DAYS_SQL = "SELECT day FROM archives WHERE expires_at > 0";

/** Returns the day (UTC, YYYY-MM-DD) of an object, by its name (see ArchiveIndex). */
export const dayOfArchive = (name: string): string => name.slice(0, 10);

/** Time at which an object expires, in milliseconds since 1970. */
const expiryOf = (name: string): number => Date.parse(dayOfArchive(name)) + (VISIT_DAYS + 1) * DAY_MS;

/** Whether an error of the storage means that it is full. */
export const isStorageFull = (error: unknown): boolean =>
  error instanceof Error && /SQLITE_FULL|database or disk is full/i.test(error.message);

/** Whether an object contains the rest of its day: all parts that were still in the log two days later, and no parts that were moved because the storage was full. */
const isRestOfDay = (name: string): boolean => name === dayOfArchive(name);

/**
 * The index of a room's objects in R2, each with parts of visits (reports of visitors' pages) of one day. The name of an object is its day (UTC, YYYY-MM-DD), or the day and the time (milliseconds since 1970) for parts
 * that were moved earlier because the room's storage was full. All methods are synchronous.
 */
export class ArchiveIndex {
  readonly #storage: RoomStorage;

  constructor(storage: RoomStorage) {
    this.#storage = storage;
  }

  /** Days (UTC) that have calls, ended at `before` (milliseconds since 1970) or earlier, and are not in R2 yet; in order. */
  daysToArchive(before: number): readonly string[] {
    return this.#names(
      `SELECT DISTINCT ${CALL_DAY_SQL} AS day FROM calls
        WHERE received_at < ? AND day NOT IN (SELECT day FROM archives WHERE expires_at >= 0) ORDER BY day`,
      Math.floor(before / DAY_MS) * DAY_MS,
    );
  }

  /** Names of the objects with parts, in the order of their parts. */
  get names(): readonly string[] {
    const order = (name: string) => (isRestOfDay(name) ? Infinity : Number(name.slice(11)));
    return [...this.#names(`${ARCHIVED_DAYS_SQL} ORDER BY day`)].sort((a, b) =>
      dayOfArchive(a) === dayOfArchive(b) ? order(a) - order(b) : dayOfArchive(a) < dayOfArchive(b) ? -1 : 1,
    );
  }

  /** End of the last day (UTC) whose rest (see isRestOfDay) is in R2, in milliseconds since 1970; 0 if there is none. */
  get endOfLastDay(): number {
    const day = this.names.findLast(isRestOfDay);
    return day === undefined ? 0 : Date.parse(day) + DAY_MS;
  }

  /**
   * Returns the name of the next object with parts of a day that are moved because the storage is full. It contains the present time
   * (`now`, milliseconds since 1970), so that it differs from the names that an earlier, lost storage of this room used. An object whose writing did
   * not end is written again, because R2 may have it.
   */
  nextName(day: string, now: number): string {
    const [incompleteName] = this.#names(
      "SELECT day FROM archives WHERE expires_at < 0 AND day LIKE ? || '.%'",
      day,
    );
    if (incompleteName !== undefined) return incompleteName;
    const names = this.#names(
      "SELECT day FROM archives WHERE expires_at >= 0 AND substr(day, 1, 10) = ?",
      day,
    );
    return `${day}.${Math.max(now, ...names.map((name) => 1 + Number(name.slice(11))))}`;
  }

  /** Objects that must be deleted from R2. */
  expired(now: number): readonly string[] {
    return this.#names("SELECT day FROM archives WHERE abs(expires_at) <= ? ORDER BY day", now);
  }

  /** Objects that must stay in R2, including those that are being written. */
  unexpired(now: number): readonly string[] {
    return this.#names("SELECT day FROM archives WHERE abs(expires_at) > ?", now);
  }

  /** Whether the rest of a day (see isRestOfDay) is in R2. */
  has(day: string): boolean {
    return this.#names(`${ARCHIVED_DAYS_SQL} AND day = ?`, day).length > 0;
  }

  /** Records that an object is being written, so that it is deleted with the others if the room stops before `finish`. */
  begin(name: string): void {
    try {
      this.#set(name, -expiryOf(name));
    } catch (error) {
      // A room whose storage is full writes the object before it deletes calls. An object that is not recorded is found by its key (VisitArchive.deleteUnneeded).
      if (!isStorageFull(error)) throw error;
    }
  }

  /** Records that an object is in R2. @param isKept false if its parts were erased in the meantime: it must then be deleted */
  finish(name: string, isKept: boolean): void {
    this.#set(name, isKept ? expiryOf(name) : 0);
  }

  /** Records objects that an earlier storage of this room wrote. Other names are ignored. */
  addAll(names: readonly string[]): void {
    for (const name of names)
      if (/^\d{4}-\d{2}-\d{2}(\.\d+)?$/.test(name))
        this.#query("INSERT OR IGNORE INTO archives (day, expires_at) VALUES (?, ?)", name, expiryOf(name));
  }

  /** Records that R2 no longer has an object. */
  forget(name: string): void {
    this.#query("DELETE FROM archives WHERE day = ?", name);
  }

  /** Marks all objects as expired, so that they are deleted from R2. */
  expireAll(): void {
    this.#query("UPDATE archives SET expires_at = 0");
  }

  #set(name: string, expiresAt: number): void {
    this.#query("INSERT OR REPLACE INTO archives (day, expires_at) VALUES (?, ?)", name, expiresAt);
  }

  #query(query: string, ...bindings: (string | number | null)[]): Record<string, unknown>[] {
    return this.#storage.sql.exec(query, ...bindings).toArray();
  }

  #names(query: string, ...bindings: (string | number | null)[]): readonly string[] {
    return this.#query(query, ...bindings).map(({ day }) => day as string);
  }
}
