import type { AccessRecord } from "../visitors/event-access";
import type { EventRecord } from "../visitors/visitor-ports";

/**
 * The part of an event's record that counting its visits needs. A whole EventRecord has this type. The part alone is much smaller, so that an isolate can cache it
 * for many more events.
 */
export interface VisitCountingRecord extends AccessRecord, Pick<EventRecord, "revision" | "timeZone"> {
  readonly event: AccessRecord["event"] & Pick<EventRecord["event"], "spStoreUrl" | "spAccessToken">;
  readonly space: AccessRecord["space"] & Pick<EventRecord["space"], "ownerId" | "groupId" | "source">;
  readonly tags: readonly Pick<EventRecord["tags"][number], "id" | "position">[];
  readonly media: readonly Pick<EventRecord["media"][number], "id">[];
  readonly scene: Pick<EventRecord["scene"], "startView">;
}

/** Copies the part of a record that counting visits needs. */
export function toVisitCountingRecord(record: EventRecord): VisitCountingRecord {
  const { revision, timeZone, publishPasswordHash, event, space, tags, media, scene } = record;
  const { id, statusId, startDate, endDate, enableAutoChangeStatus } = event;
  const { accessToken, previewAccessToken, spStoreUrl, spAccessToken } = event;
  return {
    revision,
    timeZone,
    publishPasswordHash,
    event: {
      id,
      statusId,
      startDate,
      endDate,
      enableAutoChangeStatus,
      accessToken,
      previewAccessToken,
      spStoreUrl,
      spAccessToken,
    },
    space: { sid: space.sid, ownerId: space.ownerId, groupId: space.groupId, source: space.source },
    tags: tags.map((tag) => ({ id: tag.id, position: tag.position })),
    media: media.map((mediaItem) => ({ id: mediaItem.id })),
    scene: { startView: scene.startView },
  };
}
