import type { Actor, Space, User } from "~/domain/model";
import { parseListQuery } from "~/domain/page.schema";
import { can } from "~/domain/permissions";
import { keepWithinPages } from "../shared/keep-within-pages.server";
import { toFolderItem } from "../tree/item";
import { type Asked, listOf, readContents, readTrash, toShownFolder } from "../tree/read.server";

/** A space as lists show it. */
export const toSpaceItem = (actor: Actor, space: Space) => {
  const { ownerId, groupId } = space;
  return {
    kind: "space" as const,
    id: space.id,
    name: space.name,
    source: space.source.kind,
    picture: space.posterMediaId && `/media/${space.posterMediaId}`,
    eventCount: space.eventCount,
    isShared: groupId !== null,
    updatedAt: space.updatedAt,
    mayDelete: can(actor, "delete", { type: "space", ownerId, groupId }),
  };
};

export type SpaceItem = ReturnType<typeof toSpaceItem>;

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
    items: contents.flatMap((item) =>
      item.kind === "media"
        ? []
        : [item.kind === "folder" ? toFolderItem(actor, item.folder) : toSpaceItem(actor, item.space)],
    ),
    page,
  };
}

/** Every space of somebody and those shared with the reader, or what a search finds. */
export async function readAll({ request, context, actor, ownerId, folderId }: Asked) {
  const { q, page } = parseListQuery(new URL(request.url).searchParams);
  const { spaces } = context.services;
  const list = await spaces.listSpaces({ actor, ownerId, folderId, q: q ?? "", page });
  keepWithinPages(list.spaces, request);
  const around = listOf(actor, "space", list.owner);
  return {
    ...around,
    license: licenseOf(around, list.owner),
    folder: list.folder && toShownFolder(actor, list.folder),
    crumbs: [],
    show: "all" as const,
    q: q ?? "",
    items: list.spaces.items.map((space) => toSpaceItem(actor, space)),
    page: { page: list.spaces.page, total: list.spaces.total, count: list.spaces.items.length },
  };
}

/** What somebody deleted. */
export async function readDeleted(asked: Asked) {
  const { around, owner, ...list } = await readTrash(asked);
  return { ...around, license: licenseOf(around, owner), show: "trash" as const, ...list };
}
