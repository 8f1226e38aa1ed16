import type { AppLoadContext } from "@remix-run/cloudflare";
import { posterAddress } from "~/domain/media-address";
import type { Actor, Folder, Space, User, Uuid } from "~/domain/model";
import { parseListQuery } from "~/domain/page.schema";
import { can } from "~/domain/permissions";
import { spaceListPath } from "~/domain/space-list-path";
import type { TreeListQuery } from "~/domain/tree-list.schema";
import { formatName } from "~/i18n/format";
import { keepWithinPages } from "../shared/keep-within-pages.server";
import { keepWithinSlice } from "../shared/keep-within-slice.server";
import { toCrumbs } from "../tree/crumbs";
import { toFolderItem, toTrashed } from "../tree/item";

interface Asked {
  readonly request: Request;
  readonly context: AppLoadContext;
  readonly actor: Actor;
  readonly ownerId: Uuid | undefined;
  readonly folderId: Uuid | undefined;
  readonly query: TreeListQuery;
}

/** A space as lists show it. */
export const toSpaceItem = (actor: Actor, space: Space) => {
  const { ownerId, groupId } = space;
  return {
    kind: "space" as const,
    id: space.id,
    name: space.name,
    source: space.source.kind,
    picture: posterAddress(space),
    eventCount: space.eventCount,
    isShared: groupId !== null,
    updatedAt: space.updatedAt,
    mayDelete: can(actor, "delete", { type: "space", ownerId, groupId }),
  };
};

export type SpaceItem = ReturnType<typeof toSpaceItem>;

/** What every list of spaces says of whose it is. */
function listOf(actor: Actor, owner: User) {
  const listHref = spaceListPath(actor, owner.id);
  const ownsAll = can(actor, "list", { type: "space", ownerId: owner.id, groupId: null });
  return {
    listHref,
    /** Null for one's own list, and for whoever sees only what is shared. */
    ownerName: owner.id !== actor.userId && ownsAll ? formatName(owner) : null,
    hasTrash: ownsAll,
    license: ownsAll ? { used: owner.spaceCount, limit: owner.spaceLicense } : null,
  };
}

/** The content of a folder. */
export async function readFolder({ request, context, actor, ownerId, folderId, query }: Asked) {
  const { sort, direction, cursor } = query;
  const place = { actor, folderType: "space", ownerId, folderId } as const;
  const view = await context.services.tree.listFolder({ ...place, sort, direction, cursor });
  const { folder, path, contents } = view;
  keepWithinSlice(contents, request);
  const around = listOf(actor, view.owner);
  return {
    ...around,
    folder: toFolder(actor, folder),
    crumbs: toCrumbs(path, around.listHref),
    show: "folder" as const,
    items: contents.items.flatMap((item) =>
      item.kind === "media"
        ? []
        : [item.kind === "folder" ? toFolderItem(actor, item.folder) : toSpaceItem(actor, item.space)],
    ),
    page: {
      ids: contents.items.map((item) => (item.kind === "folder" ? item.folder.id : idOf(item))),
      hasPrevious: contents.hasPrevious,
      hasNext: contents.hasNext,
      total: contents.total,
    },
  };
}

const toFolder = (actor: Actor, folder: Folder) => ({
  ...toFolderItem(actor, folder),
  isRoot: folder.parentId === null,
});

const idOf = (item: { space: Space } | { item: { id: string } }) =>
  "space" in item ? item.space.id : item.item.id;

/** Every space of somebody and those shared with the reader, or what a search finds. */
export async function readAll({ request, context, actor, ownerId, folderId }: Asked) {
  const { q, page } = parseListQuery(new URL(request.url).searchParams);
  const { spaces } = context.services;
  const list = await spaces.listSpaces({ actor, ownerId, folderId, q: q ?? "", page });
  keepWithinPages(list.spaces, request);
  return {
    ...listOf(actor, list.owner),
    folder: list.folder && toFolder(actor, list.folder),
    crumbs: [],
    show: "all" as const,
    q: q ?? "",
    items: list.spaces.items.map((space) => toSpaceItem(actor, space)),
    page: { page: list.spaces.page, total: list.spaces.total, count: list.spaces.items.length },
  };
}

/** What somebody deleted. On the address of a folder: its owner. */
export async function readTrash({ request, context, actor, ownerId, folderId, query }: Asked) {
  const { tree } = context.services;
  const whose = folderId ? (await tree.getPath({ actor, folderId })).folder.ownerId : ownerId;
  if (ownerId && whose !== ownerId) throw new Response(null, { status: 404, statusText: "Not Found" });
  const { cursor } = query;
  const trash = await tree.listTrash({ actor, folderType: "space", ownerId: whose, cursor });
  keepWithinSlice(trash, request);
  return {
    ...listOf(actor, trash.owner),
    folder: null,
    crumbs: [],
    show: "trash" as const,
    items: trash.items.map(toTrashed),
    page: {
      ids: trash.items.map(({ id }) => id),
      hasPrevious: trash.hasPrevious,
      hasNext: trash.hasNext,
      total: null,
    },
  };
}
