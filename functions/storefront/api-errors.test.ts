import { expect, it } from "vitest";
import { readApiErrors } from "./api-errors";

const error = (code: unknown, message = "", overrides: object = {}) => ({
  message,
  extensions: { code, ...overrides },
});

it.each([
  ["THROTTLED", "throttled"],
  ["ACCESS_DENIED", "access_denied"],
  ["INTERNAL_SERVER_ERROR", "server"],
  ["MAX_COST_EXCEEDED", "too_costly"],
  ["SHOP_INACTIVE", "inactive"],
  ["UNAUTHORIZED", "unauthorized"],
  ["undefinedField", "graphql"],
])("reads %s as %s", (code, expected) => {
  expect(readApiErrors([error(code, "x")])).toMatchObject({ code: expected, message: "x" });
});

it("finds the missing scope of the token if the store names it", () => {
  const message = "Access denied for products field.";
  const requiredAccess = "`unauthenticated_read_product_listings` access scope.";
  for (const errors of [
    [error("ACCESS_DENIED", message, { requiredAccess })],
    [error("ACCESS_DENIED", `${message} Required access: ${requiredAccess}`)],
  ])
    expect(readApiErrors(errors).scope).toBe("unauthenticated_read_product_listings");
  expect(readApiErrors([error("ACCESS_DENIED", message)]).scope).toBeNull();
});

it("accepts malformed errors, and chooses the failure that is first in the list of codes", () => {
  for (const errors of [undefined, null, "Throttled", {}, [null, 1, "x", {}], [error(5)], { code: 1 }])
    expect(readApiErrors(errors)).toEqual({ code: "graphql", message: null, scope: null });
  expect(readApiErrors([{}, error("ACCESS_DENIED"), error("THROTTLED", "later")])).toMatchObject({
    code: "throttled",
    message: "later",
  });
});
