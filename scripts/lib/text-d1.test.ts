import { expect, it } from "vitest";
import { withValues } from "./text-d1";

it("writes values into their places, and leaves what stands in quotes alone", () => {
  expect(withValues(`SELECT "a?" FROM t WHERE x = ? AND y <> '?' AND z = ?`, ["O'Brien; --", 7])).toBe(
    `SELECT "a?" FROM t WHERE x = 'O''Brien; --' AND y <> '?' AND z = 7`,
  );
  expect(withValues("VALUES (?, ?, ?)", [null, true, "?"])).toBe("VALUES (NULL, 1, '?')");
});

it("writes nothing that SQL would read otherwise", () => {
  for (const value of [undefined, Number.NaN, {}, new Date(), "a\u0000b"])
    expect(() => withValues("SELECT ?", [value])).toThrow("no form");
  expect(() => withValues("SELECT ?", [1, 2])).toThrow("fewer places");
});
