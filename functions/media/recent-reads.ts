import type { StoredFile } from "#functions/services/ports";

/** As long as anything is used without being asked for again (DESIGN §5). */
const FRESH_MS = 1_000;
const MAX_READS = 500;

/** A file that somebody was let in to. */
export interface RecentRead {
  readonly file: StoredFile;
  /** Within the last second: he needs no other look. If not, it is only what he will probably be let in to again. */
  readonly isFresh: boolean;
}

/**
 * Who has been let in to which file: a player asks for one part after the other, and each within a second of being let in
 * needs no other look at the session and the record. Only for parts of files: whatever is asked for whole is always looked up.
 */
export class RecentReads {
  readonly #now: () => number;
  readonly #reads = new Map<string, { readonly file: StoredFile; readonly at: number }>();

  /** @param now epoch milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** What a reader was let in to when it was last looked up; null when he was refused then, or it is forgotten. */
  find(reader: string, id: string): RecentRead | null {
    const read = this.#reads.get(`${reader} ${id}`);
    return read ? { file: read.file, isFresh: this.#now() - read.at < FRESH_MS } : null;
  }

  /** Lets a reader in by `look`, and remembers when that began; forgets whoever is refused. */
  async look(reader: string, id: string, look: () => Promise<StoredFile | null>): Promise<StoredFile | null> {
    const at = this.#now();
    const file = await look();
    const key = `${reader} ${id}`;
    this.#reads.delete(key);
    if (file) this.#add(key, file, at);
    return file;
  }

  #add(key: string, file: StoredFile, at: number): void {
    this.#reads.set(key, { file, at });
    if (this.#reads.size <= MAX_READS) return;
    const oldest = this.#reads.keys().next().value;
    if (oldest !== undefined) this.#reads.delete(oldest);
  }
}
