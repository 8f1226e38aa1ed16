import type { Hono } from "hono";
import { InvalidError, NotFoundError } from "#functions/services/errors";
import { readCursor, writeCursor } from "~/domain/cursor";
import { toUuid } from "~/domain/ids";
import { MEDIA_KINDS, readMediaKinds } from "~/domain/media-kinds";
import type { MediaKind, Uuid } from "~/domain/model";
import { TREE_SORTS } from "~/domain/tree-list.schema";
import type { ApiEnv } from "./context";
import { type ApiCall, listQuery, requireSession, uuidParam } from "./request";
import { itemUsesJson, libraryItemJson } from "./shapes";

const SORTS = TREE_SORTS.flatMap((sort) => [sort, `-${sort}`]);

/** Items of libraries: /v1/media. What changes them is beside folders and spaces, which are changed in the same way. */
export function mediaRoutes(app: Hono<ApiEnv>): void {
  app.get("/v1/media", async (c) => {
    const { actor } = await requireSession(c);
    const { cursor, limit, q, sort } = await listQuery(c, SORTS);
    const ownerId = queryId(c, "owner_uuid");
    const folderId = queryId(c, "folder_uuid");
    const place = { actor, folderType: "media", ownerId, folderId } as const;
    const page = { kinds: kindsOf(c), cursor: readCursor(cursor), pageSize: limit };
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
    const last = items.at(-1);
    if (list.hasNext && last) {
      const url = new URL(c.req.url);
      url.searchParams.set("cursor", writeCursor({ at: "after", id: last.id }) ?? "");
      c.header("link", `<${url.pathname}${url.search}>; rel="next"`);
    }
    if (!list.total.isMore) c.header("x-total-count", String(list.total.count));
    return c.json(items.map(libraryItemJson));
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

/** An id of the query; one that is none names nothing. @throws NotFoundError */
function queryId(c: ApiCall, name: string): Uuid | undefined {
  const value = c.req.query(name);
  if (value === undefined) return undefined;
  const id = toUuid(value);
  if (id === null) throw new NotFoundError(name);
  return id;
}
