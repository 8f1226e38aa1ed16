/** SQL for the limits of an account (decision 045). Each condition is true while there is room. */
import { type SQL, sql } from "drizzle-orm";
import {
  CONTENT_MAX_BYTES,
  EVENTS_PER_OWNER_MAX,
  EVENTS_PER_SPACE_MAX,
  TRASH_FACTOR,
} from "~/domain/shared/limits";
import { rawSql } from "../shared/db";

/** Bytes that open uploads, imports and conversions into an owner's storage have declared. A row counts until it is deleted or done. Uploads with an empty multipart_id are files to delete. */
export const declaredBy = (ownerId: SQL): SQL =>
  sql`((SELECT coalesce(sum(byte_size), 0) FROM uploads WHERE owner_id = ${ownerId} AND ${rawSql("multipart_id <> ''")})
    + (SELECT coalesce(sum(byte_size), 0) FROM imports WHERE imports.owner_id = ${ownerId} AND done_at IS NULL)
    + (SELECT coalesce(sum(byte_size), 0) FROM prepared_files WHERE staged_for = ${ownerId}))`;

/** Condition: the owner's storage and the limit of the owner's content have room for more bytes of content. */
export const hasContentRoom = (ownerId: SQL, bytes: SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM users room WHERE room.id = ${ownerId} AND room.content_used + ${bytes} <= ${CONTENT_MAX_BYTES}
    AND room.storage_used + ${bytes} <= room.storage_limit)`;

/**
 * Condition: the content of an owner's events is below twice its limit. Saving an event's form needs only this, so that an event can be closed when
 * there is no room for content.
 */
export const hasRoomForSave = (ownerId: SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM users room WHERE room.id = ${ownerId} AND room.content_used < ${2 * CONTENT_MAX_BYTES})`;

/** Condition: the owner may have this number of additional events: see eventLimit in app/domain/shared/limits. */
export const hasEventRoom = (ownerId: SQL, adding: number): SQL =>
  sql`EXISTS (SELECT 1 FROM users room WHERE room.id = ${ownerId}
    AND room.event_count + ${adding} <= ${EVENTS_PER_OWNER_MAX} + room.space_license)`;

/** Condition: a space may have another event. */
export const hasSpaceEventRoom = (spaceId: SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM spaces room WHERE room.id = ${spaceId} AND room.event_count < ${EVENTS_PER_SPACE_MAX})`;

/** Condition on a row of users: the owner's library and its trash together have room for more bytes. */
export const hasTrashRoom = (bytes: SQL): SQL =>
  sql`users.storage_used + users.trash_used + ${bytes} <= users.storage_limit * ${TRASH_FACTOR}`;
