import type { AppLoadContext, LoaderFunctionArgs } from "@remix-run/cloudflare";
import type { FoundItem } from "#functions/services/folders/tree";
import type { FolderEntry, ListTotals, TreeSearchKind } from "#functions/services/folders/tree-ports";
import type { Slice } from "#functions/services/shared/ports";
import type { Actor } from "~/domain/auth/actor";
import type { TreeListQuery } from "~/domain/folders/tree-list.schema";
import { treeListPath } from "~/domain/folders/tree-list-path";
import { parseListQuery } from "~/domain/shared/list-query.schema";
import type { Folder, FolderType, User, Uuid } from "~/domain/shared/model";
import { can } from "~/domain/shared/permissions";
import { formatName } from "~/i18n/format";
import { keepWithinSlice } from "../shared/keep-within.server";
import { optionalUuidParam } from "../shared/uuid-param";
import { folderHref, toCrumbs } from "./crumbs";
import { toFolderItem, toTrashedRow } from "./item";
import type { LocatedItem } from "./item-parts";

/** Owner and folder in the path of a list; undefined for the actor's own list, and for its root folder. */
export const readFolderParams = (params: LoaderFunctionArgs["params"]) => ({
  ownerId: optionalUuidParam(params.userUuid),
  folderId: optionalUuidParam(params.folderUuid),
});

/** Request for a list of a folder tree. */
export interface TreeListRequest {
  readonly request: Request;
  readonly context: AppLoadContext;
  readonly actor: Actor;
  readonly folderType: FolderType;
  readonly ownerId: Uuid | undefined;
  readonly folderId: Uuid | undefined;
  readonly query: TreeListQuery;
}

/** Data about the owner that every list of a folder tree contains. */
function toListData(actor: Actor, folderType: FolderType, owner: User) {
  const seesAll = can(actor, "list", { type: folderType, ownerId: owner.id, groupId: null });
  return {
    listHref: treeListPath(actor, folderType, owner.id),
    /** Null for the actor's own list, and for actors who see only shared items. */
    ownerName: owner.id !== actor.userId && seesAll ? formatName(owner) : null,
    /** Whether the actor may see all items of the owner. */
    seesAll,
  };
}

/** Converts the displayed folder for the page. */
const toFolderPage = (actor: Actor, folder: Folder) => ({
  ...toFolderItem(actor, folder),
  isRoot: folder.parentId === null,
});

const idOf = (content: FolderEntry): Uuid =>
  content.kind === "folder"
    ? content.folder.id
    : content.kind === "space"
      ? content.space.id
      : content.item.id;

/** Data of a list's page for its pager. */
export const toPagerData = (slice: Slice<FolderEntry> & ListTotals) => ({
  ids: slice.items.map(idOf),
  hasPrevious: slice.hasPrevious,
  hasNext: slice.hasNext,
  total: slice.total,
  unfiltered: slice.unfiltered,
});

/** Returns the folder of a search result for its row. An empty label stands for the list's root. */
const toLocation = (item: FoundItem, listHref: string) =>
  item.place ? { label: item.place.name, href: folderHref(listHref, item.place) } : null;

/** Parts of the lists that differ between spaces and media. A leaf is an item that is not a folder. */
interface ListAdapter<Leaf, Usage, FolderExtras> {
  /** Converts an item; null if it does not belong in these folders. */
  toLeaf(actor: Actor, content: Exclude<FolderEntry, { readonly kind: "folder" }>): Leaf | null;
  /** The owner's usage of the limit for these items. */
  getUsage(owner: User): Usage;
  /** Additional data of a folder's page. */
  getFolderExtras(view: {
    readonly actor: Actor;
    readonly owner: User;
    readonly folder: Folder;
    readonly seesAll: boolean;
  }): FolderExtras;
  /** Kinds of leaves. The list of all items contains only these, and they are the values of its filter; a search also finds folders. */
  readonly leafKinds: readonly TreeSearchKind[];
}

/** Creates the functions that read the three lists of a page with folders: of a folder, of all items or search results, and of the trash. */
export function createTreeLists<Leaf extends object, Usage, FolderExtras>(
  adapter: ListAdapter<Leaf, Usage, FolderExtras>,
) {
  const { toLeaf, getUsage, getFolderExtras, leafKinds } = adapter;
  const toItem = (actor: Actor, content: FolderEntry) =>
    content.kind === "folder"
      ? toFolderItem(actor, content.folder, content.itemCount)
      : toLeaf(actor, content);
  const toListContext = (actor: Actor, folderType: FolderType, owner: User) => {
    const list = toListData(actor, folderType, owner);
    return { ...list, usage: list.seesAll ? getUsage(owner) : null };
  };

  async function readFolder({ request, context, actor, query, ...scope }: TreeListRequest) {
    const { sort, direction, cursor, kinds } = query;
    const view = await context.services.tree.listFolder({ actor, ...scope, sort, direction, cursor, kinds });
    const { owner, folder, path, contents } = view;
    // Redirects to the first page from a page that no longer exists.
    keepWithinSlice(contents, request);
    const list = toListContext(actor, scope.folderType, owner);
    return {
      ...list,
      ...getFolderExtras({ actor, owner, folder, seesAll: list.seesAll }),
      folder: toFolderPage(actor, folder),
      crumbs: toCrumbs(path, list.listHref),
      show: "folder" as const,
      q: "",
      items: contents.items.flatMap((content) => {
        const item = toItem(actor, content);
        const location: LocatedItem = { sameNamed: content.kind === "media" ? null : content.sameNamed };
        return item ? [{ ...item, ...location }] : [];
      }),
      page: toPagerData(contents),
    };
  }

  /** Reads all items of an owner that the actor may see, and in the actor's own list those that others share, or searches them. */
  async function readAll({ request, context, actor, folderType, ownerId, folderId, query }: TreeListRequest) {
    const q = parseListQuery(new URL(request.url).searchParams).q ?? "";
    const { cursor } = query;
    const kinds = query.kinds.filter((kind) => leafKinds.includes(kind));
    const result = await context.services.tree.searchTree({
      actor,
      folderType,
      ownerId,
      folderId,
      q,
      cursor,
      ...(kinds.length > 0 ? { kinds } : q === "" && { kinds: leafKinds }),
      unfilteredKinds: q !== "" ? null : kinds.length > 0 ? leafKinds : undefined,
    });
    keepWithinSlice(result, request);
    const list = toListContext(actor, folderType, result.owner);
    return {
      ...list,
      folder: result.folder && toFolderPage(actor, result.folder),
      crumbs: [],
      show: "all" as const,
      q,
      items: result.items.flatMap((content) => {
        const item = toItem(actor, content);
        const location: LocatedItem = { parentFolder: toLocation(content, list.listHref) };
        return item ? [{ ...item, ...location }] : [];
      }),
      page: toPagerData(result),
    };
  }

  /** Reads the trash of an owner. On the URL of a folder this is the folder's owner. */
  async function readDeleted({ request, context, actor, folderType, query, ...scope }: TreeListRequest) {
    const { tree } = context.services;
    const { ownerId, folderId } = scope;
    const trashOwnerId = folderId ? (await tree.getPath({ actor, folderId })).folder.ownerId : ownerId;
    if (ownerId && trashOwnerId !== ownerId)
      throw new Response(null, { status: 404, statusText: "Not Found" });
    const trash = await tree.listTrash({ actor, folderType, ownerId: trashOwnerId, cursor: query.cursor });
    keepWithinSlice(trash, request);
    const { items, hasPrevious, hasNext } = trash;
    return {
      ...toListContext(actor, folderType, trash.owner),
      folder: null,
      crumbs: [],
      ownerId: trash.owner.id,
      show: "trash" as const,
      q: "",
      items: items.map(toTrashedRow),
      page: { ids: items.map(({ id }) => id), hasPrevious, hasNext, total: null },
    };
  }

  return { readFolder, readAll, readDeleted };
}
