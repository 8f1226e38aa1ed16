import { describe, expect, it } from "vitest";
import type { Actor } from "../auth/actor";
import {
  ACTIONS,
  type Action,
  can,
  neededScope,
  RESOURCE_TYPES,
  type Resource,
  type ResourceType,
} from "../shared/permissions";
import { listScopes, roleWith, SCOPES, type Scope, withRead } from "./scopes";

const OWNER: Actor = { userId: "owner", role: "user", groupIds: [] };
const ADMIN: Actor = { userId: "admin", role: "admin", groupIds: [] };

function resource(type: ResourceType): Resource {
  if (type === "user") return { type, id: OWNER.userId };
  if (type === "audit") return { type, ownerId: OWNER.userId };
  if (type === "group") return { type };
  return { type, ownerId: OWNER.userId, groupId: null };
}

const isReading = (action: Action) => action === "list" || action === "read";
// Written by hand, independently of the code's own table.
const WRITES: Record<ResourceType, Scope> = {
  folder: "library",
  space: "library",
  media: "library",
  event: "events",
  tag: "events",
  eventMedia: "events",
  user: "account",
  audit: "account",
  group: "people",
};
const READS: Partial<Record<ResourceType, Scope>> = { user: "account", audit: "account", group: "people" };

const allActions = RESOURCE_TYPES.flatMap((type) => ACTIONS.map((action) => ({ type, action })));

describe("a token's scopes", () => {
  it.each(allActions)("to $action a $type", ({ type, action }) => {
    const requiredScope = isReading(action) ? (READS[type] ?? "read") : WRITES[type];
    expect(neededScope(OWNER.userId, action, resource(type))).toBe(requiredScope);
    for (const actor of [OWNER, ADMIN])
      for (const scope of SCOPES) {
        const isOtherUsersData = actor === ADMIN && (type === "user" || type === "audit");
        const isAllowed =
          can(actor, action, resource(type)) && scope === (isOtherUsersData ? "people" : requiredScope);
        expect(can({ ...actor, scopes: [scope] }, action, resource(type)), scope).toBe(isAllowed);
      }
  });

  it("all together equal the owner's permissions", () => {
    for (const { type, action } of allActions)
      for (const actor of [OWNER, ADMIN])
        expect(can({ ...actor, scopes: SCOPES }, action, resource(type))).toBe(
          can(actor, action, resource(type)),
        );
  });

  it("permit nothing if there are none", () => {
    for (const { type, action } of allActions)
      expect(can({ ...ADMIN, scopes: [] }, action, resource(type))).toBe(false);
  });

  it("are stored in their order, without duplicates, always with read, and include people only for administrators", () => {
    expect(withRead(["library", "events", "library"])).toEqual(["read", "events", "library"]);
    expect(withRead([])).toEqual(["read"]);
    expect(listScopes("user")).not.toContain("people");
    expect(listScopes("admin")).toContain("people");
  });

  it("give a token an administrator's role only with the people scope", () => {
    expect(roleWith("admin", ["read", "library"])).toBe("user");
    expect(roleWith("admin", ["read", "people"])).toBe("admin");
    expect(roleWith("user", ["people"])).toBe("user");
  });
});
