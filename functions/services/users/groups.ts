import type { Repositories } from "#functions/data/shared/repositories";
import type { Actor } from "~/domain/auth/actor";
import type { Cursor } from "~/domain/shared/cursor";
import { FIRST_PAGE } from "~/domain/shared/cursor";
import { DAY_MS } from "~/domain/shared/day";
import { PAGE_SIZE, TRASH_DAYS } from "~/domain/shared/limits";
import type { Group, Uuid } from "~/domain/shared/model";
import { type Action, can, type Resource } from "~/domain/shared/permissions";
import { bindUseCases } from "../shared/bind";
import { ConflictError, ForbiddenError, InvalidError, NotFoundError } from "../shared/errors";
import { toInstant } from "../shared/instant";
import type { Clock, IdSource, Slice } from "../shared/ports";
import { auditEntry } from "./audit-entry";
import type { Member, SharedItem, SharedKind } from "./user-ports";

/** Maximum number of shared items that are listed per kind. */
const SHARED_SHOWN = 50;
/** Maximum number of search results for a new member. */
const CANDIDATES_SHOWN = 10;

/** Dependencies of the use cases of groups. */
export interface GroupDeps extends Pick<Repositories, "groups"> {
  readonly users: Pick<Repositories["users"], "find" | "list">;
  readonly folders: Pick<Repositories["folders"], "find">;
  readonly spaces: Pick<Repositories["spaces"], "find">;
  readonly library: Pick<Repositories["library"], "find">;
  readonly clock: Clock;
  readonly ids: IdSource;
}

/** A group, one page of its members, and the records shared with it. */
export interface GroupDetail {
  readonly group: Group;
  readonly members: Slice<Member>;
  /** At most 50 of each kind. */
  readonly shared: readonly SharedItem[];
  /** Whether there are more items of some kind than listed. */
  readonly hasMoreShared: boolean;
}

const requireGroupPermission = (actor: Actor, action: Action) => {
  if (!can(actor, action, { type: "group" })) throw new NotFoundError("groups");
};

/**
 * Lists groups, newest first, or those in the trash by deletion, latest first; 20 per page by default. For administrators.
 * @param input.trash true for the groups in the trash; default: false
 * @throws NotFoundError for other actors
 */
export async function listGroups(
  deps: Pick<GroupDeps, "groups">,
  input: {
    readonly actor: Actor;
    readonly trash?: boolean;
    readonly cursor?: Cursor;
    readonly pageSize?: number;
  },
): Promise<Slice<Group>> {
  const { actor, trash = false, cursor = FIRST_PAGE, pageSize = PAGE_SIZE } = input;
  requireGroupPermission(actor, "list");
  return deps.groups.list({ trash, cursor }, pageSize);
}

/** Lists the groups that have the actor as a member, by name. The actor can share items with them. */
export function listOwnGroups(
  deps: Pick<GroupDeps, "groups">,
  input: { readonly actor: Actor },
): Promise<readonly Group[]> {
  return deps.groups.listByMember(input.actor.userId);
}

/** Returns a group, its members (20 per page by default) and the records shared with it; for administrators. @throws NotFoundError */
export async function getGroup(
  deps: Pick<GroupDeps, "groups">,
  input: {
    readonly actor: Actor;
    readonly groupId: Uuid;
    readonly cursor?: Cursor;
    readonly pageSize?: number;
  },
): Promise<GroupDetail> {
  requireGroupPermission(input.actor, "read");
  const { groupId } = input;
  const [group, members, shared] = await Promise.all([
    deps.groups.find(groupId),
    deps.groups.listMembers(groupId, input.cursor ?? FIRST_PAGE, input.pageSize ?? PAGE_SIZE),
    deps.groups.listShared(groupId, SHARED_SHOWN + 1),
  ]);
  if (!group) throw new NotFoundError("group");
  const sharedItems = (["space", "folder", "media"] as const).flatMap((kind) =>
    shared.filter((item) => item.kind === kind).slice(0, SHARED_SHOWN),
  );
  return { group, members, shared: sharedItems, hasMoreShared: sharedItems.length < shared.length };
}

/** Finds users who match a search, as candidates for a group. @throws NotFoundError for actors who are not administrators */
export async function findCandidates(
  deps: Pick<GroupDeps, "groups" | "users">,
  input: { readonly actor: Actor; readonly groupId: Uuid; readonly q: string },
): Promise<{
  readonly users: readonly (Member & { readonly isMember: boolean })[];
  readonly hasMore: boolean;
}> {
  requireGroupPermission(input.actor, "update");
  const users = await deps.users.list(
    { q: input.q, show: "all", role: null, sort: "created", direction: "desc", cursor: FIRST_PAGE },
    CANDIDATES_SHOWN,
  );
  const members = await deps.groups.membersAmong(
    input.groupId,
    users.items.map(({ id }) => id),
  );
  return {
    users: users.items.map(({ id, firstName, lastName, companyName, email, status }) => ({
      id,
      firstName,
      lastName,
      companyName,
      email,
      status,
      isMember: members.includes(id),
    })),
    hasMore: users.hasNext,
  };
}

const nameTakenError = () =>
  new InvalidError({ name: [{ key: "users:errors.groupNameTaken" }] }, "group_name_taken");

/**
 * Creates a group without members. The name is checked by the schema of its form.
 * @throws NotFoundError for actors who are not administrators
 * @throws InvalidError group_name_taken
 */
export async function createGroup(
  deps: Pick<GroupDeps, "groups" | "clock" | "ids">,
  input: { readonly actor: Actor; readonly name: string },
): Promise<Group> {
  requireGroupPermission(input.actor, "create");
  const { name } = input;
  const id = deps.ids.uuid();
  const createdAt = toInstant(deps.clock.now());
  const entry = auditEntry(deps, input.actor, "group_created", "group", id, { name });
  if (!(await deps.groups.create({ id, name, createdAt }, entry))) throw nameTakenError();
  return { id, name, memberCount: 0, createdAt, version: 1, deletedAt: null };
}

/** Result of renaming a group. On a conflict, and if the group is in the trash, nothing was written, and `saved` is the current group. */
export type RenameResult =
  | { readonly status: "renamed" | "unchanged" }
  | { readonly status: "conflict" | "trashed"; readonly saved: Group };

/**
 * Renames a group.
 * @throws NotFoundError when the group does not exist, and for actors who are not administrators
 * @throws InvalidError group_name_taken
 */
export async function renameGroup(
  deps: Pick<GroupDeps, "groups" | "clock" | "ids">,
  input: { readonly actor: Actor; readonly groupId: Uuid; readonly version: number; readonly name: string },
): Promise<RenameResult> {
  const { actor, groupId, version, name } = input;
  requireGroupPermission(actor, "update");
  const group = await deps.groups.find(groupId);
  if (!group) throw new NotFoundError("group");
  if (group.deletedAt !== null) return { status: "trashed", saved: group };
  if (group.name === name) return { status: "unchanged" };
  if (group.version !== version) return { status: "conflict", saved: group };
  const entry = auditEntry(deps, actor, "group_renamed", "group", groupId, {
    name: { from: group.name, to: name },
  });
  if (await deps.groups.rename(groupId, version, name, toInstant(deps.clock.now()), entry))
    return { status: "renamed" };
  const saved = await deps.groups.find(groupId);
  if (!saved) throw new NotFoundError("group");
  if (saved.deletedAt !== null) return { status: "trashed", saved };
  if (saved.version !== version) return { status: "conflict", saved };
  throw nameTakenError();
}

async function findLiveGroup(
  deps: Pick<GroupDeps, "groups">,
  actor: Actor,
  action: Action,
  groupId: Uuid,
): Promise<Group> {
  requireGroupPermission(actor, action);
  const group = await deps.groups.find(groupId);
  if (!group || group.deletedAt !== null) throw new NotFoundError("group");
  return group;
}

/**
 * Moves a group to the trash, which suspends its members' access to the shared items.
 * @param input.version expected version; any if absent or null
 * @throws NotFoundError; ConflictError with the group when it has another version
 */
export async function deleteGroup(
  deps: Pick<GroupDeps, "groups" | "clock" | "ids">,
  input: { readonly actor: Actor; readonly groupId: Uuid; readonly version?: number | null },
): Promise<void> {
  const { actor, groupId, version = null } = input;
  await findLiveGroup(deps, actor, "delete", groupId);
  const entry = auditEntry(deps, actor, "group_deleted", "group", groupId);
  const deletion = { by: actor.userId, version };
  if (await deps.groups.setTrash(groupId, deletion, toInstant(deps.clock.now()), entry)) return;
  const saved = await findLiveGroup(deps, actor, "delete", groupId);
  if (version !== null) throw new ConflictError(saved, null);
}

/**
 * Restores a group from the trash within 30 days.
 * @throws NotFoundError when it is not in the trash, or was deleted more than 30 days ago
 * @throws InvalidError group_name_taken when another group has its name now
 */
export async function restoreGroup(
  deps: Pick<GroupDeps, "groups" | "clock" | "ids">,
  input: { readonly actor: Actor; readonly groupId: Uuid },
): Promise<void> {
  const { actor, groupId } = input;
  requireGroupPermission(actor, "restore");
  const now = deps.clock.now();
  const since = toInstant(now - TRASH_DAYS * DAY_MS);
  const entry = auditEntry(deps, actor, "group_restored", "group", groupId);
  if (await deps.groups.setTrash(groupId, { since }, toInstant(now), entry)) return;
  const group = await deps.groups.find(groupId);
  if (group?.deletedAt && group.deletedAt >= since) throw nameTakenError();
  throw new NotFoundError("group in the trash");
}

/**
 * Adds a user to a group. Does nothing if the user is a member.
 * @throws NotFoundError for actors who are not administrators, and if the group or the user does not exist or is in the trash
 */
export async function addMember(
  deps: Pick<GroupDeps, "groups" | "users" | "clock" | "ids">,
  input: { readonly actor: Actor; readonly groupId: Uuid; readonly userId: Uuid },
): Promise<void> {
  const { actor, groupId, userId } = input;
  await findLiveGroup(deps, actor, "update", groupId);
  const user = await deps.users.find(userId);
  if (!user) throw new NotFoundError("user");
  const entry = auditEntry(
    deps,
    actor,
    "group_member_added",
    "group",
    groupId,
    { member: user.email },
    userId,
  );
  await deps.groups.addMember(groupId, userId, toInstant(deps.clock.now()), entry);
}

/**
 * Removes a user from a group. Does nothing if the user is not a member.
 * @throws NotFoundError for actors who are not administrators, and if the group does not exist or is in the trash
 */
export async function removeMember(
  deps: Pick<GroupDeps, "groups" | "users" | "clock" | "ids">,
  input: { readonly actor: Actor; readonly groupId: Uuid; readonly userId: Uuid },
): Promise<void> {
  const { actor, groupId, userId } = input;
  await findLiveGroup(deps, actor, "update", groupId);
  const user = await deps.users.find(userId);
  const member = user?.email ?? userId;
  const entry = auditEntry(deps, actor, "group_member_removed", "group", groupId, { member }, userId);
  await deps.groups.removeMember(groupId, userId, entry);
}

/**
 * Shares a folder, a space or a media item with a group that has its owner as a member, or ends sharing (null). For the owner and for administrators.
 * @throws NotFoundError when the item is not visible
 * @throws ForbiddenError for members of its group, and for root folders
 * @throws InvalidError unknown_group
 */
export async function changeGroup(
  deps: GroupDeps,
  input: {
    readonly actor: Actor;
    readonly kind: SharedKind;
    readonly id: Uuid;
    readonly groupId: Uuid | null;
  },
): Promise<void> {
  const { actor, kind, id, groupId } = input;
  const { resource, ownerId } = await findSharedItem(deps, kind, id);
  if (!can(actor, "read", resource)) throw new NotFoundError(kind);
  if (!can(actor, "changeGroup", resource)) throw new ForbiddenError("change group");
  const currentGroupId = resource.groupId;
  if (currentGroupId === groupId) return;
  const [currentGroup, ownGroups] = await Promise.all([
    currentGroupId === null ? null : deps.groups.find(currentGroupId),
    groupId === null ? [] : deps.groups.listByMember(ownerId),
  ]);
  const newGroup = ownGroups.find((group) => group.id === groupId);
  const unknownGroupError = () =>
    new InvalidError({ groupId: [{ key: "users:errors.group" }] }, "unknown_group");
  if (groupId !== null && !newGroup) throw unknownGroupError();
  const detail = { group: { from: currentGroup?.name ?? null, to: newGroup?.name ?? null } };
  const entry = {
    folder: () => auditEntry(deps, actor, "folder_group_changed", "folder", id, detail),
    space: () => auditEntry(deps, actor, "space_group_changed", "space", id, detail),
    media: () => auditEntry(deps, actor, "media_group_changed", "media", id, detail),
  }[kind]();
  const now = toInstant(deps.clock.now());
  // The group or the item was deleted meanwhile, or the item has another owner now.
  if (!(await deps.groups.setGroup({ kind, id, ownerId }, groupId, now, entry))) throw unknownGroupError();
}

/** Maximum number of members that a sharing form names per group. */
const MEMBERS_NAMED = 50;

/** A group with which an item can be shared. */
export interface SharingGroup extends Pick<Group, "id" | "name" | "memberCount"> {
  /** Its members, at most 50; null for an actor who may not see them. */
  readonly members: readonly Pick<Member, "id" | "firstName" | "lastName" | "email">[] | null;
}

/** The group with which an item is shared, and the groups with which it can be shared. */
export interface SharingState {
  /** Name of the item; empty for a root folder. */
  readonly name: string;
  readonly groupId: Uuid | null;
  /** The current group, and the groups that have the owner as a member, by name; without those in the trash. Empty for a reader who may not change it. */
  readonly groups: readonly SharingGroup[];
  readonly mayChange: boolean;
}

/**
 * Returns whether a space is shared and whether the actor may change that, in one round trip. `groupName` is the name of the group with which it is
 * shared; null without one, for a group in the trash, and for an actor who may not change it.
 * @throws NotFoundError when it is not visible
 */
export async function getSpaceSharing(
  deps: Pick<GroupDeps, "groups" | "spaces">,
  { actor, spaceId }: { readonly actor: Actor; readonly spaceId: Uuid },
): Promise<{ readonly isShared: boolean; readonly groupName: string | null; readonly mayChange: boolean }> {
  const [space, name] = await Promise.all([deps.spaces.find(spaceId), deps.groups.findNameOfSpace(spaceId)]);
  const resource = space && ({ type: "space", ownerId: space.ownerId, groupId: space.groupId } as const);
  if (!resource || !can(actor, "read", resource)) throw new NotFoundError("space");
  const mayChange = can(actor, "changeGroup", resource);
  return { isShared: resource.groupId !== null, groupName: mayChange ? name : null, mayChange };
}

/**
 * Returns the group with which a folder, a space or a media item is shared, and for an actor who may change it the groups to choose from.
 * @throws NotFoundError when it is not visible
 */
export async function getSharing(
  deps: Pick<GroupDeps, "groups" | "folders" | "spaces" | "library">,
  input: { readonly actor: Actor; readonly kind: SharedKind; readonly id: Uuid },
): Promise<SharingState> {
  const { actor, kind, id } = input;
  const { resource, ownerId, name } = await findSharedItem(deps, kind, id);
  if (!can(actor, "read", resource)) throw new NotFoundError(kind);
  const { groupId } = resource;
  const mayChange = can(actor, "changeGroup", resource);
  if (!mayChange) return { name, groupId, groups: [], mayChange };
  const [ownGroups, current] = await Promise.all([
    deps.groups.listByMember(ownerId),
    groupId === null ? null : deps.groups.find(groupId),
  ]);
  const isForeignGroup =
    current && current.deletedAt === null && !ownGroups.some((group) => group.id === groupId);
  const mayNameMembers = can(actor, "read", { type: "group" });
  const groups = await Promise.all(
    (isForeignGroup ? [current, ...ownGroups] : ownGroups).map(async ({ id, name, memberCount }) => {
      const members = mayNameMembers
        ? (await deps.groups.listMembers(id, FIRST_PAGE, MEMBERS_NAMED)).items
        : null;
      return {
        id,
        name,
        memberCount,
        members:
          members?.map(({ id, firstName, lastName, email }) => ({ id, firstName, lastName, email })) ?? null,
      };
    }),
  );
  return { name, groupId, groups, mayChange };
}

type SharedResource =
  | Extract<Resource, { readonly type: "folder" }>
  | { readonly type: "space" | "media"; readonly ownerId: Uuid; readonly groupId: Uuid | null };

async function findSharedItem(
  deps: Pick<GroupDeps, "folders" | "spaces" | "library">,
  kind: SharedKind,
  id: Uuid,
): Promise<{ readonly resource: SharedResource; readonly ownerId: Uuid; readonly name: string }> {
  if (kind === "folder") {
    const folder = await deps.folders.find(id);
    if (!folder) throw new NotFoundError(kind);
    const { ownerId, groupId, parentId } = folder;
    return {
      resource: { type: kind, ownerId, groupId, isRoot: parentId === null },
      ownerId,
      name: folder.name,
    };
  }
  const item = kind === "space" ? await deps.spaces.find(id) : await deps.library.find(id);
  if (!item) throw new NotFoundError(kind);
  const { ownerId, groupId } = item;
  const name = "title" in item ? item.title : item.name;
  return { resource: { type: kind, ownerId, groupId }, ownerId, name };
}

/** `context.services.groups`. */
export const groupServices = (deps: GroupDeps) =>
  bindUseCases(deps, {
    listGroups,
    listOwnGroups,
    getGroup,
    findCandidates,
    createGroup,
    renameGroup,
    deleteGroup,
    restoreGroup,
    addMember,
    removeMember,
    getSharing,
    getSpaceSharing,
    changeGroup,
  });
