import { useCallback, useMemo, useRef, useState } from "react";
import type { ContentQuery } from "~/domain/content/content-query";
import type { Uuid } from "~/domain/shared/model";
import type { Scene } from "../scene/scene-types";

/** Delay after which the pins in the space follow a search, in milliseconds. */
const PINS_FOLLOW_MS = 200;

/** Filters the list immediately, and the pins in the space after a short delay. */
export function useFound({
  scene,
  query: requestedQuery,
  shown: initial,
}: {
  readonly scene: Scene;
  readonly query: ContentQuery;
  readonly shown: readonly Uuid[] | null;
}) {
  const [shown, setShown] = useState<ReadonlySet<Uuid> | null>(() => initial && new Set(initial));
  const [pinned, setPinned] = useState(shown);
  const query = useRef(requestedQuery);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const onQuery = useCallback((next: ContentQuery, found: ReadonlySet<Uuid> | null) => {
    query.current = next;
    setShown(found);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setPinned(found), PINS_FOLLOW_MS);
  }, []);
  const pins = useMemo(
    () => (pinned ? scene.pins.filter(({ id }) => pinned.has(id)) : scene.pins),
    [scene, pinned],
  );
  return { shown, pins, query, onQuery };
}
