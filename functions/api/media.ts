import type { Hono } from "hono";
import { InvalidError } from "#functions/services/errors";
import { MEDIA_KINDS, readMediaKinds } from "~/domain/media-kinds";
import type { MediaKind } from "~/domain/model";
import { TREE_SORTS } from "~/domain/tree-list.schema";
import type { ApiEnv } from "./context";
import { type ApiCall, listQuery, noPages, queryId, requireSession, sliceAnswer, uuidParam } from "./request";
import { itemUsesJson, libraryItemJson } from "./shapes";

const SORTS = TREE_SORTS.flatMap((sort) => [sort, `-${sort}`]);

/** Items of libraries: /v1/media. What changes them is beside folders and spaces, which are changed in the same way. */
export function mediaRoutes(app: Hono<ApiEnv>): void {
  app.get("/v1/media", async (c) => {
    const { actor } = await requireSession(c);
    const { cursor, limit, page: number, q, sort } = await listQuery(c, SORTS);
    if (number > 1) throw noPages();
    const ownerId = queryId(c, "owner_uuid");
    const folderId = queryId(c, "folder_uuid");
    const place = { actor, folderType: "media", ownerId, folderId } as const;
    const page = { kinds: kindsOf(c), cursor, pageSize: limit };
    const { tree } = c.env.services;
    const list =
      folderId === undefined || q !== null
        ? await tree.searchTree({ ...place, ...page, q: q ?? "" })
        : (
            await tree.listFolder({
              ...place,
              ...page,
              sort: TREE_SORTS.find((each) => sort?.endsWith(each)) ?? "name",
              direction: sort?.startsWith("-") ? "desc" : "asc",
            })
          ).contents;
    const items = list.items.flatMap((each) => (each.kind === "media" ? [each.item] : []));
    return sliceAnswer(c, { ...list, items }, libraryItemJson);
  });

  app.get("/v1/media/:uuid", async (c) => {
    const { actor } = await requireSession(c);
    const { item, uses } = await c.env.services.library.getItemDetails({ actor, itemId: uuidParam(c) });
    return c.json({ ...libraryItemJson(item), uses: itemUsesJson(uses) });
  });
}

/** ?kind=image&kind=video, or ?kind=image,video; all without. @throws InvalidError for what is no kind */
function kindsOf(c: ApiCall): readonly MediaKind[] {
  const named = (c.req.queries("kind") ?? []).flatMap((value) => value.split(",")).filter(Boolean);
  const kinds = readMediaKinds(named);
  if (kinds.length < new Set(named).size) throw new InvalidError({ kind: [{ key: "errors.field.invalid" }] });
  return kinds.length > 0 ? kinds : MEDIA_KINDS;
}
