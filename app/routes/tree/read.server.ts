import type { AppLoadContext } from "@remix-run/cloudflare";
import type { FoundItem } from "#functions/services/tree";
import type { Content } from "#functions/services/tree-ports";
import type { Actor, Folder, FolderType, User, Uuid } from "~/domain/model";
import { can } from "~/domain/permissions";
import type { TreeListQuery } from "~/domain/tree-list.schema";
import { treeListPath } from "~/domain/tree-list-path";
import { formatName } from "~/i18n/format";
import { keepWithinSlice } from "../shared/keep-within-slice.server";
import { folderHref, toCrumbs } from "./crumbs";
import { toFolderItem, toTrashed } from "./item";

/** A list of a screen with folders, as its address asks for it. */
export interface Asked {
  readonly request: Request;
  readonly context: AppLoadContext;
  readonly actor: Actor;
  readonly folderType: FolderType;
  readonly ownerId: Uuid | undefined;
  readonly folderId: Uuid | undefined;
  readonly query: TreeListQuery;
}

/** What every list of a tree says of whose it is. */
export function listOf(actor: Actor, folderType: FolderType, owner: User) {
  const ownsAll = can(actor, "list", { type: folderType, ownerId: owner.id, groupId: null });
  return {
    listHref: treeListPath(actor, folderType, owner.id),
    /** Null for one's own list, and for whoever sees only what is shared. */
    ownerName: owner.id !== actor.userId && ownsAll ? formatName(owner) : null,
    /** Whether all that is the owner's is the actor's to see. */
    ownsAll,
  };
}

/** The folder that is shown, as screens show it. */
export const toShownFolder = (actor: Actor, folder: Folder) => ({
  ...toFolderItem(actor, folder),
  isRoot: folder.parentId === null,
});

const idOf = (content: Content): Uuid =>
  content.kind === "folder"
    ? content.folder.id
    : content.kind === "space"
      ? content.space.id
      : content.item.id;

/** What the pager of a list needs of its page. */
export const pageOf = (slice: {
  readonly items: readonly Content[];
  readonly hasPrevious: boolean;
  readonly hasNext: boolean;
  readonly total: { readonly count: number; readonly isMore: boolean };
}) => ({
  ids: slice.items.map(idOf),
  hasPrevious: slice.hasPrevious,
  hasNext: slice.hasNext,
  total: slice.total,
});

/** Where something lies that was found: an empty label is the list's own. */
export const placeOf = (found: FoundItem | undefined, listHref: string) =>
  found?.place ? { label: found.place.name, href: folderHref(listHref, found.place) } : null;

/** The content of a folder. */
export async function readContents({ request, context, actor, query, ...place }: Asked) {
  const { sort, direction, cursor, kinds } = query;
  const view = await context.services.tree.listFolder({ actor, ...place, sort, direction, cursor, kinds });
  const { owner, folder, path, contents } = view;
  keepWithinSlice(contents, request);
  const around = listOf(actor, place.folderType, owner);
  return {
    owner,
    around: {
      ...around,
      folder: toShownFolder(actor, folder),
      crumbs: toCrumbs(path, around.listHref),
    },
    contents: contents.items,
    page: pageOf(contents),
  };
}

/** What somebody deleted. On the address of a folder: its owner. */
export async function readTrash({ request, context, actor, folderType, ownerId, folderId, query }: Asked) {
  const { tree } = context.services;
  const whose = folderId ? (await tree.getPath({ actor, folderId })).folder.ownerId : ownerId;
  if (ownerId && whose !== ownerId) throw new Response(null, { status: 404, statusText: "Not Found" });
  const trash = await tree.listTrash({ actor, folderType, ownerId: whose, cursor: query.cursor });
  keepWithinSlice(trash, request);
  return {
    owner: trash.owner,
    around: { ...listOf(actor, folderType, trash.owner), folder: null, crumbs: [] },
    items: trash.items.map(toTrashed),
    page: {
      ids: trash.items.map(({ id }) => id),
      hasPrevious: trash.hasPrevious,
      hasNext: trash.hasNext,
      total: null,
    },
  };
}
