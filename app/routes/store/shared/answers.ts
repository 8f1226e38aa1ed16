/** The time at which a page read data of a store, so that the page can show its age. */
export interface ReadAt {
  /** Epoch milliseconds of the server's clock. */
  readonly at: number;
  /** Time for which the same page may be served from the cache, in milliseconds. */
  readonly slackMs: number;
}

/** What came of a question to the store: plain data, since it may arrive after the page. */
export type Answer<T> =
  | { readonly ok: true; readonly value: T; readonly read: ReadAt }
  | {
      readonly ok: false;
      readonly status: number;
      readonly code: string;
      /** For people, in the page's language. */
      readonly message: string;
      /** Whether it may be there the next time. */
      readonly retry: boolean;
    };

/** An answer, or the promise of one. It never rejects. */
export type Arriving<T> = Answer<T> | Promise<Answer<T>>;

/** What a store has to say of a cart, in words, and whether it has changed something of it. */
export interface Note {
  readonly text: string;
  readonly isChange: boolean;
}
