import type { Actor } from "~/domain/auth/actor";
import { posterAddress } from "~/domain/library/media-address";
import type { Space } from "~/domain/shared/model";
import { can } from "~/domain/shared/permissions";
import { treeLists } from "../../folders/read.server";

/** Converts a space to a list item. */
const toSpaceItem = (actor: Actor, space: Space) => {
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

/** Lists of spaces, with the used part of the owner's licence. */
export const { readFolder, readAll, readDeleted } = treeLists({
  leafOf: (actor, content) => (content.kind === "space" ? toSpaceItem(actor, content.space) : null),
  roomOf: (owner) => ({ used: owner.spaceCount, limit: owner.spaceLicense }),
  inFolder: () => ({}),
  all: ["space"],
});
