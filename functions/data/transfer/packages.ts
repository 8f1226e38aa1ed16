/** Events and spaces from packages, each written in one batch or not at all (decision 036). */

import { type SQL, sql } from "drizzle-orm";
import type { PackageOutcome, PackagePlan } from "#functions/services/transfer/transfer-ports";
import { serialiseUrlParams } from "~/domain/events/url-params";
import type { LibraryItem } from "~/domain/library/library-item";
import { FOLDERS_MAX, LIBRARY_ITEMS_MAX } from "~/domain/shared/limits";
import type { Uuid } from "~/domain/shared/model";
import { nameKey } from "~/domain/shared/text";
import { TAG_COLUMN_NAMES, tagRow } from "../content/tag-columns";
import { EVENT_NAME_INDEX, NAME_COLUMNS, nameRow } from "../events/event-names";
import { selectFolderCount } from "../folders/tree";
import { markWaiting } from "../library/preparations";
import { LIVE, libraryItems } from "../schema";
import { libraryColumns } from "../shared/columns";
import { type Db, isTaken, rawSql, run, runTogether, sqlList } from "../shared/db";
import { insertAuditEntries } from "../users/audit-entries";
import { declaredBy, hasContentRoom, hasEventRoom, hasSpaceEventRoom } from "../users/owner-limits";

type Row = readonly unknown[];
const jsonColumn = (column: number): SQL => rawSql(`json_each.value ->> ${column}`);
/** Maximum length of the rows of one statement in UTF-16 units. D1 accepts 2 MB per parameter, and a unit has at most three bytes in UTF-8. */
const ROWS_LENGTH_MAX = 400_000;

/** Splits rows into lists that fit into one statement each, and returns these statements. */
function statementsForLists(rows: readonly Row[], statement: (list: SQL) => SQL): SQL[] {
  const lists: string[][] = [];
  let size = ROWS_LENGTH_MAX;
  for (const rowJson of rows.map((row) => JSON.stringify(row))) {
    if (size + rowJson.length > ROWS_LENGTH_MAX) {
      lists.push([]);
      size = 0;
    }
    lists.at(-1)?.push(rowJson);
    size += rowJson.length;
  }
  return lists.map((list) => statement(sql`json_each(${`[${list.join(",")}]`})`));
}

/** Serialises a value for storing; null stays null. */
const toJson = (value: unknown) => (value === null ? null : JSON.stringify(value));

/** Imports of packages into the database. */
export function packageRepository(db: Db) {
  return {
    /** Items of a library that have one of these sizes or URLs. Those in the trash are not found. */
    async listAlike(
      ownerId: Uuid,
      { sizes, urls }: { readonly sizes: readonly number[]; readonly urls: readonly string[] },
    ): Promise<readonly LibraryItem[]> {
      if (sizes.length + urls.length === 0) return [];
      return run(
        db
          .select(libraryColumns)
          .from(libraryItems)
          .where(
            sql`${libraryItems.ownerId} = ${ownerId} AND ${rawSql(LIVE)} AND ((file_key IS NOT NULL AND byte_size IN (SELECT value
              FROM json_each(${JSON.stringify(sizes)}))) OR web_url IN ${sqlList(urls)})`,
          ),
      ) as Promise<readonly LibraryItem[]>;
    },

    /** Writes all of a package in one batch, or nothing. */
    async write(plan: PackagePlan): Promise<PackageOutcome> {
      const { ownerId, into, space, mediaFolder, items, events, at: now } = plan;
      const { id: importId, claimedUntil } = plan.import;
      const fileBytes = items.reduce((sum, item) => sum + item.byteSize + item.thumbnailSize, 0);
      const hasTarget = space
        ? sql`EXISTS (SELECT 1 FROM folders WHERE id = ${space.folderId} AND owner_id = ${ownerId} AND folder_type = 'space'
            AND group_id IS ${space.groupId} AND deleted_at IS NULL)`
        : sql`EXISTS (SELECT 1 FROM spaces WHERE id = ${into?.id ?? ""} AND owner_id = ${ownerId} AND deleted_at IS NULL)`;
      const isTargetUnchanged = into
        ? sql`EXISTS (SELECT 1 FROM spaces WHERE id = ${into.id} AND version = ${into.version})`
        : sql`1`;
      const ownerHas = (condition: SQL) =>
        sql`EXISTS (SELECT 1 FROM users WHERE id = ${ownerId} AND deleted_at IS NULL AND ${condition})`;
      const hasLicense = space ? ownerHas(sql`space_count < space_license`) : sql`1`;
      // The package's own file is deleted when the package is written. Other imports keep their reserved bytes.
      const importBytes = sql`coalesce((SELECT byte_size FROM imports WHERE id = ${importId} AND owner_id = ${ownerId} AND done_at IS NULL), 0)`;
      const contentBytes = JSON.stringify(events).length;
      const hasRoom = ownerHas(
        sql`storage_used + ${declaredBy(sql`${ownerId}`)} - ${importBytes} + ${fileBytes + contentBytes} <= storage_limit`,
      );
      const hasContent = hasContentRoom(sql`${ownerId}`, sql`${contentBytes}`);
      const hasEvents = hasEventRoom(sql`${ownerId}`, events.length);
      const hasSpaceEvents = into ? hasSpaceEventRoom(sql`${into.id}`) : sql`1`;
      const hasMedia = ownerHas(
        sql`(${items.length} = 0 OR media_count + ${items.length} <= ${LIBRARY_ITEMS_MAX})`,
      );
      const hasFolders = mediaFolder
        ? sql`${selectFolderCount({ ownerId, folderType: "media" })} < ${FOLDERS_MAX} AND EXISTS (SELECT 1 FROM folders WHERE id = ${mediaFolder.parentId}
            AND owner_id = ${ownerId} AND folder_type = 'media' AND deleted_at IS NULL)`
        : sql`1`;
      // Condition: the library items that the package refers to still exist.
      const reusedIds = plan.reused;
      const hasItems = sql`(SELECT count(*) FROM library_items WHERE id IN ${sqlList(reusedIds)} AND owner_id = ${ownerId} AND deleted_at IS NULL) = ${reusedIds.length}`;
      const hasLimits = sql`${hasContent} AND ${hasEvents} AND ${hasSpaceEvents} AND ${hasMedia}`;
      const guard = sql`${hasTarget} AND ${isTargetUnchanged} AND ${hasLicense} AND ${hasRoom} AND ${hasLimits} AND ${hasFolders} AND ${hasItems}`;
      // The statement that marks the import as done contains the guards. The statements after it depend on it.
      const isWritten = sql`EXISTS (SELECT 1 FROM imports WHERE id = ${importId} AND claimed_until = ${claimedUntil} AND done_at = ${now})`;
      const folderId = mediaFolder?.id ?? null;
      try {
        const results = await runTogether(db, [
          sql`SELECT ${hasTarget} AS hasTarget, ${isTargetUnchanged} AND ${hasItems} AS isSame, ${hasLicense} AS hasLicense, ${hasRoom} AS hasRoom, ${hasFolders} AS hasFolders,
            ${hasContent} AS hasContent, ${hasEvents} AS hasEvents, ${hasSpaceEvents} AS hasSpaceEvents, ${hasMedia} AS hasMedia`,
          sql`UPDATE imports SET done_at = ${now}, expires_at = ${plan.keepUntil}, report = ${JSON.stringify(plan.report)}, detail = '{}'
            WHERE id = ${importId} AND claimed_until = ${claimedUntil} AND done_at IS NULL AND ${guard} RETURNING id`,
          ...(mediaFolder
            ? [
                sql`INSERT INTO folders (id, parent_id, owner_id, folder_type, name, group_id, created_at, updated_at, search_key)
                  SELECT ${mediaFolder.id}, ${mediaFolder.parentId}, ${ownerId}, 'media', ${mediaFolder.name}, NULL, ${now}, ${now},
                    ${nameKey(mediaFolder.name)} WHERE ${isWritten}`,
              ]
            : []),
          ...statementsForLists(
            items.map((item) => {
              const { url = null, ...embed } = item.web ?? {};
              return [
                ...[
                  item.id,
                  item.kind,
                  item.title,
                  nameKey(item.title),
                  item.fileName,
                  item.mimeType,
                  item.byteSize,
                ],
                ...[item.width, item.height, item.duration, item.fileKey, item.thumbKey, item.thumbnailSize],
                ...[url, item.web ? toJson(embed) : null],
              ];
            }),
            (
              list,
            ) => sql`INSERT INTO library_items (id, folder_id, owner_id, kind, title, search_key, file_name, mime_type, byte_size,
                width, height, duration, file_key, thumb_key, still_size, web_url, web_embed, created_at, updated_at)
              SELECT ${jsonColumn(0)}, ${folderId}, ${ownerId}, ${jsonColumn(1)}, ${jsonColumn(2)}, ${jsonColumn(3)}, ${jsonColumn(4)}, ${jsonColumn(5)}, ${jsonColumn(6)}, ${jsonColumn(7)}, ${jsonColumn(8)},
                ${jsonColumn(9)}, ${jsonColumn(10)}, ${jsonColumn(11)}, ${jsonColumn(12)}, ${jsonColumn(13)}, ${jsonColumn(14)}, ${now}, ${now} FROM ${list} WHERE ${isWritten}`,
          ),
          ...statementsForLists(
            items.filter(({ isHeavy }) => isHeavy).map(({ id }) => [id]),
            (list) => markWaiting(sql`id IN (SELECT ${jsonColumn(0)} FROM ${list})`, now),
          ),
          ...(space
            ? [
                sql`INSERT INTO spaces (id, folder_id, owner_id, group_id, name, search_key, sid, source, poster_media_id, created_at, updated_at)
                  SELECT ${space.id}, ${space.folderId}, ${ownerId}, ${space.groupId}, ${space.name}, ${nameKey(space.name)}, ${space.sid},
                    ${JSON.stringify(space.source)}, ${space.posterMediaId}, ${now}, ${now} WHERE ${isWritten}`,
              ]
            : []),
          ...statementsForLists(
            events.map((event) => [
              ...[event.id, event.startDate, event.endDate, event.statusId],
              ...[Number(event.enableAutoChangeStatus), event.accessToken, event.previewAccessToken],
              ...[event.spStoreUrl, event.eventDetail.ja, event.eventDetail.en],
              ...[serialiseUrlParams(event.urlParams), event.createdAt, ...nameRow(event.eventName)],
            ]),
            (
              list,
            ) => sql`INSERT INTO events (id, space_id, start_date, end_date, status_id, enable_auto_change_status,
                access_token, preview_access_token, sp_store_url, detail_ja, detail_en, url_params, created_at,
                ${rawSql(NAME_COLUMNS.join(", "))}, updated_at, announced_status)
              SELECT ${jsonColumn(0)}, ${space?.id ?? into?.id ?? ""}, ${jsonColumn(1)}, ${jsonColumn(2)}, ${jsonColumn(3)}, ${jsonColumn(4)}, ${jsonColumn(5)}, ${jsonColumn(6)}, ${jsonColumn(7)}, ${jsonColumn(8)},
                ${jsonColumn(9)}, ${jsonColumn(10)}, ${jsonColumn(11)}, ${sql.join(
                  NAME_COLUMNS.map((_, index) => jsonColumn(index + 12)),
                  rawSql(", "),
                )}, ${now}, ${jsonColumn(3)} FROM ${list} WHERE ${isWritten}`,
          ),
          ...statementsForLists(
            events.flatMap((event) =>
              event.tags.map((tag, order) => [tag.id, event.id, order, ...tagRow(tag)]),
            ),
            (
              list,
            ) => sql`INSERT INTO event_tags (id, event_id, sort_order, ${rawSql(TAG_COLUMN_NAMES.join(", "))}, created_at, updated_at)
              SELECT ${jsonColumn(0)}, ${jsonColumn(1)}, ${jsonColumn(2)}, ${sql.join(
                TAG_COLUMN_NAMES.map((_, index) => jsonColumn(index + 3)),
                rawSql(", "),
              )}, ${now}, ${now} FROM ${list} WHERE ${isWritten}`,
          ),
          ...statementsForLists(
            events.flatMap((event) =>
              event.media.map((mediaItem) => [
                ...[mediaItem.id, event.id, mediaItem.libraryItemId, mediaItem.title.ja, mediaItem.title.en],
                ...[
                  mediaItem.description.ja,
                  mediaItem.description.en,
                  toJson(mediaItem.placement),
                  mediaItem.createdOn,
                ],
                Number(mediaItem.hidden),
              ]),
            ),
            (
              list,
            ) => sql`INSERT INTO event_media (id, event_id, library_item_id, title_ja, title_en, description_ja, description_en, placement,
                created_on, hidden, updated_at)
              SELECT ${jsonColumn(0)}, ${jsonColumn(1)}, ${jsonColumn(2)}, ${jsonColumn(3)}, ${jsonColumn(4)}, ${jsonColumn(5)}, ${jsonColumn(6)}, ${jsonColumn(7)}, ${jsonColumn(8)}, ${jsonColumn(9)}, ${now}
              FROM ${list} WHERE ${isWritten}`,
          ),
          ...statementsForLists(
            events.flatMap(({ tags }) =>
              tags.flatMap((tag) => tag.mediaIds.map((mediaId, order) => [tag.id, mediaId, order])),
            ),
            (list) =>
              sql`INSERT INTO tag_media (tag_id, media_id, sort_order) SELECT ${jsonColumn(0)}, ${jsonColumn(1)}, ${jsonColumn(2)} FROM ${list} WHERE ${isWritten}`,
          ),
          ...statementsForLists(
            events.map(({ id, scene }) => [
              ...[
                id,
                toJson(scene.startView),
                toJson(scene.tour),
                toJson(scene.plan),
                toJson(scene.products),
              ],
            ]),
            (list) => sql`INSERT INTO event_scenes (event_id, start_view, tour, plan, products, updated_at)
              SELECT ${jsonColumn(0)}, ${jsonColumn(1)}, ${jsonColumn(2)}, ${jsonColumn(3)}, ${jsonColumn(4)}, ${now} FROM ${list} WHERE ${isWritten}`,
          ),
          sql`${insertAuditEntries(plan.entries)} WHERE ${isWritten}`,
        ]);
        if ((results[1]?.length ?? 0) > 0) return "written";
        return toOutcome(results[0]?.[0] as Readonly<Record<string, number>> | undefined);
      } catch (error) {
        if (isTaken(error, EVENT_NAME_INDEX)) return "name_taken";
        throw error;
      }
    },
  };
}

function toOutcome(row: Readonly<Record<string, number>> = {}): PackageOutcome {
  if (!row.hasTarget) return "gone";
  if (!row.hasLicense) return "space_license";
  if (!row.hasContent) return "content_full";
  if (!row.hasRoom) return "library_capacity";
  if (!row.hasEvents) return "too_many_events";
  if (!row.hasSpaceEvents) return "too_many_space_events";
  if (!row.hasMedia) return "too_many_media";
  return row.hasFolders ? "changed" : "too_many_folders";
}
