import { expect, test } from "vitest";
import { isOtherStoreSecret, storeTokens } from "./store-token";

test("a token is an option of the Storefront API client, either as private or as public", () => {
  expect(storeTokens("shpat_0123")).toEqual({ privateAccessToken: "shpat_0123" });
  expect(storeTokens("SHPAT_0123")).toEqual({ privateAccessToken: "SHPAT_0123" });
  expect(storeTokens("0123456789abcdef0123456789abcdef")).toEqual({
    publicAccessToken: "0123456789abcdef0123456789abcdef",
  });
});

test("secrets of apps and tokens of the Admin API are not Storefront tokens", () => {
  for (const secret of ["shpss_1", "shpca_1", "shppa_1", "shpua_1"])
    expect(isOtherStoreSecret(secret)).toBe(true);
  for (const token of ["shpat_1", "0123456789abcdef"]) expect(isOtherStoreSecret(token)).toBe(false);
});
