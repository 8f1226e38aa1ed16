import { expect, it } from "vitest";
import { isPrivilegedChange, isPrivilegedRole } from "./privileged-change";

it("roles, addresses and the return of an administrator are privileged, and nothing else", () => {
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
