import { eq, type SQL, sql } from "drizzle-orm";
import type { NewEvent } from "#functions/services/events/event-ports";
import { eventScenes, events, eventTags } from "../schema";
import { constants, type Db } from "../shared/db";
import { hasContentRoom } from "../users/owner-limits";

type EventWithContent = Pick<NewEvent, "id" | "content" | "createdAt">;

/** Condition: the owner has room for the content of a new event. */
export const hasRoomForContent = ({ content }: EventWithContent, ownerId: SQL): SQL =>
  content === null ? sql`1` : hasContentRoom(ownerId, sql`${JSON.stringify(content).length}`);

/**
 * Returns the statements that write the content of a new event if the event was created. In the batch, they must come after the statement that
 * inserts the event.
 */
export function insertNewContent(db: Db, { id: eventId, content, createdAt }: EventWithContent) {
  if (content === null) return [];
  const times = { createdAt, updatedAt: createdAt };
  return [
    // The tags of new content have no media.
    ...content.tags.map(({ title, body, mediaIds: _none, ...tag }, index) =>
      db.insert(eventTags).select(
        db
          .select(
            constants(eventTags, {
              ...tag,
              ...times,
              eventId,
              titleJa: title.ja,
              titleEn: title.en,
              bodyJa: body.ja,
              bodyEn: body.en,
              sortOrder: index + 1,
            }),
          )
          .from(events)
          .where(eq(events.id, eventId)),
      ),
    ),
    db.insert(eventScenes).select(
      db
        .select(constants(eventScenes, { ...content.scene, eventId, updatedAt: createdAt }))
        .from(events)
        .where(eq(events.id, eventId)),
    ),
  ];
}
