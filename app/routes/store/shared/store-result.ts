/** The time at which a page read data of a store, so that the page can show its age. */
export interface ReadAt {
  /** Epoch milliseconds of the server's clock. */
  readonly at: number;
  /** Time for which the same page may be served from the cache, in milliseconds. */
  readonly cachedForMs: number;
}

/** Result of a store query: plain data, because it may be streamed. */
export type StoreResult<T> =
  | { readonly ok: true; readonly value: T; readonly readAt: ReadAt }
  | {
      readonly ok: false;
      readonly status: number;
      readonly code: string;
      /** Message in the page's language. */
      readonly message: string;
      /** Whether a retry can succeed. */
      readonly retry: boolean;
    };

/** Result, or a promise of it that never rejects. */
export type StreamedResult<T> = StoreResult<T> | Promise<StoreResult<T>>;

/** Message about a cart, and whether it reports a change. */
export interface Note {
  readonly text: string;
  readonly isChange: boolean;
}
