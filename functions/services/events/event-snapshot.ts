import { visibleContent } from "~/domain/content/visible-content";
import type { StateDifference } from "~/domain/events/history";
import { listTags } from "~/domain/events/history";
import type { EventMedia, EventTag, Instant } from "~/domain/shared/model";
import { can } from "~/domain/shared/permissions";
import { bindUseCases } from "../shared/bind";
import { NotFoundError } from "../shared/errors";
import { toVisitorEvent, type VisitorDeps, type VisitorEvent } from "../visitors/event-access";
import { eventResource } from "./events";
import {
  type HistoryDeps,
  mediaOfState,
  type PastEventInput,
  readPastEvent,
  type SnapshotMedia,
} from "./history";

/** Dependencies of readEventSnapshot. */
export type EventSnapshotDeps = HistoryDeps & Pick<VisitorDeps, "readRecord">;

/** An earlier state of an event as visitors saw it. */
export interface SnapshotVisit {
  /** Sequence number of the requested change. */
  readonly seq: number;
  /** Time of the requested change. */
  readonly at: Instant;
  /** IANA time zone of the event's dates. */
  readonly timeZone: string;
  readonly event: VisitorEvent;
  /** Media that are left out, because their files were deleted or are no longer shared with the actor. */
  readonly missing: readonly {
    readonly title: EventTag["title"];
    readonly loss: "not_found" | "forbidden";
  }[];
  /** Differences between the two compared states; null when there is no state to compare with. */
  readonly difference: StateDifference | null;
}

const isAvailable = (
  mediaItem: SnapshotMedia,
): mediaItem is SnapshotMedia & { readonly metadata: NonNullable<SnapshotMedia["metadata"]> } =>
  mediaItem.loss === null && mediaItem.metadata !== null;

/**
 * Reads an earlier state of an event as visitors saw it, for users who may edit the event. The space is the current one, because spaces have no
 * history.
 * @param input `isMarked`: reads the later of the two compared states, because the changes are marked on it
 * @throws NotFoundError when the actor may not edit the event, or it has no such change
 */
export async function readEventSnapshot(
  deps: EventSnapshotDeps,
  input: PastEventInput & { readonly isMarked: boolean },
): Promise<SnapshotVisit> {
  const { actor, eventId, isMarked } = input;
  const [record, pastEvent] = await Promise.all([deps.readRecord(eventId), readPastEvent(deps, input)]);
  if (!record || !can(actor, "update", eventResource(record.space))) throw new NotFoundError("event");
  const { compared } = pastEvent;
  const isComparedLater = isMarked && compared !== null && compared.seq > pastEvent.seq;
  const { fields, scene } = isComparedLater ? compared.state : pastEvent.state;
  const allMedia = isComparedLater
    ? await mediaOfState(deps, actor, compared.state, pastEvent.shownNow)
    : pastEvent.media;
  const visible = visibleContent({
    tags: isComparedLater ? listTags(compared.state) : pastEvent.tags,
    media: allMedia
      .filter(isAvailable)
      .map(({ metadata, loss: _loss, ...mediaItem }): EventMedia => ({ ...mediaItem, ...metadata })),
    scene,
  });
  const { eventName, eventDetail, startDate, endDate, statusId, enableAutoChangeStatus, urlParams } = fields;
  const event = {
    ...record.event,
    eventName,
    eventDetail,
    startDate,
    endDate,
    statusId,
    enableAutoChangeStatus,
    urlParams,
  };
  return {
    seq: pastEvent.seq,
    at: pastEvent.at,
    timeZone: record.timeZone,
    event: toVisitorEvent({ ...record, ...visible, event }, Date.parse(pastEvent.at)),
    missing: allMedia.flatMap(({ title, loss, hidden }) =>
      loss === null || hidden ? [] : [{ title, loss }],
    ),
    difference: pastEvent.difference,
  };
}

/** Use cases in `context.services.history`. */
export const eventSnapshotServices = (deps: EventSnapshotDeps) => bindUseCases(deps, { readEventSnapshot });
