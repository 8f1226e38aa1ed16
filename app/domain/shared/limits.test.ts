import { describe, expect, it } from "vitest";
import {
  EVENT_DETAIL_MAX,
  EVENT_NAME_MAX,
  eventLimit,
  hasSpaceLicense,
  PAGE_SIZE,
  PRODUCT_PAGE_SIZE,
  storageLeft,
  TOAST_MS,
  UPLOAD_MAX_BYTES,
  uploadProblem,
} from "./limits";

describe("the limits of the specification", () => {
  it("have the specified values", () => {
    expect([EVENT_NAME_MAX, EVENT_DETAIL_MAX, PAGE_SIZE, TOAST_MS, PRODUCT_PAGE_SIZE]).toEqual([
      32, 1000, 20, 3000, 250,
    ]);
    expect(UPLOAD_MAX_BYTES).toBe(314_572_800);
  });
});

describe("a licence", () => {
  it("allows the licensed number of spaces", () => {
    expect(hasSpaceLicense({ spaceLicense: 3, spaceCount: 2 })).toBe(true);
    expect(hasSpaceLicense({ spaceLicense: 3, spaceCount: 3 })).toBe(false);
    expect(hasSpaceLicense({ spaceLicense: 0, spaceCount: 0 })).toBe(false);
  });
});

describe("a library", () => {
  const user = { storageLimit: 1000, storageUsed: 900 };

  it("accepts files up to its last byte", () => {
    expect(uploadProblem(user, 100)).toBeNull();
    expect(uploadProblem(user, 101)).toBe("library:errors.upload.capacity");
    expect(storageLeft({ storageLimit: 1000, storageUsed: 1200 })).toBe(0);
  });

  it("rejects files that are empty or over 300 MB, even if there is space for them", () => {
    const vast = { storageLimit: 1e15, storageUsed: 0 };
    expect(uploadProblem(vast, UPLOAD_MAX_BYTES)).toBeNull();
    expect(uploadProblem(vast, UPLOAD_MAX_BYTES + 1)).toBe("library:errors.upload.tooLarge");
    for (const bytes of [0, -1, Number.NaN])
      expect(uploadProblem(vast, bytes)).toBe("library:errors.upload.empty");
  });
});

it("allows an owner 1,000 events, and one more for each licensed space", () => {
  expect(eventLimit({ spaceLicense: 10_000 })).toBe(11_000);
  expect(eventLimit({ spaceLicense: 0 })).toBe(1000);
});
