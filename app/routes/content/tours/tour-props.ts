import type { TourStop, Uuid } from "~/domain/shared/model";
import type { ContentOutcome } from "../editor/content-post.server";
import type { DeletedStop } from "./tour-actions";

/** Props that the list of stops and the form of one stop share. */
export interface TourPartProps {
  readonly tour: readonly TourStop[];
  /** Saves a changed tour. Consecutive changes with the same key are undone together. */
  readonly setTour: (tour: readonly TourStop[], key?: string) => void;
  readonly openStop: (id: Uuid) => void;
  /** Stop that the tour's player shows; null before the tour begins. */
  readonly currentStopId: Uuid | null;
  /** Plays the tour from a stop; null before the editor is ready. */
  readonly playFrom: ((id: Uuid) => void) | null;
  /** Result of a form that the server rejected or applied only in part; null if there is none. */
  readonly outcome: ContentOutcome | null;
  /** The stops of the latest deletion that have not been restored. */
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
