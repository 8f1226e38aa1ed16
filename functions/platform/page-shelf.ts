import type { PageTemplate } from "./page-template";
import type { SingleFlight } from "./single-flight";

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

  /** The first of them that is kept. */
  first(keys: readonly string[]): PageTemplate | undefined {
    for (const key of keys) {
      const page = this.get(key);
      if (page) return page;
    }
    return undefined;
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

interface KeptPage {
  readonly shelf: PageShelf;
  readonly rendering: SingleFlight;
  readonly key: string;
  /** Name the pages that this one takes the place of, the newest first; none where another would say what no longer holds. */
  readonly previous: readonly string[];
  readonly render: () => Promise<PageTemplate | null>;
  /** Work that an answer does not wait for. */
  readonly defer: (work: Promise<unknown>) => void;
}

/** A page of a shelf, rendered once for all who ask; with the previous one at hand nobody waits for that. Null when it turned out to be no page. */
export function keptPage({
  shelf,
  rendering,
  key,
  previous,
  render,
  defer,
}: KeptPage): Promise<PageTemplate | null> {
  const known = shelf.get(key);
  if (known) return Promise.resolve(known);
  const old = shelf.first(previous);
  const made = () => {
    const page = render().then((rendered) => {
      if (rendered) shelf.put(key, rendered);
      return rendered;
    });
    // The render continues after its first visitor has left, because others wait for it. Its failure is reported where it is awaited.
    defer(page.catch(() => null));
    return page;
  };
  const find = (underWay: boolean) => shelf.get(key) ?? (underWay ? old : undefined);
  const page = rendering.run<PageTemplate | null>(key, find, made);
  if (!old) return page;
  defer(page);
  return Promise.resolve(old);
}
