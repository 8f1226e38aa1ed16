import { posterAddress } from "~/domain/library/media-address";
import type { Actor, Space } from "~/domain/shared/model";
import { can } from "~/domain/shared/permissions";
import { treeLists } from "../../folders/read.server";

/** A space as lists show it. */
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

/** Spaces, and how much of the owner's licence they take. */
export const { readFolder, readAll, readDeleted } = treeLists({
  leafOf: (actor, content) => (content.kind === "space" ? toSpaceItem(actor, content.space) : null),
  roomOf: (owner) => ({ used: owner.spaceCount, limit: owner.spaceLicense }),
  inFolder: () => ({}),
  all: ["space"],
});
