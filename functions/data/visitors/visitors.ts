import { and, eq, sql } from "drizzle-orm";
import type { StoredFile } from "#functions/services/library/stored-file-ports";
import type { EventRecord } from "#functions/services/visitors/visitor-ports";
import { visibleContent } from "~/domain/content/visible-content";
import { needsConversion } from "~/domain/library/preparation";
import type { Uuid } from "~/domain/shared/model";
import { sceneRow } from "../content/content";
import { eventParts, withoutFile } from "../events/events";
import { events, LIVE, libraryItems, spaceFiles, spaces, storedFiles, users } from "../schema";
import { eventColumns, fileColumns } from "../shared/columns";
import { type Db, first, rawSql, run } from "../shared/db";
import { prepareRead } from "../shared/prepared-read";

type FileRow = Omit<StoredFile, "fileKey"> & { readonly fileKey: string | null };

/** Reads events for visitors: the whole record, or only its revision, which increases with every change that visitors could see. */
export function visitorRepository(db: Db) {
  const eventId = sql.placeholder("id");
  const parts = () => eventParts(db, eventId);
  const readEvent = prepareRead(db, () =>
    db
      .select({ ...eventColumns, publishPasswordHash: events.publishPasswordHash })
      .from(events)
      .where(and(eq(events.id, eventId), rawSql(LIVE))),
  );
  const readSpace = prepareRead(db, () => parts().space);
  const readTags = prepareRead(db, () => parts().tags);
  const readMedia = prepareRead(db, () => parts().media);
  const readSpaceFiles = prepareRead(db, () =>
    db
      .select(fileColumns)
      .from(spaceFiles)
      .innerJoin(libraryItems, and(eq(libraryItems.id, spaceFiles.libraryItemId), rawSql(LIVE)))
      .where(
        sql`${spaceFiles.spaceId} = ${db.select({ id: events.spaceId }).from(events).where(eq(events.id, eventId))}`,
      ),
  );
  const readOwner = prepareRead(db, () =>
    db
      .select({ timeZone: users.timeZone })
      .from(events)
      .innerJoin(spaces, eq(spaces.id, events.spaceId))
      .innerJoin(users, eq(users.id, spaces.ownerId))
      .where(and(eq(events.id, eventId), sql`${users.deletedAt} IS NULL`)),
  );
  const readScene = prepareRead(db, () => sceneRow(db, eventId));
  // Files that wait for their verdict, or were rejected, are not part of the event.
  const readUncheckedFiles = prepareRead(db, () =>
    db
      .select({ id: libraryItems.id })
      .from(libraryItems)
      .innerJoin(storedFiles, eq(storedFiles.fileKey, libraryItems.fileKey))
      .where(
        sql`${storedFiles.checkState} IS NOT NULL AND ${libraryItems.id} IN (
          SELECT library_item_id FROM event_media WHERE event_id = ${eventId}
          UNION SELECT library_item_id FROM space_files
            WHERE space_id = (SELECT space_id FROM events WHERE id = ${eventId}))`,
      ),
  );

  return {
    /** Reads the whole record in one round trip. Null when the event, its space or its owner's account was deleted. */
    async load(id: Uuid): Promise<EventRecord | null> {
      const eventKey = { id };
      const [eventRows, spaceRows, tags, allMedia, allSpaceFiles, ownerRows, scenes, uncheckedRows] =
        await Promise.all([
          readEvent(eventKey),
          readSpace(eventKey),
          readTags(eventKey),
          readMedia(eventKey),
          readSpaceFiles(eventKey),
          readOwner(eventKey),
          readScene(eventKey),
          readUncheckedFiles(eventKey),
        ]);
      const row = first(eventRows);
      const space = first(spaceRows);
      const owner = first(ownerRows);
      const scene = first(scenes)?.scene;
      if (!row || !space || !owner || !scene) return null;
      const uncheckedIds = new Set(uncheckedRows.map(({ id }) => id));
      // Browsers or phones cannot show the original, and there is no converted file.
      const cannotBeShown = (file: Pick<FileRow, "mimeType" | "width" | "height" | "preparation">) =>
        needsConversion(file) && !file.preparation?.display;
      const spaceFileRows = allSpaceFiles.filter(
        (file) => !uncheckedIds.has(file.itemId) && !cannotBeShown(file),
      );
      const usableMedia = allMedia.filter(
        (mediaItem) => !uncheckedIds.has(mediaItem.libraryItemId) && !cannotBeShown(mediaItem),
      );
      // Hidden items are not part of the record, and the event's link does not open their files.
      const visible = visibleContent({ tags, media: usableMedia, scene });
      const mediaRows = visible.media;
      const { publishPasswordHash, ...event } = row;
      const media = mediaRows.map(withoutFile);
      const files: Record<string, StoredFile> = {};
      const addFile = ({ fileKey, ...file }: FileRow) => {
        // A web media item has only a thumbnail.
        const key = fileKey ?? file.thumbKey;
        if (key !== null) files[file.itemId] = { ...file, fileKey: key };
      };
      for (const file of spaceFileRows) addFile(file);
      for (const mediaItem of mediaRows) {
        const {
          libraryItemId,
          kind,
          fileKey,
          thumbKey,
          fileName,
          mimeType,
          byteSize,
          width,
          height,
          preparation,
        } = mediaItem;
        addFile({
          itemId: libraryItemId,
          kind,
          fileKey,
          thumbKey,
          fileName,
          mimeType,
          byteSize,
          width,
          height,
          preparation,
        });
      }
      return {
        event,
        space,
        tags: visible.tags,
        media,
        scene: visible.scene,
        revision: event.revision,
        publishPasswordHash,
        timeZone: owner.timeZone,
        files,
      };
    },

    /** The current revision, from one row; null when the event was deleted. */
    async revision(eventId: Uuid) {
      const rows = await run(
        db
          .select({ revision: events.revision })
          .from(events)
          .where(and(eq(events.id, eventId), rawSql(LIVE))),
      );
      return first(rows)?.revision ?? null;
    },
  };
}
