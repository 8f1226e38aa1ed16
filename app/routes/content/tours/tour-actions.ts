/** Applies the buttons of the tour's list to its stops, both for the editor's script and for pages without scripts. */
import { TOUR_STOPS_MAX } from "~/domain/shared/limits";
import type { EventTag, TourStop, Uuid } from "~/domain/shared/model";

/** Actions that apply to several stops at once. */
export const TOUR_ACTIONS = ["up", "down", "duplicate", "delete"] as const;
/** Name of an action. */
export type TourAction = (typeof TOUR_ACTIONS)[number];

type Tour = readonly TourStop[];

/** Moves some stops, in their order, before another one or to the end. */
export function moveStops(tour: Tour, ids: readonly Uuid[], before: Uuid | null): Tour {
  const movedStops = tour.filter(({ id }) => ids.includes(id));
  const otherStops = tour.filter(({ id }) => !ids.includes(id));
  const index = before === null ? -1 : otherStops.findIndex(({ id }) => id === before);
  return index === -1
    ? [...otherStops, ...movedStops]
    : [...otherStops.slice(0, index), ...movedStops, ...otherStops.slice(index)];
}

/** Moves some stops together to one place above the first of them, or below the last. */
function moveByOne(tour: Tour, ids: readonly Uuid[], direction: "up" | "down"): Tour {
  const selectedIndexes = tour.flatMap(({ id }, index) => (ids.includes(id) ? index : []));
  const [firstIndex, lastIndex] = [selectedIndexes[0], selectedIndexes.at(-1)];
  if (firstIndex === undefined || lastIndex === undefined) return tour;
  if (direction === "up")
    return firstIndex === 0 ? tour : moveStops(tour, ids, tour[firstIndex - 1]?.id ?? null);
  return tour[lastIndex + 1] ? moveStops(tour, ids, tour[lastIndex + 2]?.id ?? null) : tour;
}

/** Returns the tour after an action. A copy is placed after its original; if the limit does not allow all copies, none is created. */
export function applyTourAction(
  tour: Tour,
  action: TourAction,
  ids: readonly Uuid[],
  newId: () => Uuid,
): Tour {
  switch (action) {
    case "up":
    case "down":
      return moveByOne(tour, ids, action);
    case "duplicate": {
      const withCopies = tour.flatMap((stop) =>
        ids.includes(stop.id) ? [stop, { ...stop, id: newId() }] : [stop],
      );
      return withCopies.length > TOUR_STOPS_MAX ? tour : withCopies;
    }
    case "delete":
      return tour.filter(({ id }) => !ids.includes(id));
  }
}

/** Deleted stop, with the id of the stop before it. */
export interface DeletedStop {
  readonly stop: TourStop;
  readonly previousStopId: Uuid | null;
}

/** Stops of a tour to delete, with the ids of the stops before them. */
export const findDeletedStops = (tour: Tour, ids: readonly Uuid[]): readonly DeletedStop[] =>
  tour.flatMap((stop, index) =>
    ids.includes(stop.id) ? [{ stop, previousStopId: tour[index - 1]?.id ?? null }] : [],
  );

/** Restores deleted stops, each after the stop that preceded it, at the start if there was none, or at the end if that stop no longer exists. */
export function restoreStops(tour: Tour, deletedStops: readonly DeletedStop[]): Tour {
  const stops = [...tour];
  for (const { stop, previousStopId } of deletedStops) {
    if (stops.some(({ id }) => id === stop.id)) continue;
    const index = previousStopId === null ? 0 : stops.findIndex(({ id }) => id === previousStopId) + 1;
    stops.splice(previousStopId !== null && index === 0 ? stops.length : index, 0, stop);
  }
  return stops;
}

/** Reason why visitors do not see a stop; null if they do. */
export function stopHiddenReason(
  { tagId }: Pick<TourStop, "tagId">,
  tags: readonly Pick<EventTag, "id" | "hidden">[],
): "gone" | "hidden" | null {
  if (tagId === null) return null;
  const tag = tags.find(({ id }) => id === tagId);
  return tag ? (tag.hidden ? "hidden" : null) : "gone";
}

/** Whether a stop has no position: it has no view of its own, and its tag is not placed yet. */
export function lacksPosition(
  { tagId, viewpoint }: Pick<TourStop, "tagId" | "viewpoint">,
  tags: readonly Pick<EventTag, "id" | "position">[],
): boolean {
  return viewpoint === null && tags.some(({ id, position }) => id === tagId && position === null);
}
