import { expect, it } from "vitest";
import { spaceListPath } from "./space-list-path";

it("leads nobody to a list that is not theirs to see", () => {
  const member = { userId: "me", role: "user", groupIds: ["g"] } as const;
  expect(spaceListPath(member, "me")).toBe("/space-list");
  expect(spaceListPath(member, "owner")).toBe("/space-list");
  const admin = { ...member, role: "admin" } as const;
  expect(spaceListPath(admin, "me")).toBe("/space-list");
  expect(spaceListPath(admin, "owner")).toBe("/space-list/owner");
});
