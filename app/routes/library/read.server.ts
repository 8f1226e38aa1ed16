import type { Content } from "#functions/services/tree-ports";
import { storageLeft } from "~/domain/limits";
import { pictureAddress } from "~/domain/media-address";
import { MEDIA_KINDS } from "~/domain/media-kinds";
import type { Actor, LibraryItem, User } from "~/domain/model";
import { parseListQuery } from "~/domain/page.schema";
import { can } from "~/domain/permissions";
import { formatBytes } from "~/i18n/format";
import { keepWithinSlice } from "../shared/keep-within-slice.server";
import { toFolderItem } from "../tree/item";
import {
  type Asked,
  listOf,
  pageOf,
  placeOf,
  readContents,
  readTrash,
  toShownFolder,
} from "../tree/read.server";

/** A medium as lists show it. */
export const toMediaItem = (actor: Actor, item: LibraryItem) => ({
  kind: "media" as const,
  id: item.id,
  name: item.title,
  mediaKind: item.kind,
  size: item.kind === "web" ? null : formatBytes(item.byteSize),
  duration: item.duration,
  picture: pictureAddress(item, 320),
  isShared: item.groupId !== null,
  updatedAt: item.updatedAt,
  mayDelete: can(actor, "delete", { type: "media", ownerId: item.ownerId, groupId: item.groupId }),
});

export type MediaItem = ReturnType<typeof toMediaItem>;

const toItems = (actor: Actor, contents: readonly Content[]) =>
  contents.flatMap((each) =>
    each.kind === "space"
      ? []
      : [each.kind === "folder" ? toFolderItem(actor, each.folder) : toMediaItem(actor, each.item)],
  );

const storageOf = ({ ownsAll }: { readonly ownsAll: boolean }, owner: User) =>
  ownsAll ? { used: owner.storageUsed, limit: owner.storageLimit } : null;

/** The content of a folder, or its media of some kinds. */
export async function readFolder(asked: Asked) {
  const { around, owner, contents, page } = await readContents(asked);
  const { actor } = asked;
  const { folder, ownsAll } = around;
  const upload = {
    folderId: folder.isRoot ? null : folder.id,
    ownerId: owner.id === actor.userId ? null : owner.id,
    // What is left of somebody else's storage is not everybody's to know: then the server alone refuses.
    left: ownsAll ? storageLeft(owner) : Number.MAX_SAFE_INTEGER,
  };
  const items = toItems(actor, contents);
  return {
    ...around,
    storage: storageOf(around, owner),
    upload,
    show: "folder" as const,
    q: "",
    items,
    page,
  };
}

/** All media of somebody and those shared with the reader, or what a search finds, folders as well. */
export async function readAll({ request, context, actor, folderType, ownerId, folderId, query }: Asked) {
  const q = parseListQuery(new URL(request.url).searchParams).q ?? "";
  const { kinds, cursor } = query;
  const found = await context.services.tree.searchTree({
    ...{ actor, folderType, ownerId, folderId, q, cursor },
    ...(kinds.length > 0 ? { kinds } : q === "" && { kinds: MEDIA_KINDS }),
  });
  keepWithinSlice(found, request);
  const { owner, folder } = found;
  const around = listOf(actor, folderType, owner);
  return {
    ...around,
    storage: storageOf(around, owner),
    folder: folder && toShownFolder(actor, folder),
    crumbs: [],
    show: "all" as const,
    q,
    items: toItems(actor, found.items).map((item, index) => ({
      ...item,
      place: placeOf(found.items[index], around.listHref),
    })),
    page: pageOf(found),
  };
}

/** What somebody deleted. */
export async function readDeleted(asked: Asked) {
  const { around, owner, ...list } = await readTrash(asked);
  return { ...around, storage: storageOf(around, owner), show: "trash" as const, q: "", ...list };
}
