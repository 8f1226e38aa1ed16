import * as z from "zod";
import { TREE_SORTS } from "~/domain/folders/tree-list.schema";
import { MEDIA_KINDS, readMediaKinds } from "~/domain/library/media-kinds";
import { field } from "~/domain/shared/fields.schema";
import type { MediaKind } from "~/domain/shared/model";
import { call } from "../core/call";
import {
  createSortParam,
  cursorOnlyPage,
  cursorParams,
  optional,
  queryId,
  searchParam,
} from "../core/fields";
import { PERMISSION_TEXTS } from "../core/permission-texts";
import { itemUsesJson, libraryItemJson } from "../core/record-json";
import { sliceResponse } from "../core/request";
import { LibraryItemDetailsSchema, LibraryItemSchema } from "../core/schemas";

const SORTS = TREE_SORTS.flatMap((sort) => [sort, `-${sort}`]);

/** ?kind=image&kind=video, or ?kind=image,video. Without it, all kinds. */
const kinds = optional(
  field<readonly MediaKind[]>((value) => {
    const texts = [value].flat().flatMap((item) => (typeof item === "string" ? item.split(",") : []));
    const names = texts.filter(Boolean);
    const kinds = readMediaKinds(names);
    return kinds.length < new Set(names).size
      ? { error: "shared-owners:errors.field.invalid" }
      : { value: kinds };
  }),
  {
    type: "array",
    items: { enum: MEDIA_KINDS },
    description: "May be repeated. All kinds if missing.",
  },
);

/** Items of libraries: /v1/media. The calls that rename, move and delete them are in functions/api/folders, because they are the same for folders and spaces. */
export const mediaCalls = [
  call({
    id: "listMedia",
    method: "GET",
    path: "/v1/media",
    tag: "media",
    summary: "List the media of a library or of a folder",
    description:
      "With `folder_uuid` and without `q`, lists the media in the folder in the order of `sort`, by default by name. Otherwise lists the media of the whole library to which `folder_uuid` belongs, or else that of `owner_uuid`, newest first; `q` searches it.",
    who: "user",
    may: PERMISSION_TEXTS.list,
    query: z.object({
      ...cursorParams,
      ...searchParam,
      ...createSortParam(SORTS),
      kind: kinds,
      folder_uuid: queryId("A folder of media."),
      owner_uuid: queryId("The owner. Default: the caller."),
      page: cursorOnlyPage,
    }),
    response: z.array(LibraryItemSchema),
    list: "cursor",
    handle: async ({ c, services, actor, query }) => {
      const { cursor, limit, q, sort, folder_uuid: folderId, owner_uuid: ownerId } = query;
      const listScope = { actor, folderType: "media", ownerId, folderId } as const;
      const requestedKinds = query.kind ?? [];
      const page = {
        kinds: requestedKinds.length > 0 ? requestedKinds : MEDIA_KINDS,
        cursor,
        pageSize: limit,
      };
      const { tree } = services;
      const list =
        folderId === undefined || q !== null
          ? await tree.searchTree({ ...listScope, ...page, q: q ?? "" })
          : (
              await tree.listFolder({
                ...listScope,
                ...page,
                sort: TREE_SORTS.find((treeSort) => sort?.endsWith(treeSort)) ?? "name",
                direction: sort?.startsWith("-") ? "desc" : "asc",
              })
            ).contents;
      const items = list.items.flatMap((entry) => (entry.kind === "media" ? [entry.item] : []));
      return sliceResponse(c, { ...list, items }, libraryItemJson);
    },
  }),

  call({
    id: "getMediaItem",
    method: "GET",
    path: "/v1/media/{uuid}",
    tag: "media",
    summary: "Get a media item and its uses",
    who: "user",
    may: PERMISSION_TEXTS.shared,
    response: LibraryItemDetailsSchema,
    hasEtag: true,
    handle: async ({ services, actor, params }) => {
      const { item, uses } = await services.library.getItemDetails({ actor, itemId: params.uuid });
      return { ...libraryItemJson(item), uses: itemUsesJson(uses) };
    },
  }),
];
