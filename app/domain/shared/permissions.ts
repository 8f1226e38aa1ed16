import type { Actor } from "../auth/actor";
import type { Scope } from "../webhooks/scopes";
import type { Uuid } from "./model";

/** The actions on resources. Not every action exists for every type; see PERMISSIONS. */
export const ACTIONS = [
  "list",
  "read",
  "create",
  "update",
  "delete",
  "restore",
  "move",
  "copy",
  "changeGroup",
  "changeOwner",
  "changeStatus",
  "changeRole",
  "changeLimits",
] as const;
/** An action on a resource. */
export type Action = (typeof ACTIONS)[number];

/** The types of resources. `media` is an item of the library, `eventMedia` is its use in an event. */
export const RESOURCE_TYPES = [
  "user",
  "folder",
  "space",
  "event",
  "tag",
  "eventMedia",
  "media",
  "audit",
  "group",
] as const;
/** A type of resource. */
export type ResourceType = (typeof RESOURCE_TYPES)[number];

/**
 * The properties of a resource that decide about permissions.
 * - user: `id` is the account; null for the list of all accounts and for a new one.
 * - folder, space, media: the resource's own owner and group. For list: the owner of the list, with groupId null. For create: the owner
 *   and group of the parent folder.
 * - event, tag, eventMedia: the owner and group of their space, because an event has no owner or group of its own.
 * - audit: the account of the entries; null for all entries.
 * - group: any group.
 */
export type Resource =
  | { readonly type: "user"; readonly id: Uuid | null }
  | {
      readonly type: "folder";
      readonly ownerId: Uuid;
      readonly groupId: Uuid | null;
      /** No actor can delete or move a root folder, or change its group or owner. */
      readonly isRoot?: boolean;
    }
  | {
      readonly type: "space" | "media" | "event" | "tag" | "eventMedia";
      readonly ownerId: Uuid;
      readonly groupId: Uuid | null;
    }
  | { readonly type: "audit"; readonly ownerId: Uuid | null }
  | { readonly type: "group" };

/**
 * The actors that a permission includes. The first value includes no actor.
 * - admin: administrators
 * - other: administrators, except on their own account, so that they cannot lock themselves out
 * - owner: the owner (an account is its own owner), and administrators
 * - group: the owner, administrators, and the members of the resource's group
 */
type Rule = "nobody" | "admin" | "other" | "owner" | "group";

const NO_ACTIONS: Readonly<Record<Action, Rule>> = {
  list: "nobody",
  read: "nobody",
  create: "nobody",
  update: "nobody",
  delete: "nobody",
  restore: "nobody",
  move: "nobody",
  copy: "nobody",
  changeGroup: "nobody",
  changeOwner: "nobody",
  changeStatus: "nobody",
  changeRole: "nobody",
  changeLimits: "nobody",
};

/**
 * Rules of folders and of items in folders. Members of the group may create, change, move and copy them, but only the owner and
 * administrators may delete them.
 */
const FOLDER_ITEM: Readonly<Record<Action, Rule>> = {
  ...NO_ACTIONS,
  list: "owner",
  read: "group",
  create: "group",
  update: "group",
  move: "group",
  copy: "group",
  delete: "owner",
  restore: "owner",
  changeGroup: "owner",
  changeOwner: "admin",
};

/** Rules of the parts of an event. Changing a part counts as editing the event. */
const EVENT_PART: Readonly<Record<Action, Rule>> = {
  ...NO_ACTIONS,
  list: "group",
  read: "group",
  create: "group",
  update: "group",
  delete: "group",
  restore: "group",
  copy: "group",
};

/** The table of all permissions (specification §6). */
export const PERMISSIONS: Readonly<Record<ResourceType, Readonly<Record<Action, Rule>>>> = {
  user: {
    ...NO_ACTIONS,
    list: "admin",
    read: "owner",
    create: "admin",
    update: "owner",
    delete: "other",
    restore: "admin",
    changeStatus: "other",
    changeRole: "other",
    changeLimits: "admin",
  },
  folder: FOLDER_ITEM,
  space: FOLDER_ITEM,
  media: FOLDER_ITEM,
  event: { ...EVENT_PART, delete: "owner", restore: "owner", changeStatus: "group" },
  tag: EVENT_PART,
  eventMedia: EVENT_PART,
  audit: { ...NO_ACTIONS, list: "owner", read: "owner" },
  group: {
    ...NO_ACTIONS,
    list: "admin",
    read: "admin",
    create: "admin",
    update: "admin",
    delete: "admin",
    restore: "admin",
  },
};

function ownerOf(resource: Resource): Uuid | null {
  if (resource.type === "group") return null;
  return resource.type === "user" ? resource.id : resource.ownerId;
}

/**
 * Returns whether an actor may perform an action on a resource. A visitor (null) has no permissions here, because links grant their
 * access (see linkAccess). An API token is limited to its scopes (neededScope). A caller without read permission must receive 404.
 */
export function can(actor: Actor | null, action: Action, resource: Resource): boolean {
  if (actor === null || !hasScope(actor, action, resource)) return false;
  if (resource.type === "folder" && resource.isRoot && FORBIDDEN_ON_ROOT.has(action)) return false;
  const rule = PERMISSIONS[resource.type][action];
  const owner = ownerOf(resource);
  const isOwner = owner !== null && owner === actor.userId;
  if (rule === "nobody") return false;
  if (actor.role === "admin") return rule !== "other" || !isOwner;
  if (rule === "owner") return isOwner;
  if (rule === "group") return isOwner || isMember(actor, resource);
  return false;
}

const FORBIDDEN_ON_ROOT: ReadonlySet<Action> = new Set(["delete", "move", "changeGroup", "changeOwner"]);

function isMember(actor: Actor, resource: Resource): boolean {
  return "groupId" in resource && resource.groupId !== null && actor.groupIds.includes(resource.groupId);
}

/** Returns the scope that a token needs for an action on a resource. */
export function neededScope(userId: string, action: Action, resource: Resource): Scope {
  switch (resource.type) {
    case "user":
      return resource.id === userId ? "account" : "people";
    case "audit":
      return resource.ownerId === userId ? "account" : "people";
    case "group":
      return "people";
    default:
      if (action === "list" || action === "read") return "read";
      return resource.type === "event" || resource.type === "tag" || resource.type === "eventMedia"
        ? "events"
        : "library";
  }
}

/** Whether an actor's token has the scope that an action needs. An actor who has logged in needs none. */
const hasScope = (actor: Actor, action: Action, resource: Resource): boolean =>
  actor.scopes === undefined || actor.scopes.includes(neededScope(actor.userId, action, resource));
