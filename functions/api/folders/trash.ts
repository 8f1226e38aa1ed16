import * as z from "zod";
import { BATCH_LISTS } from "~/domain/folders/tree-batch.schema";
import { KIND_OF_LIST } from "../core/batch";
import { call, type ProblemCode } from "../core/call";
import { cursorOnlyPage, cursorParams, optionalFolderType, queryId } from "../core/fields";
import { PERMISSION_TEXTS } from "../core/permission-texts";
import { eventJson, trashedEventJson, trashedItemJson } from "../core/record-json";
import { sliceResponse } from "../core/request";
import {
  EventSchema,
  FolderSchema,
  LibraryItemSchema,
  SpaceSchema,
  TrashedEventSchema,
  TrashedItemSchema,
} from "../core/schemas";
import { itemJson, requireChanged } from "./folders";

/** Reasons why an item cannot be restored. */
const RESTORE_PROBLEMS = [
  "forbidden",
  "space_license",
  "library_capacity",
  "too_deep",
  "too_many_folders",
  "source_in_trash",
] as const satisfies readonly ProblemCode[];
const SCHEMAS = { folders: FolderSchema, spaces: SpaceSchema, media: LibraryItemSchema } as const;
const OPERATION_SUFFIXES = { folders: "Folder", spaces: "Space", media: "MediaItem" } as const;
const NOUNS = { folders: "a folder", spaces: "a space", media: "a media item" } as const;

/** Lists of items that were deleted within 30 days, and their restoration: /v1/trash, /v1/events/space_uuid/{uuid}/trash, …/{uuid}/restore. */
export const trashCalls = [
  call({
    id: "listTrash",
    method: "GET",
    path: "/v1/trash",
    tag: "trash",
    summary: "List records deleted within 30 days, latest first",
    who: "user",
    scope: "library",
    may: PERMISSION_TEXTS.list,
    query: z.object({
      ...cursorParams,
      folder_type: optionalFolderType,
      owner_uuid: queryId("The owner. Default: the caller."),
      page: cursorOnlyPage,
    }),
    response: z.array(TrashedItemSchema),
    list: "cursor",
    handle: async ({ c, services, actor, query }) => {
      const { cursor, limit, owner_uuid: ownerId, folder_type: folderType = "space" } = query;
      const trashQuery = { actor, folderType, ownerId, cursor, pageSize: limit };
      return sliceResponse(c, await services.tree.listTrash(trashQuery), trashedItemJson);
    },
  }),

  ...BATCH_LISTS.map((list) =>
    call({
      id: `restore${OPERATION_SUFFIXES[list]}`,
      method: "POST",
      path: `/v1/${list}/{uuid}/restore`,
      tag: "trash",
      summary: `Restore ${NOUNS[list]} with everything that was deleted with it`,
      description: "It returns to its former folder, or to the root folder if that folder no longer exists.",
      who: "user",
      may: PERMISSION_TEXTS.owner,
      response: SCHEMAS[list] as z.ZodType,
      problems: RESTORE_PROBLEMS,
      hasEtag: true,
      handle: async ({ services, actor, params: { uuid: id } }) => {
        const kind = KIND_OF_LIST[list];
        const [result] = await services.tree.restoreItems({ actor, selection: { [kind]: [id] } });
        requireChanged(result);
        return itemJson(services, actor, kind, id);
      },
    }),
  ),

  call({
    id: "listDeletedEvents",
    method: "GET",
    path: "/v1/events/space_uuid/{uuid}/trash",
    tag: "trash",
    summary: "List the events of a space that were deleted within 30 days, at most 50",
    who: "user",
    scope: "events",
    may: PERMISSION_TEXTS.eventOwner,
    response: z.array(TrashedEventSchema),
    wholeListKey: "uuid",
    handle: async ({ services, actor, params: { uuid: spaceId } }) => {
      await services.spaces.getSpace({ actor, spaceId });
      const deleted = await services.events.listDeletedEvents({ actor, spaceId });
      return deleted.map((event) => trashedEventJson(event, spaceId));
    },
  }),

  call({
    id: "restoreEvent",
    method: "POST",
    path: "/v1/events/{uuid}/restore",
    tag: "trash",
    summary: "Restore an event, with its links",
    who: "user",
    scope: "events",
    may: PERMISSION_TEXTS.eventOwner,
    response: EventSchema,
    problems: ["forbidden", "event_name_taken", "too_many_space_events"],
    hasEtag: true,
    handle: async ({ services, actor, params: { uuid: eventId } }) => {
      await services.events.restoreEvent({ actor, eventId });
      const { event, currentStatus } = await services.events.getEvent({ actor, eventId });
      return eventJson({ ...event, currentStatus });
    },
  }),
];
