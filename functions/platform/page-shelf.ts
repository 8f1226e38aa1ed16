import type { PageTemplate } from "./page-template";

/** Rendered pages by key, up to a number of bytes in all; those used longest ago go first. */
export class PageShelf {
  readonly #pages = new Map<string, PageTemplate>();
  readonly #maxBytes: number;
  #bytes = 0;

  /** @param maxBytes of the pages' bodies together; an isolate has 128 MB for everything */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get(key: string): PageTemplate | undefined {
    const page = this.#pages.get(key);
    if (page) {
      this.#pages.delete(key);
      this.#pages.set(key, page);
    }
    return page;
  }

  /** Keeps a page, unless it alone is larger than the shelf. */
  put(key: string, page: PageTemplate): void {
    this.#remove(key);
    if (page.bytes.length > this.#maxBytes) return;
    this.#pages.set(key, page);
    this.#bytes += page.bytes.length;
    for (const oldest of this.#pages.keys()) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#remove(oldest);
    }
  }

  #remove(key: string): void {
    this.#bytes -= this.#pages.get(key)?.bytes.length ?? 0;
    this.#pages.delete(key);
  }
}
