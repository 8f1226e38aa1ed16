import { expect, it } from "vitest";
import { treeListPath } from "./tree-list-path";

it("returns a list that the actor may see", () => {
  const member = { userId: "me", role: "user", groupIds: ["g"] } as const;
  expect(treeListPath(member, "space", "me")).toBe("/space-list");
  expect(treeListPath(member, "space", "owner")).toBe("/space-list");
  expect(treeListPath(member, "media", "owner")).toBe("/library");
  const admin = { ...member, role: "admin" } as const;
  expect(treeListPath(admin, "media", "me")).toBe("/library");
  expect(treeListPath(admin, "space", "owner")).toBe("/space-list/owner");
  expect(treeListPath(admin, "media", "owner")).toBe("/library/owner");
});
