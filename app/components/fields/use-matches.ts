import { useEffect, useRef, useState } from "react";

/** Results of a search. */
export interface Matches<T> {
  readonly options: readonly T[];
  /** Whether there are further results. */
  readonly hasMore: boolean;
  /** Translated message about a failed search. */
  readonly problem?: string | null;
}

/** Searches for a text; rejects if the server cannot be reached. */
export type FindMatches<T> = (query: string, signal: AbortSignal) => Promise<Matches<T>>;

/** Time without typing after which the search starts, in milliseconds. An empty text is searched for at once. */
const TYPING_PAUSE_MS = 250;

/**
 * Searches for a text while the user types. A newer text aborts the request for an older one; until its own results arrive, the previous ones are
 * returned.
 * @param query text to search for; null while no search is needed, for example while the list is closed or an input method is composing
 * @param failureMessage message if the server cannot be reached
 */
export function useMatches<T>(
  find: FindMatches<T> | undefined,
  query: string | null,
  failureMessage: string,
) {
  const [result, setResult] = useState<{ readonly query: string; readonly matches: Matches<T> } | null>(null);
  const latestArguments = useRef({ find, failureMessage });
  latestArguments.current = { find, failureMessage };
  const startSearch = useRef(() => {});
  const isResultCurrent = result !== null && result.query === query && !result.matches.problem;
  useEffect(() => {
    if (query === null || isResultCurrent) return;
    const request = new AbortController();
    let isStarted = false;
    const search = async () => {
      const { find, failureMessage } = latestArguments.current;
      if (isStarted || !find) return;
      isStarted = true;
      const matches = await find(query, request.signal).catch(() => ({
        options: [],
        hasMore: false,
        problem: failureMessage,
      }));
      if (!request.signal.aborted) setResult({ query, matches });
    };
    startSearch.current = search;
    const timer = setTimeout(search, query === "" ? 0 : TYPING_PAUSE_MS);
    return () => {
      clearTimeout(timer);
      request.abort();
    };
  }, [query, isResultCurrent]);
  return {
    matches: result?.matches ?? null,
    /** Whether the returned results belong to an older text, or are missing. */
    isPending: result === null || (query !== null && result.query !== query),
    /** Starts the search without waiting for a pause. */
    searchNow: () => startSearch.current(),
  };
}
