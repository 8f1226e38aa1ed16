import { expect, it } from "vitest";
import { seal, unseal } from "./seal";

it("opens what was sealed here for the same, and nothing else", () => {
  const value = seal("secret", "cart 1", "藍と紙");
  expect(value).toMatch(/^[\w-]+\.[\w-]+$/);
  expect(unseal("secret", "cart 1", value)).toBe("藍と紙");
  for (const [secret, about, other] of [
    ["other", "cart 1", value],
    ["secret", "cart 2", value],
    ["secret", "cart 1", `${value}AA`],
    ["secret", "cart 1", value.slice(1)],
    ["secret", "cart 1", ""],
    ["secret", "cart 1", "."],
    ["secret", "cart 1", null],
  ] as const)
    expect(unseal(secret, about, other)).toBeNull();
});
