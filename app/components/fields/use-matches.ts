import { useEffect, useRef, useState } from "react";

/** Results of a search. */
export interface Matches<T> {
  readonly options: readonly T[];
  /** Whether there are further results. */
  readonly isMore: boolean;
  /** Translated message about a failed search. */
  readonly problem?: string | null;
}

/** Searches for a text; rejects if the server cannot be reached. */
export type FindMatches<T> = (query: string, signal: AbortSignal) => Promise<Matches<T>>;

/** Time without typing after which the search starts, in milliseconds. */
const PAUSE_MS = 250;

/**
 * Searches for a text while the user types. A newer text aborts the request for an older one; until its own results arrive, the previous ones are
 * returned.
 * @param query text to search for; null while no search is needed, for example while the list is closed or an input method is composing
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
    /** Whether the returned results belong to an older text, or are missing. */
    isPending: found === null || (query !== null && found.query !== query),
    /** Starts the search without waiting for a pause. */
    ask: () => start.current(),
  };
}
