import type { TourStop, Uuid } from "~/domain/shared/model";
import type { ContentOutcome } from "../editor/content-post.server";
import type { DeletedStop } from "./tour-actions";

/** Props of every part of the tour panel: the stops, and functions that change them. */
export interface TourPartProps {
  readonly tour: readonly TourStop[];
  readonly setTour: (tour: readonly TourStop[], key?: string) => void;
  readonly openStop: (id: Uuid) => void;
  /** Stop that the player is at. */
  readonly currentStopId: Uuid | null;
  /** Plays the tour from a stop; null without scripts. */
  readonly playFrom: ((id: Uuid) => void) | null;
  readonly outcome: ContentOutcome | null;
  /** Stops that were deleted last and are not restored. */
  readonly restorableStops: readonly DeletedStop[];
  /** Called before stops are deleted. */
  readonly onDelete: (ids: readonly Uuid[]) => void;
}

/** The tour panel's props with the stop that is edited. */
export interface StopEditorProps extends TourPartProps {
  readonly id: Uuid;
  /** Undefined for a stop that is still to be created. */
  readonly stop: TourStop | undefined;
}
