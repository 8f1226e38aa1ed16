import type { Content } from "#functions/services/tree-ports";
import { posterAddress } from "~/domain/media-address";
import type { Actor, Space, User } from "~/domain/model";
import { parseListQuery } from "~/domain/page.schema";
import { can } from "~/domain/permissions";
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
    mayCopy: true,
    mayDelete: can(actor, "delete", { type: "space", ownerId, groupId }),
  };
};

export type SpaceItem = ReturnType<typeof toSpaceItem>;

const toItems = (actor: Actor, contents: readonly Content[]) =>
  contents.flatMap((item) =>
    item.kind === "media"
      ? []
      : [item.kind === "folder" ? toFolderItem(actor, item.folder) : toSpaceItem(actor, item.space)],
  );

const licenseOf = ({ ownsAll }: { readonly ownsAll: boolean }, owner: User) =>
  ownsAll ? { used: owner.spaceCount, limit: owner.spaceLicense } : null;

/** The content of a folder. */
export async function readFolder(asked: Asked) {
  const { around, owner, contents, page } = await readContents(asked);
  const { actor } = asked;
  return {
    ...around,
    license: licenseOf(around, owner),
    show: "folder" as const,
    items: toItems(actor, contents),
    page,
  };
}

/** Every space of somebody and those shared with the reader, or what a search finds, folders as well. */
export async function readAll({ request, context, actor, folderType, ownerId, folderId, query }: Asked) {
  const q = parseListQuery(new URL(request.url).searchParams).q ?? "";
  const found = await context.services.tree.searchTree({
    ...{ actor, folderType, ownerId, folderId, q, cursor: query.cursor },
    ...(q === "" && { kinds: ["space"] }),
  });
  keepWithinSlice(found, request);
  const around = listOf(actor, folderType, found.owner);
  return {
    ...around,
    license: licenseOf(around, found.owner),
    folder: found.folder && toShownFolder(actor, found.folder),
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
  return { ...around, license: licenseOf(around, owner), show: "trash" as const, ...list };
}
