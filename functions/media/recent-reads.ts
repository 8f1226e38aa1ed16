import type { StoredFile } from "#functions/services/ports";

/** As long as anything is used without being asked for again (DESIGN §5). */
const FRESH_MS = 1_000;
const MAX_READS = 500;

/**
 * Who has just been let in to which file: a player asks for one part after the other, and each within a second of being let in
 * needs no other look at the session and the record. Only for parts of files: whatever is asked for whole is always looked up.
 */
export class RecentReads {
  readonly #now: () => number;
  readonly #reads = new Map<string, { readonly file: StoredFile; readonly at: number }>();

  /** @param now epoch milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** The file that somebody was let in to within the last second, or null. */
  find(ticket: string, id: string): StoredFile | null {
    const read = this.#reads.get(`${ticket} ${id}`);
    return read && this.#now() - read.at < FRESH_MS ? read.file : null;
  }

  /** Lets somebody in by `look`, and remembers when that began. */
  async look(ticket: string, look: () => Promise<StoredFile | null>): Promise<StoredFile | null> {
    const at = this.#now();
    const file = await look();
    if (file) this.#add(ticket, file, at);
    return file;
  }

  #add(ticket: string, file: StoredFile, at: number): void {
    const key = `${ticket} ${file.itemId}`;
    this.#reads.delete(key);
    this.#reads.set(key, { file, at });
    if (this.#reads.size <= MAX_READS) return;
    const oldest = this.#reads.keys().next().value;
    if (oldest !== undefined) this.#reads.delete(oldest);
  }
}
