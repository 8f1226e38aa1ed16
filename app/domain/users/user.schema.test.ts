import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { STORAGE_LIMIT_MAX_GB } from "../shared/limits";
import { storageLimitField, toGigabytes } from "./user.schema";

const GIGABYTE = 1024 ** 3;

describe("a storage limit", () => {
  it("is shown as entered", () => {
    for (const typed of ["0", "0.1", "0.3", "1", "1.1", "2.75", "100000", "99999.9"])
      expect(toGigabytes(storageLimitField.parse(typed))).toBe(typed);
  });

  it("stays the same when it is shown and read again, for any number of bytes", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: STORAGE_LIMIT_MAX_GB * GIGABYTE }), (bytes) => {
        const text = toGigabytes(bytes);
        expect(text).toMatch(/^\d+(\.\d{0,9}[1-9])?$/);
        expect(storageLimitField.parse(text)).toBe(bytes);
      }),
    );
  });

  it("is shown as entered, for any number with at most one decimal", () => {
    const tenths = fc.integer({ min: 0, max: 1_000_000 }).map((value) => String(value / 10));
    fc.assert(
      fc.property(tenths, (typed) => {
        expect(toGigabytes(storageLimitField.parse(typed))).toBe(typed);
      }),
    );
  });
});
