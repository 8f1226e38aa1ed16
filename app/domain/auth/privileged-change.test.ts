import { expect, it } from "vitest";
import { isPrivilegedChange, isPrivilegedRole } from "./privileged-change";

it("treats only changes of roles and addresses and the reactivation of an administrator as privileged", () => {
  const [user, admin] = [{ role: "user" }, { role: "admin" }] as const;
  expect(isPrivilegedChange(user, ["role"], {})).toBe(true);
  expect(isPrivilegedChange(admin, ["role"], {})).toBe(true);
  expect(isPrivilegedChange(user, ["lastName", "email"], {})).toBe(true);
  expect(isPrivilegedChange(admin, ["status"], { status: "ACTIVATED" })).toBe(true);
  expect(isPrivilegedChange(admin, ["status"], { status: "BLOCKED" })).toBe(false);
  expect(isPrivilegedChange(user, ["status"], { status: "ACTIVATED" })).toBe(false);
  expect(isPrivilegedChange(admin, ["lastName", "spaceLicense"], {})).toBe(false);
  expect([isPrivilegedRole("admin"), isPrivilegedRole("user")]).toEqual([true, false]);
});
