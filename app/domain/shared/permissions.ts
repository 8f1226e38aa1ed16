import { hasScope } from "../webhooks/scopes";
import type { Actor, Uuid } from "./model";

/** What can be done to a thing. Not every action exists for every kind: see the table. */
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
/** One of the things that can be done. */
export type Action = (typeof ACTIONS)[number];

/** The kinds of things that permissions are about. `media` is an item of the library, `eventMedia` its use in an event. */
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
/** One of the kinds of things. */
export type ResourceType = (typeof RESOURCE_TYPES)[number];

/**
 * A thing, as far as permissions go.
 * - user: `id` is the account; null for the list of all and for a new one.
 * - folder, space, media: the thing's own owner and group. For list: whose list, with groupId null. For create: the owner
 *   and group of the folder in which it is made.
 * - event, tag, eventMedia: the owner and group of the space to which they belong: an event has none of its own.
 * - audit: whose entries; null for all.
 * - group: any group.
 */
export type Resource =
  | { readonly type: "user"; readonly id: Uuid | null }
  | {
      readonly type: "folder";
      readonly ownerId: Uuid;
      readonly groupId: Uuid | null;
      /** A root folder stays where it is, for everybody. */
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
 * Who may:
 * - nobody
 * - admin: administrators
 * - other: administrators, but not to themselves: nobody locks himself out
 * - owner: the owner (an account is its own owner), and administrators
 * - group: also the members of its group
 */
type Rule = "nobody" | "admin" | "other" | "owner" | "group";

const NOTHING: Readonly<Record<Action, Rule>> = {
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

/** A thing in a folder: shared with its group for everything but deleting it and changing the group (DESIGN §4). */
const ITEM: Readonly<Record<Action, Rule>> = {
  ...NOTHING,
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

/** What an event is made of: to change it is to edit the event. */
const PART: Readonly<Record<Action, Rule>> = {
  ...NOTHING,
  list: "group",
  read: "group",
  create: "group",
  update: "group",
  delete: "group",
  restore: "group",
  copy: "group",
};

/** Every permission there is (§6, DESIGN §4). */
export const PERMISSIONS: Readonly<Record<ResourceType, Readonly<Record<Action, Rule>>>> = {
  user: {
    ...NOTHING,
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
  folder: ITEM,
  space: ITEM,
  media: ITEM,
  event: { ...PART, delete: "owner", restore: "owner", changeStatus: "group" },
  tag: PART,
  eventMedia: PART,
  audit: { ...NOTHING, list: "owner", read: "owner" },
  group: {
    ...NOTHING,
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
 * Whether an actor may do something to a thing; null is a visitor, who may nothing here (visitors have links: see
 * linkAccess). By a token nobody may more than its scopes say (scopes.ts). Whoever may not read a thing must be told that there is none (404, DESIGN §5).
 */
export function can(actor: Actor | null, action: Action, resource: Resource): boolean {
  if (actor === null || !hasScope(actor, action, resource)) return false;
  if (resource.type === "folder" && resource.isRoot && ROOT_FIXED.has(action)) return false;
  const rule = PERMISSIONS[resource.type][action];
  const owner = ownerOf(resource);
  const isOwner = owner !== null && owner === actor.userId;
  if (rule === "nobody") return false;
  if (actor.role === "admin") return rule !== "other" || !isOwner;
  if (rule === "owner") return isOwner;
  if (rule === "group") return isOwner || isMember(actor, resource);
  return false;
}

const ROOT_FIXED: ReadonlySet<Action> = new Set(["delete", "move", "changeGroup", "changeOwner"]);

function isMember(actor: Actor, resource: Resource): boolean {
  return "groupId" in resource && resource.groupId !== null && actor.groupIds.includes(resource.groupId);
}
