import { useEffect, useRef, useState } from "react";

/** Results of a search. */
export interface Matches<T> {
  readonly options: readonly T[];
  /** Whether further results were left out. */
  readonly isMore: boolean;
  /** Translated message of a failed search. */
  readonly problem?: string | null;
}

/** Searches for a text; rejects if the server cannot be reached. */
export type FindMatches<T> = (query: string, signal: AbortSignal) => Promise<Matches<T>>;

/** Time without typing after which a text is searched, in milliseconds. */
const PAUSE_MS = 250;

/**
 * The results of a text while it is typed. A newer text aborts the request of an older one, whose results stay until then.
 * @param query text to search; null for none, while the list is closed or an input method composes a word
 * @param lost message if the server cannot be reached
 */
export function useMatches<T>(find: FindMatches<T> | undefined, query: string | null, lost: string) {
  const [found, setFound] = useState<{ readonly query: string; readonly matches: Matches<T> } | null>(null);
  const latest = useRef({ find, lost });
  latest.current = { find, lost };
  const start = useRef(() => {});
  const isFound = found !== null && found.query === query && !found.matches.problem;
  useEffect(() => {
    if (query === null || isFound) return;
    const request = new AbortController();
    let isStarted = false;
    const ask = async () => {
      const { find, lost } = latest.current;
      if (isStarted || !find) return;
      isStarted = true;
      const matches = await find(query, request.signal).catch(() => ({
        options: [],
        isMore: false,
        problem: lost,
      }));
      if (!request.signal.aborted) setFound({ query, matches });
    };
    start.current = ask;
    const timer = setTimeout(ask, query === "" ? 0 : PAUSE_MS);
    return () => {
      clearTimeout(timer);
      request.abort();
    };
  }, [query, isFound]);
  return {
    matches: found?.matches ?? null,
    /** Whether the results are still those of an older text, or none. */
    isPending: found === null || (query !== null && found.query !== query),
    /** Searches at once, without waiting for a pause. */
    ask: () => start.current(),
  };
}
