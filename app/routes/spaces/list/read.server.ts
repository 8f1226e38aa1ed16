import type { Actor } from "~/domain/auth/actor";
import { spacePosterUrl } from "~/domain/library/media-url";
import type { Space } from "~/domain/shared/model";
import { can } from "~/domain/shared/permissions";
import { createTreeLists, type TreeListRequest } from "../../folders/read.server";
import { toDeletedEvents } from "../space/deleted-events.server";

/** Converts a space to a list item. */
const toSpaceItem = (actor: Actor, space: Space) => {
  const { ownerId, groupId } = space;
  return {
    kind: "space" as const,
    id: space.id,
    name: space.name,
    source: space.source.kind,
    thumbnail: spacePosterUrl(space),
    eventCount: space.eventCount,
    isShared: groupId !== null,
    updatedAt: space.updatedAt,
    isCopyable: true,
    mayDelete: can(actor, "delete", { type: "space", ownerId, groupId }),
  };
};

export type SpaceItem = ReturnType<typeof toSpaceItem>;

/** Lists of spaces, with the number of the owner's spaces and the number that the owner's licence allows. */
const lists = createTreeLists({
  toLeaf: (actor, content) => (content.kind === "space" ? toSpaceItem(actor, content.space) : null),
  getUsage: (owner) => ({ used: owner.spaceCount, limit: owner.spaceLicense }),
  getFolderExtras: () => ({}),
  leafKinds: ["space"],
});

export const { readFolder: readSpaceFolder, readAll: readAllSpaces } = lists;

/** Reads an owner's trash. The first page also contains the deleted events of spaces that are not deleted themselves. */
export async function readDeletedSpaces(input: TreeListRequest) {
  const { context, actor } = input;
  const trash = await lists.readDeleted(input);
  const deletedEvents = trash.page.hasPrevious
    ? []
    : await context.services.events.listOwnerDeletedEvents({ actor, ownerId: trash.ownerId });
  return { ...trash, deletedEvents: toDeletedEvents(context, deletedEvents) };
}
