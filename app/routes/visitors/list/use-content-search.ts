import { useCallback, useMemo, useRef, useState } from "react";
import type { ContentQuery } from "~/domain/content/content-query";
import type { Uuid } from "~/domain/shared/model";
import type { Scene } from "../scene/scene-types";

/** Delay after which the pins in the space follow a search, in milliseconds. */
const PINS_FOLLOW_MS = 200;

/** Filters the list immediately, and the pins in the space after a short delay. */
export function useContentSearch({
  scene,
  query: requestedQuery,
  matchingIds: initialMatches,
}: {
  readonly scene: Scene;
  readonly query: ContentQuery;
  readonly matchingIds: readonly Uuid[] | null;
}) {
  const [matchingIds, setMatchingIds] = useState<ReadonlySet<Uuid> | null>(
    () => initialMatches && new Set(initialMatches),
  );
  const [pinIds, setPinIds] = useState(matchingIds);
  const query = useRef(requestedQuery);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const onQuery = useCallback((nextQuery: ContentQuery, ids: ReadonlySet<Uuid> | null) => {
    query.current = nextQuery;
    setMatchingIds(ids);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setPinIds(ids), PINS_FOLLOW_MS);
  }, []);
  const pins = useMemo(
    () => (pinIds ? scene.pins.filter(({ id }) => pinIds.has(id)) : scene.pins),
    [scene, pinIds],
  );
  return { matchingIds, pins, query, onQuery };
}
