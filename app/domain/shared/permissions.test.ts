import { describe, expect, it } from "vitest";
import type { Actor } from "../auth/actor";
import {
  ACTIONS,
  type Action,
  can,
  PERMISSIONS,
  RESOURCE_TYPES,
  type Resource,
  type ResourceType,
} from "./permissions";

const GROUP = "group-1";
const OWNER: Actor = { userId: "owner", role: "user", groupIds: [] };
const MEMBER: Actor = { userId: "member", role: "user", groupIds: ["group-0", GROUP] };
const STRANGER: Actor = { userId: "stranger", role: "user", groupIds: ["group-0"] };
const ADMIN: Actor = { userId: "admin", role: "admin", groupIds: [] };

type Who = "visitor" | "stranger" | "member" | "owner" | "admin";
const ACTORS: Record<Who, Actor | null> = {
  visitor: null,
  stranger: STRANGER,
  member: MEMBER,
  owner: OWNER,
  admin: ADMIN,
};

/** Returns an item of OWNER in GROUP, for types that have groups. */
function sharedResource(type: ResourceType): Resource {
  if (type === "user") return { type, id: OWNER.userId };
  if (type === "audit") return { type, ownerId: OWNER.userId };
  if (type === "group") return { type };
  return { type, ownerId: OWNER.userId, groupId: GROUP };
}

// Written out by hand, apart from the code's own table: the permissions for an item of the owner that is shared with the
// member's group. An action without an entry is forbidden to every actor.
const NO_ACTOR: Who[] = [];
const ONLY_ADMIN: Who[] = ["admin"];
const OWN: Who[] = ["owner", "admin"];
const GROUPED: Who[] = ["member", "owner", "admin"];
const itemRules: Partial<Record<Action, Who[]>> = {
  list: OWN,
  read: GROUPED,
  create: GROUPED,
  update: GROUPED,
  move: GROUPED,
  copy: GROUPED,
  delete: OWN,
  restore: OWN,
  changeGroup: OWN,
  changeOwner: ONLY_ADMIN,
};
const contentRules: Partial<Record<Action, Who[]>> = {
  list: GROUPED,
  read: GROUPED,
  create: GROUPED,
  update: GROUPED,
  delete: GROUPED,
  restore: GROUPED,
  copy: GROUPED,
};
const EXPECTED: Record<ResourceType, Partial<Record<Action, Who[]>>> = {
  folder: itemRules,
  space: itemRules,
  media: itemRules,
  event: { ...contentRules, delete: OWN, restore: OWN, changeStatus: GROUPED },
  tag: contentRules,
  eventMedia: contentRules,
  user: {
    list: ONLY_ADMIN,
    create: ONLY_ADMIN,
    read: OWN,
    update: OWN,
    delete: ONLY_ADMIN,
    restore: ONLY_ADMIN,
    changeStatus: ONLY_ADMIN,
    changeRole: ONLY_ADMIN,
    changeLimits: ONLY_ADMIN,
  },
  audit: { list: OWN, read: OWN },
  group: {
    list: ONLY_ADMIN,
    read: ONLY_ADMIN,
    create: ONLY_ADMIN,
    update: ONLY_ADMIN,
    delete: ONLY_ADMIN,
    restore: ONLY_ADMIN,
  },
};

const allActions = RESOURCE_TYPES.flatMap((type) => ACTIONS.map((action) => ({ type, action })));

describe("permissions", () => {
  it.each(allActions)("to $action a $type that is shared with a group", ({ type, action }) => {
    const allowed = (Object.keys(ACTORS) as Who[]).filter((role) =>
      can(ACTORS[role], action, sharedResource(type)),
    );
    expect(allowed).toEqual(EXPECTED[type][action] ?? NO_ACTOR);
  });

  it.each(allActions)("to $action a $type without a group do not reach group members", ({ type, action }) => {
    const resource = sharedResource(type);
    const withoutGroup = "groupId" in resource ? { ...resource, groupId: null } : resource;
    expect(can(MEMBER, action, withoutGroup)).toBe(false);
    expect(can(OWNER, action, withoutGroup)).toBe(can(OWNER, action, resource));
    expect(can(ADMIN, action, withoutGroup)).toBe(can(ADMIN, action, resource));
  });

  it.each(allActions)("to $action a $type are never given without a session", ({ type, action }) => {
    expect(can(null, action, sharedResource(type))).toBe(false);
  });

  it.each(allActions)("to $action a $type always include the permission to read it", ({ type, action }) => {
    for (const actor of [STRANGER, MEMBER, OWNER, ADMIN]) {
      if (can(actor, action, sharedResource(type)))
        expect(can(actor, "read", sharedResource(type))).toBe(true);
    }
  });

  it("to delete, move, share or transfer root folders are not given, even to administrators", () => {
    const root: Resource = { type: "folder", ownerId: OWNER.userId, groupId: null, isRoot: true };
    for (const action of ["delete", "move", "changeGroup", "changeOwner"] as const) {
      expect(can(OWNER, action, root)).toBe(false);
      expect(can(ADMIN, action, root)).toBe(false);
    }
    expect(can(OWNER, "create", root)).toBe(true);
    expect(can(OWNER, "read", root)).toBe(true);
  });

  it("do not let administrators lock themselves out", () => {
    const self: Resource = { type: "user", id: ADMIN.userId };
    for (const action of ["delete", "changeStatus", "changeRole"] as const) {
      expect(can(ADMIN, action, self)).toBe(false);
      expect(can(ADMIN, action, { type: "user", id: OWNER.userId })).toBe(true);
    }
    expect(can(ADMIN, "update", self)).toBe(true);
  });

  it("show the list of all accounts and the whole audit log only to administrators", () => {
    for (const actor of [OWNER, MEMBER, STRANGER]) {
      expect(can(actor, "list", { type: "user", id: null })).toBe(false);
      expect(can(actor, "list", { type: "audit", ownerId: null })).toBe(false);
    }
    expect(can(ADMIN, "list", { type: "user", id: null })).toBe(true);
    expect(can(ADMIN, "list", { type: "audit", ownerId: null })).toBe(true);
  });

  it("never allow changes of the audit log", () => {
    for (const action of ["create", "update", "delete"] as const) {
      expect(can(ADMIN, action, sharedResource("audit"))).toBe(false);
    }
  });

  it("are defined for every action of every type", () => {
    for (const type of RESOURCE_TYPES)
      expect(Object.keys(PERMISSIONS[type]).sort()).toEqual([...ACTIONS].sort());
  });
});
